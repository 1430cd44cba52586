package changelog

import (
	"bytes"
	"sort"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// span is the bytes of one entry: content excludes the blank lines that follow
// it (spec/changelog.md section 9.1).
type span struct{ start, content, end int }

// entrySpans returns the span of every entry of a file. The number of lines
// that begin an entry must be the number of entries.
func entrySpans(rules Rules, f file) ([]span, *diag.Finding) {
	starts := entryOffsets(f.data)
	if len(starts) != len(f.entries) {
		finding := diag.New("changelog.span-count", rules.place(0),
			"lines", strconv.Itoa(len(starts)), "entries", strconv.Itoa(len(f.entries))).In("entry-count-mismatch")
		return nil, &finding
	}
	spans := make([]span, len(starts))
	for i, start := range starts {
		end := len(f.data)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		spans[i] = span{start, contentEnd(f.data, start, end), end}
	}
	return spans, nil
}

// contentEnd leaves out the blank lines before end.
func contentEnd(data []byte, start, end int) int {
	content := start + len(bytes.TrimRight(data[start:end], " \t\r\n"))
	if next := bytes.IndexByte(data[content:end], '\n'); next >= 0 {
		return content + next + 1
	}
	return end
}

// replaceLink returns a block with the line of its link rewritten; quotes and
// comments on that line vanish. ok is false when there is no such line.
func replaceLink(block []byte, link string) (out []byte, ok bool) {
	for at := 0; at < len(block); {
		next := bytes.IndexByte(block[at:], '\n')
		end := at + next
		if next < 0 {
			end = len(block)
		}
		if bytes.HasPrefix(block[at:end], linkLine) {
			out = append(out, block[:at]...)
			out = append(out, "  pr-link: "+link...)
			return append(out, block[end:]...), true
		}
		at = end + 1
	}
	return nil, false
}

func linkLineMissing(rules Rules, entry *yamlpos.Value) diag.Finding {
	return diag.New("changelog.link-line-missing", entry.Place(rules.File), "entry", entryName(entry))
}

// signature identifies an entry whatever its link: canonical JSON, sorted and
// compact, of the raw mapping without pr-link.
func signature(v *yamlpos.Value) string {
	var b strings.Builder
	writeCanonical(&b, withoutLink(v))
	return b.String()
}

func writeCanonical(b *strings.Builder, v *yamlpos.Value) {
	switch v.Kind {
	case yamlpos.Null:
		b.WriteString("null")
	case yamlpos.Bool:
		b.WriteString(strconv.FormatBool(v.Int == 1))
	case yamlpos.Int:
		b.WriteString(strconv.FormatInt(v.Int, 10))
	case yamlpos.Float:
		b.WriteString(strconv.FormatFloat(v.Float, 'g', -1, 64))
	case yamlpos.Sequence:
		b.WriteByte('[')
		for i, item := range v.Items {
			if i > 0 {
				b.WriteByte(',')
			}
			writeCanonical(b, item)
		}
		b.WriteByte(']')
	case yamlpos.Mapping:
		writeCanonicalFields(b, v.Fields)
	default:
		b.WriteString(strconv.Quote(v.Text))
	}
}

func writeCanonicalFields(b *strings.Builder, fields []yamlpos.Field) {
	sorted := append([]yamlpos.Field{}, fields...)
	sort.SliceStable(sorted, func(i, j int) bool { return sorted[i].Key.Text < sorted[j].Key.Text })
	b.WriteByte('{')
	for i, f := range sorted {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(f.Key.Text))
		b.WriteByte(':')
		writeCanonical(b, f.Value)
	}
	b.WriteByte('}')
}
