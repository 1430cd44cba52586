package matrix

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

const (
	okHardware = `labels:
  gx: [a, b]
  cluster:c: [a]
hardware:
  cluster:c: { available-cpu-dram-mib: 2_000, gpus-per-node: 8 }
`
	okClusters = `labels:
  gx: [a, b]
  cluster:c: [a, b]
  partition:p: [a]
  partition:q: [b]
clusters:
  c:
    gpus-per-node: 8
    available-cpu-dram-mib: 2_000
    arch: x86_64
    env: { A: "1", B: x }
    models: { download-root: /shared, entries: { m: { root: /local, dir: a/b } } }
    scheduler: slurm
    slurm: { partition: p, partitions: [p, q], account: x }
`
)

// spec/matrix.md section 3, the layout of August 2026.
func TestHardwareInventory(t *testing.T) {
	inv, list := LoadRunners(Source{"r.yaml", []byte(okHardware)}, rulesOf(august(t)))
	if list.Refused() {
		t.Fatal(list)
	}
	same(t, "facts", map[string]NodeFacts{"cluster:c": {GPUsPerNode: 8, DRAMMiB: 2000}}, inv.Facts)
	same(t, "labels", []Label{{"gx", []string{"a", "b"}}, {"cluster:c", []string{"a"}}}, inv.Labels)
	runRunners(t, august(t), []broken{
		{"no hardware", okHardware, []string{"hardware:\n  cluster:c: { available-cpu-dram-mib: 2_000, gpus-per-node: 8 }\n", ""}, nil},
		{"no labels in it", okHardware, []string{"\n  gx: [a, b]\n  cluster:c: [a]", " {}"}, nil},
		{"labels missing", okHardware, []string{"labels:\n  gx: [a, b]\n  cluster:c: [a]\nhard", "§hard"}, []string{"matrix.missing-field"}},
		{"labels a list", okHardware, []string{"\n  gx: [a, b]\n  cluster:c: [a]", " §[a]"}, []string{"matrix.wrong-type"}},
		{"label a scalar", okHardware, []string{"[a, b]", "§a"}, []string{"matrix.wrong-type"}},
		{"label a mapping", okHardware, []string{"[a, b]", "§{ a: b }"}, []string{"matrix.wrong-type"}},
		{"label null", okHardware, []string{"[a, b]", "§null"}, []string{"matrix.wrong-type"}},
		{"item a number", okHardware, []string{"[a, b]", "[a, §1]"}, []string{"matrix.wrong-type"}},
		{"label empty", okHardware, []string{"[a, b]", "§[]"}, []string{"matrix.label-empty"}},
		{"label name", okHardware, []string{"  gx", "  §1"}, []string{"matrix.wrong-type"}},
		{"hardware a list", okHardware, []string{"\n  cluster:c: { available-cpu-dram-mib: 2_000, gpus-per-node: 8 }", " §[a]"}, []string{"matrix.wrong-type"}},
		{"record a scalar", okHardware, []string{"{ available-cpu-dram-mib: 2_000, gpus-per-node: 8 }", "§1"}, []string{"matrix.wrong-type"}},
		{"record key", okHardware, []string{"  cluster:c: {", "  §1: {"}, []string{"matrix.wrong-type"}},
		{"record without memory", okHardware, []string{"{ available-cpu-dram-mib: 2_000, ", "§{ "}, []string{"matrix.missing-field"}},
		{"record without GPUs", okHardware, []string{"{ available-cpu-dram-mib: 2_000, gpus-per-node: 8 }", "§{ available-cpu-dram-mib: 2_000 }"}, []string{"matrix.missing-field"}},
		{"record with more", okHardware, []string{"8 }", "8, §arch: x }"}, []string{"matrix.unknown-field"}},
		{"no memory", okHardware, []string{"2_000", "§0"}, []string{"matrix.not-positive"}},
		{"memory in words", okHardware, []string{"2_000", "§x"}, []string{"matrix.wrong-type"}},
		{"negative GPUs", okHardware, []string{"node: 8", "node: §-8"}, []string{"matrix.not-positive"}},
		{"half a GPU", okHardware, []string{"node: 8", "node: §0.5"}, []string{"matrix.wrong-type"}},
		{"another top key", okHardware, []string{"hardware:", "§clusters: {}\nhardware:"}, []string{"matrix.unknown-field"}},
		{"root a list", "[1]\n", []string{"[1]", "§[1]"}, []string{"matrix.wrong-type"}},
		{"root empty", "# x\n", []string{"# x", "# y"}, []string{"1:1 matrix.wrong-type"}},
		{"syntax", "a: [\n", []string{"[", "["}, []string{"yaml.syntax"}},
	})
}

