package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// commandLine is GitHub's own command line, aimed at a sandbox.
type commandLine struct {
	t       *testing.T
	program string
	dir     string
	env     []string
}

// ghFor finds the program, or skips; SWEEPBOT_REQUIRE_GH=1 insists on it.
func ghFor(t *testing.T, env ...string) commandLine {
	t.Helper()
	program, err := exec.LookPath("gh")
	switch {
	case err != nil && os.Getenv("SWEEPBOT_REQUIRE_GH") == "1":
		t.Fatal(err)
	case err != nil:
		t.Skip("gh is not installed (SWEEPBOT_REQUIRE_GH=1 insists on it)")
	}
	dir := t.TempDir()
	return commandLine{t, program, dir, append(env,
		"PATH="+os.Getenv("PATH"), "HOME="+dir, "TMPDIR="+dir, "GH_NO_UPDATE_NOTIFIER=1", "NO_COLOR=1", "GH_PROMPT_DISABLED=1",
	)}
}

// overTLS is gh with a sandbox as an enterprise host, as docs/sandbox.md has it.
func overTLS(t *testing.T, s *Server) commandLine {
	t.Helper()
	return ghFor(t, "GH_HOST="+strings.TrimPrefix(s.TLSURL(), "https://"), "GH_ENTERPRISE_TOKEN="+must(s.Token("walt-write"))(t), "SSL_CERT_FILE="+s.CAFile())
}

