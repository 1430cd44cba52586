package recipe

import (
	"sort"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// ChangeKind says how two recipes differ in one fact.
type ChangeKind string

// The kinds of changes. Undecided means that the values may be equal or not:
// some part of them is not known.
const (
	Added     ChangeKind = "added"
	Removed   ChangeKind = "removed"
	Changed   ChangeKind = "changed"
	Undecided ChangeKind = "undecided"
)

// Change is one difference between two recipes.
type Change struct {
	Kind ChangeKind
	// Role, Of and Name are those of the fact.
	Role string
	Of   Kind
	Name string
	// From and To are the canonical values, "" on the side without the fact.
	From, To           string
	FromPlace, ToPlace diag.Place
	Class              Class
}

// Diff returns the differences from a to b, sorted by role, kind and name. It
// is empty when both would serve the same; Diff(b, a) has the same changes
// with their sides swapped.
func Diff(a, b *Effective) []Change {
	before, after := a.Facts(), b.Facts()
	left, right := index(before), index(after)
	hiddenLeft, hiddenRight := hiding(before), hiding(after)
	var out []Change
	for key, f := range left {
		g, ok := right[key]
		switch {
		case !ok:
			out = append(out, Change{Kind: hiddenRight.weaken(decided(Removed, f, f), f), Role: f.Role, Of: f.Kind, Name: f.Name, From: f.Value, FromPlace: f.Place, Class: f.Class})
		case f.Value != g.Value:
			out = append(out, Change{Kind: decided(Changed, f, g), Role: f.Role, Of: f.Kind, Name: f.Name,
				From: f.Value, To: g.Value, FromPlace: f.Place, ToPlace: g.Place, Class: max(f.Class, g.Class)})
		}
	}
	for key, g := range right {
		if _, ok := left[key]; !ok {
			out = append(out, Change{Kind: hiddenLeft.weaken(decided(Added, g, g), g), Role: g.Role, Of: g.Kind, Name: g.Name, To: g.Value, ToPlace: g.Place, Class: g.Class})
		}
	}
	sort.Slice(out, func(i, j int) bool {
		a := Fact{Role: out[i].Role, Kind: out[i].Of, Name: out[i].Name}
		return a.less(Fact{Role: out[j].Role, Kind: out[j].Of, Name: out[j].Name})
	})
	return out
}

func index(facts []Fact) map[string]Fact {
	out := make(map[string]Fact, len(facts))
	for _, f := range facts {
		out[f.key()] = f
	}
	return out
}

// hidden is what a recipe may have without our knowing: anything, or more words
// for some roles.
type hidden struct {
	all   bool
	roles map[string]bool
}

func hiding(facts []Fact) hidden {
	h := hidden{roles: make(map[string]bool)}
	for _, f := range facts {
		switch {
		case f.Kind == KindUnknown:
			h.all = true
		case f.Kind == KindFlag && f.Name == "":
			h.roles[f.Role] = true
		}
	}
	return h
}

// weaken makes a fact that a recipe seems to lack undecided where the recipe
// may have it.
func (h hidden) weaken(kind ChangeKind, f Fact) ChangeKind {
	if h.all || h.roles[f.Role] && (f.Kind == KindFlag || f.Kind == KindPositional) {
		return Undecided
	}
	return kind
}

// decided weakens a change of values that are not wholly known. What exists on
// one side only is a change, unless it is the question itself.
func decided(kind ChangeKind, f, g Fact) ChangeKind {
	if kind == Changed && (f.Unknown || g.Unknown) || f.Kind == KindUnknown || f.Name == "" && f.Kind == KindFlag || f.Name == "maybe" && f.Kind == KindRole {
		return Undecided
	}
	return kind
}

// Inverse returns the change as seen from the other side.
func (c Change) Inverse() Change {
	c.From, c.To = c.To, c.From
	c.FromPlace, c.ToPlace = c.ToPlace, c.FromPlace
	switch c.Kind {
	case Added:
		c.Kind = Removed
	case Removed:
		c.Kind = Added
	}
	return c
}

// Gap is something unknown that a check would need.
type Gap struct {
	Role  string
	Kind  Kind
	Name  string
	Cause string
	Place diag.Place
}

// Gaps returns what keeps the recipe from being complete: no serving command,
// a process that may or may not start, an unknown in a value that a check
// reads, a question about the whole. No gap means that every check can decide
// on it.
func (e *Effective) Gaps() []Gap {
	var out []Gap
	for _, f := range e.Facts() {
		if f.Kind == KindRole && !servesAs(f.Role) {
			continue // whether it is loaded is no question of what is served
		}
		whole := f.Kind == KindUnknown || f.Kind == KindRole || f.Name == "" && f.Kind != KindProgram && f.Kind != KindImage
		if f.Unknown && (whole || f.Class == Checked) && f.Kind != KindInstall && f.Kind != KindPatch {
			out = append(out, Gap{Role: f.Role, Kind: f.Kind, Name: f.Name, Cause: f.Value, Place: f.Place})
		}
	}
	if len(e.Serving()) == 0 && len(out) == 0 {
		out = append(out, Gap{Kind: KindUnknown, Name: "recipe.no-serving-command"})
	}
	return out
}

// servesAs reports whether a role answers requests.
func servesAs(role string) bool {
	switch baseRole(role) {
	case RoleAggregate, RolePrefill, RoleDecode:
		return true
	}
	return false
}

// Complete reports whether there are no gaps.
func (e *Effective) Complete() bool { return len(e.Gaps()) == 0 }
