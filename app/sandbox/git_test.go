package sandbox

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// client runs the real git in a folder, as a user would.
type client struct {
	t   testing.TB
	dir string
}

func newClient(t testing.TB) client { return client{t, t.TempDir()} }

// try runs git and returns what it said.
func (c client) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = c.dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=Walt", "GIT_AUTHOR_EMAIL=walt@example.org", "GIT_COMMITTER_NAME=Walt", "GIT_COMMITTER_EMAIL=walt@example.org",
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return strings.TrimSpace(out.String()), err
}

func (c client) git(args ...string) string {
	c.t.Helper()
	out, err := c.try(args...)
	if err != nil {
		c.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// write adds a file and commits it.
func (c client) commit(name, text string) string {
	c.t.Helper()
	ok(c.t, os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o644))
	c.git("add", name)
	c.git("commit", "-q", "-m", "Change "+name)
	return c.git("rev-parse", "HEAD")
}

// remote is the address of a repository with a person's token.
func remote(t testing.TB, s *Server, login, repo string) string {
	t.Helper()
	if login == "" {
		return s.URL() + "/" + repo + ".git"
	}
	token := must(s.Token(login))(t)
	return strings.Replace(s.URL(), "http://", "http://x-access-token:"+token+"@", 1) + "/" + repo + ".git"
}

// clone clones the sample repository.
func clone(t testing.TB, s *Server, login string, args ...string) client {
	t.Helper()
	c := newClient(t)
	c.git(append([]string{"clone", "-q", remote(t, s, login, s.Repository()), "."}, args...)...)
	return c
}

func TestCloneAndPushFollowThePullRequest(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat/x", false)
	was, _ := s.Pull(n)

	c := clone(t, s, "walt-write")
	if out := c.git("ls-files", "-s", "benchmarks/run.sh"); !strings.HasPrefix(out, "100755") {
		t.Errorf("the executable bit is lost: %s", out)
	}
	c.git("switch", "-q", "feat/x")
	sha := c.commit("new.txt", "new\n")
	c.git("push", "-q")

	is, _ := s.Pull(n)
	if is.HeadSHA != sha || len(is.Commits) != 2 || is.MergeSHA == was.MergeSHA {
		t.Errorf("the pull request did not follow: %+v", is)
	}
	for ref, want := range map[string]string{"head": is.HeadSHA, "merge": is.MergeSHA} {
		c.git("fetch", "-q", "origin", pullRef(n, ref))
		if got := c.git("rev-parse", "FETCH_HEAD"); got != want {
			t.Errorf("refs/pull/%d/%s is %s, want %s", n, ref, got, want)
		}
	}
	if parents := c.git("log", "-1", "--format=%P", is.MergeSHA); parents != s.Tip("main")+" "+is.HeadSHA {
		t.Errorf("parents of the test merge: %s", parents)
	}
	if got := s.Runs(); len(got) != 1 || got[0].Event != "pull_request" || got[0].HeadSHA != sha || got[0].SHA != is.MergeSHA {
		t.Errorf("runs after the push: %+v", got)
	}
}

func TestFetchByCommitID(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "otto-outside", "feat", true)
	p, _ := s.Pull(n)
	c := newClient(t)
	c.git("init", "-q")
	for _, sha := range []string{p.HeadSHA, p.MergeSHA} {
		c.git("fetch", "-q", "--depth=1", remote(t, s, "", s.Repository()), sha)
	}
	c.git("clone", "-q", "--filter=blob:none", "--no-checkout", remote(t, s, "", s.Repository()), "partial")
}

func TestGitRights(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	for login, want := range map[string]string{
		"": "could not read Username", "remy-read": "denied to remy-read", "tess-triage": "denied to tess-triage",
	} {
		c := clone(t, s, login)
		c.git("switch", "-q", "-c", "try-"+login)
		c.commit("try.txt", login)
		if out, err := c.try("push", "-q", "origin", "HEAD"); err == nil || !strings.Contains(out, want) {
			t.Errorf("push by %q: %v %s", login, err, out)
		}
	}
	if got := sortedKeys(s.main.heads); len(got) != 1 {
		t.Errorf("branches after refused pushes: %v", got)
	}
}

func TestPrivateRepositoryIsHidden(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Private: true})
	for login, allowed := range map[string]bool{"": false, "otto-outside": false, "remy-read": true} {
		if _, err := newClient(t).try("clone", "-q", remote(t, s, login, s.Repository()), "x"); (err == nil) != allowed {
			t.Errorf("clone by %q: %v", login, err)
		}
		if got := as(t, s, login).get("pulls").status; got == 200 != allowed || !allowed && got != 404 {
			t.Errorf("GET pulls by %q: %d", login, got)
		}
	}
}

func TestRefsOfPullRequestsCannotBePushed(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	openPR(t, s, "walt-write", "feat", false)
	c := clone(t, s, "walt-write")
	if out, err := c.try("push", "origin", "HEAD:refs/pull/1/head"); err == nil || !strings.Contains(out, "hidden ref") {
		t.Errorf("push to refs/pull: %v %s", err, out)
	}
}

