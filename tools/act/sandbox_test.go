package act

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sweepbot/sweepbot/app/actrun"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/testdata"
)

// root is the root of sweepbot, seen from this package.
const root = "../.."

// programs are act and sweepbot, built once.
var programs struct{ act, sweepbot string }

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "act-test-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		programs.act, programs.sweepbot = filepath.Join(dir, "act"), filepath.Join(dir, "sweepbot")
		for _, build := range []*exec.Cmd{
			exec.Command("go", "build", "-o", programs.act, "github.com/nektos/act"),
			exec.Command("go", "build", "-C", root, "-trimpath", "-ldflags=-s -w", "-o", programs.sweepbot, "./cmd/sweepbot"),
		} {
			build.Env = append(os.Environ(), "CGO_ENABLED=0")
			if out, err := build.CombinedOutput(); err != nil {
				fmt.Fprintf(os.Stderr, "%v: %v\n%s", build.Args, err, out)
				return 1
			}
		}
		return m.Run()
	}())
}

// The people of the tests, and a secret that no log may hold.
const (
	author     = "nora-author"
	maintainer = "milo-maintains"
	secretName = "INFERENCEX_OFFICIAL_RO_HF_TOKEN"
	secret     = "secret-of-the-test"
)

// entry is the changelog entry of the pull request.
const entry = `
- config-keys:
    - orchid-fp8-aurora-vllm
  description:
    - "Measure Orchid again"
  pr-link: XXX
`

// stage is a sandbox with the sample repository, in which sweepbot is
// installed, and a pull request that measures again.
type stage struct {
	t      *testing.T
	github *sandbox.Server
	pull   int
}

// newStage opens the pull request. Only events for which runs says so are run;
// the other runs end without a job.
func newStage(t *testing.T, runs func(req sandbox.RunRequest) bool) *stage {
	t.Helper()
	dir := t.TempDir()
	engine, err := actrun.New(actrun.Options{
		Program: programs.act, Dir: dir, Environment: []string{"PATH=" + os.Getenv("PATH"), "SAMPLE_SLEEP=0"},
		Labels: []string{"cluster:aurora", "cluster:boreal"}, RunnerName: "aurora-rack_00",
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := testdata.Sample()
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t}
	s.github, err = sandbox.Start(context.Background(), sandbox.Options{
		Repository: "example/sample-bench", Seed: files, Secrets: map[string]string{secretName: secret},
		People: []sandbox.Account{
			{Login: "ada-admin", Role: "admin", Member: "public"}, {Login: author, Role: "write"}, {Login: maintainer, Role: "maintain", Member: "public"},
		},
		Labels: map[string]string{"full-sweep-fail-fast": "", "full-sweep-enabled": ""},
		Engine: sandbox.EngineFunc(func(ctx context.Context, req sandbox.RunRequest) {
			if runs(req) {
				engine.Start(ctx, req)
			}
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.github.Close(); err != nil {
			t.Error(err)
		}
	})
	const changelog = "perf-changelog.yaml"
	s.must(actrun.Install(t.Context(), s.github, actrun.Installation{Admin: "ada-admin", Program: programs.sweepbot, Dir: dir, Changelog: changelog}))
	s.pull, err = s.github.As(author).OpenPR(t.Context(), sandbox.PullSpec{
		Title: "Measure again", Branch: "again",
		Edit: sandbox.Edit{Files: map[string]string{changelog: string(files[changelog].Data) + entry}},
	})
	s.must(err)
	return s
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// get asks the API of the sample repository, as a person who may only look.
func (s *stage) get(address string) []byte {
	s.t.Helper()
	token, err := s.github.Token(author)
	s.must(err)
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.github.URL()+"/api/v3/repos/example/sample-bench/"+address, nil)
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	s.must(err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	s.must(err)
	if resp.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %s: %.200s", address, resp.Status, data)
	}
	return data
}

// run is what the API tells of a run.
type run struct {
	ID                              int64
	Status, Conclusion, Event, Name string
	HeadSHA                         string `json:"head_sha"`
	RunAttempt                      int    `json:"run_attempt"`
	jobs                            []job
	artifacts                       map[string]int64 // ids by name
}

// job is what the API tells of a job.
type job struct {
	ID                       int64
	Name, Status, Conclusion string
	RunAttempt               int `json:"run_attempt"`
	Steps                    []struct{ Name, Conclusion string }
}

// newest waits until nothing happens any more and returns the newest run.
func (s *stage) newest() run {
	s.t.Helper()
	s.must(s.github.Settle(s.t.Context()))
	var runs struct {
		WorkflowRuns []run `json:"workflow_runs"`
	}
	s.must(json.Unmarshal(s.get("actions/runs"), &runs))
	if len(runs.WorkflowRuns) == 0 {
		s.t.Fatal("nothing ran")
	}
	r := runs.WorkflowRuns[0]
	var jobs struct{ Jobs []job }
	s.must(json.Unmarshal(s.get(fmt.Sprintf("actions/runs/%d/jobs?per_page=100", r.ID)), &jobs))
	r.jobs, r.artifacts = jobs.Jobs, make(map[string]int64)
	var artifacts struct {
		Artifacts []struct {
			ID   int64
			Name string
		}
	}
	s.must(json.Unmarshal(s.get(fmt.Sprintf("actions/runs/%d/artifacts?per_page=100", r.ID)), &artifacts))
	for _, a := range artifacts.Artifacts {
		r.artifacts[a.Name] = a.ID
	}
	return r
}

// names are the names of the jobs in their order.
func (r run) names() []string {
	var out []string
	for _, j := range r.jobs {
		out = append(out, j.Name)
	}
	return out
}

// log is the log of a job.
func (s *stage) log(j job) string {
	s.t.Helper()
	return string(s.get(fmt.Sprintf("actions/jobs/%d/logs", j.ID)))
}

// file downloads an artifact and returns a file of it.
func (s *stage) file(r run, artifact, name string) []byte {
	s.t.Helper()
	id, found := r.artifacts[artifact]
	if !found {
		s.t.Fatalf("no artifact %s", artifact)
	}
	archive := s.get(fmt.Sprintf("actions/artifacts/%d/zip", id))
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	s.must(err)
	f, err := z.Open(name)
	s.must(err)
	defer f.Close()
	data, err := io.ReadAll(f)
	s.must(err)
	return data
}

// decode reads a JSON file of an artifact.
func decode[T any](s *stage, r run, artifact, name string) T {
	s.t.Helper()
	var v T
	s.must(json.Unmarshal(s.file(r, artifact, name), &v))
	return v
}
