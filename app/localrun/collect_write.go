package localrun

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// WriteTable writes the first table for people: throughput per GPU in tokens
// per second, time to first token and end-to-end latency in seconds, and how
// each point stands.
func (c *Collection) WriteTable(w io.Writer, lang catalog.Language) error {
	out := bufio.NewWriter(w)
	width := len("point")
	for _, l := range c.Lines {
		width = max(width, len(diag.Printable(l.Label)))
	}
	const format = "%-*s  %9s  %7s  %7s  %s\n"
	fmt.Fprintf(out, format, width, "point", "tok/s/GPU", "TTFT s", "E2EL s", "status")
	for _, l := range c.Lines {
		status := string(l.Status)
		if l.Canary {
			status += "  canary"
		}
		if l.Score != nil {
			status += fmt.Sprintf("  %s %s", diag.Printable(l.Task), shortNumber(l.Score, 3))
		}
		fmt.Fprintf(out, format, width, diag.Printable(l.Label),
			shortNumber(l.Throughput, 1), shortNumber(l.TTFT, 3), shortNumber(l.E2EL, 2), status)
	}
	fmt.Fprintln(out)
	fmt.Fprintln(out, c.summary(lang))
	for _, l := range c.Lines {
		if l.Status == Failed && l.Why != nil {
			fmt.Fprintf(out, "%s: %s\n", diag.Printable(l.Label), diag.Printable(l.Why.Message(lang)))
		}
	}
	return out.Flush()
}

// summary is the counts in one line.
func (c *Collection) summary(lang catalog.Language) string {
	n := c.Counts
	code := "localrun.counts-found"
	if c.HasPlan {
		code = "localrun.counts-planned"
	}
	return catalog.Message(lang, code, "planned", itoa(n.Planned), "passed", itoa(n.Passed), "failed", itoa(n.Failed),
		"cancelled", itoa(n.Cancelled), "skipped", itoa(n.Skipped), "missing", itoa(n.Pending))
}

// csvHeader names the columns of WriteCSV.
var csvHeader = []string{
	"point", "family", "label", "status", "tput_per_gpu", "ttft_s", "e2el_s", "task", "score", "artifact", "why",
}

// WriteCSV writes one record a line. A cell that a spreadsheet would take for a
// formula is preceded by an apostrophe.
func (c *Collection) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write(csvHeader)
	for _, l := range c.Lines {
		cells := []string{
			l.Point, l.Family, l.Label, string(l.Status), shortNumber(l.Throughput, -1), shortNumber(l.TTFT, -1),
			shortNumber(l.E2EL, -1), l.Task, shortNumber(l.Score, -1), l.Artifact, "",
		}
		if l.Why != nil {
			cells[len(cells)-1] = l.Why.Message(catalog.English)
		}
		for i, cell := range cells {
			cell = diag.Printable(cell)
			cells[i] = cell
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				cells[i] = "'" + cell
			}
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// jsonLine is a line as WriteJSON prints it.
type jsonLine struct {
	Point      string   `json:"point,omitempty"`
	Family     string   `json:"family,omitempty"`
	Label      string   `json:"label"`
	Status     Status   `json:"status"`
	Canary     bool     `json:"canary,omitempty"`
	Throughput *float64 `json:"tput_per_gpu,omitempty"`
	TTFT       *float64 `json:"ttft_s,omitempty"`
	E2EL       *float64 `json:"e2el_s,omitempty"`
	Task       string   `json:"task,omitempty"`
	Score      *float64 `json:"score,omitempty"`
	Artifact   string   `json:"artifact,omitempty"`
	Code       string   `json:"code,omitempty"`
	Why        string   `json:"why,omitempty"`
}

// jsonFinding is a finding as WriteJSON prints it.
type jsonFinding struct {
	diag.Place
	Code    string `json:"code"`
	Path    string `json:"path,omitempty"`
	Message string `json:"message"`
}

// WriteJSON writes the collection as one document.
func (c *Collection) WriteJSON(w io.Writer) error {
	doc := struct {
		Version  int           `json:"version"`
		Usable   bool          `json:"usable"`
		HasPlan  bool          `json:"has_plan"`
		Counts   Counts        `json:"counts"`
		Rows     []jsonLine    `json:"rows"`
		Findings []jsonFinding `json:"findings"`
	}{1, c.Usable(), c.HasPlan, c.Counts, []jsonLine{}, []jsonFinding{}}
	for _, l := range c.Lines {
		row := jsonLine{l.Point, l.Family, l.Label, l.Status, l.Canary, l.Throughput, l.TTFT, l.E2EL, l.Task, l.Score, l.Artifact, "", ""}
		if l.Why != nil {
			row.Code, row.Why = l.Why.Code, l.Why.Message(catalog.English)
		}
		doc.Rows = append(doc.Rows, row)
	}
	for _, f := range c.Findings {
		doc.Findings = append(doc.Findings, jsonFinding{f.Place, f.Code, f.Path, f.Message(catalog.English)})
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(doc)
}
