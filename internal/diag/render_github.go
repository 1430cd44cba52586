package diag

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// WriteGitHub writes findings as workflow commands, which GitHub shows as
// annotations on the lines they are about. Errors come first: of each
// severity only the first ten of a step become annotations
// (spec/github-limits.md), the others stay in the log.
func WriteGitHub(w io.Writer, list List, lang catalog.Language) error {
	out := bufio.NewWriter(w)
	for _, severity := range []Severity{Error, Warning, Note} {
		for _, f := range list {
			if min(f.Severity, Note) == severity {
				writeCommand(out, f, lang)
			}
		}
	}
	return out.Flush()
}

func writeCommand(out *bufio.Writer, f Finding, lang catalog.Language) {
	out.WriteString("::" + commandOf(f.Severity) + " ")
	for _, property := range [][2]string{
		{"file", f.File}, {"line", number(f.Line)}, {"col", number(f.Column)},
	} {
		if property[1] != "" {
			out.WriteString(property[0] + "=" + escapeProperty(property[1]) + ",")
		}
	}
	out.WriteString("title=" + escapeProperty(f.Code))
	text := escapeData(f.Message(lang))
	if f.Path != "" {
		text = escapeData(f.Path) + ": " + text
	}
	if mend := f.Mend(lang); mend != "" {
		text += "%0A" + escapeData(mend)
	}
	out.WriteString("::" + text + "\n")
}

func commandOf(s Severity) string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "notice"
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// escapeData escapes a part of the message of a workflow command. It stays on
// one line, and what a log viewer would obey is made printable.
func escapeData(text string) string { return strings.ReplaceAll(Printable(text), "%", "%25") }

// escapeProperty escapes the value of a property, in which ":" and "," end it.
func escapeProperty(text string) string {
	return strings.NewReplacer("%", "%25", ":", "%3A", ",", "%2C").Replace(Printable(text))
}
