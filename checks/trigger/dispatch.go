package trigger

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Target is a sign-off that somebody named by its address.
type Target struct {
	Kind checks.SignOffKind
	ID   int64
	PR   int
}

// Key is the key of the sign-off.
func (t Target) Key() string { return Key(t.Kind, t.ID) }

var address = pattern.Lazy(`^(?i:https://github\.com)/([^/\s]{1,100})/([^/\s]{1,100})/(?i:pull)/([1-9][0-9]{0,9})(?i:/files)?#(?i:(issuecomment-|pullrequestreview-|discussion_r))([1-9][0-9]{0,17})$`)

// ParseAddress reads the inputs of a manual dispatch. Errors are findings: the
// address has another form, is about another repository, or about another pull
// request than number. A comment id is one of the whole repository, so that the
// comment which is read has to be held against Belongs as well.
func ParseAddress(url, repository string, number int) (Target, error) {
	m := address().FindStringSubmatch(strings.TrimSpace(url))
	if m == nil {
		return Target{}, diag.New("signoff.bad-address", diag.Place{}, "value", url).In("usage")
	}
	if !strings.EqualFold(m[1]+"/"+m[2], repository) {
		return Target{}, diag.New("signoff.address-elsewhere", diag.Place{}, "value", m[1]+"/"+m[2], "repository", repository).In("usage")
	}
	pr, _ := strconv.Atoi(m[3])             // the form has checked it
	id, _ := strconv.ParseInt(m[5], 10, 64) // as well
	if number < 1 || pr != number {
		return Target{}, diag.New("signoff.address-other-pull", diag.Place{}, "value", m[3], "number", strconv.Itoa(number)).In("usage")
	}
	for kind, prefix := range prefixes {
		if strings.EqualFold(m[4], prefix) {
			return Target{Kind: kind, ID: id, PR: pr}, nil
		}
	}
	return Target{}, diag.New("signoff.bad-address", diag.Place{}, "value", url).In("usage")
}

// Belongs reports whether the address of the API that a comment names as its
// issue or pull request is the target's.
func (t Target) Belongs(apiURL, repository string) bool {
	parts := strings.Split(strings.TrimRight(apiURL, "/"), "/")
	n := len(parts)
	if n < 5 {
		return false
	}
	kind := parts[n-2]
	return parts[n-5] == "repos" && strings.EqualFold(parts[n-4]+"/"+parts[n-3], repository) && (kind == "issues" || kind == "pulls") &&
		parts[n-1] == strconv.Itoa(t.PR)
}
