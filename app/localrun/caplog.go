package localrun

import (
	"fmt"
	"io"
	"os"
	"sync"
)

// The beginning and the end of a launcher's output that are kept. What is
// between is dropped, so that a launcher that writes without end fills no
// disk, and its last words are still there.
const (
	logHead = 8 << 20
	logTail = 256 << 10
)

// cappedLog writes the beginning of what it gets to a file and keeps the end
// in memory until Close. Writing never fails for the writer: a full disk must
// not end a launcher in a way that looks like its own failure.
type cappedLog struct {
	mu         sync.Mutex
	file       io.WriteCloser
	head, tail int // limits in bytes
	written    int
	dropped    int64
	ring       []byte
	err        error
}

func createLog(root *os.Root, name string) (*cappedLog, error) {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	return &cappedLog{file: f, head: logHead, tail: logTail}, nil
}

// Write keeps p or parts of it. It always reports success.
func (l *cappedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := p
	if room := l.head - l.written; room > 0 {
		n := min(room, len(rest))
		_, err := l.file.Write(rest[:n])
		l.err = firstError(l.err, err)
		l.written += n
		rest = rest[n:]
	}
	l.keep(rest)
	return len(p), nil
}

// keep puts bytes beyond the head into the tail.
func (l *cappedLog) keep(p []byte) {
	if len(p) > l.tail {
		l.dropped += int64(len(p) - l.tail)
		p = p[len(p)-l.tail:]
	}
	if over := len(l.ring) + len(p) - l.tail; over > 0 {
		l.dropped += int64(over)
		l.ring = append(l.ring[:0], l.ring[over:]...)
	}
	l.ring = append(l.ring, p...)
}

// Close writes the end of the output and says how much is missing before it.
func (l *cappedLog) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dropped > 0 {
		_, err := fmt.Fprintf(l.file, "\n[sweepbot: %d bytes left out here]\n", l.dropped)
		l.err = firstError(l.err, err)
	}
	_, err := l.file.Write(l.ring)
	return firstError(l.err, err, l.file.Close())
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
