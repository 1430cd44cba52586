package matrix

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Generator expands configs into rows.
type Generator struct {
	rules     config.Matrix
	inventory *Inventory
	recipes   *recipeBook
	// former lets rows lack what former times did not ask for.
	former bool
}

// NewGenerator returns a generator over an inventory. Recipes are read from
// files below the folders of layout when rows name them; files may be nil
// where no config names a recipe.
func NewGenerator(rules config.Matrix, inventory *Inventory, files Files, layout config.Recipes) *Generator {
	return &Generator{rules: rules, inventory: inventory, recipes: newRecipeBook(files, layout)}
}

// Expand generates the rows of configs in order (spec/matrix.md section 6).
// The first entry that cannot be expanded ends it.
func (g *Generator) Expand(configs []*Config, filter Filter) ([]*Row, diag.List) {
	var rows []*Row
	for _, c := range configs {
		runners := filter.runners(c, g.inventory)
		if len(runners) == 0 || !filter.config(c) {
			continue
		}
		var f *diag.Finding
		if rows, f = g.expandConfig(rows, c, runners, filter); f != nil {
			return nil, diag.List{*f}
		}
	}
	return rows, nil
}

// expandConfig and the functions below append what they generate to rows.
func (g *Generator) expandConfig(rows []*Row, c *Config, runners []string, filter Filter) ([]*Row, *diag.Finding) {
	if len(c.crash) > 0 {
		return nil, &c.crash[0]
	}
	var f *diag.Finding
	if filter.Scenarios.Has(FixedSeqLen) {
		for _, block := range c.FixedSeqLen {
			if rows, f = g.expandFixed(rows, c, block, runners, filter); f != nil {
				return nil, f
			}
		}
	}
	if filter.Scenarios.Has(AgenticCoding) {
		for _, block := range c.Agentic {
			if rows, f = g.expandAgentic(rows, c, block, runners, filter); f != nil {
				return nil, f
			}
		}
	}
	return rows, nil
}

func (g *Generator) expandFixed(rows []*Row, c *Config, block *FixedSeq, runners []string, filter Filter) ([]*Row, *diag.Finding) {
	if len(block.crash) > 0 {
		return nil, &block.crash[0]
	}
	if !filter.lengths(block) {
		return rows, nil
	}
	if f := g.powerLengths(c, block); f != nil {
		return nil, f
	}
	name := c.ModelPrefix + "_" + seqName(block)
	for _, e := range block.Entries {
		ep, keep := filter.parallelism(c, e)
		if !keep {
			continue
		}
		concs, f := g.concurrencies(c, e, filter, true)
		if f != nil {
			return nil, f
		}
		base := Row{Config: c, Seq: block, Entry: e, EP: ep, ExpName: name, RunEval: No}
		if rows, f = g.fixedRows(rows, base, concs, runners); f != nil {
			return nil, f
		}
	}
	return rows, nil
}

// powerLengths is rule R15.
func (g *Generator) powerLengths(c *Config, block *FixedSeq) *diag.Finding {
	if !block.RequirePower || isNumber(block.ISL, seq8k) && isNumber(block.OSL, seq1k) {
		return nil
	}
	f := diag.New("matrix.r15-require-power", block.Place, "isl", display(block.ISL), "osl", display(block.OSL)).In("matrix-row-schema").At(c.Key)
	return &f
}

// fixedRows nests concurrency outside, runner inside; a multi-node row holds
// the whole list. concs is nil when the entry is skipped.
func (g *Generator) fixedRows(rows []*Row, base Row, concs []concurrency, runners []string) ([]*Row, *diag.Finding) {
	if concs == nil {
		return rows, nil
	}
	if base.Multinode() {
		base.Conc = make([]int64, len(concs))
		for i, c := range concs {
			base.Conc[i] = c.n
		}
		return g.multiRows(rows, base, runners)
	}
	return g.singleRows(rows, base, concs, runners, func(concurrency) string { return base.ExpName }), nil
}

// singleRows makes the rows of a single-node entry, concurrency outside and
// runner inside. The rows of one entry are allocated together.
func (g *Generator) singleRows(rows []*Row, base Row, concs []concurrency, runners []string, name func(concurrency) string) []*Row {
	g.recipes.attach(&base)
	block, values := make([]Row, len(concs)*len(runners)), make([]int64, len(concs))
	for i, c := range concs {
		values[i], base.ExpName = c.n, name(c)
		for j, runner := range runners {
			row := &block[i*len(runners)+j]
			*row = base
			row.Runner, row.Conc = runner, values[i:i+1:i+1]
			rows = append(rows, row)
		}
	}
	return rows
}

// multiRows finishes a multi-node row for every runner.
func (g *Generator) multiRows(rows []*Row, base Row, runners []string) ([]*Row, *diag.Finding) {
	if base.Config.disaggregated() && base.Transfer() == "" && !g.former {
		f := diag.New("matrix.row-needs-transfer", base.Entry.Place).In("matrix-row-schema").At(base.Config.Key)
		return nil, &f
	}
	g.recipes.attach(&base)
	base.powerFields = g.rules.Power
	if g.rules.NodeCount {
		n, f := g.nodeCount(&base)
		if f != nil {
			return nil, f
		}
		base.NodeCount = n
	}
	for _, runner := range runners {
		row := base
		row.Runner = runner
		rows = append(rows, &row)
	}
	return rows, nil
}

