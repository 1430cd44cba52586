package matrix

import (
	"math"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Modifiers widen or narrow what a change asks for. They come from labels or
// from the command line.
type Modifiers struct {
	Trim      bool // lowest concurrency of each recipe only
	AllEvals  bool
	EvalsOnly bool
}

// Revision is one side of a change: the name it was given, which the plan
// repeats, and its files. Commit and Tree are object ids that pin it; they are
// "" for a plain folder.
type Revision struct {
	Ref          string
	Commit, Tree string
	Files        Files
}

// Change is the input of planning.
type Change struct {
	Base, Head Revision
	// PR is the pull request that the links of new entries must name.
	PR changelog.PR
	Modifiers
}

// Plan is what a change runs: its throughput rows by bucket, its eval rows by
// job shape, and the changelog entries that asked for them.
type Plan struct {
	Base, Head Revision
	Modifiers  Modifiers
	Entries    []changelog.Entry
	// Corrections are link-only changes of old entries; they run nothing.
	Corrections []changelog.Correction

	SingleNode, MultiNode []Bucket
	Evals                 []*Row // single-node, fixed sequence
	AgenticEvals          []*Row // single-node, agentic
	MultiEvals            []*Row // multi-node, fixed sequence
	MultiAgenticEvals     []*Row // multi-node, agentic

	// Warnings are findings that do not refuse the change.
	Warnings diag.List

	settings config.Settings
}

// Bucket holds the throughput rows of one kind in generation order. Name is
// 1k1k, 8k1k, agentic or <isl>_<osl>.
type Bucket struct {
	Name string
	Rows []*Row
}

// planner carries the state of one planning run.
type planner struct {
	settings config.Settings
	change   Change
	plan     *Plan

	masters *Masters
	// resolved are the configs that each entry names.
	resolved  [][]*Config
	opened    masterFiles
	decoding  chan decoded
	generator *Generator
	// base is loaded for append-only changes only.
	base *baseSide

	throughput, evals []*Row
	ranThroughput     coverage
	ranEvals          coverage
}

// NewPlan plans a change (spec/changelog.md section 6.2). The list is nil or
// holds only warnings when the plan is not nil; otherwise it holds every
// finding of the step that refused the change.
func NewPlan(settings config.Settings, change Change) (*Plan, diag.List) {
	p := &planner{settings: settings, change: change, plan: &Plan{Base: change.Base, Head: change.Head, Modifiers: change.Modifiers, settings: settings}}
	steps := []func() diag.List{p.openHead, p.readEntries, p.checkModifiers, p.loadMasters, p.prepareAppend, p.generate, p.finish}
	for _, step := range steps {
		list := step()
		if list.Refused() {
			return nil, append(p.plan.Warnings, list...)
		}
		p.plan.Warnings = append(p.plan.Warnings, list...)
	}
	return p.plan, p.plan.Warnings
}

// checkModifiers refuses combinations of entry flags and modifiers.
func (p *planner) checkModifiers() diag.List {
	appendOnly := 0
	modified := p.change.AllEvals || p.change.EvalsOnly
	for _, e := range p.plan.Entries {
		if e.AppendOnly {
			appendOnly++
		}
		if e.NoEvals && modified {
			return diag.List{p.entryFinding("plan.no-evals-modifier", e, "no-evals").In("no-evals-with-modifier")}
		}
	}
	switch {
	case appendOnly > 0 && appendOnly < len(p.plan.Entries):
		return diag.List{p.entryFinding("plan.append-mixed", p.firstAppendOnly(), "append-only").In("append-only-mixed")}
	case appendOnly > 0 && modified:
		return diag.List{p.entryFinding("plan.append-modifier", p.firstAppendOnly(), "append-only").In("append-only-with-modifier")}
	}
	return nil
}

func (p *planner) firstAppendOnly() changelog.Entry {
	i := slices.IndexFunc(p.plan.Entries, func(e changelog.Entry) bool { return e.AppendOnly })
	return p.plan.Entries[i]
}

func (p *planner) appendOnly() bool {
	return slices.ContainsFunc(p.plan.Entries, func(e changelog.Entry) bool { return e.AppendOnly })
}

func (p *planner) entryFinding(code string, e changelog.Entry, key string) diag.Finding {
	return diag.New(code, e.Place(p.settings.Layout.Changelog, key), "keys", strings.Join(e.ConfigKeys, ", "))
}

// coverage remembers which scenarios of a config are planned already.
type coverage map[string]Scenarios

// group is a set of configs that are generated together.
type group struct {
	scenarios Scenarios
	configs   []*Config
}

// groups orders the configs of an entry by the scenarios that nobody has
// covered yet, and marks them covered (spec/changelog.md section 6.4).
func (seen coverage) groups(configs []*Config, wanted func(string) bool) []group {
	var out []group
	for _, c := range configs {
		var unseen Scenarios
		for _, name := range [2]string{FixedSeqLen, AgenticCoding} {
			if bit := scenarioBit(name); wanted(name) && seen[c.Key]&bit == 0 {
				unseen |= bit
			}
		}
		if unseen == 0 {
			continue
		}
		seen[c.Key] |= unseen
		at := slices.IndexFunc(out, func(g group) bool { return g.scenarios == unseen })
		if at < 0 {
			at = len(out)
			out = append(out, group{scenarios: unseen})
		}
		out[at].configs = append(out[at].configs, c)
	}
	return out
}

// generate expands every entry, those with all-evals first.
func (p *planner) generate() diag.List {
	p.ranThroughput, p.ranEvals = make(coverage), make(coverage)
	order := make([]int, len(p.plan.Entries))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return boolOrder(p.plan.Entries[b].AllEvals) - boolOrder(p.plan.Entries[a].AllEvals)
	})
	for _, i := range order {
		e, configs := p.plan.Entries[i], p.resolved[i]
		if list := p.generateThroughput(e, configs); list.Refused() {
			return list
		}
		if list := p.generateEvals(e, configs); list.Refused() {
			return list
		}
	}
	return nil
}

