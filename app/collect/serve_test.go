package collect

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/report"
)

// TestServeFile reads back what was written, and refuses what nobody wrote.
func TestServeFile(t *testing.T) {
	want := Serve{
		Version: 1, Points: map[string]int{"a": 0, "b": 0, "c": 1},
		Commands: [][]report.Command{{{Role: "agg", Count: 1, Argv: []string{"vllm", "serve"}}}, {{Role: "agg", Count: 2, Argv: []string{"sglang"}}}},
	}
	text, err := want.Document()
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadServe(text)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	plan := []report.PlannedPoint{{PlanID: "c"}, {PlanID: "a"}, {PlanID: "x"}}
	got.Fill(plan)
	if plan[0].Serve[0].Argv[0] != "sglang" || plan[1].Serve[0].Argv[0] != "vllm" || plan[2].Serve != nil {
		t.Errorf("%+v", plan)
	}
	for _, text := range []string{
		"", "[]", "{}", `{"version":2}`, `{"version":1,"more":1}`, `{"version":1,"points":{"a":0},"commands":[]}`,
		`{"version":1,"points":{"a":-1},"commands":[[]]}`, `{"version":1,"points":{},"commands":[[{"role":"x"}]]}`,
	} {
		if _, err := ReadServe([]byte(text)); err == nil {
			t.Errorf("%s is read", text)
		}
	}
	huge := Serve{Version: 1, Commands: [][]report.Command{{{Argv: []string{strings.Repeat("x", MaxServe)}}}}}
	if text, err := huge.Document(); text != nil || err != nil {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestPlanFilesOfARun brings the bars and the commands beside the plan.
func TestPlanFilesOfARun(t *testing.T) {
	plan, err := os.ReadFile("../localrun/testdata/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	p := sweep(t, 1)
	p.add("sweepbot-plan", zipOf(t, map[string]string{
		"plan.json": string(plan), ThresholdsFile: "default: {gsm8k: 0.5}\n", "settings.yml": "preset: inferencex\n",
		ServeFile: `{"version":1,"points":{"967fa588729c6cb5":0},"commands":[[{"role":"agg","argv":["vllm","serve"]}]]}`,
	}))
	o := options(t)
	if _, list, err := Download(t.Context(), p, o); err != nil || list != nil {
		t.Fatal(list, err)
	}
	in, err := Read(t.Context(), o.Dir, results.Newest())
	if err != nil {
		t.Fatal(err)
	}
	served := slices.ContainsFunc(in.Plan, func(p report.PlannedPoint) bool { return len(p.Serve) == 1 && p.Serve[0].Argv[1] == "serve" })
	if bar := in.Bars.Bar("", "gsm8k"); !served || bar.Minimum != 0.5 {
		t.Errorf("served %t, bar %+v", served, bar)
	}
}
