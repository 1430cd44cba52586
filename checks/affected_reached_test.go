package checks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// shared is the made-up repository with two launchers that start the scripts
// of their machines, which read a library.
func shared() map[string]string {
	files := repo(old, entry{key: "a"}, entry{key: "b", runner: "h100"}, entry{key: "c", runner: "h100", prefix: "other"})
	for _, machine := range []string{"b200", "h100"} {
		files["runners/launch_"+machine+".sh"] = "#!/bin/bash\nbash benchmarks/single_node/fixed_seq_len/${EXP_NAME%%_*}_${PRECISION}_" + machine + "_vllm.sh\n"
	}
	for _, name := range []string{"orion2_fp8_b200", "orion2_fp8_h100"} {
		files["benchmarks/single_node/fixed_seq_len/"+name+"_vllm.sh"] =
			"#!/bin/bash\nsource \"$(dirname \"$0\")/../../benchmark_lib.sh\"\nvllm serve $MODEL --tensor-parallel-size $TP\n"
	}
	files["benchmarks/single_node/fixed_seq_len/other_fp8_h100_vllm.sh"] = "#!/bin/bash\nvllm serve $MODEL --tensor-parallel-size $TP\n"
	files["benchmarks/benchmark_lib.sh"] = "wait_for_it() { sleep 1; }\n"
	files["utils/bench_serving/client.py"] = "x = 1\n"
	return files
}

// TestReached has step 4 and step 6 of spec/checks.md section 1.3: who runs
// changed shared code, and what the settings make of it.
func TestReached(t *testing.T) {
	for name, c := range map[string]struct {
		head    map[string]string
		reached []string
		keys    string
	}{
		"launcher of one machine": {map[string]string{"runners/launch_h100.sh": "#!/bin/bash\nset -e\nexit 0\n"}, []string{"b", "c"}, ""},
		"library that two read":   {map[string]string{"benchmarks/benchmark_lib.sh": "wait_for_it() { sleep 2; }\n"}, []string{"a", "b"}, ""},
		"comment in the library":  {map[string]string{"benchmarks/benchmark_lib.sh": "# waits\nwait_for_it() { sleep 1; }\n"}, nil, ""},
		"client of all":           {map[string]string{"utils/bench_serving/client.py": "x = 2\n"}, []string{"a", "b", "c"}, ""},
		"client of agentic runs":  {map[string]string{"utils/aiperf": "2\n"}, nil, ""},
		"several nodes only":      {map[string]string{"benchmarks/multi_node/amd_utils/server.sh": "x\n"}, nil, ""},
		"results":                 {map[string]string{"utils/process_result.py": "x\n"}, nil, ""},
		"documentation":           {map[string]string{"runners/README.md": "x\n"}, nil, ""},
		"with an affected key": {
			map[string]string{"benchmarks/benchmark_lib.sh": "x\n", "perf-changelog.yaml": old + logged("a")}, []string{"b"}, "a",
		},
	} {
		a, err := situation{base: shared(), head: c.head}.evidence(t).Affected(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var reached, keys []string
		for _, k := range a.Reached {
			reached = append(reached, k.Key)
		}
		for _, k := range a.Keys {
			keys = append(keys, k.Key)
		}
		if !slices.Equal(reached, c.reached) || strings.Join(keys, " ") != c.keys {
			t.Errorf("%s: reached %q, affected %q; want %q, %q", name, reached, keys, c.reached, c.keys)
		}
	}
}

// TestReachedSwitch has the three values of the switch, on a change that
// affects nothing by itself.
func TestReachedSwitch(t *testing.T) {
	const none = "N/A — no benchmark configuration or recipe is affected."
	for value, want := range map[string]string{
		config.ReachedRemark:   none + " [2 more keys run changed shared code]",
		config.ReachedWarn:     "WARN — needs human review: 2 more keys run changed shared code. [no benchmark configuration or recipe is affected.]",
		config.ReachedAffected: "PASS — orion2 Single-turn 8k1k is active in MODELS.md. []",
	} {
		base := shared()
		base["docs/MODELS.md"] = policyFile
		s := situation{
			base: base, head: map[string]string{"benchmarks/benchmark_lib.sh": "x\n"},
			settings: func(c *config.Settings) { c.Checks.Reached = value },
		}
		r := s.decide(t, Deprecated())
		if got := fmt.Sprint(row(r), " ", r.Remarks); got != want {
			t.Errorf("%s:\n got %s\nwant %s", value, got, want)
		}
	}
}

// TestReachedIsBounded holds that a change which everybody runs is counted as
// far as the bound goes, and says that it is not counted further.
func TestReachedIsBounded(t *testing.T) {
	var entries []entry
	for i := range maxInterpreted + 5 {
		entries = append(entries, entry{key: fmt.Sprint("k", i)})
	}
	base := repo(old, entries...)
	for name, text := range shared() {
		if strings.HasPrefix(name, "runners/") || strings.HasPrefix(name, "benchmarks/") {
			base[name] = text
		}
	}
	a, err := situation{base: base, head: map[string]string{"benchmarks/benchmark_lib.sh": "x\n"}}.evidence(t).Affected(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("%d more keys run changed shared code; further ones were not counted", maxInterpreted); a.reachedText() != want {
		t.Errorf("%s, want %s", a.reachedText(), want)
	}
	if text := (&Affected{Uncounted: true}).reachedText(); text != "which other keys run changed shared code was not counted" {
		t.Error(text)
	}
}

// TestSharedBlock has the blocks that recipes of each kind are merged over.
func TestSharedBlock(t *testing.T) {
	head := repo(old, entry{key: "a"}, entry{key: "b", scenario: "agentic"})
	rev, err := situation{base: head}.evidence(t).Revision(t.Context(), headSHA)
	if err != nil {
		t.Fatal(err)
	}
	for stem, want := range map[string][2]bool{
		"fixed-sequence-single": {true, false}, "agentic-single": {false, true}, "agentic-multi": {false, false}, "telemetry-dcgm": {true, true},
	} {
		for i, key := range []string{"a", "b"} {
			if got := sharedBlock(rev.RowsOf(key)[0], stem); got != want[i] {
				t.Errorf("%s for %s: %v", stem, key, got)
			}
		}
	}
}
