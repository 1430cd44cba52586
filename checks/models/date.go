package models

import (
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Since is from when on something is over. The zero value is never.
type Since struct {
	// Over says that it is over at some time; First is the first forbidden
	// day, zero for since ever.
	Over  bool
	First time.Time
}

// On reports whether it is over on a day.
func (s Since) On(day time.Time) bool { return s.Over && !day.Before(s.First) }

// ever is over since ever.
var ever = Since{Over: true}

const isoDate = `[0-9]{4}-[0-9]{2}-[0-9]{2}`
const longDate = `(?:[a-z]+, )?(?:january|february|march|april|may|june|july|august|september|october|november|december) [0-9]{1,2}, [0-9]{4}`

var (
	// datePhrase is a date with the word that places it.
	datePhrase = pattern.Lazy(`(?i)\b(until|through|after|last day|removed|retired|deprecated|since|from)(?: on| since| from| after| is| of)* (` + isoDate + `|` + longDate + `)`)
	anyDate    = pattern.Lazy(`\b` + isoDate + `\b`)
	dayHeading = pattern.Lazy(`(?i)^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday), (` + longDate + `)$`)
)

// parseDay reads a date in either form.
func parseDay(text string) (time.Time, bool) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, true
	}
	if _, rest, ok := strings.Cut(text, ", "); ok && strings.Count(text, ",") == 2 {
		text = rest
	}
	day, err := time.Parse("January 2, 2006", capital(text))
	return day, err == nil
}

func capital(text string) string {
	text = strings.ToLower(text)
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// placed reads the first date phrase of a text. known is false for a date that
// no word places.
func placed(text string) (since Since, dated, known bool) {
	m := datePhrase().FindStringSubmatch(text)
	if m == nil {
		return Since{}, false, !anyDate().MatchString(text)
	}
	day, ok := parseDay(m[2])
	if !ok {
		return Since{}, false, false
	}
	words := strings.ToLower(m[0])
	for _, word := range []string{"until", "through", "after", "last day"} {
		if strings.Contains(words, word) {
			return Since{Over: true, First: day.AddDate(0, 0, 1)}, true, true
		}
	}
	return Since{Over: true, First: day}, true, true
}
