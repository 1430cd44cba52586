package checks

import "fmt"

// Status is the outcome of one check (spec/checks.md section 1.8).
type Status uint8

// The outcomes. Unavailable exists in offline output only: it says that the
// deciding input was not given, never stands for a pass, and is no status of a
// row in a comment.
const (
	Pass Status = iota
	Fail
	NotApplicable
	Warn
	Unavailable
)

// words are the spellings in rows and in JSON.
var words = [...]string{Pass: "PASS", Fail: "FAIL", NotApplicable: "N/A", Warn: "WARN", Unavailable: "UNAVAILABLE"}

// emojis stand in front of a row; an offline status has none.
var emojis = [...]string{Pass: "✅", Fail: "❌", NotApplicable: "➖", Warn: "⚠️", Unavailable: ""}

// String returns the spelling in rows: PASS, FAIL, N/A, WARN or UNAVAILABLE.
func (s Status) String() string {
	if int(s) < len(words) {
		return words[s]
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// Emoji returns what stands in front of a row of this status
// (spec/verdict.md section 3).
func (s Status) Emoji() string {
	if int(s) < len(emojis) {
		return emojis[s]
	}
	return ""
}

// MarshalText writes the spelling in rows.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the spelling in rows; anything else is an error.
func (s *Status) UnmarshalText(text []byte) error {
	for status, word := range words {
		if word == string(text) {
			*s = Status(status)
			return nil
		}
	}
	return fmt.Errorf("%q is no status of a check", text)
}

// worse orders outcomes for folding the points of one check into its row: FAIL
// if any point fails, else WARN, else what was not given, else PASS if any
// point passes, else N/A (spec/checks.md section 1.8).
var worse = [...]int{Fail: 4, Warn: 3, Unavailable: 2, Pass: 1, NotApplicable: 0}

// Fold returns the outcome of a row from those of its points; of no points,
// N/A.
func Fold(points ...Status) Status {
	row := NotApplicable
	for _, s := range points {
		if worse[s] > worse[row] {
			row = s
		}
	}
	return row
}
