package actions

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/sethvargo/go-githubactions"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// The kinds of annotations.
const (
	Notice  = "notice"
	Warning = "warning"
	Failure = "error"
)

// perKind is how many annotations of a kind GitHub shows for a step.
const perKind = 10

// maxMessage bounds one annotation, in bytes.
const maxMessage = 4 << 10

// Annotation marks lines of a file, or the run as a whole without one. Lines
// and columns count from 1; 0 leaves them out.
type Annotation struct {
	Kind                             string
	File                             string
	Line, EndLine, Column, EndColumn int
	Title, Message                   string
}

// AnnotationOf is the annotation of a finding in a language.
func AnnotationOf(f diag.Finding, lang catalog.Language) Annotation {
	a := Annotation{File: f.File, Line: f.Line, Column: f.Column, Title: f.Code, Message: f.Message(lang)}
	a.Kind = map[diag.Severity]string{diag.Error: Failure, diag.Warning: Warning, diag.Note: Notice}[f.Severity]
	if f.Path != "" {
		a.Message = f.Path + ": " + a.Message
	}
	if mend := f.Mend(lang); mend != "" {
		a.Message += "\n" + mend
	}
	return a
}

// Annotate writes an annotation to the log. GitHub shows ten of a kind for a
// step: those after are counted, and Close says how many. Give the worst
// first. shown is false for one that was only counted.
func (w *Writer) Annotate(a Annotation) (shown bool, err error) {
	write := map[string]func(*githubactions.Action, string, ...any){
		Notice: (*githubactions.Action).Noticef, Warning: (*githubactions.Action).Warningf, Failure: (*githubactions.Action).Errorf,
	}[a.Kind]
	if write == nil {
		return false, diag.New("actions.annotation-kind", diag.Place{}, "kind", diag.Printable(a.Kind)).In("usage")
	}
	w.annotations[a.Kind]++
	if w.annotations[a.Kind] > perKind {
		return false, nil
	}
	lib := w.lib.WithFieldsMap(a.properties(w.clean))
	return true, guarded(func() { write(lib, "%s", shorten(w.clean(a.Message), maxMessage)) })
}

// AnnotateAll writes findings on the lines they are about, the worst first,
// since GitHub shows ten of a kind.
func (w *Writer) AnnotateAll(list diag.List, lang catalog.Language) error {
	for _, severity := range []diag.Severity{diag.Error, diag.Warning, diag.Note} {
		for _, f := range list {
			if f.Severity != severity {
				continue
			}
			if _, err := w.Annotate(AnnotationOf(f, lang)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Debug writes a line that is shown only to those who run a job again with
// debug logging.
func (w *Writer) Debug(text string) error {
	return guarded(func() { w.lib.Debugf("%s", shorten(w.clean(text), maxMessage)) })
}

// properties are the parts of the command besides the message; the library
// escapes what would end them.
func (a Annotation) properties(clean func(string) string) map[string]string {
	p := make(map[string]string)
	if a.Title != "" {
		p["title"] = shorten(clean(a.Title), 255)
	}
	if a.File == "" {
		return p
	}
	p["file"] = clean(a.File)
	for name, n := range map[string]int{"line": a.Line, "endLine": a.EndLine, "col": a.Column, "endColumn": a.EndColumn} {
		if n > 0 {
			p[name] = strconv.Itoa(n)
		}
	}
	return p
}

// tellUnshown says how many annotations were only counted.
func (w *Writer) tellUnshown() error {
	for _, kind := range slices.Sorted(maps.Keys(w.annotations)) {
		n := w.annotations[kind] - perKind
		if n <= 0 {
			continue
		}
		w.annotations[kind] = perKind
		text := catalog.Message(catalog.English, "actions.annotations-cut", "count", strconv.Itoa(n), "kind", kind)
		if _, err := fmt.Fprintln(w.options.Log, text); err != nil {
			return diag.New("actions.write-failed", diag.Place{}, "detail", diag.Printable(err.Error())).In("unreadable")
		}
	}
	return nil
}

func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return cutRunes(text, limit-3) + "..."
}
