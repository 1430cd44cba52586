package changelog

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// strictRules judge with every grade an error, in the lenient dialect of the
// corpus.
func strictRules() Rules {
	rules := corpusRules()
	rules.HeaderLikeLines, rules.UnterminatedDeletes = false, false
	rules.Gate, rules.LinkInPlan, rules.CorrectionsPass = Gate{}, GradeError, true
	return rules
}

// TestCorpusCheckAgreesWithStrict: what the strict gate accepts, Check has
// nothing against; what it refuses, Check has something to say about.
func TestCorpusCheckAgreesWithStrict(t *testing.T) {
	for _, c := range corpusCases(t) {
		if !c.has("gate") {
			continue
		}
		want := expected(t, c.ID, "gate")
		report := Check(strictRules(), c.base, c.head, PR(c.PR))
		if c.Mutation == "final-newline-restored-only" {
			continue // F15: repairing the end of the base is no fault
		}
		if accepted := want.StrictPR.Outcome == "accept"; accepted != (len(report.Problems) == 0) {
			t.Errorf("%s (%s): strict %s, Check: %v", c.ID, c.Mutation, expectedText(*want.StrictPR), report.Findings())
		}
	}
}

// TestCorpusCheckFindsTheAdditions: where the planner accepts a change, Check
// finds the same new entries, though it looks for them in another way.
func TestCorpusCheckFindsTheAdditions(t *testing.T) {
	for _, c := range corpusCases(t) {
		entries, findings := ExtractAdditions(corpusRules(), c.base, c.head)
		if findings.Refused() {
			continue
		}
		report := Check(corpusRules(), c.base, c.head, PR(c.PR))
		if diff := cmp.Diff(signatures(entries), signatures(report.Added)); diff != "" {
			t.Errorf("%s (%s): entries differ:\n%s", c.ID, c.Mutation, diff)
		}
	}
}

func signatures(entries []Entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, signature(e.Raw))
	}
	return out
}

// TestCorpusFix: Fix either refuses or makes a file that the strict gate
// accepts and that has every entry that Check found.
func TestCorpusFix(t *testing.T) {
	for _, c := range corpusCases(t) {
		fixed, err := Fix(strictRules(), c.base, c.head, PR(c.PR))
		if err != nil {
			continue
		}
		verdict := Strict(strictRules(), withFinalLF(c.base), fixed.Data, PR(c.PR))
		if !verdict.Accepted {
			t.Errorf("%s (%s): the mended file is refused: %v", c.ID, c.Mutation, verdict.Findings)
		}
		if added := Check(strictRules(), c.base, c.head, PR(c.PR)).Added; verdict.Additions < len(added) {
			t.Errorf("%s (%s): %d entries after mending, %d before", c.ID, c.Mutation, verdict.Additions, len(added))
		}
		again, err := Fix(strictRules(), c.base, fixed.Data, PR(c.PR))
		if err != nil || again.Changed || !bytes.Equal(again.Data, fixed.Data) {
			t.Errorf("%s (%s): mending twice differs: %v", c.ID, c.Mutation, err)
		}
	}
}
