package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// maxRequest is how many bytes of requests are written before their answers are
// read. A pipe takes that many at once on every system, and the process has
// read all earlier ones by then, so writing can't block against it.
const maxRequest = 4096

// maxDiagnostics is how many last bytes of a child's complaints are kept.
const maxDiagnostics = 4096

// errOversize ends an exchange after an answer that was refused for its size:
// its bytes are still in the pipe, the process is of no more use.
var errOversize = errors.New("object above the limit")

// process is a running `git cat-file --batch`. It answers a name a line with a
// header and the object's bytes.
type process struct {
	cmd         *exec.Cmd
	in          io.WriteCloser
	out         *bufio.Reader
	pipe        io.Closer // read end under out
	diagnostics *tail
}

func (r *Repo) start() (*process, error) {
	// The process outlives the call that starts it: no call's context may be
	// its own.
	cmd := r.command(context.Background(), "cat-file", "--batch")
	p := &process{cmd: cmd, diagnostics: &tail{max: maxDiagnostics}}
	cmd.Stderr = p.diagnostics
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out, p.pipe = bufio.NewReaderSize(out, 64<<10), out
	return p, cmd.Start()
}

// exchange asks for the objects called names and hands each answer to got, in
// order, so that the caller decides what is kept. It returns how many came;
// fewer than names only with an error.
func (p *process) exchange(names []string, limit int64, got func(int, object)) (int, error) {
	done := 0
	for done < len(names) {
		count, lines := pack(names[done:])
		if _, err := p.in.Write(lines); err != nil {
			return done, err
		}
		for end := done + count; done < end; done++ {
			answer, err := p.answer(names[done], limit)
			if errors.Is(err, errOversize) {
				got(done, answer)
				return done + 1, err
			}
			if err != nil {
				return done, err
			}
			got(done, answer)
		}
	}
	return done, nil
}

// pack joins as many names as may be written at once, at least one.
func pack(names []string) (count int, lines []byte) {
	for count < len(names) && (count == 0 || len(lines)+len(names[count])+1 <= maxRequest) {
		lines = append(append(lines, names[count]...), '\n')
		count++
	}
	return count, lines
}

// answer reads one answer. The size is compared with the limit before memory
// is taken for it.
func (p *process) answer(name string, limit int64) (object, error) {
	line, err := p.out.ReadSlice('\n')
	if err != nil {
		return object{}, err
	}
	found, err := parseHeader(string(line[:len(line)-1]), name)
	if err != nil || found.state != present {
		return found, err
	}
	if found.kind != kindBlob {
		limit = min(limit, maxMetadata)
	}
	if found.size > limit {
		found.state, found.limit = oversize, limit
		return found, errOversize
	}
	body := make([]byte, found.size+1)
	if _, err := io.ReadFull(p.out, body); err != nil {
		return object{}, err
	}
	if body[found.size] != '\n' {
		return object{}, fmt.Errorf("answer for %s is not followed by a line end", found.oid)
	}
	found.data = body[:found.size:found.size]
	return found, nil
}

// kill ends the process at once; a read that waits for it returns. It may be
// called while another goroutine uses the process.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may be gone already
	_ = p.pipe.Close()
}

// stop kills the process, waits for it, and returns its last words.
func (p *process) stop() string {
	p.kill()
	_ = p.in.Close()
	_ = p.cmd.Wait() // always an error: it was killed
	return p.diagnostics.String()
}

// tail keeps the last bytes written to it.
type tail struct {
	mu  sync.Mutex
	buf []byte
	max int
}

// Write keeps the end of p.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if excess := len(t.buf) - t.max; excess > 0 {
		t.buf = append(t.buf[:0], t.buf[excess:]...)
	}
	return len(p), nil
}

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
