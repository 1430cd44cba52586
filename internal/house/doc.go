// Package house holds the rules of this code base as tests: which room may
// import which, which modules may be used and where, what must be documented,
// how long files and functions may get, what the catalogue of texts must
// cover, and how workflows have to be written. It has no code of its own.
//
// Each rule is a function from parsed files to a list of offences, with one
// test that applies it to the tree and one that shows it can fail.
package house
