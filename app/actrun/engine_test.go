package actrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// The records of three jobs: one with a composite action, and two of a matrix.
// One of these fails; the other is green by its steps, though act says of both
// that the matrix failed.
const records = `{"job":"sweep/sweep/setup   ","level":"info","matrix":{},"msg":"⭐ Run Set up job","step":"Set up job","stepid":["--setup-job"]}
{"job":"sweep/sweep/setup","level":"info","matrix":{},"msg":"  ✅  Success - Set up job","step":"Set up job","stepResult":"success","stepid":["--setup-job"]}
{"job":"sweep/sweep/setup","level":"info","matrix":{},"msg":"⭐ Run Pre x","stage":"Pre","step":"x","stepID":["0"]}
{"job":"sweep/sweep/setup","level":"info","matrix":{},"msg":"⭐ Run Main first\nsecond","stage":"Main","step":"first\nsecond","stepID":["0"]}
{"job":"sweep/sweep/setup","level":"info","matrix":{},"msg":"⭐ Run Main inner","stage":"Main","step":"first","stepID":["0","a"]}
{"job":"sweep/sweep/setup","level":"info","matrix":{},"msg":"hello\n","raw_output":true,"stage":"Main","step":"first","stepID":["0","a"]}
{"job":"sweep/sweep/setup","level":"info","matrix":{},"msg":"inner failed and was forgiven","stepResult":"failure","stage":"Main","step":"first","stepID":["0","a"]}
{"job":"sweep/sweep/setup","level":"warning","matrix":{},"msg":"  ::warning::careful","command":"warning","arg":"careful","kvPairs":{"file":"a","line":"3"},"stage":"Main","step":"first","stepID":["0"]}
{"job":"sweep/sweep/setup","level":"info","matrix":{},"msg":"  Success - Main first","stepResult":"success","stage":"Main","step":"first","stepID":["0"]}
{"job":"sweep/sweep/setup","level":"info","matrix":{},"msg":"summary","command":"summary","content":"# Done","stage":"Main","step":"first","stepID":["0"]}
{"job":"sweep/sweep/setup","level":"info","matrix":{},"msg":"Job succeeded","jobResult":"success"}
no record
{"job":"sweep/sweep/p1-1","level":"info","matrix":{"point":{"id":"p1"}},"msg":"⭐ Run Set up job","step":"Set up job","stepid":["--setup-job"]}
{"job":"sweep/sweep/p2-2","level":"info","matrix":{"point":{"id":"p2"}},"msg":"⭐ Run Set up job","step":"Set up job","stepid":["--setup-job"]}
{"job":"sweep/sweep/p1-1","level":"info","matrix":{"point":{"id":"p1"}},"msg":"⭐ Run Main launch","stage":"Main","step":"launch","stepID":["0"]}
{"job":"sweep/sweep/p1-1","level":"error","matrix":{"point":{"id":"p1"}},"msg":"exit status 1","stepResult":"failure","stage":"Main","step":"launch","stepID":["0"]}
{"job":"sweep/sweep/p1-1","level":"info","matrix":{"point":{"id":"p1"}},"msg":"Job failed","jobResult":"failure"}
{"job":"sweep/sweep/p2-2","level":"info","matrix":{"point":{"id":"p2"}},"msg":"Job failed","jobResult":"failure"}
`

func TestRunIsFollowed(t *testing.T) {
	t.Parallel()
	b := newBench(t, records, "exit 1", nil, map[string]string{"bmk_p1/row.json": "{}", "bmk_p1/deep/er.txt": "x"})
	b.label()
	r := b.run()
	want := []sandbox.JobResult{{Name: "sweep / setup", Conclusion: "success"}, {Name: "sweep / p1", Conclusion: "failure"}, {Name: "sweep / p2", Conclusion: "success"}}
	if d := cmp.Diff(want, r.Jobs); d != "" || r.Conclusion != "failure" {
		t.Error(r.Conclusion, d)
	}
	if d := cmp.Diff([]string{"sweep / setup: success", "sweep / p1: failure", "sweep / p2: success"}, b.ended); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"bmk_p1"}, r.Artifacts); d != "" {
		t.Error(d)
	}
	b.pageShows(r.ID, "Set up job", "first", "hello", "careful", "Done")
	b.startedSafely(r)
}

