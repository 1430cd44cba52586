package launch

import (
	"strconv"

	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/shell"
)

// settle decides about commands that run only under conditions. That programs
// succeed is taken for granted: a run that measured something has passed them.
// Only where two ways of one decision start different processes of a role is
// it open which one runs.
func (v *visit) settle() {
	var kept []recipe.Command
	for i, c := range v.effective.Commands {
		twin := false
		for j := range v.effective.Commands {
			other := &v.effective.Commands[j]
			if i == j || other.Role != c.Role || !contrary(v.under[i], v.under[j]) {
				continue
			}
			switch {
			case !sameCommand(&c, other):
				c.Maybe = true
			case j < i:
				twin = true // the same on both ways
			}
		}
		if !twin {
			kept = append(kept, c)
		}
	}
	v.effective.Commands = kept
	v.givenUp()
}

// givenUp asks about a row that nothing serves because a script ends first: one
// that does not know the row's model, for example.
func (v *visit) givenUp() {
	if v.ended == nil || len(v.effective.Serving()) > 0 {
		return
	}
	for _, q := range v.effective.Open {
		if !q.Part {
			return
		}
	}
	v.ask("recipe.script-ends", v.place(v.ended.Origin), "status", strconv.Itoa(v.ended.Status))
}

// sameCommand reports whether two commands serve the same.
func sameCommand(a, b *recipe.Command) bool {
	return len(recipe.Diff(&recipe.Effective{Commands: []recipe.Command{*a}}, &recipe.Effective{Commands: []recipe.Command{*b}})) == 0
}

// contrary reports whether two commands lie on different ways of one decision.
func contrary(a, b []shell.Condition) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Origin == y.Origin && x.Text == y.Text && x.Holds != y.Holds {
				return true
			}
		}
	}
	return false
}
