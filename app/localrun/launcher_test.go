package localrun

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// playBlocked never ends. It writes a line into the named pipe and keeps it
// open, so that a reader of the pipe sees when the process is gone. In mode
// family the one that blocks is a grandchild, and both ignore SIGTERM.
func playBlocked(mode, pipe string) int {
	signal.Ignore(syscall.SIGTERM)
	if mode == "family" {
		program, _ := os.Executable()
		child := exec.Command(program)
		child.Env = append(os.Environ(), launcherMode+"=block "+pipe)
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() != nil {
			return 97
		}
		_ = child.Wait()
		return 0
	}
	f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		return 96
	}
	_, _ = f.WriteString("running\n")
	time.Sleep(time.Hour)
	return 0
}

// newPipe makes a named pipe.
func newPipe(t testing.TB) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	return name
}

// untilRunning reads the pipe until a launcher has written into it. The reader
// then ends when every process that holds the pipe is gone.
func untilRunning(t testing.TB, pipe string) io.Reader {
	t.Helper()
	f, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	r := bufio.NewReader(f)
	if _, err := r.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCancellingKillsTheWholeGroup(t *testing.T) {
	for _, mode := range []string{"block", "family"} {
		pipe := newPipe(t)
		o := testOptions(t, planOf(t, families{spec: "a:1"}), mode+" "+pipe)
		ctx, cancel := context.WithCancelCause(context.Background())
		done := make(chan error, 1)
		go func() {
			_, err := tryS(ctx, o)
			done <- err
		}()
		gone := untilRunning(t, pipe)
		cancel(errors.New("enough"))
		if err := <-done; codeOf(err) != "localrun.interrupted" {
			t.Errorf("%s: %v", mode, err)
		}
		if rest, err := io.ReadAll(gone); err != nil || len(rest) > 0 {
			t.Errorf("%s: %q %v", mode, rest, err)
		}
	}
}

func TestTimeoutFailsThePoint(t *testing.T) {
	pipe := newPipe(t)
	o := testOptions(t, planOf(t, families{spec: "a:1"}), "block "+pipe)
	o.Timeout = 50 * time.Millisecond
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that the launcher can open it
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if counts := runSweep(t, o); counts.Failed != 1 {
		t.Errorf("%+v", counts)
	}
	if got := whyOf(t, o.Out); got != "localrun.timeout" {
		t.Error(got)
	}
}

// whyOf is the code that the journal has for the first failed point.
func whyOf(t testing.TB, out string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(out, journalName))
	if err != nil {
		t.Fatal(err)
	}
	records, _, err := parseJournal(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if r.Status == Failed {
			return r.Code
		}
	}
	return ""
}

func TestLaunchersThatFail(t *testing.T) {
	tests := []struct{ mode, want string }{
		{"exit 3", "localrun.exit"},
		{"nothing", "localrun.no-result"},
		{"link /etc/hostname", "localrun.no-result"},
		{"raw {\"max_concurrency\":1", "localrun.result-json"},
		{"raw []", "localrun.result-json"},
		{"raw {\"max_concurrency\":NaN}", "results.raw-field"},
		{"raw {\"model_id\":\"m\",\"max_concurrency\":1,\"total_token_throughput\":-5,\"output_throughput\":1}", "results.row-rejected"},
		{"raw {\"model_id\":\"m\",\"max_concurrency\":1,\"total_token_throughput\":5,\"output_throughput\":1,\"completed\":0,\"num_prompts\":10}", "localrun.nothing-completed"},
	}
	for _, tt := range tests {
		o := testOptions(t, planOf(t, families{spec: "a:1"}), tt.mode)
		if counts := runSweep(t, o); counts.Failed != 1 {
			t.Errorf("%s: %+v", tt.mode, counts)
		}
		if got := whyOf(t, o.Out); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.mode, got, tt.want)
		}
		if found, _ := filepath.Glob(filepath.Join(o.Out, "artifacts", "bmk_*")); len(found) > 0 {
			t.Errorf("%s: a failed point uploaded %v", tt.mode, found)
		}
	}
}

func TestLauncherThatCannotStart(t *testing.T) {
	o := testOptions(t, planOf(t, families{spec: "a:1"}), "good")
	o.Launcher.Command = []string{filepath.Join(t.TempDir(), "absent")}
	if counts := runSweep(t, o); counts.Failed != 1 || whyOf(t, o.Out) != "localrun.not-started" {
		t.Errorf("%+v %s", counts, whyOf(t, o.Out))
	}
}

