package changelog

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// The keys of an entry.
const (
	keyConfigKeys       = "config-keys"
	keyDescription      = "description"
	keyPRLink           = "pr-link"
	keyEvalsOnly        = "evals-only"
	keyAllEvals         = "all-evals"
	keyNoEvals          = "no-evals"
	keyAppendOnly       = "append-only"
	keyEvalMinPrefillEP = "eval-min-prefill-ep"
	keyScenarioType     = "scenario-type"
)

// keys returns the known keys in document order.
func (r Rules) keys() []string {
	keys := []string{keyConfigKeys, keyDescription, keyPRLink, keyEvalsOnly, keyAllEvals}
	if r.NoEvals {
		keys = append(keys, keyNoEvals)
	}
	return append(keys, keyAppendOnly, keyEvalMinPrefillEP, keyScenarioType)
}

const categorySchema = "entry-schema"

// decoder turns one raw value into an entry and collects every violation of
// spec/changelog.md section 1.
type decoder struct {
	rules    Rules
	index    int // of the entry among those read together
	findings diag.List
}

// decodeEntry validates one element of the list. line is where the element
// begins, used where the value itself has no position of use.
func decodeEntry(rules Rules, index, line int, v *yamlpos.Value) (Entry, diag.List) {
	d := decoder{rules: rules, index: index}
	if v.Line > 0 {
		line = v.Line
	}
	if v.Kind != yamlpos.Mapping {
		d.findings = append(d.findings, diag.New("changelog.entry-not-mapping", v.Place(rules.File),
			"kind", v.Kind.String()).In(categorySchema).At(strconv.Itoa(index)))
		return Entry{}, d.findings
	}
	d.checkKeys(v)
	e := Entry{Raw: v, Line: line}
	e.ConfigKeys = d.strings(v, keyConfigKeys)
	e.Description = d.strings(v, keyDescription)
	e.PRLink = d.link(v)
	e.EvalsOnly = d.flag(v, keyEvalsOnly)
	e.AllEvals = d.flag(v, keyAllEvals)
	if rules.NoEvals {
		e.NoEvals = d.flag(v, keyNoEvals)
	}
	e.AppendOnly = d.flag(v, keyAppendOnly)
	e.EvalMinPrefillEP = d.minimum(v)
	e.Scenarios = d.scenarios(v)
	d.crossRules(e)
	return e, d.findings
}

// field returns the value of a key in either spelling. Which spellings are
// allowed is checkKeys' business.
func field(v *yamlpos.Value, key string) *yamlpos.Value {
	if value := v.Get(key); value != nil {
		return value
	}
	return v.Get(strings.ReplaceAll(key, "-", "_"))
}

func (d *decoder) refuse(code string, key string, v *yamlpos.Value, args ...string) {
	args = append([]string{"key", key}, args...)
	path := strconv.Itoa(d.index)
	if key != "" {
		path += "." + key
	}
	d.findings = append(d.findings, diag.New(code, v.Place(d.rules.File), args...).In(categorySchema).At(path))
}

// checkKeys refuses keys that the schema does not know.
func (d *decoder) checkKeys(v *yamlpos.Value) {
	known := d.rules.keys()
	for _, f := range v.Fields {
		name := f.Key.Text
		dashed := strings.ReplaceAll(name, "_", "-")
		switch {
		case f.Key.Kind == yamlpos.String && contains(known, name):
		case f.Key.Kind == yamlpos.String && name != dashed && contains(known, dashed):
			if !d.rules.UnderscoreKeys || v.Get(dashed) != nil {
				d.refuse("changelog.underscore-key", name, f.Key, "right", dashed)
			}
		default:
			if near := nearest(name, known); near != "" {
				d.refuse("changelog.unknown-key-near", show(name), f.Key, "near", near)
			} else {
				d.refuse("changelog.unknown-key", show(name), f.Key, "known", strings.Join(known, ", "))
			}
		}
	}
}