// pageShows wants words on the page of the first job.
func (b *bench) pageShows(run int64, words ...string) {
	b.t.Helper()
	var jobs struct {
		Jobs []struct {
			HTML  string `json:"html_url"`
			Steps []struct{ Name string }
		}
	}
	b.must(json.Unmarshal(b.get(fmt.Sprintf("%s/api/v3/repos/acme-bench/inference/actions/runs/%d/jobs", b.github.URL(), run)), &jobs))
	page := string(b.get(jobs.Jobs[0].HTML))
	for _, word := range words {
		if !strings.Contains(page, word) {
			b.t.Errorf("the page has no %q:\n%s", word, page)
		}
	}
	for _, step := range jobs.Jobs[0].Steps {
		if step.Name != setUp && step.Name != "first" {
			b.t.Errorf("%q is no step", step.Name)
		}
	}
}

func (b *bench) get(address string) []byte {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, address, nil)
	b.must(err)
	resp, err := http.DefaultClient.Do(req)
	b.must(err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	b.must(err)
	return data
}

// startedSafely looks at how act was started: with the event of the sandbox,
// and with no secret where jobs or other users of the machine see it.
func (b *bench) startedSafely(r sandbox.RunState) {
	b.t.Helper()
	arguments, environment := b.read("arguments"), b.read("environment")
	for _, text := range []string{"a-secret", "ghs_"} {
		if strings.Contains(arguments, text) || strings.Contains(environment, text) {
			b.t.Errorf("%s is on the command line or in the environment", text)
		}
	}
	words := strings.Split(arguments, "\n")
	value := func(flag string) string { return words[slices.Index(words, flag)+1] }
	var event struct {
		Action string
		Number int
	}
	b.must(json.Unmarshal(b.content(value("--eventpath")), &event))
	if words[0] != "pull_request" || event.Action != "labeled" || event.Number != 1 || value("--workflows") != CallerPath {
		b.t.Errorf("%q, %+v", words, event)
	}
	var secrets, variables map[string]string
	b.must(json.Unmarshal(b.content(value("--secret-file")), &secrets))
	b.must(json.Unmarshal(b.content(value("--env-file")), &variables))
	if secrets["MODELS"] != "a-secret" || !strings.HasPrefix(secrets["GITHUB_TOKEN"], "ghs_") {
		b.t.Error("secrets are missing")
	}
	if variables["SHA_REF"] != r.SHA || variables["GITHUB_API_URL"] != b.github.URL()+"/api/v3" || variables["GITHUB_SERVER_URL"] != b.github.URL() {
		b.t.Errorf("%v", variables)
	}
	if !strings.Contains(arguments, "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1="+filepath.Dir(filepath.Dir(filepath.Dir(value("--env-file"))))) {
		b.t.Errorf("no stand-in for checkout: %s", arguments)
	}
	if strings.Contains(environment, "HOME="+os.Getenv("HOME")+"\n") {
		b.t.Error("act reads the settings of the user")
	}
}

func (b *bench) content(name string) []byte {
	b.t.Helper()
	data, err := os.ReadFile(name)
	b.must(err)
	return data
}

// What keeps act from running is the log of a job: nothing ends green.
func TestWhatNoJobTells(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		records, end string
		workflows    map[string]string
		want         string
	}{
		"act fails":      {`{"level":"error","msg":"no such event"}`, "echo boom >&2; exit 3", nil, "no such event; boom"},
		"no stand-in":    {"", "exit 0", map[string]string{"other.yml": strings.ReplaceAll(called, "actions/checkout", "someone/thing")}, "someone/thing"},
		"unknown action": {"", "exit 0", map[string]string{"other.yml": strings.ReplaceAll(called, "actions/checkout", "actions/cache")}, "actions/cache"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, c.records, c.end, c.workflows, nil)
			b.label()
			r := b.run()
			if len(r.Jobs) != 1 || r.Jobs[0] != (sandbox.JobResult{Name: "act", Conclusion: "failure"}) || r.Conclusion != "failure" {
				t.Fatalf("%+v", r)
			}
			b.pageShows(r.ID, c.want)
		})
	}
}

func TestCancelEndsAct(t *testing.T) {
	t.Parallel()
	first, _, _ := strings.Cut(records, "\n")
	b := newBench(t, first+"\n", `echo >"$NOTES/begun"; exec sleep 600`, nil, nil)
	begun := filepath.Join(b.notes, "begun")
	b.must(syscall.Mkfifo(begun, 0o600))
	b.label()
	_ = b.content(begun) // waits until act is there
	b.must(b.github.As("ada-admin").Cancel(t.Context(), b.github.Runs()[0].ID))
	if r := b.run(); r.Conclusion != "cancelled" {
		t.Errorf("%+v", r)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	var f diag.Finding
	if _, err := Find("no-such-act"); !errors.As(err, &f) || f.Code != "actrun.no-act" {
		t.Error(err)
	}
	program := filepath.Join(t.TempDir(), "act")
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if found, err := Find(program); err != nil || found != program {
		t.Error(found, err)
	}
}
