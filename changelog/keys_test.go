package changelog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestResolve is spec/changelog.md section 6.3, with S47 and S50.
func TestResolve(t *testing.T) {
	master := []string{"config-b", "config-a", "other", "toy-1", "toy-fp8-gx100-vllm", "a.c", "a?c", "a[1]c"}
	for _, tt := range []struct {
		patterns string // separated by blanks
		want     string
		codes    []string
	}{
		{"config-* config-a", "config-b config-a", nil},
		{"config-a config-*", "config-a config-b", nil},
		{"toy-fp8-gx100-vllm toy-*", "toy-fp8-gx100-vllm toy-1", nil},
		{"other other", "other", nil},
		{"*-b", "config-b", nil},
		{"c*g-*", "config-b config-a", nil},
		{"*fp8*vllm", "toy-fp8-gx100-vllm", nil},
		{"a.*", "a.c", nil},
		{"a?* a[1]c", "a?c a[1]c", nil},
		{"config-a*a", "", []string{"2 pattern-no-match"}},
		{"S47-nothing-*", "", []string{"2 pattern-no-match"}},
		{"*", strings.Join(master, " "), []string{"2 pattern-all warning"}},
		{"**", strings.Join(master, " "), []string{"2 pattern-all warning"}},
		{"toy-?", "", []string{"2 key-unknown-near"}},
		{"Config-a", "", []string{"2 key-unknown-near"}},
		{"nowhere-at-all", "", []string{"2 key-unknown"}},
		{"retired", "", []string{"2 key-removed"}},
		{"other config-x zzz*", "other", []string{"3 key-unknown-near", "4 pattern-no-match"}},
	} {
		t.Run(tt.patterns, func(t *testing.T) {
			text := "- config-keys:\n    - '" + strings.Join(strings.Fields(tt.patterns), "'\n    - '") + "'\n  description: [x]\n  pr-link: XXX\n"
			entries, findings := ExtractAdditions(testRules(), nil, []byte(text))
			if findings != nil {
				t.Fatal(findings)
			}
			got, findings := Resolve(testRules(), entries[0], Keys{Head: master, Base: []string{"other", "retired"}})
			if diff := cmp.Diff(strings.Fields(tt.want), got); diff != "" && len(got)+len(strings.Fields(tt.want)) > 0 {
				t.Error(diff)
			}
			wantCodes(t, findings, tt.codes...)
		})
	}
}

// TestResolveCategories: the words of the corpus.
func TestResolveCategories(t *testing.T) {
	e := Entry{ConfigKeys: []string{"x*", "y"}}
	_, findings := Resolve(testRules(), e, Keys{Head: []string{"a"}})
	var got []string
	for _, f := range findings {
		got = append(got, f.Category)
	}
	if diff := cmp.Diff([]string{"wildcard-no-match", "unknown-key"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestSingleConfigIsNotEverything: with one config, "*" is no surprise.
func TestSingleConfigIsNotEverything(t *testing.T) {
	got, findings := Resolve(testRules(), Entry{ConfigKeys: []string{"*"}}, Keys{Head: []string{"only"}})
	if len(got) != 1 || findings != nil {
		t.Errorf("%v %v", got, findings)
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		pattern, key string
		want         bool
	}{
		{"*", "", true}, {"a*", "a", true}, {"*a", "a", true}, {"a*a", "a", false}, {"a*a", "aa", true}, {"a*b*c", "aXbYc", true},
		{"a*b*c", "acb", false}, {"*a*", "bab", true}, {"*ab*b", "ab", false}, {"*", "a\nb", false}, {"a", "ab", false},
	} {
		if got := matches(tt.pattern, tt.key); got != tt.want {
			t.Errorf("%q %q: %v", tt.pattern, tt.key, got)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"dsr1-fp8-h200-vlm", "dsr1-fp8-h200-vllm"}, {"dsr1-fp4-h200-vllm", "dsr1-fp8-h200-vllm"}, {"zzz", ""}, {"", ""},
		{strings.Repeat("x", 100000), ""},
	} {
		if got := nearest(tt.text, []string{"dsr1-fp8-h200-vllm", "dsr1-fp8-b200-vllm"}); got != tt.want {
			t.Errorf("%.20s: %q", tt.text, got)
		}
	}
}
