package jobs

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
)

// earlier is GitHub with one finished sweep of the pull request.
type earlier struct {
	bot.GitHub
	commits   []string
	run       bot.Run
	jobs      []bot.Job
	artifacts []bot.Artifact
	plan      []byte
}

func (g *earlier) PullRequestCommits(context.Context, int) ([]string, error) { return g.commits, nil }
func (g *earlier) WorkflowRuns(_ context.Context, _ string, f bot.RunFilter) ([]bot.Run, error) {
	if f.Event != g.run.Event {
		return nil, nil
	}
	return []bot.Run{g.run}, nil
}
func (g *earlier) WorkflowRun(_ context.Context, id int64) (bot.Run, error) {
	if id != g.run.ID {
		return bot.Run{}, bot.ErrNotFound
	}
	return g.run, nil
}
func (g *earlier) Jobs(context.Context, int64, int) ([]bot.Job, error)      { return g.jobs, nil }
func (g *earlier) Artifacts(context.Context, int64) ([]bot.Artifact, error) { return g.artifacts, nil }
func (g *earlier) OpenArtifact(context.Context, int64) (io.ReadCloser, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.Create("plan.json")
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(g.plan); err != nil {
		return nil, err
	}
	return io.NopCloser(&b), z.Close()
}
func (g *earlier) PullRequest(context.Context, int) (bot.PullRequest, error) {
	return bot.PullRequest{
		Number: 7, State: "open", HeadRepo: "example/sample-bench", HeadBranch: "change", HeadSHA: g.commits[len(g.commits)-1], BaseBranch: "main",
	}, nil
}

// measured makes the sweep of the scene: a full one, all points green.
func (s *scene) measured() (*earlier, map[string]string) {
	s.t.Helper()
	out := s.planned()
	g := &earlier{
		commits: []string{s.head}, plan: []byte(s.read(filepath.Join(s.temp, "sweepbot/plan/plan.json"))),
		run: bot.Run{
			ID: 50, Attempt: 1, Workflow: ".github/workflows/run-sweep.yml", Event: "pull_request", Status: "completed", Conclusion: "success",
			HeadRepo: "example/sample-bench", HeadBranch: "change", HeadSHA: s.head,
		},
		artifacts: []bot.Artifact{{ID: 1, Name: "sweepbot-plan"}, {ID: 2, Name: "results_bmk"}},
	}
	var plan struct {
		Canary   struct{ Point string }
		Families []struct {
			Prefix string
			Points []struct{ ID string }
		}
	}
	if err := json.Unmarshal(g.plan, &plan); err != nil {
		s.t.Fatal(err)
	}
	prefixes := make(map[string]string)
	for _, f := range plan.Families {
		for _, p := range f.Points {
			prefixes[p.ID] = f.Prefix
		}
	}
	prefixes[plan.Canary.Point] = "canary /"
	for id, title := range s.titles(out) {
		g.jobs = append(g.jobs, bot.Job{
			ID: int64(len(g.jobs) + 1), RunID: 50, Attempt: 1, Name: "sweep / " + prefixes[id] + " / " + title, Status: "completed", Conclusion: "success",
		})
	}
	return g, s.titles(out)
}

// titles are the titles of the planned points, by id.
func (s *scene) titles(out map[string]string) map[string]string {
	s.t.Helper()
	var families Families
	if err := json.Unmarshal([]byte(out["families"]), &families); err != nil {
		s.t.Fatal(err)
	}
	titles := make(map[string]string)
	for _, shards := range families {
		for _, shard := range shards {
			for _, p := range shard.Points {
				titles[p.ID] = p.Title
			}
		}
	}
	return titles
}

