// Package diag is the common shape of everything the product has to say about
// an input: a finding with a place, a stable code, arguments for the
// catalogue, and a severity. Rooms return findings; the roof prints them.
package diag

import (
	"fmt"
	"sort"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// Severity orders findings by what they do to the outcome.
type Severity uint8

// Error refuses the input; Warning lets it pass and is shown; Note informs.
const (
	Error Severity = iota
	Warning
	Note
)

// String returns the word used in output and JSON.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	default:
		return "note"
	}
}

// MarshalText writes the severity as its word.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Place is a position in a file. Line and Column count from 1; zero means
// that the finding concerns the file (or the change) as a whole.
type Place struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// String returns file:line:column, leaving out what is not known.
func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	default:
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
}

// Finding is one problem or remark. It is an error value, so that a room can
// return a single finding where the caller branches on success.
type Finding struct {
	Place
	// Code names the rule, "room.rule"; the catalogue has its texts.
	Code string
	// Category is the coarse class of a refusal, the words of the conformance
	// corpus ("config-schema", "changelog-deletion", ...). May be empty.
	Category string
	Severity Severity
	// Path leads to the value inside the document, for example
	// "dsr1-fp4.scenarios.fixed-seq-len.0.search-space.1.tp".
	Path string
	// Args are name, value pairs for the placeholders of the text.
	Args []string
	// Related are further places that explain the finding, for example the
	// first occurrence of a duplicate key.
	Related []Place
}

// New returns an error finding at a place. Args are name, value pairs.
func New(code string, place Place, args ...string) Finding {
	return Finding{Code: code, Place: place, Args: args}
}

// In returns a copy of f with its category set.
func (f Finding) In(category string) Finding {
	f.Category = category
	return f
}

// At returns a copy of f with its document path set.
func (f Finding) At(path string) Finding {
	f.Path = path
	return f
}

// WithSeverity returns a copy of f with another severity.
func (f Finding) WithSeverity(severity Severity) Finding {
	f.Severity = severity
	return f
}

// Message returns what is wrong, in the given language.
func (f Finding) Message(lang catalog.Language) string {
	return catalog.Message(lang, f.Code, f.Args...)
}

// Mend returns what to do about it, in the given language, or "".
func (f Finding) Mend(lang catalog.Language) string {
	return catalog.Mend(lang, f.Code, f.Args...)
}

// Error returns the finding as one English line:
// file:line:column: message [code] (mend).
func (f Finding) Error() string {
	var b strings.Builder
	if place := f.Place.String(); place != "" {
		b.WriteString(place)
		b.WriteString(": ")
	}
	if f.Path != "" {
		b.WriteString(f.Path)
		b.WriteString(": ")
	}
	b.WriteString(f.Message(catalog.English))
	b.WriteString(" [" + f.Code + "]")
	if mend := f.Mend(catalog.English); mend != "" {
		b.WriteString(" - " + mend)
	}
	return b.String()
}

// List is the outcome of a validation: every finding, not only the first. As
// an error it prints one finding a line.
type List []Finding

// Error joins the findings, one a line.
func (l List) Error() string {
	lines := make([]string, len(l))
	for i, f := range l {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Refused reports whether any finding is an error.
func (l List) Refused() bool { return l.First() != nil }

// First returns the first finding of severity Error, or nil.
func (l List) First() *Finding {
	for i := range l {
		if l[i].Severity == Error {
			return &l[i]
		}
	}
	return nil
}

// Err returns l as an error when it refuses the input, else nil.
func (l List) Err() error {
	if l.Refused() {
		return l
	}
	return nil
}

// Sort orders findings by file, line, column and code, keeping the order of
// equal ones.
func (l List) Sort() {
	sort.SliceStable(l, func(i, j int) bool {
		a, b := l[i], l[j]
		switch {
		case a.File != b.File:
			return a.File < b.File
		case a.Line != b.Line:
			return a.Line < b.Line
		case a.Column != b.Column:
			return a.Column < b.Column
		default:
			return a.Code < b.Code
		}
	})
}
