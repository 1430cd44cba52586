package report

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/results"
)

// column is one column of a table of points.
type column struct {
	name string
	text func(p Point) string
	// number is set for columns that are sorted by value.
	number bool
	// key says that the column belongs in tables with little room.
	key bool
}

func textColumn(name string, of func(p Point) string) column { return column{name: name, text: of} }

func countColumn(name string, of func(p Point) int64) column {
	return column{name: name, number: true, text: func(p Point) string {
		if n := of(p); n != 0 {
			return itoa(n)
		}
		return ""
	}}
}

// metricColumn shows a metric, scaled to its unit.
func metricColumn(name, metric string, scale float64, key bool) column {
	return column{name: name, number: true, key: key, text: func(p Point) string {
		if f, ok := p.Metrics[metric]; ok {
			return number(f * scale)
		}
		return ""
	}}
}

func (c column) inShort() column {
	c.key = true
	return c
}

// series are metric columns of several statistics of one metric.
func metricSeries(label, metric, unit string, scale float64, statistics, short string) []column {
	var out []column
	for _, s := range strings.Fields(statistics) {
		name := label + " " + s + " (" + unit + ")"
		field := s
		if s == "p50" {
			field = "median"
		}
		out = append(out, metricColumn(name, field+"_"+metric, scale, strings.Contains(" "+short+" ", " "+s+" ")))
	}
	return out
}

func headColumns() []column {
	return []column{
		textColumn("Model", func(p Point) string { return p.Model }),
		textColumn("Served model", func(p Point) string { return p.Served }),
		textColumn("Hardware", func(p Point) string { return strings.ToUpper(p.Hardware) }),
		textColumn("Framework", func(p Point) string { return strings.ToUpper(p.Framework) }),
		textColumn("Precision", func(p Point) string { return strings.ToUpper(p.Precision) }),
		textColumn("Spec", func(p Point) string { return p.Spec }),
	}
}

func roleColumns(name string, of func(p Point) *Role) []column {
	size := func(what string, get func(r Role) int64) column {
		return countColumn(strings.TrimSpace(name+" "+what), func(p Point) int64 {
			if r := of(p); r != nil {
				return get(*r)
			}
			return 0
		})
	}
	out := []column{
		size("TP", func(r Role) int64 { return r.TP }), size("EP", func(r Role) int64 { return r.EP }),
		textColumn(strings.TrimSpace(name+" DPA"), func(p Point) string {
			if r := of(p); r != nil && r.DPAttention {
				return "yes"
			}
			return ""
		}),
	}
	if name != "" {
		out = append(out, size("workers", func(r Role) int64 { return r.Workers }))
	}
	return out
}

func loadColumns() []column {
	return []column{
		countColumn("ISL", func(p Point) int64 { return p.ISL }), countColumn("OSL", func(p Point) int64 { return p.OSL }),
	}
}

var (
	concColumn     = countColumn("Conc", func(p Point) int64 { return p.Conc }).inShort()
	gpuColumn      = countColumn("GPUs", func(p Point) int64 { return p.GPUs })
	topologyColumn = textColumn("Topology", func(p Point) string { return p.Topology }).inShort()
	offloadColumn  = textColumn("Offload", func(p Point) string { return p.Offload })
)

func throughputColumns() []column {
	return []column{
		metricColumn("tok/s/GPU", "tput_per_gpu", 1, true), metricColumn("out tok/s/GPU", "output_tput_per_gpu", 1, false),
		metricColumn("in tok/s/GPU", "input_tput_per_gpu", 1, false),
	}
}

// fixedColumns are those of fixed-sequence points (spec/results.md section 12).
func fixedColumns(multi bool) []column {
	out := append(headColumns(), loadColumns()...)
	if multi {
		out = append(out, topologyColumn)
		out = append(out, roleColumns("prefill", func(p Point) *Role { return p.Prefill })...)
		out = append(out, roleColumns("decode", func(p Point) *Role { return p.Decode })...)
	} else {
		out = append(out, topologyColumn)
		out = append(out, roleColumns("", func(p Point) *Role { return p.Layout })...)
	}
	out = append(out, gpuColumn, concColumn)
	out = append(out, throughputColumns()...)
	out = append(out, metricSeries("TTFT", "ttft", "ms", 1000, "mean p50 p75 p90 p95 p99", "p50 p90")...)
	out = append(out, metricSeries("TPOT", "tpot", "ms", 1000, "mean p50 p75 p90", "")...)
	out = append(out, metricSeries("Intvty", "intvty", "tok/s/user", 1, "mean p50 p75 p90 p95 p99", "p50")...)
	out = append(out, metricSeries("E2EL", "e2el", "s", 1, "mean p50 p75 p90 p95 p99", "p50")...)
	return out
}