func (c commandLine) run(args ...string) (string, error) {
	cmd := exec.Command(c.program, args...)
	cmd.Dir, cmd.Env = c.dir, c.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// works runs a command that must succeed and print a text.
func (c commandLine) works(want string, args ...string) {
	c.t.Helper()
	if out, err := c.run(args...); err != nil || !strings.Contains(out, want) {
		c.t.Errorf("gh %s: %v\n%s\nwant %q", strings.Join(args, " "), err, out, want)
	}
}

// prints runs a command that must succeed and print exactly these lines.
func (c commandLine) prints(want string, args ...string) {
	c.t.Helper()
	out, err := c.run(args...)
	if got := strings.Join(strings.Fields(out), " "); err != nil || got != want {
		c.t.Errorf("gh %s: %v\n%q\nwant %q", strings.Join(args, " "), err, got, want)
	}
}

func TestGitHubCommandLine(t *testing.T) {
	t.Parallel()
	s := start(t, Options{TLS: true, Labels: map[string]string{"bug": "", "full-sweep": "", "canary": ""}})
	gh := overTLS(t, s)
	repo := []string{"-R", s.Repository()}
	in := func(args ...string) []string { return append(args, repo...) }
	id := itoa(finished(t, s))

	ghPulls(t, gh, s)
	gh.works("e2e Test - x", in("run", "list")...)
	gh.works("e2e Test - x", "run", "list", "-R", strings.TrimPrefix(s.TLSURL(), "https://")+"/"+s.Repository())
	gh.works("single-node 1k1k", in("run", "view", id)...)
	gh.works("no luck", in("run", "view", id, "--log")...)
	gh.works("no luck", in("run", "view", id, "--log-failed")...)
	job, _ := gh.run("api", "repos/"+s.Repository()+"/actions/runs/"+id+"/jobs", "--jq", ".jobs[0].id")
	gh.works("hello", "api", "repos/"+s.Repository()+"/actions/jobs/"+strings.TrimSpace(job)+"/logs")
	gh.works("", in("run", "download", id, "-n", "results_bmk", "-D", "results")...)
	if _, err := os.Stat(filepath.Join(gh.dir, "results/agg_bmk.json")); err != nil {
		t.Error(err)
	}
	gh.works("completed with 'failure'", in("run", "watch", id)...)
	gh.works("e2e Test", in("workflow", "list")...)
	gh.works("", in("workflow", "disable", "e2e-tests.yml")...)
	gh.works("", in("workflow", "enable", "e2e-tests.yml")...)
	gh.works("Total runs 1", in("workflow", "view", "e2e-tests.yml")...)
	before := len(s.Runs())
	gh.works("", in("workflow", "run", "e2e-tests.yml", "--ref", "main", "-f", "test-name=y")...)
	gh.works("", in("run", "rerun", id)...)
	gh.works("", in("run", "cancel", id)...)
	if got := len(s.Runs()) - before; got != 1 {
		t.Errorf("%d new runs, want 1", got)
	}
	gh.works("", in("label", "create", "new", "--color", "ff0000")...)
	gh.works("", in("label", "delete", "new", "--yes")...)
}

// ghPulls reads and writes pull requests, comments and labels with gh api, over
// several pages.
func ghPulls(t *testing.T, gh commandLine, s *Server) {
	t.Helper()
	for _, branch := range []string{"one", "two", "three"} {
		openPR(t, s, "walt-write", branch, false)
	}
	base := "repos/" + s.Repository()
	gh.prints("walt-write", "api", "user", "--jq", ".login")
	gh.prints("3 2 1", "api", "--paginate", base+"/pulls?per_page=1", "--jq", ".[].number")
	gh.works("+- config-keys:", "pr", "diff", "1", "-R", s.Repository())
	for i := range 5 {
		gh.works("walt-write", "api", base+"/issues/1/comments", "-f", fmt.Sprintf("body=c%d", i))
	}
	gh.prints("c0 c1 c2 c3 c4", "api", "--paginate", base+"/issues/1/comments?per_page=2", "--jq", ".[].body")
	gh.prints("bug canary full-sweep", "api", "--paginate", base+"/labels?per_page=2", "--jq", ".[].name")
	gh.works("canary", "api", base+"/issues/1/labels", "-f", "labels[]=bug", "-f", "labels[]=canary", "-f", "labels[]=full-sweep")
	gh.prints("bug canary full-sweep", "api", "--paginate", base+"/issues/1/labels?per_page=1", "--jq", ".[].name")
	gh.works("bug", "api", "-X", "DELETE", base+"/issues/1/labels/canary")
}

// needGraphQL are the commands that the other API would have to answer, as
// docs/sandbox.md lists them.
var needGraphQL = []string{
	"pr list", "pr view 1", "pr create --title t --body b --head two", "pr comment 1 --body b", "pr checks 1", "pr checkout 1", "pr close 1",
	"pr edit 1 --title t", "pr merge 1 --squash", "pr ready 1", "pr reopen 1", "pr review 1 --approve",
	"issue list", "issue view 1", "issue create --title t --body b", "issue comment 1 --body b", "issue close 1", "issue edit 1 --title t", "issue status",
	"label list", "release list", "workflow run e2e-tests.yml",
}

// Commands that need GraphQL say that it is missing, and change nothing.
func TestGitHubCommandLineNeedsGraphQL(t *testing.T) {
	t.Parallel()
	s := start(t, Options{TLS: true})
	gh := overTLS(t, s)
	openPR(t, s, "walt-write", "one", false)
	commands := [][]string{{"repo", "view", s.Repository()}, {"repo", "list"}, {"api", "graphql", "-f", "query={viewer{login}}"}, {"auth", "status"}}
	for _, command := range needGraphQL {
		commands = append(commands, append(strings.Fields(command), "-R", s.Repository()))
	}
	for _, args := range commands {
		if out, err := gh.run(args...); err == nil || !strings.Contains(out, "does not serve GraphQL") {
			t.Errorf("gh %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	if p, _ := s.Pull(1); p.State != "open" || p.Title != "Add one" || len(s.Runs()) != 0 {
		t.Errorf("something was changed: %+v", p)
	}
}

// The guide lists every command that needs GraphQL.
func TestGuideListsWhatNeedsGraphQL(t *testing.T) {
	guide := string(must(os.ReadFile("../../docs/sandbox.md"))(t))
	_, guide, _ = strings.Cut(guide, "The other API, GraphQL, is not served.")
	for _, command := range needGraphQL {
		words := strings.Fields(command)
		_, row, _ := strings.Cut(guide, "| `gh "+words[0]+"` |")
		row, _, _ = strings.Cut(row, "\n")
		if !strings.Contains(row, "`"+words[1]+"`") && !strings.Contains(guide, "`gh "+words[0]+" "+words[1]+"`") {
			t.Errorf("docs/sandbox.md does not list gh %s %s", words[0], words[1])
		}
	}
}

// Without TLS gh takes the sandbox for a proxy to github.localhost, the one host
// that it speaks plain HTTP with.
func TestGitHubCommandLineWithoutTLS(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	id := itoa(finished(t, s))
	gh := ghFor(t, "HTTP_PROXY="+s.URL(), "GH_HOST=github.localhost", "GH_TOKEN="+must(s.Token("walt-write"))(t), "GH_REPO=github.localhost/"+s.Repository())
	gh.prints("walt-write", "api", "user", "--jq", ".login")
	gh.works("e2e Test - x", "run", "list")
	gh.works("", "run", "download", id, "-n", "results_bmk")
	if _, err := os.Stat(filepath.Join(gh.dir, "agg_bmk.json")); err != nil {
		t.Error(err)
	}
	gh.works("", "workflow", "run", "e2e-tests.yml", "--ref", "main", "-f", "test-name=y")
}
