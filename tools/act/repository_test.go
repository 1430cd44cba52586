package act

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// root is the root of sweepbot, seen from this package.
const root = "../.."

// sample is a pull request on a copy of the sample repository, checked out at
// the merge of both sides, as GitHub does it.
type sample struct {
	dir              string
	base, head, sha  string
	repos, artifacts string
}

// caller is the workflow of a repository that uses ours. act takes a called
// workflow from the caller's own checkout only, so ours are copied there.
const caller = `name: Run Sweep
on:
  pull_request:
    types: [synchronize, labeled, unlabeled]
permissions: {}
jobs:
  sweep:
    permissions: { contents: read, actions: read, issues: read, pull-requests: read }
    uses: ./.github/workflows/sweep.yml
    with:
      sweepbot-ref: SWEEPBOT_SHA
    secrets:
      INFERENCEX_OFFICIAL_RO_HF_TOKEN: ${{ secrets.INFERENCEX_OFFICIAL_RO_HF_TOKEN }}
`

const entry = `
- config-keys:
    - orchid-fp8-aurora-vllm
  description:
    - "Measure Orchid again"
  pr-link: XXX
`

func newSample(t *testing.T) *sample {
	t.Helper()
	temp := t.TempDir()
	s := &sample{dir: filepath.Join(temp, "work"), repos: filepath.Join(temp, "repos"), artifacts: filepath.Join(temp, "artifacts")}
	mkdir(t, s.artifacts)
	toolSHA := released(t, filepath.Join(s.repos, "sweepbot", "sweepbot"), filepath.Join(temp, "release"))

	copyTree(t, filepath.Join(root, "testdata/sample"), s.dir)
	workflows := filepath.Join(s.dir, ".github/workflows")
	mkdir(t, workflows)
	ours, err := filepath.Glob(filepath.Join(root, ".github/workflows/sweep*.yml"))
	if err != nil || len(ours) == 0 {
		t.Fatal("no workflows found", err)
	}
	for _, name := range ours {
		write(t, filepath.Join(workflows, filepath.Base(name)), read(t, name))
	}
	write(t, filepath.Join(workflows, "sweep-family.yml"), flattened(t, workflows))
	write(t, filepath.Join(workflows, "run-sweep.yml"), strings.ReplaceAll(caller, "SWEEPBOT_SHA", toolSHA))
	s.base = commitAll(t, s.dir, "base")
	git(t, s.dir, "checkout", "-q", "-b", "change")
	log := filepath.Join(s.dir, "perf-changelog.yaml")
	write(t, log, read(t, log)+entry)
	s.head = commitAll(t, s.dir, "Measure again")
	git(t, s.dir, "checkout", "-q", "--detach", s.base)
	git(t, s.dir, "merge", "-q", "--no-ff", "-m", "merge", s.head)
	s.sha = git(t, s.dir, "rev-parse", "HEAD")
	git(t, s.dir, "remote", "add", "origin", "https://github.com/example/sample-bench")

	remote := filepath.Join(s.repos, "example", "sample-bench")
	mkdir(t, filepath.Dir(remote))
	git(t, filepath.Dir(remote), "clone", "-q", "--bare", s.dir, remote)
	git(t, remote, "update-ref", "refs/heads/main", s.base)
	git(t, remote, "update-ref", "refs/pull/7/merge", s.sha)
	return s
}

// released makes a commit of sweepbot that lists a release. act runs on one
// platform, so the program of the other is the same.
func released(t *testing.T, tool, release string) string {
	t.Helper()
	mkdir(t, release)
	program := filepath.Join(release, "sweepbot-linux-amd64")
	cmd := exec.Command("go", "build", "-o", program, "./cmd/sweepbot")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sum := sha256.Sum256([]byte(read(t, program)))
	manifest := "url file://" + release + "\n"
	for _, arch := range []string{"amd64", "arm64"} {
		write(t, filepath.Join(release, "sweepbot-linux-"+arch), read(t, program))
		manifest += hex.EncodeToString(sum[:]) + "  sweepbot-linux-" + arch + "\n"
	}
	mkdir(t, filepath.Join(tool, "release"))
	write(t, filepath.Join(tool, "action.yml"), read(t, filepath.Join(root, "action.yml")))
	write(t, filepath.Join(tool, "release/manifest"), manifest)
	return commitAll(t, tool, "sweepbot")
}

// event writes the payload of an event of a pull request that has a label:
// the label was just applied, or the branch was just pushed.
func (s *sample) event(t *testing.T, action, label string) string {
	t.Helper()
	changed := ""
	if action == "labeled" {
		changed = fmt.Sprintf(`"label": {"name": %q},`, label)
	}
	name := filepath.Join(filepath.Dir(s.dir), "event.json")
	write(t, name, fmt.Sprintf(`{
  "action": %q, "number": 7, %s
  "pull_request": {
    "number": 7, "draft": false, "title": "Measure again", "labels": [{"name": %q}], "user": {"login": "someone"},
    "head": {"sha": %q, "ref": "change", "repo": {"full_name": "example/sample-bench"}},
    "base": {"sha": %q, "ref": "main", "repo": {"full_name": "example/sample-bench"}}
  },
  "repository": {"full_name": "example/sample-bench", "default_branch": "main"}
}`, action, changed, label, s.head, s.base))
	return name
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// commitAll commits a folder and returns the commit.
func commitAll(t *testing.T, dir, message string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		git(t, dir, "init", "-q", "-b", "main")
	}
	git(t, dir, "add", "-A", "-f")
	git(t, dir, "commit", "-q", "-m", message)
	return git(t, dir, "rev-parse", "HEAD")
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

func mkdir(t *testing.T, name string) {
	t.Helper()
	if err := os.MkdirAll(name, 0o755); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// flattened is sweep-family.yml with the job of sweep-point.yml in the place of
// the call to it. act tells the result of a job to the workflow that calls it,
// but not to the one that calls that one in turn.
func flattened(t *testing.T, workflows string) string {
	t.Helper()
	family := read(t, filepath.Join(workflows, "sweep-family.yml"))
	point := read(t, filepath.Join(workflows, "sweep-point.yml"))
	_, body, ok := strings.Cut(point, "  benchmark:\n")
	head, _, ok2 := strings.Cut(family, "    uses: ./.github/workflows/sweep-point.yml\n")
	if !ok || !ok2 {
		t.Fatal("the workflows have other jobs than this test knows")
	}
	_, body, _ = strings.Cut(body, "\n") // its name: the family has one
	return head + strings.ReplaceAll(body, "inputs.point", "toJSON(matrix.point)")
}
