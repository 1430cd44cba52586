package reuse

import (
	"cmp"
	"slices"
)

// Comment is what counts of an issue comment.
type Comment struct {
	ID int64
	// Created is created_at as the API writes it; it is ordered as text.
	Created string
	// Association is author_association, upper case.
	Association string
	Body        string
}

// Associations are the authors whose commands count (spec/reuse.md section 2).
func Associations() []string { return []string{"OWNER", "MEMBER", "COLLABORATOR"} }

// Authorized walks the comments from newest to oldest; the first one by an
// author of the listed associations that holds a valid command decides. Equal
// times keep the order in which the API gave them. A newer comment by an
// outsider, or one without a command, withdraws nothing.
func (g Grammar) Authorized(comments []Comment, associations []string) (Command, Comment, bool) {
	ordered := slices.Clone(comments)
	slices.SortStableFunc(ordered, func(a, b Comment) int { return cmp.Compare(a.Created, b.Created) })
	for _, c := range slices.Backward(ordered) {
		if !slices.Contains(associations, c.Association) {
			continue
		}
		if command, ok := g.Parse(c.Body); ok {
			return command, c, true
		}
	}
	return Command{}, Comment{}, false
}
