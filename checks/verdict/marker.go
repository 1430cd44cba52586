package verdict

import (
	"fmt"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Marker is the first line of a verdict comment (spec/verdict.md section 2). At
// most one of Key and SHA is set; with neither it is the marker of the modes
// carry and append.
type Marker struct {
	// Key is that of the sign-off, SHA the assessed commit of the mode sha.
	Key, SHA string
}

var (
	keyForm    = pattern.Lazy(`^(?:issuecomment-|pullrequestreview-|discussion_r)[1-9][0-9]{0,17}$`)
	markerForm = pattern.Lazy(`^<!-- codeowner-signoff-verify(?: signoff=((?:issuecomment-|pullrequestreview-|discussion_r)[1-9][0-9]{0,17})| sha=([0-9a-f]{40}))? -->$`)
)

// NewMarker returns the marker that a mode gives to the verdict about a
// sign-off at a commit. A key that is none of the three forms, or an
// abbreviated commit, is an error: nothing may be written then.
func NewMarker(mode, key, head string) (Marker, error) {
	switch mode {
	case config.VerdictBySHA:
		m := Marker{SHA: head}
		if !markerForm().MatchString(m.String()) || head == "" {
			return Marker{}, diag.New("verdict.bad-commit", diag.Place{}, "value", head)
		}
		return m, nil
	case config.VerdictCarry, config.VerdictAppend, config.VerdictCheckRun:
		return Marker{}, nil
	}
	if !keyForm().MatchString(key) {
		return Marker{}, diag.New("verdict.bad-key", diag.Place{}, "value", key)
	}
	return Marker{Key: key}, nil
}

// String is the line.
func (m Marker) String() string {
	switch {
	case m.Key != "":
		return "<!-- codeowner-signoff-verify signoff=" + m.Key + " -->"
	case m.SHA != "":
		return "<!-- codeowner-signoff-verify sha=" + m.SHA + " -->"
	}
	return "<!-- codeowner-signoff-verify -->"
}

// ReadMarker reads the first line of a body; ok is false when it is a marker of
// no era.
func ReadMarker(body string) (m Marker, ok bool) {
	first, _, _ := strings.Cut(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	found := markerForm().FindStringSubmatch(strings.TrimRight(first, " \t"))
	if found == nil {
		return Marker{}, false
	}
	return Marker{Key: found[1], SHA: found[2]}, true
}

var (
	assessedLine = pattern.Lazy("^Assessed commit: `([0-9a-f]{40})`\\.?$")
	coveredLine  = pattern.Lazy("^Covered commit: `([0-9a-f]{40})`\\.?$")
)

// Reading is what a verdict comment of any era says at a glance.
type Reading struct {
	Marker Marker
	// Assessed is the commit that was judged, Covered the one that the verdict
	// was carried to, "" where the comment names none.
	Assessed, Covered string
	// Overall is "" where there is no header.
	Overall Overall
}

// Read reads a verdict comment of any era; ok is false when the body is none.
// Whether its author may give one is for the caller to decide.
func Read(body string) (r Reading, ok bool) {
	if r.Marker, ok = ReadMarker(body); !ok {
		return Reading{}, false
	}
	for _, line := range lines(body) {
		if m := assessedLine().FindStringSubmatch(line); m != nil {
			r.Assessed = m[1] // the last one counts
		}
		if m := coveredLine().FindStringSubmatch(line); m != nil {
			r.Covered = m[1]
		}
		if r.Overall == "" {
			r.Overall = headerOf(line)
		}
	}
	if r.Marker.SHA != "" {
		r.Assessed = r.Marker.SHA
	}
	return r, true
}

// headers are the header lines since July 2026.
var headers = map[Overall]string{
	Passed:   "## ✅✅✅ **Verdict: PASS** ✅✅✅",
	Warned:   "## ⚠️ **Verdict: WARN** ⚠️",
	Rejected: "## ❌❌❌ **REJECTED** ❌❌❌",
}

// oldHeader is the plain verdict line of the first weeks.
var oldHeader = pattern.Lazy(`^(?:#+ )?\**(?:Verdict: )?(PASS|WARN|REJECTED|FAIL)\**$`)

// headerOf is the word that a line gives as a header, "" for other lines.
func headerOf(line string) Overall {
	for word, header := range headers {
		if line == header {
			return word
		}
	}
	m := oldHeader().FindStringSubmatch(line)
	switch {
	case m == nil:
		return ""
	case m[1] == "FAIL":
		return Rejected
	}
	return Overall(m[1])
}

// lines are the lines of a body without blanks around them.
func lines(body string) []string {
	list := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body), "\n")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

// Fallback is the comment in place of a verdict that would be inconsistent, or
// of a verification that ended early.
func Fallback(m Marker, head string) string {
	return fmt.Sprintf("%s\n%s\n\nVerification produced no valid verdict. Run the sign-off verification again.\n\nAssessed commit: `%s`.\n", m, headers[Rejected], head)
}

// Cover returns a verdict with another covered commit in its footer, in the mode
// carry; ok is false when it has no such line.
func Cover(body, head string) (covered string, ok bool) {
	list := strings.SplitAfter(body, "\n")
	for i := len(list) - 1; i >= 0; i-- {
		if coveredLine().MatchString(strings.TrimSpace(list[i])) {
			list[i] = fmt.Sprintf("Covered commit: `%s`.\n", head)
			return strings.Join(list, ""), true
		}
	}
	return "", false
}
