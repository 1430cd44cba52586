package config

import (
	"strings"
	"testing"
)

func TestTextKinds(t *testing.T) {
	for _, test := range []struct {
		name string
		kind *textKind
		good []string
		bad  []string
	}{
		{
			"path", &kindPath,
			[]string{"configs/runners.yaml", "a", ".github/CODEOWNERS", "a b/c", "名/x.yaml", "a..b", ".gitignore"},
			[]string{
				"", ".", "..", "../a", "a/../b", "a/..", "/etc/passwd", "a//b", "a/", "./a", `a\b`, "C:/a", "a:b",
				".git/config", "a/.GIT/x", "-rf", "a\nb", "a\x00b", "a\u202eb", "\u200bx", "*.yaml", "a?b", "{dir}/x", "\ufffd",
				strings.Repeat("x", maxPath+1),
			},
		},
		{"folder", &kindFolder, []string{"", "docs/waiver"}, []string{".", "/", "docs/"}},
		{
			"template", &kindTemplate,
			[]string{"", "recipes/{dir}", "{dir}", "r/{dir}/s"},
			[]string{"{pr}", "r/{dir", "../{dir}", "/{dir}", "{dir}/"},
		},
		{
			"label", &kindLabel,
			[]string{"full-sweep", "bench: all", "性能", "👩‍🚀 go", `a"b`, "$(x)", strings.Repeat("é", maxLabel)},
			[]string{"", " a", "a ", "a\tb", "a\u2028b", "a\u200bb", strings.Repeat("é", maxLabel+1)},
		},
		{
			"workflow", &kindWorkflow,
			[]string{"run-sweep.yml", "a.yaml", "a.b.yml"},
			[]string{"", "run-sweep", "x/run.yml", "../run.yml", ".yml", "run.YML", "a b.yml", "-x.yml", "run.yml\n"},
		},
		{
			"repository", &kindRepository,
			[]string{"acme/bench", "A-b/c.d_e-f", "a/b"},
			[]string{"", "acme", "acme/", "/bench", "a/b/c", "-a/b", "a-/b", "a--b/c", "a/..", "a/.", "a/b c", "https://github.com/a/b"},
		},
		{
			"branch", &kindBranch,
			[]string{"main", "release/1.2", "v1"},
			[]string{"", "-x", "a..b", "a//b", "a/", "a.", "a.lock", "a b", "a~1", "refs^", "/a", "@{u}"},
		},
		{"no repository", &kindMaybeRepo, []string{"", "acme/results"}, []string{"acme", " "}},
		{
			"site", &kindSite,
			[]string{"", "https://bench.example", "http://127.0.0.1:8080", "https://a.example/pages/x/"},
			[]string{
				"bench.example", "ftp://a.example", "https://", "https://user@a.example", "https://a.example?x=1", "https://a.example/#x",
				"https://a.example/(x)", "https://a.example/ x", "https://a.example/../x", "javascript:alert(1)", "https://-a.example",
				"https://a.example/" + strings.Repeat("x", maxPath),
			},
		},
		{"mount", &kindMount, []string{"", "models:/models", "/data/x:/x"}, []string{"x", "x:y", "a,b:/c", "../x:/c", "$HOME:/x", "a:/b:ro"}},
		{"word", &kindWord, []string{"kimik3", "glm5.1", "row+recipe"}, []string{"", "a b", "-a", "a/b"}},
	} {
		for _, text := range test.good {
			if !test.kind.check(text) {
				t.Errorf("%s: %q is refused", test.name, text)
			}
		}
		for _, text := range test.bad {
			if test.kind.check(text) {
				t.Errorf("%s: %q is accepted", test.name, text)
			}
		}
	}
}

func TestNearest(t *testing.T) {
	keys := []string{"masters", "runners", "probe", "golden-al", "base-branch"}
	for name, want := range map[string]string{
		"master":                      "masters",
		"Masters":                     "masters",
		"golden_al":                   "golden-al",
		"GOLDEN_AL":                   "golden-al",
		"porbe":                       "probe",
		"basebranch":                  "base-branch",
		"x":                           "",
		"models":                      "",
		"":                            "",
		strings.Repeat("masters", 20): "",
	} {
		if got := nearest(name, keys); got != want {
			t.Errorf("nearest(%q) = %q, want %q", name, got, want)
		}
	}
}
