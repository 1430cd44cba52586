package models

import (
	"testing"
	"time"
)

// document has every form of statement that the grammar knows, about made-up
// models.
const document = `# Models

### Monday, November 2, 2026

**Monday, November 2, 2026** is the last day for what is listed below.

| Model | Deprecated | Remains |
|---|---|---|
| Alpha-3 (` + "`alpha3`" + `) | Single-turn 8k1k | Agentic coding |
| Beta-5 (` + "`beta5`" + `) | All **bf16** recipes, in every scenario | fp8 and fp4 |

Second round:

| Model | Deprecated arm | Published arm |
|---|---|---|
| Beta-5 (` + "`beta5`" + `) | Agentic coding, non-MTP | Agentic coding, MTP |
| Gamma (` + "`gamma`" + `) | Agentic coding, non-DSpark (deprecated from day 0) | DSpark |

**Status: not yet enacted.** Every arm above still runs.

### Friday, November 20, 2026

**Friday, November 20, 2026** is the last day for the **Single-turn 8k1k** scenario on **Beta-5** (` + "`beta5`" + `).

## Scenarios

| Scenario | ISL/OSL | Status |
|---|---|---|
| Agentic coding | traces | Active. |
| Single-turn 8k1k | 8192 / 1024 | Active. |
| Single-turn 1k1k | 1024 / 1024 | **Deprecated for all models** since 2026-07-17 ([#1](https://x/1)). |

## Support matrix

| Model class | Prefix | Added | Active scenarios | Deprecated scenarios |
|---|---|---|---|---|
| Alpha | ` + "`alpha3`" + ` | 2026-01-01 | Agentic coding | Single-turn 1k1k, Single-turn 8k1k (removed 2026-11-03, [#2](https://x/2)) |
| Beta | ` + "`beta5`" + ` | 2026-01-01 | Single-turn 8k1k and Agentic coding, both limited to fp8/fp4 | Single-turn 1k1k, all bf16 recipes (removed 2026-11-03) |
| Gamma | ` + "`gamma`" + ` | TBD | Agentic coding (DSpark only) | Agentic coding non-DSpark arm (deprecated from day 0) |
| Delta 5 / 5.1 | ` + "`delta5`, `delta5.1`" + ` | 2026-01-01 | None (retired 2026-07-18, [#3](https://x/3)) | Single-turn 1k8k (Delta-5 only), Single-turn 8k1k |
| Epsilon | ` + "`eps`" + ` | 2026-01-01 | Agentic coding (until 2026-08-03) — fully retired after 2026-08-06 | |
| Zeta | ` + "`zeta`" + ` | 2026-01-01 | Agentic coding (the non-MTP arm still runs while the MTP only transition is pending) | |
| Eta | ` + "`eta`" + ` | 2026-01-01 | Agentic coding (see 2026-08-03) | Single-turn 8k1k |
| Theta | ` + "`theta`" + ` | 2026-01-01 | Agentic coding (MTP only from 2026-12-01) | |
| Kappa | ` + "`kappa`" + ` | 2026-01-01 | Agentic coding (MTP only from 2026-08-03); fp8/fp4 only — bf16 recipes retired 2026-08-03 | |
| Iota | ` + "`iota`" + ` | 2026-01-01 | — | Single-turn 8k1k [^1] |
`

func day(text string) time.Time {
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return d
}