func (g *Generator) expandAgentic(rows []*Row, c *Config, block *Agentic, runners []string, filter Filter) ([]*Row, *diag.Finding) {
	if len(block.crash) > 0 {
		return nil, &block.crash[0]
	}
	for _, e := range block.Entries {
		if len(e.crash) > 0 {
			return nil, &e.crash[0]
		}
		dram, f := g.dram(c, block, e)
		unknown := false
		if f != nil {
			known := false
			if dram, unknown, known = g.formerShare(e); !known {
				return nil, f
			}
		}
		concs, f := g.concurrencies(c, e, filter, false)
		if f != nil {
			return nil, f
		}
		base := Row{Config: c, Entry: e, EP: e.EP, DRAM: dram, DRAMUnknown: unknown}
		if rows, f = g.agenticRows(rows, base, concs, runners); f != nil {
			return nil, f
		}
	}
	return rows, nil
}

// agenticRows nests concurrency outside on single-node configs, and runner
// outside on multi-node ones, one concurrency a row on both.
func (g *Generator) agenticRows(rows []*Row, base Row, concs []concurrency, runners []string) ([]*Row, *diag.Finding) {
	if !base.Multinode() {
		return g.singleRows(rows, base, concs, runners, func(c concurrency) string { return singleAgenticName(&base, c.text) }), nil
	}
	var f *diag.Finding
	for _, runner := range runners {
		for _, c := range concs {
			row := base
			row.Conc, row.ExpName = []int64{c.n}, multiAgenticName(&base, c.text)
			if rows, f = g.multiRows(rows, row, []string{runner}); f != nil {
				return nil, f
			}
		}
	}
	return rows, nil
}

// singleAgenticName is <model-prefix>_tp<tp>_conc<conc>_<kv>[_spec-<spec>].
func singleAgenticName(r *Row, conc string) string {
	name := r.Config.ModelPrefix + "_tp" + display(r.Entry.TP) + "_conc" + conc + "_kv" + offloadName(r.Entry)
	if r.Entry.SpecDecoding != specNone {
		name += "_spec-" + r.Entry.SpecDecoding
	}
	return name
}

// offloadName is none, or <mode>-<backend>.
func offloadName(e *Entry) string {
	if e.KVOffloading == "" || e.KVOffloading == offloadNone {
		return offloadNone
	}
	if e.Backend == nil {
		return e.KVOffloading
	}
	return e.KVOffloading + "-" + e.Backend.Name
}

// multiAgenticName is <model-prefix>_<P>_<D>_conc<conc>[_kv<mode>-<backend>].
func multiAgenticName(r *Row, conc string) string {
	e := r.Entry
	prefill, decode := e.sides()
	workers := e.workers()
	name := r.Config.ModelPrefix + "_" + prefill.roleName("p", workers[0]) + "_" + decode.roleName("d", workers[1]) + "_conc" + conc
	if kv := offloadName(e); kv != offloadNone {
		name += "_kv" + kv
	}
	return name
}

func (w *Worker) roleName(letter string, workers *yamlpos.Value) string {
	name := letter + display(workers) + "x" + display(w.TP)
	if !isNumber(w.EP, 1) {
		name += "ep" + display(w.EP)
	}
	if truthy(w.DPAttn) {
		name += "dpa"
	}
	return name
}

// concurrency is one value with the text that names it.
type concurrency struct {
	n    int64
	text string
}

// concurrencies expands and filters the concurrencies of an entry. nil means
// that the entry is skipped; an empty slice that it has no value.
func (g *Generator) concurrencies(c *Config, e *Entry, filter Filter, fixed bool) ([]concurrency, *diag.Finding) {
	if len(e.crash) > 0 {
		return nil, &e.crash[0]
	}
	useList := len(e.ConcList) > 0
	if fixed && !filter.FullSweep && e.ConcListSet {
		// By key, not by content: an empty list hides a range.
		if e.ConcListNull {
			f := diag.New("matrix.null-conc-list", e.Place).In("unhandled-TypeError").At(c.Key)
			return nil, &f
		}
		useList = true
	}
	if useList {
		list := make([]concurrency, len(e.ConcList))
		for i, item := range e.ConcList {
			n, _, _ := asInt(item, intLenient)
			list[i] = concurrency{n, display(item)}
		}
		return filter.list(list, fixed), nil
	}
	return filter.span(e.ConcStart, e.ConcEnd, fixed && !c.Multinode, fixed), nil
}

// span expands a range: from start, multiplied by step, up to and including
// end.
func span(start, end *yamlpos.Value, step int64) []concurrency {
	first, _, _ := asInt(start, intLenient)
	last, _, _ := asInt(end, intLenient)
	var out []concurrency
	floating := start.Kind == yamlpos.Float
	for n := first; n < last; n *= step {
		text := strconv.FormatInt(n, 10)
		if floating {
			text += ".0"
		}
		out = append(out, concurrency{n, text})
		if n > last/step {
			break // the next one is beyond the end, or beyond all numbers
		}
	}
	return append(out, concurrency{last, display(end)})
}

// hasPrefix reports whether text begins with one of the prefixes.
func hasPrefix(text string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}
