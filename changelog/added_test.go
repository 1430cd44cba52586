package changelog

import (
	"slices"
	"testing"
)

const (
	entryA = "- config-keys:\n    - a\n  description:\n    - first\n  pr-link: https://github.com/acme/bench/pull/1\n"
	entryB = "- config-keys:\n    - b\n  description:\n    - second\n  pr-link: https://github.com/acme/bench/pull/2\n"
	entryC = "- description:\n    - third\n  config-keys:\n    - c\n  pr-link: https://github.com/acme/bench/pull/3\n"
)

func TestAdded(t *testing.T) {
	link := "- config-keys:\n    - a\n  description:\n    - first\n  pr-link: https://github.com/acme/bench/pull/9\n"
	for name, c := range map[string]struct {
		base, head string
		keys       []string
		refused    bool
	}{
		"appended":       {entryA, entryA + entryB, []string{"b"}, false},
		"inserted":       {entryA + entryB, entryA + entryC + entryB, []string{"c"}, false},
		"link corrected": {entryA + entryB, link + entryB, nil, false},
		"said twice":     {entryA, entryA + entryA, []string{"a"}, false},
		"reordered":      {entryA + entryB, entryB + entryA, nil, false},
		"removed":        {entryA + entryB, entryB, nil, false},
		"from nothing":   {"", entryA, []string{"a"}, false},
		"broken entry":   {entryA, entryA + "- config-keys: 5\n" + entryB, []string{"b"}, true},
		"no list":        {entryA, "x: 1\n", nil, true},
		"no YAML":        {entryA, "- [\n", nil, true},
	} {
		entries, findings := Added(Rules{File: "c.yaml", Repository: "acme/bench"}, []byte(c.base), []byte(c.head))
		var keys []string
		for _, e := range entries {
			keys = append(keys, e.ConfigKeys...)
		}
		if !slices.Equal(keys, c.keys) || (findings != nil) != c.refused {
			t.Errorf("%s: added %v, findings %v", name, keys, findings)
		}
	}
	if got := All(Rules{File: "c.yaml"}, []byte(entryA+"- 7\n"+entryB)); len(got) != 2 {
		t.Errorf("%d entries", len(got))
	}
}