func TestFloodsAreCut(t *testing.T) {
	o := testOptions(t, planOf(t, families{spec: "a:1"}), "flood 12000000")
	if counts := runSweep(t, o); counts.Passed != 1 {
		t.Fatalf("%+v", counts)
	}
	logs, err := filepath.Glob(filepath.Join(o.Out, "logs", "*.log"))
	if err != nil || len(logs) != 1 {
		t.Fatal(logs, err)
	}
	data, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > logHead+logTail+200 || !bytes.Contains(data, []byte("bytes left out here")) || !bytes.Contains(data, []byte("last words")) {
		t.Errorf("%d bytes, end %q", len(data), data[len(data)-40:])
	}
}

func TestCappedLog(t *testing.T) {
	for _, tt := range []struct {
		writes []string
		want   string
	}{
		{[]string{"abc"}, "abc"},
		{[]string{"abcd", "efgh"}, "abcdefgh"},
		{[]string{"abcdefgh"}, "abcdefgh"},
		{[]string{"abcdefghi"}, "abcde\n[sweepbot: 1 bytes left out here]\nghi"},
		{[]string{"a", "bcdefg", "h", "i", "jklmnop", "q"}, "abcde\n[sweepbot: 9 bytes left out here]\nopq"},
	} {
		var b buffer
		l := &cappedLog{file: &b, head: 5, tail: 3}
		for _, w := range tt.writes {
			if n, err := l.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("write: %d %v", n, err)
			}
		}
		if err := l.Close(); err != nil || b.String() != tt.want {
			t.Errorf("%q: %q %v, want %q", tt.writes, b.String(), err, tt.want)
		}
	}
}

// buffer is a file in memory.
type buffer struct{ bytes.Buffer }

// Close does nothing.
func (*buffer) Close() error { return nil }

func TestLaunchersSeeNothingOfOurEnvironment(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "planted")
	t.Setenv("GITHUB_TOKEN", "planted")
	o := testOptions(t, planOf(t, families{spec: "a:1"}), "environment")
	o.Environment = append(o.Environment, InheritedEnvironment(os.LookupEnv, []string{"LOCALRUN_TEST_ABSENT"})...)
	if counts := runSweep(t, o); counts.Passed != 1 {
		t.Fatalf("%+v", counts)
	}
	logs, _ := filepath.Glob(filepath.Join(o.Out, "artifacts", "server_logs_*", "server.log"))
	data, err := os.ReadFile(logs[0])
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("planted")) || !bytes.Contains(data, []byte("PATH=")) || !bytes.Contains(data, []byte("GPU_COUNT=1")) {
		t.Errorf("the launcher saw\n%s", data)
	}
}

func TestInheritedEnvironment(t *testing.T) {
	lookup := func(name string) (string, bool) { return "v", name == "PATH" || name == "HF_TOKEN" || name == "SECRET" }
	if got := strings.Join(InheritedEnvironment(lookup, []string{"HF_TOKEN"}), " "); got != "PATH=v HF_TOKEN=v" {
		t.Error(got)
	}
}

func TestLaunchersByConvention(t *testing.T) {
	root := rootWith(t, map[string]string{"p/runners/launch_a-rack.sh": "#!/bin/sh\n", "p/runners/launch_b.sh": "", "launch_x.sh": ""})
	repo := root.Name()
	if err := os.Chmod(filepath.Join(repo, "p/runners/launch_b.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	l := Launcher{Folder: "p/runners"}
	for runner, want := range map[string]string{
		"a-rack_07":  "bash " + repo + "/p/runners/launch_a-rack.sh",
		"b":          repo + "/p/runners/launch_b.sh",
		"c_1":        "localrun.no-launcher",
		"x/../../x":  "localrun.runner-name",
		"../../../x": "localrun.runner-name",
	} {
		argv, err := l.argv(repo, runner)
		if got := strings.Join(argv, " ") + codeOf(err); got != want {
			t.Errorf("%s: %s, want %s", runner, got, want)
		}
	}
}

func TestParseLauncher(t *testing.T) {
	root := rootWith(t, map[string]string{"my launcher.sh": "", "l.sh": ""})
	t.Chdir(root.Name())
	for text, want := range map[string]string{
		"my launcher.sh":      root.Name() + "/my launcher.sh",
		"./l.sh --fast $HOME": root.Name() + "/l.sh|--fast|$HOME",
		"bash ./l.sh":         "bash|" + root.Name() + "/l.sh",
		"  ":                  "localrun.launcher-empty",
		"prog 'a b'":          "prog|'a|b'",
	} {
		argv, err := ParseLauncher(text)
		if got := strings.Join(argv, "|") + codeOf(err); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
