package act

import (
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/app/sandbox"
)

// point stands for the id of a point in names of jobs.
var point = regexp.MustCompile(`/ [0-9a-f]{16} /`)

// wantJobs are the jobs of the sweep, as GitHub names them: the names of the
// calling jobs and of the job (spec/labels-and-sweeps.md sections 6 to 10).
func wantJobs() []string {
	const title = "p1.500 | orchid fp8 cluster:aurora vllm TP1 "
	const mtp = "p1.600 | orchid fp8 cluster:aurora vllm TP2 mtp "
	jobs := []string{
		"sweep / check-changelog", "sweep / setup", "sweep / canary-select", "sweep / canary / / " + title + "c4", "sweep / fan-out",
		"sweep / collect-results / collect results", "sweep / collect-evals / collect evals", "sweep / upload-changelog-metadata / metadata",
		"sweep / calc-success-rate / stats", "sweep / report / report",
	}
	for family, points := range map[string][]string{
		"eval":             {title + "c16 | eval-only", mtp + "c64 | eval-only"},
		"single-node 1k1k": {title + "c8", title + "c16", title + "c32", title + "c64"},
		"single-node 8k1k": {title + "c4", title + "c16", mtp + "c16", mtp + "c64"},
	} {
		for _, p := range points {
			jobs = append(jobs, "sweep / "+family+" / / POINT / "+p)
		}
	}
	slices.Sort(jobs)
	return jobs
}

