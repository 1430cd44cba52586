package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
)

// event is one line of "go test -json" (see "go doc test2json").
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// maxLine bounds one line of the stream.
const maxLine = 16 << 20

// report collects a stream of events.
type report struct {
	w       io.Writer
	output  map[[2]string][]string // package, test -> its lines so far
	skipped []string
	tests   map[string]int // action -> tests and subtests
	pkgs    map[string]int // action -> packages
}

func newReport(w io.Writer) *report {
	return &report{
		w:      w,
		output: make(map[[2]string][]string),
		tests:  make(map[string]int),
		pkgs:   make(map[string]int),
	}
}

// read consumes the stream. Lines that are no JSON are passed through.
func (r *report) read(stream io.Reader) error {
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Fprintln(r.w, lines.Text())
			continue
		}
		r.add(e)
	}
	return lines.Err()
}

func (r *report) add(e event) {
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.w, e.Output)
	case "output":
		r.addOutput(e)
	case "pass", "fail", "skip":
		r.end(e)
	}
}

// addOutput prints what a package says and keeps what a test says until it is
// known whether anybody wants to read it.
func (r *report) addOutput(e event) {
	if e.Test != "" {
		key := [2]string{e.Package, e.Test}
		r.output[key] = append(r.output[key], e.Output)
		return
	}
	if e.Output != "PASS\n" && e.Output != "FAIL\n" {
		fmt.Fprint(r.w, e.Output)
	}
}

func (r *report) end(e event) {
	if e.Test == "" {
		r.pkgs[e.Action]++
		if e.Action == "fail" {
			r.flush(e.Package)
		}
		return
	}
	r.tests[e.Action]++
	key := [2]string{e.Package, e.Test}
	switch e.Action {
	case "fail":
		fmt.Fprint(r.w, strings.Join(r.output[key], ""))
	case "skip":
		r.skipped = append(r.skipped, e.Test+": "+reason(r.output[key]))
	}
	delete(r.output, key)
}

// flush prints the tests of a failed package that never came to an end, as
// after a crash or a timeout.
func (r *report) flush(pkg string) {
	for key, lines := range r.output {
		if key[0] == pkg {
			fmt.Fprint(r.w, strings.Join(lines, ""))
			delete(r.output, key)
		}
	}
}

// reason returns what a skipped test said, without the frame lines.
func reason(lines []string) string {
	var said []string
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
			said = append(said, line)
		}
	}
	return strings.Join(said, " ")
}

// maxSkipped bounds the list of skipped tests.
const maxSkipped = 20

// totals returns the lines that close the report.
func (r *report) totals(title string) string {
	var b strings.Builder
	sort.Strings(r.skipped)
	for i, line := range r.skipped {
		if i == maxSkipped {
			fmt.Fprintf(&b, "skipped: and %d more\n", len(r.skipped)-maxSkipped)
			break
		}
		fmt.Fprintln(&b, "skipped:", line)
	}
	fmt.Fprintf(&b, "%s: %d tests passed, %d failed, %d skipped; packages: %d ok, %d failed\n",
		title, r.tests["pass"], r.tests["fail"], r.tests["skip"], r.pkgs["pass"], r.pkgs["fail"])
	return b.String()
}

// err reports a run that proves nothing.
func (r *report) err() error {
	if r.tests["pass"] == 0 {
		return errors.New("no test ran and passed")
	}
	return nil
}
