package matrix

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// S41: an alias bomb is refused, in configs, runners and recipes.
func TestAliasBombS41(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for i := 'b'; i <= 'i'; i++ {
		bomb += fmt.Sprintf("%c: &%c [*%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c, *%c]\n", i, i, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1)
	}
	refused := func(what string, list diag.List) {
		t.Helper()
		codes(t, list)
		if f := list.First(); f == nil || f.Category != "yaml-invalid" {
			t.Errorf("%s: %.200v", what, list)
		}
	}
	_, list := Load([]Source{{"m.yaml", []byte(bomb)}}, rulesOf(august(t)), true)
	refused("configs", list)
	_, list = LoadRunners(Source{"r.yaml", []byte(bomb)}, rulesOf(august(t)))
	refused("runners", list)
	_, list = ReadMasters(newest(t), recipeFiles().with(recipeBundle, bomb, nvidiaFile, "{}"), false)
	refused("recipe", list)
	_, list = LoadPriority(Source{"p.yaml", []byte(bomb)}, august(t).Sweep)
	refused("policy", list)
}

// S45: concurrencies.
func TestConcurrencyS45(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("1, ", 5000), ", ")
	for _, b := range []broken{
		{"0", okSingle, []string{"[16]", "[§0]"}, []string{"matrix.r2-not-positive"}},
		{"negative", okSingle, []string{"[16]", "[§-4]"}, []string{"matrix.r2-not-positive"}},
		{"duplicates", okSingle, []string{"[16]", "[4, 4]"}, nil},
		{"10^9", okSingle, []string{"[16]", "[§1000000000]"}, []string{"matrix.conc-limit"}},
		{"10^9 in a range", okSingle, []string{"conc-list: [16]", "conc-start: 1, conc-end: §1000000000"}, []string{"matrix.conc-limit"}},
		{"beyond all numbers", okSingle, []string{"conc-list: [16]", "conc-start: 1, conc-end: §3000000000"}, []string{"matrix.number-too-large"}},
		{"float", okSingle, []string{"[16]", "[§4.0, §4.5]"}, []string{"matrix.wrong-type", "matrix.wrong-type"}},
		{"string", okSingle, []string{"[16]", `[§"4"]`}, []string{"matrix.wrong-type"}},
		{"null", okSingle, []string{"[16]", "[§null]"}, []string{"matrix.wrong-type"}},
		{"list", okSingle, []string{"[16]", "[§[4]]"}, []string{"matrix.wrong-type"}},
		{"5,000 entries", okSingle, []string{"- {", "- §{", "16", long}, []string{"matrix.conc-count"}},
		{"1,024 entries", okSingle, []string{"16", long[:3*1024-2]}, nil},
	} {
		b.run(t, august(t))
	}
}

// S46: ranges and steps.
func TestRangesS46(t *testing.T) {
	broken{"end before start", okSingle, []string{"conc-list: [16]", "conc-start: §8, conc-end: 4"}, []string{"matrix.r2-start-above-end"}}.run(t, august(t))
	for _, step := range []string{"1", "0", "-2"} {
		same(t, "step "+step, "usage.step-size", generated(t, august(t), augustFiles(), CommandFullSweep, "--step-size "+step))
	}
	same(t, "huge step", "4 50", generated(t, august(t), oneEntry("tp: 4, conc-start: 4, conc-end: 50"), CommandFullSweep, "--no-evals --step-size 4611686018427387904"))
}

// Files are measured before anything is allocated for them.
func TestFileBounds(t *testing.T) {
	small := august(t, func(s *config.Settings) { s.Limits.FileBytes = 1000 })
	big := "# " + strings.Repeat("x", 1000) + "\n"
	_, list := ReadMasters(small, augustFiles().with(amdFile, big+toyAgentic, nvidiaFile, "{}"), false)
	same(t, "master", []string{"0:0 matrix.file-too-large"}, codes(t, list))
	_, list = ReadRunners(small, augustFiles().with(runnersFile, big))
	same(t, "runners", []string{"0:0 matrix.file-too-large"}, codes(t, list))

	many := strings.Repeat("a: 1\n", maxConfigs+1)
	_, list = Load([]Source{{"m.yaml", []byte(many)}}, rulesOf(august(t)), false)
	same(t, "configs", []string{"0:0 matrix.too-many-configs"}, codes(t, list))
}

