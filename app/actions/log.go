package actions

import (
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Group writes a folded part of the log. What body writes is shown as it is,
// but nothing in it is obeyed: the runner is told to ignore commands until a
// word comes that nobody can guess, and control characters are made visible.
// An error of body is returned after the group has been closed.
func (w *Writer) Group(title string, body func(io.Writer) error) error {
	if err := guarded(func() { w.lib.Group(oneLine(w.clean(title))) }); err != nil {
		return err
	}
	err := w.untrusted(body)
	return errors.Join(err, guarded(w.lib.EndGroup))
}

// Untrusted writes foreign text to the log, unobeyed like that of Group.
func (w *Writer) Untrusted(text string) error {
	return w.untrusted(func(out io.Writer) error {
		_, err := io.WriteString(out, text)
		return err
	})
}

func (w *Writer) untrusted(body func(io.Writer) error) (err error) {
	token := w.options.StopToken()
	if len(token) < 16 {
		return diag.New("actions.write-failed", diag.Place{}, "detail", "the word that resumes commands is too short").In("unreadable")
	}
	out := &shown{to: w.options.Log, clean: w.clean}
	if _, err := io.WriteString(w.options.Log, "::stop-commands::"+token+"\n"); err != nil {
		return err
	}
	// Also after a panic: a log in which no command works would hide all that
	// follows.
	defer func() {
		err = errors.Join(err, out.end())
		_, last := io.WriteString(w.options.Log, "::"+token+"::\n")
		err = errors.Join(err, last)
	}()
	return body(out)
}

// maxLine bounds a line that is held back until it is whole, in bytes.
const maxLine = 64 << 10

// shown passes text on line by line, with secrets hidden and control
// characters made visible.
type shown struct {
	to    io.Writer
	clean func(string) string
	line  []byte
	err   error
}

// Write takes text; whole lines are passed on.
func (s *shown) Write(p []byte) (int, error) {
	for n, b := range p {
		if s.line = append(s.line, b); b == '\n' || len(s.line) >= maxLine {
			s.pass()
		}
		if s.err != nil {
			return n, s.err
		}
	}
	return len(p), nil
}

func (s *shown) pass() {
	line := strings.TrimRight(string(s.line), "\r\n")
	s.line = s.line[:0]
	if _, err := io.WriteString(s.to, visible(s.clean(line))+"\n"); err != nil && s.err == nil {
		s.err = err
	}
}

// end passes on an unfinished line, so that the word after it begins a line.
func (s *shown) end() error {
	if len(s.line) > 0 {
		s.pass()
	}
	return s.err
}

// visible returns a line in which a log viewer finds nothing to act on: no
// escape sequences and no marks of the older form of commands, which the
// viewer folds by although the runner ignores them.
func visible(line string) string {
	line = strings.ReplaceAll(strings.ToValidUTF8(line, "\ufffd"), "##[", "## [")
	return strings.Map(func(r rune) rune {
		if r != '\t' && diag.Obeyed(r) {
			return '\ufffd'
		}
		return r
	}, line)
}

// oneLine returns text as the title of a group.
func oneLine(text string) string {
	return shorten(visible(strings.Join(strings.Fields(text), " ")), 255)
}

// cutRunes returns at most so many bytes of text, whole characters only.
func cutRunes(text string, limit int) string {
	for limit > 0 && limit < len(text) && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:min(max(limit, 0), len(text))]
}
