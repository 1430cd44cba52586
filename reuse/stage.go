package reuse

import "strings"

// Stage is the command that publishes a run to a preview site.
const Stage = "/stage-results"

// StageOutcome says what the staging command makes of a comment.
type StageOutcome string

// The outcomes (spec/reuse.md section 11).
const (
	// StageMatch is a request; the run is optional.
	StageMatch StageOutcome = "match"
	// StageIgnore is a /use that belongs to reuse alone.
	StageIgnore StageOutcome = "ignore"
	// StageUsage is a malformed request: it is answered with the usage.
	StageUsage StageOutcome = "usage"
	// StageNotAddressed is any other comment.
	StageNotAddressed StageOutcome = "not-addressed"
)

// ParseStage reads a whole comment as a staging command. The run is passed on
// as it was written, leading zeros included. With use, a comment that is
// nothing but "/use <run>" stages too; August 2026 does not know that.
func ParseStage(body string, use bool) (outcome StageOutcome, run string) {
	body = strings.TrimFunc(body, scriptBlank)
	switch {
	case strings.HasPrefix(body, Stage):
		run, ok := argument(body[len(Stage):])
		if !ok {
			return StageUsage, ""
		}
		return StageMatch, run
	case use && strings.HasPrefix(body, Use):
		run, ok := argument(body[len(Use):])
		if !ok || run == "" {
			return StageIgnore, ""
		}
		return StageMatch, run
	}
	return StageNotAddressed, ""
}

// argument reads nothing, or blanks and ASCII digits.
func argument(rest string) (string, bool) {
	if rest == "" {
		return "", true
	}
	number := strings.TrimLeftFunc(rest, scriptBlank)
	if len(number) == len(rest) || strings.Trim(number, "0123456789") != "" {
		return "", false
	}
	return number, true
}
