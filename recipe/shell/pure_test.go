package shell

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

const sampleDir = "../../testdata/recipe-scripts"

// sample is one script of testdata.
type sample struct{ name, path, script string }

// samples reads the scripts whose output depends on nothing but themselves.
func samples(t testing.TB) []sample {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(sampleDir, "pure", "*.sh"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	var list []sample
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, sample{strings.TrimSuffix(filepath.Base(p), ".sh"), p, string(data)})
	}
	return list
}

// The evaluator prints what bash prints. The golden files were written by bash
// (-update runs it again); where bash is at hand the test also holds the golden
// file against it.
func TestPureScriptsPrintWhatBashPrints(t *testing.T) {
	bash, _ := exec.LookPath("bash")
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			golden := strings.TrimSuffix(s.path, ".sh") + ".out"
			if bash != "" {
				var out bytes.Buffer
				cmd := exec.Command(bash, s.path)
				cmd.Stdout = &out
				cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C.UTF-8"}
				if err := cmd.Run(); err != nil {
					t.Fatal(err)
				}
				if *update {
					if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if want, _ := os.ReadFile(golden); !bytes.Equal(want, out.Bytes()) {
					t.Logf("this bash prints something else than the golden file:\n%s", cmp.Diff(string(want), out.String()))
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			tr, err := Run(context.Background(), Options{Files: memory{"s.sh": s.script}, Script: "s.sh"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(tr.Stdout.String(), "\n")); diff != "" {
				t.Errorf("output differs (-bash +ours):\n%s", diff)
			}
		})
	}
}
