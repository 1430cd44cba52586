package bot

import (
	"context"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// React adds a reaction to a comment. GitHub keeps one of a kind and account,
// so that doing it again changes nothing.
type React struct {
	CommentID int64
	Content   string // eyes, +1, -1, rocket ...
}

// Key names comment and reaction.
func (e *React) Key() string {
	return "react/" + strconv.FormatInt(e.CommentID, 10) + "/" + e.Content
}

// Kind is "reaction".
func (e *React) Kind() string { return "reaction" }

// Target is the comment.
func (e *React) Target() string {
	return e.Content + " on comment " + strconv.FormatInt(e.CommentID, 10)
}

// Document holds comment and reaction.
func (e *React) Document() ordjson.Value {
	return ordjson.Map(member("comment", ordjson.Int(e.CommentID)), member("content", ordjson.Str(e.Content)))
}

// Find asks nothing: adding is as cheap.
func (e *React) Find(context.Context, *World) (Found, error) { return Found{}, nil }

// Do adds the reaction.
func (e *React) Do(ctx context.Context, w *World, _ Found) (Found, error) {
	return Found{ID: e.CommentID}, w.GitHub.React(ctx, e.CommentID, e.Content)
}

// Reconcile has nothing to do.
func (e *React) Reconcile(context.Context, *World) error { return nil }
