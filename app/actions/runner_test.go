package actions

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// job is a step under a runner that this test plays: the files that the runner
// makes and the log that it reads.
type job struct {
	t   testing.TB
	dir string
	log bytes.Buffer
	v   vars
}

func newJob(t testing.TB) *job {
	t.Helper()
	j := &job{t: t, dir: t.TempDir(), v: vars{}}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"} {
		j.v[name] = filepath.Join(j.dir, name)
		j.write(name, "")
	}
	return j
}

// writer returns a writer for the step; every change is made to its options.
func (j *job) writer(change ...func(*WriterOptions)) *Writer {
	o := WriterOptions{Getenv: j.v.get, Log: &j.log}
	for _, f := range change {
		f(&o)
	}
	return NewWriter(o)
}

func (j *job) write(name, text string) {
	j.t.Helper()
	if err := os.WriteFile(j.v[name], []byte(text), 0o600); err != nil {
		j.t.Fatal(err)
	}
}

func (j *job) read(name string) string {
	j.t.Helper()
	data, err := os.ReadFile(j.v[name])
	if err != nil {
		j.t.Fatal(err)
	}
	return string(data)
}

var errFileCommand = errors.New("the runner refuses the file")

// values reads a file of name and value pairs as the runner does: name=value,
// or name<<word, lines, word.
func values(text string) (map[string]string, error) {
	found := make(map[string]string)
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if line == "" {
			continue
		}
		equals, heredoc := strings.Index(line, "="), strings.Index(line, "<<")
		if equals >= 0 && (heredoc < 0 || equals < heredoc) {
			found[line[:equals]] = line[equals+1:]
			continue
		}
		if heredoc < 0 {
			return nil, errFileCommand
		}
		name, word := line[:heredoc], line[heredoc+2:]
		var value []string
		for i++; ; i++ {
			if i >= len(lines) {
				return nil, errFileCommand
			}
			if lines[i] == word {
				break
			}
			value = append(value, lines[i])
		}
		found[name] = strings.Join(value, "\n")
	}
	return found, nil
}

// command is one command that the runner obeys.
type command struct {
	Name, Message string
	Properties    map[string]string
}

// obeyed reads a log as the runner does: lines that begin with :: (or ##[, the
// older form) are commands, unless a word has stopped them that has not come
// again.
func obeyed(log string) []command {
	var all []command
	stopped := ""
	for line := range strings.Lines(log) {
		line = strings.TrimRight(strings.TrimLeft(line, " \t"), "\r\n")
		if stopped != "" {
			if line == "::"+stopped+"::" {
				stopped = ""
			}
			continue
		}
		rest, ok := strings.CutPrefix(line, "::")
		if old, isOld := strings.CutPrefix(line, "##["); isOld {
			rest, ok = strings.Replace(old, "]", "::", 1), true
		}
		head, message, whole := strings.Cut(rest, "::")
		if !ok || !whole {
			continue
		}
		c := command{Message: unescape(message), Properties: make(map[string]string)}
		name, properties, _ := strings.Cut(head, " ")
		c.Name = name
		for pair := range strings.SplitSeq(properties, ",") {
			if key, value, ok := strings.Cut(pair, "="); ok {
				c.Properties[key] = unescape(value)
			}
		}
		if c.Name == "stop-commands" {
			stopped = c.Message
			continue
		}
		all = append(all, c)
	}
	return all
}

func unescape(s string) string {
	return strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(s)
}
