package bot

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/checks"
)

// What the evidence of a sweep costs in a large pull request: 20 commits of 100
// files, and three sweeps of 300 points, of which the sign-off names one that
// is no sweep of its commits.
func TestSignOffRequestsOfSweeps(t *testing.T) {
	const settings = "preset: inferencex\nlayout:\n  masters: [configs/amd-master.yaml]\n  roots: [\"\"]\nchecks:\n  verdict:\n    scope: always\n"
	s := signing(t, settings)
	w, git := signingRepo(t, settings)
	git("checkout", "-q", "main")
	for name, text := range map[string]string{"runners.yaml": "labels:\n  cluster:b: [b_0]\nclusters:\n  b: {gpus-per-node: 8, available-cpu-dram-mib: 1048576, arch: x86_64, scheduler: slurm, slurm: {}}\n", "../perf-changelog.yaml": "[]\n"} {
		if err := os.WriteFile(filepath.Join(w.Dir(), "configs", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("add", "-A")
	git("commit", "-q", "-m", "runners")
	git("checkout", "-q", "-b", "large")
	for i := range 20 {
		for j := range 5 {
			file := filepath.Join(w.Dir(), "many", itoa(int64(i)), itoa(int64(j)))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("x"), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", "one of twenty")
	}
	head := git("rev-parse", "large")
	s.pr().HeadSHA = head
	before := git("rev-parse", "large~3")
	for i, sha := range []string{shaB, before, head} {
		id := int64(7001 + i)
		s.runs = append(s.runs, Run{
			ID: id, Workflow: ".github/workflows/run-sweep.yml", Event: "pull_request", Status: "completed", Conclusion: "failure",
			HeadSHA: sha, HeadBranch: s.pr().HeadBranch, HeadRepo: repoName, CreatedAt: epoch,
		})
		for point := range 300 {
			job := Job{ID: id*1000 + int64(point), RunID: id, Attempt: 1, Name: fmt.Sprintf("agentic / x c%d", point), Status: "completed", Conclusion: "failure"}
			s.jobs[id] = append(s.jobs[id], job)
			s.checks = append(s.checks, CheckRun{ID: job.ID, Name: job.Name, HeadSHA: sha, Status: "completed", Conclusion: "failure", DetailsURL: site + "/actions/runs/" + itoa(id) + "/job/1"})
		}
	}
	for range 150 {
		s.say(12, maintainer, "chat")
	}
	s.bot.SignOffs.Clone, s.bot.SignOffs.Registry = w, checks.Standard()
	said := s.say(12, signer, checklistText+"see https://github.com/"+repoName+"/actions/runs/7001\n")
	decided, results := s.handle(s.commentEvent("created", said, signer))
	if results.Err() != nil || len(s.verdicts()) != 1 {
		t.Fatal(codes(decided), results.Err())
	}
	// Up to nine permissions of owners may come on top (TestSignOffRequests).
	if s.total() > 18 {
		t.Errorf("%d requests: %v", s.total(), s.calls)
	}
	t.Logf("%d requests: %v", s.total(), s.calls)
	if body := s.verdicts()[0].Body; !strings.Contains(body, "No passing sweep/eval was found on any commit in this PR. Run 7003 failed the agentic point at c0") {
		t.Error(body)
	}
}
