package shell

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// reaching are the standard packages through which a program starts processes,
// opens sockets or writes files.
var reaching = []string{"os", "os/exec", "os/user", "net", "net/http", "syscall", "plugin", "unsafe", "io/ioutil", "path/filepath"}

// Neither this package nor the parts of the parser that it uses can start
// anything: what it imports itself has no way out, and of mvdan.cc/sh only
// the parser and the pattern translator come in, not the interpreter and not
// the expander (which imports os/exec).
func TestNoWayOut(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			if p := strings.Trim(spec.Path.Value, `"`); slices.Contains(reaching, p) {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
	golist, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	out, err := exec.Command(golist, "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	for _, bad := range []string{"os/exec", "os/user", "net", "net/http", "plugin", "mvdan.cc/sh/v3/interp", "mvdan.cc/sh/v3/expand", "runtime/cgo"} {
		if slices.Contains(deps, bad) {
			t.Errorf("%s is linked in", bad)
		}
	}
	// os itself comes with fmt and with the parser, which only takes its
	// types for writing to a reader's caller; a new module would show here.
	var modules []string
	for _, d := range deps {
		if first, _, _ := strings.Cut(d, "/"); strings.Contains(first, ".") && !strings.HasPrefix(d, "github.com/sweepbot/") && !strings.HasPrefix(first, "vendor") {
			modules = append(modules, d)
		}
	}
	slices.Sort(modules)
	if want := []string{"mvdan.cc/sh/v3/fileutil", "mvdan.cc/sh/v3/pattern", "mvdan.cc/sh/v3/syntax"}; !slices.Equal(modules, want) {
		t.Errorf("packages of other modules: %v, want %v", modules, want)
	}
}

// TestHostileUnderStrace is run by TestNoSystemCallLeadsOut in a process of its
// own.
func TestHostileUnderStrace(t *testing.T) {
	if os.Getenv("SHELL_UNDER_STRACE") == "" {
		t.Skip("runs under strace only")
	}
	_, _ = os.Stat("/mark-begin")
	for _, tc := range hostile {
		run(t, tc.script)
	}
	_, _ = os.Stat("/mark-end")
}

// Between two marks, while all hostile scripts are evaluated, the process
// makes no system call that starts a program, opens a socket or opens a file.
func TestNoSystemCallLeadsOut(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace")
	}
	if testing.Short() {
		t.Skip("short")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	record := filepath.Join(t.TempDir(), "calls")
	cmd := exec.Command(strace, "-f", "-qq", "-e", "trace=%process,%network,%file", "-o", record,
		self, "-test.run", "^TestHostileUnderStrace$")
	cmd.Env = append(os.Environ(), "SHELL_UNDER_STRACE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("ptrace")) || bytes.Contains(out, []byte("Operation not permitted")) {
			t.Skipf("strace may not trace here: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	calls, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	_, between, ok := strings.Cut(string(calls), "/mark-begin")
	between, _, ok2 := strings.Cut(between, "/mark-end")
	if !ok || !ok2 {
		t.Fatalf("the marks are not in the record:\n%s", calls)
	}
	leading := regexp.MustCompile(`\b(execve|execveat|fork|vfork|socket|connect|bind|open|openat|openat2|creat|unlink|rename|mkdir)\(.*`)
	for _, call := range leading.FindAllString(between, -1) {
		t.Errorf("system call: %s", call)
	}
}
