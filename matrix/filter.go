package matrix

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Scenarios is a set of scenario types; the zero value stands for both.
type Scenarios uint8

// ScenarioSet returns the set of the named scenarios.
func ScenarioSet(names ...string) Scenarios {
	var s Scenarios
	for _, name := range names {
		s |= scenarioBit(name)
	}
	return s
}

func scenarioBit(name string) Scenarios {
	switch name {
	case FixedSeqLen:
		return 1
	case AgenticCoding:
		return 2
	}
	return 0
}

// Has reports whether a scenario belongs to the set.
func (s Scenarios) Has(name string) bool { return s == 0 || s&scenarioBit(name) != 0 }

// Filter selects and shapes what Expand generates: the options of the
// generator commands (spec/matrix.md section 10). The zero value generates
// everything by the rules of test-config, as the planner does.
type Filter struct {
	Scenarios Scenarios
	// SeqLens keeps fixed-sequence blocks of these names; empty keeps all.
	SeqLens []string
	// Node keeps runners whose name contains this text.
	Node string

	// Conc keeps only these concurrencies. Only test-config has it.
	Conc []int64

	// FullSweep selects the rules of full-sweep, and with it the fields below.
	FullSweep                      bool
	ModelPrefixes                  []string // of config keys
	Precisions, Frameworks         []string
	RunnerTypes                    []string
	SingleNode, MultiNode          bool // neither means both
	StepSize                       int64
	MinConc, MaxConc, MaxTP, MaxEP *int64
}

// config reports whether a config passes the filters of full-sweep.
func (f Filter) config(c *Config) bool {
	if !f.FullSweep {
		return true
	}
	in := func(list []string, value string) bool { return len(list) == 0 || slices.Contains(list, value) }
	if f.SingleNode != f.MultiNode && c.Multinode != f.MultiNode {
		return false
	}
	return (len(f.ModelPrefixes) == 0 || hasPrefix(c.Key, f.ModelPrefixes)) &&
		in(f.Precisions, c.Precision) && in(f.Frameworks, c.Framework) && in(f.RunnerTypes, c.Runner)
}

// runners returns the runners that rows of a config go to: its label, or under
// a node filter the matching nodes. test-config also offers the label itself
// and drops repeats; full-sweep does neither.
func (f Filter) runners(c *Config, inv *Inventory) []string {
	if f.Node == "" {
		return []string{c.Runner}
	}
	nodes, _ := inv.Nodes(c.Runner)
	candidates := nodes
	if !f.FullSweep {
		candidates = append([]string{c.Runner}, nodes...)
	}
	var out []string
	seen := make(map[string]bool)
	for _, name := range candidates {
		if strings.Contains(name, f.Node) && (f.FullSweep || !seen[name]) {
			seen[name] = true
			out = append(out, name)
		}
	}
	return out
}

func (f Filter) lengths(block *FixedSeq) bool {
	return len(f.SeqLens) == 0 || slices.Contains(f.SeqLens, seqName(block))
}

// parallelism applies max-tp and max-ep to a single-node fixed-sequence entry
// and returns its ep.
func (f Filter) parallelism(c *Config, e *Entry) (ep *yamlpos.Value, keep bool) {
	if c.Multinode || !f.FullSweep {
		return e.EP, true
	}
	if f.MaxTP != nil {
		if tp, _, _ := asInt(e.TP, intLenient); *f.MaxTP <= 0 || tp > *f.MaxTP {
			return nil, false
		}
	}
	if f.MaxEP == nil {
		return e.EP, true
	}
	if *f.MaxEP <= 0 {
		return nil, false
	}
	if e.EP != nil {
		if n, _, _ := asInt(e.EP, intLenient); n > *f.MaxEP {
			return yamlpos.NewInt(*f.MaxEP), true
		}
	}
	return e.EP, true
}

// list filters written concurrencies. nil skips the entry.
func (f Filter) list(values []concurrency, fixed bool) []concurrency {
	if !f.FullSweep {
		if len(f.Conc) == 0 {
			return values
		}
		return keep(values, func(n int64) bool { return slices.Contains(f.Conc, n) })
	}
	if !fixed {
		return keep(values, func(n int64) bool {
			return (f.MinConc == nil || n >= *f.MinConc) && (f.MaxConc == nil || n <= *f.MaxConc)
		})
	}
	if f.MinConc != nil {
		if *f.MinConc <= 0 {
			return nil
		}
		if values = keep(values, func(n int64) bool { return n >= *f.MinConc }); values == nil {
			return nil
		}
	}
	if f.MaxConc == nil {
		return values
	}
	if *f.MaxConc <= 0 {
		return nil
	}
	if kept := keep(values, func(n int64) bool { return n <= *f.MaxConc }); kept != nil {
		return kept
	}
	return []concurrency{{*f.MaxConc, display(yamlpos.NewInt(*f.MaxConc))}}
}

// keep returns the values that pass, nil when none does.
func keep(values []concurrency, pass func(int64) bool) []concurrency {
	var out []concurrency
	for _, v := range values {
		if pass(v.n) {
			out = append(out, v)
		}
	}
	return out
}

// span expands and filters a range. The single-node fixed-sequence form of
// full-sweep cuts the range before expanding it; the others expand first.
func (f Filter) span(start, end *yamlpos.Value, cutFirst, fixed bool) []concurrency {
	step := int64(2)
	if f.FullSweep && f.StepSize > 1 {
		step = f.StepSize
	}
	if !f.FullSweep || !cutFirst {
		return f.list(span(start, end, step), fixed)
	}
	if f.MinConc != nil {
		if last, _, _ := asInt(end, intLenient); *f.MinConc <= 0 || last < *f.MinConc {
			return nil
		}
		if first, _, _ := asInt(start, intLenient); first < *f.MinConc {
			start = yamlpos.NewInt(*f.MinConc)
		}
	}
	if f.MaxConc != nil {
		if *f.MaxConc <= 0 {
			return nil
		}
		limit := yamlpos.NewInt(*f.MaxConc)
		if first, _, _ := asInt(start, intLenient); first > *f.MaxConc {
			return span(limit, limit, step)
		}
		if last, _, _ := asInt(end, intLenient); last > *f.MaxConc {
			end = limit
		}
	}
	return span(start, end, step)
}
