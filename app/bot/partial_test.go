package bot

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/matrix"
)

// What a partial plan runs and what it leaves out are together the full plan,
// whatever is current, and it never passes for a full one.
func TestPartialPlansAreComplementary(t *testing.T) {
	p := &samplePlanner{}
	full, err := p.Plan(t.Context(), PlanOrder{PR: 12, Labels: []string{"full-sweep-fail-fast", "all-evals"}})
	if err != nil || full.Plan == nil || full.Canary == nil {
		t.Fatalf("the sample has no plan with a canary: %v", err)
	}
	var all []*matrix.Row
	for _, f := range full.Families {
		all = append(all, f.Rows...)
	}
	rapid.Check(t, func(t *rapid.T) {
		current := make(map[*matrix.Row]bool)
		for _, r := range all {
			current[r] = rapid.Bool().Draw(t, "current")
		}
		if rapid.IntRange(0, 9).Draw(t, "all current") == 0 {
			for _, r := range all {
				current[r] = true
			}
		}
		kept, list := KeepOnly(full, Partial{Since: shaA, Run: 7}, func(r *matrix.Row) bool { return !current[r] })
		if list.Refused() {
			t.Fatal(list)
		}
		runs := make(map[*matrix.Row]int)
		for _, f := range kept.Families {
			if len(f.Rows) == 0 {
				t.Fatalf("family %+v has no rows", f)
			}
			for _, r := range f.Rows {
				runs[r]++
			}
		}
		for _, r := range all {
			if (runs[r] == 1) == current[r] || runs[r] > 1 {
				t.Fatalf("row %s is run %d times, current %v", r.ExpName, runs[r], current[r])
			}
		}
		if kept.Partial == nil || len(runs)+kept.Partial.Current != len(all) {
			t.Fatalf("%d rows run and %+v stand of %d", len(runs), kept.Partial, len(all))
		}
		if kept.Canary != nil && len(runs) == 0 {
			t.Fatal("a canary of nothing")
		}
		if reusable, _ := policyDocument(kept).Get("reusable"); reusable.Text != "false" {
			t.Fatal("a partial plan says that it can be reused")
		}
	})
	if reusable, _ := policyDocument(full).Get("reusable"); full.Partial != nil || reusable.Text != "true" || countRows(full.Families) != len(all) {
		t.Error("a partial plan has changed the full one")
	}
}
