package changelog

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
)

var docsPage = filepath.Join("..", "docs", "changelog.md")

// between returns the text between two marks of the page, which stays as it is
// outside of them.
func between(t *testing.T, page, begin, end string) (before, text, after string) {
	t.Helper()
	before, rest, ok := strings.Cut(page, begin+"\n")
	text, after, found := strings.Cut(rest, end)
	if !ok || !found {
		t.Fatalf("the page has no %s ... %s", begin, end)
	}
	return before + begin + "\n", text, end + after
}

func readPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(docsPage)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestDocsExample: the entry that the page shows is one that we accept.
func TestDocsExample(t *testing.T) {
	_, text, _ := between(t, readPage(t), "<!-- begin example -->", "<!-- end example -->")
	text = strings.TrimSuffix(strings.TrimPrefix(text, "```yaml\n"), "```\n")
	base := twoEntries()
	if v := Strict(testRules(), []byte(base), []byte(base+"\n"+text), 7); !v.Accepted || v.Additions != 1 {
		t.Errorf("%v", v.Findings)
	}
}

// TestDocsKeys: the table of the page has every key of the schema.
func TestDocsKeys(t *testing.T) {
	page := readPage(t)
	for _, key := range testRules().keys() {
		if !strings.Contains(page, "| `"+key+"` |") {
			t.Errorf("the page does not explain %s", key)
		}
	}
}

// TestFixTable holds the table of what Fix does on real history that the
// strict gate rejects.
func TestFixTable(t *testing.T) {
	before, want, after := between(t, readPage(t), "<!-- begin generated: fix -->", "<!-- end generated -->")
	got := fixTable(t)
	if *update {
		if err := os.WriteFile(docsPage, []byte(before+got+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/changelog.md (want, got):\n%s", diff)
	}
}

func fixTable(t *testing.T) string {
	var rows []string
	mended := 0
	for _, c := range corpusCases(t) {
		if !c.has("gate") || c.Kind == "mutation" {
			continue
		}
		verdict := Strict(strictRules(), c.base, c.head, PR(c.PR))
		if verdict.Accepted {
			continue
		}
		fixed, err := Fix(strictRules(), c.base, c.head, PR(c.PR))
		does := ""
		if err != nil {
			does = "refuses: " + refusals(err.(diag.List))
		} else {
			does = mendings(fixed.Mended)
			if len(withFinalLF(c.base)) > len(c.base) {
				does = "sets the newline that the base lacks; " + does
			}
			mended++
		}
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |", c.ID, verdict.Findings[0].Category, does))
	}
	sort.Strings(rows)
	return fmt.Sprintf("\n%d of %d are mended.\n\n| case | the strict gate says | `fix` |\n| --- | --- | --- |\n%s\n\n",
		mended, len(rows), strings.Join(rows, "\n"))
}

// words tells in a few words what a code means in the table.
var words = map[string]string{
	"not-at-end":          "moves the new entry to the end",
	"entry-deleted":       "restores the deleted entry",
	"entry-indented":      "begins the indented entry in the first column",
	"separator-before":    "sets the empty line before the new entry",
	"separator-between":   "sets the empty line between the new entries",
	"trailing-blank-line": "removes the empty line at the end",
	"gap-changed":         "restores the blank lines between old entries",
	"no-final-newline":    "sets the final newline",
	"history-unreadable":  "the base is not valid YAML itself",
	"link-wrong":          "the link names another pull request",
}

func refusals(list diag.List) string {
	var parts []string
	for _, f := range list {
		parts = append(parts, wording(f.Code))
	}
	return strings.Join(parts, "; ")
}

func mendings(problems []Problem) string {
	count := make(map[string]int)
	var order []string
	for _, p := range problems {
		if count[p.Code]++; count[p.Code] == 1 {
			order = append(order, p.Code)
		}
	}
	var parts []string
	for _, code := range order {
		text := wording(code)
		if count[code] > 1 {
			text = fmt.Sprintf("%s (%d times)", text, count[code])
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

func wording(code string) string {
	short := strings.TrimPrefix(code, "changelog.")
	if text, ok := words[short]; ok {
		return text
	}
	return short
}
