package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/localrun"
)

// point picks the point of a family and makes the scene its job.
func (s *scene) point(job string) Ref {
	s.t.Helper()
	var all Families
	if err := json.Unmarshal([]byte(s.planned()["families"]), &all); err != nil {
		s.t.Fatal(err)
	}
	if len(all[job]) == 0 {
		s.t.Fatalf("no family %s", job)
	}
	ref := all[job][0].Points[0]
	s.env["SWEEPBOT_POINT"] = encode(ref)
	s.env["SAMPLE_SLEEP"] = "0"
	return ref
}

func TestPointFromStartToArtifacts(t *testing.T) {
	for _, tt := range []struct {
		job  string
		want map[string]string // kind -> beginning of the name
	}{
		{"sweep-single-node-8k1k", map[string]string{"rows": "bmk_orchid_8k1k_", "power": "power_audit_orchid_8k1k_", "logs": "server_logs_orchid_8k1k_"}},
		{"sweep-evals", map[string]string{"eval": "eval_orchid_8k1k_", "logs": "eval_server_logs_orchid_8k1k_"}},
		{"sweep-multi-node-8k1k", map[string]string{"rows": "bmk_basalt_8k1k_", "power": "power_audit_basalt_8k1k_"}},
		{"sweep-multi-node-agentic", map[string]string{"rows": "bmk_agentic_basalt_", "power": "power_audit_basalt_"}},
	} {
		t.Run(tt.job, func(t *testing.T) {
			if testing.Short() && tt.job != "sweep-multi-node-8k1k" {
				t.Skip("runs a launcher")
			}
			s := newScene(t, sampleEntry, nil)
			ref := s.point(tt.job)
			s.env["GITHUB_RUN_ATTEMPT"] = "2"
			s.env["GITHUB_ENV"] = filepath.Join(s.temp, "env")
			for _, step := range []func() error{
				func() error { return PointBefore(t.Context(), s.host()) },
				func() error { return PointRun(t.Context(), s.host()) },
				func() error { return PointGather(s.host()) },
			} {
				if err := step(); err != nil {
					t.Fatal(err, s.log.String())
				}
			}
			got := s.outputs()
			for kind, name := range got {
				if kind != "metrics" && kind != "logs" && kind != "agentic" && !strings.HasPrefix(name, orAbsent(tt.want[kind])) {
					t.Errorf("%s artifact %s, want %s...", kind, name, tt.want[kind])
				}
				s.repeatsThePins(kind, name, ref)
			}
			for kind := range tt.want {
				if got[kind] == "" && kind != "logs" {
					t.Errorf("no %s artifact among %v", kind, got)
				}
			}
			if strings.HasPrefix(tt.job, "sweep-evals") && !strings.HasSuffix(got["eval"], "_2") {
				t.Errorf("the name %s does not tell attempts apart (F47)", got["eval"])
			}
			if err := PointAfter(t.Context(), s.host()); err != nil {
				t.Fatal(err)
			}
			if left, _ := filepath.Glob(filepath.Join(s.dir, "results*.json")); len(left) > 0 {
				t.Errorf("%v is left for the next job", left)
			}
		})
	}
}

func orAbsent(name string) string {
	if name == "" {
		return "(none)"
	}
	return name
}

func (s *scene) repeatsThePins(kind, name string, ref Ref) {
	s.t.Helper()
	var got Measured
	if err := json.Unmarshal([]byte(s.read(filepath.Join(s.temp, "sweepbot/out", kind, measuredFile))), &got); err != nil {
		s.t.Fatal(err)
	}
	var pins Sweep
	if err := json.Unmarshal([]byte(s.env["SWEEPBOT_SWEEP"]), &pins); err != nil {
		s.t.Fatal(err)
	}
	want := Measured{pins, ref.ID, ref.Title, name, "2", "aurora-rack_00"}
	if diff := cmp.Diff(want, got); diff != "" {
		s.t.Error(diff)
	}
}

func TestFailedPointKeepsWhatItLeft(t *testing.T) {
	s := newScene(t, sampleEntry, map[string]string{
		"runners/launch_aurora-rack.sh": "#!/bin/sh\necho partly > server.log\necho '::add-mask::x'\nexit 3\n",
	})
	s.point("sweep-single-node-8k1k")
	wantCode(t, PointRun(t.Context(), s.host()), "localrun.exit")
	if err := PointGather(s.host()); err != nil {
		t.Fatal(err)
	}
	got := s.outputs()
	if got["rows"] != "" || got["logs"] == "" {
		t.Errorf("artifacts %v of a failed point", got)
	}
	log := s.log.String()
	stop, mask := strings.Index(log, "::stop-commands::"), strings.Index(log, "::add-mask::")
	if stop < 0 || mask < stop {
		t.Errorf("what the launcher prints is obeyed:\n%s", log)
	}
}

