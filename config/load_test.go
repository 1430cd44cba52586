package config

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// loadCases are files and the findings they get, "line:column path code".
var loadCases = []struct {
	name string
	file string
	want []string
}{
	{"empty", "", nil},
	{"only comments", "# nothing yet\n", nil},
	{"only a preset", "preset: reference-2026-08\n", nil},
	{"group commented out", "labels:\n  # drafts-run: true\nlayout: ~\n", nil},
	{"off without quotes", "changelog: {gate: {format: off, position: \"off\"}}\n", nil},
	{"root is a list", "- preset\n", []string{"1:1  config.wrong-type"}},
	{"root is a text", "inferencex\n", []string{"1:1  config.wrong-type"}},
	{"group is a list", "layout: [a]\n", []string{"1:9 layout config.wrong-type"}},
	{"unknown preset", "preset: inferencex-2026-09\n", []string{"1:9 preset config.bad-value"}},
	{"unknown key", "colour: red\n", []string{"1:1  config.unknown-key"}},
	{"key with a neighbour", "layout:\n  runner: x.yaml\n", []string{"2:3 layout config.unknown-key-near"}},
	{"underscore key", "matrix:\n  node_count: true\n", []string{"2:3 matrix config.unknown-key-near"}},
	{"key of another mapping", "primaries: []\n", []string{"1:1  config.unknown-key-near"}},
	{"key that is no text", "matrix: {1: true}\n", []string{"1:10 matrix config.unknown-key"}},
	{"key of an item", "labels:\n  primaries:\n    - {name: a, retry: 1}\n", []string{"3:17 labels.primaries.0 config.unknown-key"}},
	{"null leaf", "layout:\n  runners:\n", []string{"2:11 layout.runners config.wrong-type"}},
	{"text for a switch", "matrix: {smoke: \"true\"}\n", []string{"1:17 matrix.smoke config.wrong-type"}},
	{"text for a number", "limits: {conc: many}\n", []string{"1:16 limits.conc config.wrong-type"}},
	{"fraction for a number", "limits: {conc: 1.5}\n", []string{"1:16 limits.conc config.wrong-type"}},
	{"text for a list", "layout: {masters: a.yaml}\n", []string{"1:19 layout.masters config.wrong-type"}},
	{"list for a text", "layout: {runners: [a.yaml]}\n", []string{"1:19 layout.runners config.wrong-type"}},
	{"text for an item", "labels: {primaries: [full-sweep]}\n", []string{"1:22 labels.primaries.0 config.wrong-type"}},
	{"number for a text", "layout: {base-branch: 2026}\n", []string{"1:23 layout.base-branch config.unquoted"}},
	{"bad grade", "changelog: {link-in-plan: fatal}\n", []string{"1:27 changelog.link-in-plan config.bad-value"}},
	{"no is no grade", "changelog: {link-in-plan: no}\n", []string{"1:27 changelog.link-in-plan config.unquoted"}},
	{"profile", "checks: {profile: 2026-12}\n", []string{"1:19 checks.profile config.bad-value"}},
	{"rows above GitHub's limit", "limits: {matrix-rows: 257}\n", []string{"1:23 limits.matrix-rows config.number-range"}},
	{"no rows", "limits: {matrix-rows: 0}\n", []string{"1:23 limits.matrix-rows config.number-range"}},
	{"negative", "limits: {conc: -1}\n", []string{"1:16 limits.conc config.number-range"}},
	{"absolute path", "layout: {runners: /etc/passwd}\n", []string{"1:19 layout.runners config.bad-path"}},
	{"path upwards", "layout: {changelog: ../x.yaml}\n", []string{"1:21 layout.changelog config.bad-path"}},
	{"backslash", "layout: {masters: ['a\\b.yaml']}\n", []string{"1:20 layout.masters.0 config.bad-path"}},
	{"root upwards", "layout: {roots: [\"\", ..]}\n", []string{"1:22 layout.roots.1 config.bad-path"}},
	{"git folder", "layout: {waivers: .git/hooks}\n", []string{"1:19 layout.waivers config.bad-path"}},
	{"placeholder", "layout: {recipes: {multi-node: \"r/{pr}\"}}\n", []string{"1:32 layout.recipes.multi-node config.bad-path"}},
	{"no path", "layout: {runners: \"\"}\n", []string{"1:19 layout.runners config.empty-text"}},
	{"empty marker", "labels: {skip-sweep-marker: \"\"}\n", []string{"1:29 labels.skip-sweep-marker config.empty-text"}},
	{"label with a tab", "labels: {all-evals: \"a\\tb\"}\n", []string{"1:21 labels.all-evals config.bad-label"}},
	{"workflow with a folder", "workflows: {sweep: x/run.yml}\n", []string{"1:20 workflows.sweep config.bad-workflow"}},
	{"repository URL", "changelog: {repository: 'https://github.com/a/b'}\n", []string{"1:25 changelog.repository config.bad-repository"}},
	{"site with a query", "comments: {visualizer: 'https://a.example/?run=1'}\n", []string{"1:24 comments.visualizer config.bad-site"}},
	{"branch", "layout: {base-branch: a..b}\n", []string{"1:23 layout.base-branch config.bad-branch"}},
	{"login", "checks: {verdict: {mentions: [\"@ada\"]}}\n", []string{"1:31 checks.verdict.mentions.0 config.bad-login"}},
	{"team", "checks: {verdict: {core-team: core}}\n", []string{"1:31 checks.verdict.core-team config.bad-team"}},
	{"mount", "launch: {lanes: [{path: any, mount: 'a,b:/c'}]}\n", []string{"1:37 launch.lanes.0.mount config.bad-mount"}},
	{"suite", "matrix: {vendor-suites: [{model-prefix: a b, framework: f, suite: s}]}\n", []string{"1:41 matrix.vendor-suites.0.model-prefix config.bad-word"}},
	{"no masters", "layout: {masters: []}\n", []string{"1:19 layout.masters config.empty-list"}},
	{"no primaries", "labels: {primaries: []}\n", []string{"1:21 labels.primaries config.empty-list"}},
	{"no roots", "layout: {roots: []}\n", []string{"1:17 layout.roots config.empty-list"}},
	{
		"long list", "labels: {patchwork: [" + strings.Repeat("a, ", maxItems+1) + "]}\n",
		[]string{"1:21 labels.patchwork config.long-list"},
	},
	{"repeated master", "layout:\n  masters:\n    - a.yaml\n    - a.yaml\n", []string{"4:7 layout.masters.1 config.repeated-item"}},
	{
		"repeated suite",
		"matrix:\n  vendor-suites:\n    - {model-prefix: a, framework: f, suite: s}\n    - {model-prefix: a, framework: g, suite: t}\n",
		[]string{"4:7 matrix.vendor-suites.1.model-prefix config.repeated-item"},
	},
	{
		"incomplete item", "matrix:\n  vendor-suites:\n    - {model-prefix: a}\n",
		[]string{"3:7 matrix.vendor-suites.0 config.missing-key", "3:7 matrix.vendor-suites.0 config.missing-key"},
	},
	{
		"two equal primaries", "labels:\n  primaries:\n    - name: Sweep\n    - name: sweep\n",
		[]string{"4:7 labels.primaries.1.name config.duplicate-label"},
	},
	{
		"primary is a modifier of the preset", "labels:\n  primaries:\n    - name: All-Evals\n",
		[]string{"3:7 labels.primaries.0.name config.duplicate-label"},
	},
	{
		"modifier is a primary of the preset", "labels:\n  evals-only: full-sweep-enabled\n",
		[]string{"2:3 labels.evals-only config.duplicate-label"},
	},
	{"node count by the hardware table", "matrix:\n  clusters: false\n", []string{"2:3 matrix.clusters config.conflict"}},
	{
		"old preset with node count", "preset: inferencex-2026-08\nmatrix:\n  node-count: true\n",
		[]string{"3:3 matrix.node-count config.conflict", "3:3 matrix.node-count config.conflict"},
	},
	{
		"scope without workers", "matrix:\n  node-count: false\n  aggregate-worker: false\n",
		[]string{"3:3 matrix.aggregate-worker config.conflict"},
	},
	{
		"identity without suites", "matrix:\n  eval-suites: false\n  vendor-suites: []\n",
		[]string{"2:3 matrix.eval-suites config.conflict"},
	},
	{
		"suites without agentic evals", "matrix:\n  agentic-evals: false\n",
		[]string{"2:3 matrix.agentic-evals config.conflict"},
	},
	{
		"fingerprint of recipes without recipes", "preset: inferencex-2026-08\nmatrix: {fingerprint: row+recipe}\n",
		[]string{"2:10 matrix.fingerprint config.conflict"},
	},
	{
		"publication by a sweep that no push starts", "preset: inferencex-2026-08\nlabels: {push-sweeps: false}\n",
		[]string{"2:10 labels.push-sweeps config.conflict"},
	},
	{
		"forks without a workflow to start", "workflows: {manual: \"\"}\n",
		[]string{"1:13 workflows.manual config.conflict"},
	},
	{
		"an unknown preset brings no further complaints", "preset: old\nlabels: {push-sweeps: false}\nworkflows: {merge-ingest: run-sweep.yml}\n",
		[]string{"1:9 preset config.bad-value"},
	},
	{
		"all problems in one run", `preset: 2026
layout:
  masters: []
  runners: ../runners.yaml
labels:
  draft-runs: true
limits:
  conc: 10_000_000_000
checks:
  profile: newest
`,
		[]string{
			"1:9 preset config.unquoted",
			"3:12 layout.masters config.empty-list",
			"4:12 layout.runners config.bad-path",
			"6:3 labels config.unknown-key-near",
			"8:9 limits.conc config.number-range",
			"10:12 checks.profile config.bad-value",
		},
	},
}