func TestJudge(t *testing.T) {
	policy := Parse(document)
	if policy.Rows() != 10 {
		t.Fatalf("%d rows", policy.Rows())
	}
	const agentic, long, short = "Agentic coding", "Single-turn 8k1k", "Single-turn 1k1k"
	for _, c := range []struct {
		name  string
		point Point
		day   string
		rule  Rule
		first string // "" for since ever
		from  string
	}{
		{"active", Point{"alpha3", agentic, "fp8", false}, "2026-11-18", Active, "", "support matrix"},
		{"D1 the last day passes", Point{"alpha3", long, "fp8", false}, "2026-11-02", Active, "2026-11-03", "notice of 2026-11-02"},
		{"D1 the day after", Point{"alpha3", long, "fp8", false}, "2026-11-03", ScenarioOver, "2026-11-03", "notice of 2026-11-02"},
		{"over for all models", Point{"alpha3", short, "fp8", false}, "2026-11-03", GlobalOver, "2026-07-17", "scenario table"},
		{"before it was over for all", Point{"beta5", short, "fp8", false}, "2026-07-16", ScenarioOver, "", "support matrix"},
		{"sentence of a notice", Point{"beta5", long, "fp8", false}, "2026-11-20", Active, "2026-11-21", "notice of 2026-11-20"},
		{"the day after the sentence", Point{"beta5", long, "fp8", false}, "2026-11-21", ScenarioOver, "2026-11-21", "notice of 2026-11-20"},
		{"precision", Point{"beta5", agentic, "BF16", true}, "2026-11-18", PrecisionOver, "2026-11-03", "notice of 2026-11-02"},
		{"precision beyond the limit", Point{"beta5", agentic, "int4", true}, "2026-11-18", PrecisionOver, "", "support matrix"},
		{"D4 an arm that is not yet enacted", Point{"beta5", agentic, "fp8", false}, "2026-11-18", Active, "", "support matrix"},
		{"D3 an arm from day 0", Point{"gamma", agentic, "fp4", false}, "2026-11-18", ArmOver, "", "notice of 2026-11-02"},
		{"the published arm", Point{"gamma", agentic, "fp4", true}, "2026-11-18", Active, "", "support matrix"},
		{"retired", Point{"delta5", long, "fp8", false}, "2026-07-18", Retired, "2026-07-18", "support matrix"},
		{"not yet retired, scenario over", Point{"delta5.1", long, "fp8", false}, "2026-07-17", ScenarioOver, "", "support matrix"},
		{"of one model of the row", Point{"delta5.1", "Single-turn 1k8k", "fp8", false}, "2026-07-17", Active, "2026-07-18", "support matrix"},
		{"of the other model of the row", Point{"delta5", "Single-turn 1k8k", "fp8", false}, "2026-07-17", ScenarioOver, "", "support matrix"},
		{"until", Point{"eps", agentic, "fp8", false}, "2026-08-03", Active, "2026-08-04", "support matrix"},
		{"after until", Point{"eps", agentic, "fp8", false}, "2026-08-04", ScenarioOver, "2026-08-04", "support matrix"},
		{"behind a dash", Point{"eps", long, "fp8", false}, "2026-08-07", Retired, "2026-08-07", "support matrix"},
		{"pending arm", Point{"zeta", agentic, "fp8", false}, "2026-11-18", Active, "", "support matrix"},
		{"a date that nothing places", Point{"eta", agentic, "fp8", false}, "2026-11-18", UnknownDate, "", "support matrix"},
		{"the other cell is clear", Point{"eta", long, "fp8", false}, "2026-11-18", ScenarioOver, "", "support matrix"},
		{"an arm with a day, before", Point{"theta", agentic, "fp8", false}, "2026-11-30", Active, "", "support matrix"},
		{"an arm with a day, on it", Point{"theta", agentic, "fp8", false}, "2026-12-01", ArmOver, "2026-12-01", "support matrix"},
		{"a precision behind a dash", Point{"kappa", agentic, "bf16", true}, "2026-08-03", PrecisionOver, "2026-08-03", "support matrix"},
		{"the others go on", Point{"kappa", agentic, "fp4", true}, "2026-11-18", Active, "", "support matrix"},
		{"a dash is nothing active", Point{"iota", long, "fp8", false}, "2026-11-18", Retired, "", "support matrix"},
		{"scenario in neither cell", Point{"zeta", long, "fp8", false}, "2026-11-18", UnknownScenario, "", "support matrix"},
		{"no row", Point{"omega", long, "fp8", false}, "2026-11-18", UnknownPrefix, "", ""},
	} {
		got := policy.Judge(c.point, day(c.day))
		first := ""
		if !got.First.IsZero() {
			first = got.First.Format(time.DateOnly)
		}
		if got.Rule != c.rule || first != c.first || got.Source != c.from {
			t.Errorf("%s: %s since %q by %s, want %s since %q by %s", c.name, got.Rule, first, got.Source, c.rule, c.first, c.from)
		}
	}
}

func TestSameModel(t *testing.T) {
	policy := Parse(document)
	if got := policy.SameModel("Delta5.1"); len(got) != 2 || got[0] != "delta5.1" || got[1] != "delta5" {
		t.Errorf("%q", got)
	}
	if got := policy.SameModel("omega"); len(got) != 1 {
		t.Errorf("%q", got)
	}
}

// TestMoreNeverAllows holds that a later day never allows again what an earlier
// one forbade.
func TestMoreNeverAllows(t *testing.T) {
	policy := Parse(document)
	for _, prefix := range []string{"alpha3", "beta5", "gamma", "delta5", "eps", "theta"} {
		for _, scenario := range scenarios {
			forbidden := false
			for d := day("2026-07-01"); d.Before(day("2027-01-01")); d = d.AddDate(0, 0, 1) {
				j := policy.Judge(Point{prefix, scenario, "fp8", false}, d)
				over := !j.Allowed() && !j.Unknown()
				if forbidden && !over {
					t.Fatalf("%s %s is allowed again on %s", prefix, scenario, d.Format(time.DateOnly))
				}
				forbidden = over
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(document, "alpha3")
	f.Add("| Prefix | Active scenarios | Deprecated scenarios |\n|-|-|-|\n| `a` | ((( | )))and ; |\n", "a")
	f.Fuzz(func(t *testing.T, doc, prefix string) {
		p := Parse(doc)
		j := p.Judge(Point{Prefix: prefix, Scenario: "Agentic coding", Precision: "fp8"}, day("2026-11-18"))
		if p.Known(prefix) == (j.Rule == UnknownPrefix) {
			t.Fatalf("%q is known %v and judged %s", prefix, p.Known(prefix), j.Rule)
		}
	})
}
