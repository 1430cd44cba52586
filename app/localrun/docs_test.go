package localrun

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// variableName is a variable in the table of docs/local-sweep.md.
var variableName = regexp.MustCompile("`([A-Z][A-Z0-9_]+)`")

func TestDocumentedVariablesAreThoseOfThePoints(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "local-sweep.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(page), "### What a launcher gets")
	if !ok {
		t.Fatal("the page has no section of variables")
	}
	section, _, _ = strings.Cut(section, "### ")
	var documented, set []string
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, m := range variableName.FindAllStringSubmatch(cells[1], -1) {
				documented = append(documented, m[1])
			}
		}
	}
	settings := []string{"PREFILL_NODES", "DECODE_NODES", "DECODE_GRAPH"} // of the sample
	for _, c := range contracts {
		for _, p := range onePerFamily(t, c.Contract) {
			for _, v := range p.Env {
				if !slices.Contains(set, v.Name) && !slices.Contains(settings, v.Name) {
					set = append(set, v.Name)
				}
			}
		}
	}
	for _, name := range set {
		if !slices.Contains(documented, name) {
			t.Errorf("%s is set and not documented", name)
		}
	}
	for _, name := range documented {
		if !slices.Contains(set, name) {
			t.Errorf("%s is documented and not set", name)
		}
	}
}
