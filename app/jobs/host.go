package jobs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Host is the Actions job that a command runs in.
type Host struct {
	// Lookup reads the environment of the job.
	Lookup func(name string) (string, bool)
	// Environ is the whole environment, as NAME=value. Only the launcher of a
	// point gets it, without what could reach later steps.
	Environ []string
	// Log is the log of the step.
	Log io.Writer
	// Language is the language of findings.
	Language catalog.Language
}

// maxSummary cuts a step summary below the limit of GitHub, which drops one
// that is longer (spec/github-limits.md).
const maxSummary = 1_000_000

// value returns a variable that the workflow sets.
func (h *Host) value(name string) (string, error) {
	if v, ok := h.Lookup(name); ok && v != "" {
		return v, nil
	}
	return "", diag.New("jobs.no-variable", diag.Place{}, "name", name).In("usage")
}

// either returns a variable that may be absent.
func (h *Host) either(name, otherwise string) string {
	if v, ok := h.Lookup(name); ok && v != "" {
		return v
	}
	return otherwise
}

// outputs writes step outputs. All values are single lines.
func (h *Host) outputs(outputs ...bot.Output) error {
	return h.appendTo("GITHUB_OUTPUT", func(w io.Writer) error { return bot.WriteOutputs(w, outputs) })
}

// summary adds Markdown to the summary of the step.
func (h *Host) summary(text string) error {
	if len(text) > maxSummary {
		text = text[:maxSummary]
		for !utf8.ValidString(text) {
			text = text[:len(text)-1]
		}
	}
	return h.appendTo("GITHUB_STEP_SUMMARY", func(w io.Writer) error {
		_, err := io.WriteString(w, text+"\n")
		return err
	})
}

// appendTo appends to the file that a variable names. The file is there
// already: the runner makes it.
func (h *Host) appendTo(variable string, write func(io.Writer) error) error {
	name, err := h.value(variable)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return outside(name, err)
	}
	return errors.Join(write(f), f.Close())
}

// annotate shows findings on the lines they are about.
func (h *Host) annotate(list diag.List) { _ = diag.WriteGitHub(h.Log, list, h.Language) }

// say writes one line to the log. What repositories contain is made printable
// and cannot begin a workflow command.
func (h *Host) say(format string, args ...any) {
	line := diag.Printable(fmt.Sprintf(format, args...))
	fmt.Fprintln(h.Log, strings.ReplaceAll(line, "::", ": :"))
}

// folder is the folder that the program and the plan were put in, outside of
// the checkout, which a pull request fills.
func (h *Host) folder() (string, error) {
	temp, err := h.value("RUNNER_TEMP")
	return filepath.Join(temp, "sweepbot"), err
}

// workspace is the checkout.
func (h *Host) workspace() (string, error) { return h.value("GITHUB_WORKSPACE") }

// read reads a whole file of at most limit bytes.
func read(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, outside(name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, diag.New("jobs.too-large", diag.Place{File: filepath.Base(name)}, "limit", fmt.Sprint(limit))
	}
	return data, outside(name, err)
}

// outside turns an error of the file system into a finding; nil stays nil.
func outside(name string, err error) error {
	if err == nil {
		return nil
	}
	detail := err.Error()
	var inner *fs.PathError
	if errors.As(err, &inner) {
		detail = inner.Err.Error()
	}
	return diag.New("jobs.file", diag.Place{File: filepath.Base(name)}, "detail", detail).In("unreadable")
}

// fence is text as a Markdown block that no line of it can end.
func fence(text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + "text\n" + strings.TrimRight(text, "\n") + "\n" + mark + "\n"
}
