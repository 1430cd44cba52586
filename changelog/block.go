package changelog

import "bytes"

// block is one entry as text: whole lines, from the one that begins with "- "
// up to the last one that is not blank, and the blank lines after it.
type block struct {
	line int // number of the first line in its file
	text []byte
	gap  []byte
}

// lines is the number of lines of the text.
func (b block) lines() int {
	n := bytes.Count(b.text, []byte{'\n'})
	if len(b.text) > 0 && b.text[len(b.text)-1] != '\n' {
		n++
	}
	return n
}

// end is the number of the first line after the text.
func (b block) end() int { return b.line + b.lines() }

// splitBlocks cuts a file at the lines that begin an entry. The first block is
// what stands before the first entry, nothing in nearly every file. Nothing
// is parsed, so a file that is not valid YAML can be cut as well.
func splitBlocks(data []byte, firstLine int) []block {
	blocks := []block{}
	start, line, startLine := 0, firstLine, firstLine
	for at := 0; at < len(data); {
		if beginsEntry(data[at:]) {
			blocks = append(blocks, cutBlock(data[start:at], startLine))
			start, startLine = at, line
		}
		next := bytes.IndexByte(data[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
		line++
	}
	return append(blocks, cutBlock(data[start:], startLine))
}

// beginsEntry reports whether a line begins an element of the top-level list.
func beginsEntry(line []byte) bool {
	return len(line) > 0 && line[0] == '-' && (len(line) == 1 || bytes.IndexByte([]byte(" \t\r\n"), line[1]) >= 0)
}

// cutBlock separates the blank lines at the end.
func cutBlock(data []byte, line int) block {
	end := len(bytes.TrimRight(data, " \t\r\n"))
	if next := bytes.IndexByte(data[end:], '\n'); next >= 0 && end > 0 {
		end += next + 1
	} else if end > 0 {
		end = len(data)
	}
	return block{line: line, text: data[:end:end], gap: data[end:]}
}

// entryIndent returns the offset and the indent of the first line of text that
// begins an entry but is indented, or a negative indent when there is none.
func entryIndent(text []byte) (offset, indent int) {
	for at := 0; at < len(text); {
		line := text[at:]
		if next := bytes.IndexByte(line, '\n'); next >= 0 {
			line = line[:next+1]
		}
		trimmed := bytes.TrimLeft(line, " ")
		if n := len(line) - len(trimmed); n > 0 && bytes.HasPrefix(trimmed, entryStart) {
			return at, n
		}
		at += len(line)
	}
	return 0, -1
}
