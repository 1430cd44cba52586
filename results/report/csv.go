package report

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// csvHead names the columns before the metrics.
var csvHead = []string{
	"id", "kind", "family", "key", "label", "state", "reason", "why", "scenario", "model", "served_model", "hardware", "framework",
	"precision", "spec_decoding", "offload", "isl", "osl", "topology", "gpus", "conc", "image", "task", "score", "score_stderr", "bar",
	"score_verdict", "comparison", "artifact",
}

// WriteCSV writes a line for every point, and for evals one for every task. All
// metrics follow, in their own units (Point.Metrics). A cell that a spreadsheet
// would take for a formula gets an apostrophe in front.
func (r Report) WriteCSV(w io.Writer) error {
	names := make(map[string]bool)
	for _, p := range r.Points {
		for name := range p.Metrics {
			names[name] = true
		}
	}
	metrics := slices.Sorted(maps.Keys(names))
	verdicts := make(map[string]string)
	if r.Comparison != nil {
		for _, c := range r.Comparison.Points {
			verdicts[c.Point] = string(c.Verdict)
		}
	}
	out := csv.NewWriter(w)
	_ = out.Write(append(slices.Clone(csvHead), metrics...))
	for _, p := range r.Points {
		scores := p.Scores
		if len(scores) == 0 {
			scores = []Score{{}}
		}
		for _, s := range scores {
			cells := append(p.csvCells(s, verdicts[p.ID]), make([]string, len(metrics))...)
			for i, name := range metrics {
				if f, ok := p.Metrics[name]; ok {
					cells[len(csvHead)+i] = exact(&f)
				}
			}
			for i := range cells {
				cells[i] = csvCell(cells[i])
			}
			_ = out.Write(cells)
		}
	}
	out.Flush()
	return out.Error()
}

func (p Point) csvCells(s Score, verdict string) []string {
	why, bar := "", ""
	if p.State != "passed" {
		why = p.why(catalog.English)
	}
	if s.Task != "" {
		bar = exact(&s.Bar)
	}
	return []string{
		p.ID, p.Kind, p.Family, p.Key, p.Label, string(p.State), p.Reason, why, string(p.Scenario), p.Model, p.Served, p.Hardware, p.Framework,
		p.Precision, p.Spec, p.Offload, itoa(p.ISL), itoa(p.OSL), p.Topology, itoa(p.GPUs), itoa(p.Conc), p.Image, s.Task, exact(s.Value), exact(s.StdErr), bar,
		s.Verdict, verdict, p.Artifact,
	}
}

// exact is a number in the shortest form that gives it back.
func exact(f *float64) string {
	if f == nil {
		return ""
	}
	return strconv.FormatFloat(*f, 'g', -1, 64)
}

func csvCell(text string) string {
	text = oneLine(text)
	if text != "" && strings.ContainsRune("=+-@", rune(text[0])) {
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return "'" + text
		}
	}
	return text
}

func sortedMetrics(p Point) []string { return slices.Sorted(maps.Keys(p.Metrics)) }
