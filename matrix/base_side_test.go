package matrix

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// The same two curves in the layout of August 2026 and in the newest: an
// aggregate worker, and a disaggregated pair.
const olderCurves = `agg:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: sglang
  runner: cluster:gx100-a
  multinode: true
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - conc-list: [8, 16]
        prefill: { num-worker: 1, tp: 16, ep: 1, dp-attn: false, additional-settings: ["CONFIG_FILE=recipes/x/bundle.yaml:base", "A=1"] }
        decode: { num-worker: 0, tp: 16, ep: 1, dp-attn: false }
`

const newerCurves = `agg:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: sglang
  runner: cluster:gx100-a
  multinode: true
  srt-recipe-dir: toy
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - conc-list: [8, 16, 32]
        num-nodes: 2
        srt-recipe: bundle.yaml:base
        worker: { tp: 16, ep: 1, dp-attn: false, additional-settings: ["A=1"] }
`

// An append-only change whose base is of the older layout: both sides are
// compared in the form that they have in common.
func TestAppendOnlyAcrossLayouts(t *testing.T) {
	older := memFiles{amdFile: olderCurves, nvidiaFile: "{}", runnersFile: toyLabels + toyHardware}
	newer := func(text string) memFiles {
		return recipeFiles().with(amdFile, text, nvidiaFile, "{}")
	}
	for _, c := range []struct {
		name string
		base memFiles
		head string
		want string
	}{
		{"converted, with a point", older, newerCurves, "multi_node.8k1k: [32]"},
		{"converted, without a point", older, swap(t, newerCurves, "[8, 16, 32]", "[8, 16]"), "plan.append-no-delta"},
		{"another worker", older, swap(t, newerCurves, "tp: 16", "tp: 8"), "plan.append-recipe-changed"},
		{"another recipe", older, swap(t, newerCurves, "bundle.yaml:base", "bundle.yaml:override_eval"), "plan.append-recipe-changed"},
		{"another setting", older, swap(t, newerCurves, "A=1", "A=2"), "plan.append-recipe-changed"},
		{"no other setting", older.with(amdFile, swap(t, olderCurves, `, "A=1"`, "")), swap(t, newerCurves, `, additional-settings: ["A=1"]`, ""), "multi_node.8k1k: [32]"},
		{"an eval recipe of its own", older, swap(t, newerCurves, "        worker", "        eval-srt-recipe: bundle.yaml:base\n        worker"), "plan.append-recipe-changed"},
		{"power", older, swap(t, newerCurves, "        worker", "        power: true\n        worker"), "multi_node.8k1k: [32]"},
		{"only the runner file is older", newer(swap(t, newerCurves, "[8, 16, 32]", "[8, 16]")).with(runnersFile, toyLabels+toyHardware), newerCurves, "multi_node.8k1k: [32]"},
		{"only the configs are older", older.with(runnersFile, toyLabels+toyClusters), newerCurves, "multi_node.8k1k: [32]"},
	} {
		p, list := NewPlan(newest(t), changeOf(c.base, newer(c.head), entryText("agg", "append-only: true")))
		got := strings.TrimSuffix(summary(orEmpty(p)), "\n")
		if f := list.First(); f != nil {
			codes(t, list)
			got = f.Code
		}
		same(t, c.name, c.want, got)
	}
}

func orEmpty(p *Plan) *Plan {
	if p == nil {
		return &Plan{}
	}
	return p
}

// The base is not held to rules that head has added since: only the rows that
// are asked for must come out of it.
func TestAppendOnlyBaseIsNotValidated(t *testing.T) {
	const broken = "bad:\n  image: 1\n"
	head := swap(t, curveText, "[4, 16, 64]", "[4, 16, 64, 128]")
	s := newest(t, withoutRecipes)
	base, now := newestFiles().with(amdFile, curveText, nvidiaFile, broken), newestFiles().with(amdFile, head, nvidiaFile, "{}")
	// A config that was broken and is gone is a change like any other.
	f := refusal(t, s, changeOf(base, now, entryText("toy-curve", "append-only: true")))
	same(t, "removed", "append-only-unrelated-config", f.Category)

	// A config that is selected must be readable.
	bad := newestFiles().with(amdFile, swap(t, curveText, "image: example/vllm:v1", "image: 1"), nvidiaFile, "{}")
	f = refusal(t, s, changeOf(bad, now, entryText("toy-curve", "append-only: true")))
	same(t, "selected", "matrix.wrong-type", f.Code)
	same(t, "place", amdFile+":2:10", f.Place.String())

	// With the switch of August every config of the base must be valid.
	strict := settingsOf(t, config.PresetNewest, withoutRecipes, func(s *config.Settings) { s.Matrix.BaseValidated = true })
	f = refusal(t, strict, changeOf(base, now, entryText("toy-curve", "append-only: true")))
	same(t, "validated", "config-schema", f.Category)
}

// A file of the base that is no YAML refuses under both.
func TestAppendOnlyBaseMustParse(t *testing.T) {
	head := swap(t, curveText, "[4, 16, 64]", "[4, 16, 64, 128]")
	base := newestFiles().with(amdFile, curveText, nvidiaFile, "a: [\n")
	f := refusal(t, newest(t, withoutRecipes), changeOf(base, newestFiles().with(amdFile, head), entryText("toy-curve", "append-only: true")))
	same(t, "category", "yaml-invalid", f.Category)
}

// Where fingerprints cover recipes an edited recipe is an edited curve.
func TestAppendOnlyCoversRecipes(t *testing.T) {
	text := swap(t, nextSingleOK, "k:\n", "toy-k:\n", "cluster:c", "cluster:gx100-a", "srt-recipe-dir: d", "srt-recipe-dir: toy", "r.yaml", "single.yaml")
	base := recipeFiles().with(amdFile, text, nvidiaFile, "{}")
	head := base.with(amdFile, swap(t, text, "[16]", "[16, 32]"))
	edited := head.edited(t, recipeSingle, "SEED: 1", "SEED: 2")
	renamed := head.edited(t, recipeSingle, "name: single", "name: other")
	entry := entryText("toy-k", "append-only: true")
	same(t, "untouched", "single_node.8k1k: 32\n", summary(mustPlan(t, newest(t), changeOf(base, head, entry))))
	same(t, "only its name", "single_node.8k1k: 32\n", summary(mustPlan(t, newest(t), changeOf(base, renamed, entry))))
	same(t, "edited", "append-only-recipe-changed", refusal(t, newest(t), changeOf(base, edited, entry)).Category)
	rows := newest(t, func(s *config.Settings) { s.Matrix.Fingerprint = config.FingerprintRow })
	same(t, "edited, rows alone", "single_node.8k1k: 32\n", summary(mustPlan(t, rows, changeOf(base, edited, entry))))
}
