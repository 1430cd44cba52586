// Package signoff reads the checklist that a CODEOWNER posts, and the template
// that it is a copy of (spec/checks.md section 1.6).
//
// The text is hostile. Where Markdown would show a line as a quotation, as code
// or not at all (an HTML comment), it is nobody's word and is left out; the
// additional detail section keeps its code, since people show commands there.
//
//	shown.go     which lines of a Markdown text are the author's own words
//	document.go  items, detail section, signature, links of a sign-off
//	match.go     which items of the template a sign-off has
package signoff