func (p *planner) generateThroughput(e changelog.Entry, configs []*Config) diag.List {
	if p.change.EvalsOnly || e.EvalsOnly || e.AllEvals {
		return nil
	}
	for _, g := range p.ranThroughput.groups(configs, e.Covers) {
		rows, list := p.expand(g)
		if list.Refused() {
			return list
		}
		if e.AppendOnly {
			added, f := p.base.delta(g, rows, p.generator.recipes, p.settings.Matrix.GlobResolvedKeys)
			if f != nil {
				return diag.List{p.atEntry(*f, e)}
			}
			rows = added
		}
		p.throughput = append(p.throughput, rows...)
	}
	return nil
}

func (p *planner) generateEvals(e changelog.Entry, configs []*Config) diag.List {
	if e.AppendOnly || e.NoEvals {
		return nil
	}
	mode := EvalSubset
	if p.change.AllEvals || e.AllEvals {
		mode = EvalAll
	}
	for _, g := range p.ranEvals.groups(configs, e.Covers) {
		rows, list := p.expand(g)
		if list.Refused() {
			return list
		}
		rows = SelectEvals(rows, mode, p.settings.Matrix)
		if e.EvalMinPrefillEP != nil {
			rows = slices.DeleteFunc(rows, func(r *Row) bool { return r.prefillEP() < int64(*e.EvalMinPrefillEP) })
		}
		p.evals = append(p.evals, rows...)
	}
	return nil
}

// prefillEP is the ep of the prefill workers; rows without them always pass.
func (r *Row) prefillEP() int64 {
	if !r.Multinode() {
		return math.MaxInt64
	}
	prefill, _ := r.Entry.sides()
	if prefill.EP.Kind == yamlpos.String {
		return 0 // text is no number, and fails the comparison
	}
	n, _, _ := asInt(prefill.EP, intLenient)
	return n
}

// atEntry gives a finding without a place the place of its entry.
func (p *planner) atEntry(f diag.Finding, e changelog.Entry) diag.Finding {
	if f.File == "" {
		f.Place = e.Place(p.settings.Layout.Changelog, "config-keys")
	}
	return f
}

// finish trims, fingerprints and files the rows.
func (p *planner) finish() diag.List {
	if p.change.Trim {
		p.throughput = Trim(p.throughput, p.settings.Matrix)
	}
	var single, multi filing
	for _, r := range p.throughput {
		var f *diag.Finding
		if r.Fingerprint, f = p.generator.fingerprint(r); f != nil {
			return diag.List{*f}
		}
		if r.Multinode() {
			multi.add(r)
		} else {
			single.add(r)
		}
	}
	p.plan.SingleNode, p.plan.MultiNode = single.buckets, multi.buckets
	if p.settings.Matrix.EvalIdentity {
		p.evals = slices.DeleteFunc(removeCollisions(p.evals), func(r *Row) bool { return r.RunEval != Yes })
	}
	p.fileEvals()
	return nil
}

// fileEvals puts every eval row into the list of its shape.
func (p *planner) fileEvals() {
	for _, r := range p.evals {
		switch {
		case r.Multinode() && r.Agentic():
			p.plan.MultiAgenticEvals = append(p.plan.MultiAgenticEvals, r)
		case r.Multinode():
			p.plan.MultiEvals = append(p.plan.MultiEvals, r)
		case r.Agentic():
			p.plan.AgenticEvals = append(p.plan.AgenticEvals, r)
		default:
			p.plan.Evals = append(p.plan.Evals, r)
		}
	}
}

// filing files rows in buckets; buckets stand in first-row order.
type filing struct {
	buckets []Bucket
	index   map[string]int
}

func (f *filing) add(r *Row) {
	name := r.Bucket()
	at, known := f.index[name]
	if !known {
		if f.index == nil {
			f.index = make(map[string]int)
		}
		at = len(f.buckets)
		f.index[name] = at
		f.buckets = append(f.buckets, Bucket{Name: name})
	}
	f.buckets[at].Rows = append(f.buckets[at].Rows, r)
}
