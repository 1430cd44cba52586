package diag

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// Document is a finding as machines read it. Every member is always present:
// texts may be "", numbers 0, Related empty.
type Document struct {
	Code     string   `json:"code"`
	Category string   `json:"category"`
	Severity string   `json:"severity"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Path     string   `json:"path"`
	Message  string   `json:"message"`
	Mend     string   `json:"mend"`
	Related  []string `json:"related"` // file:line:column
}

// Documents returns findings as machines read them, in their order; never nil.
func Documents(list List, lang catalog.Language) []Document {
	out := make([]Document, len(list))
	for i, f := range list {
		d := Document{
			Code: f.Code, Category: f.Category, Severity: f.Severity.String(),
			File: f.File, Line: f.Line, Column: f.Column, Path: f.Path,
			Message: f.Message(lang), Mend: f.Mend(lang), Related: []string{},
		}
		for _, p := range f.Related {
			d.Related = append(d.Related, p.String())
		}
		out[i] = d
	}
	return out
}

// WriteJSON writes one line: the outcome, a word such as "refused", and the
// findings.
func WriteJSON(w io.Writer, outcome string, list List, lang catalog.Language) error {
	return EncodeLine(w, struct {
		Outcome  string     `json:"outcome"`
		Findings []Document `json:"findings"`
	}{outcome, Documents(list, lang)})
}

// EncodeLine writes a value as JSON on one line. Nothing in it is obeyed by a
// terminal.
func EncodeLine(w io.Writer, value any) error {
	data, err := encode(value, "")
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func encode(value any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return PrintableJSON(b.Bytes()), nil
}
