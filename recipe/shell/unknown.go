package shell

import (
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Reason is the code of a text in the catalogue that says why something is
// unknown.
type Reason string

// The reasons why a value, a status or a part of a script is unknown.
const (
	// ReasonHost: depends on the machine, its user or its environment.
	ReasonHost Reason = "shell.unknown-host"
	// ReasonClock: depends on the time or on chance.
	ReasonClock Reason = "shell.unknown-clock"
	// ReasonOutput: what a program prints; Detail names the program.
	ReasonOutput Reason = "shell.unknown-output"
	// ReasonStatus: the status of a program; Detail names the program.
	ReasonStatus Reason = "shell.unknown-status"
	// ReasonFile: content or existence of a file outside the repository.
	ReasonFile Reason = "shell.unknown-file"
	// ReasonJoin: differs between ways; Alternatives lists what it may be.
	ReasonJoin Reason = "shell.unknown-join"
	// ReasonDerived: computed from an unknown; Detail says how.
	ReasonDerived Reason = "shell.unknown-derived"
	// ReasonLoop: changes in a loop whose end is not known.
	ReasonLoop Reason = "shell.unknown-loop"
	// ReasonUnset: reported for a required variable that is not set.
	ReasonUnset Reason = "shell.unknown-unset"
	// ReasonUnsupported: a construct or option that is not evaluated; Detail
	// names it.
	ReasonUnsupported Reason = "shell.unknown-unsupported"
	// ReasonMissing: a script or file that the repository does not hold.
	ReasonMissing Reason = "shell.unknown-missing"
	// ReasonSyntax: a file that cannot be parsed; Detail says why.
	ReasonSyntax Reason = "shell.unknown-syntax"
	// ReasonLimit: a limit was reached; Detail names it.
	ReasonLimit Reason = "shell.unknown-limit"
	// ReasonGiven: the caller declared it unknown; Detail is theirs.
	ReasonGiven Reason = "shell.unknown-given"
)

// Shape tells what an unknown may be.
type Shape uint8

// An unknown is any text, a number (one word), any number of words, one word,
// or at most one word.
const (
	ShapeText Shape = iota
	ShapeNumber
	ShapeWords
	ShapeWord
	ShapeMaybeWord
)

// Unknown says what is not known and why.
type Unknown struct {
	Reason Reason
	// Detail is the command, variable, file or operation; may be empty.
	Detail string
	Origin Origin
	Shape  Shape
	// Alternatives are the values it may have, when they are few and all
	// known to be all of them; empty means anything.
	Alternatives []Value
	// Unset says that the variable may also not be set at all.
	Unset bool
}

// String returns the reason as a short English phrase.
func (u Unknown) String() string {
	return catalog.Message(catalog.English, string(u.Reason), "detail", u.Detail)
}

// Finding returns the unknown as a note with its place.
func (u Unknown) Finding() diag.Finding {
	place := diag.Place{File: u.Origin.File, Line: u.Origin.Line, Column: u.Origin.Column}
	return diag.New(string(u.Reason), place, "detail", u.Detail).WithSeverity(diag.Note)
}

// same reports whether both are the same unknown: same reason, place and form.
func (u *Unknown) same(w *Unknown) bool {
	if u == w {
		return true
	}
	if u == nil || w == nil || u.Reason != w.Reason || u.Detail != w.Detail || u.Origin != w.Origin ||
		u.Shape != w.Shape || u.Unset != w.Unset || len(u.Alternatives) != len(w.Alternatives) {
		return false
	}
	for i := range u.Alternatives {
		if !u.Alternatives[i].Equal(w.Alternatives[i]) {
			return false
		}
	}
	return true
}
