package story

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// run runs the points, uploads what they left and collects the results.
func (s *sweep) run(ctx context.Context, options localrun.Options) {
	local, err := localrun.Open(options)
	if err == nil {
		defer local.Close()
		s.queue(s.canary != "")
		_, err = local.Run(ctx)
	}
	collect := s.req.Handle.StartJob(sandbox.JobSpec{Name: "collect-results", Labels: []string{"ubuntu-latest"}, Runner: "sandbox"})
	if err == nil {
		err = s.collect(options.Out, collect)
	}
	conclude(collect, err)
}

// queue makes the jobs of the canary, or of all points that have none yet.
// Their names are those that the sweep workflows give (spec/labels-and-sweeps.md
// section 7).
func (s *sweep) queue(onlyCanary bool) {
	for _, f := range s.plan.Families {
		for _, r := range f.Rows {
			if s.jobs[r.ID] != nil || onlyCanary && r.ID != s.canary {
				continue
			}
			prefix := f.Prefix
			if _, multi := r.Row.Get("prefill"); r.ID == s.canary && multi {
				prefix = "multi-node canary /"
			} else if r.ID == s.canary {
				prefix = "canary /"
			}
			s.jobs[r.ID] = s.req.Handle.StartJob(sandbox.JobSpec{Name: prefix + " " + s.titles[r.ID], Labels: []string{runnerLabel(r)}, Runner: "sandbox", Queued: true})
		}
	}
}

func runnerLabel(r localrun.PlanRow) string {
	v, _ := r.Row.Get("runner")
	return v.Text
}

// started shows a point as running.
func (s *sweep) started(p *localrun.Point, _ int) {
	job := s.jobs[p.ID]
	job.Start()
	job.StartStep("Run " + p.Label())
}

// conclusions are the words of GitHub for how a point ended.
var conclusions = map[localrun.Status]string{
	localrun.Passed: "success", localrun.Failed: "failure", localrun.Cancelled: "cancelled", localrun.Skipped: "skipped",
}

// ended shows how a point ended. The jobs of all others are made once the
// canary is over.
func (s *sweep) ended(p *localrun.Point, status localrun.Status, why *diag.Finding) {
	job := s.jobs[p.ID]
	if log, err := os.ReadFile(filepath.Join(s.dir, "out", "logs", p.ID+".log")); err == nil {
		for line := range strings.Lines(string(log)) {
			job.Log("%s", diag.Printable(strings.TrimRight(line, "\n")))
		}
	}
	if why != nil {
		job.Log("%s", diag.Printable(why.Message(catalog.English)))
	}
	job.Finish(conclusions[status])
	s.done++
	s.engine.tell("story.point", "n", strconv.Itoa(s.done), "total", strconv.Itoa(len(s.titles)), "title", s.titles[p.ID], "status", string(status))
	if p.Canary {
		s.queue(false)
	}
}

// collect uploads the artifacts of all points, the rows of all of them in one
// file, and shows a table.
func (s *sweep) collect(out string, job *sandbox.JobHandle) error {
	folder := filepath.Join(out, "artifacts")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var rows []json.RawMessage
	job.StartStep("Upload artifacts")
	for _, e := range entries {
		from := filepath.Join(folder, e.Name())
		if strings.HasPrefix(e.Name(), "bmk_") {
			if rows, err = appendRows(rows, from); err != nil {
				return err
			}
		}
		if err := s.upload(e.Name(), from); err != nil {
			return err
		}
		job.Log("%s", diag.Printable(e.Name()))
	}
	if err := s.uploadAll(out, rows); err != nil {
		return err
	}
	job.FinishStep("success")
	job.StartStep("Show the results")
	table, err := localrun.Collect(out, nil)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := table.WriteTable(&text, catalog.English); err != nil {
		return err
	}
	job.Log("%s", text.String())
	if err := job.Summary("```\n" + text.String() + "```\n"); err != nil {
		return err
	}
	if !table.Usable() {
		return diag.New("story.not-usable", diag.Place{})
	}
	return nil
}

// appendRows adds the rows of one artifact.
func appendRows(rows []json.RawMessage, folder string) ([]json.RawMessage, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return rows, err
	}
	slices.Sort(names)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return rows, err
		}
		rows = append(rows, data)
	}
	return rows, nil
}

// uploadAll uploads the rows of all points as one file.
func (s *sweep) uploadAll(out string, rows []json.RawMessage) error {
	data, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	folder := filepath.Join(out, "results_bmk")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "agg_bmk.json"), data, 0o644); err != nil {
		return err
	}
	return s.upload("results_bmk", folder)
}

// upload stores a folder as an artifact.
func (s *sweep) upload(name, folder string) error {
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	if err := w.AddFS(os.DirFS(folder)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_, err := s.req.Handle.UploadArtifact(name, &archive)
	return err
}
