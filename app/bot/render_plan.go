package bot

import (
	"bufio"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// TableStyle says how tables are written for people.
type TableStyle struct {
	Language catalog.Language
	Color    bool
	// Columns is the width of the terminal.
	Columns int
}

func (s TableStyle) say(code string, args ...string) string {
	for i := 1; i < len(args); i += 2 {
		args[i] = diag.Printable(args[i])
	}
	return catalog.Message(s.Language, code, args...)
}

func (s TableStyle) count(one, many string, n int) string {
	return catalog.Count(s.Language, one, many, n)
}

func (s TableStyle) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// The display attributes of tables.
const (
	boldText  = "1"
	faintText = "2"
)

// RenderPlan writes a plan for people: what would run in one line, what starts
// it, the canary, and a table for every job family. Points that differ in
// concurrency only share a line.
func RenderPlan(w io.Writer, p Planned, style TableStyle) error {
	out := bufio.NewWriter(w)
	line := func(text string) { out.WriteString(text + "\n") }
	line(style.paint(boldText, planSummary(p, style)))
	if p.Partial != nil {
		line(p.Partial.finding(countRows(p.Families)).Message(style.Language))
	}
	if text := startLine(p, style); text != "" {
		line(text)
	}
	if p.Canary != nil {
		line(style.say("cli.plan-canary", "title", JobTitle(p.Canary.Row), "row", p.Canary.Bucket+"/"+strconv.Itoa(p.Canary.Index)))
	}
	line(style.paint(faintText, sourceLine(p, style)))
	evals := evaluated(p.Families)
	for _, f := range p.Families {
		line("")
		line(style.paint(boldText, familyLine(f, p.Settings.Limits, style)))
		for i, text := range familyTable(f, evals).lines(style.Columns) {
			if i == 0 {
				text = style.paint(faintText, text)
			}
			line(text)
		}
	}
	return out.Flush()
}

// planSummary says in one line what runs.
func planSummary(p Planned, style TableStyle) string {
	rows, evals, runners := 0, 0, []string(nil)
	for _, f := range p.Families {
		rows += len(f.Rows)
		if f.EvalOnly {
			evals += len(f.Rows)
		}
		for _, r := range f.Rows {
			if !slices.Contains(runners, r.Runner) {
				runners = append(runners, r.Runner)
			}
		}
	}
	switch {
	case rows == 0 && len(p.Plan.Corrections) > 0:
		return style.say("cli.plan-corrections")
	case rows == 0:
		return style.say("cli.plan-empty")
	}
	hardware := strings.Join(runners, ", ")
	if len(runners) > 3 {
		hardware = style.count("cli.runner", "cli.runners", len(runners))
	}
	return style.say("cli.plan-summary",
		"points", style.count("cli.point", "cli.points", rows), "throughput", strconv.Itoa(rows-evals), "evals", strconv.Itoa(evals),
		"families", style.count("cli.family", "cli.families", len(p.Families)), "hardware", hardware)
}

// startLine says which label starts the sweep, or would.
func startLine(p Planned, style TableStyle) string {
	primary := p.Selection.Primary
	switch {
	case len(p.Families) == 0:
		return ""
	case primary == nil && len(p.Settings.Labels.Primaries) == 0:
		return ""
	case primary == nil && len(p.Selection.Unrelated) > 0:
		return style.say("cli.plan-other-label", "labels", diag.Printable(strings.Join(p.Selection.Unrelated, ", ")),
			"label", recommended(p.Settings.Labels.Primaries).Name)
	case primary == nil:
		return style.say("cli.plan-no-label", "label", recommended(p.Settings.Labels.Primaries).Name)
	case primary.FailFast:
		return style.say("cli.plan-label-fail-fast", "label", primary.Name)
	}
	return style.say("cli.plan-label", "label", primary.Name)
}

// recommended is the label to suggest: the first whose sweep starts with a
// canary, stops at failures and can be reused at merge.
func recommended(primaries []config.Primary) config.Primary {
	for _, p := range primaries {
		if p.Canary && p.FailFast && p.Reusable {
			return p
		}
	}
	return primaries[0]
}

// sourceLine says what the plan was made of.
func sourceLine(p Planned, style TableStyle) string {
	parts := []string{style.say("cli.plan-source", "base", shortRef(p.Plan.Base.Ref), "head", shortRef(p.Plan.Head.Ref), "preset", p.Settings.Preset)}
	for _, modifier := range []struct {
		on   bool
		name string
	}{
		{p.Plan.Modifiers.Trim, "trim-conc"}, {p.Plan.Modifiers.AllEvals, "all-evals"},
		{p.Plan.Modifiers.EvalsOnly, "evals-only"}, {p.Selection.AgentXFast, "agentx-fast"},
	} {
		if modifier.on {
			parts = append(parts, modifier.name)
		}
	}
	parts = append(parts, style.count("cli.entry", "cli.entries", len(p.Plan.Entries)))
	return strings.Join(parts, " · ")
}

// shortRef shortens a full object id.
func shortRef(ref string) string {
	if len(ref) < 40 || strings.Trim(ref, "0123456789abcdef") != "" {
		return ref
	}
	return ref[:12]
}

// familyLine is the heading of a family.
func familyLine(f matrix.Family, limits config.Limits, style TableStyle) string {
	parts := []string{strings.TrimSuffix(f.Prefix, " /"), style.count("cli.point", "cli.points", len(f.Rows))}
	if shards, _ := f.Shards(limits); len(shards) > 1 {
		parts = append(parts, style.count("cli.matrix", "cli.matrices", len(shards)))
	}
	return diag.Printable(strings.Join(parts, " · ")) + style.paint(faintText, diag.Printable("  "+f.Job))
}

// curve is a set of rows that differ in concurrency only.
type curve struct {
	cells []string
	concs []int64
	evals string
}

// familyTable has a line for every curve of a family. evals holds the
// concurrencies that are evaluated, by curve.
func familyTable(f matrix.Family, evals map[string][]int64) *table {
	t := &table{columns: []column{
		{title: "model"}, {title: "prec"}, {title: "framework"}, {title: "runner"}, {title: "topology", wraps: true},
		{title: "spec"}, {title: "kv"}, {title: "conc", wraps: true}, {title: "evals", wraps: true},
	}}
	var curves []*curve
	index := make(map[string]*curve)
	for _, r := range f.Rows {
		cells := curveCells(r)
		key := curveKey(r, cells)
		at := key
		if f.EvalOnly {
			at += "\x00" + r.EvalFramework + "\x00" + r.EvalSuite
		}
		c := index[at]
		if c == nil {
			c = &curve{cells: cells, evals: evalCell(f, r, evals[key])}
			index[at] = c
			curves = append(curves, c)
		}
		c.concs = append(c.concs, rowConcs(f, r)...)
	}
	for _, c := range curves {
		t.add(append(c.cells, joinConcs(c.concs), c.evals)...)
	}
	return t
}

// curveCells are the cells that rows of one curve share.
func curveCells(r *matrix.Row) []string {
	doc := r.Document()
	spec, mode, backend := extras(doc)
	kv := strings.TrimSpace(mode + " " + backend)
	shape := strings.ReplaceAll(topology(doc), " (", noBreak+"(")
	return []string{r.Config.ModelPrefix, r.Config.Precision, r.Config.Framework, r.Runner, shape, spec, kv}
}

func curveKey(r *matrix.Row, cells []string) string {
	return r.Config.Key + "\x00" + r.Bucket() + "\x00" + strings.Join(cells, "\x00")
}

// evaluated collects the concurrencies that eval families cover, by curve.
func evaluated(families []matrix.Family) map[string][]int64 {
	out := make(map[string][]int64)
	for _, f := range families {
		if !f.EvalOnly {
			continue
		}
		for _, r := range f.Rows {
			key := curveKey(r, curveCells(r))
			out[key] = append(out[key], rowConcs(f, r)...)
		}
	}
	return out
}

// rowConcs are the concurrencies that a row runs: of an eval row those that are
// evaluated.
func rowConcs(f matrix.Family, r *matrix.Row) []int64 {
	if f.EvalOnly && r.EvalConc != 0 && r.EvalAllConcs != matrix.Yes {
		return []int64{r.EvalConc}
	}
	return r.Conc
}

// evalCell is the last cell of a curve: what is evaluated, or with what.
func evalCell(f matrix.Family, r *matrix.Row, concs []int64) string {
	if !f.EvalOnly {
		return joinConcs(concs)
	}
	return strings.TrimSpace(r.EvalFramework + " " + r.EvalSuite)
}

// joinConcs lists concurrencies, each once.
func joinConcs(concs []int64) string {
	seen := make(map[int64]bool, len(concs))
	var words []string
	for _, c := range concs {
		if !seen[c] {
			seen[c] = true
			words = append(words, strconv.FormatInt(c, 10))
		}
	}
	return strings.Join(words, " ")
}

// RenderRows writes rows of the generator for people, one table a bucket.
func RenderRows(w io.Writer, rows []*matrix.Row, style TableStyle) error {
	out := bufio.NewWriter(w)
	out.WriteString(style.paint(boldText, style.count("cli.row", "cli.rows", len(rows))) + "\n")
	for _, f := range rowFamilies(rows) {
		out.WriteString("\n" + style.paint(boldText, f.Bucket+" · "+style.count("cli.row", "cli.rows", len(f.Rows))) + "\n")
		for i, text := range familyTable(f, evaluatedRows(f)).lines(style.Columns) {
			if i == 0 {
				text = style.paint(faintText, text)
			}
			out.WriteString(text + "\n")
		}
	}
	return out.Flush()
}

// rowFamilies sorts rows by bucket, single-node ones first.
func rowFamilies(rows []*matrix.Row) []matrix.Family {
	var out []matrix.Family
	for _, multi := range []bool{false, true} {
		for _, r := range rows {
			bucket := "single-node "
			if multi {
				bucket = "multi-node "
			}
			if r.Multinode() != multi {
				continue
			}
			bucket += r.Bucket()
			at := slices.IndexFunc(out, func(f matrix.Family) bool { return f.Bucket == bucket })
			if at < 0 {
				at = len(out)
				out = append(out, matrix.Family{Bucket: bucket, Multinode: multi})
			}
			out[at].Rows = append(out[at].Rows, r)
		}
	}
	return out
}

// evaluatedRows are the concurrencies of rows that are marked for evaluation,
// by curve.
func evaluatedRows(f matrix.Family) map[string][]int64 {
	out := make(map[string][]int64)
	for _, r := range f.Rows {
		if r.RunEval != matrix.Yes {
			continue
		}
		concs := r.Conc
		if r.EvalConc != 0 && r.EvalAllConcs != matrix.Yes {
			concs = []int64{r.EvalConc}
		}
		key := curveKey(r, curveCells(r))
		out[key] = append(out[key], concs...)
	}
	return out
}
