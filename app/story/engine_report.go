package story

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/report"
)

// report is the last job: it makes the report of the sweep, uploads it with its
// plots, and marks the lines of points that did not pass.
func (s *sweep) report(out string, job *sandbox.JobHandle) error {
	job.StartStep("Report")
	made, err := s.made(out)
	if err != nil {
		return err
	}
	folder := filepath.Join(out, "sweep-report")
	if err := writeReport(made, folder); err != nil {
		return err
	}
	if err := s.upload("sweep-report", folder); err != nil {
		return err
	}
	for _, p := range made.Points {
		if p.Place != nil && p.State == results.Failed {
			job.Annotate("failure", p.Place.File, p.Place.Line, diag.Printable(p.Label+": "+p.Why(catalog.English)))
		}
	}
	if err := job.Summary(made.Markdown(report.ForSummary())); err != nil {
		return err
	}
	if !made.Good() {
		return diag.New("story.not-usable", diag.Place{})
	}
	return nil
}

// made is the report from the plan, the artifacts and the jobs.
func (s *sweep) made(out string) (report.Report, error) {
	head := s.req.Inputs["head-sha"]
	in := report.Input{HasPlan: true, Bars: s.bars, Jobs: s.outcomes, Clusters: s.clusters(), Run: &report.Run{
		Repository: repository, ID: s.req.RunID, Attempt: s.req.Attempt, Title: s.req.Inputs["title"], Pull: s.pull,
		Head: head, Commit: head, URL: s.page(),
	}}
	in.Plan, in.Findings = report.ReadPlan(s.plan.Document)
	in.Curves.Run = report.RunName(s.req.RunID)
	tree, list, err := results.OpenTree(os.DirFS(artifacts(out)), s.rules.Archive)
	if err != nil {
		return report.Report{}, err
	}
	in.Harvest, in.Findings = results.HarvestTree(tree, s.rules), append(in.Findings, list...)
	return report.Build(in), nil
}

// writeReport writes the page, the document, the table and the plots.
func writeReport(r report.Report, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	files := map[string]func(io.Writer) error{"report.html": r.WriteHTML, "report.json": r.WriteJSON, "report.csv": r.WriteCSV}
	for _, c := range r.Curves {
		files[c.FileName(".svg")] = c.Chart(r, 0, 0, false).WriteSVG
	}
	for name, write := range files {
		out, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		if err := errors.Join(write(out), out.Close()); err != nil {
			return err
		}
	}
	return nil
}
