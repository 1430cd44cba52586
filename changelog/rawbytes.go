package changelog

import (
	"bytes"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// checkRaw applies the byte rules of spec/changelog.md section 5 to files
// whose entries compare well.
func checkRaw(rules Rules, base, head []byte, c comparison) *diag.Finding {
	switch {
	case len(c.additions) > 0:
		return checkAppended(rules, base, head, len(c.additions))
	case len(c.corrections) > 0:
		return checkCorrected(rules, base, head, len(c.corrections))
	case !bytes.Equal(base, head):
		f := diag.New("changelog.bytes-changed", firstDifference(rules, base, head)).In("bytes-changed-without-entry")
		return &f
	}
	return nil
}

// firstDifference returns the head line of the first byte that differs.
func firstDifference(rules Rules, base, head []byte) diag.Place {
	at := 0
	for at < len(base) && at < len(head) && base[at] == head[at] {
		at++
	}
	return rules.place(1 + bytes.Count(head[:at], []byte{'\n'}))
}

// checkAppended tests a head with new entries.
func checkAppended(rules Rules, base, head []byte, count int) *diag.Finding {
	if !bytes.HasPrefix(head, base) {
		f := diag.New("changelog.history-bytes", firstDifference(rules, base, head)).In("history-bytes-changed")
		return &f
	}
	line := 1 + bytes.Count(base, []byte{'\n'})
	if !bytes.HasPrefix(head[len(base):], append([]byte(separatorAfter(base)), entryStart...)) {
		f := diag.New("changelog.separator-before", rules.place(line)).In("separator-before-addition")
		return &f
	}
	starts := entryOffsets(head)
	for _, at := range starts[max(0, len(starts)-count+1):] {
		if !endsWithOneEmptyLine(head[:at]) {
			f := diag.New("changelog.separator-between", rules.placeAt(head, at)).In("separator-between-additions")
			return &f
		}
	}
	if bytes.HasSuffix(head, []byte("\n\n")) {
		f := trailingBlankLine(rules, head)
		return &f
	}
	return nil
}

func trailingBlankLine(rules Rules, head []byte) diag.Finding {
	line := bytes.Count(bytes.TrimRight(head, "\n"), []byte{'\n'}) + 2
	return diag.New("changelog.trailing-blank-line", rules.place(line)).In("trailing-blank-line")
}

// separatorAfter is what must stand between data and an entry appended to it.
func separatorAfter(data []byte) string {
	if len(data) == 0 || bytes.HasSuffix(data, []byte("\n\n")) {
		return ""
	}
	return "\n"
}

// endsWithOneEmptyLine: exactly two LFs, neither one nor three.
func endsWithOneEmptyLine(data []byte) bool {
	return bytes.HasSuffix(data, []byte("\n\n")) && !bytes.HasSuffix(data, []byte("\n\n\n"))
}

// entryOffsets returns where lines begin with entryStart, lines ending at LF.
func entryOffsets(data []byte) []int {
	var offsets []int
	for at := 0; at < len(data); {
		if bytes.HasPrefix(data[at:], entryStart) {
			offsets = append(offsets, at)
		}
		next := bytes.IndexByte(data[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return offsets
}

// linkLine is how the line of a link begins.
var linkLine = []byte("  pr-link:")

// checkCorrected tests a head in which only links of old entries changed.
func checkCorrected(rules Rules, base, head []byte, count int) *diag.Finding {
	old, new := bytes.SplitAfter(base, []byte{'\n'}), bytes.SplitAfter(head, []byte{'\n'})
	if len(old) != len(new) {
		f := diag.New("changelog.correction-lines", firstDifference(rules, base, head)).In("correction-line-count")
		return &f
	}
	changed := 0
	for i := range old {
		if bytes.Equal(old[i], new[i]) {
			continue
		}
		changed++
		if !isLinkLine(old[i]) || !isLinkLine(new[i]) {
			was, is := showChange(old[i], new[i])
			f := diag.New("changelog.correction-outside", rules.place(i+1), "old", was, "new", is).In("correction-outside-prlink")
			return &f
		}
	}
	if changed != count {
		f := diag.New("changelog.correction-count", firstDifference(rules, base, head),
			"lines", strconv.Itoa(changed), "entries", strconv.Itoa(count)).In("correction-count-mismatch")
		return &f
	}
	return nil
}

func isLinkLine(line []byte) bool {
	return bytes.HasPrefix(line, linkLine) && bytes.HasSuffix(line, []byte{'\n'})
}
