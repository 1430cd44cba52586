package conformance

import (
	"context"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/config"
)

// What planning refuses validation refuses, and nothing else: on every real
// and every mutated change of the corpus that holds configs.
func TestValidateAgreesWithPlanning(t *testing.T) {
	dir := corpusDir(t)
	cases, err := Cases(dir)
	if err != nil {
		t.Fatal(err)
	}
	w, count := workspace(t, dir), [2]int{}
	for _, c := range cases {
		if c.Kind != "history" && c.Kind != "mutation" {
			continue
		}
		change, err := w.Change(context.Background(), c.Base, c.Head)
		if err != nil {
			t.Fatal(err)
		}
		planned, err := bot.PlanChange(bot.PlanRequest{Change: change, Preset: config.PresetAugust, PR: c.PR})
		if err != nil {
			t.Fatal(err)
		}
		v, err := bot.Validate(bot.ValidateRequest{Head: change.Head, Base: change.Base, Preset: config.PresetAugust, PR: c.PR})
		if err != nil {
			t.Fatal(err)
		}
		if refused := planned.Plan == nil; refused != v.Findings.Refused() {
			t.Errorf("%s: planning refuses: %t; validation says:\n%v", c.ID, refused, v.Findings)
		}
		if planned.Plan == nil {
			count[1]++
		} else {
			count[0]++
		}
	}
	t.Logf("%d changes accepted and %d refused by both", count[0], count[1])
	if count[0] == 0 || count[1] == 0 {
		t.Error("the corpus shows one outcome only")
	}
}
