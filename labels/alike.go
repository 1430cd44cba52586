package labels

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/spelling"
)

// Bounds of the search for look-alikes: it is a courtesy, and label names come
// from strangers.
const (
	alikeFindings = 5   // at most so many are reported
	alikeLabels   = 100 // at most so many labels are looked at
	alikeBytes    = 64  // longer names resemble nothing
	alikeDistance = 2   // edits between two similar names
	alikeShortest = 6   // shorter names resemble nothing by edits
)

// lookAlikes warns of labels that mean nothing here but resemble one that
// does: a slip of the pen, or a label of another era.
func lookAlikes(known vocabulary, labels []string) diag.List {
	var found diag.List
	for _, label := range labels[:min(len(labels), alikeLabels)] {
		if len(found) == alikeFindings {
			break
		}
		if name := resembles(known, label); name != "" {
			found = append(found, diag.New("labels.look-alike", diag.Place{},
				"label", shown(label), "known", shown(name)).WithSeverity(diag.Warning))
		}
	}
	return found
}

// resembles returns the recognised name nearest to a label, or "". Equal words
// come first, then few edits, then many words in common; the policy's order
// decides between equals.
func resembles(known vocabulary, label string) string {
	if len(label) > alikeBytes {
		return ""
	}
	best, nearest := "", farAway
	text := plainWords(label)
	for _, name := range known.names {
		if d := farness(text, plainWords(name)); d < nearest {
			best, nearest = name, d
		}
	}
	return best
}

const farAway = 1000

// farness is 0 for equal texts, 1 and 2 for that many edits, then up to 100
// for texts that share most of their words, and farAway for all others.
func farness(a, b string) int {
	if a == b {
		return 0
	}
	if min(len(a), len(b)) >= alikeShortest && max(len(a)-len(b), len(b)-len(a)) <= alikeDistance {
		if d := spelling.Distance(a, b); d <= alikeDistance {
			return d
		}
	}
	shared, all := words(a, b)
	if 5*shared >= 3*all {
		return 100 - 90*shared/all
	}
	return farAway
}

// plainWords lowers a name and joins its runs of letters and digits by "-".
func plainWords(name string) string {
	return strings.Join(strings.FieldsFunc(fold(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
}

// words counts the words that two names share and that they have together.
func words(a, b string) (shared, all int) {
	in := map[string]int{}
	for _, word := range strings.Split(a, "-") {
		in[word] |= 1
	}
	for _, word := range strings.Split(b, "-") {
		in[word] |= 2
	}
	for _, where := range in {
		if where == 3 {
			shared++
		}
	}
	return shared, len(in)
}
