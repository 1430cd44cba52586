package jobs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/archive"
)

// The files that collectors write, in the folder collected, and the folder
// that artifacts are downloaded to.
const (
	inFolder   = "artifacts"
	outFolder  = "collected"
	rowsFile   = "agg_bmk.json"
	rejected   = "rejected_rows.json"
	evalsFile  = "agg_eval_all.json"
	metaFile   = "changelog_metadata.json"
	statsFile  = "run_stats.json"
	noEvals    = "> No eval results found to summarize."
	maxInTable = 200
)

// rules are the rules for results that a repository goes by.
func rules(s config.Settings) results.Rules {
	if s.Matrix.AggregateWorker {
		return results.Newest()
	}
	return results.August()
}

// collecting is what every collector begins with.
func (h *Host) collecting() (Sweep, config.Settings, string, error) {
	s, err := h.sweep()
	if err != nil {
		return s, config.Settings{}, "", err
	}
	settings, err := h.settings(s)
	if err != nil {
		return s, settings, "", err
	}
	folder, err := h.folder()
	if err != nil {
		return s, settings, "", err
	}
	out := filepath.Join(folder, outFolder)
	return s, settings, folder, outside(out, os.MkdirAll(out, 0o755))
}

// downloaded opens the artifacts that were downloaded. No artifact at all
// leaves no folder, which reads as an empty one.
func downloaded(folder string, limits archive.Limits) (archive.Content, error) {
	dir := filepath.Join(folder, inFolder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, outside(dir, err)
	}
	content, err := archive.OpenFolder(os.DirFS(dir), ".", limits)
	if err != nil {
		return nil, diag.New("jobs.artifacts", diag.Place{}, "detail", err.Error()).In("unsafe")
	}
	return content, nil
}

// CollectResults is the job collect-results: it merges the rows of all points
// into one file. Rows that break the contract are set aside and make the job
// fail after everything else is written; so does an empty collection (known
// failure F45).
func CollectResults(h *Host) error {
	_, settings, folder, err := h.collecting()
	if err != nil {
		return err
	}
	r := rules(settings)
	content, err := downloaded(folder, r.Archive)
	if err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(folder, outFolder, rowsFile))
	if err != nil {
		return outside(rowsFile, err)
	}
	c, err := results.CollectBenchmarks(content, out, r)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	if len(c.Rejected) > 0 {
		text := c.RejectedDocument().Append(nil, ordjson.Compact)
		if err := os.WriteFile(filepath.Join(folder, outFolder, rejected), append(text, '\n'), 0o644); err != nil {
			return outside(rejected, err)
		}
	}
	if err := h.summary(fmt.Sprintf("### Rows\n\n%d collected, %d set aside\n", len(c.Accepted), len(c.Rejected))); err != nil {
		return err
	}
	if c.Failed() {
		return c.Findings
	}
	h.annotate(c.Findings)
	return nil
}

// CollectEvals is the job collect-evals: one row for each config, concurrency
// and task, and a table in the summary.
func CollectEvals(h *Host) error {
	_, settings, folder, err := h.collecting()
	if err != nil {
		return err
	}
	r := rules(settings)
	content, err := downloaded(folder, r.Archive)
	if err != nil {
		return err
	}
	rows, list, err := results.EvalRows(content, r)
	if err != nil {
		return diag.New("jobs.artifacts", diag.Place{}, "detail", err.Error()).In("unsafe")
	}
	text := ordjson.List(rows...).Append(nil, ordjson.Compact)
	if err := os.WriteFile(filepath.Join(folder, outFolder, evalsFile), append(text, '\n'), 0o644); err != nil {
		return outside(evalsFile, err)
	}
	if err := h.summary(evalTable(rows)); err != nil {
		return err
	}
	switch {
	case list.Refused():
		return list
	case len(rows) == 0:
		return append(list, diag.New("jobs.nothing-collected", diag.Place{}, "what", "eval"))
	}
	h.annotate(list)
	return nil
}

// evalTable is the table of the summary. No rows are no pass.
func evalTable(rows []ordjson.Value) string {
	if len(rows) == 0 {
		return noEvals
	}
	columns := []string{"infmax_model_prefix", "hw", "framework", "precision", "conc", "task", "score"}
	var b strings.Builder
	b.WriteString("### Evals\n\n| model | hardware | framework | precision | conc | task | score |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for i, row := range rows {
		if i == maxInTable {
			fmt.Fprintf(&b, "\n%d more are in %s.\n", len(rows)-i, evalsFile)
			break
		}
		cells := make([]string, len(columns))
		for k, name := range columns {
			cells[k] = plain(member(row, name))
			if cells[k] == "" && name == "infmax_model_prefix" {
				cells[k] = plain(member(row, "model_prefix"))
			}
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	return b.String()
}

// Metadata is the job upload-changelog-metadata.
func Metadata(h *Host) error {
	s, _, folder, err := h.collecting()
	if err != nil {
		return err
	}
	plan, err := h.plan(s)
	if err != nil {
		return err
	}
	return outside(metaFile, os.WriteFile(filepath.Join(folder, outFolder, metaFile), results.MetadataDocument(plan.Metadata), 0o644))
}
