package verdict

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Row is a row of a verdict as it was read.
type Row struct {
	Number int
	Name   string
	Status checks.Status
	Reason string
	// Line is its line in the comment, from 1. Agrees says that emoji and
	// status go together.
	Line   int
	Agrees bool
}

// parsed is a comment taken apart.
type parsed struct {
	rows      []Row
	malformed []int // lines
	headers   []headerLine
	// first is the first line behind the marker that is not empty.
	first  int
	marked bool
}

type headerLine struct {
	line int
	word Overall
}

var (
	rowForm  = pattern.Lazy(`^(✅|❌|➖|⚠️) Check ([0-9]{1,3}) \((.*?[^ ].*?)\): (PASS|FAIL|N/A|WARN) — (\S.*)$`)
	rowStart = pattern.Lazy(`^(?:✅|❌|➖|⚠)\x{FE0F}? *Check\b`)
)

// ParseRows reads the rows of a verdict of any era that has emojis, in their
// order; malformed are the lines that only look like rows.
func ParseRows(body string) (rows []Row, malformed []int) {
	p := parse(body)
	return p.rows, p.malformed
}

func parse(body string) parsed {
	var p parsed
	all := lines(body)
	_, p.marked = ReadMarker(body)
	for i, line := range all {
		if p.first == 0 && line != "" && (i > 0 || !p.marked) {
			p.first = i + 1
		}
		if word := headerOf(line); word != "" && line == headers[word] {
			p.headers = append(p.headers, headerLine{i + 1, word})
			continue
		}
		line = unbulleted(line)
		m := rowForm().FindStringSubmatch(line)
		switch {
		case m != nil:
			p.rows = append(p.rows, rowOf(m, i+1))
		case rowStart().MatchString(line):
			p.malformed = append(p.malformed, i+1)
		}
	}
	return p
}

// unbulleted drops the bullet that rows sometimes carried.
func unbulleted(line string) string {
	for _, bullet := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(line, bullet); ok {
			return strings.TrimSpace(rest)
		}
	}
	return line
}

func rowOf(m []string, line int) Row {
	number, _ := strconv.Atoi(m[2]) // the form has checked it
	r := Row{Number: number, Name: m[3], Reason: m[5], Line: line}
	_ = r.Status.UnmarshalText([]byte(m[4])) // one of the words of the form
	r.Agrees = r.Status.Emoji() == m[1]
	return r
}

// wordOf computes the header from rows.
func wordOf(rows []Row) Overall {
	results := make([]checks.Result, len(rows))
	for i, r := range rows {
		results[i].Status = r.Status
	}
	return Of(results)
}
