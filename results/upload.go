package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Upload is one artifact as the platform lists it. Everything that identifies
// it comes from there, never from its content.
type Upload struct {
	ID      int64
	Name    string
	Size    int64
	Digest  string // "sha256:<hex>", "" for uploads that have none
	Created time.Time
	Expired bool
	// Run and Attempt are those of the producing job, 0 when not known.
	Run     int64
	Attempt int
}

// compare orders uploads of one name: unexpired before expired, then by time of
// creation, then by number.
func (u Upload) compare(other Upload) int {
	if u.Expired != other.Expired {
		if u.Expired {
			return -1
		}
		return 1
	}
	return cmp.Or(u.Created.Compare(other.Created), cmp.Compare(u.ID, other.ID), cmp.Compare(u.Attempt, other.Attempt), strings.Compare(u.Digest, other.Digest))
}

// place is where findings about an upload point to.
func (u Upload) place() diag.Place { return diag.Place{File: u.Name} }

// Choose picks, for each exact name, the newest upload that has not expired
// (spec/results.md section 9). Older ones are notes; a name of which nothing is
// left is an error. The order of the input never matters.
func Choose(uploads []Upload) (chosen []Upload, list diag.List) {
	sorted := slices.Clone(uploads)
	slices.SortFunc(sorted, func(a, b Upload) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), b.compare(a))
	})
	for i, u := range sorted {
		switch {
		case i > 0 && sorted[i-1].Name == u.Name:
			if u.ID != chosen[len(chosen)-1].ID {
				list = append(list, superseded(u, chosen[len(chosen)-1]))
			}
		default:
			chosen = append(chosen, u)
			if u.Expired {
				list = append(list, diag.New("results.artifact-expired", u.place(), "artifact", u.Name, "id", fmt.Sprint(u.ID)))
			}
		}
	}
	return chosen, append(list, similarNames(chosen)...)
}

// OfAttempt returns the newest upload of a name by one attempt. It never gives
// that of another attempt: who asks for attempt 2 must not be shown the state of
// attempt 1 (spec/known-failures.md F48).
func OfAttempt(uploads []Upload, name string, attempt int) (Upload, diag.List) {
	var of []Upload
	for _, u := range uploads {
		if u.Name == name && u.Attempt == attempt && attempt > 0 {
			of = append(of, u)
		}
	}
	chosen, list := Choose(of)
	if len(chosen) == 0 {
		return Upload{}, diag.List{diag.New("results.attempt-missing", diag.Place{File: name}, "artifact", name, "attempt", fmt.Sprint(attempt))}
	}
	return chosen[0], list
}

func superseded(old, winner Upload) diag.Finding {
	return diag.New("results.artifact-superseded", old.place(), "artifact", old.Name,
		"old", fmt.Sprint(old.ID), "new", fmt.Sprint(winner.ID)).WithSeverity(diag.Note)
}

// similarNames warns of artifacts whose names differ in case only: unpacked side
// by side on some systems they are one.
func similarNames(uploads []Upload) diag.List {
	var list diag.List
	seen := make(map[string]string, len(uploads))
	for _, u := range uploads {
		folded := strings.ToLower(u.Name)
		if other, ok := seen[folded]; ok {
			list = append(list, diag.New("results.artifact-case", u.place(), "artifact", u.Name, "other", other).WithSeverity(diag.Warning))
		}
		seen[folded] = u.Name
	}
	return list
}