func TestEvalWithoutResultsFailsItsUpload(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.point("sweep-evals")
	wantCode(t, PointGather(s.host()), "localrun.no-eval-results")
}

func TestPointRefusesAnotherCheckout(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.point("sweep-evals")
	s.git("checkout", "-q", "change")
	wantCode(t, PointRun(t.Context(), s.host()), "jobs.other-commit")
}

func TestPointValueIsStrict(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.point("sweep-evals")
	for value, code := range map[string]string{
		`{"id":"x","title":"","runs-on":"","timeout":1,"more":1}`: "jobs.point-value",
		`{"id":"0000000000000000"}`:                               "localrun.nothing-selected",
		strings.Repeat(" ", maxValue+1):                           "jobs.point-value",
	} {
		s.env["SWEEPBOT_POINT"] = value
		wantCode(t, PointBefore(t.Context(), s.host()), code)
	}
	s.env["SWEEPBOT_SWEEP"] = `{"version":1}`
	wantCode(t, PointBefore(t.Context(), s.host()), "jobs.sweep-value")
}

func TestLauncherCannotSteerTheJob(t *testing.T) {
	got := forLauncher([]string{
		"PATH=/bin", "HF_TOKEN=x", "GITHUB_ENV=/e", "GITHUB_PATH=/p", "GITHUB_OUTPUT=/o", "GITHUB_STATE=/s",
		"GITHUB_STEP_SUMMARY=/m", "SWEEPBOT_SWEEP={}", "ACTIONS_RUNTIME_TOKEN=t", "GITHUB_TOKEN=t", "GITHUB_RUN_ID=9",
	})
	if diff := cmp.Diff([]string{"PATH=/bin", "HF_TOKEN=x", "GITHUB_RUN_ID=9"}, got); diff != "" {
		t.Error(diff)
	}
}

// queue is a cluster queue: what each look shows, in order.
type queue struct {
	looks   [][]string
	broken  bool
	cancels []string
	waits   int
}

func (q *queue) run(_ context.Context, name string, args ...string) (string, error) {
	if name == "scancel" {
		q.cancels = append(q.cancels, strings.Join(args, " "))
		return "", nil
	}
	if q.broken {
		return "", errors.New("hangs")
	}
	now := q.looks[0]
	if len(q.looks) > 1 {
		q.looks = q.looks[1:]
	}
	return strings.Join(now, "\n"), nil
}

func (q *queue) cluster() cluster {
	return cluster{run: q.run, say: func(string, ...any) {}, pause: func(context.Context, time.Duration) error { q.waits++; return nil }}
}

// TestF38F39DrainIsBoundedAndNeverBlind: jobs of every state go (F40: no state
// is named, so that none is left out), and the queue is read again after it.
func TestF38F39DrainIsBoundedAndNeverBlind(t *testing.T) {
	empty := &queue{looks: [][]string{nil}}
	if err := empty.cluster().drain(t.Context(), "r_01"); err != nil || empty.cancels != nil {
		t.Errorf("empty queue: %v %v", err, empty.cancels)
	}
	goes := &queue{looks: [][]string{{"7"}, {"7"}, nil}}
	if err := goes.cluster().drain(t.Context(), "r_01"); err != nil || len(goes.cancels) != 1 || goes.cancels[0] != "--me --name=r_01" {
		t.Errorf("job that goes: %v %v", err, goes.cancels)
	}
	stays := &queue{looks: [][]string{{"7", "8"}}}
	wantCode(t, stays.cluster().drain(t.Context(), "r_01"), "jobs.queue-not-empty")
	if stays.waits != askLooks+killLooks || !strings.Contains(stays.cancels[1], "--signal=KILL") {
		t.Errorf("job that stays: %d looks, %v", stays.waits, stays.cancels)
	}
	unknown := &queue{broken: true}
	wantCode(t, unknown.cluster().drain(t.Context(), "r_01"), "jobs.queue-unknown")
	if len(unknown.cancels) != 2 {
		t.Errorf("a queue that cannot be read is taken for empty: %v", unknown.cancels)
	}
}

func TestF41StaleGitStateIsRemoved(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	module := filepath.Join(s.dir, ".git/modules/deps/broken")
	s.write(filepath.Join(s.dir, ".git/index.lock"), "")
	s.write(filepath.Join(s.dir, ".git/modules/deps/index.lock"), "")
	s.write(filepath.Join(module, "HEAD"), "ref: refs/heads/none\n")
	s.write(filepath.Join(s.dir, "deps/broken/file"), "")
	s.git("init", "-q", filepath.Join(s.dir, "whole"))
	s.git("-C", filepath.Join(s.dir, "whole"), "commit", "-q", "--allow-empty", "-m", "x")
	if err := os.Rename(filepath.Join(s.dir, "whole/.git"), filepath.Join(s.dir, ".git/modules/whole")); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(s.dir, ".git/modules/link")); err != nil {
		t.Fatal(err)
	}
	if err := repairGit(t.Context(), s.host(), s.dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		".git/index.lock": false, ".git/modules/deps/index.lock": false, ".git/modules/deps/broken": false, "deps/broken": false,
		".git/modules/whole/HEAD": true, "perf-changelog.yaml": true,
	} {
		if _, err := os.Lstat(filepath.Join(s.dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %t, want %t", name, err == nil, want)
		}
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error("something outside of the workspace was removed")
	}
}

