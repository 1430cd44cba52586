package conformance

import (
	"context"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
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

// wholeFile are the categories of refusals that concern a file, or the change,
// as a whole: they have no line to name.
var wholeFile = map[string]bool{
	"config-file-missing": true, "runner-file-missing": true, "append-only-missing-generation-inputs": true,
	"no-additions": true, "no-entries": true, "append-only-no-base-curve": true, "append-only-no-delta": true,
}

// TestValidateMutations: under the reference's rules validation refuses every
// mutation that the reference refuses, for its reason, naming file, line,
// column and the mend; and it refuses nothing that the reference accepts.
func TestValidateMutations(t *testing.T) {
	dir := corpusDir(t)
	cases, err := Cases(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := workspace(t, dir)
	for _, c := range cases {
		if c.Kind != "mutation" {
			continue
		}
		want, err := Expected(dir, c.ID, "none")
		if err != nil {
			t.Fatal(err)
		}
		change, err := w.Change(context.Background(), c.Base, c.Head)
		if err != nil {
			t.Fatal(err)
		}
		v, err := bot.Validate(bot.ValidateRequest{Head: change.Head, Base: change.Base, Preset: config.PresetReference, PR: c.PR})
		if err != nil {
			t.Fatal(err)
		}
		if accepted := want["outcome"] == "accept"; accepted == v.Findings.Refused() {
			t.Errorf("%s: the reference accepts: %t; validation says:\n%v", c.ID, accepted, v.Findings)
		} else if !accepted {
			checkReason(t, c.ID, want["category"].(string), v.Findings)
		}
	}
}

// checkReason looks for the finding that gives the reference's reason.
func checkReason(t *testing.T, id, category string, list diag.List) {
	t.Helper()
	for _, f := range list {
		if f.Severity != diag.Error || f.Category != category && !strings.HasPrefix(category, "unhandled-") {
			continue
		}
		if f.Mend(catalog.English) == "" || f.Mend(catalog.Chinese) == "" {
			t.Errorf("%s: %v has no mend", id, f)
		}
		if !wholeFile[category] && (f.File == "" || f.Line == 0 || f.Column == 0) {
			t.Errorf("%s: %v has no place", id, f)
		}
		return
	}
	t.Errorf("%s: the reference refuses it as %s; validation says:\n%v", id, category, list)
}
