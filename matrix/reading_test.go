package matrix

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
)

// formerHead is what configs of all times begin with.
const formerHead = "  image: i:1\n  model: a/M\n  model-prefix: m\n  precision: fp8\n  framework: vllm\n"

// readingOf reads one master file of a small repository.
func readingOf(t *testing.T, files memFiles) Reading {
	t.Helper()
	r, list := Read(august(t), files, Request{Filter: Filter{FullSweep: true, StepSize: 2}})
	if list.Refused() {
		t.Fatalf("refused:\n%v", list)
	}
	return r
}

const formerRunners = "labels:\n  gx: [gx-a_0]\n  cluster:gx: [gx-a_0]\nhardware: {}\n"

// Forms of former times, and fields that were not asked for: the rows are
// there, and planning refuses each of them.
func TestReadingTakesFormerForms(t *testing.T) {
	const single = formerHead + "  runner: gx\n  multinode: false\n"
	const disagg = formerHead + "  runner: gx\n  multinode: true\n  disagg: true\n"
	const entry = "      - { tp: 2, conc-list: [4] }\n"
	const roles = "prefill: { num-worker: 1, tp: 4, ep: 4, dp-attn: true }, decode: { num-worker: 1, tp: 4, ep: 4, dp-attn: true }"
	for _, c := range []struct {
		name, text string
		want       func(r *Row) string
		is         string
	}{
		{"lengths in the config", single + "  seq-len-configs:\n    - isl: 1024\n      osl: 1024\n      search-space:\n" + entry, (*Row).Bucket, "1k1k"},
		{"disaggregated without transfer", disagg + "  scenarios:\n    fixed-seq-len:\n    - isl: 1024\n      osl: 1024\n      search-space:\n      - { conc-list: [4], " + roles + " }\n", (*Row).Transfer, ""},
		{"agentic away from a cluster", single + "  scenarios:\n    agentic-coding:\n    - search-space:\n      - { tp: 2, kv-offloading: none, conc-list: [4] }\n", (*Row).Bucket, "agentic"},
		{"offloading: none", single + "  scenarios:\n    agentic-coding:\n    - duration: 1800\n      search-space:\n      - { tp: 2, offloading: none, conc-list: [4] }\n", offloadOf, "none dram=0 duration=1800"},
		{"offloading by a backend", single + "  scenarios:\n    agentic-coding:\n    - search-space:\n      - { tp: 2, offloading: hicache, conc-list: [4] }\n", offloadOf, "dram-hicache dram=600 duration=0"},
		{"a backend by its name", strings.Replace(single, "runner: gx", "runner: cluster:gx", 1) + "  router: rr\n  scenarios:\n    agentic-coding:\n    - search-space:\n      - { tp: 2, kv-offloading: dram, kv-offload-backend: native, conc-list: [4] }\n", offloadOf, "dram-native dram=? duration=0"},
		{"no backend", single + "  scenarios:\n    agentic-coding:\n    - search-space:\n      - { tp: 2, kv-offloading: dram, conc-list: [4] }\n", offloadOf, "dram dram=? duration=0"},
		{"no record of the node", strings.Replace(single, "runner: gx", "runner: cluster:gx", 1) + "  scenarios:\n    agentic-coding:\n    - dram-utilization: 0.5\n      search-space:\n      - { tp: 2, kv-offloading: dram, kv-offload-backend: { name: native }, conc-list: [4] }\n", offloadOf, "dram-native dram=? duration=0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := memFiles{amdFile: "k:\n" + c.text, nvidiaFile: "{}\n", runnersFile: formerRunners}
			r := readingOf(t, files)
			if len(r.Rows) != 1 || len(r.Unread) != 0 {
				t.Fatalf("%d rows, unread %v", len(r.Rows), r.Unread)
			}
			if got := c.want(r.Rows[0]); got != c.is {
				t.Errorf("%q, want %q", got, c.is)
			}
			if _, list := Generate(august(t), files, Request{}); !list.Refused() {
				t.Error("planning takes it, too")
			}
		})
	}
}

