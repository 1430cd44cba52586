package verdict

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// MaxReason is the length of a reason in bytes (spec/checks.md section 1.8).
const MaxReason = 700

// OneLine collapses white space and cuts a text to at most limit bytes, at a
// word and outside of links where that is possible. An open code span is
// closed.
func OneLine(text string, limit int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) <= limit {
		return text
	}
	const end = "` …" // closes a code span and shows that something is missing
	cut := limit - len(end)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	text = text[:max(cut, 0)]
	if at := strings.LastIndexByte(text, ' '); at > len(text)/2 {
		text = text[:at]
	}
	if at := strings.LastIndexByte(text, '['); at > 0 && openLink(text[at:]) {
		text = strings.TrimRight(text[:at], " ")
	}
	if openSpan(text) == 1 {
		text += "`"
	}
	return text + " …"
}

// openLink reports whether a text that begins with a bracket is a link that was
// cut: in its address, or in a text that is as short as those of links are.
func openLink(text string) bool {
	const longText = 80
	if strings.Contains(text, "](") {
		return !strings.Contains(text, ")")
	}
	return !strings.Contains(text, "]") && len(text) < longText
}

// openSpan is the length of the run of back-ticks that opens a code span which
// nothing closes, 0 where there is none.
func openSpan(text string) int {
	for _, p := range pieces(text) {
		if n := runLength(p.text); !p.code && n > 0 {
			return n
		}
	}
	return 0
}

// runLength is the number of back-ticks that a text begins with.
func runLength(text string) int { return len(text) - len(strings.TrimLeft(text, "`")) }

// piece is a part of a line: a code span with its marks, or other text.
type piece struct {
	text string
	code bool
}

// pieces splits a line at its code spans, as Markdown does: a run of back-ticks
// is closed by the next run of the same length. A run that nothing closes
// begins a piece of its own.
func pieces(text string) []piece {
	var out []piece
	start := 0
	for at := 0; at < len(text); {
		if text[at] != '`' {
			at++
			continue
		}
		n := runLength(text[at:])
		end := closing(text, at+n, n)
		if at > start {
			out = append(out, piece{text[start:at], false})
		}
		if end < 0 {
			start, at = at, at+n
			continue
		}
		out = append(out, piece{text[at:end], true})
		start, at = end, end
	}
	if start < len(text) {
		out = append(out, piece{text[start:], false})
	}
	return out
}

// closing finds the end of the run of n back-ticks that closes a span, or -1.
func closing(text string, from, n int) int {
	for at := from; at < len(text); {
		if text[at] != '`' {
			at++
			continue
		}
		m := runLength(text[at:])
		if at += m; m == n {
			return at
		}
	}
	return -1
}

var (
	tag     = pattern.Lazy(`</?[A-Za-z!?][^<>]*>?`)
	mention = pattern.Lazy(`(^|[^A-Za-z0-9_/` + "`" + `])@([A-Za-z0-9][A-Za-z0-9-]*(?:/[A-Za-z0-9._-]+)?)`)
)

// Safe makes untrusted text fit for a row: one line, no HTML, no emoji, nothing
// that a reader can't see, and no mention of anybody but the allowed logins.
// Code spans keep what they hold, but for the beginning of an HTML comment.
func Safe(text string, allowed ...string) string {
	text = strings.ReplaceAll(strings.Map(visible, text), "<!--", "")
	text = strings.Join(strings.Fields(text), " ")
	var b strings.Builder
	for _, p := range pieces(text) {
		if !p.code {
			p.text = tag().ReplaceAllString(p.text, "")
			p.text = strings.ReplaceAll(p.text, "![", "[")
			p.text = silence(p.text, allowed)
		}
		b.WriteString(p.text)
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "<!--", ""))
}

// silence puts a zero-width space into mentions.
func silence(text string, allowed []string) string {
	return mention().ReplaceAllStringFunc(text, func(found string) string {
		m := mention().FindStringSubmatch(found)
		if slices.ContainsFunc(allowed, func(login string) bool { return strings.EqualFold(login, m[2]) }) {
			return found
		}
		return m[1] + "@\u200b" + m[2]
	})
}

// visible drops control and format characters (-1) and emoji; line ends become
// blanks.
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co), emoji(r):
		return -1
	}
	return r
}

// emoji reports the characters that would be taken for the mark of a row, or
// would draw the eye from it.
func emoji(r rune) bool {
	switch {
	case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2600 && r <= 0x27BF, r >= 0x2B00 && r <= 0x2BFF, r >= 0xFE00 && r <= 0xFE0F, r == 0x20E3, r >= 0xE0000:
		return true
	}
	return false
}