// pushes changes the head and checks out the new merge, in a later run.
func (s *scene) pushes(g *earlier, change func()) {
	s.t.Helper()
	s.git("checkout", "-q", "-f", "change")
	change()
	s.head = s.commit("next")
	g.commits = append(g.commits, s.head)
	s.git("checkout", "-q", "--detach", s.base)
	s.git("merge", "-q", "--no-ff", "-m", "merge", s.head)
	s.sha = s.git("rev-parse", "HEAD")
	s.env["GITHUB_SHA"], s.env["GITHUB_RUN_ID"] = s.sha, "99"
	s.event("synchronize", "full-sweep-fail-fast", "only-stale")
	for _, name := range []string{"sweepbot/plan", "sweepbot/partial"} {
		if err := os.RemoveAll(filepath.Join(s.temp, name)); err != nil {
			s.t.Fatal(err)
		}
	}
	s.fresh()
}

// replan runs check and plan of the later run.
func (s *scene) replan(g *earlier) (map[string]string, error) {
	s.t.Helper()
	if err := Check(s.t.Context(), s.host()); err != nil {
		s.t.Fatal(err)
	}
	checked := s.outputs()
	s.env["SWEEPBOT_BASE"], s.env["SWEEPBOT_COMMIT"] = checked["base"], checked["commit"]
	s.fresh()
	h := s.host()
	h.GitHub = func(context.Context) (bot.GitHub, error) { return g, nil }
	err := Plan(s.t.Context(), h)
	out := s.outputs()
	return out, err
}

// changeFlag changes a flag of the script that serves the single-node points.
func (s *scene) changeFlag() {
	name := filepath.Join(s.dir, "benchmarks/single_node/fixed_seq_len/orchid_fp8_aurora_vllm.sh")
	text := s.read(name)
	changed := strings.Replace(text, "vllm serve", "vllm serve --enforce-eager", 1)
	if changed == text {
		s.t.Fatalf("%s serves nothing", name)
	}
	s.write(name, changed)
}

const orchidEntry = `
- config-keys:
    - orchid-fp8-aurora-vllm
    - orchid-fp8-aurora-vllm-agentic
  description:
    - "Measure again"
  pr-link: XXX
`

var workflowFile = map[string]string{".github/workflows/run-sweep.yml": "name: Run Sweep\n"}

// TestPartialSweep: what changed runs, all else stands; both together are the
// full plan, and the document says what it is.
func TestPartialSweep(t *testing.T) {
	s := newScene(t, orchidEntry, workflowFile)
	g, all := s.measured()
	s.pushes(g, s.changeFlag)
	out, err := s.replan(g)
	if err != nil {
		t.Fatalf("%v\n%s", err, s.log.String())
	}
	runs := s.titles(out)
	var doc struct {
		Partial struct {
			Since   string
			Run     int64
			Current int
		}
		Policy struct{ Reusable bool }
	}
	if err := json.Unmarshal([]byte(s.read(filepath.Join(s.temp, "sweepbot/plan/plan.json"))), &doc); err != nil {
		t.Fatal(err)
	}
	if out["partial"] != "true" || doc.Policy.Reusable || doc.Partial.Run != 50 || len(runs) == 0 || doc.Partial.Current == 0 {
		t.Fatalf("partial %s, %+v, %d run\n%s", out["partial"], doc, len(runs), s.log.String())
	}
	if len(runs)+doc.Partial.Current != len(all) {
		t.Errorf("%d run and %d stand of %d", len(runs), doc.Partial.Current, len(all))
	}
	mark := s.read(filepath.Join(s.temp, "sweepbot/partial/partial.json"))
	if !strings.Contains(mark, `"run":50`) || !strings.Contains(s.read(s.env["GITHUB_STEP_SUMMARY"]), "this sweep is partial") {
		t.Errorf("mark %s\n%s", mark, s.read(s.env["GITHUB_STEP_SUMMARY"]))
	}
	for id, title := range runs {
		if strings.Contains(title, "agentic") {
			t.Errorf("%s %s runs again", id, title)
		}
	}
}

