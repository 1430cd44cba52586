package bot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
)

// RowExplanation says why one row is in a plan and how it runs.
type RowExplanation struct {
	// Row is bucket/index and Point the id that the plan document gives it.
	Row   string `json:"row"`
	Point string `json:"point"`
	Title string `json:"title"`
	Key   string `json:"key"`
	// Config, Block and Entry are places: of the key, of its scenario block,
	// and of the entry of the search space.
	Config string `json:"config"`
	Block  string `json:"block"`
	Entry  string `json:"entry"`
	// Changelog is the place of the entry that asks for the row, Reason its
	// first bullet.
	Changelog string `json:"changelog"`
	Reason    string `json:"reason"`
	// Filters are the flags of the entry and of the plan that shaped it.
	Filters []string `json:"filters"`
	// Eval says whether the row is evaluated and why.
	Eval   string `json:"eval"`
	Canary bool   `json:"canary"`
	// Family and Shard are the job ids; Job is the name of the job.
	Family      string `json:"family"`
	Shard       string `json:"shard"`
	Job         string `json:"job"`
	Fingerprint string `json:"fingerprint"`
	// Priority is "" where the base has no priority policy.
	Priority string `json:"priority"`

	shape string // the part of the title that differs within a config
	line  int    // of the entry
}

// Explained is the answer to a question about a plan.
type Explained struct {
	Target string           `json:"target"`
	Rows   []RowExplanation `json:"rows"`
	// Why says why there are no rows; "" when there are.
	Why string `json:"why"`
}

// explainer answers questions about one plan.
type explainer struct {
	planned Planned
	sources Sources
	style   TableStyle
	points  map[*matrix.Row]string
	scored  ordjson.Value // the annotated document, null without a policy
}

// Explain says why rows are in a plan, or why none is. target is an exp-name,
// bucket/index, the id of a point, or a config key of the head. The finding
// says that it is none of these.
func Explain(p Planned, sources Sources, target string, style TableStyle) (Explained, diag.List) {
	e := &explainer{planned: p, sources: sources, style: style, points: pointIDs(p.Families), scored: ordjson.Null()}
	out := Explained{Target: target, Rows: []RowExplanation{}}
	for _, f := range p.Families {
		for i, r := range f.Rows {
			if !e.selects(target, f, i, r) {
				continue
			}
			if len(out.Rows) == 0 {
				e.score()
			}
			out.Rows = append(out.Rows, e.row(f, i, r))
		}
	}
	if len(out.Rows) > 0 {
		return out, nil
	}
	why, list := e.absent(target)
	out.Why = why
	return out, list
}

// selects reports whether target names a row of a family.
func (e *explainer) selects(target string, f matrix.Family, i int, r *matrix.Row) bool {
	return target == r.Config.Key || target == r.ExpName || target == e.points[r] ||
		strings.Replace(target, "node/", "node.", 1) == rowName(f, i)
}

func rowName(f matrix.Family, i int) string { return f.Bucket + "/" + strconv.Itoa(i) }

// score annotates the plan once, where the base has a policy.
func (e *explainer) score() {
	doc, list := Annotate(e.planned.Plan.Reference(), e.planned.Settings, e.sources.Base,
		matrix.Scoring{Event: "pull_request", Namespace: "local"})
	if list == nil {
		e.scored = doc
	}
}

// priorityOf reads the score of a row from the annotated document.
func (e *explainer) priorityOf(f matrix.Family, i int) string {
	doc := e.scored
	for _, name := range strings.SplitN(f.Bucket, ".", 2) {
		var ok bool
		if doc, ok = doc.Get(name); !ok {
			return ""
		}
	}
	if i >= len(doc.Items) {
		return ""
	}
	return text(doc.Items[i], "priority")
}

