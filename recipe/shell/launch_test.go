package shell

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// launchFiles reads the sample repository of launch scripts.
func launchFiles(t testing.TB) memory {
	t.Helper()
	root := filepath.Join(sampleDir, "launch")
	files := memory{}
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, ".trace") {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// launches are the scripts with the rows they are evaluated for.
var launches = []struct {
	name, script string
	row          []string
}{
	{"fixed-tp8", "bench/fixed.sh", []string{"MODEL=org/m", "TP=8", "CONC=16", "ISL=1024", "OSL=1024"}},
	{"fixed-tp4-eval", "bench/fixed.sh", []string{"MODEL=/models/m", "TP=4", "CONC=512", "ISL=8192", "OSL=1024", "EVAL_ONLY=true", "CHAT=true"}},
	{"fixed-no-recipe", "bench/fixed.sh", []string{"MODEL=org/m", "TP=2", "CONC=16", "ISL=1024", "OSL=1024"}},
	{"fixed-missing", "bench/fixed.sh", []string{"MODEL=org/m", "TP=8"}},
	{"offload-none", "bench/offload.sh", []string{"MODEL=org/m", "TP=8", "EP=2", "CONC=8", "ISL=1024", "BACKEND=none", "DRAM_GB=0"}},
	{"offload-lmcache", "bench/offload.sh", []string{"MODEL=org/m", "TP=8", "EP=1", "CONC=20", "ISL=8192", "BACKEND=lmcache", "DRAM_GB=1000"}},
	{"engine-file", "bench/engine-file.sh", []string{"MODEL=org/m", "TP=4", "CONC=64", "ISL=1024", "OSL=1024", "DP=true"}},
	{"wrapped", "bench/wrapped.sh", []string{"MODEL=org/Some-Model.5", "TP=2", "IMAGE=img:1"}},
	{"container", "bench/container.sh", []string{"MODEL=org/m", "TP=4", "IMAGE=img:1"}},
	{"unknowns", "bench/unknowns.sh", []string{"MODEL=org/m"}},
}

// Every construct of the census (spec/checks.md section 4.2), seen through the
// whole trace.
func TestLaunchScripts(t *testing.T) {
	files := launchFiles(t)
	for _, tc := range launches {
		t.Run(tc.name, func(t *testing.T) {
			tr, err := Run(context.Background(), Options{Files: files, Script: tc.script, Env: row(tc.row...)})
			if err != nil {
				t.Fatal(err)
			}
			got := render(tr)
			golden := filepath.Join(sampleDir, "launch", tc.name+".trace")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("trace differs (-golden +got):\n%s", diff)
			}
		})
	}
}

// render writes a trace for people to read.
func render(tr Trace) string {
	var b strings.Builder
	for _, c := range tr.Commands {
		fmt.Fprintf(&b, "%s", path.Base(c.Origin.String()))
		for _, mark := range []struct {
			on   bool
			text string
		}{{c.Background, "background"}, {c.Modelled, "modelled"}, {c.Repeated, "repeated"}, {c.Inner > 0, fmt.Sprintf("inner %d", c.Inner)}} {
			if mark.on {
				b.WriteString(" [" + mark.text + "]")
			}
		}
		b.WriteByte('\n')
		for _, cond := range c.Conditions {
			fmt.Fprintf(&b, "    when %v: %s\n", cond.Holds, cond.Text)
		}
		for _, e := range c.Env {
			fmt.Fprintf(&b, "    %s%s\n", assignment(e), map[bool]string{true: " (prefix)"}[e.Prefix])
		}
		for _, a := range c.Argv {
			fmt.Fprintf(&b, "  %s\n", strings.ReplaceAll(shown(a), "\n", "\\n"))
		}
	}
	for _, w := range tr.Written {
		fmt.Fprintf(&b, "written %s certain=%v\n%s\n", w.Path, w.Certain, shown(w.Content))
	}
	fmt.Fprintf(&b, "files %s\nprobed %s\n", strings.Join(tr.Files, " "), strings.Join(tr.Probed, " "))
	if tr.Exit != nil {
		fmt.Fprintf(&b, "exit %s status %d known %v\n", path.Base(tr.Exit.Origin.String()), tr.Exit.Status, tr.Exit.Known)
	}
	for _, c := range tr.Assumed {
		fmt.Fprintf(&b, "assumed %v: %s (%s)\n", c.Holds, c.Text, path.Base(c.Origin.String()))
	}
	for _, u := range tr.Unknowns {
		fmt.Fprintf(&b, "unknown %s: %s\n", path.Base(u.Origin.String()), u)
	}
	return b.String()
}

func assignment(e Assignment) string {
	if e.Unset {
		return "unset " + e.Name
	}
	return e.Name + "=" + shown(e.Value)
}

// shown shows a value with the alternatives of its unknowns.
func shown(v Value) string {
	var b strings.Builder
	for _, s := range v.Segments() {
		if s.Unknown == nil {
			b.WriteString(s.Text)
			continue
		}
		fmt.Fprintf(&b, "‹%s", s.Unknown)
		for i, a := range s.Unknown.Alternatives {
			b.WriteString(map[bool]string{true: ": ", false: " | "}[i == 0] + shown(a))
		}
		if s.Unknown.Unset {
			b.WriteString(" | unset")
		}
		if s.Unknown.Shape == ShapeWords {
			b.WriteString("...")
		}
		b.WriteString("›")
	}
	return b.String()
}
