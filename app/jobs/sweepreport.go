package jobs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/collect"
	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/failure"
	"github.com/sweepbot/sweepbot/results/report"
)

// sweepReport makes the report of the sweep from what was collected, and writes
// it into the folder collected: the page, the document, the table and a picture
// of every curve (docs/report.md).
func (h *Host) sweepReport(ctx context.Context, s Sweep, plan *localrun.Plan, runs bot.Runs, server string) (report.Report, error) {
	_, settings, folder, err := h.collecting()
	if err != nil {
		return report.Report{}, err
	}
	in := report.Input{HasPlan: true, Run: &report.Run{
		Repository: s.Repository, ID: s.Run, Attempt: s.Attempt, Pull: s.Pull, Head: s.Head, Commit: s.Commit,
		URL: server + "/" + s.Repository + "/actions/runs/" + strconv.FormatInt(s.Run, 10),
	}}
	in.Plan, in.Findings = report.ReadPlan(plan.Document)
	in.Curves.Run = report.RunName(s.Run)
	if err := h.planned(s, &in); err != nil {
		return report.Report{}, err
	}
	h.askedJobs(ctx, s, plan, runs, &in)
	again := settings.Sweep.Rerun
	in.Rerun = &failure.Policy{Enabled: again.Infrastructure, PerJob: again.PerPoint, PerRun: again.PerRun}
	rules := rules(settings)
	tree, list, err := results.OpenTree(os.DirFS(filepath.Join(folder, inFolder)), rules.Archive)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return report.Report{}, outside(inFolder, err)
	}
	in.Harvest, in.Findings = results.HarvestTree(tree, rules), append(in.Findings, list...)
	if a, ok := in.Harvest.Artifact("run-stats"); ok {
		in.Clusters = a.Success
	}
	r := report.Build(in)
	return r, writeReport(r, filepath.Join(folder, outFolder))
}

// planned takes over what was planned for the report: bars and serve commands.
func (h *Host) planned(s Sweep, in *report.Input) error {
	record := 0.0 // without bars the eval jobs have judged by the fallback
	in.Bars = results.Thresholds{Fallback: &record}
	if s.Thresholds != "" {
		data, err := h.pinned(collect.ThresholdsFile, s.Thresholds)
		if err != nil {
			return err
		}
		var list diag.List
		in.Bars, list = results.ReadThresholds(collect.ThresholdsFile, data)
		in.Findings = append(in.Findings, list...)
	}
	if s.Serve == "" {
		return nil
	}
	data, err := h.pinned(collect.ServeFile, s.Serve)
	if err != nil {
		return err
	}
	served, err := collect.ReadServe(data)
	served.Fill(in.Plan)
	return err
}

// askedJobs takes over the jobs of all attempts. A report without them is better
// than none.
func (h *Host) askedJobs(ctx context.Context, s Sweep, plan *localrun.Plan, runs bot.Runs, in *report.Input) {
	all, err := runs.Jobs(ctx, s.Run, 0)
	if err != nil {
		in.Findings = append(in.Findings, diag.New("jobs.no-jobs", diag.Place{}, "detail", diag.Printable(err.Error())).WithSeverity(diag.Warning))
		return
	}
	failFast := make(map[string]bool)
	for _, f := range plan.Families {
		failFast[f.Job] = f.FailFast
	}
	in.Jobs = collect.Jobs(all, collect.LogEnds(ctx, runs, all), in.Plan, failFast)
}

// writeReport writes every form of the report.
func writeReport(r report.Report, folder string) error {
	files := map[string]func(io.Writer) error{"report.html": r.WriteHTML, "report.json": r.WriteJSON, "report.csv": r.WriteCSV}
	for _, c := range r.Curves {
		chart := c.Chart(r, 0, 0, false)
		files[c.FileName(".svg")] = chart.WriteSVG
		files[c.FileName(".png")] = func(w io.Writer) error { return chart.WritePNG(w, false) }
	}
	for name, write := range files {
		out, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			return outside(name, err)
		}
		if err := errors.Join(write(out), out.Close()); err != nil {
			return outside(name, err)
		}
	}
	return nil
}

// unpassed are the points that did not pass, as annotations at the lines of the
// config that ask for them.
func unpassed(r report.Report) diag.List {
	var out diag.List
	for _, p := range r.Points {
		if p.Place == nil || p.State == results.Passed || p.State == results.Pending {
			continue
		}
		out = append(out, diag.New("jobs.point-unpassed", diag.Place{File: p.Place.File, Line: p.Place.Line},
			"point", p.Label, "why", p.Why(catalog.English)))
	}
	return out
}
