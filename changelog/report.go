package changelog

import (
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Class says which grade decides about a problem.
type Class string

// The classes. History, position and format have their grades in Gate, link in
// LinkInPlan. A new entry that cannot be read or breaks the schema is always
// an error.
const (
	ClassHistory  Class = "history"
	ClassPosition Class = "position"
	ClassFormat   Class = "format"
	ClassLink     Class = "link"
	ClassEntry    Class = "entry"
)

// Problem is one finding of Check. Its severity is already graded.
type Problem struct {
	diag.Finding
	Class Class
	// Mendable is set when Fix mends it without judgement.
	Mendable bool
}

// Correction is a link of an old entry that a change replaces.
type Correction struct {
	// Line is where the link stands in head.
	Line     int
	Old, New string
}

// Report is the answer of Check.
type Report struct {
	// Problems in head order. Problems of a grade that is off are left out.
	Problems []Problem
	// Added are the readable new entries in file order, wherever they stand.
	Added []Entry
	// Corrections are links of old entries that the change replaces and
	// nothing else; they ask for no sweep.
	Corrections []Correction
}

// Findings returns the problems as findings.
func (r Report) Findings() diag.List {
	var list diag.List
	for _, p := range r.Problems {
		list = append(list, p.Finding)
	}
	return list
}

// Refused reports whether any problem is an error.
func (r Report) Refused() bool { return r.Findings().Refused() }

// Mendable reports whether there are problems and Fix mends all of them.
func (r Report) Mendable() bool {
	for _, p := range r.Problems {
		if !p.Mendable {
			return false
		}
	}
	return len(r.Problems) > 0
}

// checker collects problems and grades them.
type checker struct {
	rules  Rules
	pr     PR
	report Report
	// blocks are the head blocks of the readable added entries, in step with
	// report.Added.
	blocks []int
	// corrected are the old entries whose link changed, with the link that
	// they should get.
	corrected []correctedBlock
}

type correctedBlock struct {
	block int // index of the head block
	link  string
}

func (c *checker) grade(class Class) Grade {
	switch class {
	case ClassHistory:
		return c.rules.Gate.History
	case ClassPosition:
		return c.rules.Gate.Position
	case ClassFormat:
		return c.rules.Gate.Format
	case ClassLink:
		return c.rules.LinkInPlan
	default:
		return GradeError
	}
}

// add reports a problem under the grade of its class.
func (c *checker) add(class Class, mendable bool, f diag.Finding) {
	severity, shown := c.grade(class).severity()
	if !shown {
		return
	}
	c.report.Problems = append(c.report.Problems, Problem{f.WithSeverity(severity), class, mendable})
}

// must reports an error whatever the grades are.
func (c *checker) must(class Class, mendable bool, f diag.Finding) {
	c.report.Problems = append(c.report.Problems, Problem{f.WithSeverity(diag.Error), class, mendable})
}

// entry reads one added block. What only the strict gate refuses (repeated and
// merge keys) is a problem of format where planning accepts it.
func (c *checker) entry(b block) (entry Entry, ok bool) {
	text := addition{text: withFinalLF(b.text), first: b.line}
	root, f := text.parse(c.rules.File, yamlpos.Options{NoMerge: true})
	if f != nil {
		lenient, again := text.parse(c.rules.File, yamlpos.Options{LastKeyWins: c.rules.LastKeyWins})
		if again != nil {
			c.unreadable(b, *f)
			return Entry{}, false
		}
		root = lenient
		c.add(ClassFormat, false, *f)
	}
	if root.Kind != yamlpos.Sequence || len(root.Items) != 1 {
		c.must(ClassEntry, false, diag.New("changelog.additions-not-list", c.rules.place(b.line), "kind", root.Kind.String()).In(categorySchema))
		return Entry{}, false
	}
	entry, findings := decodeEntry(c.rules, len(c.report.Added), b.line, root.Items[0])
	for _, f := range findings {
		c.must(ClassEntry, false, f)
	}
	entry.Line = b.line
	return entry, findings == nil
}

// unreadable reports a block that is not valid YAML. When an entry is only
// indented by mistake, that is what is said.
func (c *checker) unreadable(b block, f diag.Finding) {
	if at, indent := entryIndent(b.text); indent > 0 {
		place := c.rules.placeAt(b.text, at)
		place.Line += b.line - 1
		c.must(ClassEntry, true, diag.New("changelog.entry-indented", place).In(f.Category))
		return
	}
	c.must(ClassEntry, false, f)
}

func withFinalLF(text []byte) []byte {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return text
	}
	return append(text[:len(text):len(text)], '\n')
}
