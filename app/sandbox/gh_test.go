package sandbox

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// GitHub's own command line works against the sandbox: it takes the sandbox for
// a proxy to the host github.localhost, the one that it speaks HTTP with.
func TestGitHubCommandLine(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("gh")
	if err != nil {
		t.Skip("gh is not installed")
	}
	s := start(t, Options{})
	id := finished(t, s)
	openPR(t, s, "walt-write", "feat", false)
	dir := t.TempDir()
	gh := func(want string, args ...string) {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		cmd.Env = []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "HTTP_PROXY=" + s.URL(), "GH_HOST=github.localhost", "GH_REPO=github.localhost/" + s.Repository(),
			"GH_TOKEN=" + must(s.Token("walt-write"))(t), "GH_NO_UPDATE_NOTIFIER=1", "NO_COLOR=1", "GH_PROMPT_DISABLED=1",
		}
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("gh %s: %v\n%s\nwant %q", strings.Join(args, " "), err, out, want)
		}
	}
	gh("walt-write", "api", "user", "--jq", ".login")
	gh("e2e Test - x", "run", "list")
	gh("single-node 1k1k", "run", "view", itoa(id))
	gh("no luck", "run", "view", itoa(id), "--log")
	gh("e2e Test", "workflow", "list")
	gh("", "workflow", "run", "e2e-tests.yml", "--ref", "main", "-f", "test-name=y")
	gh("", "run", "download", itoa(id), "-n", "results_bmk")
	if _, err := os.Stat(dir + "/agg_bmk.json"); err != nil {
		t.Error(err)
	}
	gh("", "run", "rerun", itoa(id))
	gh("", "run", "cancel", itoa(id))
	gh("Add feat", "api", "--paginate", "repos/{owner}/{repo}/pulls?per_page=1", "--jq", ".[].title")
	if got := len(s.Runs()); got != 2 {
		t.Errorf("%d runs, want 2", got)
	}
}
