package workflows

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// bench is a place in which the script of the Action runs: its own folder, and
// a search path that holds what the test puts there.
type bench struct {
	t                   *testing.T
	action, temp, tools string
}

// basics are the programs that the script needs on any runner.
var basics = []string{"awk", "bash", "cat", "chmod", "cp", "mkdir", "rm", "sha256sum", "sort", "uname"}

func newBench(t *testing.T) *bench {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the names of the programs are those of Linux")
	}
	b := &bench{t: t, action: t.TempDir(), temp: t.TempDir(), tools: t.TempDir()}
	for _, name := range basics {
		full, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(full, filepath.Join(b.tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// tool adds a program to the search path.
func (b *bench) tool(name, script string) {
	b.write(filepath.Join(b.tools, name), "#!/bin/bash\n"+script)
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		b.t.Fatal(err)
	}
}

// release lists programs in the manifest, in the form that release/build
// writes, and serves them.
func (b *bench) release(programs map[string]string) {
	b.t.Helper()
	served := filepath.Join(b.temp, "served")
	manifest := "# a comment\nversion v1.2.3\ngo go1.26.8\nurl file://" + served + "\n"
	for name, content := range programs {
		sum := sha256.Sum256([]byte(content))
		manifest += fmt.Sprintf("%x  %s  %d\n", sum, name, len(content))
		b.write(filepath.Join(served, name), content)
	}
	b.write(filepath.Join(b.action, "release/manifest"), manifest)
	curl, err := exec.LookPath("curl")
	if err != nil {
		b.t.Skip("no curl here")
	}
	if err := os.Symlink(curl, filepath.Join(b.tools, "curl")); err != nil {
		b.t.Fatal(err)
	}
}

// obtain runs the first step of the Action.
func (b *bench) obtain(platforms string) (outputs map[string]string, log string, ok bool) {
	b.t.Helper()
	first := child(load(b.t, "action.yml").data, "runs")["steps"].([]any)[0].(map[string]any)
	cmd := exec.Command(filepath.Join(b.tools, "bash"), "-c", text(first["run"]))
	for _, name := range []string{"output", "path"} {
		b.write(filepath.Join(b.temp, name), "")
	}
	cmd.Env = []string{
		"PATH=" + b.tools, "GITHUB_ACTION_PATH=" + b.action, "RUNNER_TEMP=" + b.temp, "PLATFORMS=" + platforms,
		"GITHUB_OUTPUT=" + filepath.Join(b.temp, "output"), "GITHUB_PATH=" + filepath.Join(b.temp, "path"),
	}
	out, err := cmd.CombinedOutput()
	outputs = make(map[string]string)
	for _, line := range strings.Split(b.read(filepath.Join(b.temp, "output")), "\n") {
		if name, value, cut := strings.Cut(line, "="); cut {
			outputs[name] = value
		}
	}
	return outputs, string(out), err == nil
}

func (b *bench) read(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

func TestActionTakesTheRelease(t *testing.T) {
	b := newBench(t)
	b.release(map[string]string{"sweepbot-linux-amd64": "intel", "sweepbot-linux-arm64": "arm"})
	b.tool("go", "echo go must not run; exit 1")
	out, log, ok := b.obtain("linux/amd64 linux/arm64")
	if !ok {
		t.Fatal(log)
	}
	sums := b.read(filepath.Join(out["folder"], "SHA256SUMS"))
	digest := sha256.Sum256([]byte(sums))
	if out["digest"] != hex.EncodeToString(digest[:]) || strings.Count(sums, "\n") != 2 {
		t.Errorf("digest %s of\n%s", out["digest"], sums)
	}
	own := map[string]string{"amd64": "intel", "arm64": "arm"}[runtime.GOARCH]
	if got := b.read(out["path"]); got != own {
		t.Errorf("the program for this runner is %q", got)
	}
	if !strings.Contains(b.read(filepath.Join(b.temp, "path")), filepath.Dir(out["path"])) {
		t.Error("sweepbot is not on the path")
	}
}

// TestActionStopsOnAnotherDigest: what is served is not what was released. Go
// is there, and still nothing is built: somebody has to look.
func TestActionStopsOnAnotherDigest(t *testing.T) {
	for name, served := range map[string]string{"other bytes": "y", "less": "", "more": "x and a surprise"} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.release(map[string]string{"sweepbot-linux-amd64": "x", "sweepbot-linux-arm64": "x"})
			for _, arch := range []string{"amd64", "arm64"} {
				b.write(filepath.Join(b.temp, "served/sweepbot-linux-"+arch), served)
			}
			b.tool("go", "echo go must not run; exit 0")
			out, log, ok := b.obtain("")
			if ok || out["path"] != "" || !strings.Contains(log, "not what was released") || strings.Contains(log, "go must not run") {
				t.Errorf("outputs %v, log:\n%s", out, log)
			}
		})
	}
}