// A hostile file cannot make findings by the million: what is kept is bounded
// by config and by file, and the file is refused all the same.
func TestFindingBounds(t *testing.T) {
	var fields strings.Builder
	fields.WriteString(okSingle)
	for i := range 5000 {
		fmt.Fprintf(&fields, "  field%d: 1\n", i)
	}
	_, list := Load([]Source{{"m.yaml", []byte(fields.String())}}, rulesOf(august(t)), false)
	same(t, "of one config", maxFindings, len(list))

	var configs strings.Builder
	for i := range maxConfigs {
		fmt.Fprintf(&configs, "c%d: {a: 1, b: 2, c: 3, d: 4}\n", i)
	}
	_, list = Load([]Source{{"m.yaml", []byte(configs.String())}}, rulesOf(august(t)), false)
	if n := len(list); n > maxFileFindings+maxConfigs || n < maxConfigs {
		t.Errorf("%d findings of one file", n)
	}
	// Two loads of the same bytes say the same.
	_, again := Load([]Source{{"m.yaml", []byte(configs.String())}}, rulesOf(august(t)), false)
	same(t, "findings", len(list), len(again))
	for i := range list {
		if list[i].Code != again[i].Code || list[i].Place != again[i].Place {
			t.Fatalf("finding %d: %v, then %v", i, list[i], again[i])
		}
	}
}

// Shapes that would cost quadratic time cost linear time: each of these ends
// within the patience of a test.
func TestHostileShapes(t *testing.T) {
	const n = 20_000
	list := func(form string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = fmt.Sprintf(form, i)
		}
		return strings.Join(parts, ", ")
	}
	runners := Source{"r.yaml", []byte("labels: { cluster:c: [" + list("n%d") + "], partition:p: [" + list("n%d") + "] }\nclusters:\n" +
		"  c: { gpus-per-node: 8, arch: x86_64, scheduler: slurm, slurm: { partition: p, partitions: [p] } }\n")}
	inv, problems := LoadRunners(runners, rulesOf(newest(t)))
	if problems.Refused() {
		t.Fatal(problems[0])
	}
	same(t, "runners under a filter", n, len(Filter{Node: "n"}.runners(&Config{Runner: "cluster:c"}, inv)))

	labels := Source{"r.yaml", []byte("labels: {" + list("cluster:c%[1]d: [n%[1]d]") + "}\nclusters: {" + list("c%d: { gpus-per-node: 8, arch: x86_64, scheduler: slurm, slurm: {} }") + "}\n")}
	if _, problems = LoadRunners(labels, rulesOf(newest(t))); problems.Refused() {
		t.Fatal(problems[0])
	}

	var refs strings.Builder
	refs.WriteString(swap(t, nextSingleOK, "r.yaml", "'bundle.yaml:zip_override_a[0]'"))
	for range n {
		refs.WriteString("      - { tp: 4, conc-list: [16], srt-recipe: \"bundle.yaml:zip_override_a[0]\" }\n")
	}
	bundle := "base: {}\nzip_override_a: { a: [" + list("%d") + "] }\n"
	_, problems = ReadMasters(newest(t), recipeFiles().with(amdFile, refs.String(), nvidiaFile, "{}", "benchmarks/single_node/srt-slurm-recipes/d/bundle.yaml", bundle), false)
	if problems.Refused() {
		t.Fatal(problems[0])
	}

	var blocks strings.Builder
	blocks.WriteString(okSingle)
	for i := range n {
		fmt.Fprintf(&blocks, "    - { isl: %d, osl: 7, search-space: [{ tp: 1, conc-list: [1] }] }\n", i)
	}
	p := mustPlan(t, august(t), changeOf(augustFiles(), augustFiles().with(amdFile, blocks.String()), entryText("k")))
	same(t, "buckets", n+1, len(p.SingleNode))
	_, refused := Families(p, august(t).Sweep)
	same(t, "buckets without a job", n, len(refused))
}

// Text of the repository reaches rows and messages as data.
func TestHostileText(t *testing.T) {
	text := swap(t, okSingle, "image: i", `image: "$(id); \"{value}\" ${{ secrets.X }}\n::error::"`)
	rows := mustRows(t, august(t), augustFiles().with(amdFile, text), Request{Keys: []string{"k"}})
	image, _ := rows[0].Document().Get("image")
	same(t, "image", "$(id); \"{value}\" ${{ secrets.X }}\n::error::", image.Text)
	if strings.Contains(compact(rows[0].Document()), "\n") {
		t.Error("a row spans lines")
	}
	_, list := Load([]Source{{"m.yaml", []byte(swap(t, okSingle, "tp: 4", "tp: '{got}'"))}}, rulesOf(august(t)), false)
	same(t, "braces of a value are not filled in", "expected integer, found string", list[0].Message("en"))
}

// No row is made for entries that are refused, however many there are.
func TestRefusalAllocatesNoRows(t *testing.T) {
	entry := "      - { tp: 4, conc-start: 1, conc-end: 1_000_000_000 }\n"
	text := okSingle + strings.Repeat(entry, 1000)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, list := Load([]Source{{"m.yaml", []byte(text)}}, rulesOf(august(t)), false)
	runtime.ReadMemStats(&after)
	same(t, "findings", maxFindings, len(list))
	if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
		t.Errorf("%d bytes for a file of %d", used, len(text))
	}
}
