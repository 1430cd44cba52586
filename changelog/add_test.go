package changelog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestAdd pins the written form.
func TestAdd(t *testing.T) {
	four := 4
	out, err := Add(testRules(), []byte(twoEntries()), Draft{
		ConfigKeys:       []string{"dsr1-fp8-h200-vllm", "dsr1-*", "*-mtp", "no"},
		Description:      []string{"Say \"it\" \\ with: #marks", "tab\tand\nline\u2028end", "中文"},
		PRLink:           link(7),
		EvalsOnly:        true,
		AllEvals:         true,
		EvalMinPrefillEP: &four,
		Scenarios:        []string{AgenticCoding},
	}, nil, 7)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "add.golden", string(out))
}

func TestAddPlacesAndRefuses(t *testing.T) {
	base := twoEntries()
	draft := func(key string) Draft {
		return Draft{ConfigKeys: []string{key}, Description: []string{"Change " + key}}
	}
	c := entry("c", "XXX")
	keys := &Keys{Head: []string{"c", "config-long"}}
	for _, tt := range []struct {
		name, head string
		draft      Draft
		want       string
		refused    string
	}{
		{"append", base, draft("c"), base + "\n" + c, ""},
		{"head ends with an empty line", base + "\n", draft("c"), base + "\n" + c, ""},
		{"head without newline", strings.TrimSuffix(base, "\n"), draft("c"), base + "\n" + c, ""},
		{"no file", "", draft("c"), c, ""},
		{"head unreadable", "x: [\n", draft("c"), "x: [\n\n" + c, ""},
		{"pattern", base, draft("c*"), base + "\n" + strings.ReplaceAll(entry("c*", "XXX"), "\\", ""), ""},
		{"unknown key", base, draft("confg-long"), "", "key-unknown-near"},
		{"pattern without match", base, draft("d*"), "", "pattern-no-match"},
		{"no description", base, Draft{ConfigKeys: []string{"c"}}, "", "empty-list"},
		{"no key", base, Draft{Description: []string{"x"}}, "", "empty-list"},
		{"scenario", base, Draft{ConfigKeys: []string{"c"}, Description: []string{"x"}, Scenarios: []string{"chat"}}, "", "unknown-scenario"},
		{"flags", base, Draft{ConfigKeys: []string{"c"}, Description: []string{"x"}, AppendOnly: true, AllEvals: true}, "", "flags-clash"},
		{"link", base, Draft{ConfigKeys: []string{"c"}, Description: []string{"x"}, PRLink: link(8)}, "", "link-wrong"},
		{"not UTF-8", base, Draft{ConfigKeys: []string{"c"}, Description: []string{"\xff"}}, "", "draft-not-utf8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out, err := Add(testRules(), []byte(tt.head), tt.draft, keys, 7)
			refusedWith(t, err, tt.refused)
			if diff := cmp.Diff(tt.want, string(out)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAddReadsBack: whatever the texts are, the entry that the planner reads
// is the draft, and the strict gate accepts it.
func TestAddReadsBack(t *testing.T) {
	base := []byte(twoEntries())
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 1, 3)
		draft := Draft{
			ConfigKeys: texts.Draw(t, "keys"), Description: texts.Draw(t, "description"),
			EvalsOnly: rapid.Bool().Draw(t, "evals-only"), AllEvals: rapid.Bool().Draw(t, "all-evals"),
		}
		out, err := Add(testRules(), base, draft, nil, 7)
		if err != nil {
			t.Fatalf("refused: %v", err)
		}
		if v := Strict(testRules(), base, out, 7); !v.Accepted || v.Additions != 1 {
			t.Fatalf("strict: %v", v)
		}
		entries, findings := ExtractAdditions(testRules(), base, out)
		if findings != nil {
			t.Fatal(findings)
		}
		got := Draft{ConfigKeys: entries[0].ConfigKeys, Description: entries[0].Description,
			EvalsOnly: entries[0].EvalsOnly, AllEvals: entries[0].AllEvals}
		if diff := cmp.Diff(draft, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
