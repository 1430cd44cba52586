package matrix

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
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

	masters   *Masters
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
	steps := []func() diag.List{p.readEntries, p.checkModifiers, p.loadMasters, p.prepareAppend, p.generate, p.finish}
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
	entries := slices.Clone(p.plan.Entries)
	slices.SortStableFunc(entries, func(a, b changelog.Entry) int { return boolOrder(b.AllEvals) - boolOrder(a.AllEvals) })
	for _, e := range entries {
		configs, _ := p.resolve(e)
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
			added, f := p.base.delta(g, rows)
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
	w := r.Entry.Prefill
	if r.Entry.Worker != nil {
		w = r.Entry.Worker
	}
	if w == nil {
		return 1 << 62
	}
	n, ok, _ := asInt(w.EP, intLenient)
	if !ok {
		return 0
	}
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
	for _, r := range p.throughput {
		r.Fingerprint = fingerprint(r.Generator())
		if r.Multinode() {
			p.plan.MultiNode = file(p.plan.MultiNode, r)
		} else {
			p.plan.SingleNode = file(p.plan.SingleNode, r)
		}
	}
	if p.settings.Matrix.EvalIdentity {
		p.evals = slices.DeleteFunc(removeCollisions(p.evals), func(r *Row) bool { return r.RunEval != Yes })
	}
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
	return nil
}

// file puts a row into its bucket; buckets stand in first-row order.
func file(buckets []Bucket, r *Row) []Bucket {
	name := r.Bucket()
	for i := range buckets {
		if buckets[i].Name == name {
			buckets[i].Rows = append(buckets[i].Rows, r)
			return buckets
		}
	}
	return append(buckets, Bucket{Name: name, Rows: []*Row{r}})
}
