package workflows

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// releaser is a checkout with nothing but what release/build needs, and a Go
// that writes what it is asked for in the place of building it.
func releaser(t *testing.T) *bench {
	t.Helper()
	b := newBench(t)
	for _, name := range []string{"release/build", "release/manifest"} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		b.write(filepath.Join(b.action, name), string(data))
	}
	for _, name := range []string{"dirname", "ls", "sed", "wc"} {
		full, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(full, filepath.Join(b.tools, name)); err != nil {
			t.Fatal(err)
		}
	}
	b.tool("go", `[ "$1" != env ] || { echo go1.26.8; exit; }
[[ "$*" == *" -trimpath -buildvcs=false "* && "$GOWORK $GOFLAGS $GOTOOLCHAIN $CGO_ENABLED" == "off -mod=readonly local 0" && -d release ]] || exit 1
while [ $# -gt 0 ]; do [ "$1" != -o ] || echo "$GOOS/$GOARCH" > "$2"; shift; done`)
	return b
}

// build runs release/build from another folder.
func (b *bench) build(args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(b.tools, "bash"), append([]string{filepath.Join(b.action, "release/build")}, args...)...)
	cmd.Dir, cmd.Env = b.temp, []string{"PATH=" + b.tools}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestReleaseIsTakenByTheAction builds a release, commits its manifest and has
// the Action take it.
func TestReleaseIsTakenByTheAction(t *testing.T) {
	b := releaser(t)
	if out, err := b.build("v1.2.3", "dist"); err != nil {
		t.Fatal(err, out)
	}
	manifest := b.read(filepath.Join(b.temp, "dist/manifest"))
	for _, want := range []string{"\nversion v1.2.3\ngo go1.26.8\nurl https://github.com/sweepbot/sweepbot/releases/download/v1.2.3\n",
		"  sweepbot-linux-amd64  12\n", "  sweepbot-linux-arm64  12\n", "  sweepbot-darwin-amd64  13\n", "  sweepbot-darwin-arm64  13\n"} {
		if !strings.Contains(manifest, want) {
			t.Errorf("no %q in\n%s", want, manifest)
		}
	}
	if strings.Contains(manifest, "nothing is released") || !strings.HasPrefix(manifest, "# ") {
		t.Errorf("the head of the manifest:\n%s", manifest)
	}
	// The same again, from the manifest that is now committed: this is what the
	// workflow of the tag compares.
	b.write(filepath.Join(b.action, "release/manifest"), manifest)
	if out, err := b.build("v1.2.3", "again"); err != nil || b.read(filepath.Join(b.temp, "again/manifest")) != manifest {
		t.Errorf("another manifest: %v %s\n%s", err, out, b.read(filepath.Join(b.temp, "again/manifest")))
	}
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("no curl here")
	}
	if err := os.Symlink(curl, filepath.Join(b.tools, "curl")); err != nil {
		t.Fatal(err)
	}
	// The folder stands in for the files of the release on GitHub.
	b.write(filepath.Join(b.action, "release/manifest"), strings.ReplaceAll(manifest, "https://github.com/sweepbot/sweepbot/releases/download/v1.2.3", "file://"+filepath.Join(b.temp, "dist")))
	b.tool("go", "echo go must not run; exit 1")
	out, log, ok := b.obtain("darwin/arm64")
	if !ok || b.read(out["path"]) != "linux/"+runtime.GOARCH+"\n" || b.read(filepath.Join(out["folder"], "sweepbot-darwin-arm64")) != "darwin/arm64\n" {
		t.Errorf("outputs %v, log:\n%s", out, log)
	}
}

func TestReleaseRefuses(t *testing.T) {
	b := releaser(t)
	b.write(filepath.Join(b.temp, "full/x"), "")
	for _, args := range [][]string{{}, {"v1.2.3"}, {"1.2.3", "dist"}, {"v1.2.3;id", "dist"}, {"v1.2.3 -X main.x=y", "dist"}, {"v1.2.3", "full"}} {
		if out, err := b.build(args...); err == nil || !strings.HasPrefix(out, "release/build: ") {
			t.Errorf("%q: %v %s", args, err, out)
		}
	}
}

// TestManifestIsWhole: what is committed lists nothing, or every platform.
func TestManifestIsWhole(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "release/manifest"))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "#" {
			words = append(words, fmt.Sprint(len(fields), fields[0] == "version" || fields[0] == "go" || fields[0] == "url" || len(fields[0]) == 64))
		}
	}
	if want := []string{"2true", "2true", "2true", "3true", "3true", "3true", "3true"}; len(words) > 0 && !slices.Equal(words, want) {
		t.Errorf("the manifest has the lines %v", words)
	}
}

// TestReleaseWritesLittle: only a tag starts it, the job that compiles may not
// write, and the job that writes runs nothing that was built.
func TestReleaseWritesLittle(t *testing.T) {
	w := load(t, ".github/workflows/release.yml")
	if on := child(w.data, "on"); len(on) != 1 || len(child(on, "push")) != 1 || child(on, "push")["tags"] == nil {
		t.Errorf("it starts on %v", on)
	}
	if build := w.job("build"); build["permissions"] != nil {
		t.Errorf("the build has the rights %v", build["permissions"])
	}
	publish := w.job("publish")
	if rights := child(publish, "permissions"); len(rights) != 1 || rights["contents"] != "write" || publish["needs"] != "build" {
		t.Errorf("publishing has the rights %v behind %v", rights, publish["needs"])
	}
	compared := false
	for _, step := range steps(w.job("build")) {
		run := text(step["run"])
		compared = compared || strings.Contains(run, "diff -u release/manifest dist/manifest")
		if strings.HasPrefix(text(step["uses"]), "actions/upload-artifact@") && !compared {
			t.Error("it is handed on before it is compared")
		}
		if strings.HasPrefix(text(step["uses"]), "actions/setup-go@") && child(step, "with")["cache"] != false {
			t.Error("a cache takes part in the build")
		}
	}
	for _, step := range steps(publish) {
		if run := text(step["run"]); run != "" && !strings.HasPrefix(run, "gh release create ") || strings.HasPrefix(text(step["uses"]), "actions/checkout@") {
			t.Errorf("beside a token that writes: %v", step)
		}
	}
}
