package act

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// standins are the actions that are replaced, by name.
var standins = []string{"checkout", "upload-artifact", "download-artifact"}

var used = regexp.MustCompile(`uses:\s*(?:&\w+\s+)?(actions/([\w-]+)@[0-9a-f]{40})`)

// localRepositories maps every third-party action of the workflows to its
// stand-in. One without a stand-in fails the test: act would fetch it.
func localRepositories(t *testing.T, s *sample) []string {
	t.Helper()
	here, err := filepath.Abs("standins")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(s.dir, ".github/workflows/*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string]bool)
	for _, name := range names {
		for _, m := range used.FindAllStringSubmatch(read(t, name), -1) {
			if !slices.Contains(standins, m[2]) {
				t.Fatalf("%s uses %s, which has no stand-in", name, m[1])
			}
			found[m[1]+"="+filepath.Join(here, m[2])] = true
		}
	}
	var args []string
	for _, one := range slices.Sorted(maps.Keys(found)) {
		args = append(args, "--local-repository", one)
	}
	return args
}

// run runs the sweep and returns the log and whether act succeeded.
func run(t *testing.T, s *sample, g *github, event string, env ...string) (string, bool) {
	t.Helper()
	program := os.Getenv("ACT")
	if program == "" {
		program = filepath.Join(t.TempDir(), "act")
		if out, err := exec.Command("go", "build", "-o", program, "github.com/nektos/act").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	args := []string{
		"pull_request", "-W", ".github/workflows/run-sweep.yml", "-e", event, "--no-skip-checkout",
		// The map of local repositories of act is not for several jobs at once.
		"--concurrent-jobs", "1",
		"-P", "ubuntu-latest=-self-hosted", "-P", "cluster:aurora=-self-hosted", "-P", "cluster:boreal=-self-hosted",
		"--github-instance", g.host(), "-s", "GITHUB_TOKEN=token-of-the-test", "-s", "INFERENCEX_OFFICIAL_RO_HF_TOKEN=secret-of-the-test",
	}
	for _, one := range append(env,
		"STANDIN_REPOS="+s.repos, "STANDIN_ARTIFACTS="+s.artifacts, "SSL_CERT_FILE="+g.certificate,
		"RUNNER_NAME=aurora-rack_00", "SAMPLE_SLEEP=0") {
		args = append(args, "--env", one)
	}
	cmd := exec.Command(program, append(args, localRepositories(t, s)...)...)
	cmd.Dir = s.dir
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// uploaded are the names of the artifacts.
func (s *sample) uploaded(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(s.artifacts)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func count(names []string, prefix string) int {
	n := 0
	for _, name := range names {
		if strings.HasPrefix(name, prefix) {
			n++
		}
	}
	return n
}

// measured is what every artifact of a point says it was measured on.
type measured struct {
	Base, Head, Commit, Tree, Point, Artifact string
}

// rows reads a JSON array of an artifact.
func (s *sample) rows(t *testing.T, name string) []map[string]any {
	t.Helper()
	var rows []map[string]any
	if err := json.Unmarshal([]byte(read(t, filepath.Join(s.artifacts, name))), &rows); err != nil {
		t.Fatal(name, err)
	}
	return rows
}

// wantCounts compares the number of artifacts by what their names begin with.
func (s *sample) wantCounts(t *testing.T, log string, want map[string]int) {
	t.Helper()
	names := s.uploaded(t)
	for _, prefix := range slices.Sorted(maps.Keys(want)) {
		if got := count(names, prefix); got != want[prefix] {
			t.Errorf("%d artifacts %s..., want %d", got, prefix, want[prefix])
		}
	}
	if t.Failed() {
		t.Log(strings.Join(names, "\n"))
		t.Log(log)
	}
}

func TestLabeledEventToCollectedArtifacts(t *testing.T) {
	s, g := newSample(t), newGitHub(t, "[]")
	log, ok := run(t, s, g, s.event(t, "labeled", "full-sweep-fail-fast"))
	if !ok {
		t.Error("the sweep is red")
	}
	s.wantCounts(t, log, map[string]int{
		"bmk_": 9, "power_audit_": 9, "eval_orchid": 2,
		"results_bmk": 1, "eval_results_all": 1, "changelog-metadata": 1, "run-stats": 1, "sweepbot-": 2,
	})
	if t.Failed() {
		return
	}
	if n := len(s.rows(t, "results_bmk/agg_bmk.json")); n != 9 {
		t.Errorf("%d rows collected, want 9", n)
	}
	if n := len(s.rows(t, "eval_results_all/agg_eval_all.json")); n != 2 {
		t.Errorf("%d evals collected, want 2", n)
	}
	s.everyPointIsPinned(t)
	if got := read(t, filepath.Join(s.artifacts, "run-stats/run_stats.json")); strings.Join(strings.Fields(got), "") != `{"aurora":{"n_success":1,"total":1}}` {
		t.Errorf("run_stats.json is %s", got)
	}
	if strings.Contains(strings.Join(g.asked, " "), "comments") {
		t.Error("a label event asked for reuse commands")
	}
	if strings.Contains(log, "secret-of-the-test") {
		t.Error("a secret is in the log")
	}
}

// everyPointIsPinned wants the pins of the sweep in every artifact of a point.
func (s *sample) everyPointIsPinned(t *testing.T) {
	t.Helper()
	tree := git(t, s.dir, "rev-parse", s.sha+"^{tree}")
	points := make(map[string]bool)
	for _, name := range s.uploaded(t) {
		if strings.HasPrefix(name, "sweepbot-") || slices.Contains([]string{"results_bmk", "eval_results_all", "changelog-metadata", "run-stats"}, name) {
			continue
		}
		var m measured
		if err := json.Unmarshal([]byte(read(t, filepath.Join(s.artifacts, name, "measured.jsonl"))), &m); err != nil {
			t.Fatal(name, err)
		}
		if m.Commit != s.sha || m.Tree != tree || m.Base != s.base || m.Head != s.head || m.Artifact != name {
			t.Errorf("%s was measured on %+v", name, m)
		}
		points[m.Point] = true
	}
	if len(points) != 11 {
		t.Errorf("artifacts of %d points, want 11", len(points))
	}
}

func TestReuseCommandStopsASynchronizeEvent(t *testing.T) {
	s := newSample(t)
	g := newGitHub(t, `[{"id":1,"body":"/use 4711","author_association":"MEMBER","user":{"id":5,"login":"someone","type":"User"}}]`)
	log, ok := run(t, s, g, s.event(t, "synchronize", "full-sweep-enabled"))
	if ok {
		t.Error("a command that nobody can judge lets the sweep be green")
	}
	s.wantCounts(t, log, map[string]int{"sweepbot-program": 1, "sweepbot-plan": 0})
}