func describe(list diag.List) []string {
	var lines []string
	for _, f := range list {
		lines = append(lines, fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Path, f.Code))
	}
	return lines
}

func TestLoad(t *testing.T) {
	for _, test := range loadCases {
		t.Run(test.name, func(t *testing.T) {
			s, list := Load("sweepbot.yml", []byte(test.file))
			if diff := cmp.Diff(test.want, describe(list)); diff != "" {
				t.Errorf("findings (-want +got):\n%s\n%v", diff, list)
			}
			refused := s.Preset == ""
			if refused != (test.want != nil) {
				t.Errorf("preset %q with %d findings", s.Preset, len(list))
			}
		})
	}
}

// TestYAMLInputs holds S41 to S43 of spec/security.md on the settings file.
func TestYAMLInputs(t *testing.T) {
	for _, test := range []struct {
		name, file string
		want       []string
	}{
		{"S41 alias bomb", aliasBomb(), []string{"yaml.alias-bomb"}},
		{"S42 duplicate key", "layout:\n  runners: a\n  runners: b\n", []string{"yaml.duplicate-key"}},
		{"S43 no as a label", "labels: {all-evals: no}\n", []string{"config.unquoted"}},
		{"S43 on as a switch", "matrix: {smoke: on}\n", nil},
		{"S43 y as a switch", "matrix: {smoke: y}\n", []string{"config.wrong-type"}},
		{"S43 1e3 as a number", "limits: {conc: 1e3}\n", []string{"config.wrong-type"}},
		{"S43 08 as a number", "limits: {conc: 08}\n", []string{"config.wrong-type"}},
		{"S43 010 as a number", "limits: {conc: 010}\n", []string{"config.number-form"}},
		{"S43 0x10 as a number", "limits: {conc: 0x10}\n", []string{"config.number-form"}},
		{"S43 base 60 as a number", "limits: {conc: 12:30:45}\n", []string{"config.number-form"}},
		{"S43 underscores as a number", "limits: {conc: 1_000}\n", nil},
		{"S43 base 60 as a label", "labels: {all-evals: 12:30:45}\n", []string{"config.unquoted"}},
		{"S43 =", "labels: {all-evals: =}\n", []string{"yaml.no-value"}},
		{"S43 date as a profile", "checks: {profile: 2026-11-01}\n", []string{"config.unquoted"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, list := Load("sweepbot.yml", []byte(test.file))
			var got []string
			for _, f := range list {
				got = append(got, f.Code)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("codes (-want +got):\n%s\n%v", diff, list)
			}
		})
	}
}

