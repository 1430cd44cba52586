package config

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files, docs/config.md and docs/schema")

// golden compares got with a file, or writes it under -update.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s is not up to date, run with -update (-want +got):\n%s", file, diff)
	}
}

// TestPresetSwitches pins the switches that tell the presets apart: one line
// a row of the tables in spec/matrix.md section 18, spec/changelog.md section
// 10 and spec/labels-and-sweeps.md section 3.3.
func TestPresetSwitches(t *testing.T) {
	// The columns are inferencex, inferencex-2026-08, reference-2026-08.
	table := `
labels.drafts-run              true      false     false
labels.ready-for-review-runs   false     true      true
labels.push-sweeps             false     true      true
labels.forks-validated         false     true      true
labels.gate-needs-primary      false     true      true
labels.gate-checks-source      true      false     false
labels.cancel-on-merge         false     false     false
labels.cancel-on-close         false     false     false
labels.only-stale              only-stale "" ""
labels.skip-queue              ""        skip_queue skip_queue
workflows.merge-ingest         merge-ingest.yml run-sweep.yml run-sweep.yml
workflows.relay                sweepbot-relay.yml sweepbot-relay.yml sweepbot-relay.yml
comments.visualizer "https://inferencex.semianalysis.com" "https://inferencex.semianalysis.com" "https://inferencex.semianalysis.com"
comments.progress-seconds      60        60        60
comments.stalled-minutes       360       360       360
publish.repository             SemiAnalysisAI/InferenceX-app SemiAnalysisAI/InferenceX-app SemiAnalysisAI/InferenceX-app
publish.event                  ingest-results ingest-results ingest-results
publish.agentic-event          ingest-agentic-results ingest-agentic-results ingest-agentic-results
publish.target                 production production production
changelog.gate.history         error     error     "off"
changelog.gate.position        error     warn      "off"
changelog.gate.format          warn      warn      "off"
changelog.link-in-plan         error     error     "off"
changelog.corrections-pass     true      true      false
changelog.header-like-lines    false     false     true
changelog.unterminated-deletes false     false     true
changelog.final-newline        true      true      false
changelog.no-evals             true      false     false
changelog.lenient-types        false     false     true
changelog.underscore-keys      false     false     true
changelog.last-key-wins        false     false     true
matrix.lenient-types           false     false     true
matrix.underscore-keys         false     false     true
matrix.last-key-wins           false     false     true
matrix.empty-conc-list         false     false     true
matrix.glob-resolved-keys      false     false     true
matrix.null-as-absent          true      true      false
matrix.clusters                true      false     false
matrix.aggregate-worker        true      false     false
matrix.topology-scope          true      false     false
matrix.node-count              true      false     false
matrix.recipes                 true      false     false
matrix.power                   true      false     false
matrix.tiered-offload          false     false     false
matrix.agentic-evals           true      false     false
matrix.eval-suites             true      false     false
matrix.eval-identity           true      false     false
matrix.smoke                   true      false     false
matrix.trim-merges             true      false     false
matrix.base-validated          false     true      true
matrix.fingerprint             "row+recipe" row    row
sweep.agentic-canary           true      false     false
sweep.priority-labels          false     true      true
sweep.undispatched-buckets     refuse    refuse    ignore
sweep.rerun.infrastructure     false     false     false
sweep.rerun.per-point          1         1         1
sweep.rerun.per-run            16        16        16
launch.recipes                 true      false     false
launch.acceptance              always    setting   setting
launch.router-version          ROUTER_VERSION "" ""
launch.offload-version         KV_OFFLOAD_BACKEND_VERSION "" ""
checks.profile                 "2026-11" "2026-08" "2026-08"
checks.docs-only-not-applicable false    false     false
checks.result-code-material    false     false     false
checks.archived-siblings       true      true      true
checks.verdict.mode            signoff   sha       sha
checks.verdict.requesters      true      false     false`
	listed := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		columns := strings.Fields(line)
		listed[columns[0]] = true
		for i, name := range PresetNames() {
			preset, _ := Preset(name)
			if got := valueAt(preset, columns[0]); got != columns[i+1] {
				t.Errorf("%s: %s = %s, want %s", name, columns[0], got, columns[i+1])
			}
		}
	}
	for _, key := range Keys() {
		isSwitch := key.Type == "boolean" && !strings.Contains(key.Name, "[]")
		if isSwitch && !listed[key.Name] {
			t.Errorf("switch %s is not in the table", key.Name)
		}
	}
}

// TestPresetLabels pins the label tables of spec/labels-and-sweeps.md
// sections 1.1 and 1.2.
func TestPresetLabels(t *testing.T) {
	for name, want := range map[string]string{
		PresetNewest: `
full-sweep-fail-fast           canary fail-fast -    reusable
full-sweep-enabled             canary -         -    reusable
non-canary-full-sweep-enabled  -      -         -    reusable`,
		PresetAugust: `
sweep-enabled                  -      -         trim -
full-sweep-fail-fast           canary fail-fast -    reusable
full-sweep-enabled             canary -         -    reusable
full-sweep-fail-fast-no-canary -      fail-fast -    reusable
non-canary-full-sweep-enabled  -      -         -    reusable`,
	} {
		preset, _ := Preset(name)
		var got strings.Builder
		for _, p := range preset.Labels.Primaries {
			cells := []string{p.Name, mark(p.Canary, "canary"), mark(p.FailFast, "fail-fast"), mark(p.Trim, "trim"), mark(p.Reusable, "reusable")}
			got.WriteString("\n" + strings.Join(cells, " "))
		}
		if diff := cmp.Diff(squeeze(want), squeeze(got.String())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func mark(on bool, word string) string {
	if on {
		return word
	}
	return "-"
}

func squeeze(table string) []string {
	lines := strings.Split(strings.TrimSpace(table), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return lines
}

func TestPresetGolden(t *testing.T) {
	for _, name := range PresetNames() {
		preset, ok := Preset(name)
		if !ok || preset.Preset != name {
			t.Fatalf("preset %s: ok %v, calls itself %q", name, ok, preset.Preset)
		}
		shown := Show(preset)
		golden(t, filepath.Join("testdata", name+".yml"), shown)
		back, list := Load("shown.yml", shown)
		if list != nil {
			t.Errorf("%s: %v", name, list)
		}
		if diff := cmp.Diff(preset, back); diff != "" {
			t.Errorf("%s does not read back (-want +got):\n%s", name, diff)
		}
	}
	if _, ok := Preset("2026-08"); ok {
		t.Error("an unknown preset was found")
	}
}

// TestPresetIsOwn makes sure that changing one caller's lists changes nobody
// else's.
func TestPresetIsOwn(t *testing.T) {
	for _, name := range PresetNames() {
		before, _ := Preset(name)
		want := Show(before)
		before.Labels.Primaries[0].Name = "changed"
		before.Layout.Masters[0] = "changed"
		before.Layout.Roots[0] = "changed"
		after, _ := Preset(name)
		if !bytes.Equal(want, Show(after)) {
			t.Errorf("%s shares a list", name)
		}
	}
}
