package changelog

import (
	"bytes"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Change is what planning has to know about a change of the changelog.
type Change struct {
	// Entries are the added entries in file order, with positions in head.
	// They are set only when Findings does not refuse the change.
	Entries []Entry
	// Corrections are set when the change corrects links of old entries and
	// does nothing else: it is fine, and there is nothing to sweep.
	Corrections []Correction
	// Findings are the graded problems, and the reason why the additions could
	// not be read. Findings.Refused() tells whether planning may go on.
	Findings diag.List
	// Mendable is set when there are findings and Fix mends all of them.
	Mendable bool
}

// Examine reads a change for planning: the graded gate of Check, and the
// additions as the planner reads them (spec/changelog.md sections 2 and 6.1).
// With every grade off it is ExtractAdditions.
func Examine(rules Rules, base, head []byte, pr PR) Change {
	if rules.FinalNewline && !bytes.HasSuffix(head, []byte{'\n'}) && rules.tooLarge(head) == nil {
		return Change{Findings: diag.List{noFinalNewline(rules, head)}, Mendable: head != nil}
	}
	report := Report{}
	if !rules.ungraded() {
		report = Check(rules, base, head, pr)
	}
	change := Change{Findings: report.Findings(), Mendable: report.Mendable()}
	if len(report.Corrections) > 0 && len(report.Added) == 0 && !report.Refused() {
		change.Corrections = report.Corrections
		return change
	}
	entries, refusal := ExtractAdditions(rules, base, head)
	if refusal != nil {
		change.Findings = join(explain(rules, report, refusal), report)
		change.Mendable = change.Mendable && report.Refused()
	} else if !change.Findings.Refused() {
		change.Entries = entries
	}
	return change
}

// ungraded reports whether Check has nothing to say under these rules.
func (r Rules) ungraded() bool {
	return r.Gate == Gate{GradeOff, GradeOff, GradeOff} && r.LinkInPlan == GradeOff && !r.CorrectionsPass
}

// explain replaces a refusal of the additions by a better one. Deletions are
// told more precisely by Check. And text that cannot be read though every
// entry in it can was cut apart by the line diff, because it was inserted
// between old entries.
func explain(rules Rules, report Report, refusal diag.List) diag.List {
	history := false
	for _, p := range report.Problems {
		history = history || p.Class == ClassHistory && p.Severity == diag.Error
	}
	category := refusal[0].Category
	switch {
	case history && category == "changelog-deletion":
		return nil
	case len(report.Added) > 0 && !report.Refused() && (category == "yaml-invalid" || category == categorySchema):
		return diag.List{diag.New("changelog.cut-apart", rules.place(report.Added[0].Line)).In(category)}
	}
	return refusal
}

// join puts the refusal before the problems of a report and leaves out what
// both say.
func join(refusal diag.List, report Report) diag.List {
	type key struct {
		diag.Place
		code string
	}
	said := make(map[key]bool)
	for _, f := range refusal {
		said[key{f.Place, f.Code}] = true
	}
	for _, f := range report.Findings() {
		if !said[key{f.Place, f.Code}] {
			refusal = append(refusal, f)
		}
	}
	return refusal
}
