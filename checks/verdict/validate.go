package verdict

import (
	"strconv"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Validate holds a verdict against the rules of spec/verdict.md section 4: every
// row well-formed, every check of the profile once and no other, emoji and
// status in agreement, each status allowed for its check, and one header, the
// one that the rows ask for, right behind the marker. Findings point at lines
// of the comment; none means that it is consistent.
func Validate(body string, profile checks.Profile, settings config.Checks) diag.List {
	p := parse(body)
	var list diag.List
	refuse := func(line int, code string, args ...string) {
		list = append(list, diag.New(code, diag.Place{File: "verdict", Line: line}, args...))
	}
	for _, line := range p.malformed {
		refuse(line, "verdict.malformed-row")
	}
	seen := make(map[int]int)
	for _, r := range p.rows {
		number := strconv.Itoa(r.Number)
		switch {
		case r.Number >= len(profile.Slots):
			refuse(r.Line, "verdict.unknown-check", "number", number, "profile", profile.Era)
			continue
		case seen[r.Number] > 0:
			refuse(r.Line, "verdict.check-twice", "number", number, "line", strconv.Itoa(seen[r.Number]))
		case !r.Agrees:
			refuse(r.Line, "verdict.emoji", "number", number, "status", r.Status.String())
		case !allowed(profile.Slots[r.Number], r.Status, settings):
			refuse(r.Line, "verdict.status-not-allowed", "number", number, "status", r.Status.String(), "profile", profile.Era)
		}
		seen[r.Number] = r.Line
	}
	for number := range profile.Slots {
		if seen[number] == 0 {
			refuse(0, "verdict.check-missing", "number", strconv.Itoa(number), "profile", profile.Era)
		}
	}
	return append(list, checkHeader(p)...)
}

// checkHeader holds the header against the rows.
func checkHeader(p parsed) diag.List {
	want := wordOf(p.rows)
	place := diag.Place{File: "verdict", Line: p.first}
	switch {
	case len(p.headers) != 1:
		return diag.List{diag.New("verdict.headers", place, "n", strconv.Itoa(len(p.headers)))}
	case p.headers[0].line != p.first:
		return diag.List{diag.New("verdict.header-place", diag.Place{File: "verdict", Line: p.headers[0].line})}
	case p.headers[0].word != want:
		return diag.List{diag.New("verdict.header-wrong", place, "given", string(p.headers[0].word), "want", string(want))}
	}
	return nil
}

// allowed reports whether a check may have a status (spec/checks.md section
// 1.8): some never fail, and under strict rules only some may warn.
func allowed(slot checks.Slot, status checks.Status, settings config.Checks) bool {
	switch status {
	case checks.Fail:
		return !slot.NeverFails
	case checks.Warn:
		return slot.Warn || settings.Undecidable != config.UndecidableStrict
	case checks.Pass, checks.NotApplicable:
		return true
	}
	return false
}

// Settle prepares results for a comment: a row whose evidence was not given is
// no row of a verdict, so it asks for a person, as everything does that can't
// be decided. Under strict rules it fails, where its check may.
func Settle(results []checks.Result, profile checks.Profile, settings config.Checks) []checks.Result {
	out := make([]checks.Result, len(results))
	for i, r := range results {
		if r.Status == checks.Unavailable {
			r.Status, r.Reason = checks.Warn, "needs human review: "+r.Reason
			if r.Number < len(profile.Slots) && !allowed(profile.Slots[r.Number], checks.Warn, settings) {
				r.Status = checks.Fail
			}
		}
		out[i] = r
	}
	return out
}
