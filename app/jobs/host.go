package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sweepbot/sweepbot/app/actions"
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
	// GitHub is the repository of the job, with its token; only a partial sweep
	// asks for it.
	GitHub func(ctx context.Context) (bot.GitHub, error)

	writer *actions.Writer
}

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

// tell is what the step tells its runner. One writer serves the whole step,
// since limits count all that it writes.
func (h *Host) tell() *actions.Writer {
	if h.writer == nil {
		h.writer = actions.NewWriter(actions.WriterOptions{Getenv: h.getenv, Log: h.Log})
	}
	return h.writer
}

func (h *Host) getenv(name string) string {
	value, _ := h.Lookup(name)
	return value
}

// outputs writes step outputs.
func (h *Host) outputs(outputs ...bot.Output) error { return h.tell().SetOutputs(outputs...) }

// summary adds Markdown to the summary of the step.
func (h *Host) summary(text string) error {
	_, err := h.tell().Summary(text)
	return err
}

// annotate shows findings on the lines they are about.
func (h *Host) annotate(list diag.List) { _ = h.tell().AnnotateAll(list, h.Language) }

// Close ends the step: err is what it failed with, as annotations.
func (h *Host) Close(failure diag.List) error {
	h.annotate(failure)
	return h.tell().Close()
}

// say writes one line to the log. What repositories contain is in it, and is
// not obeyed.
func (h *Host) say(format string, args ...any) {
	_ = h.tell().Untrusted(fmt.Sprintf(format, args...) + "\n")
}

// folder is the folder that the program and the plan were put in, outside of
// the checkout, which a pull request fills.
func (h *Host) folder() (string, error) {
	temp, err := actions.Temp(h.getenv)
	return filepath.Join(temp, "sweepbot"), err
}

// workspace is the checkout.
func (h *Host) workspace() (string, error) { return actions.Workspace(h.getenv) }

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
