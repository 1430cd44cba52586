package main

import (
	"context"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/stale"
)

// comparison is what became of the rows between two revisions, with the
// configs that could not be read at one of them.
type comparison struct {
	points []stale.Point
	unread []matrix.Unread
}

// compared judges the rows of one side at another.
func compared(ctx context.Context, before, after stale.Side) (comparison, error) {
	points, err := stale.Compare(ctx, before, after)
	return comparison{points, unreadBy(before, after)}, err
}

// unreadBy are the configs that could not be read, a config that is wrong in
// the same way on both sides once.
func unreadBy(sides ...stale.Side) []matrix.Unread {
	var out []matrix.Unread
	seen := make(map[string]bool)
	for _, side := range sides {
		for _, u := range side.Unread {
			name := u.Key + "\n" + u.Findings.Error()
			if !seen[name] {
				seen[name] = true
				out = append(out, u)
			}
		}
	}
	return out
}

// show prints a comparison.
func (c comparison) show(s *streams, asJSON bool) error {
	if asJSON {
		return diag.EncodeLine(s.out, documentOf(c, s.lang))
	}
	p := &printer{s: s}
	renderDiff(p, c.points)
	renderUnread(p, c.unread)
	return p.err
}

// renderUnread lists configs that cannot be read, and why.
func renderUnread(p *printer, list []matrix.Unread) {
	if len(list) == 0 {
		return
	}
	p.line(p.text("recipe.unread-configs", "count", strconv.Itoa(len(list))))
	for _, u := range list {
		p.line("  " + u.Key)
		for _, f := range u.Findings {
			p.line("    ! " + catalog.Message(p.s.lang, f.Code, f.Args...) + at(f.Place))
		}
	}
}

// refusedIf ends a command that has said everything itself.
func refusedIf(refused bool) error {
	if refused {
		return &exitError{code: exitRefused}
	}
	return nil
}