func TestCollectors(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.planned()
	wantCode(t, CollectResults(s.host()), "results.")
	wantCode(t, CollectEvals(s.host()), "jobs.nothing-collected")
	if !strings.Contains(s.read(s.env["GITHUB_STEP_SUMMARY"]), noEvals) {
		t.Error("the summary does not say that there is no eval")
	}
	for _, one := range []struct {
		job, kind string
		collect   func(*Host) error
	}{
		{"sweep-single-node-1k1k", localrun.KindRows, CollectResults},
		{"sweep-evals", localrun.KindEval, CollectEvals},
	} {
		s.point(one.job)
		if err := PointRun(t.Context(), s.host()); err != nil {
			t.Fatal(err)
		}
		s.fresh()
		if err := PointGather(s.host()); err != nil {
			t.Fatal(err)
		}
		in := filepath.Join(s.temp, "sweepbot", inFolder)
		from := os.DirFS(filepath.Join(s.temp, "sweepbot/out", one.kind))
		if err := errors.Join(os.RemoveAll(in), os.CopyFS(filepath.Join(in, s.outputs()[one.kind]), from)); err != nil {
			t.Fatal(err)
		}
		if err := one.collect(s.host()); err != nil {
			t.Fatal(err)
		}
	}
	if err := Metadata(s.host()); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(s.temp, "sweepbot", outFolder)
	for name, want := range map[string]int{rowsFile: 1, evalsFile: 1} {
		var rows []map[string]any
		if err := json.Unmarshal([]byte(s.read(filepath.Join(out, name))), &rows); err != nil || len(rows) != want {
			t.Errorf("%s has %d rows, want %d (%v)", name, len(rows), want, err)
		}
	}
	if !strings.Contains(s.read(filepath.Join(out, metaFile)), "orchid-fp8-aurora-vllm") {
		t.Error("the metadata does not name what was added")
	}
}

func TestF45VerdictGoesByProducers(t *testing.T) {
	plan := &localrun.Plan{Canary: "c", Families: []localrun.Family{
		{Job: "sweep-single-node-1k1k", Rows: []localrun.PlanRow{{ID: "c"}, {ID: "a"}}},
		{Job: "sweep-multi-node-agentic", Rows: []localrun.PlanRow{{ID: "m"}}},
		{Job: "sweep-evals", EvalOnly: true, Rows: []localrun.PlanRow{{ID: "e"}}},
	}}
	all := map[string]string{
		"canary-sweep": "success", "sweep-single-node-1k1k": "success", "sweep-multi-node-agentic": "success",
		"sweep-evals": "success", "collect-results": "success", "collect-evals": "success",
	}
	if v := Judge(plan, all); v.Findings != nil || len(v.Lines) != len(all) {
		t.Errorf("a green sweep: %+v", v)
	}
	for job := range all {
		for _, result := range []string{"failure", "cancelled", "skipped", ""} {
			one := make(map[string]string)
			for k, v := range all {
				one[k] = v
			}
			one[job] = result
			v := Judge(plan, one)
			if len(v.Findings) != 1 || !slices.Contains(v.Findings[0].Args, job) {
				t.Errorf("%s=%s: %v", job, result, v.Findings)
			}
		}
	}
	alone := &localrun.Plan{Canary: "c", Families: []localrun.Family{{Job: "sweep-agentic", Rows: []localrun.PlanRow{{ID: "c"}}}}}
	if v := Judge(alone, map[string]string{"canary-sweep": "success", "sweep-agentic": "skipped", "collect-results": "success"}); v.Findings != nil {
		t.Errorf("a family of the canary alone: %v", v.Findings)
	}
	if got := readResults("a=success\n b= c"); got["a"] != "success" || got["b"] != "" {
		t.Errorf("results %v", got)
	}
}

func TestTimeoutsAreThoseOfTheTable(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	var all Families
	if err := json.Unmarshal([]byte(s.planned()["families"]), &all); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"sweep-single-node-1k1k": 500, "sweep-evals": 500, "sweep-multi-node-8k1k": 480, "sweep-multi-node-agentic": 780}
	for job, minutes := range want {
		if len(all[job]) == 0 {
			t.Errorf("no family %s in %v", job, fmt.Sprint(all))
			continue
		}
		if got := all[job][0].Points[0].Timeout; got != minutes {
			t.Errorf("%s: %d minutes, want %d", job, got, minutes)
		}
	}
}
