package matrix

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// corpusClone is a clone of the corpus' data, made once a run; benchmarks that
// need it are skipped where there is no corpus.
func corpusClone(b *testing.B) *gitrepo.Repo {
	b.Helper()
	dir := os.Getenv("SWEEPBOT_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	bundle := filepath.Join(dir, "data.bundle")
	if _, err := os.Stat(bundle); err != nil {
		b.Skipf("no corpus at %s; set SWEEPBOT_CORPUS to its directory", dir)
	}
	clone := filepath.Join(b.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "-q", "--bare", bundle, clone).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	repo, err := gitrepo.Open(context.Background(), clone)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { repo.Close() })
	return repo
}

// loadedTree is a revision whose files were read before, so that a benchmark
// measures no process.
func loadedTree(b *testing.B, repo *gitrepo.Repo, s config.Settings, rev string) memFiles {
	b.Helper()
	tree, err := repo.Tree(context.Background(), rev)
	if err != nil {
		b.Fatal(err)
	}
	files := make(memFiles)
	for _, name := range append([]string{s.Layout.Runners, s.Layout.Changelog}, s.Layout.Masters...) {
		data, err := tree.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		files[name] = string(data)
	}
	return files
}

// Cases of the open corpus by the number of rows that they plan.
var benchCases = []struct{ name, id string }{{"smallest", "case-0086"}, {"median", "case-0186"}, {"largest", "case-0015"}}

// BenchmarkPlan is the whole decision about a change: additions, configs, rows
// and document. "git" reads the files from an object store each time.
func BenchmarkPlan(b *testing.B) {
	s := reference(b)
	repo := corpusClone(b)
	for _, c := range benchCases {
		change := Change{
			Base: Revision{Ref: c.id + "-base", Files: loadedTree(b, repo, s, c.id+"-base")},
			Head: Revision{Ref: c.id + "-head", Files: loadedTree(b, repo, s, c.id+"-head")},
			PR:   changelog.Unnumbered,
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustPlan(b, s, change).Reference()
			}
		})
		b.Run(c.name+"/git", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				trees, err := repo.Trees(context.Background(), c.id+"-base", c.id+"-head")
				if err != nil {
					b.Fatal(err)
				}
				mustPlan(b, s, Change{Base: Revision{Files: trees[0]}, Head: Revision{Files: trees[1]}, PR: changelog.Unnumbered}).Reference()
			}
		})
		b.Run(c.name+"/additions", func(b *testing.B) {
			b.ReportAllocs()
			was, is := []byte(change.Base.Files.(memFiles)[s.Layout.Changelog]), []byte(change.Head.Files.(memFiles)[s.Layout.Changelog])
			for b.Loop() {
				if _, list := changelog.ExtractAdditions(ChangelogRules(s), was, is); list.Refused() {
					b.Fatal(list)
				}
			}
		})
	}
}

// BenchmarkGate judges the whole changelog by the strict rules.
func BenchmarkGate(b *testing.B) {
	s := reference(b)
	repo := corpusClone(b)
	was, is := loadedTree(b, repo, s, "case-0186-base")[s.Layout.Changelog], loadedTree(b, repo, s, "case-0186-head")[s.Layout.Changelog]
	b.SetBytes(int64(len(was) + len(is)))
	b.ReportAllocs()
	for b.Loop() {
		changelog.Strict(ChangelogRules(s), []byte(was), []byte(is), changelog.Unnumbered)
	}
}

// BenchmarkGenerate is the full matrix of the newest revision, printed.
func BenchmarkGenerate(b *testing.B) {
	s := reference(b)
	files := loadedTree(b, corpusClone(b), s, "case-0186-head")
	for name, mode := range map[string]EvalMode{"none": EvalNone, "default": EvalDefault, "all": EvalAll} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				rows := mustRows(b, s, files, Request{Evals: mode, Filter: Filter{FullSweep: true, StepSize: 2}})
				if err := WriteRows(io.Discard, rows); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(rows)), "rows")
			}
		})
	}
}

// BenchmarkLoad reads and validates master files of growing size.
func BenchmarkLoad(b *testing.B) {
	for _, factor := range []int{1, 10} {
		text := []byte(syntheticMaster(factor))
		b.Run(fmt.Sprintf("%dx", factor), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, list := Load([]Source{{"m.yaml", text}}, syntheticRules(b), false); list.Refused() {
					b.Fatal(list[0])
				}
			}
		})
	}
}

