package changelog

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Grade says what a graded rule does with a change that breaks it.
type Grade string

// The grades. The empty grade is GradeError.
const (
	GradeError Grade = "error"
	GradeWarn  Grade = "warn"
	GradeOff   Grade = "off"
)

// severity returns how findings of a rule of this grade are reported, and
// whether they are reported at all.
func (g Grade) severity() (diag.Severity, bool) {
	switch g {
	case GradeOff:
		return diag.Note, false
	case GradeWarn:
		return diag.Warning, true
	default:
		return diag.Error, true
	}
}

// Gate grades the classes of findings of Check (spec/changelog.md section 2).
type Gate struct {
	// History: an existing entry was edited, deleted or re-ordered.
	History Grade
	// Position: a new entry does not stand at the physical end of the file.
	Position Grade
	// Format: separators, final newline, CR, TAB, trailing blank lines, where
	// the new entries can still be read.
	Format Grade
}

// Rules holds what the room must know about a repository and its policy. The
// zero value is the strict dialect with every grade an error, except that the
// entry key no-evals is unknown.
type Rules struct {
	// File names the changelog in findings, as a path in the repository.
	File string
	// Repository is owner/name of the repository that canonical links name.
	Repository string
	// MaxBytes is the largest file that is read; 0 means DefaultMaxBytes.
	MaxBytes int
	// NoEvals knows the entry key no-evals.
	NoEvals bool
	// LenientTypes accepts the scalar coercions of spec/matrix.md section 5.
	LenientTypes bool
	// UnderscoreKeys accepts entry keys in their underscore spelling.
	UnderscoreKeys bool
	// LastKeyWins keeps the last of repeated keys when planning instead of
	// refusing them. The strict gate always refuses them.
	LastKeyWins bool
	// HeaderLikeLines reads the diff as the reference does: deleted lines that
	// begin with "--" are overlooked, added lines that begin with "++" and
	// everything after a lone CR are lost.
	HeaderLikeLines bool
	// UnterminatedDeletes counts the last line of a base file without a final
	// newline as deleted as soon as anything follows it, as the reference
	// does. Default: a change that begins with the bytes of the base is an
	// append (known failure F15).
	UnterminatedDeletes bool
	// CorrectionsPass accepts a change that only corrects links, with no
	// sweep.
	CorrectionsPass bool
	// FinalNewline refuses a head file without a final newline when planning,
	// whatever the grade of Format.
	FinalNewline bool
	// Gate grades history, position and format.
	Gate Gate
	// LinkInPlan grades a wrong link of a new entry (known failure F19).
	LinkInPlan Grade
}

// DefaultMaxBytes bounds a changelog when the rules set no bound. The largest
// real one has 0.4 MB.
const DefaultMaxBytes = 8 << 20

// PR says in which context a change is judged.
type PR int

// Contexts other than the number of a pull request.
const (
	// OnMain is the main branch: links must be canonical, of any number.
	OnMain PR = 0
	// Unnumbered is a change whose pull request is not opened or not known:
	// a link must be a placeholder or canonical.
	Unnumbered PR = -1
)

// String returns the number as people write it.
func (n PR) String() string { return "#" + strconv.Itoa(int(n)) }

// place is a line as a whole, or with 0 the file.
func (r Rules) place(line int) diag.Place {
	return diag.Place{File: r.File, Line: line, Column: min(line, 1)}
}

// on returns the rules with the file named as one side of a comparison, so
// that a finding about the base is not taken for one about the head.
func (r Rules) on(side string) Rules {
	r.File += " (" + side + ")"
	return r
}

// tooLarge returns a finding when data exceeds the bound on size.
func (r Rules) tooLarge(data []byte) *diag.Finding {
	limit := r.MaxBytes
	if limit <= 0 {
		limit = DefaultMaxBytes
	}
	if len(data) <= limit {
		return nil
	}
	f := diag.New("changelog.too-large", r.place(0),
		"size", strconv.Itoa(len(data)), "limit", strconv.Itoa(limit))
	return &f
}
