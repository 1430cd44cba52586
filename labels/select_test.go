package labels

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// TestPrimariesOfTheNewestRules is the table of section 1.1.
func TestPrimariesOfTheNewestRules(t *testing.T) {
	for _, c := range []struct {
		label            string
		canary, failFast bool
	}{
		{failFast, true, true}, {enabled, true, false}, {nonCanary, false, false},
	} {
		s := Select(newest(), []string{c.label})
		if s.Primary == nil || s.Canary != c.canary || s.FailFast != c.failFast || s.Trim || !s.Reusable {
			t.Errorf("%s: %+v", c.label, s)
		}
	}
}

// TestPrimariesOfAugust is the table of section 1.2.
func TestPrimariesOfAugust(t *testing.T) {
	for _, c := range []struct {
		label                            string
		canary, failFast, trim, reusable bool
	}{
		{trimmed, false, false, true, false},
		{failFast, true, true, false, true},
		{enabled, true, false, false, true},
		{noCanary, false, true, false, true},
		{nonCanary, false, false, false, true},
	} {
		s := Select(august(), []string{c.label})
		if s.Primary == nil || s.Canary != c.canary || s.FailFast != c.failFast || s.Trim != c.trim || s.Reusable != c.reusable {
			t.Errorf("%s: %+v", c.label, s)
		}
	}
}

// TestF29OnlyReducingModifiersBlockReuse: evals-only and agentx-fast do,
// all-evals does not.
func TestF29OnlyReducingModifiersBlockReuse(t *testing.T) {
	for label, reusable := range map[string]bool{allEvals: true, evalsOnly: false, fast: false, onlyStale: false} {
		if s := Select(newest(), []string{enabled, label}); s.Reusable != reusable {
			t.Errorf("%s: reusable %v, blockers %v", label, s.Reusable, s.ReuseBlockers)
		}
	}
}

func TestSelectionOfConflictingLabels(t *testing.T) {
	s := Select(august(), []string{trimmed, evalsOnly, noCanary, "bug", failFast})
	if s.Primary != nil || s.Canary || s.FailFast || s.Trim || s.Reusable || !s.EvalsOnly {
		t.Errorf("%+v", s)
	}
	if diff := cmp.Diff([]string{trimmed, failFast, noCanary}, s.Primaries); diff != "" {
		t.Error(diff)
	}
	if !s.Findings.Refused() || s.Findings[0].Code != "labels.conflict" || s.Findings[0].Mend(catalog.English) == "" {
		t.Errorf("%v", s.Findings)
	}
}

// TestSchedulingLabels exist in August only.
func TestSchedulingLabels(t *testing.T) {
	carried := []string{"skip_queue", "engine-patch", "ci-patchwork-waived", "ci-checklist-complete"}
	want := Modifiers{SkipQueue: true, Patchwork: true, PatchworkWaived: true, ChecklistComplete: true}
	if diff := cmp.Diff(want, Select(august(), carried).Modifiers); diff != "" {
		t.Error(diff)
	}
	s := Select(newest(), carried)
	if diff := cmp.Diff(Modifiers{}, s.Modifiers); diff != "" || len(s.Unrelated) != len(carried) {
		t.Error(diff, s.Unrelated)
	}
}

func TestModifierAlone(t *testing.T) {
	s := Select(newest(), []string{fast, allEvals})
	want := "no sweep label is set, and nothing starts by all-evals, agentx-fast alone [labels.modifier-alone]" +
		" - add one of full-sweep-fail-fast, full-sweep-enabled, non-canary-full-sweep-enabled"
	if got := s.Findings.Error(); got != want || s.Findings.Refused() {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if s := Select(newest(), nil); s.Findings != nil || s.Primary != nil || s.Unrelated != nil {
		t.Errorf("no labels: %+v", s)
	}
}

func TestLookAlikes(t *testing.T) {
	known := newVocabulary(newest())
	for label, want := range map[string]string{
		"full_sweep_enabled":         enabled,
		"full sweep fail fast":       failFast,
		"full-sweep-enabld":          enabled,
		"sweep-enabled":              enabled,
		noCanary:                     failFast,
		"evals-all":                  allEvals,
		"eval-only":                  evalsOnly,
		"agent-x-fast":               fast,
		"🚀 full-sweep-enabled":       enabled,
		"bug":                        "",
		"":                           "",
		"skip_queue":                 "",
		"reuse-full-sweep-results":   "",
		"documentation":              "",
		"evals":                      "",
		strings.Repeat("full-", 999): "",
	} {
		if got := resembles(known, label); got != want {
			t.Errorf("%.40q resembles %q, want %q", label, got, want)
		}
	}
}

func TestLookAlikesAreFew(t *testing.T) {
	var labels []string
	for i := range 500 {
		labels = append(labels, "full_sweep_enabled"+strings.Repeat("_", i%40))
	}
	s := Select(newest(), labels)
	if len(s.Findings) != alikeFindings || s.Findings[0].Severity != diag.Warning || len(s.Unrelated) != 40 {
		t.Errorf("%d findings, %d labels: %v", len(s.Findings), len(s.Unrelated), s.Findings)
	}
}

// TestS37NamesInMessages stay on their line and are quoted where they are not
// ordinary.
func TestS37NamesInMessages(t *testing.T) {
	for name, want := range map[string]string{
		"area/x:1.2_y-z":         "area/x:1.2_y-z",
		"good first issue":       `"good first issue"`,
		"a\n::error::b":          `"a\n::error::b"`,
		"🚀":                      `"🚀"`,
		"\u202eevil":             `"\u202eevil"`,
		"":                       `""`,
		"$(touch x)":             `"$(touch x)"`,
		strings.Repeat("é", 100): `"` + strings.Repeat("é", 40) + `..."`,
	} {
		if got := shown(name); got != want {
			t.Errorf("%q is shown as %s, want %s", name, got, want)
		}
	}
}