func syntheticRules(b testing.TB) Rules {
	s := reference(b)
	s.Limits.FileBytes = 1 << 30
	return rulesOf(s)
}

// syntheticMaster is a master file of the size of the real ones times factor:
// 200 configs, 10,000 lines and 2,000 rows for each.
func syntheticMaster(factor int) string {
	var out strings.Builder
	for i := range 100 * factor {
		fmt.Fprintf(&out, "single-%d:\n  image: example/vllm:v%d\n  model: acme/Model-%d\n  model-prefix: m%d\n  precision: fp8\n  framework: vllm\n  runner: gx100\n  multinode: false\n  scenarios:\n    fixed-seq-len:\n", i, i%7, i%50, i%50)
		for _, isl := range []int{1024, 8192} {
			fmt.Fprintf(&out, "    - isl: %d\n      osl: 1024\n      search-space:\n      # The sizes that fit one node.\n", isl)
			for _, tp := range []int{4, 8} {
				fmt.Fprintf(&out, "      - tp: %d\n        ep: 1\n        dp-attn: false\n        spec-decoding: none\n        conc-start: 4\n        conc-end: 32\n", tp)
			}
		}
		fmt.Fprintf(&out, "multi-%d:\n  image: example/dyn:v%d\n  model: acme/Model-%d\n  model-prefix: m%d\n  precision: fp4\n  framework: dynamo-vllm\n  runner: cluster:nv4\n  multinode: true\n  disagg: true\n  kv-p2p-transfer: nixl\n  scenarios:\n    fixed-seq-len:\n    - isl: 8192\n      osl: 1024\n      search-space:\n", i, i%7, i%50, i%50)
		for n := range 2 {
			fmt.Fprintf(&out, "      - spec-decoding: mtp\n        conc-list: [8, 16, 32, 64]\n        prefill:\n          num-worker: %d\n          tp: 4\n          ep: 4\n          dp-attn: true\n          additional-settings:\n          - \"CONFIG_FILE=recipes/%d-%d.yaml\"\n        decode:\n          num-worker: 1\n          tp: 8\n          ep: 8\n          dp-attn: true\n          additional-settings:\n          - \"DECODE_NODES=2\"\n", n+1, i, n)
		}
		out.WriteString("    agentic-coding:\n    - dram-utilization: 0.8\n      search-space:\n      - conc-list: [1, 2]\n        kv-offloading: dram\n        kv-offload-backend:\n          name: mooncake\n          version: 0.3.13\n        prefill:\n          num-worker: 1\n          tp: 4\n          ep: 1\n          dp-attn: false\n        decode:\n          num-worker: 3\n          tp: 4\n          ep: 4\n          dp-attn: true\n")
	}
	return out.String()
}

// heapWriter counts what is printed, and watches the live heap while it is.
type heapWriter struct {
	bytes int64
	calls int
	peak  uint64
}

func (w *heapWriter) Write(p []byte) (int, error) {
	w.bytes += int64(len(p))
	if w.calls++; w.calls%5000 == 0 {
		w.watch()
	}
	return len(p), nil
}

func (w *heapWriter) watch() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	w.peak = max(w.peak, m.HeapInuse)
}

// BenchmarkSynthetic generates and prints the rows of configs that are 1, 10
// and 100 times as large as the real ones. Linear: the time for a row stays.
func BenchmarkSynthetic(b *testing.B) {
	s := reference(b)
	s.Limits.FileBytes = 1 << 30
	for _, factor := range []int{1, 10, 100} {
		if factor == 100 && testing.Short() {
			continue
		}
		text := syntheticMaster(factor)
		files := memFiles{amdFile: text, nvidiaFile: "{}", runnersFile: toyLabels + toyHardware}
		b.Run(fmt.Sprintf("%dx", factor), func(b *testing.B) {
			b.ReportAllocs()
			var w heapWriter
			rows := 0
			for b.Loop() {
				w = heapWriter{peak: w.peak}
				generated := mustRows(b, s, files, Request{Evals: EvalDefault, Filter: Filter{FullSweep: true, StepSize: 2}})
				rows = len(generated)
				w.watch()
				if err := WriteRows(&w, generated); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(rows), "ns/row")
			b.ReportMetric(float64(rows), "rows")
			b.ReportMetric(float64(strings.Count(text, "\n")), "lines")
			b.ReportMetric(float64(w.bytes)/1e6, "MB-out")
			b.ReportMetric(float64(w.peak)/1e6, "MB-heap")
		})
	}
}