// TestPartialSweepOfNothing: a push that changes no recipe runs nothing, green.
func TestPartialSweepOfNothing(t *testing.T) {
	s := newScene(t, orchidEntry, workflowFile)
	g, all := s.measured()
	s.pushes(g, func() { s.write(filepath.Join(s.dir, "README.md"), "words\n") })
	out, err := s.replan(g)
	if err != nil {
		t.Fatal(err)
	}
	if out["partial"] != "true" || out["sweep"] != "" || out["canary"] != "false" || len(s.titles(out)) != 0 {
		t.Errorf("of %d points something runs: %v", len(all), out)
	}
	if text := s.read(s.env["GITHUB_STEP_SUMMARY"]); !strings.Contains(text, "nothing is stale") {
		t.Error(text)
	}
}

// TestPartialSweepStandsOnProofOnly: whatever is not proved makes the full sweep
// run, and says so.
func TestPartialSweepStandsOnProofOnly(t *testing.T) {
	failing := func(g *earlier) { g.jobs[0].Conclusion = "failure" }
	for name, tt := range map[string]struct {
		before func(s *scene, g *earlier)
		code   string // of the reason, "" for a partial plan
		runs   int    // points that run, -1 for all
	}{
		"a point that failed":    {func(_ *scene, g *earlier) { failing(g) }, "", 1},
		"another workflow":       {func(_ *scene, g *earlier) { g.run.Workflow = ".github/workflows/other.yml" }, "no finished sweep", -1},
		"a fork's run":           {func(_ *scene, g *earlier) { g.run.HeadRepo = "evil/sample-bench" }, "no finished sweep", -1},
		"another branch":         {func(_ *scene, g *earlier) { g.run.HeadBranch = "other" }, "no finished sweep", -1},
		"a commit of another PR": {func(s *scene, g *earlier) { g.run.HeadSHA = s.base }, "no finished sweep", -1},
		"an expired plan":        {func(_ *scene, g *earlier) { g.artifacts[0].Expired = true }, "no plan", -1},
		"a partial run": {func(_ *scene, g *earlier) {
			g.artifacts = append(g.artifacts, bot.Artifact{ID: 3, Name: "sweepbot-partial", Expired: true})
		}, "partial itself", -1},
		"a partial plan": {func(_ *scene, g *earlier) {
			g.plan = bytes.Replace(g.plan, []byte(`"policy":`), []byte(`"partial":{},"policy":`), 1)
		}, "partial itself", -1},
		"the plan of another head": {func(s *scene, g *earlier) {
			g.plan = bytes.ReplaceAll(g.plan, []byte(g.run.HeadSHA), []byte(s.base))
		}, "another commit", -1},
		"a forged merge": {func(s *scene, g *earlier) {
			forged := s.git("commit-tree", s.head+"^{tree}", "-p", s.base, "-m", "forged")
			g.plan = bytes.ReplaceAll(g.plan, []byte(s.sha), []byte(forged))
		}, "no merge of the head", -1},
		"another tree": {func(s *scene, g *earlier) {
			tree := s.git("rev-parse", s.base+"^{tree}")
			forged := s.git("commit-tree", tree, "-p", s.base, "-p", s.head, "-m", "forged")
			is := s.git("rev-parse", s.sha+"^{tree}")
			g.plan = bytes.ReplaceAll(bytes.ReplaceAll(g.plan, []byte(s.sha), []byte(forged)), []byte(is), []byte(tree))
		}, "something else than the merge", -1},
		"an option for a commit": {func(s *scene, g *earlier) {
			g.plan = bytes.ReplaceAll(g.plan, []byte(s.sha), []byte("--upload-pack=touch /tmp/x"))
		}, "does not say what it measured", -1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, orchidEntry, workflowFile)
			g, all := s.measured()
			slices.SortFunc(g.jobs, func(a, b bot.Job) int { return strings.Compare(a.Name, b.Name) })
			tt.before(s, g)
			s.pushes(g, func() { s.write(filepath.Join(s.dir, "README.md"), "words\n") })
			out, err := s.replan(g)
			if err != nil {
				t.Fatal(err)
			}
			want := tt.runs
			if want < 0 {
				want = len(all)
			}
			said := s.log.String()
			if got := len(s.titles(out)); got != want || (out["partial"] == "true") != (tt.code == "") || !strings.Contains(said, tt.code) {
				t.Errorf("%d points run, want %d; partial %s\n%s", got, want, out["partial"], said)
			}
		})
	}
}