// agenticColumns are those of agentic points.
func agenticColumns() []column {
	out := append(headColumns(), topologyColumn, gpuColumn, offloadColumn, concColumn)
	out = append(out, throughputColumns()...)
	out = append(out, metricSeries("TTFT", "ttft", "s", 1, "p50 p75 p90 p95", "p50 p90")...)
	out = append(out, metricSeries("E2EL", "e2el", "s", 1, "p50 p75 p90 p95", "p50 p90")...)
	out = append(out, metricSeries("Norm. intvty", "e2e_norm_intvty", "tok/s/user", 1, "p50 p90", "p90")...)
	return append(out,
		metricColumn("GPU cache hit", "server_gpu_cache_hit_rate", 1, false),
		textColumn("Requests ok", func(p Point) string {
			if p.Requests == nil {
				return ""
			}
			return itoa(p.Requests.Succeeded) + "/" + itoa(p.Requests.Total)
		}))
}

// evalColumns are those of evals; each task has a line of its own.
func evalColumns() []column {
	score := func(of func(s Score) string) func(Point) string {
		return func(p Point) string {
			if len(p.Scores) == 0 {
				return ""
			}
			return of(p.Scores[0])
		}
	}
	out := headColumns()
	out = append(out, loadColumns()...)
	out = append(out, topologyColumn, concColumn,
		column{name: "Task", text: score(func(s Score) string { return s.Task }), key: true},
		column{name: "Score", text: score(scoreText), key: true, number: true},
		column{name: "Bar", text: score(func(s Score) string { return strconv.FormatFloat(s.Bar*100, 'f', 2, 64) + "%" }), key: true, number: true},
		column{name: "Verdict", text: score(func(s Score) string {
			if s.Wide {
				return s.Verdict + ", wide gap"
			}
			return s.Verdict
		}), key: true},
		column{name: "Metric", text: score(func(s Score) string { return s.Name })},
		column{name: "N", number: true, text: score(func(s Score) string { return numberOf(s.Samples) })},
		column{name: "Gap to best", number: true, text: score(func(s Score) string { return numberOf(s.Gap) })},
		column{name: "2σ", number: true, text: score(func(s Score) string { return numberOf(s.Limit) })})
	return out
}

// table is a group of points with the columns that say something about them.
type table struct {
	key     string // of the heading
	columns []column
	points  []Point
}

// tables are the measured points in their groups.
func (r Report) tables(short bool) []table {
	single, multi := table{key: "h-single", columns: fixedColumns(false)}, table{key: "h-multi", columns: fixedColumns(true)}
	agentic, evals := table{key: "h-agentic", columns: agenticColumns()}, table{key: "h-evals", columns: evalColumns()}
	for _, p := range r.Points {
		switch {
		case p.Kind == Eval:
			for _, s := range p.Scores {
				q := p
				q.Scores = []Score{s}
				evals.points = append(evals.points, q)
			}
		case len(p.Metrics) == 0:
		case p.Scenario == results.Agentic:
			agentic.points = append(agentic.points, p)
		case p.Multinode:
			multi.points = append(multi.points, p)
		default:
			single.points = append(single.points, p)
		}
	}
	var out []table
	for _, t := range []table{single, multi, agentic, evals} {
		if len(t.points) > 0 {
			out = append(out, t.narrowed(short))
		}
	}
	return out
}

// narrowed drops columns that say nothing, and in short tables also those that
// say the same of every point, which stand in the name of the series.
func (t table) narrowed(short bool) table {
	var kept []column
	for _, c := range t.columns {
		first, same, empty := c.text(t.points[0]), true, true
		for _, p := range t.points {
			text := c.text(p)
			same, empty = same && text == first, empty && text == ""
		}
		if empty || short && !c.key && (same || c.number || c.name == "Served model") {
			continue
		}
		kept = append(kept, c)
	}
	t.columns = kept
	return t
}
