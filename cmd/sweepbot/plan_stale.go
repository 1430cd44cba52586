package main

import (
	"context"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/stale"
)

// onlyStale leaves of a plan the points that a measurement at another commit
// does not stand for any more: those that would serve something else, that
// cannot be judged, or that were not there.
func (f *planFlags) onlyStale(ctx context.Context, p bot.Planned, head matrix.Files) (bot.Planned, error) {
	reader, err := (&recipeFlags{repo: f.repo, preset: f.preset, checkouts: f.checkouts}).open(ctx)
	if err != nil {
		return p, err
	}
	defer reader.Close()
	then, _, err := reader.side(ctx, f.since, &p.Settings)
	if err != nil {
		return p, err
	}
	at, err := reader.revision(ctx, f.since)
	if err != nil {
		return p, err
	}
	resolver, err := newResolver(head, p.Settings, reader.clones)
	if err != nil {
		return p, err
	}
	var rows []*matrix.Row
	wanted := make(map[string]bool)
	for _, family := range p.Families {
		rows = append(rows, family.Rows...)
		for _, r := range family.Rows {
			wanted[r.Config.Key] = true
		}
	}
	then.Rows = ofKeys(then.Rows, wanted)
	points, err := stale.Compare(ctx, then, stale.Side{Rows: rows, Resolver: resolver})
	if err != nil {
		return p, err
	}
	current := make(map[*matrix.Row]bool)
	for _, point := range points {
		current[point.Row] = point.Verdict.Current()
	}
	kept, list := bot.KeepOnly(p, bot.Partial{Since: at.Commit}, func(r *matrix.Row) bool { return !current[r] })
	if list.Refused() {
		return p, list
	}
	return kept, nil
}

// ofKeys are the rows of some config keys.
func ofKeys(rows []*matrix.Row, keys map[string]bool) []*matrix.Row {
	var out []*matrix.Row
	for _, r := range rows {
		if keys[r.Config.Key] {
			out = append(out, r)
		}
	}
	return out
}