// A push above git's post buffer is sent in chunks.
func TestLargePush(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	c := clone(t, s, "walt-write")
	big := make([]byte, 3<<20)
	seed := uint32(1)
	for i := range big {
		seed = seed*1664525 + 1013904223
		big[i] = byte(seed >> 24)
	}
	sha := c.commit("big.bin", string(big))
	c.git("push", "-q", "origin", "HEAD:refs/heads/big")
	if s.Tip("big") != sha {
		t.Errorf("branch big is %s, want %s", s.Tip("big"), sha)
	}
	c.git("push", "-q", "origin", ":refs/heads/big")
	if s.Tip("big") != "" {
		t.Error("the branch was not deleted")
	}
}

func TestForksAreRepositoriesOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "otto-outside", "feat", true)
	fork := "otto-outside/inference"
	c := newClient(t)
	c.git("clone", "-q", remote(t, s, "otto-outside", fork), ".", "-b", "feat")
	sha := c.commit("fork.txt", "fork\n")
	c.git("push", "-q")
	if p, _ := s.Pull(n); p.HeadSHA != sha || p.HeadRepo != fork {
		t.Errorf("pull request of the fork: %+v", p)
	}
	if s.Tip("feat") != "" {
		t.Error("the branch of the fork is in the base repository")
	}
	if _, err := newClient(t).try("clone", "-q", remote(t, s, "", s.Repository()), "x", "-b", "feat"); err == nil {
		t.Error("a clone of the base has the fork's branch")
	}
	ok(t, s.DeleteFork("otto-outside"))
	as(t, s, "ada-admin").get("pulls/1").is(200).has("head.repo", nil, "state", "closed", "head.sha", sha)
}

func TestForcePushAndConflict(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat", false)
	first, _ := s.Pull(n)
	walt := s.As("walt-write")
	must(walt.Push(t.Context(), n, Edit{Files: map[string]string{"a.txt": "a\n"}}))(t)
	ok(t, walt.ForcePush(t.Context(), n, first.HeadSHA))
	if p, _ := s.Pull(n); p.HeadSHA != first.HeadSHA || len(p.Commits) != 1 {
		t.Errorf("after the force push: %+v", p)
	}
	a := as(t, s, "walt-write")
	if events := a.get("issues/1/events").is(200).texts("", "event"); strings.Join(events, " ") != "head_ref_force_pushed" {
		t.Errorf("events: %v", events)
	}
	must(s.As("mina-maintain").PushBranch(t.Context(), "main", Edit{Files: map[string]string{"perf-changelog.yaml": "other\n"}}))(t)
	a.get("pulls/1").is(200).has("mergeable", false, "mergeable_state", "dirty", "merge_commit_sha", nil)
	runs := len(s.Runs())
	ok(t, s.As("tess-triage").AddLabel(t.Context(), n, "full-sweep-enabled"))
	if got := len(s.Runs()); got != runs {
		t.Errorf("N26: %d runs started in spite of the conflict", got-runs)
	}
	if _, err := s.As("mina-maintain").Merge(t.Context(), n, "merge"); err == nil || !strings.Contains(err.Error(), "405") {
		t.Errorf("merging a conflict: %v", err)
	}
}

func TestMergeMethods(t *testing.T) {
	t.Parallel()
	for method, parents := range map[string]int{"merge": 2, "squash": 1} {
		s := start(t, Options{})
		n := openPR(t, s, "walt-write", "feat", false)
		must(s.As("walt-write").Push(t.Context(), n, Edit{Message: "More [skip-sweep]", Files: map[string]string{"b": "b"}}))(t)
		sha := must(s.As("mina-maintain").Merge(t.Context(), n, method))(t)
		a := as(t, s, "walt-write")
		a.get("pulls/1").is(200).has("merged", true, "state", "closed", "merge_commit_sha", sha, "merged_by.login", "mina-maintain")
		commit := a.get("commits/main").is(200).has("sha", sha)
		if commit.count("parents") != parents {
			t.Errorf("%s made %d parents", method, commit.count("parents"))
		}
		message := commit.at("commit.message").(string)
		if method == "squash" && (!strings.HasPrefix(message, "Add feat (#1)") || !strings.Contains(message, "* More [skip-sweep]")) {
			t.Errorf("F25: message of the squash: %q", message)
		}
		a.get("commits/"+sha+"/pulls").is(200).has("0.number", n)
		if _, err := s.As("mina-maintain").Merge(t.Context(), n, method); err == nil {
			t.Error("merged twice")
		}
	}
}

// A push that contains the head of a pull request merges it.
func TestMergeByPush(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat", false)
	c := clone(t, s, "mina-maintain")
	c.git("merge", "-q", "--no-ff", "-m", "Merge by hand", "origin/feat")
	c.git("push", "-q")
	if p, _ := s.Pull(n); !p.Merged || p.MergeSHA != s.Tip("main") {
		t.Errorf("after the push: %+v", p)
	}
}

func TestUpdateBranch(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	for _, fork := range []bool{false, true} {
		login := map[bool]string{false: "walt-write", true: "otto-outside"}[fork]
		n := openPR(t, s, login, "feat", fork)
		must(s.As("mina-maintain").PushBranch(t.Context(), "main", Edit{Files: map[string]string{login: "x\n"}}))(t)
		ok(t, s.As(login).UpdateBranch(t.Context(), n))
		p, _ := s.Pull(n)
		as(t, s, login).get("compare/main..."+p.HeadSHA).is(200).has("behind_by", 0, "ahead_by", 2, "status", "ahead")
	}
}
