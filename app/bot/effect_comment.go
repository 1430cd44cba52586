package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// content is what a comment of ours says.
type content interface {
	// body returns the whole body, given the bodies that our comments on the
	// topic have now, oldest first. Given its own answer it returns it again.
	body(s seal, old []string) string
	// holds reports whether a body says it already.
	holds(s seal, body string) bool
	// keeps reports whether a body that others rewrote meanwhile has lost
	// nothing of it.
	keeps(s seal, body string) bool
}

// UpsertComment keeps one comment on a topic in the conversation of a pull
// request up to date. Only comments of our own accounts count as ours; a
// marker that somebody else writes is text.
type UpsertComment struct {
	Number int
	Topic  string
	// Once lets a comment that is there stay as it is.
	Once bool
	// Legacy are the first words of comments that former tools wrote with our
	// account; where we have none, the newest of them becomes ours.
	Legacy []string

	content content
	thread  thread
}

// Key names topic and content: the same topic with other content is another
// effect.
func (e *UpsertComment) Key() string {
	sum := sha256.Sum256([]byte(e.content.body(seal{}, nil)))
	return "comment/" + strconv.Itoa(e.Number) + "/" + e.Topic + "/" + hex.EncodeToString(sum[:6])
}

// Kind is "comment".
func (e *UpsertComment) Kind() string { return "comment" }

// Target is the pull request and the topic.
func (e *UpsertComment) Target() string { return "#" + strconv.Itoa(e.Number) + " " + e.Topic }

// Document holds the text as it would be where there is none yet.
func (e *UpsertComment) Document() ordjson.Value {
	return ordjson.Map(
		member("pull-request", ordjson.Int(int64(e.Number))), member("topic", ordjson.Str(e.Topic)),
		member("once", ordjson.Bool(e.Once)), member("body", ordjson.Str(e.content.body(seal{}, nil))))
}

// fallback is what is shown elsewhere when the comment cannot be posted.
func (e *UpsertComment) fallback() string { return e.content.body(seal{}, nil) }

// Find lists the whole conversation, all pages of it (known failure F49).
func (e *UpsertComment) Find(ctx context.Context, w *World) (Found, error) {
	if err := e.list(ctx, w); err != nil || len(e.thread.ours) == 0 {
		return Found{}, err
	}
	oldest := e.thread.ours[0]
	return Found{ID: oldest.ID, Done: e.Once || e.content.holds(w.seal(e.Number), oldest.Body)}, nil
}

func (e *UpsertComment) list(ctx context.Context, w *World) error {
	if len(w.Self) == 0 {
		return diag.New("bot.no-account", diag.Place{}).In("usage")
	}
	all, err := w.GitHub.Comments(ctx, e.Number)
	if err == nil {
		e.thread = findThread(all, w, e)
	}
	return err
}

// Do creates the comment, or rewrites the oldest. One that was deleted
// meanwhile is created again.
func (e *UpsertComment) Do(ctx context.Context, w *World, found Found) (Found, error) {
	if found.ID != 0 {
		err := e.rewrite(ctx, w, found.ID, e.thread.bodies())
		if !errors.Is(err, ErrNotFound) {
			return found, err
		}
	}
	c, err := w.GitHub.CreateComment(ctx, e.Number, e.content.body(w.seal(e.Number), nil))
	if err != nil && !isAnswer(err) {
		// The answer may be lost and the comment be there all the same.
		if again, lookErr := e.Find(ctx, w); lookErr == nil && again.Done {
			return again, nil
		}
	}
	e.thread.created = c.ID
	return Found{ID: c.ID}, err
}

// maxWrites bounds the writes with which a comment is made to say what it
// should although others write it too.
const maxWrites = 3

// catchUp is how long GitHub's answers may lag behind a write.
const catchUp = 2 * time.Second

// rewrite updates a comment and looks whether what it wrote is still there:
// GitHub knows no conditional update. What another writer put in between is
// merged and written again. Reads that lag are waited for.
func (e *UpsertComment) rewrite(ctx context.Context, w *World, id int64, old []string) error {
	seal := w.seal(e.Number)
	before := old[0]
	for range maxWrites {
		wrote := e.content.body(seal, old)
		if err := w.GitHub.UpdateComment(ctx, id, wrote); err != nil {
			return err
		}
		now, err := e.reread(ctx, w, id, before)
		if err != nil {
			return err
		}
		if same(now, wrote) || e.content.keeps(seal, now) {
			return nil
		}
		before, old = now, append([]string{now}, wrote)
	}
	return diag.New("bot.comment-contended", diag.Place{}, "topic", e.Topic).In("github")
}

// reread returns the body of a comment after a write, giving a read that still
// shows the body before it a little time.
func (e *UpsertComment) reread(ctx context.Context, w *World, id int64, before string) (string, error) {
	for i := 0; ; i++ {
		c, err := w.GitHub.Comment(ctx, id)
		if err != nil || !same(c.Body, before) || i == maxLooks {
			return c.Body, err
		}
		if err := w.Wait(ctx, catchUp); err != nil {
			return "", err
		}
	}
}

// maxLooks bounds the looks for something that we know to be there.
const maxLooks = 3

// same compares bodies as GitHub keeps them, which may lose blanks at the end.
func same(a, b string) bool {
	clean := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return clean(a) == clean(b)
}

// Reconcile removes doubles, of which the oldest stays and says what all of
// them said. After a creation it looks again, until the list shows it.
func (e *UpsertComment) Reconcile(ctx context.Context, w *World) error {
	for i := 0; e.thread.created != 0 && i <= maxLooks; i++ {
		created := e.thread.created
		if err := e.list(ctx, w); err != nil {
			return err
		}
		if slices.ContainsFunc(e.thread.ours, func(c Comment) bool { return c.ID == created }) {
			break
		}
		e.thread.created = created
		if err := w.Wait(ctx, catchUp); err != nil {
			return err
		}
	}
	if e.thread.legacy || len(e.thread.ours) < 2 {
		return nil
	}
	oldest, bodies := e.thread.ours[0], e.thread.bodies()
	if merged := e.content.body(w.seal(e.Number), bodies); !e.Once && !same(oldest.Body, merged) {
		if err := e.rewrite(ctx, w, oldest.ID, bodies); err != nil {
			return err
		}
	}
	for _, double := range e.thread.ours[1:] {
		if err := w.GitHub.DeleteComment(ctx, double.ID); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}
