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

// largePull is a pull request of 20 commits and 100 files with a conversation
// of two pages and three sweeps of 300 points: one of no commit of it, one of an
// older commit, one of its head, which ended as conclusion says. Runs are 7001
// to 7003. owners are those of the changed files, "" for settings that do not ask.
func largePull(t testing.TB, owners, conclusion string) *stage {
	t.Helper()
	verdict := "    scope: always\n"
	if owners != "" {
		verdict = "    core-team: \"@acme/amd\"\n"
	}
	settings := "preset: inferencex\nlayout:\n  masters: [configs/amd-master.yaml]\n  roots: [\"\"]\nchecks:\n  verdict:\n" + verdict
	s := signing(t, settings)
	w, git := signingRepo(t, settings)
	git("checkout", "-q", "main")
	write := func(name, text string) {
		file := filepath.Join(w.Dir(), name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("configs/runners.yaml", "labels:\n  cluster:b: [b_0]\nclusters:\n  b: {gpus-per-node: 8, available-cpu-dram-mib: 1048576, arch: x86_64, scheduler: slurm, slurm: {}}\n")
	write("perf-changelog.yaml", "[]\n")
	if owners != "" {
		write(".github/CODEOWNERS", "* @boss\n/many/ "+owners+"\n")
	}
	git("add", "-A")
	git("commit", "-q", "-m", "runners")
	git("checkout", "-q", "-b", "large")
	for i := range 20 {
		for j := range 5 {
			write(filepath.Join("many", itoa(int64(i)), itoa(int64(j))), "x")
		}
		git("add", "-A")
		git("commit", "-q", "-m", "one of twenty")
	}
	head := git("rev-parse", "large")
	s.pr().HeadSHA = head
	for i, sha := range []string{shaB, git("rev-parse", "large~3"), head} {
		s.sweep(int64(7001+i), sha, conclusion)
	}
	for range 150 {
		s.say(12, maintainer, "chat")
	}
	s.bot.SignOffs.Clone, s.bot.SignOffs.Registry = w, checks.Standard()
	return s
}

// sweep is a run of 300 points of which all ended alike, as check runs and jobs.
func (s *stage) sweep(id int64, sha, conclusion string) {
	s.runs = append(s.runs, Run{
		ID: id, Workflow: ".github/workflows/run-sweep.yml", Event: "pull_request", Status: "completed", Conclusion: conclusion,
		HeadSHA: sha, HeadBranch: s.pr().HeadBranch, HeadRepo: repoName, CreatedAt: epoch,
	})
	for point := range 300 {
		lane := "agentic"
		if point == 0 {
			lane = "agentic eval"
		}
		job := Job{ID: id*1000 + int64(point), RunID: id, Attempt: 1, Name: fmt.Sprintf("%s / x c%d", lane, point), Status: "completed", Conclusion: conclusion}
		s.jobs[id] = append(s.jobs[id], job)
		s.checks = append(s.checks, CheckRun{ID: job.ID, Name: job.Name, HeadSHA: sha, Status: "completed", Conclusion: conclusion, DetailsURL: site + "/actions/runs/" + itoa(id) + "/job/1"})
	}
}

// signs lets the owner sign off citing a run, and counts what the verdict costs.
func (s *stage) signs(t testing.TB, run int) (body string) {
	t.Helper()
	s.calls = map[string]int{}
	said := s.say(12, signer, checklistText+fmt.Sprintf("see https://github.com/%s/actions/runs/%d\n", repoName, run))
	before := len(s.verdicts())
	decided, results := s.handle(s.commentEvent("created", said, signer))
	if results.Err() != nil || len(s.verdicts()) != before+1 {
		t.Fatal(codes(decided), results.Err())
	}
	return s.verdicts()[before].Body
}

// What the evidence of a sweep costs where nothing passes.
func TestSignOffRequestsOfSweeps(t *testing.T) {
	s := largePull(t, "", "failure")
	body := s.signs(t, 7001)
	// Up to nine permissions of owners may come on top (TestSignOffRequests).
	if s.total() > 18 {
		t.Errorf("%d requests: %v", s.total(), s.calls)
	}
	t.Logf("%d requests: %v", s.total(), s.calls)
	if !strings.Contains(body, "No passing sweep/eval was found on any commit in this PR. Run 7003 failed the agentic eval at c0") {
		t.Error(body)
	}
}

// The stated pull request: 100 files, 20 commits, 10 owners of whom eight are
// administrators and a team, three runs of 300 points. What check 1 reads of
// runs is counted apart.
func TestSignOffRequestsStated(t *testing.T) {
	s := largePull(t, "@a @b @c @d @e @f @g @h @other @acme/amd", "success")
	for _, login := range strings.Split("a b c d e f g h", " ") {
		s.permissions[login] = "admin" // each has to be asked for
	}
	s.bot.SignOffs.Beyond = func(string) Beyond { return countedBeyond{nothingBeyond{}, s} }
	body := s.signs(t, 7003)
	runs := s.calls["WorkflowRun"] + s.calls["WorkflowRuns"] + s.calls["Jobs"] + s.calls["Artifacts"] + s.calls["CheckRuns"]
	if own := s.total() - runs; own > 21 || runs > 6 {
		t.Errorf("%d requests and %d for runs: %v", own, runs, s.calls)
	}
	t.Logf("%d requests, and %d for runs: %v", s.total()-runs, runs, s.calls)
	if !strings.Contains(body, "Check 1 (Passing sweep on in-PR commit): PASS") {
		t.Error(body)
	}
}

// BenchmarkVerdict is our own time for a whole verdict of the stated pull
// request: git read, all checks decided, rendered, validated and published to a
// GitHub in memory.
func BenchmarkVerdict(b *testing.B) {
	s := largePull(b, "", "success")
	for b.Loop() {
		s.signs(b, 7003)
	}
}
