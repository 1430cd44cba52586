package shell

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each script ends in "show WORDS"; want is how the words come out.
func TestUnknownsAreJoined(t *testing.T) {
	for name, tc := range map[string]struct{ script, want string }{
		"same on both ways":         {`if probe; then x=1; else x=1; fi; show $x`, "show 1"},
		"differs":                   {`if probe; then x=1; else x=2; fi; show $x`, "show ‹differs between ways (x): 1 | 2›"},
		"set on one way":            {`if probe; then x=1; fi; show "$x"`, "show ‹differs between ways (x): 1 | unset›"},
		"default of that":           {`if probe; then x=1; fi; show "${x:-d}"`, "show ‹differs between ways (x): 1 | d›"},
		"guard":                     {`if ! probe; then exit 1; fi; x=1; show $x`, "show 1"},
		"guard by or":               {`probe || exit 1; show a`, "show a"},
		"guard in a function":       {`f() { probe || { echo no; exit 1; }; }; f; show a`, "show a"},
		"return on one way":         {`f() { if probe; then return 1; fi; y=2; }; y=1; f; show $y`, "show ‹differs between ways (y): 1 | 2›"},
		"all ways exit but one":     {`case $(probe) in a) exit 1 ;; b) x=2 ;; *) exit 3 ;; esac; show $x`, "show 2"},
		"array grows on one way":    {`a=(1); if probe; then a+=(2); fi; a+=(3); show "${a[@]}"`, "show 1 ‹differs between ways (a): 2 | ...› 3"},
		"array element differs":     {`if probe; then a=(1 x); else a=(1 y); fi; show "${a[@]}"`, "show 1 ‹differs between ways (a): x | y›"},
		"text grows on one way":     {`c="run --one"; if probe; then c+=" --two"; fi; show "$c"`, "show run --one‹differs between ways (c):  --two | ›"},
		"refined by equality":       {`if probe; then k=a; else k=b; fi; if [ "$k" = a ]; then show $k; fi`, "show a"},
		"refined by inequality":     {`if probe; then k=a; else k=b; fi; if [ "$k" != a ]; then show $k; fi`, "show b"},
		"refined by case":           {`k=$(probe); case "$k" in amd) show "$k" ;; esac`, "show amd"},
		"decided by alternatives":   {`if probe; then k=a; else k=b; fi; if [ "$k" = c ]; then x=1; else x=2; fi; show $x`, "show 2"},
		"function of alternatives":  {`if probe; then k=a.x; else k=b.x; fi; show "${k%.x}-$(basename "$k" .x)"`, "show ‹differs between ways (trimmed): a | b›-‹differs between ways (basename): a | b›"},
		"known end of unknown text": {`p="$(probe)/bin"; show "${p%/bin}" "$(basename "$p")"`, "show ‹output of probe› bin"},
		"arithmetic":                {`n=$(nproc); show $((n * 2)) $((n > 0 && 0))`, "show ‹depends on the machine (nproc)› 0"},
		"number is one word":        {`show $(nproc) $(probe)`, "show ‹depends on the machine (nproc)› ‹output of probe...›"},
		"nonempty by known part":    {`x="a$(probe)"; [[ -n $x ]] && show yes; [[ -z $x ]] && show no`, "show yes"},
		"pattern by known start":    {`x="/a/$(probe)"; [[ $x == /a/* ]] && show yes; [[ $x == b* ]] && show no`, "show yes"},
		"wait":                      {`until curl x; do sleep 1; done; show a`, "show a"},
		"wait that counts":          {`n=0; until curl x; do n=$((n+1)); done; show "$n"`, "show ‹differs between ways (n): 0 | 1 | ‹changes in a loop without a known end (n)››"},
		"break on an unknown":       {`for d in p q; do if probe $d; then x=$d; break; fi; done; show "${x:-none}"`, "show ‹differs between ways (x): p | q | none›"},
		"continue on an unknown":    {`for d in p q; do if probe; then continue; fi; x=$d; done; show "${x-none}"`, "show ‹differs between ways (x): p | q | none›"},
		"endless wait":              {`while :; do if curl x; then break; fi; sleep 1; done; show a`, "show a"},
		"unknown list":              {`for x in $(probe); do y=$x; done; show "${y-none}"`, "show ‹differs between ways (y): ‹output of probe› | none›"},
		"subshell keeps out":        {`x=1; (x=2; probe && exit 3); show $x`, "show 1"},
		"substitution with exit":    {`x=$(if probe >&2; then echo a; exit 1; fi; echo b); show "$x"`, "show ‹differs between ways (1): a | b›"},
		"output in ways":            {`f() { if probe >&2; then echo same; else echo same; fi; }; show "$(f)"`, "show same"},
		"eval with an unknown":      {`c="show --n $(nproc) 'a b'"; eval "$c"`, "show --n ‹depends on the machine (nproc)› a b"},
		"unknown in single quotes":  {`c="show 'x$(probe)y'"; eval "$c"`, "show x‹output of probe›y"},
		"declared local on one way": {`x=g; f() { if probe; then local x=l; fi; y=$x; }; f; show "$y" "$x"`, "show ‹differs between ways (x): l | g› g"},
		"time":                      {`show log-$(date +%s).txt`, "show log-‹depends on time or chance (date)...›.txt"},
		"unknown command name":      {`$(probe) --flag; show a`, "show a"},
		"unset in arithmetic":       {`show $((UNSET + 1))`, "show 1"},
	} {
		t.Run(name, func(t *testing.T) {
			tr := run(t, tc.script)
			var got []string
			for _, c := range named(tr, "show") {
				parts := make([]string, 0, len(c.Argv))
				for _, a := range c.Argv {
					parts = append(parts, shown(a))
				}
				got = append(got, strings.Join(parts, " "))
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, "; ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestConditionsOfCommands(t *testing.T) {
	tr := run(t, `
if probe one; then
  a
  if probe two; then b; else c; fi
fi
d
f() { if probe three; then return; fi; e; }
f
g`)
	want := map[string]string{
		"a": "probe one;", "b": "probe one;|probe two;", "c": "probe one;|!probe two;", "d": "", "e": "!probe three;", "g": "",
	}
	for name, text := range want {
		c := only(t, tr, name)
		var got []string
		for _, cond := range c.Conditions {
			got = append(got, map[bool]string{false: "!"}[cond.Holds]+cond.Text)
		}
		if s := strings.Join(got, "|"); s != text {
			t.Errorf("%s runs when %q, want %q", name, s, text)
		}
	}
}

func TestCertainExit(t *testing.T) {
	script := "echo start\nif [ \"$TP\" = 8 ]; then exit 3; fi\nvllm serve m\n"
	tr := run(t, script, "TP=8")
	if tr.Exit == nil || tr.Exit.Status != 3 || !tr.Exit.Known || tr.Exit.Origin.Line != 2 || len(named(tr, "vllm")) != 0 {
		t.Errorf("exit %+v, commands %v", tr.Exit, tr.Commands)
	}
	past, err := Run(context.Background(), Options{Files: memory{"s.sh": script}, Script: "s.sh", Env: row("TP=8"), PastExit: true})
	if err != nil || past.Exit == nil || len(named(past, "vllm")) != 1 {
		t.Errorf("past the exit: %v, exit %v, commands %v", err, past.Exit, past.Commands)
	}
	if tr := run(t, script, "TP=4"); tr.Exit != nil || len(named(tr, "vllm")) != 1 {
		t.Errorf("without exit: %+v", tr.Exit)
	}
}

func TestOptions(t *testing.T) {
	files := memory{"r/s.sh": "source /lib/l.sh\ncustom 1 > out\nhelper $(custom 2)\nwrap -x 1 helper inner\ncat /lib/data/f\n", "shared/l.sh": "L=1\n", "shared/data/f": "x"}
	tr, err := Run(context.Background(), Options{
		Files: files, Script: "r/s.sh", Dir: "/job/", Mounts: map[string]string{"/lib": "shared"},
		Models: Models{"custom": func(c *Call) Result {
			return Result{Stdout: c.Text("value"), StatusKnown: true, Writes: []FileWrite{{c.Text("made"), c.Argv[1]}}}
		}},
		Wrappers: map[string]Wrapper{"wrap": {Valued: []string{"-x"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := line(named(tr, "helper")[0]); got != "helper value" {
		t.Errorf("model: %s", got)
	}
	if c := named(tr, "helper")[1]; c.Inner != 3 {
		t.Errorf("wrapper: %+v", c)
	}
	if diff := cmp.Diff([]string{"r/s.sh", "shared/data/f", "shared/l.sh"}, tr.Files); diff != "" {
		t.Errorf("files: %s", diff)
	}
	var written []string
	for _, w := range tr.Written {
		written = append(written, w.Path+"="+w.Content.String())
	}
	if diff := cmp.Diff([]string{"/job/made=2", "/job/out=value"}, written); diff != "" {
		t.Errorf("written: %s", diff)
	}
}

func TestCacheParsesAFileOnce(t *testing.T) {
	cache := &Cache{}
	files := memory{"s.sh": "source ./l.sh; show $X", "l.sh": "X=1"}
	for range 2 {
		if _, err := Run(context.Background(), Options{Files: files, Script: "s.sh", Cache: cache}); err != nil {
			t.Fatal(err)
		}
	}
	first, _ := cache.lookup([]byte(files["l.sh"]))
	files["other.sh"] = files["l.sh"]
	if _, err := Run(context.Background(), Options{Files: files, Script: "other.sh", Cache: cache}); err != nil {
		t.Fatal(err)
	}
	if again, ok := cache.lookup([]byte("X=1")); !ok || again != first || len(cache.files) != 2 {
		t.Errorf("parsed again: %v, %d files", ok, len(cache.files))
	}
}

// Runs share parsed trees, which nobody writes (go test -race).
func TestRunsShareACache(t *testing.T) {
	files := launchFiles(t)
	cache := &Cache{}
	traces := make([]string, 8)
	var group sync.WaitGroup
	for i := range traces {
		group.Go(func() {
			l := launches[4]
			tr, err := Run(context.Background(), Options{Files: files, Script: l.script, Env: row(l.row...), Cache: cache})
			if err == nil {
				traces[i] = render(tr)
			}
		})
	}
	group.Wait()
	for _, tr := range traces {
		if tr == "" || tr != traces[0] {
			t.Fatal("runs differ")
		}
	}
}

// BenchmarkRun evaluates the sample launch scripts with parsed files at hand.
func BenchmarkRun(b *testing.B) {
	files := launchFiles(b)
	cache := &Cache{}
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range launches {
			if _, err := Run(context.Background(), Options{Files: files, Script: l.script, Env: row(l.row...), Cache: cache}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
