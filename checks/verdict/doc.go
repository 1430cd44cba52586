// Package verdict turns the results of the numbered checks into a verdict: its
// overall word, the comment that says it, and the reading of such comments
// (spec/verdict.md). What is rendered is held against the same rules as what
// others wrote, so that no inconsistent verdict is ever published.
//
//	overall.go   the word for all rows together
//	marker.go    markers of all eras, assessed commits
//	safe.go      untrusted text in rows
//	render.go    the comment
//	parse.go     reading a comment
//	validate.go  whether a comment is consistent
package verdict
