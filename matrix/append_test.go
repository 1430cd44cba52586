package matrix

import (
	"strings"
	"testing"
)

// swap replaces parts of a text, each of which must occur once.
func swap(t testing.TB, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%q occurs %d times", pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// curveText is the config of the vectors in spec/changelog.md section 7.2.
const curveText = `toy-curve:
  image: example/vllm:v1
  model: acme/Toy-7B
  model-prefix: toy
  precision: fp8
  framework: vllm
  runner: cluster:gx100-a
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 4, conc-start: 4, conc-end: 50 }
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [4, 16, 64] }
`

// curveAgentic is the same with an agentic scenario.
const curveAgentic = curveText + `    agentic-coding:
    - dram-utilization: 0.8
      search-space:
      - { tp: 4, kv-offloading: dram, kv-offload-backend: { name: hicache }, conc-list: [1, 4] }
`

const agenticEntryEnd = "conc-list: [1, 4] }\n"

// spec/changelog.md section 7.2, the vectors.
func TestAppendOnlyVectors(t *testing.T) {
	const fixedOnly = "scenario-type: [fixed-seq-len]"
	const list, span, entry = "[4, 16, 64]", "conc-start: 4, conc-end: 50", "      - { tp: 4, conc-start: 4, conc-end: 50 }\n"
	other := strings.Replace(toySingle, "toy-fp8", "other-fp8", 1)
	for _, c := range []struct {
		name, base, head, more, want string
	}{
		{"list longer", curveText, swap(t, curveText, list, "[4, 16, 64, 128]"), "", "single_node.8k1k: 128"},
		{"range written as a list", curveText, swap(t, curveText, span, "conc-list: [4, 8, 16, 32, 50, 64]"), "", "single_node.1k1k: 64"},
		{"range with another end", curveText, swap(t, curveText, "50", "128"), "", "plan.append-point-removed"},
		{"new entry", curveText, swap(t, curveText, entry, entry+"      - { tp: 2, conc-list: [1, 2] }\n"), "", "single_node.1k1k: 1 2"},
		{"new entry of another series", curveText, swap(t, curveText, entry, entry+"      - { tp: 4, spec-decoding: mtp, conc-list: [1] }\n"), "", "plan.append-new-series"},
		{"the same, agentic", curveAgentic, swap(t, curveAgentic, agenticEntryEnd, agenticEntryEnd+"      - { tp: 4, spec-decoding: mtp, kv-offloading: dram, kv-offload-backend: { name: hicache }, conc-list: [2] }\n"), "", "single_node.agentic: 2"},
		{"new lengths", curveText, curveText + "    - isl: 2048\n      osl: 128\n      search-space:\n      - { tp: 4, conc-list: [1] }\n", "", "plan.append-new-series"},
		{"image", curveText, swap(t, curveText, "vllm:v1", "vllm:v2"), "", "plan.append-recipe-changed"},
		{"image and a point", curveText, swap(t, curveText, "vllm:v1", "vllm:v2", list, "[4, 16, 64, 128]"), "", "plan.append-recipe-changed"},
		{"point removed", curveText, swap(t, curveText, list, "[4, 64, 128]"), "", "plan.append-point-removed"},
		{"nothing new", curveText, swap(t, curveText, list, "[64, 4, 16, 4]"), "", "plan.append-no-delta"},
		{"unrelated config edited", curveText + other, swap(t, curveText, list, "[4, 16, 64, 128]") + strings.Replace(other, "vllm:v1", "vllm:v2", 1), "", "plan.append-unrelated"},
		{"unrelated config added", curveText, swap(t, curveText, list, "[4, 16, 64, 128]") + other, "", "plan.append-unrelated"},
		{"unrelated config removed", curveText + other, swap(t, curveText, list, "[4, 16, 64, 128]"), "", "plan.append-unrelated"},
		{"unrelated config reformatted", curveText + other, swap(t, curveText, list, "[4, 16, 64, 128]") + strings.Replace(other, "{ tp: 4, conc-start: 4, conc-end: 50 }", "{ conc-end: 50, conc-start: 4, tp: 4 } # same", 1), "", "single_node.8k1k: 128"},
		{"key order, explicit default and a point", curveText, swap(t, curveText, "{ tp: 8, conc-list: [4, 16, 64] }", "{ conc-list: [4, 16, 64, 8], ep: 1, tp: 8 }"), "", "single_node.8k1k: 8"},
		{"other scenario edited", curveAgentic, swap(t, curveAgentic, "[1, 4]", "[1, 4, 8]", list, "[4, 16, 64, 128]"), fixedOnly, "plan.append-other-scenario"},
		{"whole config edited", curveAgentic, swap(t, curveAgentic, "vllm:v1", "vllm:v2"), fixedOnly, "plan.append-config-wide"},
		{"scenario added", curveText, swap(t, curveAgentic, list, "[4, 16, 64, 128]"), "", "plan.append-scenario-set"},
		{"scenario removed", curveAgentic, swap(t, curveText, list, "[4, 16, 64, 128]"), "", "plan.append-scenario-set"},
		{"agentic without offload where the curve has it", curveAgentic, swap(t, curveAgentic, agenticEntryEnd, agenticEntryEnd+"      - { tp: 2, kv-offloading: none, conc-list: [1] }\n"), "", "plan.append-new-series"},
		{"memory share", curveAgentic, swap(t, curveAgentic, "dram-utilization: 0.8", "dram-utilization: 0.7", "[1, 4]", "[1, 4, 8]"), "", "plan.append-recipe-changed"},
		{"multi-node list", multiText("[8, 64, 32]", ""), multiText("[128, 8, 64, 128, 32, 256]", ""), "", "multi_node.8k1k: [128,256]"},
		{"multi-node agentic entry with hardware", agenticMulti(""), agenticMulti("hardware"), "", "plan.append-new-series"},
		{"scenario that the config lacks", curveText, swap(t, curveText, list, "[4, 16, 64, 128]"), "scenario-type: [agentic-coding]", "plan.append-other-scenario"},
		{"no scenario of the config, nothing edited", curveText, curveText, "scenario-type: [agentic-coding]", "plan.append-no-base-curve"},
	} {
		files := func(text string) memFiles { return augustFiles().with(amdFile, text, nvidiaFile, "{}") }
		key := c.head[:strings.Index(c.head, ":")]
		got := planText(t, c.base, files, c.head, entryText(key, join("append-only: true", c.more)...))
		same(t, c.name, c.want, got)
	}
}

func join(first, second string) []string {
	if second == "" {
		return []string{first}
	}
	return []string{first, second}
}

// planText plans a change of the first master file and shows the plan, or the
// code of the refusal.
func planText(t testing.TB, base string, files func(string) memFiles, head string, entries ...string) string {
	t.Helper()
	p, list := NewPlan(august(t), changeOf(files(base), files(head), entries...))
	if f := list.First(); f != nil {
		codes(t, list)
		return f.Code
	}
	return strings.TrimSuffix(summary(p), "\n")
}

func multiText(concs, more string) string {
	text := toyMulti[:strings.Index(toyMulti, "    agentic-coding:")]
	return strings.Replace(text, "[8, 64, 32]", concs, 1) + more
}

// agenticMulti is the agentic part of the disaggregated toy config, with a
// second entry that names hardware.
func agenticMulti(hardware string) string {
	text := toyMulti[:strings.Index(toyMulti, "    fixed-seq-len:")] + toyMulti[strings.Index(toyMulti, "    agentic-coding:"):]
	if hardware == "" {
		return text
	}
	at := strings.Index(text, "      - conc-list")
	return text + strings.NewReplacer("tp: 2,", "tp: 2, hardware: nv4,", "tp: 4, ep: 4,", "tp: 4, hardware: nv4, ep: 4,").Replace(text[at:])
}

// Trim applies to the delta.
func TestAppendOnlyTrim(t *testing.T) {
	head := swap(t, curveText, "[4, 16, 64]", "[4, 16, 64, 256, 128]")
	change := changeOf(augustFiles().with(amdFile, curveText), augustFiles().with(amdFile, head), entryText("toy-curve", "append-only: true"))
	change.Trim = true
	same(t, "plan", "single_node.8k1k: 128\n", summary(mustPlan(t, august(t), change)))
}

// The delta is taken over the whole group, each entry needs at least one
// point, and a second entry for what is covered generates nothing.
func TestAppendOnlyGroups(t *testing.T) {
	second := strings.Replace(curveText, "toy-curve", "toy-other", 1)
	longer := swap(t, curveText, "[4, 16, 64]", "[4, 16, 64, 128]")
	files := func(text string) memFiles { return augustFiles().with(amdFile, text, nvidiaFile, "{}") }
	for _, c := range []struct {
		name    string
		entries []string
		want    string
	}{
		{"one entry for both", []string{entryText(`"toy-*"`, "append-only: true")}, "single_node.8k1k: 128"},
		{"an entry without a point", []string{entryText("toy-curve", "append-only: true"), entryText("toy-other", "append-only: true")}, "plan.append-no-delta"},
		{"an entry for what is covered", []string{entryText("toy-curve", "append-only: true"), entryText("toy-curve", "append-only: true")}, "single_node.8k1k: 128"},
	} {
		same(t, c.name, c.want, planText(t, curveText+second, files, longer+second, c.entries...))
	}
}

// spec/changelog.md section 7.1: what must exist at the base.
func TestAppendOnlyNeedsBase(t *testing.T) {
	longer := swap(t, curveText, "[4, 16, 64]", "[4, 16, 64, 128]")
	head := augustFiles().with(amdFile, longer)
	for _, c := range []struct{ name, removed, category string }{
		{"master", amdFile, "append-only-missing-generation-inputs"},
		{"runners", runnersFile, "append-only-missing-generation-inputs"},
	} {
		base := augustFiles().with(amdFile, curveText).with(c.removed, "")
		f := refusal(t, august(t), changeOf(base, head, entryText("toy-curve", "append-only: true")))
		same(t, c.name, c.category, f.Category)
		same(t, c.name, c.removed, f.File)
	}
	// A wildcard that also matches a brand-new key.
	fresh := head.with(nvidiaFile, strings.Replace(curveText, "toy-curve", "toy-new", 1))
	base := augustFiles().with(amdFile, curveText, nvidiaFile, "{}")
	f := refusal(t, august(t), changeOf(base, fresh, entryText(`"toy-*"`, "append-only: true")))
	same(t, "new key", "append-only-config-missing-in-base", f.Category)
	same(t, "place", nvidiaFile+":1:1", f.Place.String())
}

// The findings say which point, and where.
func TestAppendOnlyMessages(t *testing.T) {
	head := swap(t, curveText, "[4, 16, 64]", "[64]")
	f := refusal(t, august(t), changeOf(augustFiles().with(amdFile, curveText), augustFiles().with(amdFile, head), entryText("toy-curve", "append-only: true")))
	same(t, "finding", "configs/amd-master.yaml:18:9: toy-curve: 'toy-curve' (toy_8k1k) lost the concurrencies 4,16 [plan.append-point-removed] - keep them; note that a range always ends in conc-end", f.Error())
	same(t, "category", "append-only-point-removed", f.Category)
	// Without a place of its own a finding stands at the entry.
	f = refusal(t, august(t), changeOf(augustFiles().with(amdFile, curveText), augustFiles().with(amdFile, curveText), entryText("toy-curve", "append-only: true", "scenario-type: [agentic-coding]")))
	same(t, "place", "perf-changelog.yaml:8:5", f.Place.String())
}

// spec/changelog.md section 6.2 steps 2 and 3: flags that do not go together.
func TestEntryFlagsAndModifiers(t *testing.T) {
	plain, appending, noEvals := entryText("toy-curve"), entryText("toy-curve", "append-only: true"), entryText("toy-curve", "no-evals: true")
	files := newestFiles().with(amdFile, curveText)
	for _, c := range []struct {
		name     string
		modifier Modifiers
		entries  []string
		category string
	}{
		{"mixed", Modifiers{}, []string{plain, appending}, "append-only-mixed"},
		{"all-evals", Modifiers{AllEvals: true}, []string{appending}, "append-only-with-modifier"},
		{"evals-only", Modifiers{EvalsOnly: true}, []string{appending}, "append-only-with-modifier"},
		{"no-evals and all-evals", Modifiers{AllEvals: true}, []string{noEvals}, "no-evals-with-modifier"},
		{"no-evals and evals-only", Modifiers{EvalsOnly: true}, []string{plain, noEvals}, "no-evals-with-modifier"},
		{"no-evals comes first", Modifiers{AllEvals: true}, []string{appending, noEvals}, "no-evals-with-modifier"},
		{"modifier after mixed", Modifiers{AllEvals: true}, []string{plain, appending}, "append-only-mixed"},
	} {
		change := changeOf(files, files, c.entries...)
		change.Modifiers = c.modifier
		f := refusal(t, newest(t, withoutRecipes), change)
		same(t, c.name, c.category, f.Category)
		if f.File != changelogFile || f.Line == 0 {
			t.Errorf("%s: place %s", c.name, f.Place)
		}
	}
}
