package changelog

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// file is a changelog that passed the strict file rules. The entries are raw:
// comparison works on what was written, not on defaults.
type file struct {
	data    []byte
	entries []*yamlpos.Value
}

// entryStart is what every entry begins with, at the start of a line.
var entryStart = []byte("- config-keys:")

// parseFile applies the strict file rules F1 to F10 in their order
// (spec/changelog.md section 3). The first rule that fails ends the reading;
// only the last one, the entry schema, may report several findings.
func parseFile(rules Rules, data []byte) (file, diag.List) {
	if f := checkBytes(rules, data); f != nil {
		return file{}, diag.List{*f}
	}
	root, err := yamlpos.Parse(rules.File, data, yamlpos.Options{NoMerge: true})
	if err != nil {
		return file{}, diag.List{asFinding(err)}
	}
	if root.Kind != yamlpos.Sequence {
		return file{}, diag.List{diag.New("changelog.root-not-list", root.Place(rules.File), "kind", root.Kind.String()).In("root-not-list")}
	}
	if f := checkEntryCount(rules, data, root); f != nil {
		return file{}, diag.List{*f}
	}
	if list := checkEntries(rules, root); list != nil {
		return file{}, list
	}
	return file{data: data, entries: root.Items}, nil
}

func asFinding(err error) diag.Finding {
	var f diag.Finding
	if errors.As(err, &f) {
		return f
	}
	return diag.New("yaml.syntax", diag.Place{}, "detail", err.Error()).In("yaml-invalid")
}

// checkBytes applies rules F1 to F5.
func checkBytes(rules Rules, data []byte) *diag.Finding {
	if f := rules.tooLarge(data); f != nil {
		return f
	}
	if !bytes.HasSuffix(data, []byte{'\n'}) {
		f := noFinalNewline(rules, data)
		return &f
	}
	for _, forbidden := range []struct {
		char           byte
		code, category string
	}{{'\r', "changelog.cr", "cr"}, {'\t', "changelog.tab", "tab"}, {0, "changelog.nul", "nul"}} {
		if at := bytes.IndexByte(data, forbidden.char); at >= 0 {
			f := diag.New(forbidden.code, rules.placeAt(data, at)).In(forbidden.category)
			return &f
		}
	}
	if !utf8.Valid(data) {
		f := diag.New("changelog.not-utf8", rules.placeAt(data, invalidAt(data))).In("not-utf8")
		return &f
	}
	return nil
}

func noFinalNewline(rules Rules, data []byte) diag.Finding {
	line := bytes.Count(data, []byte{'\n'}) + 1
	return diag.New("changelog.no-final-newline", rules.place(line)).In("no-final-newline")
}

// invalidAt returns the offset of the first byte that is not UTF-8.
func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(data)
}

// placeAt returns the line and column of an offset.
func (r Rules) placeAt(data []byte, offset int) diag.Place {
	start := bytes.LastIndexByte(data[:offset], '\n') + 1
	place := r.place(1 + bytes.Count(data[:start], []byte{'\n'}))
	place.Column = 1 + utf8.RuneCount(data[start:offset])
	return place
}

// checkEntryCount applies rule F8.
func checkEntryCount(rules Rules, data []byte, root *yamlpos.Value) *diag.Finding {
	if starts := countEntryLines(data); starts != len(root.Items) {
		f := diag.New("changelog.entry-count-mismatch", firstOddEntry(rules, data, root),
			"lines", strconv.Itoa(starts), "entries", strconv.Itoa(len(root.Items))).In("entry-count-mismatch")
		return &f
	}
	return nil
}

// countEntryLines counts the lines that begin with entryStart. A line ends
// not only at LF but at every line end that Unicode knows and the YAML reader
// lets pass: NEL, U+2028 and U+2029.
func countEntryLines(data []byte) int {
	count := 0
	for at := 0; ; {
		found := bytes.Index(data[at:], entryStart)
		if found < 0 {
			return count
		}
		at += found
		if at == 0 || endsLine(data[:at]) {
			count++
		}
		at += len(entryStart)
	}
}

func endsLine(before []byte) bool {
	for _, end := range []string{"\n", "\u0085", "\u2028", "\u2029"} {
		if strings.HasSuffix(string(before[max(0, len(before)-len(end)):]), end) {
			return true
		}
	}
	return false
}

// firstOddEntry returns the place of the first element that does not begin in
// the one accepted way, to give the count mismatch a line.
func firstOddEntry(rules Rules, data []byte, root *yamlpos.Value) diag.Place {
	lines := bytes.Split(data, []byte{'\n'})
	for _, v := range root.Items {
		if v.Line < 1 || v.Line > len(lines) || !bytes.HasPrefix(lines[v.Line-1], entryStart) {
			return v.Place(rules.File)
		}
	}
	return rules.place(0)
}

// checkEntries applies rules F9 and F10.
func checkEntries(rules Rules, root *yamlpos.Value) diag.List {
	for i, v := range root.Items {
		if v.Kind != yamlpos.Mapping {
			_, list := decodeEntry(rules, i, v.Line, v)
			list[0].Category = "entry-not-mapping"
			return list
		}
	}
	var findings diag.List
	for i, v := range root.Items {
		_, list := decodeEntry(rules, i, v.Line, v)
		findings = append(findings, list...)
	}
	return findings
}