func TestDuplicateKeyNamesBothLines(t *testing.T) {
	_, list := Load("sweepbot.yml", []byte("layout:\n  runners: a\n  runners: b\n"))
	message := list.Error()
	for _, part := range []string{"line 2", "line 3", "silently"} {
		if !strings.Contains(message, part) {
			t.Errorf("S42: %q is missing in %q", part, message)
		}
	}
}

// aliasBomb is S41: nine levels of nine aliases.
func aliasBomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 8), i-1)
	}
	return b.String()
}

func TestFindingsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "key%d: 1\n", i)
	}
	_, list := Load("sweepbot.yml", []byte(b.String()))
	if len(list) != maxFindings+1 {
		t.Fatalf("%d findings", len(list))
	}
	if !hasCode(list, "config.many-findings") {
		t.Error("the list does not say that it was cut")
	}
	_, list = Load("sweepbot.yml", make([]byte, MaxBytes+1))
	if len(list) != 1 || list[0].Code != "config.too-large" {
		t.Errorf("a large file: %v", list)
	}
}

func hasCode(list diag.List, code string) bool {
	for _, f := range list {
		if f.Code == code {
			return true
		}
	}
	return false
}

func TestRelatedPlaces(t *testing.T) {
	_, list := Load("s.yml", []byte("labels:\n  primaries:\n    - name: x\n  patchwork: [X]\n"))
	want := []diag.Place{{File: "s.yml", Line: 3, Column: 7}}
	if len(list) != 1 || !cmp.Equal(want, list[0].Related) || list[0].Line != 4 {
		t.Errorf("got %v, related %v", list, list[0].Related)
	}
}

