package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/labels"
)

func TestCheckDecidesByLabels(t *testing.T) {
	for _, tt := range []struct {
		name, action string
		labels       []string
		want         map[string]string
		code         string
	}{
		{"N2", "synchronize", []string{"full-sweep-fail-fast"}, map[string]string{"gate": "true", "sweep": "true"}, ""},
		{"N1", "synchronize", []string{"other"}, map[string]string{"gate": "true", "sweep": "false"}, ""},
		{"N8", "synchronize", []string{"full-sweep-enabled", "evals-only"}, map[string]string{"gate": "false", "sweep": "true"}, ""},
		{"N11", "synchronize", []string{"full-sweep-enabled", "full-sweep-fail-fast"}, map[string]string{"gate": "false", "sweep": "false"}, "labels.conflict"},
		{"N15", "labeled", []string{"full-sweep-enabled"}, map[string]string{"gate": "false", "sweep": "true"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t, sampleEntry, nil)
			s.event(tt.action, tt.labels...)
			err := Check(t.Context(), s.host())
			if tt.code == "" && err != nil {
				t.Fatal(err)
			}
			if tt.code != "" {
				wantCode(t, err, tt.code)
			}
			tt.want["base"], tt.want["commit"], tt.want["skip-pr-sweep"] = s.base, s.sha, "false"
			if diff := cmp.Diff(tt.want, s.outputs()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCheckRefusesABadChangelog(t *testing.T) {
	s := newScene(t, "- config-keys: [no-such-config]\n  description: [x]\n  pr-link: XXX\n", nil)
	if err := Check(t.Context(), s.host()); err == nil {
		t.Fatal("accepted")
	}
	if got := s.outputs(); got["sweep"] != "false" || got["gate"] != "false" {
		t.Errorf("outputs %v start something", got)
	}
}

func TestCheckKnowsTheSkipMarker(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.git("checkout", "-q", "change")
	s.git("commit", "-q", "--amend", "-m", "Measure later [skip-sweep]")
	s.head = s.git("rev-parse", "HEAD")
	s.env["GITHUB_SHA"] = s.head
	s.event("labeled", "full-sweep-enabled")
	if err := Check(t.Context(), s.host()); err != nil {
		t.Fatal(err)
	}
	if got := s.outputs(); got["sweep"] != "false" || got["skip-pr-sweep"] != "true" {
		t.Errorf("outputs %v", got)
	}
}

func TestPlanPinsWhatIsMeasured(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	out := s.planned()
	var got Sweep
	if err := json.Unmarshal([]byte(out["sweep"]), &got); err != nil {
		t.Fatal(err)
	}
	tree := s.git("rev-parse", "HEAD^{tree}")
	if got.Base != s.base || got.Head != s.head || got.Commit != s.sha || got.Tree != tree || got.Pull != 7 || got.Run != 99 {
		t.Errorf("pins %+v", got)
	}
	if out["canary"] != "true" || out["fail-fast"] != "true" {
		t.Errorf("canary %s, fail-fast %s", out["canary"], out["fail-fast"])
	}
	if _, err := s.host().plan(got); err != nil {
		t.Error(err)
	}
	if _, err := s.host().settings(got); err != nil {
		t.Error(err)
	}
}

func TestPlanRefusesAnotherCheckout(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.env["SWEEPBOT_BASE"], s.env["SWEEPBOT_COMMIT"] = s.base, s.sha
	s.git("checkout", "-q", "change")
	wantCode(t, Plan(t.Context(), s.host()), "jobs.other-commit")
	wantCode(t, Check(t.Context(), s.host()), "jobs.other-commit")
	// What the check pinned counts, too.
	s.git("checkout", "-q", s.sha)
	s.env["SWEEPBOT_COMMIT"] = s.head
	wantCode(t, Plan(t.Context(), s.host()), "jobs.other-commit")
}

func TestChangedPlanIsRefused(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.planned()
	name := filepath.Join(s.temp, "sweepbot", planFile)
	s.write(name, s.read(name)+" ")
	wantCode(t, Canary(s.host()), "jobs.digest")
}

func TestCanaryIsTakenOutOnce(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	out := s.planned()
	if err := Canary(s.host()); err != nil {
		t.Fatal(err)
	}
	got := s.outputs()
	var canary Ref
	if err := json.Unmarshal([]byte(got["canary"]), &canary); err != nil {
		t.Fatal(err)
	}
	if got["multi-node-canary"] != "" {
		t.Errorf("two canaries: %s", got["multi-node-canary"])
	}
	all, rest := families(t, out["families"]), families(t, got["families"])
	if !all[canary.ID] || rest[canary.ID] || len(rest) != len(all)-1 {
		t.Errorf("%d of %d points are left, canary %s", len(rest), len(all), canary.ID)
	}
	if _, err := CanaryOutputs(Families{}, "x"); err == nil {
		t.Error("a canary that is not there is no error")
	}
	multi, err := CanaryOutputs(Families{"sweep-multi-node-agentic": {{Points: []Ref{{ID: "x"}}}}}, "x")
	if err != nil || multi[0].Value != "" || multi[1].Value == "" || multi[2].Value != "{}" {
		t.Errorf("multi-node canary: %v %v", multi, err)
	}
}

// families are the ids of the points of an output.
func families(t *testing.T, text string) map[string]bool {
	t.Helper()
	var all Families
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	ids := make(map[string]bool)
	for job, shards := range all {
		for i, shard := range shards {
			if len(shard.Points) > 256 || len(shard.Points) == 0 {
				t.Errorf("%s: %d points in one matrix", job, len(shard.Points))
			}
			if (i == 0) != (shard.Suffix == "") {
				t.Errorf("%s: shard %d has suffix %q", job, i, shard.Suffix)
			}
			for _, p := range shard.Points {
				if ids[p.ID] {
					t.Errorf("%s twice", p.ID)
				}
				ids[p.ID] = true
			}
		}
	}
	return ids
}

var jobLabel = regexp.MustCompile(`^ci-job-[0-9]+\.[0-9]{3}-[0-9a-f]{32}$`)

// TestF36RunnerLabels holds the labels of every job to section 9.1.
func TestF36RunnerLabels(t *testing.T) {
	s := newScene(t, sampleEntry, nil)
	s.env["PRIORITY_SCHEDULER_ENABLED"], s.env["NODE_SLOT_SCHEDULER_ENABLED"] = "true", "true"
	var all Families
	if err := json.Unmarshal([]byte(s.planned()["families"]), &all); err != nil {
		t.Fatal(err)
	}
	tokens := make(map[string]bool)
	for job, shards := range all {
		for _, shard := range shards {
			for _, p := range shard.Points {
				var got []string
				if err := json.Unmarshal([]byte(p.RunsOn), &got); err != nil {
					t.Fatal(err)
				}
				if len(got) != 5 || got[0] != "self-hosted" || !strings.HasPrefix(got[1], "cluster:") || got[4] != "ci-attempt-{0}" ||
					!jobLabel.MatchString(got[3]) || tokens[got[3]] {
					t.Errorf("%s: labels %q", job, got)
				}
				tokens[got[3]] = true
				nodes := "nodes:1"
				if strings.HasPrefix(job, "sweep-multi-node-") {
					nodes = "nodes:" + strings.TrimPrefix(got[2], "nodes:")
				}
				if got[2] != nodes || !strings.HasPrefix(p.Title, "p") || !strings.Contains(p.Title, got[1]) {
					t.Errorf("%s: labels %q, title %q", job, got, p.Title)
				}
			}
		}
	}
	s = newScene(t, sampleEntry, map[string]string{".github/sweepbot.yml": s.read(filepath.Join(s.dir, ".github/sweepbot.yml")) + "  \n"})
	s.git("rm", "-q", "configs/ci-priority.yaml")
	s.env["SWEEPBOT_BASE"] = s.commit("no policy")
	s.git("checkout", "-q", s.sha)
	s.env["SWEEPBOT_COMMIT"] = s.sha
	s.env["PRIORITY_SCHEDULER_ENABLED"] = "true"
	if err := Plan(t.Context(), s.host()); err == nil {
		t.Error("a scheduler without a policy plans jobs without tokens")
	}
}

// TestLargePlanFits plans more rows than a matrix and more bytes than an output
// holds (known failures F13 and F14).
func TestLargePlanFits(t *testing.T) {
	if testing.Short() {
		t.Skip("plans 1,240 points")
	}
	var configs strings.Builder
	for k := range 5 {
		fmt.Fprintf(&configs, `
big-%d:
  image: registry.example/vllm:0.31.2-%s
  model: meadow/Orchid-9B
  model-prefix: orchid
  precision: fp8
  framework: vllm
  runner: cluster:aurora
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
`, k, strings.Repeat("x", 400))
		for tp := range 8 {
			configs.WriteString("      - { tp: " + fmt.Sprint(tp%4+1) + ", ep: " + fmt.Sprint(tp/4+1) + ", conc-list: [")
			for c := range 30 {
				fmt.Fprintf(&configs, "%d, ", c+2)
			}
			configs.WriteString("1] }\n")
		}
	}
	s := newScene(t, "\n- config-keys: [\"big-*\"]\n  description: [\"Measure much\"]\n  no-evals: true\n  pr-link: XXX\n",
		map[string]string{"configs/aurora-master.yaml": configs.String()})
	out := s.planned()
	ids := families(t, out["families"])
	if len(ids) != 1240 {
		t.Errorf("%d points, want 1240", len(ids))
	}
	info, err := os.Stat(filepath.Join(s.temp, "sweepbot", planFile))
	if err != nil || info.Size() < 1<<20 {
		t.Errorf("the plan is no test of large ones: %v %v", info, err)
	}
	limit := settings(t).Limits.OutputChars
	var all []bot.Output
	for name, value := range out {
		all = append(all, bot.Output{Name: name, Value: value})
	}
	if chars := bot.OutputChars(all); chars > limit {
		t.Errorf("%d characters of outputs, %d fit", chars, limit)
	}
}

func settings(t *testing.T) config.Settings {
	t.Helper()
	s, ok := config.Preset(config.PresetNewest)
	if !ok {
		t.Fatal("no preset")
	}
	return s
}

// reuseAnswer answers every question in one way.
type reuseAnswer labels.Reuse

func (r reuseAnswer) State(context.Context, *bot.PullRequest) (labels.Reuse, error) {
	return labels.Reuse(r), nil
}

func TestF21GateNeedsAnAnswer(t *testing.T) {
	for _, tt := range []struct {
		state labels.Reuse
		skip  string
		code  string
	}{
		{labels.ReuseNone, "false", ""},
		{labels.ReuseValid, "true", ""},
		{labels.ReuseInvalid, "", "jobs.gate-invalid"},
		{"", "", "jobs.gate-open"},
	} {
		s := newScene(t, sampleEntry, nil)
		err := Gate(t.Context(), s.host(), reuseAnswer(tt.state), nil)
		if tt.code != "" {
			wantCode(t, err, tt.code)
		} else if err != nil {
			t.Fatal(err)
		}
		if got := s.outputs()["skip-pr-sweep"]; got != tt.skip {
			t.Errorf("%s: skip %q, want %q", tt.state, got, tt.skip)
		}
	}
}
