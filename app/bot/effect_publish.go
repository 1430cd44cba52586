package bot

import (
	"context"
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Publisher sends messages to the repository that takes in results, with a
// credential of its own that no other effect has.
type Publisher interface {
	// RepositoryDispatch sends an event with a payload of texts.
	RepositoryDispatch(ctx context.Context, repository, event string, payload map[string]string) error
}

// SendPublication tells the consumer which sweep to publish. GitHub keeps no
// record of such a message that could be read again: it is sent at least once,
// and the two ids are its identity for the consumer, which takes the newest
// upload of every name however often it is told. An attempt of this run that
// ended green has sent it, so that a repetition does not.
type SendPublication struct {
	Repository, Event   string
	SourceRun, MergeRun int64
	Database            string // that the message names, "" for none
}

// Key names both runs.
func (e *SendPublication) Key() string {
	return "publish/" + e.Repository + "/" + e.Event + "/" + strconv.FormatInt(e.SourceRun, 10) + "/" + strconv.FormatInt(e.MergeRun, 10)
}

// Kind is "publish".
func (e *SendPublication) Kind() string { return "publish" }

// Target is the consumer and the event.
func (e *SendPublication) Target() string { return e.Repository + " " + e.Event }

func (e *SendPublication) payload() map[string]string {
	p := map[string]string{
		"source-run-id": strconv.FormatInt(e.SourceRun, 10), "merge-run-id": strconv.FormatInt(e.MergeRun, 10),
	}
	if e.Database != "" {
		p["database-target"] = e.Database
	}
	return p
}

// Document holds the message.
func (e *SendPublication) Document() ordjson.Value {
	payload := ordjson.Map(
		member("source-run-id", ordjson.Str(strconv.FormatInt(e.SourceRun, 10))), member("merge-run-id", ordjson.Str(strconv.FormatInt(e.MergeRun, 10))))
	if e.Database != "" {
		payload.Add("database-target", ordjson.Str(e.Database))
	}
	return ordjson.Map(member("repository", ordjson.Str(e.Repository)), member("event", ordjson.Str(e.Event)), member("payload", payload))
}

// Find looks for an earlier attempt of the merge run whose jobs all are green.
func (e *SendPublication) Find(ctx context.Context, w *World) (Found, error) {
	run, err := w.GitHub.WorkflowRun(ctx, e.MergeRun)
	if err != nil || run.Attempt < 2 {
		return Found{}, err
	}
	jobs, err := w.GitHub.Jobs(ctx, e.MergeRun, 0)
	if err != nil {
		return Found{}, err
	}
	for attempt := 1; attempt < run.Attempt; attempt++ {
		ran := slices.ContainsFunc(jobs, func(j Job) bool { return j.Attempt == attempt })
		bad := slices.ContainsFunc(jobs, func(j Job) bool { return j.Attempt == attempt && j.Conclusion != "success" })
		if ran && !bad {
			return Found{ID: e.SourceRun, Done: true}, nil
		}
	}
	return Found{}, nil
}

// Do sends the message, once both uploads that the consumer needs are there:
// a message without results behind it loses rows silently (known failure F26).
func (e *SendPublication) Do(ctx context.Context, w *World, _ Found) (Found, error) {
	if w.Publisher == nil {
		return Found{}, diag.New("bot.publish-no-credential", diag.Place{}, "repository", e.Repository).In("usage")
	}
	merged, err := w.GitHub.Artifacts(ctx, e.MergeRun)
	if err != nil {
		return Found{}, err
	}
	if !slices.ContainsFunc(merged, isMetadata) {
		return Found{}, &RefusalError{diag.New("bot.publish-no-metadata", diag.Place{}, "run", strconv.FormatInt(e.MergeRun, 10))}
	}
	source, err := w.GitHub.Artifacts(ctx, e.SourceRun)
	if err != nil {
		return Found{}, err
	}
	if !hasResults(source) {
		return Found{}, &RefusalError{diag.New("bot.publish-no-results", diag.Place{}, "run", strconv.FormatInt(e.SourceRun, 10))}
	}
	return Found{ID: e.SourceRun}, w.Publisher.RepositoryDispatch(ctx, e.Repository, e.Event, e.payload())
}

// Reconcile has nothing to do: the consumer takes an equal message twice.
func (e *SendPublication) Reconcile(context.Context, *World) error { return nil }
