// Package checks verifies a sign-off: the numbered checks, each a function of
// an Evidence, and the verdict that is made of their rows (spec/checks.md,
// spec/verdict.md).
//
// # How it hangs together
//
//	Case      what is known before anything is read: who signed what, on which
//	          pull request, at which commit, on which day, under which profile
//	Source    what GitHub and others answer; History what git holds
//	Evidence  the case, a source and a history behind readers that load each
//	          thing once, at a pinned commit, and record what they loaded
//	Check     number, name, topic and a Decide function from Evidence to Result
//	Verdict   the results of a profile, in order, with its header
//
// A check never asks the clock, the network or the environment: the same
// evidence gives the same bytes (DESIGN.md, idea 2). What can't be decided from
// evidence is never a PASS: it is WARN or FAIL where the rule says so, and
// UNAVAILABLE in offline output where the deciding input was not given
// (spec/checks.md section 1.8).
//
// # Files
//
//	status.go result.go profile.go registry.go   what a check answers
//	case.go source.go history.go evidence.go     what it looks at
//	check_*.go                                   one numbered check each
package checks
