package matrix

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Priority is the scheduling policy of a repository (spec/matrix.md section
// 14). Scores are exact decimals.
type Priority struct {
	base           *big.Rat
	event          map[string]*big.Rat
	flat           map[string]*big.Rat // additional-node, multi-node, agentic, eval-only
	tables         map[string]table
	checklist      *big.Rat
	checklistNames []string
	patchwork      *big.Rat
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

// Scoring is what a score depends on besides the rows.
type Scoring struct {
	Event     string // event name, such as pull_request
	Namespace string // of queue tokens: <run id>:<run attempt>
	// Criteria limits the facts that count; nil lets all count.
	Criteria []string
	// Labels and PR are consulted only by policies that score labels.
	Labels []string
	PR     int
}

// LoadPriority reads a policy file. Missing adjustments count 0. Both known
// layouts are accepted, told apart by their keys.
func LoadPriority(source Source) (*Priority, diag.List) {
	root, err := yamlpos.Parse(source.Name, source.Data, yamlpos.Options{})
	if err != nil {
		return nil, diag.List{asFinding(err)}
	}
	l := policyReader{file: source.Name}
	if v := root.Get("version"); v == nil || !isNumber(v, 1) {
		l.refuse("priority.version", root.Get("version"))
	}
	p := &Priority{event: make(map[string]*big.Rat), flat: make(map[string]*big.Rat), tables: make(map[string]table)}
	p.base = l.decimal(root.Get("base-score"))
	adjust := root.Get("adjustments")
	p.event = l.table(adjust.Get("event")).values
	for _, name := range flatAdjustments {
		p.flat[name] = l.decimal(adjust.Get(name))
	}
	for _, name := range tableAdjustments {
		p.tables[name] = l.table(adjust.Get(name))
	}
	p.checklist, p.patchwork = l.decimal(adjust.Get("checklist-complete")), l.decimal(root.Get("patchwork-score"))
	if labels := root.Get("labels"); labels != nil {
		checklist, patchwork := labels.Get("checklist-complete"), labels.Get("patchwork")
		p.checklist, p.checklistNames = l.decimal(checklist.Get("adjustment")), l.names(checklist.Get("names"))
		p.patchwork, p.patchworkNames, p.waivedBy = l.decimal(patchwork.Get("score")), l.names(patchwork.Get("names")), l.names(patchwork.Get("waived-by"))
		if name := labels.Get("skip-queue").Get("name"); name != nil {
			p.skipQueue = name.Text
		}
	}
	return p, l.list
}

// policyReader reads decimals and names out of a policy file.
type policyReader struct {
	file string
	list diag.List
}

func (l *policyReader) refuse(code string, v *yamlpos.Value) {
	text := ""
	if v != nil {
		text = v.Text
	}
	l.list = append(l.list, diag.New(code, v.Place(l.file), "value", text).In("priority-policy"))
}

func (l *policyReader) decimal(v *yamlpos.Value) *big.Rat {
	if v.IsNull() {
		return new(big.Rat)
	}
	text, number, ok := asDecimal(v, false)
	r, parsed := new(big.Rat).SetString(text)
	if !ok || !parsed || number > 1e6 || number < -1e6 {
		l.refuse("priority.number", v)
		return new(big.Rat)
	}
	return r
}

func (l *policyReader) table(v *yamlpos.Value) table {
	t := table{values: make(map[string]*big.Rat)}
	if v == nil {
		return t
	}
	for _, f := range v.Fields {
		t.keys = append(t.keys, f.Key.Text)
		t.values[f.Key.Text] = l.decimal(f.Value)
	}
	return t
}

func (l *policyReader) names(v *yamlpos.Value) []string {
	if v == nil {
		return nil
	}
	var out []string
	for _, item := range v.Items {
		out = append(out, item.Text)
	}
	return out
}

// Annotate returns a copy of a document in which every object with both runner
// and framework carries its priority and queue token. Nothing is written when
// a criterion or a node count is wrong.
func (p *Priority) Annotate(doc ordjson.Value, s Scoring) (ordjson.Value, diag.List) {
	var list diag.List
	for _, word := range s.Criteria {
		if !p.knows(word) {
			list = append(list, diag.New("priority.criterion", diag.Place{}, "value", word).In("priority-criteria"))
		}
	}
	if list != nil {
		return ordjson.Value{}, list
	}
	out := p.walk(doc, s, nil, &list)
	return out, list
}

func (p *Priority) knows(word string) bool {
	if slices.Contains([]string{"multi-node", "agentic", "eval-only", "checklist-complete", "patchwork"}, word) {
		return true
	}
	for _, name := range tableAdjustments {
		if slices.Contains(p.tables[name].keys, word) {
			return true
		}
	}
	return false
}

func (p *Priority) walk(v ordjson.Value, s Scoring, at []string, list *diag.List) ordjson.Value {
	switch v.Kind {
	case ordjson.Array:
		out := ordjson.List(make([]ordjson.Value, len(v.Items))...)
		for i, item := range v.Items {
			out.Items[i] = p.walk(item, s, append(at, strconv.Itoa(i)), list)
		}
		return out
	case ordjson.Object:
		out := ordjson.Map()
		for _, m := range v.Members {
			out.Add(m.Name, p.walk(m.Value, s, append(at, m.Name), list))
		}
		_, hasRunner := v.Get("runner")
		_, hasFramework := v.Get("framework")
		if hasRunner && hasFramework {
			p.annotate(&out, v, s, at, list)
		}
		return out
	}
	return v
}

func (p *Priority) annotate(out *ordjson.Value, row ordjson.Value, s Scoring, at []string, list *diag.List) {
	score, f := p.score(row, s)
	if f != nil {
		*list = append(*list, f.At(strings.Join(at, "/")))
		return
	}
	out.Add("priority", ordjson.Str(score))
	out.Add("queue-token", ordjson.Str(queueToken(row, s.Namespace, at)))
	if p.skipQueue != "" && s.PR > 0 && slices.Contains(s.Labels, p.skipQueue) {
		out.Add("skip-queue-pr", ordjson.Int(int64(s.PR)))
	}
}

// queueToken is unique for a row, its place and the run attempt.
func queueToken(row ordjson.Value, namespace string, at []string) string {
	text := []byte(namespace + ":" + strings.Join(at, "/") + ":")
	sum := sha256.Sum256(row.Append(text, ordjson.Canonical))
	return hex.EncodeToString(sum[:16])
}

// score is the decimal score of a row with three places.
func (p *Priority) score(row ordjson.Value, s Scoring) (string, *diag.Finding) {
	listed := func(word string) bool { return slices.Contains(s.Criteria, word) }
	labelled := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(s.Labels, n) })
	}
	if (listed("patchwork") || labelled(p.patchworkNames)) && !labelled(p.waivedBy) {
		return round(p.patchwork), nil
	}
	total := new(big.Rat).Set(p.base)
	add := func(r *big.Rat) {
		if r != nil {
			total.Add(total, r)
		}
	}
	add(p.event[s.Event])
	nodes, f := nodeCountOf(row)
	if f != nil {
		return "", f
	}
	add(new(big.Rat).Mul(p.flat["additional-node"], big.NewRat(nodes-1, 1)))
	facts := factsOf(row)
	counts := func(word string) bool { return s.Criteria == nil || listed(word) }
	for _, flag := range []struct {
		word string
		true bool
	}{{"multi-node", facts.multi}, {"agentic", facts.agentic}, {"eval-only", facts.evalOnly}} {
		if flag.true && counts(flag.word) {
			add(p.flat[flag.word])
		}
	}
	if counts(facts.precision) {
		add(p.tables["precision"].values[facts.precision])
	}
	if counts(facts.spec) {
		add(p.tables["spec-decoding"].values[facts.spec])
	}
	add(p.framework(facts.framework, s.Criteria))
	add(p.model(facts.model, s.Criteria))
	if listed("checklist-complete") || labelled(p.checklistNames) {
		add(p.checklist)
	}
	return round(total), nil
}

