package matrix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/argv"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// request parses a command line.
func request(t testing.TB, rules config.Matrix, command, words string) (Request, diag.List) {
	t.Helper()
	args, list := argv.Parse(RequestOptions(command, rules), strings.Fields(words))
	if list.Refused() {
		return Request{}, list
	}
	return NewRequest(command, args)
}

// generated runs a command on files and shows its rows, or the first finding.
func generated(t testing.TB, s config.Settings, files Files, command, words string) string {
	t.Helper()
	r, list := request(t, s.Matrix, command, words)
	if list.Refused() {
		codes(t, list)
		return list.First().Code
	}
	rows, list := Generate(s, files, r)
	if f := list.First(); f != nil {
		codes(t, list)
		return f.Code
	}
	return briefs(rows)
}

func oneEntry(entry string) memFiles {
	text := strings.NewReplacer("{ tp: 4, conc-start: 4, conc-end: 50 }", "{ "+entry+" }").Replace(toySingle)
	text = text[:strings.Index(text, "    - isl: 8192")]
	return augustFiles().with(amdFile, text, nvidiaFile, "{}")
}

// spec/matrix.md section 10: concurrency filters of full-sweep by row type.
func TestConcurrencyFilters(t *testing.T) {
	agentic := strings.NewReplacer("[1, 4]", "[4, 8, 16]", "      - { tp: 8, dp-attn: true, spec-decoding: mtp, kv-offloading: none, conc-list: [8, 16, 20] }\n", "").Replace(toyAgentic)
	fixedMulti := toyMulti[:strings.Index(toyMulti, "    agentic-coding:")]
	ranged := strings.Replace(fixedMulti, "conc-list: [8, 64, 32]", "conc-start: 4\n        conc-end: 50", 1)
	files := map[string]memFiles{
		"list":         oneEntry("tp: 4, conc-list: [4, 8, 16]"),
		"range":        oneEntry("tp: 4, conc-start: 4, conc-end: 50"),
		"multi list":   augustFiles().with(amdFile, fixedMulti, nvidiaFile, "{}"),
		"multi range":  augustFiles().with(amdFile, ranged, nvidiaFile, "{}"),
		"agentic list": augustFiles().with(amdFile, agentic, nvidiaFile, "{}"),
	}
	for _, c := range []struct{ kind, words, want string }{
		{"list", "--min-conc 0", ""},
		{"list", "--min-conc 8", "8 16"},
		{"list", "--min-conc 17", ""},
		{"list", "--max-conc 0", ""},
		{"list", "--max-conc 8", "4 8"},
		{"list", "--max-conc 2", "2"},
		{"list", "--min-conc 8 --max-conc 8", "8"},
		{"range", "--min-conc 0", ""},
		{"range", "--min-conc 6", "6 12 24 48 50"},
		{"range", "--min-conc 51", ""},
		{"range", "--max-conc 20", "4 8 16 20"},
		{"range", "--max-conc 2", "2"},
		{"range", "--max-conc -1", ""},
		{"range", "--min-conc 6 --max-conc 20", "6 12 20"},
		{"range", "--step-size 3", "4 12 36 50"},
		{"multi list", "--min-conc 32", "[64,32]"},
		{"multi list", "--max-conc 32", "[8,32]"},
		{"multi list", "--max-conc 4", "[4]"},
		{"multi range", "--min-conc 6", "[8,16,32,50]"},
		{"multi range", "--max-conc 20", "[4,8,16]"},
		{"agentic list", "--min-conc 8", "8 16"},
		{"agentic list", "--max-conc 8", "4 8"},
		{"agentic list", "--max-conc 2", ""},
		{"agentic list", "--min-conc 0", "4 8 16"},
	} {
		same(t, c.kind+" "+c.words, c.want, generated(t, august(t), files[c.kind], CommandFullSweep, "--no-evals "+c.words))
	}
	// test-config: intersection in source order; empty entries are skipped.
	same(t, "--conc", "16 4", generated(t, august(t), oneEntry("tp: 4, conc-list: [16, 8, 4]"), CommandTestConfig, "--config-keys * --no-evals --conc 4 16 99"))
	same(t, "--conc without a match", "", generated(t, august(t), oneEntry("tp: 4, conc-list: [16]"), CommandTestConfig, "--config-keys * --conc 4"))
}