func TestOverridesKeepTheRest(t *testing.T) {
	data, err := os.ReadFile("testdata/example.yml")
	if err != nil {
		t.Fatal(err)
	}
	got, list := Load("sweepbot.yml", data)
	if list != nil {
		t.Fatal(list)
	}
	want := august()
	want.Layout.Masters = []string{"configs/amd-master.yaml", "configs/nvidia-master.yaml", "configs/tpu-master.yaml"}
	want.Labels.DraftsRun = true
	want.Limits.MatrixRows = 128
	want.Changelog.Repository = "acme/bench"
	want.Changelog.Gate = Gate{History: GradeError, Position: GradeError, Format: GradeOff}
	want.Checks.Profile = "2026-10"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOtherLayout(t *testing.T) {
	data, err := os.ReadFile("testdata/other-layout.yml")
	if err != nil {
		t.Fatal(err)
	}
	got, list := Load("sweepbot.yml", data)
	if list != nil {
		t.Fatal(list)
	}
	want := []Primary{{Name: "bench: all", Canary: true, FailFast: true, Reusable: true}, {Name: "bench: quick", Trim: true}}
	if diff := cmp.Diff(want, got.Labels.Primaries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Matrix.VendorSuites != nil || got.Layout.GoldenAL != "" {
		t.Errorf("emptied values: %v, %q", got.Matrix.VendorSuites, got.Layout.GoldenAL)
	}
}

// TestEveryCode makes sure that each text of the catalogue belongs to a rule
// that a test breaks, and that each refusal has a mend.
func TestEveryCode(t *testing.T) {
	reached := map[string]bool{"config.too-large": true, "config.many-findings": true, "config.number-form": true}
	for _, test := range loadCases {
		for _, line := range test.want {
			reached[line[strings.LastIndex(line, " ")+1:]] = true
		}
	}
	for code := range otherFaults {
		reached[code] = true
	}
	for _, code := range catalog.Codes() {
		if !strings.HasPrefix(code, "config.") || strings.HasPrefix(code, "config.key-") {
			continue
		}
		if !reached[code] {
			t.Errorf("no test breaks %s", code)
		}
		for _, lang := range []catalog.Language{catalog.English, catalog.Chinese} {
			if catalog.Mend(lang, code) == "" {
				t.Errorf("%s has no mend in %s", code, lang)
			}
		}
		delete(reached, code)
	}
	for code := range reached {
		t.Errorf("%s is not in the catalogue", code)
	}
}

func BenchmarkLoad(b *testing.B) {
	data := Show(august())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, list := Load("sweepbot.yml", data); list != nil {
			b.Fatal(list)
		}
	}
}
