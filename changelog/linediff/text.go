// Package linediff compares two texts line by line and places the differences
// where git places them.
//
// Which lines of a changelog count as added depends on where a diff cuts an
// insertion that could be cut at several places. The rule is written out in
// spec/changelog.md section 6.1; this package follows it, so that the lines it
// marks are those of "git diff" with its default settings.
package linediff

import "bytes"

// Text is a file split after each LF. A last line without LF is a line too,
// and differs from the same characters with LF.
type Text struct {
	data  []byte
	start []int32 // offset of each line, and the length of the file at the end
}

// Split prepares data for comparison; it keeps a reference to data.
func Split(data []byte) Text {
	start := make([]int32, 1, bytes.Count(data, []byte{'\n'})+2)
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			at = len(data)
		} else {
			at += end + 1
		}
		start = append(start, int32(at))
	}
	return Text{data: data, start: start}
}

// Len is the number of lines.
func (t Text) Len() int { return len(t.start) - 1 }

// Line returns line i, counted from 0, with its LF.
func (t Text) Line(i int) []byte { return t.data[t.start[i]:t.start[i+1]] }

// Content returns line i without its LF.
func (t Text) Content(i int) []byte {
	return bytes.TrimSuffix(t.Line(i), []byte{'\n'})
}

func (t Text) same(i, j int) bool { return bytes.Equal(t.Line(i), t.Line(j)) }

// maxIndent is where counting of leading blanks stops.
const maxIndent = 200

// indent is the number of leading blanks of line i, a TAB reaching to the
// next multiple of 8; a blank line has -1.
func (t Text) indent(i int) int {
	n := 0
	for _, c := range t.Line(i) {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		case '\n', '\r':
		default:
			return n
		}
		if n >= maxIndent {
			return maxIndent
		}
	}
	return -1
}
