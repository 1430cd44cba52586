package bot

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// LabelsAt replays the history of labels up to a time, that time included: the
// labels that were set then, in the order in which they were added. A label
// that is taken off and put on again later does not make an older run an
// unlabelled one (known failure F52). Events of unknown time come last.
func LabelsAt(events []LabelEvent, at time.Time) []string {
	var set []string
	for _, e := range inOrder(events) {
		if e.CreatedAt.IsZero() || e.CreatedAt.After(at) {
			break
		}
		set = slices.DeleteFunc(set, func(name string) bool { return strings.EqualFold(name, e.Label) })
		if e.Added {
			set = append(set, e.Label)
		}
	}
	return set
}

func inOrder(events []LabelEvent) []LabelEvent {
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b LabelEvent) int {
		if a.CreatedAt.IsZero() != b.CreatedAt.IsZero() {
			if a.CreatedAt.IsZero() {
				return 1
			}
			return -1
		}
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return sorted
}

// approvalWindow is how long after a label event GitHub may create the run
// that it causes.
const approvalWindow = time.Minute

// approval finds the event in which a person put one of the wanted labels on a
// pull request at about a time. Of the events about such labels only the
// newest up to that time counts, and only if it is that person's: an older
// one, one that took the label off, and those of others approve nothing.
func approval(events []LabelEvent, wanted []string, person User, at time.Time) (LabelEvent, bool) {
	var last LabelEvent
	for _, e := range inOrder(events) {
		if e.CreatedAt.IsZero() || e.CreatedAt.After(at.Add(time.Second)) {
			break
		}
		if isWanted(wanted, e) {
			last = e
		}
	}
	ok := last.Added && person.ID != 0 && last.Actor.ID == person.ID && at.Sub(last.CreatedAt) <= approvalWindow
	return last, ok
}

// isWanted reports whether an event is about one of some labels.
func isWanted(wanted []string, e LabelEvent) bool {
	return slices.ContainsFunc(wanted, func(name string) bool { return strings.EqualFold(name, e.Label) })
}
