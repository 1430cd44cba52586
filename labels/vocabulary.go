package labels

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
)

// vocabulary holds the recognised labels of a policy: whole names, compared
// without regard to ASCII case, as GitHub compares label names and as the
// expressions of Actions compare strings. Nothing is ever matched by prefix or
// pattern (known failure F37).
type vocabulary struct {
	names []string          // in the order of the policy
	known map[string]string // folded name to the policy's spelling
}

func newVocabulary(policy config.Labels) vocabulary {
	v := vocabulary{known: map[string]string{}}
	for i := range policy.Primaries {
		v.add(policy.Primaries[i].Name)
	}
	v.add(policy.AllEvals, policy.EvalsOnly, policy.AgentXFast, policy.OnlyStale, policy.SkipQueue)
	v.add(policy.Patchwork...)
	v.add(policy.PatchworkWaived...)
	v.add(policy.ChecklistComplete...)
	return v
}

// add skips empty names: an era that does not know a label leaves it empty,
// and an event without a label must not match it.
func (v *vocabulary) add(names ...string) {
	for _, name := range names {
		if name == "" {
			continue
		}
		if _, twice := v.known[fold(name)]; !twice {
			v.names = append(v.names, name)
			v.known[fold(name)] = name
		}
	}
}

// has reports whether the label is recognised.
func (v vocabulary) has(label string) bool {
	_, ok := v.known[fold(label)]
	return ok
}

// set is the labels of a pull request, folded. Order and repeats are gone.
type set map[string]bool

func newSet(labels []string) set {
	s := make(set, len(labels))
	for _, label := range labels {
		s[fold(label)] = true
	}
	return s
}

// has reports whether the pull request carries the named label of the policy.
func (s set) has(name string) bool { return name != "" && s[fold(name)] }

// of returns those of the named labels that the pull request carries, in the
// order of the names.
func (s set) of(names []string) []string {
	var carried []string
	for _, name := range names {
		if s.has(name) {
			carried = append(carried, name)
		}
	}
	return carried
}

// fold lowers ASCII letters only: Unicode folding would let look-alike
// letters such as the Kelvin sign pass for a recognised label.
func fold(label string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, label)
}

// shownLimit bounds a label name inside a message.
const shownLimit = 80

// shown returns a label name for use in a message. A name is hostile text
// (spec/security.md S37): anything but the characters of ordinary names is
// quoted, with control characters escaped, so that it stays on its line.
func shown(label string) string {
	if len(label) > shownLimit {
		label = strings.ToValidUTF8(label[:shownLimit], "") + "..."
	}
	if label != "" && strings.Trim(label, plainCharacters) == "" {
		return label
	}
	return strconv.Quote(label)
}

const plainCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:"

// shownList joins label names for use in a message.
func shownList(labels []string) string {
	quoted := make([]string, len(labels))
	for i, label := range labels {
		quoted[i] = shown(label)
	}
	return strings.Join(quoted, ", ")
}
