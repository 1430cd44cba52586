package stale_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/launch"
	"github.com/sweepbot/sweepbot/recipe/stale"
)

type memTree struct{ fstest.MapFS }

func (t memTree) ReadFile(name string) ([]byte, error) {
	if _, ok := t.MapFS[name]; !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist} // a folder too
	}
	return t.MapFS.ReadFile(name)
}

var measured = map[string]string{
	"configs/runners.yaml":    "labels:\n  gx: [gx-a_0]\n  cluster:gx: [gx-a_0]\nhardware:\n  cluster:gx: { available-cpu-dram-mib: 1000, gpus-per-node: 8 }\n",
	"configs/amd-master.yaml": "{}\n",
	"configs/nvidia-master.yaml": `orchid:
  image: registry.example/vllm:1
  model: meadow/Orchid-9B
  model-prefix: orchid
  precision: fp8
  framework: vllm
  runner: gx
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - { tp: 2, conc-list: [4, 8] }
`,
	"runners/launch_gx-a.sh": "if [ -f knobs.sh ]; then . knobs.sh; fi\nbash s.sh\n",
	"s.sh":                   "vllm serve \"$MODEL\" --tensor-parallel-size \"$TP\" --max-num-seqs \"$CONC\"\n",
}

// side is a tree with some files replaced; an empty text takes one away.
func side(t *testing.T, other map[string]string) stale.Side {
	t.Helper()
	texts := maps.Clone(measured)
	maps.Copy(texts, other)
	tree := memTree{fstest.MapFS{}}
	for name, text := range texts {
		if text != "" {
			tree.MapFS[name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	s, _ := config.Preset(config.PresetAugust)
	reading, list := matrix.Read(s, tree, matrix.Request{Filter: matrix.Filter{FullSweep: true, StepSize: 2}})
	if list.Refused() {
		t.Fatal(list)
	}
	r, err := launch.New(s, reading.Inventory, tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	return stale.Side{Rows: reading.Rows, Resolver: r, Unread: reading.Unread}
}

func TestCompare(t *testing.T) {
	master := measured["configs/nvidia-master.yaml"]
	for _, tt := range []struct {
		name string
		now  map[string]string
		want []string // verdicts in the order of the rows
	}{
		{"nothing", nil, []string{"same", "same"}},
		{"a file that nobody reads", map[string]string{"README": "x"}, []string{"same", "same"}},
		{"a comment", map[string]string{"s.sh": "# x\n" + measured["s.sh"]}, []string{"same-closure-changed", "same-closure-changed"}},
		{"a flag", map[string]string{"s.sh": strings.TrimSpace(measured["s.sh"]) + " --kv-cache-dtype fp8\n"}, []string{"changed", "changed"}},
		{"a flag at one concurrency", map[string]string{"s.sh": "x=; [ $CONC = 8 ] && x=--enforce-eager\n" + strings.TrimSpace(measured["s.sh"]) + " $x\n"},
			[]string{"same-closure-changed", "changed"}},
		{"a flag that nobody knows", map[string]string{"s.sh": strings.TrimSpace(measured["s.sh"]) + " $(vendor-tool)\n"},
			[]string{"cannot-tell", "cannot-tell"}},
		{"a file that was not there", map[string]string{"knobs.sh": "export VLLM_USE_V2=1\n"}, []string{"changed", "changed"}},
		{"no launcher", map[string]string{"runners/launch_gx-a.sh": ""}, []string{"cannot-tell", "cannot-tell"}},
		{"an image", map[string]string{"configs/nvidia-master.yaml": strings.Replace(master, "vllm:1", "vllm:2", 1)}, []string{"changed", "changed"}},
		{"points", map[string]string{"configs/nvidia-master.yaml": strings.Replace(master, "[4, 8]", "[8, 16]", 1)}, []string{"same", "new", "gone"}},
		{"a config that cannot be read", map[string]string{"configs/nvidia-master.yaml": strings.Replace(master, "tp: 2", "tp: many", 1)}, []string{"cannot-tell", "cannot-tell"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			points, err := stale.Compare(context.Background(), side(t, nil), side(t, tt.now))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range points {
				got = append(got, string(p.Verdict))
				if p.Verdict == stale.Unknown && len(p.Why)+len(p.Changes) == 0 {
					t.Error("undecided without a reason")
				}
				if (p.Verdict == stale.Changed) != (len(p.Changes) > 0 && p.Verdict != stale.Unknown) {
					t.Errorf("%s with changes %v", p.Verdict, p.Changes)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s\n%s", diff, fmt.Sprintf("%+v", points))
			}
		})
	}
}
