// Command testsum runs "go test -json" and prints what a reader wants: one
// line a package, the whole output of what failed, why tests were skipped, and
// at the end how many ran. It fails when the tests fail, and also when none
// ran at all.
//
// Usage: testsum [-o summary-file] go-test-arguments...
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "testsum:", err)
		os.Exit(1)
	}
}

// run executes the tests named by args and reports on standard output. The
// totals are also appended to the summary file, if one is given.
func run(args []string) error {
	file := ""
	if len(args) >= 2 && args[0] == "-o" {
		file, args = args[1], args[2:]
	}
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	report := newReport(os.Stdout)
	readErr := report.read(events)
	if readErr != nil {
		_, _ = io.Copy(io.Discard, events) // so that the tests can end
	}
	testErr := cmd.Wait()
	totals := report.totals("go test " + strings.Join(args, " "))
	fmt.Print(totals)
	return errors.Join(readErr, testErr, report.err(), appendTo(file, totals))
}

// appendTo adds text to the end of a file, unless the name is empty.
func appendTo(file, text string) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