// offloadOf tells the fields of a row about offloading.
func offloadOf(r *Row) string {
	dram := strconv.FormatInt(r.DRAM, 10)
	if r.DRAMUnknown {
		dram = "?"
	}
	return offloadName(r.Entry) + " dram=" + dram + " duration=" + strconv.FormatInt(r.Entry.FormerDuration, 10)
}

// A config that cannot be read costs no other its place, and is named.
func TestReadingGoesOn(t *testing.T) {
	const good = formerHead + "  runner: gx\n  multinode: false\n  scenarios:\n    fixed-seq-len:\n    - isl: 1024\n      osl: 1024\n      search-space:\n      - { tp: 2, conc-list: [4, 8] }\n"
	bad := strings.Replace(good, "tp: 2", "tp: 2, tq: 3", 1)
	files := memFiles{amdFile: "first:\n" + good + "wrong:\n" + bad + "last:\n" + good, nvidiaFile: "{}\n", runnersFile: formerRunners}
	r := readingOf(t, files)
	var keys []string
	for _, row := range r.Rows {
		keys = append(keys, row.Config.Key)
	}
	if diff := cmp.Diff([]string{"first", "first", "last", "last"}, keys); diff != "" {
		t.Error(diff)
	}
	if len(r.Unread) != 1 || r.Unread[0].Key != "wrong" || r.Unread[0].Findings.First().Code != "matrix.unknown-field-near" {
		t.Errorf("unread: %+v", r.Unread)
	}
	named, list := Read(august(t), files, Request{Keys: []string{"nobody", "l*", "last"}})
	if list.Refused() || len(named.Rows) != 2 || len(named.Absent) != 1 || named.Absent[0].Argument != "nobody" || named.Absent[0].Finding.Code != "matrix.key-not-found" {
		t.Errorf("%d rows, absent %+v, %v", len(named.Rows), named.Absent, list)
	}
	if _, list := Read(august(t), files.with(nvidiaFile, "a: [\n"), Request{}); !list.Refused() {
		t.Error("a file that is not YAML is not refused")
	}
}

// Files below the former folder, and a runner file of labels alone.
func TestReadingFindsFormerFiles(t *testing.T) {
	files := memFiles{
		".github/" + amdFile:     "k:\n" + formerHead + "  runner: gx\n  multinode: false\n  seq-len-configs:\n  - isl: 1024\n    osl: 1024\n    search-space:\n    - { tp: 2, conc-start: 4, conc-end: 16 }\n",
		".github/" + nvidiaFile:  "{}\n",
		".github/" + runnersFile: "gx:\n- 'gx-a_0'\n- 'gx-b_0'\n",
	}
	r := readingOf(t, files)
	if len(r.Rows) != 3 {
		t.Errorf("%d rows", len(r.Rows))
	}
	nodes, _ := r.Inventory.Nodes("gx")
	if diff := cmp.Diff([]string{"gx-a_0", "gx-b_0"}, nodes); diff != "" {
		t.Error(diff)
	}
	if r.Layout.Runners != ".github/"+runnersFile {
		t.Error(r.Layout.Runners)
	}
	// Where the files of today are, nobody looks there.
	both := files.with(amdFile, "{}\n", nvidiaFile, "{}\n", runnersFile, formerRunners)
	if r := readingOf(t, both); len(r.Rows) != 0 || r.Layout.Runners != runnersFile {
		t.Errorf("%d rows by %s", len(r.Rows), r.Layout.Runners)
	}
}

// What can be planned reads the same.
func TestReadingIsGenerating(t *testing.T) {
	for _, s := range []config.Settings{august(t), newest(t)} {
		files := augustFiles()
		request := Request{Filter: Filter{FullSweep: true, StepSize: 2}, Evals: EvalDefault}
		rows, list := Generate(s, files, request)
		if list.Refused() {
			continue
		}
		r, _ := Read(s, files, request)
		if len(r.Rows) != len(rows) {
			t.Fatalf("%d rows, want %d", len(r.Rows), len(rows))
		}
		for i := range rows {
			same(t, "row", compact(rows[i].Generator()), compact(r.Rows[i].Generator()))
		}
	}
}
