package changelog

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Draft is an entry to be written.
type Draft struct {
	ConfigKeys  []string
	Description []string
	// PRLink is written as it is; empty means the placeholder XXX.
	PRLink           string
	EvalsOnly        bool
	AllEvals         bool
	NoEvals          bool
	AppendOnly       bool
	EvalMinPrefillEP *int
	Scenarios        []string
}

// Add appends an entry to the changelog, in the usual style and after exactly
// one empty line. With keys, every config key of the draft must select
// something. The result is checked: the entry reads back as the draft, and the
// strict gate accepts it whenever it can read head itself. The error is a
// diag.List.
func Add(rules Rules, head []byte, draft Draft, keys *Keys, pr PR) ([]byte, error) {
	if draft.PRLink == "" {
		draft.PRLink = placeholder
	}
	if !draft.validUTF8() {
		return nil, diag.List{diag.New("changelog.draft-not-utf8", rules.place(0)).In("not-utf8")}
	}
	text := draft.text()
	entry, findings := readDraft(rules, text)
	if findings == nil && !rules.accepted(draft.PRLink, pr) {
		findings = diag.List{wrongLink(rules, draft.PRLink, rules.place(0), pr)}
	}
	if findings == nil && keys != nil {
		_, findings = Resolve(rules, entry, *keys)
		findings = onlyErrors(findings)
	}
	if findings != nil {
		return nil, findings
	}
	base := bytes.Clone(withFinalLF(head))
	out := append(append(base, separatorAfter(base)...), text...)
	if _, unclean := parseFile(rules, base); unclean == nil {
		if v := Strict(rules, base, out, pr); !v.Accepted {
			return nil, postCheck(rules, v)
		}
	}
	return out, nil
}

func onlyErrors(list diag.List) diag.List {
	var out diag.List
	for _, f := range list {
		if f.Severity == diag.Error {
			out = append(out, f)
		}
	}
	return out
}

// readDraft validates what was written as the planner would. The places are
// those of the text, which is in no file yet, so they are left out.
func readDraft(rules Rules, text []byte) (Entry, diag.List) {
	v, err := yamlpos.Parse(rules.File, text, yamlpos.Options{NoMerge: true})
	if err != nil {
		return Entry{}, diag.List{asFinding(err)}
	}
	entries, findings := decodeAll(rules, v.Items)
	for i := range findings {
		findings[i].Place = rules.place(0)
	}
	if findings != nil {
		return Entry{}, findings
	}
	return entries[0], nil
}

// validUTF8 reports whether every string of the draft can be written.
func (d Draft) validUTF8() bool {
	for _, list := range [][]string{d.ConfigKeys, d.Description, d.Scenarios, {d.PRLink}} {
		for _, text := range list {
			if !utf8.ValidString(text) {
				return false
			}
		}
	}
	return true
}

// text writes the draft as a block of lines.
func (d Draft) text() []byte {
	var b bytes.Buffer
	list := func(key string, items []string, quote func(string) string) {
		if len(items) == 0 {
			b.WriteString(key + ": []\n")
			return
		}
		b.WriteString(key + ":\n")
		for _, item := range items {
			b.WriteString("    - " + quote(item) + "\n")
		}
	}
	list("- config-keys", d.ConfigKeys, plainOrQuoted)
	if d.Scenarios != nil {
		list("  scenario-type", d.Scenarios, plainOrQuoted)
	}
	list("  description", d.Description, quoted)
	b.WriteString("  pr-link: " + plainOrQuoted(d.PRLink) + "\n")
	for _, flag := range []struct {
		key string
		set bool
	}{{keyEvalsOnly, d.EvalsOnly}, {keyAllEvals, d.AllEvals}, {keyNoEvals, d.NoEvals}, {keyAppendOnly, d.AppendOnly}} {
		if flag.set {
			b.WriteString("  " + flag.key + ": true\n")
		}
	}
	if d.EvalMinPrefillEP != nil {
		b.WriteString("  " + keyEvalMinPrefillEP + ": " + strconv.Itoa(*d.EvalMinPrefillEP) + "\n")
	}
	return b.Bytes()
}

// plainOrQuoted leaves a string unquoted when it can only be read as itself.
func plainOrQuoted(text string) string {
	if plain(text) {
		return text
	}
	return quoted(text)
}

// plain reports whether text is a plain scalar that every reader takes for a
// string: letters, digits and a few signs, beginning with a letter and not a
// word that YAML gives a meaning.
func plain(text string) bool {
	for i := range len(text) {
		c := text[i]
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9') && strings.IndexByte("-._/*", c) < 0 && !(c == ':' && i+1 < len(text) && text[i+1] == '/')) {
			return false
		}
	}
	switch strings.ToLower(text) {
	case "", "null", "true", "false", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return true
}

// quoted writes a double-quoted scalar on one line. What the strict gate or
// some reader would take for a line end, a TAB or nothing at all is escaped.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case !printable(r):
			writeEscape(&b, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func printable(r rune) bool {
	return r >= ' ' && r != 0x7f && !(r >= 0x80 && r < 0xa0) && r != 0x2028 && r != 0x2029 && r != 0xfeff &&
		r != 0xfffe && r != 0xffff
}

func writeEscape(b *strings.Builder, r rune) {
	const digits = "0123456789ABCDEF"
	if r <= 0xff {
		b.WriteString(`\x`)
	} else {
		b.WriteString(`\u`)
		b.WriteByte(digits[r>>12&15])
		b.WriteByte(digits[r>>8&15])
	}
	b.WriteByte(digits[r>>4&15])
	b.WriteByte(digits[r&15])
}