// spec/matrix.md section 10: the other filters of full-sweep.
func TestSweepFilters(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"", "1 4 8 16 20 4 8 16 32 50 4 16 64 [8,64,32] [2] [16]"},
		{"--model-prefix toy-fp8", "4 8 16 32 50 4 16 64"},
		{"--model-prefix nothing toy-fp8", "4 8 16 32 50 4 16 64"},
		{"--precision fp4", "1 4 8 16 20 [8,64,32] [2] [16]"},
		{"--framework vllm sglang", "1 4 8 16 20 4 8 16 32 50 4 16 64"},
		{"--runner-type gx100", "4 8 16 32 50 4 16 64"},
		{"--runner-type nothing", "matrix.unknown-runner-type"},
		{"--seq-lens 1k1k", "1 4 8 16 20 4 8 16 32 50 [2] [16]"},
		{"--single-node", "1 4 8 16 20 4 8 16 32 50 4 16 64"},
		{"--multi-node", "[8,64,32] [2] [16]"},
		{"--single-node --multi-node", "1 4 8 16 20 4 8 16 32 50 4 16 64 [8,64,32] [2] [16]"},
		{"--scenario-type agentic-coding", "1 4 8 16 20 [2] [16]"},
		{"--max-tp 4", "1 4 8 16 20 4 8 16 32 50 [8,64,32] [2] [16]"},
		{"--max-tp 0", "1 4 8 16 20 [8,64,32] [2] [16]"},
		{"--max-ep 0", "1 4 8 16 20 [8,64,32] [2] [16]"},
		{"--runner-node-filter nv4", "[8,64,32] [2] [16]"},
		{"--runner-node-filter cluster", ""},
		{"--step-size 1", "usage.step-size"},
		{"--min-conc 5 --max-conc 4", "usage.min-above-max"},
		{"--seq-lens 3k3k", "usage.bad-choice"},
		{"--conc 4", "usage.unknown-option"},
	} {
		want := c.want
		if !strings.Contains(want, ".") {
			c.words += " --no-evals"
		}
		same(t, c.words, want, generated(t, august(t), augustFiles(), CommandFullSweep, c.words))
	}
	// max-ep lowers a written ep and leaves an absent one at 1.
	r, _ := request(t, augustMatrix(), CommandFullSweep, "--max-ep 2 --single-node --no-evals --scenario-type fixed-seq-len")
	for _, row := range mustRows(t, august(t), augustFiles(), r) {
		want := "1"
		if row.Is8k1k() {
			want = "2"
		}
		ep, _ := row.Generator().Get("ep")
		same(t, "ep of "+row.Bucket(), want, ep.Text)
	}
}

// spec/matrix.md section 10: key expansion of test-config.
func TestKeyExpansion(t *testing.T) {
	text := func(keys ...string) string {
		var out strings.Builder
		for _, key := range keys {
			out.WriteString(strings.Replace(toySingle, "toy-fp8-gx100-vllm", key, 1))
		}
		return out.String()
	}
	files := augustFiles().with(amdFile, text(`"a[1]"`, "b1", "B2"), nvidiaFile, text("b2", `"b?"`, "a1"))
	masters, list := ReadMasters(august(t), files, false)
	if list.Refused() {
		t.Fatal(list)
	}
	for _, c := range []struct{ arguments, want string }{
		{"b1", "b1"},
		{"b2 b1", "b2 b1"},
		{"b*", "b1 b2 b?"},
		{"b?", "b1 b2 b?"},
		{"* b1", "a[1] b1 B2 b2 b? a1"},
		{"b2 b*", "b2 b1 b?"},
		{"[bB]*", "b1 B2 b2 b?"},
		{"[!b]*", "a[1] B2 a1"},
		{"a[1]", "a[1]"}, // brackets alone are no pattern
		{"a[1]*", "a1"},  // but in one they are a set
		{"?[12]", "b1 B2 b2 a1"},
		{"z", "matrix.key-not-found-near"},
		{"nothing-like-it", "matrix.key-not-found"},
		{"z*", "matrix.pattern-no-match"},
		{"b1 z*", "matrix.pattern-no-match"},
	} {
		configs, list := masters.Expand(strings.Fields(c.arguments))
		if f := list.First(); f != nil {
			codes(t, list)
			same(t, c.arguments, c.want, f.Code)
			continue
		}
		var keys []string
		for _, config := range configs {
			keys = append(keys, config.Key)
		}
		same(t, c.arguments, c.want, strings.Join(keys, " "))
	}
}

// spec/matrix.md section 10: the runner filter of both commands.
func TestRunnerFilter(t *testing.T) {
	inv := &Inventory{Labels: []Label{{"gx", []string{"gx-1", "gx-2", "gx-1", "other"}}}, byLabel: map[string]int{"gx": 0}}
	for _, c := range []struct {
		node      string
		fullSweep bool
		want      string
	}{
		{"", false, "gx"},
		{"gx", false, "gx gx-1 gx-2"},
		{"gx", true, "gx-1 gx-2 gx-1"},
		{"-1", false, "gx-1"},
		{"-1", true, "gx-1 gx-1"},
		{"nothing", false, ""},
		{"nothing", true, ""},
	} {
		got := Filter{Node: c.node, FullSweep: c.fullSweep}.runners(&Config{Runner: "gx"}, inv)
		same(t, fmt.Sprint(c.node, c.fullSweep), c.want, strings.Join(got, " "))
	}
	same(t, "unknown label", 1, len(Filter{Node: "z"}.runners(&Config{Runner: "z"}, inv)))
}

// spec/matrix.md section 10, newest: exp-names select exactly one row each,
// before evals are selected.
func TestExpNames(t *testing.T) {
	s := newest(t, withoutRecipes)
	for _, c := range []struct{ words, want string }{
		{"--exp-names toy_tp4_conc4_kvdram-hicache toy_tp8_conc8_kvnone_spec-mtp", "4 8"},
		{"--exp-names nothing", "usage.exp-name-rows"},
		{"--exp-names toy_8k1k", "usage.exp-name-rows"},
		{"--exp-names a a", "usage.exp-name-repeated"},
	} {
		same(t, c.words, c.want, generated(t, s, newestFiles(), CommandTestConfig, "--config-keys toy-* "+c.words))
	}
	same(t, "august", "usage.unknown-option", generated(t, august(t), augustFiles(), CommandTestConfig, "--config-keys toy-* --exp-names a"))
	r, _ := request(t, s.Matrix, CommandTestConfig, "--config-keys toy-* --evals-only --exp-names toy_tp8_conc8_kvnone_spec-mtp")
	rows := mustRows(t, s, newestFiles(), r)
	same(t, "evals of the named rows", "8", selected(rows))
}
