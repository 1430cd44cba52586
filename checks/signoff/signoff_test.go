package signoff

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const body = `As a PR reviewer and CODEOWNER, I have reviewed this and have:
- [x] Verified that this PR has passed PR validation. https://github.com/acme/bench/actions/runs/48100200300.
- [ ] Verified evals, see [run](https://github.com/acme/bench/actions/runs/48100200301?pr=5)
  which took long
  * [X] a sub-item (https://example.com/a_(b)) that names the additional detail section below
- [x] wrapped item whose text
  goes on in the additional detail section

### Additional detail section:
- insert any additional info here
-
- Waiver: docs/waiver/12.md, https://example.com/x.

` + "```" + `
vllm serve --flag
` + "```" + `

Signed: ` + "`dana`" + `
trailing - [ ] nothing
`

func TestParse(t *testing.T) {
	d := Parse(body)
	want := []Item{
		{Text: "Verified that this PR has passed PR validation. https://github.com/acme/bench/actions/runs/48100200300.", Checked: true, Line: 2},
		{Text: "Verified evals, see [run](https://github.com/acme/bench/actions/runs/48100200301?pr=5) which took long", Line: 3},
		{Text: "a sub-item (https://example.com/a_(b)) that names the additional detail section below", Checked: true, Line: 5, Indent: 2},
		{Text: "wrapped item whose text goes on in the additional detail section", Checked: true, Line: 6},
	}
	if diff := cmp.Diff(want, d.Items); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	if want := "- Waiver: docs/waiver/12.md, https://example.com/x.\n\n```\nvllm serve --flag\n```"; d.Detail != want {
		t.Errorf("detail section %q, want %q", d.Detail, want)
	}
	if d.Signed != "dana" || d.DetailLine != 9 {
		t.Errorf("signed %q, detail section at line %d", d.Signed, d.DetailLine)
	}
	if diff := cmp.Diff([]Link{
		{URL: "https://github.com/acme/bench/actions/runs/48100200300", Item: 0},
		{URL: "https://github.com/acme/bench/actions/runs/48100200301?pr=5", Item: 1},
		{URL: "https://example.com/a_(b)", Item: 2},
		{URL: "https://example.com/x", Detail: true, Item: -1},
	}, d.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if runs := d.Runs(); !slices.Equal(runs, []int64{48100200300, 48100200301}) {
		t.Errorf("runs %v", runs)
	}
	if !d.Mentions("waiver") || d.Mentions("waive") {
		t.Error("the detail section mentions waiver, as a word only")
	}
}

// TestIs covers what is a sign-off and what only looks like one
// (spec/verdict.md section 1.1, spec/verdict-causes.md T2).
func TestIs(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"plain":                  {body, true},
		"phrase alone":           {"As a PR reviewer and CODEOWNER: fine", true},
		"in a sentence":          {"ok. As a PR reviewer and CODEOWNER, I", true},
		"other case":             {"as a pr reviewer and codeowner", false},
		"verdict quoting it":     {"<!-- codeowner-signoff-verify signoff=issuecomment-1 -->\n" + body, false},
		"quoted":                 {"> " + strings.ReplaceAll(body, "\n", "\n> "), false},
		"quoted deep":            {strings.Repeat("> ", 5000) + body, false},
		"quoted, then own words": {"> x\n\n" + body, true},
		"lazy quotation":         {"> I think\nAs a PR reviewer and CODEOWNER, I", false},
		"fenced":                 {"```\n" + body + "\n~~~", false},
		"indented code":          {"x\n\n    As a PR reviewer and CODEOWNER, I have", false},
		"comment":                {"x <!-- As a PR reviewer and CODEOWNER --> y", false},
		"comment over lines":     {"<!--\nAs a PR reviewer and CODEOWNER\n-->\nfine", false},
		"comment without end":    {"<!--\n" + body, false},
		"behind a comment":       {"<!-- note -->\n" + body, true},
		"look-alike letters":     {"As а PR reviewer and CODEOWNER", false}, // the second letter a is Cyrillic
		"carriage returns":       {strings.ReplaceAll(body, "\n", "\r\n"), true},
	} {
		if got := Is(c.body); got != c.want {
			t.Errorf("%s: Is = %v", name, got)
		}
	}
}

