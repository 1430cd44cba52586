// Package labels decides what an event on a repository means for sweeps: does
// GitHub start a run, does that run cancel another, is the changelog checked,
// is a reuse command asked for, and does a sweep start, and how.
//
// Everything is a function of the settings, the event and what is known so
// far. Nothing is fetched, and every answer carries its reason
// (spec/labels-and-sweeps.md sections 1 to 4, 6, 7, 13, 17).
package labels

// The events that mean something here.
const (
	PullRequest       = "pull_request"
	PullRequestTarget = "pull_request_target"
	Push              = "push"
)

// The actions of a pull request that mean something here.
const (
	Synchronize    = "synchronize"
	Labeled        = "labeled"
	Unlabeled      = "unlabeled"
	ReadyForReview = "ready_for_review"
	Closed         = "closed"
)

// Event is what is known of an event. The fields down to Conflict are facts of
// the webhook payload; the last three are learned later, and their zero value
// means "not known yet". Learning one only ever turns an Unknown step into
// another outcome.
type Event struct {
	// Name and Action are the words of GitHub: "pull_request", "labeled".
	Name   string `json:"name"`
	Action string `json:"action,omitempty"`
	// Label is the label that was added or removed; ignored in other actions.
	Label string `json:"label,omitempty"`
	// Labels are the labels of the pull request after the event, in any
	// order. A re-run of an old run carries the labels of that moment.
	Labels []string `json:"labels,omitempty"`
	// Number is the pull request; zero on a push.
	Number int `json:"number,omitempty"`
	// RunID is the workflow run; zero where it is not known, as in a server
	// that sees the webhook.
	RunID int64 `json:"run_id,omitempty"`
	// HeadSHA is the head commit in the event, or the pushed commit. A sweep
	// measures this commit and no later one (spec/security.md S33).
	HeadSHA string `json:"head_sha,omitempty"`
	// BaseBranch is the branch the pull request goes to, or the pushed one.
	BaseBranch string `json:"base_branch,omitempty"`
	// SameRepo says that the head lies in the same repository. False for a
	// fork, and where the head repository is gone.
	SameRepo bool `json:"same_repo,omitempty"`
	Draft    bool `json:"draft,omitempty"`
	// Merged tells a merged pull request from one that was closed otherwise.
	Merged bool `json:"merged,omitempty"`
	// TouchesChangelog is about the whole diff against the base, not about
	// the last push.
	TouchesChangelog bool `json:"touches_changelog,omitempty"`
	// Conflict says that the pull request cannot be merged. GitHub answers
	// this late; as long as it does not know, it starts runs.
	Conflict bool `json:"conflict,omitempty"`

	// HeadMessage is the message of the head commit; nil until it is read.
	HeadMessage *string `json:"head_message,omitempty"`
	// Validator is the outcome of the changelog check with the modifiers of
	// the labels applied.
	Validator Validator `json:"validator,omitempty"`
	// Reuse is what became of the newest authorised reuse command.
	Reuse Reuse `json:"reuse,omitempty"`
}

// Validator is the outcome of the changelog validator. Any other word than
// these, and the zero value, mean that it has not answered.
type Validator string

// The outcomes of the validator.
const (
	Accepted Validator = "accepted"
	Rejected Validator = "rejected"
)

// Reuse is the state of the reuse authorisation of a pull request. Any other
// word than these, and the zero value, mean that it is not known yet.
type Reuse string

// The states of the authorisation: no command is in force; a command is and
// names a run that can be reused; a command is but its run cannot be.
const (
	ReuseNone    Reuse = "none"
	ReuseValid   Reuse = "valid"
	ReuseInvalid Reuse = "invalid"
)

// labelEvent reports whether the event is about one changed label.
func (e Event) labelEvent() bool {
	return e.Name == PullRequest && (e.Action == Labeled || e.Action == Unlabeled)
}
