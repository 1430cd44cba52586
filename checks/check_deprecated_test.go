package checks

import (
	"strings"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/config"
)

// policyFile is a model policy about made-up models.
const policyFile = `# Models

### Friday, November 20, 2026

| Model | Deprecated | Remains |
|---|---|---|
| Qwin (` + "`qwin3`" + `) | Single-turn 8k1k | Agentic coding |

## Support matrix

| Model | Prefix | Active scenarios | Deprecated scenarios |
|---|---|---|---|
| Orion | ` + "`orion2`" + ` | Single-turn 8k1k, Agentic coding | Single-turn 1k1k |
| Qwin | ` + "`qwin3`" + ` | Single-turn 8k1k, Agentic coding | |
| Kima | ` + "`kima2`" + ` | None (fully retired 2026-08-07) | Single-turn 8k1k |
| Kima 3 | ` + "`kima3`" + ` | Agentic coding (DSpark only) | Agentic coding non-DSpark arm (deprecated from day 0) |
| Glim | ` + "`glim5`, `glim5.1`" + ` | Agentic coding | |
`

// TestDeprecated has the examples of spec/checks.md, check 7, and the causes D1
// to D3 of spec/verdict-causes.md.
func TestDeprecated(t *testing.T) {
	const script = "benchmarks/single_node/agentic/kima3_fp8_b200_vllm.sh"
	spark := "#!/bin/bash\nvllm serve $MODEL --tensor-parallel-size $TP --max-num-seqs $CONC --speculative-config '{\"method\": \"dspark\", \"num_speculative_tokens\": 3}'\n"
	for name, c := range map[string]struct {
		date   string
		head   map[string]string
		extra  map[string]string
		set    func(*config.Settings)
		want   string
		prefix bool // want is only the beginning
	}{
		"active": {head: repo(old+logged("a"), entry{key: "a", scenario: "agentic"}), want: "PASS — orion2 agentic coding is active in MODELS.md."},
		"retired": {
			head: repo(old+logged("a"), entry{key: "a", prefix: "kima2"}),
			want: "FAIL — a submits kima2 Single-turn 8k1k, retired since 2026-08-07 (support matrix).",
		},
		"D1 the last day": {
			date: "2026-11-20", head: repo(old+logged("a"), entry{key: "a", prefix: "qwin3"}), want: "PASS — qwin3 Single-turn 8k1k is allowed through 2026-11-20.",
		},
		"D1 the day after": {
			date: "2026-11-21", head: repo(old+logged("a"), entry{key: "a", prefix: "qwin3"}),
			want: "FAIL — a submits qwin3 Single-turn 8k1k, deprecated since 2026-11-21 (notice of 2026-11-20).",
		},
		"D2 part of the change": {
			head: repo(old+logged("a", "b"), entry{key: "a", prefix: "orion2", scenario: "1k1k"}, entry{key: "b"}),
			want: "FAIL — a submits orion2 Single-turn 1k1k, deprecated already (support matrix). The other 1 key is allowed.",
		},
		"D3 an arm without a draft": {
			head: repo(old+logged("a"), entry{key: "a", prefix: "kima3", scenario: "agentic"}),
			want: "FAIL — a runs Agentic coding without a draft; the non-DSpark arm of kima3 is deprecated from day 0 (support matrix).",
		},
		"D3 label says mtp and nothing is known": {
			head: repo(old+logged("a"), entry{key: "a", prefix: "kima3", scenario: "agentic", spec: "mtp"}), want: "PASS — kima3 agentic coding is active in MODELS.md.",
		},
		"the launch drafts, whatever the label": {
			head: repo(old+logged("a"), entry{key: "a", prefix: "kima3", scenario: "agentic"}), extra: map[string]string{script: spark},
			want: "PASS — kima3 agentic coding is active in MODELS.md.",
		},
		"arm by settings": {
			head: repo(old+logged("a"), entry{key: "a", prefix: "kima3", scenario: "agentic"}),
			set:  func(s *config.Settings) { s.Checks.NonSpeculativeArm = config.ArmWarn }, want: "WARN — needs human review: a runs", prefix: true,
		},
		"removed":      {head: repo(old), want: "N/A — the PR only removes kept."},
		"not affected": {head: map[string]string{"README.md": "x"}, want: "N/A — no benchmark configuration or recipe is affected."},
		"no row":       {head: repo(old+logged("a"), entry{key: "a", prefix: "omega"}), want: "WARN — needs human review: MODELS.md has no row for prefix omega."},
		"row by this change": {
			head:  repo(old+logged("a"), entry{key: "a", prefix: "omega"}),
			extra: map[string]string{"docs/MODELS.md": policyFile + "| O | `omega` | Single-turn 8k1k | |\n"}, want: "PASS — the row of omega is added by this PR.",
		},
		"scenario in neither cell": {
			head: repo(old+logged("a"), entry{key: "a", prefix: "glim5"}), want: "WARN — needs human review: MODELS.md names glim5 Single-turn 8k1k neither active nor deprecated.",
		},
		"broken configs": {head: map[string]string{"configs/nvidia-master.yaml": "a: [\n"}, want: "WARN — needs human review: the affected configs are not known", prefix: true},
	} {
		base := repo(old)
		if name == "removed" {
			base = repo(old, entry{key: "kept"})
		}
		base["docs/MODELS.md"] = policyFile
		for file, text := range c.extra {
			c.head[file] = text
		}
		r := situation{base: base, head: c.head, date: c.date, settings: c.set}.decide(t, Deprecated())
		got := row(r)
		if got != c.want && !(c.prefix && strings.HasPrefix(got, c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// TestDeprecatedNotYetEnacted has cause D4: an arm whose removal is announced
// and not enacted still runs, but for what holds from day 0 on.
func TestDeprecatedNotYetEnacted(t *testing.T) {
	policy := `# Models

### Monday, November 2, 2026

| Model | Deprecated arm | Published arm |
|---|---|---|
| Orion (` + "`orion2`" + `) | Agentic coding, non-MTP | Agentic coding, MTP |
| Kima 3 (` + "`kima3`" + `) | Agentic coding, non-DSpark (deprecated from day 0) | DSpark |

**Status: %s** Every arm above still runs.

## Support matrix

| Model | Prefix | Active scenarios | Deprecated scenarios |
|---|---|---|---|
| Orion | ` + "`orion2`" + ` | Agentic coding | |
| Kima 3 | ` + "`kima3`" + ` | Agentic coding | |
`
	for name, c := range map[string]struct{ prefix, status, want string }{
		"D4 announced": {"orion2", "not yet enacted.", "PASS — orion2 agentic coding is active in MODELS.md."},
		"day 0":        {"kima3", "not yet enacted.", "FAIL — a runs Agentic coding without a draft; the non-DSpark arm of kima3 is deprecated"},
	} {
		base := repo(old)
		base["docs/MODELS.md"] = strings.Replace(policy, "%s", c.status, 1)
		got := row(situation{base: base, head: repo(old+logged("a"), entry{key: "a", prefix: c.prefix, scenario: "agentic"})}.decide(t, Deprecated()))
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// TestDeprecatedIgnoresTheTimeOfDay holds that the day is a UTC day.
func TestDeprecatedIgnoresTheTimeOfDay(t *testing.T) {
	base := repo(old)
	base["docs/MODELS.md"] = policyFile
	e := situation{base: base, head: repo(old+logged("a"), entry{key: "a", prefix: "qwin3"})}.evidence(t)
	e.Date = time.Date(2026, 11, 21, 1, 0, 0, 0, time.FixedZone("east", 8*3600)) // 20 November in UTC
	r, err := Deprecated().Decide(t.Context(), e)
	if err != nil || r.Status != Pass {
		t.Errorf("%s, %v", row(r), err)
	}
}

func TestNoPolicy(t *testing.T) {
	r := situation{base: repo(old), head: repo(old+logged("a"), entry{key: "a"})}.decide(t, Deprecated())
	if r.Status != Warn {
		t.Errorf("%s", row(r))
	}
}
