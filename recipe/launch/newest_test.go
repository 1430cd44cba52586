package launch

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

// sampleRecipes is the sample repository of the newest layout.
func sampleRecipes(t testing.TB) memTree {
	t.Helper()
	out := memTree{fstest.MapFS{}}
	root := filepath.Join("..", "..", "testdata", "recipes")
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(root, name)
		out.MapFS[filepath.ToSlash(rel)] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rowsOf are all rows of a repository of the newest layout with their resolver.
// The settings are those of its file.
func rowsOf(t testing.TB, tree Tree, others Checkouts) ([]*matrix.Row, *Resolver) {
	t.Helper()
	data, err := tree.ReadFile(".github/sweepbot.yml")
	if err != nil {
		data = []byte("preset: inferencex\n")
	}
	s, list := config.Load(".github/sweepbot.yml", data)
	if list.Refused() {
		t.Fatal(list)
	}
	rows, list := matrix.Generate(s, tree, matrix.Request{Filter: matrix.Filter{FullSweep: true, StepSize: 2}})
	if list.Refused() {
		t.Fatal(list)
	}
	inventory, list := matrix.ReadRunners(s, tree)
	if list.Refused() {
		t.Fatal(list)
	}
	r, err := New(s, inventory, tree, others)
	if err != nil {
		t.Fatal(err)
	}
	return rows, r
}

func inMode(t *testing.T, r *Resolver, row *matrix.Row, mode Mode) *recipe.Effective {
	t.Helper()
	e, err := r.Row(context.Background(), row, mode)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func lines(e *recipe.Effective) string {
	var b strings.Builder
	for _, line := range e.CommandLines() {
		fmt.Fprintf(&b, "## %s x%d\n%s\n", line.Role, line.Count, line.Text)
		for _, c := range line.Config {
			b.WriteString("  | " + c + "\n")
		}
	}
	return b.String()
}

// Every construct of form A stands in the sample once; the golden files say
// what each row serves in both modes, with the place of each value and the
// files that were read (spec/checks.md section 1.7).
func TestNewestLayout(t *testing.T) {
	rows, r := rowsOf(t, sampleRecipes(t), nil)
	if len(rows) != 9 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		for _, mode := range []Mode{Throughput, Eval} {
			name := fmt.Sprintf("%s-c%d.%s", row.Config.Key, row.Conc[0], mode)
			t.Run(name, func(t *testing.T) {
				e := inMode(t, r, row, mode)
				if !e.Complete() {
					t.Errorf("not complete: %+v", e.Gaps())
				}
				got := lines(e) + "\n" + shown(e)
				golden := filepath.Join("testdata", "newest", name+".golden")
				if *update {
					if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(want), got); d != "" {
					t.Errorf("run with -update if that is meant (-want +got):\n%s", d)
				}
			})
		}
	}
}

// with is the sample with one file edited; old must stand in it.
func with(t *testing.T, file, old, text string) memTree {
	t.Helper()
	tree := sampleRecipes(t)
	name := "inferencex-e2e/" + file
	tree.MapFS = maps.Clone(tree.MapFS)
	before, ok := tree.MapFS[name]
	if !ok || !strings.Contains(string(before.Data), old) {
		t.Fatalf("%s does not hold %q", name, old)
	}
	tree.MapFS[name] = &fstest.MapFile{Data: []byte(strings.Replace(string(before.Data), old, text, 1))}
	return tree
}

// What cannot be bound is told by name, with file and line, and the row is not
// complete.
func TestBindingRefused(t *testing.T) {
	const (
		single  = "benchmarks/single_node/srt-slurm-recipes/orchid/vllm.yaml"
		replay  = "benchmarks/single_node/srt-slurm-recipes/basalt/replay.yaml"
		disagg  = "benchmarks/multi_node/srt-slurm-recipes/basalt/disagg.yaml"
		rack    = "benchmarks/multi_node/srt-slurm-recipes/basalt/rack.yaml"
		masters = "configs/nvidia-master.yaml"
	)
	for _, test := range []struct {
		name, key             string
		conc                  int64
		file, old, text       string
		code, place, argument string
	}{
		{"model set", "orchid", 4, single, "  name: orchid", "  model: { path: x }", "recipe.srt-bound-key", single + ":2:18", "model.path"},
		{"image set", "basalt-fp4-boreal-dynamo-trt", 16, rack, "engine: trtllm", "engine: trtllm\nmodel: { container: x }", "recipe.srt-bound-key", rack + ":3:21", "model.container"},
		{"precision set", "basalt-fp8", 8, replay, "identity:", "model: { precision: fp8 }\nidentity:", "recipe.srt-bound-key", replay + ":2:21", "model.precision"},
		{"lengths set", "basalt-fp4-boreal-dynamo-trt", 16, rack, "engine: trtllm", "engine: trtllm\nbenchmark: { env: { ISL: 1 } }", "recipe.srt-bound-key", rack + ":3:26", "benchmark.env.ISL"},
		{"concurrency of a base", "orchid", 4, single, "  name: orchid", "  benchmark: { env: { CONC: 4 } }", "recipe.srt-bound-key", single + ":2:29", "benchmark.env.CONC"},
		{"offload set", "basalt-fp4-boreal-dynamo-sglang", 4, disagg, "  engine: sglang", "  engine: sglang\n  benchmark: { env: { KV_OFFLOADING: none } }", "recipe.srt-bound-key", disagg + ":3:38", "benchmark.env.KV_OFFLOADING"},
		{"another model declared", "basalt-fp8", 8, replay, "identity: {", "identity: { model: { repo: other/model },", "recipe.srt-no-fit", masters + ":33:9", "replay.yaml"},
		{"embedded reference", "basalt-fp8", 8, replay, `"@dram.total-bytes"`, `"at @dram.total-bytes"`, "recipe.srt-reference-embedded", replay + ":9:26", "at @dram.total-bytes"},
		{"unknown reference", "basalt-fp8", 8, replay, "@dram.total-bytes", "@dram.total-mb", "recipe.srt-reference-unknown", replay + ":9:26", "@dram.total-mb"},
		{"unknown fabric", "basalt-fp4-boreal-dynamo-sglang", 4, disagg, "@fabric.hcas", "@fabric.HCAS", "recipe.srt-reference-unknown", disagg + ":12:53", "@fabric.HCAS"},
		{"memory without offload", "basalt-fp8", 8, masters, "kv-offloading: dram, kv-offload-backend: { name: larder, version: 1.4.0 },", "kv-offloading: none,", "recipe.srt-reference-unknown", replay + ":3:33", "@dram.per-gpu-gb"},
		{"several variants of many nodes", "basalt-fp4-boreal-dynamo-sglang", 4, masters, "disagg.yaml:override_small", "disagg.yaml", "", "", ""},
		{"no fit", "orchid", 64, single, "tensor-parallel-size: [4]", "tensor-parallel-size: [2]", "recipe.srt-no-fit", masters + ":17:9", "zip_override_by_load[1]: TP 2 instead of 4, GPUs 2 instead of 4"},
		{"several fit", "orchid", 4, single, "override_plain:", "override_other: { roles: { agg: { args: { max-num-seqs: 1 } } } }\noverride_plain:", "recipe.srt-several-fit", masters + ":15:9", "override_other, override_plain"},
		{"selected and unfit", "orchid", 256, single, "data-parallel-size: 8", "data-parallel-size: 4", "recipe.srt-no-fit", masters + ":18:9", "override_wide: TP 4 instead of 8, EP 4 instead of 8"},
		{"no worker", "basalt-fp8", 8, replay, "  agg:", "  router:", "recipe.srt-no-fit", masters + ":33:9", "no worker"},
		{"zip lengths", "orchid", 4, single, "max-num-seqs: [16, 64]", "max-num-seqs: [16, 64, 65]", "recipe.srt-zip-lengths", single, "zip_override_by_load[0]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows, r := rowsOf(t, with(t, test.file, test.old, test.text), nil)
			for _, row := range rows {
				if !strings.HasPrefix(row.Config.Key, test.key) || row.Conc[0] != test.conc {
					continue
				}
				e := inMode(t, r, row, Throughput)
				if test.code == "" {
					if !e.Complete() {
						t.Errorf("the only variant of a bundle is not taken: %+v", e.Gaps())
					}
					return
				}
				var got []string
				for _, q := range e.Open {
					if q.Code == test.code && !q.Part && strings.Contains(q.Place.String()+"\n"+strings.Join(q.Args, "\n"), "inferencex-e2e/"+test.place) && strings.Contains(strings.Join(q.Args, "\n"), test.argument) {
						if e.Complete() {
							t.Error("the row is complete nevertheless")
						}
						return
					}
					got = append(got, fmt.Sprintf("%s %s %v", q.Code, q.Place, q.Args))
				}
				t.Fatalf("%s", strings.Join(got, "\n"))
			}
			t.Fatal("no such row")
		})
	}
}

func TestBlockMissing(t *testing.T) {
	tree := sampleRecipes(t)
	delete(tree.MapFS, "inferencex-e2e/configs/srt-recipes/telemetry-dcgm.yaml")
	rows, r := rowsOf(t, tree, nil)
	for _, row := range rows {
		e := inMode(t, r, row, Throughput)
		missing := len(e.Open) == 1 && e.Open[0].Code == "recipe.block-missing"
		if missing != row.Entry.Power {
			t.Errorf("%s: %+v", row.ExpName, e.Open)
		}
	}
}

// BenchmarkBound binds the rows of the sample with nothing remembered between
// them.
func BenchmarkBound(b *testing.B) {
	rows, r := rowsOf(b, sampleRecipes(b), nil)
	for b.Loop() {
		for _, row := range rows {
			if _, err := r.Row(context.Background(), row, Throughput); err != nil {
				b.Fatal(err)
			}
		}
	}
}