func (e *explainer) row(f matrix.Family, i int, r *matrix.Row) RowExplanation {
	out := RowExplanation{
		Row: rowName(f, i), Point: e.points[r], Title: JobTitle(r), Key: r.Config.Key,
		Config: r.Config.Place.String(), Block: blockOf(r), Entry: r.Entry.Place.String(),
		Filters: []string{}, Eval: e.eval(f, r), Canary: e.planned.Canary != nil && e.planned.Canary.Row == r,
		Family: f.Job, Shard: e.shard(f, r), Fingerprint: r.Fingerprint, Priority: e.priorityOf(f, i),
		shape: shapeTitle(r, r.Document()), line: r.Entry.Place.Line,
	}
	out.Job = strings.TrimSpace(f.Prefix + " " + out.Title)
	if entry := e.owner(r); entry != nil {
		file := e.sources.path(e.planned.Settings.Layout.Changelog)
		out.Changelog = diag.Place{File: file, Line: entry.Line}.String()
		out.Reason = entry.Description[0]
		out.Filters = append(out.Filters, entryFilters(*entry)...)
	}
	out.Filters = append(out.Filters, e.modifiers()...)
	return out
}

// blockOf is the place of the scenario block that a row comes from.
func blockOf(r *matrix.Row) string {
	if r.Seq != nil {
		return r.Bucket() + ", " + r.Seq.Place.String()
	}
	for _, block := range r.Config.Agentic {
		if slices.Contains(block.Entries, r.Entry) {
			return matrix.AgenticCoding + ", " + block.Place.String()
		}
	}
	return matrix.AgenticCoding
}

func (e *explainer) shard(f matrix.Family, r *matrix.Row) string {
	shards, _ := f.Shards(e.planned.Settings.Limits)
	for _, s := range shards {
		if slices.Contains(s.Rows, r) {
			return s.Name
		}
	}
	return f.Job
}

// owner is the changelog entry that asks for a row: in the order of planning,
// the first that covers its config and scenario (spec/changelog.md section
// 6.4).
func (e *explainer) owner(r *matrix.Row) *changelog.Entry {
	entries := slices.Clone(e.planned.Plan.Entries)
	slices.SortStableFunc(entries, func(a, b changelog.Entry) int { return order(b.AllEvals) - order(a.AllEvals) })
	scenario := matrix.FixedSeqLen
	if r.Agentic() {
		scenario = matrix.AgenticCoding
	}
	for i := range entries {
		entry := entries[i]
		if e.names(entry, r.Config.Key) && entry.Covers(scenario) && asks(entry, r.EvalOnly) {
			return &entry
		}
	}
	return nil
}

func order(b bool) int {
	if b {
		return 1
	}
	return 0
}

// names reports whether an entry selects a config key.
func (e *explainer) names(entry changelog.Entry, key string) bool {
	keys, _ := changelog.Resolve(matrix.ChangelogRules(e.planned.Settings), entry, changelog.Keys{Head: []string{key}})
	return len(keys) > 0
}

// asks reports whether an entry asks for throughput, or for evals.
func asks(entry changelog.Entry, evals bool) bool {
	if evals {
		return !entry.AppendOnly && !entry.NoEvals
	}
	return !entry.EvalsOnly && !entry.AllEvals
}

// entryFilters are the flags of an entry that shape its rows.
func entryFilters(entry changelog.Entry) []string {
	var out []string
	if entry.Scenarios != nil {
		out = append(out, "scenario-type: "+strings.Join(entry.Scenarios, ", "))
	}
	for _, flag := range []struct {
		on   bool
		name string
	}{
		{entry.EvalsOnly, "evals-only"}, {entry.AllEvals, "all-evals"}, {entry.NoEvals, "no-evals"}, {entry.AppendOnly, "append-only"},
	} {
		if flag.on {
			out = append(out, flag.name+": true")
		}
	}
	if entry.EvalMinPrefillEP != nil {
		out = append(out, fmt.Sprintf("eval-min-prefill-ep: %d", *entry.EvalMinPrefillEP))
	}
	return out
}