func TestLabeledEventToCollectedArtifacts(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(sandbox.RunRequest) bool { return true })
	s.must(s.github.As(maintainer).AddLabel(t.Context(), s.pull, "full-sweep-fail-fast"))
	r := s.newest()
	state, _ := s.github.Pull(s.pull)
	if r.Status != "completed" || r.Conclusion != "success" || r.Event != "pull_request" || r.HeadSHA != state.HeadSHA {
		t.Errorf("the run is %+v", r)
	}
	names := r.names()
	for i, name := range names {
		names[i] = point.ReplaceAllString(name, "/ POINT /")
	}
	slices.Sort(names)
	if want := wantJobs(); !slices.Equal(names, want) {
		t.Errorf("jobs:\n%s\nwant:\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
	s.everyJobIsGreen(r)
	s.artifactsAreThere(r)
	if t.Failed() {
		return
	}
	s.everyPointIsPinned(r, state.MergeSHA, state.HeadSHA)
}

// everyJobIsGreen wants every job to be over with steps, and no secret in its
// log.
func (s *stage) everyJobIsGreen(r run) {
	s.t.Helper()
	for _, j := range r.jobs {
		log := s.log(j)
		if j.Status != "completed" || j.Conclusion != "success" || j.RunAttempt != 1 || len(j.Steps) < 3 {
			s.t.Errorf("%+v\n%s", j, log)
		}
		if strings.Contains(log, secret) || strings.Contains(log, "ghs_") {
			s.t.Errorf("a secret is in the log of %s", j.Name)
		}
	}
}

// artifactsAreThere counts the artifacts by what their names begin with, and
// looks into those of the collectors.
func (s *stage) artifactsAreThere(r run) {
	s.t.Helper()
	want := map[string]int{
		"bmk_": 9, "power_audit_": 9, "eval_orchid": 2, "results_bmk": 1, "eval_results_all": 1, "changelog-metadata": 1, "run-stats": 1, "sweep-report": 1, "sweepbot-": 2,
	}
	for _, prefix := range slices.Sorted(maps.Keys(want)) {
		n := 0
		for name := range r.artifacts {
			if strings.HasPrefix(name, prefix) {
				n++
			}
		}
		if n != want[prefix] {
			s.t.Errorf("%d artifacts %s..., want %d", n, prefix, want[prefix])
		}
	}
	if s.t.Failed() {
		s.t.Log(strings.Join(slices.Sorted(maps.Keys(r.artifacts)), "\n"))
		return
	}
	if n := len(decode[[]any](s, r, "results_bmk", "agg_bmk.json")); n != 9 {
		s.t.Errorf("%d rows collected, want 9", n)
	}
	if n := len(decode[[]any](s, r, "eval_results_all", "agg_eval_all.json")); n != 2 {
		s.t.Errorf("%d evals collected, want 2", n)
	}
	type count struct {
		Passed int `json:"n_success"`
		Total  int `json:"total"`
	}
	stats := decode[map[string]count](s, r, "run-stats", "run_stats.json")
	if !maps.Equal(stats, map[string]count{"aurora": {11, 11}}) {
		s.t.Errorf("run_stats.json says %v", stats)
	}
	if len(decode[map[string]any](s, r, "changelog-metadata", "changelog_metadata.json")) == 0 {
		s.t.Error("changelog_metadata.json is empty")
	}
}

// measured is what every artifact of a point says it was measured on.
type measured struct{ Base, Head, Commit, Tree, Point, Artifact string }

// everyPointIsPinned wants the pins of the sweep in every artifact of a point.
func (s *stage) everyPointIsPinned(r run, merge, head string) {
	s.t.Helper()
	base := s.github.Tip("main")
	points := make(map[string]bool)
	for name := range r.artifacts {
		if strings.HasPrefix(name, "sweepbot-") || slices.Contains([]string{"results_bmk", "eval_results_all", "changelog-metadata", "run-stats", "sweep-report"}, name) {
			continue
		}
		m := decode[measured](s, r, name, "measured.jsonl")
		if m.Commit != merge || len(m.Tree) != 40 || m.Base != base || m.Head != head || m.Artifact != name {
			s.t.Errorf("%s was measured on %+v", name, m)
		}
		points[m.Point] = true
	}
	if len(points) != 11 {
		s.t.Errorf("artifacts of %d points, want 11", len(points))
	}
}

// The gate asks the API for comments, with the token of the run.
func TestReuseCommandStopsASynchronizeEvent(t *testing.T) {
	t.Parallel()
	s := newStage(t, func(req sandbox.RunRequest) bool {
		return strings.Contains(string(req.Payload), `"action":"synchronize"`)
	})
	s.must(s.github.As(maintainer).AddLabel(t.Context(), s.pull, "full-sweep-enabled"))
	_, err := s.github.As(maintainer).Comment(t.Context(), s.pull, "/use 4711")
	s.must(err)
	_, err = s.github.As(author).Push(t.Context(), s.pull, sandbox.Edit{Files: map[string]string{"notes.md": "more\n"}})
	s.must(err)
	r := s.newest()
	if r.Conclusion != "failure" {
		t.Errorf("a command that nobody can judge lets the sweep be %s", r.Conclusion)
	}
	if got := r.names(); !slices.Equal(got, []string{"sweep / check-changelog", "sweep / reuse-sweep-gate"}) {
		t.Errorf("jobs: %q", got)
	}
	if r.jobs[0].Conclusion != "success" || r.jobs[1].Conclusion != "failure" || !strings.Contains(s.log(r.jobs[1]), "looks like a reuse command") {
		t.Errorf("%+v\n%s", r.jobs, s.log(r.jobs[1]))
	}
	if _, planned := r.artifacts["sweepbot-plan"]; planned {
		t.Error("a plan was made")
	}
}

// The whole command, as somebody at a terminal types it.
func TestTry(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(programs.sweepbot, "try", "--engine", "act", "--act", programs.act, "--exit")
	cmd.Env = append(os.Environ(), "SAMPLE_SLEEP=0", "TMPDIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "everything that is expected of this story holds") {
		t.Errorf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(strings.TrimPrefix(cmd.Env[len(cmd.Env)-1], "TMPDIR=")); err != nil || len(left) > 0 {
		t.Error(err, left)
	}
}
