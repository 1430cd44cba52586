package trigger

import "github.com/sweepbot/sweepbot/internal/pattern"

// Push is a push to the head of a pull request whose verdict may be carried
// along, in the mode carry.
type Push struct {
	// Passed says that the verdict is PASS, Covered is the commit that it was
	// given for or carried to, "" where there is no verdict.
	Passed  bool
	Covered string
	// Before and After are the heads that GitHub tells of the push, Head is the
	// head of the pull request now.
	Before, After, Head string
	// Sender is who the event is by, Actor who pushed, by GitHub's record.
	Sender, Actor Account
	// Admin says that the actor is an administrator in permission and role.
	Admin bool
}

// The reasons for which a push leaves the verdict behind.
const (
	NothingCovered Why = "signoff.carry-nothing"
	NotPassed      Why = "signoff.carry-not-passed"
	OtherBefore    Why = "signoff.carry-other-before"
	OtherHead      Why = "signoff.carry-other-head"
	ByNobody       Why = "signoff.carry-by-machine"
	ByNoAdmin      Why = "signoff.carry-no-admin"
)

var fullSHA = pattern.Lazy(`^[0-9a-f]{40}$`)

// Carries decides whether a push takes the verdict along (spec/verdict.md section
// 2, coverage carry): only a PASS that covered the head before, only to the head
// of now, and only by an administrator in person.
func Carries(p Push) Why {
	switch {
	case p.Covered == "":
		return NothingCovered
	case !p.Passed:
		return NotPassed
	case p.Before != p.Covered:
		return OtherBefore
	case p.After != p.Head || !fullSHA().MatchString(p.After):
		return OtherHead
	case p.Sender.ID == 0 || p.Sender.machine() || p.Actor.ID != p.Sender.ID || p.Actor.machine():
		return ByNobody
	case !p.Admin:
		return ByNoAdmin
	}
	return Goes
}
