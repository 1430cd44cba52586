// Package trigger decides what starts a verification of a sign-off, and for
// whom (spec/verdict.md section 1). It is given facts and asks for nothing.
//
//	trigger.go  what an event alone tells, and who may ask
//	scope.go    which pull requests are verified
//	dispatch.go the address of a sign-off
package trigger

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Account is who wrote or did something. The id is the identity.
type Account struct {
	ID    int64
	Login string
	Bot   bool
}

// machine reports whether an account is a program.
func (a Account) machine() bool { return a.Bot || strings.HasSuffix(strings.ToLower(a.Login), "[bot]") }

// Event is what happened to a text on a pull request.
type Event struct {
	Kind   checks.SignOffKind
	Action string
	// OnPull says that the comment is on a pull request and not on an issue.
	OnPull bool
	Body   string
	// Author wrote the text, Actor caused the event.
	Author, Actor Account
	// State is open or closed, "" where the event does not tell; Draft as well.
	State string
	Draft bool
	// Manual says that somebody named the text by its address: state and author
	// are then no reason to stay silent.
	Manual bool
}

// Why is the reason for which an event starts nothing: a code of the
// catalogue; "" goes on.
type Why string

// The reasons, in the order in which they are looked for.
const (
	Goes            Why = ""
	OtherAction     Why = "signoff.other-action"
	OnIssue         Why = "signoff.on-issue"
	IsVerdict       Why = "signoff.is-verdict"
	NoPhrase        Why = "signoff.no-phrase"
	NotOwnWords     Why = "signoff.not-own-words"
	ByMachine       Why = "signoff.by-machine"
	EditedByAnother Why = "signoff.edited-by-another"
	BadAuthor       Why = "signoff.bad-author"
	NotOpen         Why = "signoff.not-open"
	IsDraft         Why = "signoff.is-draft"
	OutOfScope      Why = "signoff.out-of-scope"
	NotAllowed      Why = "signoff.not-allowed"
	HeadMoved       Why = "signoff.head-moved"
)

// actions are those that start something, by kind.
var actions = map[checks.SignOffKind][]string{
	checks.ConversationComment: {"created", "edited"},
	checks.ReviewSummary:       {"submitted", "edited"},
	checks.InlineComment:       {"created", "edited"},
}

// Author is the form of logins of authors (spec/verdict.md section 1.3, filter 6).
var authorForm = pattern.Lazy(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98})(?:\[bot\])?$`)

// AtSight decides what the event alone tells. A verdict never is a sign-off,
// whatever it quotes; a phrase counts in the author's own words only, not
// quoted, in code or hidden; nobody but its author edits a sign-off, since it
// is their word (spec/security.md S26).
func AtSight(e Event) Why {
	switch {
	case !e.Manual && !slices.Contains(actions[e.Kind], e.Action):
		return OtherAction
	case !e.OnPull:
		return OnIssue
	case strings.HasPrefix(e.Body, signoff.Marker):
		return IsVerdict
	case !strings.Contains(e.Body, signoff.Phrase):
		return NoPhrase
	case !signoff.Is(e.Body):
		return NotOwnWords
	case e.Actor.machine() || e.Author.machine() && !e.Manual:
		return ByMachine
	case e.Action == "edited" && !e.Manual && e.Actor.ID != e.Author.ID:
		return EditedByAnother
	case !authorForm().MatchString(e.Author.Login):
		return BadAuthor
	}
	return stateOf(e)
}

// stateOf decides by the state of the pull request; a sign-off on a draft is
// verified when it is edited later or named by its address.
func stateOf(e Event) Why {
	switch {
	case e.Manual || e.State == "":
		return Goes
	case e.State != "open":
		return NotOpen
	case e.Draft:
		return IsDraft
	}
	return Goes
}

// May reports whether somebody with a role may ask for a verification. Without
// the filter (August 2026) anybody may, and check 0 judges the author.
func May(role string, v config.Verdict) bool {
	return !v.Requesters || slices.Contains([]string{"admin", "maintain", "write"}, role)
}

// prefixes are the beginnings of keys.
var prefixes = map[checks.SignOffKind]string{
	checks.ConversationComment: "issuecomment-", checks.ReviewSummary: "pullrequestreview-", checks.InlineComment: "discussion_r",
}

// Key is the key of a sign-off, which names it in the marker of its verdict.
func Key(kind checks.SignOffKind, id int64) string {
	return prefixes[kind] + strconv.FormatInt(id, 10)
}
