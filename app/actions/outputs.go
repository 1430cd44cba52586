package actions

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/app/bot"
)

// SetOutputs sets outputs of the step; see SetOutput. The ones before one that
// is refused stay.
func (w *Writer) SetOutputs(outputs ...bot.Output) error {
	for _, o := range outputs {
		if err := w.SetOutput(o.Name, o.Value); err != nil {
			return err
		}
	}
	return nil
}

// errMultiline is a mistake of the program: all values are encoded on one
// line.
var errMultiline = errors.New("actions: an output is not one line of UTF-8")

// WriteOutputs writes outputs as name=value lines, for somebody who appends
// them to the file that GITHUB_OUTPUT names. In a step, SetOutputs writes that
// file itself. Nothing is written when any of them could end its line
// and so define another output (spec/security.md, output file injection).
func WriteOutputs(w io.Writer, outputs []bot.Output) error {
	var b strings.Builder
	for _, o := range outputs {
		if !singleLine(o.Name) || !singleLine(o.Value) || o.Name == "" || strings.ContainsAny(o.Name, "=<") {
			return errMultiline
		}
		b.WriteString(o.Name + "=" + o.Value + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func singleLine(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsAny(text, "\r\n\x00")
}
