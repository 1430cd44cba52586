package changelog

import (
	"bytes"

	"github.com/sweepbot/sweepbot/changelog/linediff"
)

// analysis says what became of every block of the base and where every block
// of the head comes from. Blocks are compared as text; only new ones are
// parsed, so history that cannot be read does not stand in the way.
type analysis struct {
	base, head []block
	// from is, for each head block, the base block that it continues, or -1
	// for a new one; to is the inverse. The first block of each side, what
	// stands before the first entry, continues the other's.
	from, to []int
	// moved marks base blocks that stand elsewhere, with the same text.
	moved []bool
	// crLines counts history lines of head that end with CR LF though they do
	// not in the base; crFirst is the first of them.
	crLines, crFirst int
	// bom is set when head begins with a byte order mark and the base does not.
	bom bool
	// appended is set when head begins with the bytes of the base: then base
	// has one block, empty, and head only what follows.
	appended bool
	// raw is the part of head that the blocks cover, as it is; rawLine is the
	// number of its first line.
	raw     []byte
	rawLine int
}

// analyze compares two files.
func analyze(rules Rules, base, head []byte) (analysis, error) {
	if suffix, ok := rules.appended(base, head); ok {
		first := 1 + bytes.Count(head[:len(head)-len(suffix)], []byte{'\n'})
		a := analysis{appended: true, base: []block{{line: first}}, head: splitBlocks(withoutCR(suffix), first), raw: suffix, rawLine: first}
		a.to, a.from, a.moved = []int{0}, newFrom(len(a.head)), []bool{false}
		return a, nil
	}
	plain := bytes.TrimPrefix(head, []byte(byteOrderMark))
	a := analysis{base: splitBlocks(base, 1), rawLine: 1}
	if a.bom = len(plain) < len(head) && !bytes.HasPrefix(base, []byte(byteOrderMark)); a.bom {
		head = plain
	}
	a.raw = head
	a.head = splitBlocks(head, 1)
	if bytes.Contains(head, []byte("\r\n")) && !bytes.Contains(base, []byte("\r\n")) {
		a.head = splitBlocks(withoutCR(head), 1)
	}
	if err := a.align(); err != nil {
		return a, err
	}
	a.countCR()
	return a, nil
}

const byteOrderMark = "\ufeff"

// newFrom is the origin of n head blocks of which only the first is old.
func newFrom(n int) []int {
	from := make([]int, n)
	for i := range from {
		from[i] = -1
	}
	from[0] = 0
	return from
}

func withoutCR(data []byte) []byte {
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte{'\n'})
}

// align pairs the blocks of both sides: first equal ones in order, then equal
// ones out of order, then similar ones between the same neighbours.
func (a *analysis) align() error {
	a.from, a.to = newFrom(len(a.head)), newFrom(len(a.base))
	a.moved = make([]bool, len(a.base))
	script, err := linediff.Sequences(numberBlocks(a.base[1:], a.head[1:]))
	if err != nil {
		return err
	}
	for i, j := 0, 0; i < len(script.Deleted) || j < len(script.Inserted); {
		switch {
		case i < len(script.Deleted) && script.Deleted[i]:
			i++
		case j < len(script.Inserted) && script.Inserted[j]:
			j++
		default:
			i, j = i+1, j+1
			a.pair(i, j)
		}
	}
	a.pairMoved()
	a.pairSimilar()
	return nil
}

func (a *analysis) pair(i, j int) { a.to[i], a.from[j] = j, i }

// numberBlocks gives blocks of equal text equal numbers.
func numberBlocks(base, head []block) (old, new []int32) {
	ids := make(map[string]int32)
	number := func(blocks []block) []int32 {
		out := make([]int32, len(blocks))
		for i, b := range blocks {
			id, known := ids[string(b.text)]
			if !known {
				id = int32(len(ids))
				ids[string(b.text)] = id
			}
			out[i] = id
		}
		return out
	}
	return number(base), number(head)
}