// rowFacts are the properties of a document row that scores depend on.
type rowFacts struct {
	multi, agentic, evalOnly          bool
	precision, spec, framework, model string
}

func factsOf(row ordjson.Value) rowFacts {
	text := func(name string) string {
		v, _ := row.Get(name)
		return v.Text
	}
	prefill, hasPrefill := row.Get("prefill")
	return rowFacts{
		multi:     hasPrefill && !(prefill.Kind == ordjson.Literal && prefill.Text == "null"),
		agentic:   text("scenario-type") == AgenticCoding,
		evalOnly:  text("eval-only") == "true",
		precision: text("precision"), spec: text("spec-decoding"), framework: text("framework"), model: text("model-prefix"),
	}
}

// framework returns the adjustment of the first prefix that fits. Under
// criteria the framework itself counts only when a listed prefix fits it.
func (p *Priority) framework(name string, criteria []string) *big.Rat {
	t := p.tables["framework-prefix"]
	if criteria != nil && !slices.ContainsFunc(t.keys, func(key string) bool { return slices.Contains(criteria, key) && isPrefixOf(key, name) }) {
		return nil
	}
	for _, key := range t.keys {
		if isPrefixOf(key, name) {
			return t.values[key]
		}
	}
	return nil
}

// model returns the adjustment of a model prefix, which must match exactly.
func (p *Priority) model(name string, criteria []string) *big.Rat {
	t := p.tables["model-prefix"]
	if criteria != nil && !slices.ContainsFunc(t.keys, func(key string) bool { return slices.Contains(criteria, key) && isPrefixOf(key, name) }) {
		return nil
	}
	return t.values[name]
}

func isPrefixOf(key, name string) bool { return name == key || strings.HasPrefix(name, key+"-") }

func nodeCountOf(row ordjson.Value) (int64, *diag.Finding) {
	v, given := row.Get("node-count")
	if !given {
		return 1, nil
	}
	n, err := strconv.ParseInt(v.Text, 10, 32)
	if v.Kind != ordjson.Literal || err != nil || n < 1 {
		f := diag.New("priority.node-count", diag.Place{}, "value", v.String()).In("priority-node-count")
		return 0, &f
	}
	return n, nil
}

// round prints a decimal with three places, half away from zero.
func round(r *big.Rat) string {
	scaled := new(big.Rat).Mul(r, big.NewRat(2000, 1))
	n := new(big.Int).Quo(scaled.Num(), scaled.Denom())
	if scaled.Sign() < 0 {
		n.Sub(n, big.NewInt(1))
	} else {
		n.Add(n, big.NewInt(1))
	}
	n.Quo(n, big.NewInt(2))
	sign := ""
	if n.Sign() < 0 {
		sign = "-"
	}
	n.Abs(n)
	whole, part := new(big.Int).QuoRem(n, big.NewInt(1000), new(big.Int))
	return fmt.Sprintf("%s%s.%03d", sign, whole, part.Int64())
}