// TestActionBuildsInItsOwnFolder: without a release the program is built from
// the commit of the Action, whatever the settings of the machine.
func TestActionBuildsInItsOwnFolder(t *testing.T) {
	b := newBench(t)
	b.tool("go", `echo "$GOOS/$GOARCH $GOWORK $GOFLAGS $GOTOOLCHAIN $CGO_ENABLED $PWD $*" >> "`+b.temp+`/calls"
while [ $# -gt 0 ]; do [ "$1" != -o ] || echo "$GOARCH" > "$2"; shift; done`)
	// A commit without a release has a manifest that lists nothing.
	manifest, err := os.ReadFile(filepath.Join(root, "release/manifest"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(manifest), "\nversion ") {
		b.write(filepath.Join(b.action, "release/manifest"), string(manifest))
	}
	out, log, ok := b.obtain("linux/amd64 linux/arm64")
	if !ok {
		t.Fatal(log)
	}
	calls := b.read(filepath.Join(b.temp, "calls"))
	for _, arch := range []string{"amd64", "arm64"} {
		want := "linux/" + arch + " off -mod=readonly local 0 " + b.action + " build -trimpath -buildvcs=false -o " +
			filepath.Join(out["folder"], "sweepbot-linux-"+arch) + " ./cmd/sweepbot\n"
		if !strings.Contains(calls, want) {
			t.Errorf("no call %qin\n%s", want, calls)
		}
	}
}

func TestActionSaysHowToMend(t *testing.T) {
	for _, tt := range []struct {
		name, platforms, want string
		prepare               func(b *bench)
	}{
		{"neither release nor Go", "", "or put actions/setup-go before this step", func(*bench) {}},
		{"release cannot be had", "", "or put actions/setup-go before this step", func(b *bench) {
			b.release(map[string]string{"sweepbot-linux-amd64": "x", "sweepbot-linux-arm64": "x"})
			_ = os.RemoveAll(filepath.Join(b.temp, "served"))
		}},
		{"neither curl nor Go", "", "or put actions/setup-go before this step", func(b *bench) {
			b.release(map[string]string{"sweepbot-linux-amd64": "x", "sweepbot-linux-arm64": "x"})
			_ = os.Remove(filepath.Join(b.tools, "curl"))
		}},
		{"build fails", "", "use the Go version of its go.mod", func(b *bench) { b.tool("go", "exit 1") }},
		{"unknown platform", "plan9/mips", "unknown platform plan9/mips", func(b *bench) { b.tool("go", `while [ $# -gt 0 ]; do [ "$1" != -o ] || echo x > "$2"; shift; done`) }},
		{"other system", "", "use a Linux or macOS runner", func(b *bench) {
			_ = os.Remove(filepath.Join(b.tools, "uname"))
			b.tool("uname", "echo Plan9")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t)
			tt.prepare(b)
			out, log, ok := b.obtain(tt.platforms)
			if ok || out["path"] != "" || !strings.Contains(log, "::error title=sweepbot::") || !strings.Contains(log, tt.want) {
				t.Errorf("outputs %v, log:\n%s", out, log)
			}
		})
	}
}

// TestActionRunsWordsOnly: the command is split at blanks and nothing in it is
// obeyed by the shell.
func TestActionRunsWordsOnly(t *testing.T) {
	b := newBench(t)
	second := child(load(t, "action.yml").data, "runs")["steps"].([]any)[1].(map[string]any)
	b.tool("sweepbot", `printf '<%s>' "$@"`)
	cmd := exec.Command(filepath.Join(b.tools, "bash"), "-c", text(second["run"]))
	cmd.Env = []string{"PATH=" + b.tools, "SWEEPBOT=" + filepath.Join(b.tools, "sweepbot"), "COMMAND=plan  --base $(id) ;x *"}
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "<plan><--base><$(id)><;x><*>" {
		t.Errorf("%s %v", out, err)
	}
}

// TestActionIsDocumented: every input and output says what it is, and inputs
// have a default.
func TestActionIsDocumented(t *testing.T) {
	action := load(t, "action.yml")
	for _, group := range []string{"inputs", "outputs"} {
		for name := range child(action.data, group) {
			one := child(child(action.data, group), name)
			if len(text(one["description"])) < 20 {
				t.Errorf("%s %s has no description", group, name)
			}
			if _, ok := one["default"]; group == "inputs" && !ok {
				t.Errorf("input %s has no default", name)
			}
		}
	}
}
