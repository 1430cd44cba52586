package conformance

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// multisets are the lists of results whose order does not matter.
var multisets = []string{"errors", "failures", "rows", "accepted", "rejected", "removed", "dedupe", "checks", "fields"}

// CompareResults returns the differences between an expectation and ours, one
// line each; nil means that they agree. Numbers may differ by share, relative to
// the larger one, and by absolute.
func CompareResults(c ResultCase, want, got map[string]any) []string {
	if want["outcome"] == "unreadable" {
		if got["outcome"] == "accept" {
			return []string{"want a refusal, got " + fmt.Sprint(got["outcome"])}
		}
		return nil
	}
	d := resultDiff{share: 1e-9}
	if c.What == "agentic-metrics" {
		d.absolute = 1.5e-5
	}
	if c.Kind == "eval-threshold" {
		d.absolute = 5e-5 // shown with four decimals
	}
	d.compare("", want, got)
	return d.lines
}

type resultDiff struct {
	share, absolute float64
	lines           []string
}

func (d *resultDiff) report(at string, want, got any) {
	if len(d.lines) < maxDifferences {
		d.lines = append(d.lines, fmt.Sprintf("%s: want %s, got %s", at, short(want), short(got)))
	}
}

func (d *resultDiff) compare(at string, want, got any) {
	switch w := want.(type) {
	case map[string]any:
		if g, ok := got.(map[string]any); ok {
			d.maps(at, w, g)
			return
		}
	case []any:
		if g, ok := got.([]any); ok {
			d.lists(at, w, g)
			return
		}
	case float64:
		if g, ok := got.(float64); ok && math.Abs(w-g) <= max(d.absolute, d.share*max(math.Abs(w), math.Abs(g))) {
			return
		}
	default:
		if want == got {
			return
		}
	}
	d.report(at, want, got)
}

func (d *resultDiff) maps(at string, want, got map[string]any) {
	names := make([]string, 0, len(want)+len(got))
	for name := range want {
		names = append(names, name)
	}
	for name := range got {
		if _, ok := want[name]; !ok && !strings.HasPrefix(name, "power_") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		w, inWant := want[name]
		g, inGot := got[name]
		switch {
		case strings.HasPrefix(name, "power_"):
		case inWant != inGot:
			d.report(at+"."+name, w, g)
		default:
			if slices.Contains(multisets, name) {
				w, g = sortedList(w), sortedList(g)
			}
			d.compare(at+"."+name, w, g)
		}
	}
}

func (d *resultDiff) lists(at string, want, got []any) {
	if len(want) != len(got) {
		d.report(at, want, got)
		return
	}
	for i := range want {
		d.compare(fmt.Sprintf("%s[%d]", at, i), want[i], got[i])
	}
}

// sortedList orders a list by its elements' JSON; other values stay.
func sortedList(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	keys := make([]string, len(list))
	for i, item := range list {
		data, err := json.Marshal(item)
		keys[i] = string(data) + fmt.Sprint(err)
	}
	list = slices.Clone(list)
	sort.Sort(&keyed{keys, list})
	return list
}

type keyed struct {
	keys []string
	list []any
}

func (k *keyed) Len() int           { return len(k.keys) }
func (k *keyed) Less(i, j int) bool { return k.keys[i] < k.keys[j] }
func (k *keyed) Swap(i, j int) {
	k.keys[i], k.keys[j] = k.keys[j], k.keys[i]
	k.list[i], k.list[j] = k.list[j], k.list[i]
}
