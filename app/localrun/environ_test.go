package localrun

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// contracts are both forms of the runner contract by name.
var contracts = []struct {
	name string
	Contract
}{{"newest", newestContract}, {"august", augustContract}}

// onePerFamily are the first points of every family of the sample.
func onePerFamily(t *testing.T, c Contract) []*Point {
	t.Helper()
	plan, err := ReadPlan(samplePlan(t))
	if err != nil {
		t.Fatal(err)
	}
	var points []*Point
	for _, p := range Points(plan, testSite(c)) {
		if !slices.ContainsFunc(points, func(q *Point) bool { return q.Family == p.Family }) {
			points = append(points, p)
		}
	}
	return points
}

func TestEnvironmentTables(t *testing.T) {
	for _, c := range contracts {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			for _, p := range onePerFamily(t, c.Contract) {
				lines := p.Env.Lines()
				slices.Sort(lines)
				fmt.Fprintf(&b, "== %s\n%s\n", p.Family, strings.Join(lines, "\n"))
			}
			golden(t, "environ-"+c.name+".golden", b.String())
		})
	}
}

func TestNoVariableTwice(t *testing.T) {
	for _, c := range contracts {
		for _, p := range onePerFamily(t, c.Contract) {
			seen := make(map[string]bool)
			for _, v := range p.Env {
				// EVAL_CONC is an input that the launch step fills in.
				if seen[v.Name] && v.Name != "EVAL_CONC" {
					t.Errorf("%s %s: %s is set twice", c.name, p.Family, v.Name)
				}
				seen[v.Name] = true
			}
		}
	}
}

// rowVariables pairs the fields of a row with the variables they must arrive
// in (spec/labels-and-sweeps.md section 9.4).
var rowVariables = [][2]string{
	{"exp-name", "EXP_NAME"}, {"model", "MODEL"}, {"model-prefix", "MODEL_PREFIX"}, {"image", "IMAGE"},
	{"framework", "FRAMEWORK"}, {"precision", "PRECISION"}, {"spec-decoding", "SPEC_DECODING"}, {"runner", "RUNNER_TYPE"},
}

func TestF32RowValuesArriveUnchanged(t *testing.T) {
	for _, c := range contracts {
		for _, p := range onePerFamily(t, c.Contract) {
			row := p.Row
			for _, pair := range rowVariables {
				row = replaced(row, pair[0], ordjson.Str("value of "+pair[0]))
			}
			row = replaced(row, "spec-decoding", ordjson.Str("mtp"))
			q := *p
			q.Row = row
			env, err := testSite(c.Contract).environment(&q)
			if err != nil {
				t.Fatal(err)
			}
			for _, pair := range rowVariables {
				if got, want := env.Get(pair[1]), text(row, pair[0]); got != want {
					t.Errorf("%s %s: %s = %q, want %q", c.name, p.Family, pair[1], got, want)
				}
			}
		}
	}
}

func TestF11AbsentFieldsAreNeverEmptyBooleans(t *testing.T) {
	booleans := []string{"RUN_EVAL", "EVAL_ONLY", "DISAGG", "DP_ATTENTION", "PREFILL_DP_ATTN", "DECODE_DP_ATTN", "REQUIRE_POWER", "IS_AGENTIC"}
	for _, c := range contracts {
		for _, p := range onePerFamily(t, c.Contract) {
			q := *p
			q.Row = ordjson.Map()
			for _, m := range p.Row.Members {
				if !slices.Contains([]string{"run-eval", "eval-only", "disagg", "dp-attn", "require-power"}, m.Name) {
					q.Row.Add(m.Name, withoutAttention(m.Value))
				}
			}
			env, err := testSite(c.Contract).environment(&q)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range env {
				if slices.Contains(booleans, v.Name) && !slices.Contains([]string{"true", "false", "0", "1"}, v.Value) {
					t.Errorf("%s %s: %s = %q", c.name, p.Family, v.Name, v.Value)
				}
			}
		}
	}
}

func TestF36NothingOfTheQueueReachesALauncher(t *testing.T) {
	for _, p := range onePerFamily(t, newestContract) {
		for _, v := range p.Env {
			if strings.Contains(v.Name, "QUEUE") || strings.Contains(v.Name, "PRIORITY") {
				t.Errorf("%s: %s: a local sweep has no queue, so it must not name a token", p.Family, v.Name)
			}
		}
	}
}

func TestAdditionalSettingsAreData(t *testing.T) {
	tests := []struct {
		setting string
		ok      bool
	}{
		{"A=1", true}, {"_x9=", true}, {"FLAGS=--a b;c $(d) `e`", true}, {"A=x=y", true},
		{"", false}, {"A", false}, {"9A=1", false}, {"A B=1", false}, {"-e=1", false}, {"export A=1", false}, {"A-B=1", false}, {"Ä=1", false}, {" A=1", false}, {"A=\x00", false},
	}
	for _, tt := range tests {
		row := parse(t, `{"decode":{"additional-settings":["OK=1"]}}`)
		row.Add("prefill", ordjson.Map(ordjson.Member{Name: "additional-settings", Value: ordjson.Strs([]string{tt.setting})}))
		env, err := additionalSettings(row)
		if (err == nil) != tt.ok {
			t.Errorf("%q: %v", tt.setting, err)
		}
		if err == nil && env[0].Name+"="+env[0].Value != tt.setting {
			t.Errorf("%q became %q", tt.setting, env[0])
		}
	}
}

func TestSettingsCannotReplaceWhatTheLaunchStepSets(t *testing.T) {
	p := onePerFamily(t, newestContract)[3]
	p.Row = replaced(p.Row, "prefill", parse(t, `{"num-worker":1,"tp":4,"additional-settings":["RESULT_FILENAME=x","DECODE_TP=9"]}`))
	env, err := testSite(newestContract).environment(p)
	if err != nil {
		t.Fatal(err)
	}
	if got := env.Get("RESULT_FILENAME"); got != p.ResultName {
		t.Errorf("RESULT_FILENAME = %q", got)
	}
}

func TestFastModeReachesAgenticThroughputOnly(t *testing.T) {
	site := testSite(newestContract)
	site.Fast = true
	for _, p := range onePerFamily(t, newestContract) {
		env, err := site.environment(p)
		if err != nil {
			t.Fatal(err)
		}
		want := oneOrZero(p.Agentic && !p.EvalOnly)
		if got := env.Get("AIPERF_EXPERIMENTAL_FAST"); got != want {
			t.Errorf("%s: AIPERF_EXPERIMENTAL_FAST = %s, want %s", p.Family, got, want)
		}
	}
}

func withoutAttention(v ordjson.Value) ordjson.Value {
	if v.Kind == ordjson.Object {
		return withoutMember(v, "dp-attn")
	}
	return v
}