func runRunners(t *testing.T, s config.Settings, cases []broken) {
	t.Helper()
	for _, c := range cases {
		text, places := marked(swap(t, c.text, c.swaps...))
		inv, list := LoadRunners(Source{"r.yaml", []byte(text)}, rulesOf(s))
		got := codes(t, list)
		if c.rule == "syntax" {
			if inv != nil || len(list) != 1 || list[0].Category != "yaml-invalid" {
				t.Errorf("syntax: %v", list)
			}
			continue
		}
		var want []string
		for _, code := range c.want {
			if !strings.Contains(code, " ") {
				code, places = places[0]+" "+code, places[1:]
			}
			want = append(want, code)
		}
		same(t, c.rule, want, got)
		for _, f := range list {
			same(t, c.rule, "runner-config r.yaml", f.Category+" "+f.File)
		}
	}
}

// spec/matrix.md section 3, the newest layout.
func TestClusterInventory(t *testing.T) {
	inv, list := LoadRunners(Source{"r.yaml", []byte(okClusters)}, rulesOf(newest(t)))
	if list.Refused() {
		t.Fatal(list)
	}
	same(t, "facts", map[string]NodeFacts{"cluster:c": {GPUsPerNode: 8, DRAMMiB: 2000, Env: [][2]string{{"A", "1"}, {"B", "x"}}}}, inv.Facts)
	const record = "  c:\n    gpus-per-node: 8"
	runRunners(t, newest(t), []broken{
		{"memory is optional", okClusters, []string{"    available-cpu-dram-mib: 2_000\n", ""}, nil},
		{"memory null", okClusters, []string{"mib: 2_000", "mib: null"}, nil},
		{"no partitions", okClusters, []string{"partition: p, partitions: [p, q], ", ""}, nil},
		{"partitions null", okClusters, []string{"partition: p, partitions: [p, q], ", "partitions: null, "}, nil},
		{"partitions of other clusters", okClusters, []string{"  partition:q: [b]", "  partition:q: [b]\n  partition:z: [a, b]"}, nil},
		{"a runner twice in its label", okClusters, []string{"cluster:c: [a, b]", "cluster:c: [a, b, a]"}, nil},

		{"labels missing", okClusters, []string{okClusters[:strings.Index(okClusters, "clusters:")], "§"}, []string{"matrix.missing-field", "2:3 matrix.cluster-without-label"}},
		{"clusters missing", okClusters, []string{okClusters[strings.Index(okClusters, "clusters:"):], "", "labels:", "§labels:"}, []string{"matrix.missing-field"}},
		{"clusters a list", okClusters, []string{okClusters[strings.Index(okClusters, "\n  c:\n"):], " §[c]\n"}, []string{"matrix.wrong-type"}},
		{"cluster a scalar", okClusters, []string{okClusters[strings.Index(okClusters, "\n  c:\n"):], "\n  c: §1\n"}, []string{"matrix.wrong-type"}},
		{"cluster id", okClusters, []string{"  c:\n", "  §1:\n", "cluster:c", "cluster:1"}, []string{"matrix.wrong-type"}},
		{"another top key", okClusters, []string{"clusters:", "§hardware: {}\nclusters:"}, []string{"matrix.unknown-field"}},
		{"another key of a record", okClusters, []string{record, record + "\n    §pbs: {}"}, []string{"matrix.unknown-field"}},
		{"GPUs missing", okClusters, []string{"gpus-per-node: 8\n    avail", "§avail"}, []string{"matrix.missing-field"}},
		{"no GPUs", okClusters, []string{"node: 8", "node: §0"}, []string{"matrix.not-positive"}},
		{"no memory", okClusters, []string{"2_000", "§-1"}, []string{"matrix.not-positive"}},
		{"arch missing", okClusters, []string{"  gpus", "  §gpus", "    arch: x86_64\n", ""}, []string{"matrix.missing-field"}},
		{"arch", okClusters, []string{"x86_64", "§sparc"}, []string{"matrix.bad-value"}},
		{"scheduler", okClusters, []string{"scheduler: slurm", "scheduler: §pbs"}, []string{"matrix.bad-value"}},
		{"scheduler missing", okClusters, []string{"  gpus", "  §gpus", "    scheduler: slurm\n", ""}, []string{"matrix.missing-field"}},
		{"slurm missing", okClusters, []string{"  gpus", "  §gpus", "    slurm: { partition: p, partitions: [p, q], account: x }\n", ""}, []string{"matrix.missing-field"}},
		{"slurm a scalar", okClusters, []string{"{ partition: p, partitions: [p, q], account: x }", "§x"}, []string{"matrix.wrong-type"}},
		{"env with a comma", okClusters, []string{"B: x", `B: §"x,y"`}, []string{"matrix.env-comma"}},
		{"env a number", okClusters, []string{"B: x", "B: §1"}, []string{"matrix.wrong-type"}},
		{"env key", okClusters, []string{"B: x", "§1: x"}, []string{"matrix.wrong-type"}},
		{"env a list", okClusters, []string{`{ A: "1", B: x }`, "§[A]"}, []string{"matrix.wrong-type"}},
		{"models a scalar", okClusters, []string{"{ download-root: /shared, entries: { m: { root: /local, dir: a/b } } }", "§x"}, []string{"matrix.wrong-type"}},
		{"models with more", okClusters, []string{"{ download", "{ §zzzzzz: 1, download"}, []string{"matrix.unknown-field"}},
		{"entries a list", okClusters, []string{"{ m: { root: /local, dir: a/b } }", "§[m]"}, []string{"matrix.wrong-type"}},
		{"model without root", okClusters, []string{"{ root: /local, dir", "§{ dir"}, []string{"matrix.missing-field"}},
		{"model with more", okClusters, []string{"{ root", "{ §zzzzzz: 1, root"}, []string{"matrix.unknown-field"}},
		{"directory above", okClusters, []string{"a/b", "§../b"}, []string{"matrix.unsafe-path"}},
		{"directory absolute", okClusters, []string{"a/b", "§/b"}, []string{"matrix.unsafe-path"}},
		{"directory not normal", okClusters, []string{"a/b", "§a//b"}, []string{"matrix.unsafe-path"}},
		{"directory up inside", okClusters, []string{"a/b", "§a/../b"}, []string{"matrix.unsafe-path"}},
		{"directory with backslashes", okClusters, []string{"a/b", `§a\b`}, []string{"matrix.unsafe-path"}},

		{"cluster without a label", okClusters, []string{"cluster:c: [a, b]", "zz: [a, b]", "  c:\n", "  §c:\n", "[p, q]", "[]"}, []string{"matrix.cluster-without-label", "7:3 matrix.runner-owner", "7:3 matrix.runner-owner"}},
		{"label without a cluster", okClusters, []string{"  partition:p", "  cluster:d: [d]\n  partition:p", "  c:\n", "  §c:\n"}, []string{"matrix.label-without-cluster"}},
		{"runner without a cluster", okClusters, []string{"gx: [a, b]", "gx: [a, z, z]", "  c:\n", "  §c:\n"}, []string{"matrix.runner-owner"}},
		{"runner of two clusters", okClusters, []string{"  partition:p", "  cluster:d: [a]\n  partition:p", "  c:\n", "  §d: { gpus-per-node: 8, arch: x86_64, scheduler: slurm, slurm: {} }\n  c:\n"}, []string{"matrix.runner-owner"}},
		{"partition unknown", okClusters, []string{"partition: p,", "partition: §z,"}, []string{"matrix.partition-unknown"}},
		{"partition missing", okClusters, []string{"{ partition: p, ", "§{ "}, []string{"matrix.missing-field"}},
		{"partition a number", okClusters, []string{"partition: p,", "partition: §1,"}, []string{"matrix.wrong-type"}},
		{"partitions a scalar", okClusters, []string{"[p, q]", "§p"}, []string{"matrix.wrong-type"}},
		{"partitions of numbers", okClusters, []string{"[p, q]", "[p, q, §1]"}, []string{"matrix.wrong-type"}},
		{"runner in no partition", okClusters, []string{"  partition:q: [b]\n", "", "slurm: {", "slurm: §{"}, []string{"matrix.runner-partition"}},
		{"runner in two partitions", okClusters, []string{"partition:q: [b]", "partition:q: [b, a]", "slurm: {", "slurm: §{"}, []string{"matrix.runner-partition"}},
	})
}

// A missing runner file is a finding of row generation.
func TestMissingRunnerFile(t *testing.T) {
	_, list := ReadRunners(august(t), augustFiles().with(runnersFile, ""))
	same(t, "findings", []string{"0:0 plan.runners-missing"}, codes(t, list))
	same(t, "category", "runner-file-missing", list[0].Category)
}

// Generation never checks that a runner is a label.
func TestUnknownRunnersPass(t *testing.T) {
	files := augustFiles().with(amdFile, swap(t, okSingle, "cluster:c", "nowhere"))
	same(t, "rows", 1, len(mustRows(t, august(t), files, Request{Keys: []string{"k"}})))
}