func contains(list []string, text string) bool {
	for _, s := range list {
		if s == text {
			return true
		}
	}
	return false
}

// required returns the value of a key that every entry has.
func (d *decoder) required(v *yamlpos.Value, key string) *yamlpos.Value {
	value := field(v, key)
	if value == nil {
		d.refuse("changelog.missing-key", key, v)
	}
	return value
}

// wrongKind reports a value of another type than the key has.
func (d *decoder) wrongKind(code, key string, v *yamlpos.Value) {
	d.refuse(code, key, v, "kind", v.Kind.String(), "text", show(v.Text))
}

// strings reads a required list of strings with at least one element.
func (d *decoder) strings(v *yamlpos.Value, key string) []string {
	value := d.required(v, key)
	if value == nil {
		return nil
	}
	return d.stringList(key, value)
}

func (d *decoder) stringList(key string, value *yamlpos.Value) []string {
	if value.Kind != yamlpos.Sequence {
		d.wrongKind("changelog.not-a-list", key, value)
		return nil
	}
	if len(value.Items) == 0 {
		d.refuse("changelog.empty-list", key, value)
		return nil
	}
	out := make([]string, len(value.Items))
	for i, item := range value.Items {
		if item.Kind != yamlpos.String {
			d.wrongKind("changelog.not-a-string", key+"."+strconv.Itoa(i), item)
			continue
		}
		out[i] = item.Text
	}
	return out
}

func (d *decoder) link(v *yamlpos.Value) string {
	value := d.required(v, keyPRLink)
	if value == nil {
		return ""
	}
	if value.Kind != yamlpos.String {
		d.wrongKind("changelog.not-a-string", keyPRLink, value)
		return ""
	}
	return value.Text
}

func (d *decoder) flag(v *yamlpos.Value, key string) bool {
	value := field(v, key)
	if value == nil {
		return false
	}
	b, ok := boolean(value, d.rules.LenientTypes)
	if !ok {
		d.wrongKind("changelog.not-a-flag", key, value)
	}
	return b
}

func (d *decoder) minimum(v *yamlpos.Value) *int {
	value := field(v, keyEvalMinPrefillEP)
	if value.IsNull() {
		return nil
	}
	n, ok := integer(value, d.rules.LenientTypes)
	switch {
	case !ok:
		d.wrongKind("changelog.not-an-integer", keyEvalMinPrefillEP, value)
	case n < 1:
		d.refuse("changelog.below-minimum", keyEvalMinPrefillEP, value, "text", show(value.Text), "minimum", "1")
	default:
		return &n
	}
	return nil
}

func (d *decoder) scenarios(v *yamlpos.Value) []string {
	value := field(v, keyScenarioType)
	if value.IsNull() {
		return nil
	}
	list := d.stringList(keyScenarioType, value)
	for i, name := range list {
		if name != FixedSeqLen && name != AgenticCoding && value.Items[i].Kind == yamlpos.String {
			d.refuse("changelog.unknown-scenario", keyScenarioType+"."+strconv.Itoa(i), value.Items[i], "text", show(name))
		}
	}
	return list
}

// crossRules refuses combinations: append-only and no-evals measure no evals
// that a flag could widen or narrow.
func (d *decoder) crossRules(e Entry) {
	for _, own := range []struct {
		key string
		set bool
	}{{keyAppendOnly, e.AppendOnly}, {keyNoEvals, e.NoEvals}} {
		if !own.set {
			continue
		}
		for _, other := range []struct {
			key string
			set bool
		}{
			{keyEvalsOnly, e.EvalsOnly},
			{keyAllEvals, e.AllEvals},
			{keyEvalMinPrefillEP, e.EvalMinPrefillEP != nil},
		} {
			if other.set {
				d.refuse("changelog.flags-clash", own.key, field(e.Raw, own.key), "other", other.key)
			}
		}
	}
}
