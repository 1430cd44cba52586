package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/sweepbot/sweepbot/app/bot"
)

// defaultColumns is the width of output that goes to no terminal.
const defaultColumns = 100

// terminal returns the file behind a stream if it is a terminal, else nil.
func terminal(stream any) *os.File {
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return f
}

// watched reports whether somebody obeys what is written to w: a terminal, or
// the log of a workflow. Redirected output is exact, byte for byte.
func watched(w io.Writer) bool {
	return terminal(w) != nil || os.Getenv("GITHUB_ACTIONS") == "true"
}

// colors reports whether output to w may be coloured: on a terminal, unless
// the user forbids it by flag or by the NO_COLOR convention.
func (s *streams) colors(w io.Writer) bool {
	return !s.plain && os.Getenv("NO_COLOR") == "" && terminal(w) != nil
}

// columns returns the width of the terminal behind w.
func columns(w io.Writer) int {
	f := terminal(w)
	if f == nil {
		return defaultColumns
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 40 {
		return defaultColumns
	}
	return width
}

// table returns the style of tables on standard output.
func (s *streams) table() bot.TableStyle {
	return bot.TableStyle{Language: s.lang, Color: s.colors(s.out), Columns: columns(s.out)}
}
