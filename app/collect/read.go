package collect

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/results/report"
)

// planBytes is the largest plan that is read.
const planBytes = 256 << 20

// Read opens a folder as the input of a report: one that Download filled, that
// of a local sweep, or any folder with one folder for each artifact. Everything
// in it is untrusted. The error is for what cannot be read at all.
func Read(ctx context.Context, dir string, rules results.Rules) (report.Input, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return report.Input{}, outside(dir, err)
	}
	defer root.Close()
	x, err := readIndex(root)
	if err != nil {
		return report.Input{}, err
	}
	r := reader{root: root, rules: rules}
	if err := r.plan(); err != nil {
		return report.Input{}, err
	}
	if x == nil {
		err = r.tree()
	} else {
		err = r.downloaded(ctx, x)
	}
	if err != nil {
		return report.Input{}, err
	}
	r.clusters()
	if r.in.Run != nil && r.in.Run.ID > 0 {
		r.in.Curves.Run = report.RunName(r.in.Run.ID)
	}
	return r.in, nil
}

type reader struct {
	root  *os.Root
	rules results.Rules
	in    report.Input
	// failFast are the families in which the first failure cancels the rest.
	failFast map[string]bool
}

// plan reads plan.json, if there is one.
func (r *reader) plan() error {
	data, err := readFile(r.root, planFile, planBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return outside(planFile, err)
	}
	doc, err := ordjson.Parse(data)
	if err != nil {
		return diag.New("collect.plan", diag.Place{File: planFile}, "detail", diag.Printable(err.Error())).In("plan-document")
	}
	plan, err := localrun.ReadPlan(doc)
	if err != nil {
		return err
	}
	r.failFast = make(map[string]bool)
	for _, f := range plan.Families {
		r.failFast[f.Job] = f.FailFast
	}
	var list diag.List
	r.in.Plan, list = report.ReadPlan(doc)
	r.in.HasPlan, r.in.Findings = true, list
	return r.besidePlan()
}

// besidePlan reads what may lie beside a plan: the bars of evals, and the
// commands that serve its points.
func (r *reader) besidePlan() error {
	bars, err := readFile(r.root, ThresholdsFile, maxThresholds)
	switch {
	case err == nil:
		var list diag.List
		r.in.Bars, list = results.ReadThresholds(ThresholdsFile, bars)
		r.in.Findings = append(r.in.Findings, list...)
	case !errors.Is(err, fs.ErrNotExist):
		return outside(ThresholdsFile, err)
	}
	data, err := readFile(r.root, ServeFile, MaxServe)
	switch {
	case err == nil:
		served, err := ReadServe(data)
		if err != nil {
			return err
		}
		served.Fill(r.in.Plan)
	case !errors.Is(err, fs.ErrNotExist):
		return outside(ServeFile, err)
	}
	return nil
}

// tree reads folders of unpacked artifacts, with the journal of a local sweep
// where there is one.
func (r *reader) tree() error {
	base := fs.FS(r.root.FS())
	if info, err := r.root.Lstat("artifacts"); err == nil && info.IsDir() {
		if base, err = fs.Sub(base, "artifacts"); err != nil {
			return err
		}
	}
	tree, list, err := results.OpenTree(base, r.rules.Archive)
	if err != nil {
		return outside(".", err)
	}
	r.in.Harvest = results.HarvestTree(tree, r.rules)
	r.in.Findings = append(r.in.Findings, list...)
	outcomes, err := localrun.Outcomes(r.root)
	if err != nil {
		return err
	}
	r.in.Jobs = jobsOf(r.in.Plan, outcomes)
	return nil
}

// downloaded reads the archives of a folder that Download filled.
func (r *reader) downloaded(ctx context.Context, x *index) error {
	held, err := openShelf(r.root, false)
	if err != nil {
		return outside(archives, err)
	}
	defer held.Close()
	open := func(_ context.Context, u results.Upload) (results.Blob, error) { return held.open(u.ID) }
	harvest, err := results.Ingest(ctx, x.needed(), open, r.rules)
	if err != nil {
		return err
	}
	r.in.Harvest = harvest
	r.in.Findings = append(r.in.Findings, x.problems()...)
	r.in.Run = runOf(x)
	r.in.Jobs = Jobs(x.Jobs, x.Logs, r.in.Plan, r.failFast)
	return nil
}

// needed are the uploads without those that are never opened, so that nobody
// misses their archives.
func (x *index) needed() []results.Upload {
	var out []results.Upload
	for _, u := range x.Uploads {
		if needed(u.Name) && u.Name != planName && u.Failed == "" {
			out = append(out, u.result())
		}
	}
	return out
}

// clusters takes over the run statistics, if there are any.
func (r *reader) clusters() {
	if a, ok := r.in.Harvest.Artifact("run-stats"); ok {
		r.in.Clusters = a.Success
	}
}

// plan puts the plan of the run beside the results, if the run has one, and what
// its artifact holds besides for a report.
func (d *downloader) plan(x *index) error {
	chosen, _ := results.Choose(x.results())
	for _, u := range chosen {
		if u.Name != planName || u.Expired || d.failed[u.ID] != "" {
			continue
		}
		files, err := planOf(d.shelf, u)
		if err != nil {
			return diag.New("collect.plan", diag.Place{File: planName}, "detail", diag.Printable(err.Error())).In("plan-document")
		}
		for name, data := range files {
			if err := replace(d.root, name, data); err != nil {
				return outside(name, err)
			}
		}
	}
	return nil
}

// planFiles are the files of the plan's artifact that a report needs, with the
// bound of each.
var planFiles = map[string]int64{planFile: planBytes, ThresholdsFile: maxThresholds, ServeFile: MaxServe}

func planOf(held *shelf, u results.Upload) (map[string][]byte, error) {
	b, err := held.open(u.ID)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	content, err := archive.OpenZip(b, b.Size(), archive.DefaultLimits())
	if err != nil {
		return nil, err
	}
	out := make(map[string][]byte)
	for _, f := range content.Files() {
		name := path.Base(f.Name)
		if limit, known := planFiles[name]; !known || f.Size > limit || out[name] != nil {
			continue
		}
		if out[name], err = entry(content, f.Name, planFiles[name]); err != nil {
			return nil, err
		}
	}
	if out[planFile] == nil {
		return nil, errors.New("it holds no " + planFile)
	}
	return out, nil
}

func entry(content archive.Content, name string, limit int64) ([]byte, error) {
	in, err := content.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, limit))
}
