package jobs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// scene is a pull request on a repository, checked out at its merge, and the
// environment of a job in it.
type scene struct {
	t               *testing.T
	dir, temp       string
	base, head, sha string
	env             map[string]string
	log             bytes.Buffer
}

const sampleEntry = `
- config-keys:
    - orchid-fp8-aurora-vllm
    - basalt-fp4-boreal-dynamo-vllm
  description:
    - "Measure again"
  pr-link: XXX
`

// newScene makes a repository of the sample, with files replaced, and a pull
// request that appends a changelog entry.
func newScene(t *testing.T, entry string, replace map[string]string) *scene {
	t.Helper()
	s := &scene{t: t, dir: t.TempDir(), temp: t.TempDir()}
	if err := os.CopyFS(s.dir, os.DirFS("../../testdata/sample")); err != nil {
		t.Fatal(err)
	}
	for name, text := range replace {
		s.write(filepath.Join(s.dir, name), text)
	}
	s.git("init", "-q", "-b", "main")
	s.base = s.commit("base")
	s.git("checkout", "-q", "-b", "change")
	log := filepath.Join(s.dir, "perf-changelog.yaml")
	s.write(log, s.read(log)+entry)
	s.head = s.commit("Measure again")
	s.git("update-ref", "refs/remotes/origin/main", s.base)
	s.git("checkout", "-q", "--detach", s.base)
	s.git("merge", "-q", "--no-ff", "-m", "merge", s.head)
	s.sha = s.git("rev-parse", "HEAD")
	s.env = map[string]string{
		"GITHUB_WORKSPACE": s.dir, "RUNNER_TEMP": s.temp, "GITHUB_SHA": s.sha, "GITHUB_REPOSITORY": "example/sample-bench",
		"GITHUB_RUN_ID": "99", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_RUN_ATTEMPT": "1", "RUNNER_NAME": "aurora-rack_00", "PATH": os.Getenv("PATH"),
	}
	s.event("labeled", "full-sweep-fail-fast")
	s.fresh()
	return s
}

// event sets the payload of the run.
func (s *scene) event(action string, labels ...string) {
	var names []string
	for _, l := range labels {
		names = append(names, fmt.Sprintf(`{"name":%q}`, l))
	}
	s.env["GITHUB_EVENT_PATH"] = filepath.Join(s.temp, "event.json")
	heads := "" // GitHub tells both heads of a push to the pull request
	if action == "synchronize" {
		heads = fmt.Sprintf(`"before":%q,"after":%q,`, s.base, s.head)
	}
	s.write(s.env["GITHUB_EVENT_PATH"], fmt.Sprintf(`{"action":%q,`+heads+`"label":{"name":%q},"pull_request":{"number":7,"labels":[%s],
		"head":{"sha":%q,"ref":"change","repo":{"full_name":"example/sample-bench"}},"base":{"sha":%q,"ref":"main"}},
		"repository":{"id":1,"full_name":"example/sample-bench"}}`, action, labels[0], strings.Join(names, ","), s.head, s.base))
}

// fresh gives the next step its own files.
func (s *scene) fresh() {
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		s.env[name] = filepath.Join(s.temp, name)
		s.write(s.env[name], "")
	}
}

func (s *scene) host() *Host {
	var environ []string
	for name, value := range s.env {
		environ = append(environ, name+"="+value)
	}
	return &Host{
		Lookup:  func(name string) (string, bool) { v, ok := s.env[name]; return v, ok },
		Environ: environ, Log: &s.log, Language: catalog.English,
	}
}

// outputs are what the last step put out.
func (s *scene) outputs() map[string]string {
	out := make(map[string]string)
	lines := strings.Split(s.read(s.env["GITHUB_OUTPUT"]), "\n")
	for i := 0; i+2 < len(lines); i += 3 {
		name, end, ok := strings.Cut(lines[i], "<<")
		if !ok || lines[i+2] != end {
			s.t.Fatalf("output %q", lines[i:i+3])
		}
		out[name] = lines[i+1]
	}
	return out
}

// planned runs check and plan, and hands their outputs on as the workflow does.
func (s *scene) planned() map[string]string {
	s.t.Helper()
	if err := Check(s.t.Context(), s.host()); err != nil {
		s.t.Fatal(err)
	}
	checked := s.outputs()
	s.env["SWEEPBOT_BASE"], s.env["SWEEPBOT_COMMIT"] = checked["base"], checked["commit"]
	s.env["SWEEPBOT_PROGRAM"] = strings.Repeat("ab", 32)
	s.fresh()
	if err := Plan(s.t.Context(), s.host()); err != nil {
		s.t.Fatal(err)
	}
	out := s.outputs()
	s.env["SWEEPBOT_SWEEP"] = out["sweep"]
	// The artifact is downloaded into the folder of the program.
	files, err := os.ReadDir(filepath.Join(s.temp, "sweepbot/plan"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, f := range files {
		s.write(filepath.Join(s.temp, "sweepbot", f.Name()), s.read(filepath.Join(s.temp, "sweepbot/plan", f.Name())))
	}
	s.fresh()
	return out
}

func (s *scene) commit(message string) string {
	s.git("add", "-A")
	s.git("commit", "-q", "-m", message)
	return s.git("rev-parse", "HEAD")
}

func (s *scene) git(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", s.dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *scene) write(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scene) read(name string) string {
	s.t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(data)
}

// wantCode fails unless an error is, or begins with, a finding whose code
// begins with code.
func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var list diag.List
	var one diag.Finding
	switch {
	case errors.As(err, &list) && len(list) > 0:
		one = list[len(list)-1]
	case !errors.As(err, &one):
		t.Fatalf("got %v, want %s", err, code)
	}
	if !strings.HasPrefix(one.Code, code) {
		t.Fatalf("got %s, want %s", one.Code, code)
	}
}
