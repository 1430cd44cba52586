package bot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Limits of check runs (spec/github-limits.md): characters of a summary or
// text, annotations of one request, and annotations that we show in all.
const (
	maxCheckText   = 65_535
	annotationPage = 50
	maxAnnotations = 200
)

// PublishCheck publishes a check run. Its name stays the same for a commit, and
// its external id finds it again: the one given here, the rank if it has one, a
// digest of the content, and the number of annotations.
type PublishCheck struct {
	Run CheckRun
	// Rank orders what is said about one thing, the first number first: what has
	// a lower one replaces nothing. nil for what has no order.
	Rank []int64
	// Doubles are first numbers of ranks that count for less than any other.
	Doubles []int64
}

// Key names commit, check and content.
func (e *PublishCheck) Key() string { return "check/" + e.Run.HeadSHA + "/" + e.mark() }

// Kind is "check".
func (e *PublishCheck) Kind() string { return "check" }

// Target is the check and the commit.
func (e *PublishCheck) Target() string { return e.Run.Name + " on " + shortSHA(e.Run.HeadSHA) }

// Document holds the check as it is published.
func (e *PublishCheck) Document() ordjson.Value {
	run := e.whole()
	notes := ordjson.List()
	for _, a := range run.Annotations {
		notes.Items = append(notes.Items, ordjson.Map(
			member("path", ordjson.Str(a.Path)), member("start-line", ordjson.Int(int64(a.StartLine))), member("end-line", ordjson.Int(int64(a.EndLine))),
			member("level", ordjson.Str(a.Level)), member("title", ordjson.Str(a.Title)), member("message", ordjson.Str(a.Message))))
	}
	return ordjson.Map(
		member("sha", ordjson.Str(run.HeadSHA)), member("name", ordjson.Str(run.Name)), member("external-id", ordjson.Str(e.mark())),
		member("status", ordjson.Str(run.Status)), member("conclusion", ordjson.Str(run.Conclusion)), member("title", ordjson.Str(run.Title)),
		member("details-url", ordjson.Str(run.DetailsURL)),
		member("summary", ordjson.Str(run.Summary)), member("text", ordjson.Str(run.Text)), member("annotations", notes))
}

// whole is the run within the limits: texts cut, annotations worst first, and
// a sentence on those that are left out.
func (e *PublishCheck) whole() CheckRun {
	run := e.Run
	run.Annotations = slices.Clone(run.Annotations)
	slices.SortStableFunc(run.Annotations, func(a, b CheckAnnotation) int { return cmp.Compare(badness(b.Level), badness(a.Level)) })
	if more := len(run.Annotations) - maxAnnotations; more > 0 {
		run.Annotations = run.Annotations[:maxAnnotations]
		run.Summary += "\n\n" + catalog.Message(catalog.English, "bot.annotations-cut", "n", strconv.Itoa(more))
	}
	run.Summary = fit(run.Summary)
	run.Text = fit(run.Text)
	return run
}

func fit(text string) string {
	if len(text) <= maxCheckText {
		return text
	}
	return hardCut(text, maxCheckText, catalog.English)
}

func badness(level string) int { return slices.Index([]string{"notice", "warning", "failure"}, level) }

// mark is the external id of the finished run.
func (e *PublishCheck) mark() string {
	run := e.Run
	run.ID, run.AppID = 0, 0
	sum := sha256.Sum256(fmt.Appendf(nil, "%#v", run))
	return e.ranked() + hex.EncodeToString(sum[:6]) + ":" + strconv.Itoa(len(run.Annotations))
}

// ranked is how the external id begins.
func (e *PublishCheck) ranked() string {
	if e.Rank == nil {
		return e.Run.ExternalID + ":"
	}
	words := make([]string, len(e.Rank))
	for i, n := range e.Rank {
		words[i] = strconv.FormatInt(n, 10)
	}
	return e.Run.ExternalID + ":" + strings.Join(words, ".") + ":"
}

// outdatedBy reports whether a run of ours says something newer.
func (e *PublishCheck) outdatedBy(r CheckRun) bool {
	text, _, _ := strings.Cut(strings.TrimPrefix(r.ExternalID, e.Run.ExternalID+":"), ":")
	words := strings.Split(text, ".")
	theirs := make([]int64, len(words))
	for i, word := range words {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return false
		}
		theirs[i] = n
	}
	return len(theirs) == len(e.Rank) && !slices.Contains(e.Doubles, theirs[0]) && slices.Compare(theirs, e.Rank) > 0
}

// replaces reports whether a run of ours can be brought up to date: GitHub
// appends annotations and removes none, so that old ones would stay on lines
// that were mended. One that is complete is not opened again.
func (e *PublishCheck) replaces(r CheckRun) bool {
	bare := strings.HasSuffix(r.ExternalID, ":0")
	return bare && (unfinished(r.Status) || !unfinished(e.Run.Status) && len(e.Run.Annotations) == 0)
}

// Find looks for a run with our external id, and whether it is to be brought up
// to date or to be followed by a new one.
func (e *PublishCheck) Find(ctx context.Context, w *World) (Found, error) {
	runs, err := w.GitHub.CheckRuns(ctx, e.Run.HeadSHA, e.Run.Name)
	if err != nil {
		return Found{}, err
	}
	ours := newestFirst(runs, e.Run.ExternalID)
	switch {
	case len(ours) == 0:
		return Found{}, nil
	case ours[0].ExternalID == e.mark() && ours[0].Status == e.Run.Status:
		return Found{ID: ours[0].ID, Done: true}, nil
	case e.outdatedBy(ours[0]):
		return Found{ID: ours[0].ID, Done: true}, nil
	case e.replaces(ours[0]):
		return Found{ID: ours[0].ID}, nil
	}
	return Found{}, nil
}

// newestFirst returns the runs of an external id, newest first.
func newestFirst(runs []CheckRun, external string) []CheckRun {
	var ours []CheckRun
	for _, r := range runs {
		if strings.HasPrefix(r.ExternalID, external+":") {
			ours = append(ours, r)
		}
	}
	slices.SortFunc(ours, func(a, b CheckRun) int { return cmp.Compare(b.ID, a.ID) })
	return ours
}

// Do publishes the run in as many requests as its annotations need. Until the
// last of them it counts as unfinished and does not carry its final mark, so
// that a run that broke off is not taken for whole.
func (e *PublishCheck) Do(ctx context.Context, w *World, found Found) (Found, error) {
	final := e.whole()
	final.ID, final.ExternalID = found.ID, e.mark()
	pages := slices.Collect(slices.Chunk(final.Annotations, annotationPage))
	for i := range max(1, len(pages)) {
		run := final
		if run.Annotations = nil; i < len(pages) {
			run.Annotations = pages[i]
		}
		if i < len(pages)-1 {
			run.Status, run.Conclusion, run.ExternalID = "in_progress", "", e.ranked()+"partial:"+strconv.Itoa(i+1)
		}
		run.ID = found.ID
		id, err := writeCheck(ctx, w, run)
		if err != nil {
			return found, err
		}
		found.ID = id
	}
	return found, nil
}

func writeCheck(ctx context.Context, w *World, run CheckRun) (int64, error) {
	if run.ID != 0 {
		return run.ID, w.GitHub.UpdateCheckRun(ctx, run)
	}
	created, err := w.GitHub.CreateCheckRun(ctx, run)
	return created.ID, err
}

// Reconcile has nothing to do: of runs of one name GitHub counts the newest.
func (e *PublishCheck) Reconcile(context.Context, *World) error { return nil }
