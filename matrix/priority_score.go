package matrix

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// score is the decimal score of a row with three places.
func (p *Priority) score(row ordjson.Value, s Scoring) (string, *diag.Finding) {
	listed := func(word string) bool { return slices.Contains(s.Criteria, word) }
	labelled := func(names []string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(s.Labels, n) })
	}
	if (listed("patchwork") || labelled(p.patchworkNames)) && !labelled(p.waivedBy) {
		return round(p.patchwork), nil
	}
	nodes, f := nodeCountOf(row)
	if f != nil {
		return "", f
	}
	total := new(big.Rat).Set(p.base)
	add := func(r *big.Rat) {
		if r != nil {
			total.Add(total, r)
		}
	}
	add(p.event[s.Event])
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
		if v, _ := row.Get(name); v.Kind == ordjson.String {
			return v.Text
		}
		return ""
	}
	prefill, hasPrefill := row.Get("prefill")
	evalOnly, _ := row.Get("eval-only")
	return rowFacts{
		multi:     hasPrefill && !(prefill.Kind == ordjson.Literal && prefill.Text == "null"),
		agentic:   text("scenario-type") == AgenticCoding,
		evalOnly:  evalOnly.Kind == ordjson.Literal && evalOnly.Text == "true",
		precision: text("precision"), spec: text("spec-decoding"), framework: text("framework"), model: text("model-prefix"),
	}
}

// framework returns the adjustment of the first prefix that fits. Under
// criteria the framework itself counts only when a listed prefix fits it.
func (p *Priority) framework(name string, criteria []string) *big.Rat {
	t := p.tables["framework-prefix"]
	if !t.allows(name, criteria) {
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
	if !t.allows(name, criteria) {
		return nil
	}
	return t.values[name]
}

// allows reports whether criteria let a name count: without criteria any does,
// else one that a listed key of the table is, or is a prefix of.
func (t table) allows(name string, criteria []string) bool {
	return criteria == nil || slices.ContainsFunc(t.keys, func(key string) bool {
		return isPrefixOf(key, name) && slices.Contains(criteria, key)
	})
}

func isPrefixOf(key, name string) bool {
	rest, ok := strings.CutPrefix(name, key)
	return ok && (rest == "" || rest[0] == '-')
}

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
