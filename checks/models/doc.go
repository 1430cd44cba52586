// Package models reads the model policy of a benchmark repository, a Markdown
// document for people, and answers whether a point may be submitted on a day
// (spec/checks.md, check 7).
//
// The document holds a support matrix (what each model runs, and what it no
// longer runs), a table of scenarios, and dated notices. Prose is not
// interpreted: a closed grammar of phrases is, and a date that it can't place
// makes the part unknown, which is for a person to decide.
//
//	table.go   the tables and headings of a Markdown text
//	cell.go    the grammar of cells
//	date.go    dates and the words that place them
//	policy.go  the document
//	judge.go   what it says about a point
package models
