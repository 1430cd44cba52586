package localrun

import (
	"fmt"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Point is one job of a sweep.
type Point struct {
	// ID names the point in the plan document.
	ID string
	// Key is the config key that the point comes from.
	Key string
	// Family is the job family, by its job id. Points of one family fail
	// together.
	Family                       string
	Multinode, Agentic, EvalOnly bool
	// Canary marks the point that runs ahead of all others.
	Canary bool
	Row    ordjson.Value
	// Concurrencies are the concurrent requests of the row, in order.
	Concurrencies []string
	// Runner is the machine that the point pretends to run on.
	Runner string
	// ResultName is RESULT_FILENAME.
	ResultName string
	Env        Environment
	// Fault makes the point fail before anything is started.
	Fault *diag.Finding
}

// Label names a point for people.
func (p *Point) Label() string { return p.labelAt(strings.Join(measuredConcs(p), "x")) }

// labelAt names one concurrency of a point.
func (p *Point) labelAt(conc string) string {
	label := planIdentity(p.Row).at(conc).label()
	if p.EvalOnly {
		label += " eval"
	}
	return label
}

// Points returns the points of a plan in dispatch order, each with its
// environment.
func Points(plan *Plan, site Site) []*Point {
	var points []*Point
	for _, f := range plan.Families {
		for _, r := range f.Rows {
			points = append(points, newPoint(plan, f, r, site))
		}
	}
	markDoubles(points)
	return points
}

func newPoint(plan *Plan, f Family, r PlanRow, site Site) *Point {
	_, multi := r.Row.Get("prefill")
	p := &Point{
		ID: r.ID, Key: r.Key, Family: f.Job, Canary: r.ID == plan.Canary,
		Multinode: multi, Agentic: f.Agentic, EvalOnly: f.EvalOnly, Row: r.Row,
	}
	if p.Canary && p.evaluates() {
		p.Row = replaced(p.Row, "run-eval", ordjson.Bool(false)) // a canary never evaluates
	}
	p.Concurrencies = words(p.Row, "conc")
	p.Runner = site.Runner(text(p.Row, "runner"))
	p.ResultName = p.resultName()
	env, err := site.environment(p)
	p.Env = env
	for _, fault := range []error{p.missing(), err, usableName(p.ResultName)} {
		if f, ok := fault.(diag.Finding); ok && p.Fault == nil {
			p.Fault = &f
		}
	}
	return p
}

func replaced(row ordjson.Value, name string, value ordjson.Value) ordjson.Value {
	out := ordjson.Map()
	for _, m := range row.Members {
		if m.Name == name {
			m.Value = value
		}
		out.Add(m.Name, m.Value)
	}
	return out
}

// needs are row fields without which a job would run under a wrong identity.
// They are never defaulted (known failure F43).
func (p *Point) needs() []string {
	names := []string{"exp-name", "image", "model", "model-prefix", "framework", "precision", "runner", "spec-decoding"}
	if p.Multinode {
		names = append(names, "prefill", "decode")
	} else {
		names = append(names, "tp")
	}
	if p.Agentic {
		return append(names, "kv-offloading")
	}
	return append(names, "isl", "osl", "max-model-len")
}

// missing names a field that the row needs and does not have.
func (p *Point) missing() error {
	for _, name := range p.needs() {
		if document(p.Row, name) == "" {
			return diag.New("localrun.row-field", diag.Place{}, "field", name)
		}
	}
	if len(p.Concurrencies) == 0 {
		return diag.New("localrun.row-field", diag.Place{}, "field", "conc")
	}
	return nil
}

// evaluates reports whether the point also, or only, runs an eval.
func (p *Point) evaluates() bool {
	return p.EvalOnly || text(p.Row, "run-eval") == "true" && !p.Agentic
}

func (p *Point) disaggregated() string {
	if p.Agentic && !p.Multinode {
		return "false"
	}
	return truth(p.Row, "disagg")
}

// duration is in seconds.
func (p *Point) duration() string {
	if p.Agentic {
		return textOr(p.Row, "duration", "3600")
	}
	return "3600"
}

// memory is TOTAL_CPU_DRAM_GB; only agentic rows say it.
func (p *Point) memory(otherwise string) string {
	if p.Agentic {
		return textOr(p.Row, "total-cpu-dram-gb", "0")
	}
	return otherwise
}

// markDoubles makes all but the first of points with one artifact name fail:
// the results of one would replace those of the other.
func markDoubles(points []*Point) {
	first := make(map[string]*Point)
	for _, p := range points {
		name := fmt.Sprint(p.EvalOnly, p.Agentic, " ", strings.ToLower(p.ResultName))
		if other := first[name]; other != nil && p.Fault == nil {
			f := diag.New("localrun.same-name", diag.Place{}, "name", p.ResultName, "other", other.ID)
			p.Fault = &f
			continue
		}
		first[name] = p
	}
}
