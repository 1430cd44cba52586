package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// UpsertVerdict keeps the verdict about one sign-off in one comment
// (spec/verdict.md section 2). The comment is found by its marker and by its
// author: a marker that somebody else writes is text.
type UpsertVerdict struct {
	Number  int
	Comment verdict.Comment
	// FormerBots are logins of earlier accounts whose comments are ours too.
	FormerBots []string
	// Always writes a new comment (mode append); ByWord leaves a comment as it
	// is that has the same overall word (mode sha).
	Always, ByWord bool
}

// Key names the sign-off and the text.
func (e *UpsertVerdict) Key() string {
	sum := sha256.Sum256([]byte(e.Comment.Body))
	return "verdict/" + strconv.Itoa(e.Number) + "/" + hex.EncodeToString(sum[:8])
}

// Kind is "verdict".
func (e *UpsertVerdict) Kind() string { return "verdict" }

// Target is the pull request and the word.
func (e *UpsertVerdict) Target() string {
	return "#" + strconv.Itoa(e.Number) + " " + string(e.Comment.Overall)
}

// Document holds the text.
func (e *UpsertVerdict) Document() ordjson.Value {
	return ordjson.Map(
		member("pull-request", ordjson.Int(int64(e.Number))), member("marker", ordjson.Str(e.Comment.Marker.String())),
		member("overall", ordjson.Str(string(e.Comment.Overall))), member("body", ordjson.Str(e.Comment.Body)))
}

// Find takes the last comment of ours that begins with the marker.
func (e *UpsertVerdict) Find(ctx context.Context, w *World) (Found, error) {
	if len(w.Self) == 0 {
		return Found{}, diag.New("bot.no-account", diag.Place{}).In("usage")
	}
	all, err := w.GitHub.Comments(ctx, e.Number)
	if err != nil {
		return Found{}, err
	}
	ours := w.writer(e.FormerBots)
	for _, c := range slices.Backward(all) {
		body := strings.ReplaceAll(c.Body, "\r\n", "\n")
		if !ours(c.Author) || !strings.HasPrefix(body, e.Comment.Marker.String()+"\n") {
			continue
		}
		found := Found{ID: c.ID, Done: same(body, e.Comment.Body)}
		if old, ok := verdict.Read(body); ok && e.ByWord {
			found.Done = found.Done || old.Overall == e.Comment.Overall
		}
		if e.Always && !found.Done {
			found = Found{}
		}
		return found, nil
	}
	return Found{}, nil
}

// writer tells which authors of verdicts are ours: our account, and programs
// with the login of a former one.
func (w *World) writer(former []string) func(author User) bool {
	return func(author User) bool {
		was := author.Bot && slices.ContainsFunc(former, func(login string) bool { return strings.EqualFold(login, author.Login) })
		return w.isSelf(author.ID) || was
	}
}

// Do updates the comment, or creates it where there is none or where it was
// deleted meanwhile.
func (e *UpsertVerdict) Do(ctx context.Context, w *World, found Found) (Found, error) {
	if found.ID != 0 {
		err := w.GitHub.UpdateComment(ctx, found.ID, e.Comment.Body)
		if !errors.Is(err, ErrNotFound) {
			return found, err
		}
	}
	c, err := w.GitHub.CreateComment(ctx, e.Number, e.Comment.Body)
	if err != nil && !isAnswer(err) {
		// The answer may be lost and the comment be there all the same.
		if again, lookErr := e.Find(ctx, w); lookErr == nil && again.Done {
			return again, nil
		}
	}
	return Found{ID: c.ID}, err
}

// Reconcile has nothing to do: verifications of a pull request take turns, and
// of doubles the last counts.
func (e *UpsertVerdict) Reconcile(context.Context, *World) error { return nil }
