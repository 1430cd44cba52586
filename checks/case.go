package checks

import (
	"time"

	"github.com/sweepbot/sweepbot/config"
)

// Case is what is known before any evidence is read. All of it goes into the
// bundle: a verdict is a function of it and of the evidence, never of a commit
// alone (spec/verdict-causes.md section 3).
type Case struct {
	// Repository is owner/name; Site is the web address that it is on,
	// https://github.com where empty.
	Repository, Site string
	// PR is the number of the pull request; 0 where only a branch is judged.
	PR int
	// Base is the merge base B, Head the assessed commit H, Target the tip D
	// of the target branch at which policy files are read (spec/checks.md
	// section 1.2). Offline, Base stands for both. Full commit ids.
	Base, Head, Target string
	// MovedTo is the head of the pull request after the assessment where it is
	// another one, else "".
	MovedTo string
	// SignOff is nil where no body was given.
	SignOff *SignOff
	// Signer is the login of the sign-off's author, Association its
	// author_association in upper case, "" where unknown.
	Signer, Association string
	// Date is the UTC day of the assessment; its time of day does not matter.
	Date     time.Time
	Profile  Profile
	Settings config.Settings
}

// SignOffKind says where a sign-off was written (spec/verdict.md section 1.1).
type SignOffKind string

// The kinds of sign-offs, as they are called in texts.
const (
	ConversationComment SignOffKind = "conversation comment"
	ReviewSummary       SignOffKind = "review summary"
	InlineComment       SignOffKind = "inline review comment"
)

// SignOff is the text that is verified, as it was when it was read.
type SignOff struct {
	Kind SignOffKind `json:"kind"`
	// Key is issuecomment-<id>, pullrequestreview-<id> or discussion_r<id>.
	Key     string    `json:"key"`
	URL     string    `json:"url"`
	Body    string    `json:"body"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
}
