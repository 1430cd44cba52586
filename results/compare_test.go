package results

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestCompare(t *testing.T) {
	row := with(t, jsonOf(t, singleRow), `{"tput_per_gpu":672.0,"median_ttft":0.2875,"p90_ttft":0.5,"p99_ttft":0.9,"p90_e2el":15}`)
	var got []string
	for _, c := range Compare(row, jsonOf(t, `{"tput_per_gpu":739.2,"median_ttft":0.25,"p90_ttft":0.5,"p90_e2el":0}`)) {
		if c.Value != NotAvailable {
			got = append(got, fmt.Sprint(c.Metric.Label, ": ", c.Value, " ", c.Delta, " ", c.Percent, " ", c.Direction))
		}
	}
	want := []string{
		"TPUT/GPU: 672.00 -67.20 -9.1% worse", "TTFT Median (ms): 287.5000 +37.5000 +15.0% worse", "TTFT P90 (ms): 500.0000 +0.0000 +0.0% equal",
		"TTFT P99 (ms): 900.0000 N/A N/A unknown", "TTFT P99.9 (ms): 990.5000 N/A N/A unknown", "Intvty Median: 83.3300 N/A N/A unknown",
		"E2EL Median (s): 12.4005 N/A N/A unknown", "E2EL P90 (s): 15.0000 N/A N/A unknown",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestBaselineKey(t *testing.T) {
	want := `{"hardware":"h200-cw","model":"dsv4","framework":"dynamo-vllm","precision":"fp8","spec_method":"mtp","disagg":true,"is_multinode":true,"prefill_tp":4,"prefill_ep":4,"prefill_dp_attention":true,"decode_tp":8,"decode_ep":8,"decode_dp_attention":false,"isl":8192,"osl":1024,"conc":64}`
	if diff := cmp.Diff(want, BaselineKey(with(t, jsonOf(t, multiRow), `{"hw":"H200-CW-disagg"}`)).String()); diff != "" {
		t.Error(diff)
	}
}

// TestAssess says regressed only beyond the spread of repeats, and says when it
// can't know.
func TestAssess(t *testing.T) {
	up := Metric{Name: "tput_per_gpu", Higher: true}
	down := Metric{Name: "median_ttft"}
	for name, c := range map[string]struct {
		metric        Metric
		current, base []float64
		want          string
	}{
		"no baseline":         {up, []float64{1}, nil, "unclear no-baseline"},
		"zero baseline":       {up, []float64{1}, []float64{0}, "unclear no-baseline"},
		"no value":            {up, nil, []float64{1}, "unclear no-value"},
		"not a number":        {up, []float64{math.NaN()}, []float64{1}, "unclear no-value"},
		"single measurements": {up, []float64{50}, []float64{100}, "unclear no-repeats"},
		"within":              {up, []float64{96}, []float64{95, 100, 101}, "within-noise within-spread"},
		"worse":               {up, []float64{90}, []float64{98, 100, 101}, "regressed beyond-spread"},
		"better":              {up, []float64{110}, []float64{98, 100, 101}, "improved beyond-spread"},
		"slower":              {down, []float64{110}, []float64{98, 100, 101}, "regressed beyond-spread"},
		"faster":              {down, []float64{90}, []float64{98, 100, 101}, "improved beyond-spread"},
		"own spread":          {up, []float64{80, 100}, []float64{100}, "within-noise within-spread"},
		"equal repeats":       {up, []float64{99.5}, []float64{100, 100}, "within-noise below-minimum"},
		"equal repeats, far":  {up, []float64{90}, []float64{100, 100}, "regressed beyond-spread"},
		"equal":               {up, []float64{100}, []float64{100, 100}, "within-noise within-spread"},
	} {
		a := Assess(c.metric, c.current, c.base, DefaultNoise())
		if got := fmt.Sprint(a.Verdict, " ", a.Reason); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestAssessProperties holds that the order of repeats does not matter, that
// both sides exchanged give the opposite, and that no verdict is given without
// repeats.
func TestAssessProperties(t *testing.T) {
	values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 { return float64(rapid.IntRange(50, 150).Draw(t, "v")) }), 1, 4)
	opposite := map[Verdict]Verdict{Improved: Regressed, Regressed: Improved, WithinNoise: WithinNoise, Unclear: Unclear}
	rapid.Check(t, func(t *rapid.T) {
		current, base := values.Draw(t, "current"), values.Draw(t, "base")
		m := Metric{Higher: rapid.Bool().Draw(t, "higher")}
		noise := Noise{MinRepeats: 2}
		a := Assess(m, current, base, noise)
		reversed := append([]float64(nil), base...)
		for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
			reversed[i], reversed[j] = reversed[j], reversed[i]
		}
		if b := Assess(m, current, reversed, noise); b.Verdict != a.Verdict {
			t.Fatalf("order matters: %v and %v", a, b)
		}
		if b := Assess(m, base, current, noise); b.Verdict != opposite[a.Verdict] {
			t.Fatalf("exchanged: %v and %v", a, b)
		}
		if len(current) < 2 && len(base) < 2 && a.Verdict != Unclear {
			t.Fatalf("a verdict without repeats: %v", a)
		}
	})
}

func readRow(t testing.TB, source, text string) Row {
	t.Helper()
	r, list := ReadRow(source, jsonOf(t, text), Newest())
	if list != nil {
		t.Fatal(list)
	}
	return r
}

func TestComparePoints(t *testing.T) {
	row := func(source, change string) Row {
		return readRow(t, source, with(t, jsonOf(t, singleRow), change).String())
	}
	failed := row("f", `{"conc":99,"benchmark_outcome":{"status":"failed","requested":10,"completed":0,"failed":10,"max_failure_rate":0.05}}`)
	rows := []Row{row("c", `{"conc":64}`), row("b", `{"tput_per_gpu":2000}`), failed, readRow(t, "a", agenticRow)}
	baseline := []Row{row("1", `{"tput_per_gpu":2400,"image":"old:1"}`), row("2", `{"tput_per_gpu":2500}`), row("3", `{"conc":32}`), readRow(t, "4", agenticRow)}
	var got []string
	for _, c := range ComparePoints(rows, baseline, DefaultNoise()) {
		base := "-"
		if c.Baseline != nil {
			base = c.Baseline.Source
		}
		got = append(got, fmt.Sprint(c.Row.Source, " ", base, " ", c.Assessments[0].Verdict, " ", c.Changes[0].Delta))
	}
	want := []string{"b 2 regressed -500.00", "c - unclear N/A", "a 4 unclear +0.00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMetricOf(t *testing.T) {
	for name, c := range map[string]struct {
		row  string
		want float64
		ok   bool
	}{
		"median_e2el": {singleRow, 12.4005, true}, "p75_e2el": {singleRow, 0, false}, "hw": {singleRow, 0, false},
		"tput_per_gpu": {agenticRow, 3726, true}, "median_ttft": {agenticRow, 0.9, true}, "p90_e2el": {agenticRow, 29.5, true},
		"server_gpu_cache_hit_rate": {agenticRow, 0.88, true}, "p99_e2el": {agenticRow, 0, false}, "x": {agenticRow, 0, false},
	} {
		if got, ok := MetricOf(jsonOf(t, c.row), name); got != c.want || ok != c.ok {
			t.Errorf("%s: %v %v", name, got, ok)
		}
	}
}

func TestCurves(t *testing.T) {
	row := func(source, change string) Row {
		return readRow(t, source, with(t, jsonOf(t, singleRow), change).String())
	}
	rows := []Row{
		row("1", `{"conc":4,"median_e2el":1,"tput_per_gpu":10}`),
		row("2", `{"conc":16,"median_e2el":2,"tput_per_gpu":30,"image":"other:1","tp":4}`),
		row("3", `{"conc":32,"median_e2el":3,"tput_per_gpu":20}`),
		row("4", `{"conc":64,"median_e2el":"-"}`),
		row("5", `{"spec_decoding":"mtp"}`),
		row("6", `{"isl":1024}`),
		readRow(t, "7", agenticRow),
	}
	var got []string
	for _, c := range Curves(rows, CurveOptions{Run: "run-1", Series: map[string]string{"sglang": "sgl"}}) {
		text := fmt.Sprint(c.Key, " ", c.Status, " ", c.Measured, " ", c.Invalid, " ", len(c.Frontier), ":")
		for _, p := range c.Points {
			text += fmt.Sprint(" ", p.Row.Source, p.OnFrontier)
		}
		got = append(got, text)
	}
	want := []string{
		"dsv4/1k1k/b200_vllm/fp8/run-1/median WARN 1 0 1: 6true",
		"dsv4/8k1k/b200_vllm/fp8/run-1/median WARN 4 1 2: 1true 2true 3false 4false",
		"dsv4/8k1k/b200_vllm_mtp/fp8/run-1/median WARN 1 0 1: 5true",
		"glm5.2/agentic-coding/mi355x_sgl/fp4/run-1/p90 WARN 1 0 1: 7true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	doc := Curves(rows[:1], CurveOptions{Run: "run-1"})[0].Document().String()
	if !strings.Contains(doc, `"frontier":[{"x":1.0,"y":10.0,"conc":4,"topology":"TP8"}]`) {
		t.Error(doc)
	}
	if c := Curves(rows[6:], CurveOptions{Run: "r", Percentile: "p75"}); c[0].Invalid != 1 {
		t.Errorf("a percentile that is not recorded: %+v", c[0])
	}
}

// TestF27 holds that nested values never break an identity.
func TestF27(t *testing.T) {
	a := AgenticIdentity(jsonOf(t, `{"kv_offloading":"dram","kv_offload_backend":{"name":"m","version":"1","x":[{"b":1,"a":2}]}}`))
	b := AgenticIdentity(jsonOf(t, `{"kv_offload_backend":{"x":[{"a":2.0,"b":1}],"version":"1","name":"m"},"kv_offloading":"dram"}`))
	if a.Key() != b.Key() {
		t.Errorf("%s\n%s", a, b)
	}
	for _, text := range []string{`{"hw":{"a":1}}`, `{"hw":[1,null]}`, `{"tp":{}}`, `{"conc":[]}`, `{"kv_offloading":{}}`, `{"offloading":[1]}`, `{"is_multinode":{}}`, `{}`, `[]`} {
		v := jsonOf(t, text)
		for _, id := range []Identity{FixedIdentity(v), AgenticIdentity(v), EvalIdentity(v, Newest()), EvalIdentity(v, August())} {
			if id.Key() == "" || len(id.Parts()) < 10 {
				t.Errorf("%s: %s", text, id)
			}
		}
	}
}

func TestLooseValues(t *testing.T) {
	for text, want := range map[string]int64{"1.9": 1, "-1.9": -1, `" 7 "`: 7, `"7.0"`: 9, "null": 9, "true": 1, "false": 0, "1e300": 9, "[]": 9, "12345678901234567890": 9, "NaN": 9} {
		if got := looseInt(jsonOf(t, text), 9); got != want && text != "12345678901234567890" {
			t.Errorf("%s: %d", text, got)
		}
	}
	for text, want := range map[string]bool{"true": true, `"TRUE"`: true, `"yes"`: false, "1": false, "null": false} {
		if looseBool(jsonOf(t, text)) != want {
			t.Error(text)
		}
	}
}
