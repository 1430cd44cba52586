package story

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/archive"
)

// artifacts is the folder of what the points left.
func artifacts(out string) string { return filepath.Join(out, "artifacts") }

// measured reports whether any point left something.
func measured(out string) bool {
	entries, err := os.ReadDir(artifacts(out))
	return err == nil && len(entries) > 0
}

// collect uploads what the collecting jobs of a sweep upload: the artifacts of
// all points, their rows and evals once more in one file each, how the jobs
// fared, and the metadata of the change, which the local runner has left there
// (spec/results.md section 8). It shows a table.
func (s *sweep) collect(out string, job *sandbox.JobHandle) error {
	job.StartStep("Upload artifacts")
	entries, err := os.ReadDir(artifacts(out))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := s.upload(e.Name(), filepath.Join(artifacts(out), e.Name())); err != nil {
			return err
		}
		job.Log("%s", diag.Printable(e.Name()))
	}
	job.FinishStep("success")
	job.StartStep("Collect the results")
	files, err := s.collected(out)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := s.uploadFile(out, f); err != nil {
			return err
		}
		job.Log("%s: %d bytes", f.artifact, len(f.data))
	}
	job.FinishStep("success")
	job.StartStep("Show the results")
	return showTable(out, job)
}

// collectedFile is an artifact of one file.
type collectedFile struct {
	artifact, name string
	data           []byte
}

// collected are the files that collectors write.
func (s *sweep) collected(out string) ([]collectedFile, error) {
	content, err := archive.OpenFolder(os.DirFS(artifacts(out)), ".", s.rules.Archive)
	if err != nil {
		return nil, err
	}
	var rows bytes.Buffer
	if _, err := results.CollectBenchmarks(content, &rows, s.rules); err != nil {
		return nil, err
	}
	files := []collectedFile{
		{"results_bmk", "agg_bmk.json", rows.Bytes()},
		{"sweepbot-plan", "plan.json", s.plan.Document.Append(nil, ordjson.Compact)},
		{"run-stats", "run_stats.json", results.RunStatsDocument(s.clusters()).Append(nil, ordjson.Compact)},
	}
	evals, _, err := results.EvalRows(content, s.rules)
	if len(evals) > 0 {
		files = append(files, collectedFile{"eval_results_all", "agg_eval_all.json", ordjson.List(evals...).Append(nil, ordjson.Compact)})
	}
	return files, err
}

// clusters count the jobs of points by cluster (spec/results.md section 8.5).
func (s *sweep) clusters() []results.ClusterSuccess {
	seen := make(map[string]bool)
	var clusters []string
	for _, f := range s.plan.Families {
		for _, r := range f.Rows {
			if name := strings.TrimPrefix(runnerLabel(r), "cluster:"); !seen[name] {
				seen[name] = true
				clusters = append(clusters, name)
			}
		}
	}
	outcomes := make([]results.JobOutcome, len(s.outcomes))
	for i, j := range s.outcomes {
		outcomes[i] = results.JobOutcome{Name: j.Name, Conclusion: j.Conclusion}
	}
	return results.CountSuccess(clusters, outcomes)
}

// showTable shows the points in the log and the summary of a job. What is
// missing fails it.
func showTable(out string, job *sandbox.JobHandle) error {
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

// page is the page of the run.
func (s *sweep) page() string {
	return strings.TrimSuffix(s.req.CloneURL, ".git") + "/actions/runs/" + strconv.FormatInt(s.req.RunID, 10)
}

// uploadFile stores one file as an artifact.
func (s *sweep) uploadFile(out string, f collectedFile) error {
	folder := filepath.Join(out, f.artifact)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, f.name), f.data, 0o644); err != nil {
		return err
	}
	return s.upload(f.artifact, folder)
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
