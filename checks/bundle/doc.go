// Package bundle records what a verification looked at, and verifies again from
// the record alone: offline, with the same bytes as result (DESIGN.md, idea 2;
// docs/signoff.md).
//
// A bundle holds the case, the answers of GitHub and others as far as a check
// asked for them, the git objects that were read, and the results. About the
// signer's memberships it says member, not-member or unreadable and no more;
// headers, tokens, member lists, mail addresses and signed addresses never
// reach it, since only named fields are kept.
//
//	verify.go       a case is decided and recorded
//	recorder.go     a source that notes every answer
//	recorder_git.go a history that notes every object
//	objects.go      git objects in a bundle
//	replay.go       a history out of a bundle
//	archive.go      a bundle as a zip file of fixed bytes
package bundle