// TestPartialNeedsTheBaseWorkflows: a run of workflow files that the pull
// request changed proves nothing.
func TestPartialNeedsTheBaseWorkflows(t *testing.T) {
	s := newScene(t, orchidEntry, workflowFile)
	s.git("checkout", "-q", "change")
	s.write(filepath.Join(s.dir, ".github/workflows/run-sweep.yml"), "name: all green\n")
	s.head = s.commit("workflow")
	s.git("checkout", "-q", "--detach", s.base)
	s.git("merge", "-q", "--no-ff", "-m", "merge", s.head)
	s.sha = s.git("rev-parse", "HEAD")
	s.env["GITHUB_SHA"] = s.sha
	s.event("labeled", "full-sweep-fail-fast")
	g, all := s.measured()
	s.pushes(g, func() { s.write(filepath.Join(s.dir, "README.md"), "words\n") })
	out, err := s.replan(g)
	if err != nil || len(s.titles(out)) != len(all) || !strings.Contains(s.log.String(), "other workflow files") {
		t.Errorf("%v, %d of %d run\n%s", err, len(s.titles(out)), len(all), s.log.String())
	}
}

// TestPartialFetchesWhatWasMeasured: the merge that a run checked out is on no
// branch, so that it is fetched by its id.
func TestPartialFetchesWhatWasMeasured(t *testing.T) {
	s := newScene(t, orchidEntry, workflowFile)
	g, _ := s.measured()
	origin := t.TempDir()
	s.git("clone", "-q", "--mirror", s.dir, origin)
	s.git("--git-dir="+origin, "fetch", "-q", s.dir, s.sha+":refs/pull/7/merge")
	s.git("--git-dir="+origin, "config", "uploadpack.allowAnySHA1InWant", "true")
	s.git("remote", "add", "origin", "file://"+origin)
	was := s.sha
	s.pushes(g, func() { s.write(filepath.Join(s.dir, "README.md"), "words\n") })
	s.git("reflog", "expire", "--expire=now", "--all")
	for _, name := range []string{"ORIG_HEAD", "FETCH_HEAD"} {
		_ = os.Remove(filepath.Join(s.dir, ".git", name))
	}
	s.git("gc", "-q", "--prune=now")
	out, err := s.replan(g)
	if err != nil || out["partial"] != "true" {
		t.Fatalf("%v, partial %s\n%s", err, out["partial"], s.log.String())
	}
	if s.git("cat-file", "-t", was) != "commit" {
		t.Error("nothing was fetched")
	}
}

// TestNamedRunIsRefused: a run that a dispatch names is stood on, or the sweep is
// refused; it never becomes a full one that nobody asked for.
func TestNamedRunIsRefused(t *testing.T) {
	s := newScene(t, orchidEntry, workflowFile)
	g, _ := s.measured()
	s.pushes(g, func() { s.write(filepath.Join(s.dir, "README.md"), "words\n") })
	o, err := s.host().order()
	if err != nil {
		t.Fatal(err)
	}
	h := s.host()
	h.GitHub = func(context.Context) (bot.GitHub, error) { return g, nil }
	for since, code := range map[int64]string{50: "", 51: "bot.since-unknown"} {
		o.since = since
		change, where, err := h.change(t.Context(), o, s.base)
		if err != nil {
			t.Fatal(err)
		}
		planned, err := bot.PlanChange(bot.PlanRequest{Change: change, Labels: o.event.Labels, PR: 7})
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.partial(t.Context(), o, planned, where)
		where.close()
		if code != "" {
			wantCode(t, err, code)
		} else if err != nil {
			t.Error(err)
		}
	}
}
