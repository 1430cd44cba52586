package chaos

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// process is a worker: this test binary in a process of its own.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Scanner
	said  output
	url   string  // of a server
	fresh []event // posted since it last had nothing to do
}

// output is what a process says while others look at it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write keeps a text.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func start(t *testing.T, o orders) *process {
	t.Helper()
	text := must(json.Marshal(o))(t)
	p := &process{t: t, cmd: exec.Command(must(os.Executable())(t))}
	p.cmd.Env = []string{workerVariable + "=" + string(text), "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), "HOME=" + os.DevNull}
	p.cmd.Stderr = &p.said
	p.in = must(p.cmd.StdinPipe())(t)
	p.out = bufio.NewScanner(must(p.cmd.StdoutPipe())(t))
	ok(t, p.cmd.Start())
	return p
}

// startServer starts a server and waits for its address.
func startServer(t *testing.T, o orders) *process {
	t.Helper()
	p := start(t, o)
	if !p.out.Scan() {
		p.wait()
		t.Fatalf("the server does not start:\n%s", p.said.String())
	}
	p.url = "http://" + p.out.Text() + "/"
	return p
}

// wait waits for the end and returns the exit code.
func (p *process) wait() int {
	_ = p.in.Close()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// post sends a delivery as GitHub does; what becomes of it shows in idle.
func (p *process) post(e event) {
	p.fresh = append(p.fresh, e)
	req := must(http.NewRequest(http.MethodPost, p.url, bytes.NewReader(e.body)))(p.t)
	req.Header = e.header.Clone()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return // it has crashed
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusAccepted {
		p.t.Errorf("a delivery is answered with %d:\n%s", resp.StatusCode, p.said.String())
	}
}

// idle waits until a server has worked on all it took. It reports whether it
// still lives, and otherwise what it may not have worked on.
func (p *process) idle() (alive bool, lost []event) {
	if _, err := io.WriteString(p.in, "idle?\n"); err == nil && p.out.Scan() && strings.TrimSpace(p.out.Text()) == "idle" {
		p.fresh = nil
		return true, nil
	}
	if code := p.wait(); code != crashed {
		p.t.Fatalf("a server ended with %d:\n%s", code, p.said.String())
	}
	return false, p.fresh
}
