package bot

import (
	"context"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Refuse ends an event red. It exists so that what must not happen leaves a
// reason behind instead of nothing (known failure F26).
type Refuse struct{ Finding diag.Finding }

// RefusalError is what a Refuse says when it is performed.
type RefusalError struct{ diag.Finding }

// Unwrap returns the finding, whose category decides the exit code.
func (e *RefusalError) Unwrap() error { return e.Finding }

// Key is that of the reason.
func (e *Refuse) Key() string { return "refuse/" + e.Finding.Code }

// Kind is "refuse".
func (e *Refuse) Kind() string { return "refuse" }

// Target is the code of the reason.
func (e *Refuse) Target() string { return e.Finding.Code }

// Document holds the reason.
func (e *Refuse) Document() ordjson.Value {
	return ordjson.Map(member("findings", FindingsDocument(diag.List{e.Finding}, catalog.English)))
}

// Find never finds anything: a refusal is said each time.
func (e *Refuse) Find(context.Context, *World) (Found, error) { return Found{}, nil }

// Do refuses.
func (e *Refuse) Do(context.Context, *World, Found) (Found, error) {
	return Found{}, &RefusalError{e.Finding}
}

// Reconcile has nothing to do.
func (e *Refuse) Reconcile(context.Context, *World) error { return nil }
