package bot

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// zeroWidth is put into what GitHub would act upon. It is not seen.
const zeroWidth = "\u200b"

// The number of characters of foreign text that one place of a comment shows:
// a name, and a sentence with names in it.
const (
	maxQuoted   = 200
	maxSentence = 700
)

// prosely returns text that is not ours, or holds such, for the flow of a
// comment: on one line, with Markdown, HTML, mentions, references and links
// made inert (spec/security.md, injection into comments).
func prosely(text string, limit int) string {
	text = references().ReplaceAllString(shorten(oneLine(text), limit), "${1}"+zeroWidth+"${2}")
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune("\\`*_{}[]|~!$", r), i == 0 && strings.ContainsRune("-+#=", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return numbered().ReplaceAllString(b.String(), `${1}\${2}`)
}

var (
	// references are what GitHub turns into links or notices by itself:
	// mentions, issues, and addresses with or without a scheme.
	references = pattern.Lazy(`(@|#|\bGH|://|\bwww|\bmailto|\bxmpp)([\w.:/-])`)
	// numbered is the beginning of a numbered list.
	numbered = pattern.Lazy(`^(\d+)([.)])`)
)

// code returns foreign text as a code span, in which GitHub acts upon nothing.
// The fence is longer than every run of back-ticks in the text.
func code(text string) string {
	text = breakComments(shorten(oneLine(text), maxQuoted))
	if text == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

// cell makes text fit a cell of a Markdown table, which a bar would end even
// inside of a code span.
func cell(markdown string) string {
	return strings.ReplaceAll(strings.ReplaceAll(markdown, `\|`, "|"), "|", `\|`)
}

// mdLink returns a link with our own text. The address is one of ours; it is
// left out unless it is plain https, or http on this machine as the sandbox
// uses it.
func mdLink(text, address string) string {
	if !plainAddress(address) {
		return text
	}
	return "[" + text + "](" + address + ")"
}

func plainAddress(address string) bool {
	rest, secure := strings.CutPrefix(address, "https://")
	if !secure {
		local, ok := strings.CutPrefix(address, "http://")
		if !ok || !strings.HasPrefix(local, "127.0.0.1") && !strings.HasPrefix(local, "localhost") {
			return false
		}
		rest = local
	}
	return rest != "" && len(address) <= 2000 && !strings.ContainsFunc(address, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("()<>[]\\`\"|", r)
	})
}

// oneLine joins the lines of a text and makes visible what a reader would not
// see, such as marks that turn the reading direction.
func oneLine(text string) string {
	return diag.Printable(strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " "))
}

// shorten cuts a text to so many characters and says so.
func shorten(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return string([]rune(text)[:limit-1]) + "…"
}

// breakComments keeps text from opening or closing an HTML comment, in which
// our own markers stand.
func breakComments(text string) string { return hiddenMarks.Replace(text) }

var hiddenMarks = strings.NewReplacer("<!--", "<"+zeroWidth+"!--", "-->", "--"+zeroWidth+">")

// longestRun is the length of the longest run of a character.
func longestRun(text string, of rune) int {
	longest, run := 0, 0
	for _, r := range text {
		if r != of {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