// modifiers are the labels or options that shape the whole plan.
func (e *explainer) modifiers() []string {
	var out []string
	m := e.planned.Plan.Modifiers
	for _, flag := range []struct {
		on   bool
		name string
	}{{m.Trim, "trim-conc"}, {m.AllEvals, "all-evals"}, {m.EvalsOnly, "evals-only"}} {
		if flag.on {
			out = append(out, flag.name)
		}
	}
	return out
}

// eval says whether a row is evaluated, and by which rule of selection
// (spec/matrix.md section 9).
func (e *explainer) eval(f matrix.Family, r *matrix.Row) string {
	if !f.EvalOnly {
		return e.evaluatedBy(r)
	}
	entry := e.owner(r)
	least := strconv.Itoa(e.planned.Settings.Matrix.MinEvalConc)
	switch {
	case r.EvalSuite != "":
		return e.style.say("cli.eval-vendor", "suite", r.EvalSuite)
	case e.planned.Plan.Modifiers.AllEvals || entry != nil && entry.AllEvals:
		return e.style.say("cli.eval-all")
	case r.Agentic() && !r.Multinode():
		return e.style.say("cli.eval-agentic")
	case r.Multinode():
		return e.style.say("cli.eval-multinode", "conc", strconv.FormatInt(r.EvalConc, 10), "least", least)
	}
	if r.Conc[0] == highest(f, r) {
		return e.style.say("cli.eval-highest", "least", least)
	}
	return e.style.say("cli.eval-median", "least", least)
}

// highest is the highest concurrency that is evaluated of the rows among which
// the selection chooses: those that differ in topology and concurrency only.
func highest(f matrix.Family, r *matrix.Row) int64 {
	var out int64
	for _, other := range f.Rows {
		a, b := r.Config, other.Config
		same := a.Model == b.Model && a.Framework == b.Framework && a.Precision == b.Precision
		if same && r.Runner == other.Runner && r.Entry.SpecDecoding == other.Entry.SpecDecoding &&
			text(r.Document(), "dp-attn") == text(other.Document(), "dp-attn") {
			out = max(out, other.Conc[0])
		}
	}
	return out
}

// evaluatedBy names the eval rows of a throughput row's curve that cover its
// concurrency.
func (e *explainer) evaluatedBy(r *matrix.Row) string {
	key := curveKey(r, curveCells(r))
	var rows []string
	for _, f := range e.planned.Families {
		for i, other := range f.Rows {
			if !f.EvalOnly || curveKey(other, curveCells(other)) != key {
				continue
			}
			if slices.ContainsFunc(rowConcs(f, other), func(c int64) bool { return slices.Contains(r.Conc, c) }) {
				rows = append(rows, rowName(f, i))
			}
		}
	}
	if len(rows) == 0 {
		return e.style.say("cli.eval-none")
	}
	return e.style.say("cli.eval-by", "rows", strings.Join(rows, ", "))
}

// absent says why a target has no rows.
func (e *explainer) absent(target string) (string, diag.List) {
	masters, list := matrix.ReadMasters(e.planned.Settings, e.sources.Head, false)
	if list.Refused() {
		return "", e.sources.Locate(list)
	}
	if masters.Get(target) == nil {
		_, list := masters.Expand([]string{target})
		if len(list) == 0 {
			list = diag.List{diag.New("matrix.pattern-no-match", diag.Place{}, "pattern", target)}
		}
		list[0].Category = "usage"
		return "", list
	}
	var named []string
	file := e.sources.path(e.planned.Settings.Layout.Changelog)
	for _, entry := range e.planned.Plan.Entries {
		if e.names(entry, target) {
			words := append([]string{diag.Place{File: file, Line: entry.Line}.String()}, entryFilters(entry)...)
			named = append(named, strings.Join(words, ", "))
		}
	}
	if len(named) == 0 {
		return e.style.say("cli.why-not-named", "key", target), nil
	}
	filters := strings.Join(append(named, e.modifiers()...), "; ")
	return e.style.say("cli.why-filtered", "key", target, "entries", filters), nil
}