// pairMoved finds unpaired base blocks among the unpaired head blocks.
func (a *analysis) pairMoved() {
	byText := make(map[string][]int)
	for j, i := range a.from {
		if i < 0 {
			text := string(a.head[j].text)
			byText[text] = append(byText[text], j)
		}
	}
	for i, j := range a.to {
		if j >= 0 {
			continue
		}
		text := string(a.base[i].text)
		if list := byText[text]; len(list) > 0 {
			a.pair(i, list[0])
			a.moved[i] = true
			byText[text] = list[1:]
		}
	}
}

// pairSimilar pairs what is left between the same neighbours, when more than
// half of the telling lines are equal: an entry that was edited.
func (a *analysis) pairSimilar() {
	j := 0
	for i := 1; i < len(a.base); {
		if a.to[i] >= 0 {
			if !a.moved[i] {
				j = a.to[i]
			}
			i++
			continue
		}
		end := i
		for end < len(a.base) && (a.to[end] < 0 || a.moved[end]) {
			end++
		}
		a.pairBetween(i, end, j+1)
		i = end
	}
}

// pairBetween pairs unpaired base blocks i..end with the run of head blocks
// from j on that ends at the next kept one.
func (a *analysis) pairBetween(i, end, j int) {
	for ; i < end; i++ {
		if a.to[i] >= 0 {
			continue
		}
		best, bestShare := -1, 0.5
		for k := j; k < len(a.head) && !a.kept(k) && k < j+nearBlocks; k++ {
			if a.from[k] >= 0 {
				continue
			}
			if share := similarity(a.base[i].text, a.head[k].text); share >= bestShare {
				best, bestShare = k, share+1e-9
			}
		}
		if best >= 0 {
			a.pair(i, best)
			j = best + 1
		}
	}
}

// nearBlocks bounds how many head blocks are tried for one edited entry.
const nearBlocks = 16

// kept reports whether head block k is old and stands where it stood.
func (a *analysis) kept(k int) bool { return a.from[k] >= 0 && !a.moved[a.from[k]] }

// similarity is the share of telling lines that the smaller block has in
// common with the other one.
func similarity(a, b []byte) float64 {
	lines := make(map[string]int)
	n, m, common := 0, 0, 0
	for _, line := range bytes.Split(a, []byte{'\n'}) {
		if text := bytes.TrimSpace(line); telling(text) {
			lines[string(text)]++
			n++
		}
	}
	for _, line := range bytes.Split(b, []byte{'\n'}) {
		if text := bytes.TrimSpace(line); telling(text) {
			m++
			if lines[string(text)] > 0 {
				lines[string(text)]--
				common++
			}
		}
	}
	if min(n, m) == 0 {
		return 0
	}
	return float64(common) / float64(min(n, m))
}

// telling reports whether a line says something about its entry.
func telling(line []byte) bool {
	switch string(line) {
	case "", "- config-keys:", "description:", "scenario-type:", "- agentic-coding", "- fixed-seq-len":
		return false
	}
	return true
}

// countCR counts the lines of old blocks that end with CR LF in head.
func (a *analysis) countCR() {
	if bytes.IndexByte(a.raw, '\r') < 0 {
		return
	}
	lines := a.rawLines()
	for j, b := range a.head {
		if a.from[j] < 0 {
			continue
		}
		for n := b.line; n < b.end(); n++ {
			if bytes.HasSuffix(lines[n-a.rawLine], []byte("\r\n")) {
				if a.crLines == 0 {
					a.crFirst = n
				}
				a.crLines++
			}
		}
	}
}

// rawLines are the lines of raw, line number n at n - rawLine.
func (a *analysis) rawLines() [][]byte { return bytes.SplitAfter(a.raw, []byte{'\n'}) }

// firstAtEnd returns the index of the first head block after which only new
// blocks follow; new blocks from there on stand at the physical end.
func (a *analysis) firstAtEnd() int {
	j := len(a.head)
	for j > 0 && a.from[j-1] < 0 {
		j--
	}
	return j
}

// added returns the indexes of the new head blocks.
func (a *analysis) added() []int {
	var list []int
	for j, i := range a.from {
		if i < 0 {
			list = append(list, j)
		}
	}
	return list
}