func TestQuotedItemsAreNotItems(t *testing.T) {
	d := Parse("As a PR reviewer and CODEOWNER\n> - [x] quoted\n\n- [ ] own\n\n```\n- [x] code\n```\n<!--\n- [x] hidden\n-->\n- [x] last <!-- x -->\n")
	var texts []string
	for _, item := range d.Items {
		texts = append(texts, item.Text)
	}
	if !slices.Equal(texts, []string{"own", "last"}) {
		t.Errorf("items %q", texts)
	}
}

const document = "# Checklist\n\n## Template\n```\nAs a PR reviewer and CODEOWNER, I have reviewed this and have:\n" +
	"- [ ] Verified that this is the latest version of [CHECKLIST.md](https://x/y)\n" +
	"- [ ] Verified that this PR has passed PR validation. Please link to the workflow that shows this.\n" +
	"- [ ] Verified that this PR passes evals. Please link to the workflow that shows this.\n" +
	"  - [ ] I linked the upstream recipe and verified that it is **MERGED**\n" +
	"### Additional detail section:\n- insert any additional info here\n```\n## Example\n"

func TestTemplateMatching(t *testing.T) {
	template := Parse(Template(document)).Items
	if len(template) != 4 {
		t.Fatalf("the template has %d items", len(template))
	}
	for name, c := range map[string]struct {
		copied string
		found  []int
	}{
		"verbatim": {Template(document), []int{0, 1, 2, 3}},
		"reordered": {
			"- [x] Verified that this PR passes evals. Please link to the workflow that shows this. run 5 is green\n" +
				"- [x] Verified that this PR has passed PR validation. Please link to the workflow that shows this.\n" +
				"- [x] I linked the upstream recipe and verified it is merged\n- [x] Verified: latest version of CHECKLIST.md\n",
			[]int{3, 1, 0, 2},
		},
		"older": {
			"- [x] Verified that this is the latest version of CHECKLIST.md\n- [x] Verified that this PR passes evals. Please link to the workflow that shows this.\n",
			[]int{0, -1, 1, -1},
		},
		"nothing": {"fine by me", []int{-1, -1, -1, -1}},
	} {
		var found []int
		for _, m := range Compare(template, Parse(c.copied).Items, MinScore) {
			found = append(found, m.Found)
		}
		if !slices.Equal(found, c.found) {
			t.Errorf("%s: found %v, want %v", name, found, c.found)
		}
	}
	if got := Rarest(template, template[3], 3); !slices.Equal(got, []string{"linked", "upstream", "recipe"}) {
		t.Errorf("rarest words %q", got)
	}
	if Template("# no template\n```\nx\n```") != "" {
		t.Error("a template was found where there is none")
	}
}

// FuzzParse holds that reading ends, that items are lines of the body, and that
// links are URLs.
func FuzzParse(f *testing.F) {
	f.Add(body)
	f.Add(Template(document))
	f.Add(strings.Repeat("> ", 300) + "- [ ] x")
	f.Add("- [ ] a\n  - [x] b\n\tc\n<!--")
	f.Fuzz(func(t *testing.T, body string) {
		Is(body)
		d := Parse(body)
		for _, item := range d.Items {
			if item.Line < 1 || strings.ContainsRune(item.Text, '\n') {
				t.Fatalf("item %+v", item)
			}
		}
		for _, l := range d.Links {
			if !strings.HasPrefix(l.URL, "http") || l.Item >= len(d.Items) {
				t.Fatalf("link %+v", l)
			}
		}
		Compare(d.Items, d.Items, MinScore)
	})
}

// BenchmarkParse reads what costs most: a body of the full length.
func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{
		"checklist": body,
		"quotes":    strings.Repeat(strings.Repeat(">", 1000)+"\n", 65),
		"emphasis":  strings.Repeat("**_", 65536/3),
		"items":     strings.Repeat("- [ ] a\n", 65536/8),
		"nested":    strings.Repeat("- ", 32768) + "[ ] x",
		"mixed":     strings.Repeat("1. > * ", 9000) + "[ ] x",
		"stairs":    stairs(),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Parse(text)
			}
		})
	}
}

// stairs are lists within lists, each line one deeper.
func stairs() string {
	var b strings.Builder
	for i := 0; b.Len() < 65536; i++ {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}
