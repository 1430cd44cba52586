package bot

import (
	"context"

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
	// Find looks for the outcome of this effect on GitHub.
	Find(ctx context.Context, gh GitHub) (Found, error)
	// Do performs the effect given what Find saw.
	Do(ctx context.Context, gh GitHub, found Found) error
	// Reconcile repairs doubles that concurrent runs may have left.
	Reconcile(ctx context.Context, gh GitHub) error
}

// Found is what Find saw of an effect.
type Found struct {
	// Done means that nothing is left to do.
	Done bool
	// ID is the existing comment, check run or workflow run, 0 for none.
	ID int64
}
