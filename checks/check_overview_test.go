package checks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// aggregateOf is an aggregate of fixed-sequence rows of one config.
func aggregateOf(hw string, points ...[2]float64) string {
	var rows []string
	for _, p := range points {
		rows = append(rows, fmt.Sprintf(`{"infmax_model_prefix": "orion2", "hw": %q, "isl": 8192, "osl": 1024, "framework": "vllm", "spec_decoding": "none",
			"precision": "fp8", "disagg": false, "is_multinode": false, "median_intvty": %v, "tput_per_gpu": %v}`, hw, p[0], p[1]))
	}
	return "[" + strings.Join(rows, ",") + "]"
}

// TestOverview has the examples of spec/checks.md, check 16.
func TestOverview(t *testing.T) {
	const run = 48100700555
	source := func(aggregate string) givenSource {
		return givenSource{
			runs:       map[int64]Run{run: {ID: run, HeadSHA: headSHA, URL: "https://x/runs/48100700555"}},
			aggregates: map[int64]string{run: aggregate},
		}
	}
	body := signed("see https://github.com/acme/bench/actions/runs/48100700555")
	for name, c := range map[string]struct {
		entry  entry
		source givenSource
		body   string
		set    func(*config.Settings)
		want   string
	}{
		"other hardware": {entry: entry{key: "a", runner: "mi355x"}, want: "N/A — The only affected hardware is AMD MI355X."},
		"vendor engine": {
			entry: entry{key: "a", framework: "trt", image: "nvcr.io#nvidia/trt:1"},
			want:  "N/A — no affected NVIDIA point feeds the overview (TensorRT-LLM is outside its default engine scope).",
		},
		"no column":       {entry: entry{key: "a", runner: "h100"}, want: "N/A — no affected NVIDIA point feeds the overview (H100 has no column)."},
		"other precision": {entry: entry{key: "a", precision: "bf16"}, want: "N/A — no affected NVIDIA point feeds the overview (it shows fp4 and fp8 only)."},
		"other scenario":  {entry: entry{key: "a", scenario: "1k1k"}, want: "N/A — no affected NVIDIA point feeds the overview (it shows 8k1k and agentic only)."},
		"covered": {
			entry: entry{key: "a"}, source: source(aggregateOf("b200", [2]float64{22, 12000}, [2]float64{118, 2000})), body: body,
			want: "PASS — orion2 8k1k on B200 reads 9,083 tok/s/GPU at 50 tok/s/user (run [48100700555](https://x/runs/48100700555)).",
		},
		"too slow": {
			entry: entry{key: "a"}, source: source(aggregateOf("b200-x", [2]float64{8, 100}, [2]float64{31, 50})), body: body,
			want: "WARN — orion2 8k1k on B200 cannot reach 50 tok/s/user (best 31) (run [48100700555](https://x/runs/48100700555)).",
		},
		"too fast": {
			entry: entry{key: "a"}, source: source(aggregateOf("b200", [2]float64{80, 100})), body: body,
			want: "WARN — orion2 8k1k on B200: 50 tok/s/user is not bracketed (run [48100700555](https://x/runs/48100700555)).",
		},
		"no row": {
			entry: entry{key: "a"}, source: source(aggregateOf("b300", [2]float64{50, 100})), body: body,
			want: "WARN — orion2 8k1k on B200 has no row in the sweep (run [48100700555](https://x/runs/48100700555)).",
		},
		"not given": {entry: entry{key: "a"}, body: body, want: "UNAVAILABLE — the sweep that the overview is read from was not given"},
		"no run named": {
			entry: entry{key: "a"}, source: givenSource{comments: []Comment{}, runs: map[int64]Run{}}, body: signed("fine"),
			want: "WARN — needs human review: the overview could not be read: no run of this pull request is named.",
		},
		"run of another commit": {
			entry: entry{key: "a"}, source: givenSource{runs: map[int64]Run{run: {ID: run, HeadSHA: baseSHA}}}, body: body,
			want: "WARN — needs human review: the overview could not be read: run 48100700555 measured b0000000, which is no commit of this pull request.",
		},
		"summary": {
			entry: entry{key: "a"}, set: func(s *config.Settings) { s.Checks.Overview = config.OverviewSummary }, want: "PASS — B200 vllm fp8 8k1k.",
		},
		"off": {entry: entry{key: "a"}, set: func(s *config.Settings) { s.Checks.Overview = config.OverviewOff }, want: "N/A — the check is switched off by the settings."},
	} {
		s := situation{
			base: repo(old), head: repo(old+logged("a"), c.entry), source: c.source, body: c.body, settings: c.set, commits: []gitrepo.Commit{{ID: headSHA}},
		}
		if got := row(s.decide(t, Overview())); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func TestOverviewCellBecomesEmpty(t *testing.T) {
	s := situation{base: repo(old, entry{key: "a"}), head: repo(old+logged("b"), entry{key: "b", prefix: "other"})}
	if got := row(s.decide(t, Overview())); got != "WARN — orion2 8k1k on B200: the cell becomes empty." {
		t.Error(got)
	}
}

func TestFrontierOfReadings(t *testing.T) {
	curve := frontier([]reading{{10, 100}, {20, 90}, {15, 80}, {30, 10}, {30, 20}})
	want := []reading{{10, 100}, {20, 90}, {30, 20}}
	if fmt.Sprint(curve) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", curve, want)
	}
	if v, ok := interpolate(curve, 25); !ok || v != 55 {
		t.Errorf("at 25: %v, %v", v, ok)
	}
	if _, ok := interpolate(curve, 5); ok {
		t.Error("below the span")
	}
	if _, ok := interpolate(curve, 31); ok {
		t.Error("above the span")
	}
}
