package changelog

import (
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// The scenarios that an entry can be restricted to.
const (
	FixedSeqLen   = "fixed-seq-len"
	AgenticCoding = "agentic-coding"
)

// Entry is one element of the changelog with its defaults filled in
// (spec/changelog.md section 1).
type Entry struct {
	// ConfigKeys are the config keys or "*" patterns, at least one.
	ConfigKeys []string
	// Description has one element a bullet, at least one.
	Description []string
	// PRLink is the link as written, which may be a placeholder.
	PRLink     string
	EvalsOnly  bool
	AllEvals   bool
	NoEvals    bool
	AppendOnly bool
	// EvalMinPrefillEP is the smallest expert parallelism of prefill workers
	// whose evals run, at least 1; nil when absent.
	EvalMinPrefillEP *int
	// Scenarios restricts the entry to some of FixedSeqLen and AgenticCoding;
	// nil means both.
	Scenarios []string

	// Raw is the entry as it was read, with positions in the head file.
	Raw *yamlpos.Value
	// Line is the head line at which the entry begins.
	Line int
}

// Covers reports whether the entry asks for a scenario.
func (e Entry) Covers(scenario string) bool {
	for _, s := range e.Scenarios {
		if s == scenario {
			return true
		}
	}
	return e.Scenarios == nil
}

// Place returns where the value of a key stands, or the beginning of the entry
// when it has no such key. An index selects an element of a list.
func (e Entry) Place(file, key string, index ...int) diag.Place {
	v := field(e.Raw, key)
	for _, i := range index {
		if v != nil && i < len(v.Items) {
			v = v.Items[i]
		}
	}
	if v == nil {
		return diag.Place{File: file, Line: e.Line, Column: 1}
	}
	return v.Place(file)
}

// DocumentField is one key of a printed entry; Value is a string, []string,
// bool or int.
type DocumentField struct {
	Name  string
	Value any
}

// Document returns the entry as the plan document prints it: defaults filled,
// absent optional values left out, in the fixed key order of
// spec/changelog.md section 8. Rules without NoEvals leave that key out.
func (e Entry) Document(rules Rules) []DocumentField {
	doc := []DocumentField{
		{keyConfigKeys, e.ConfigKeys},
		{keyDescription, e.Description},
		{keyPRLink, e.PRLink},
		{keyEvalsOnly, e.EvalsOnly},
		{keyAllEvals, e.AllEvals},
	}
	if rules.NoEvals {
		doc = append(doc, DocumentField{keyNoEvals, e.NoEvals})
	}
	doc = append(doc, DocumentField{keyAppendOnly, e.AppendOnly})
	if e.EvalMinPrefillEP != nil {
		doc = append(doc, DocumentField{keyEvalMinPrefillEP, *e.EvalMinPrefillEP})
	}
	if e.Scenarios != nil {
		doc = append(doc, DocumentField{keyScenarioType, e.Scenarios})
	}
	return doc
}
