package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// onHost is what the effects on the job have in common: nothing is found
// again, since every step writes its own files.
type onHost struct{}

// Find never finds anything.
func (onHost) Find(context.Context, *World) (Found, error) { return Found{}, nil }

// host is the job, or a finding that there is none.
func (w *World) host() (Host, error) {
	if w.Host == nil {
		return nil, diag.New("bot.no-host", diag.Place{}).In("usage")
	}
	return w.Host, nil
}

// Reconcile has nothing to do.
func (onHost) Reconcile(context.Context, *World) error { return nil }

// SetOutput sets an output of the step.
type SetOutput struct {
	onHost
	Output
}

// Key names the output: it is set once.
func (e *SetOutput) Key() string { return "output/" + e.Name }

// Kind is "output".
func (e *SetOutput) Kind() string { return "output" }

// Target is the output.
func (e *SetOutput) Target() string { return e.Name }

// Document holds name and value.
func (e *SetOutput) Document() ordjson.Value {
	return ordjson.Map(member("name", ordjson.Str(e.Name)), member("value", ordjson.Str(e.Value)))
}

// Do sets the output.
func (e *SetOutput) Do(_ context.Context, w *World, _ Found) (Found, error) {
	h, err := w.host()
	if err != nil {
		return Found{}, err
	}
	return Found{}, h.SetOutput(e.Name, e.Value)
}

// maxSummary is the size up to which a summary is shown; GitHub drops one
// above 1 MiB as a whole.
const maxSummary = 1_000_000

// WriteSummary appends to the summary of the step.
type WriteSummary struct {
	onHost
	Markdown string
}

// Key names the text.
func (e *WriteSummary) Key() string {
	sum := sha256.Sum256([]byte(e.Markdown))
	return "summary/" + hex.EncodeToString(sum[:6])
}

// Kind is "summary".
func (e *WriteSummary) Kind() string { return "summary" }

// Target is the size of the text.
func (e *WriteSummary) Target() string { return strconv.Itoa(len(e.Markdown)) + " bytes" }

// Document holds the text.
func (e *WriteSummary) Document() ordjson.Value {
	return ordjson.Map(member("markdown", ordjson.Str(e.Markdown)))
}

// Do appends the text.
func (e *WriteSummary) Do(_ context.Context, w *World, _ Found) (Found, error) {
	text := e.Markdown
	if len(text) > maxSummary {
		text = hardCut(text, maxSummary, catalog.English)
	}
	h, err := w.host()
	if err != nil {
		return Found{}, err
	}
	return Found{}, h.Summary(text)
}

// Annotations shows findings on the lines that they are about.
type Annotations struct {
	onHost
	Findings diag.List
}

// Key is the same for all: one list a job.
func (e *Annotations) Key() string { return "annotate" }

// Kind is "annotations".
func (e *Annotations) Kind() string { return "annotations" }

// Target is the number of findings.
func (e *Annotations) Target() string { return strconv.Itoa(len(e.Findings)) }

// Document holds the findings.
func (e *Annotations) Document() ordjson.Value {
	return ordjson.Map(member("findings", FindingsDocument(e.Findings, catalog.English)))
}

// Do shows the findings.
func (e *Annotations) Do(_ context.Context, w *World, _ Found) (Found, error) {
	h, err := w.host()
	if err != nil {
		return Found{}, err
	}
	return Found{}, h.Annotate(e.Findings)
}
