package matrix

import (
	"math/big"
	"slices"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Priority is the scheduling policy of a repository (spec/matrix.md section
// 14). Scores are exact decimals.
type Priority struct {
	base      *big.Rat
	event     map[string]*big.Rat
	flat      map[string]*big.Rat // additional-node, multi-node, agentic, eval-only
	tables    map[string]table
	checklist *big.Rat
	patchwork *big.Rat

	// What labels say; empty where labels are no input of the score.
	checklistNames []string
	patchworkNames []string
	waivedBy       []string
	skipQueue      string
}

// table is one adjustment table in file order.
type table struct {
	keys   []string
	values map[string]*big.Rat
}

var flatAdjustments = []string{"additional-node", "multi-node", "agentic", "eval-only"}
var tableAdjustments = []string{"precision", "spec-decoding", "framework-prefix", "model-prefix"}

// maxPolicyBytes bounds a policy file; the real one has two kilobytes.
const maxPolicyBytes = 1 << 20

// LoadPriority reads a policy file. Missing adjustments count 0.
//
// Both known layouts are accepted, told apart by their keys: patchwork-score
// and adjustments.checklist-complete, or a labels section. A file may have
// both, as the published one does. With PriorityLabels the labels section
// counts first and labels are an input of the score; without it, it only
// supplies the two scores that the file gives nowhere else.
func LoadPriority(source Source, sweep config.Sweep) (*Priority, diag.List) {
	if f := fileTooLarge(source, maxPolicyBytes); f != nil {
		return nil, diag.List{*f}
	}
	root, err := yamlpos.Parse(source.Name, source.Data, yamlpos.Options{})
	if err != nil {
		return nil, diag.List{asFinding(err)}
	}
	l := policyReader{file: source.Name}
	if v := root.Get("version"); v == nil || !isNumber(v, 1) {
		l.refuse("priority.version", orElse(v, root))
	}
	p := &Priority{flat: make(map[string]*big.Rat), tables: make(map[string]table)}
	p.base = l.decimal(root.Get("base-score"))
	adjust := l.section(root, "adjustments")
	p.event = l.table(adjust, "event").values
	for _, name := range flatAdjustments {
		p.flat[name] = l.decimal(adjust.Get(name))
	}
	for _, name := range tableAdjustments {
		p.tables[name] = l.table(adjust, name)
	}
	l.labels(p, root, adjust, sweep.PriorityLabels)
	if l.list.Refused() {
		return nil, l.list
	}
	return p, l.list
}

// labels reads the two scores that the layouts keep in different places, and
// the label names where labels count.
func (l *policyReader) labels(p *Priority, root, adjust *yamlpos.Value, counted bool) {
	labels := l.section(root, "labels")
	checklist, patchwork, skip := l.section(labels, "checklist-complete"), l.section(labels, "patchwork"), l.section(labels, "skip-queue")
	places := func(newest, older *yamlpos.Value) *big.Rat {
		if counted && older != nil || newest == nil {
			return l.decimal(older)
		}
		return l.decimal(newest)
	}
	p.checklist = places(adjust.Get("checklist-complete"), checklist.Get("adjustment"))
	p.patchwork = places(root.Get("patchwork-score"), patchwork.Get("score"))
	if !counted {
		return
	}
	p.checklistNames, p.patchworkNames = l.names(checklist, "names"), l.names(patchwork, "names")
	p.waivedBy = l.names(patchwork, "waived-by")
	if name := skip.Get("name"); name != nil {
		p.skipQueue = name.Text
	}
}

// knows reports whether a criterion is a word of the policy.
func (p *Priority) knows(word string) bool {
	if slices.Contains([]string{"multi-node", "agentic", "eval-only", "checklist-complete", "patchwork"}, word) {
		return true
	}
	for _, name := range tableAdjustments {
		if _, listed := p.tables[name].values[word]; listed {
			return true
		}
	}
	return false
}

// policyReader reads decimals and names out of a policy file.
type policyReader struct {
	file string
	list diag.List
}

func (l *policyReader) refuse(code string, v *yamlpos.Value) {
	text := ""
	if v != nil && v.Kind < yamlpos.Sequence {
		text = v.Text
	}
	l.list = append(l.list, diag.New(code, v.Place(l.file), "value", text).In("priority-policy"))
}

// section returns a mapping of the policy, nil where it is absent.
func (l *policyReader) section(in *yamlpos.Value, name string) *yamlpos.Value {
	v := optional(in.Get(name))
	if v != nil && v.Kind != yamlpos.Mapping {
		l.wrong(v, name, "mapping")
		return nil
	}
	return v
}

func (l *policyReader) wrong(v *yamlpos.Value, name, want string) {
	l.list = append(l.list, diag.New("matrix.wrong-type", v.Place(l.file), "want", want, "got", v.Kind.String()).In("priority-policy").At(name))
}

func (l *policyReader) decimal(v *yamlpos.Value) *big.Rat {
	if v.IsNull() {
		return new(big.Rat)
	}
	text, number, ok := asDecimal(v, false)
	if !ok || !(number >= -1e6 && number <= 1e6) {
		l.refuse("priority.number", v)
		return new(big.Rat)
	}
	r, parsed := new(big.Rat).SetString(text)
	if !parsed {
		l.refuse("priority.number", v)
		return new(big.Rat)
	}
	return r
}

func (l *policyReader) table(in *yamlpos.Value, name string) table {
	t := table{values: make(map[string]*big.Rat)}
	v := l.section(in, name)
	if v == nil {
		return t
	}
	for _, f := range v.Fields {
		t.keys = append(t.keys, f.Key.Text)
		t.values[f.Key.Text] = l.decimal(f.Value)
	}
	return t
}

func (l *policyReader) names(in *yamlpos.Value, name string) []string {
	v := optional(in.Get(name))
	if v == nil {
		return nil
	}
	if v.Kind != yamlpos.Sequence {
		l.wrong(v, name, "list")
		return nil
	}
	var out []string
	for _, item := range v.Items {
		if item.Kind != yamlpos.String {
			l.wrong(item, name, "string")
			continue
		}
		out = append(out, item.Text)
	}
	return out
}
