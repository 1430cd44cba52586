package bot

import (
	"context"
	"slices"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Effect is one thing to be done in the outside world. Handlers return
// effects; the executor performs them. GitHub has neither upserts nor dispatch
// tokens, so every effect knows how to find what an earlier run of it left
// behind (DESIGN.md idea 1).
type Effect interface {
	// Key is the idempotency key: equal keys mean the same effect.
	Key() string
	// Kind is the word for tables, such as "comment".
	Kind() string
	// Target says in a few words what the effect touches.
	Target() string
	// Document is the effect as data, for --dry-run and the journal.
	Document() ordjson.Value
	// Find looks for the outcome of this effect in the world. It only reads.
	Find(ctx context.Context, w *World) (Found, error)
	// Do performs the effect given what Find saw, and returns what is there
	// now.
	Do(ctx context.Context, w *World, found Found) (Found, error)
	// Reconcile repairs doubles that concurrent runs may have left.
	Reconcile(ctx context.Context, w *World) error
}

// Found is what is there of an effect.
type Found struct {
	// Done means that nothing is left to do.
	Done bool
	// ID is the existing comment, check run or workflow run, 0 for none.
	ID int64
}

// Host is the job that a command runs in: a step of GitHub Actions, or nothing
// where the program is a server. Package app/actions implements it.
type Host interface {
	// SetOutput sets an output of the step. Values may hold any text; the
	// implementation refuses what could define another output.
	SetOutput(name, value string) error
	// Summary appends Markdown to the summary of the step.
	Summary(markdown string) error
	// Annotate shows findings on the lines that they are about.
	Annotate(list diag.List) error
}

// World is what effects act on.
type World struct {
	GitHub GitHub
	// Host is nil outside of a job: effects on it are then refused.
	Host Host
	// Publisher is nil where nothing may be published.
	Publisher Publisher
	// Repository is owner/name.
	Repository string
	// Self are the numeric ids of our accounts: the one that writes, then
	// former ones whose comments are still ours. Logins prove nothing.
	Self []int64
	// SigningKey signs the hidden parts of comments; without one they are
	// plain, and whoever may edit comments may alter what they remember.
	SigningKey []byte
	// Wait waits, or ends early with the error of the context. It is what
	// bounded waits for GitHub's lists to catch up are made of.
	Wait func(context.Context, time.Duration) error
}

func (w *World) isSelf(id int64) bool { return id != 0 && slices.Contains(w.Self, id) }
