package bot

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

var moreForm = regexp.MustCompile(`\.\.\. and (\d+) more\.`)

// Whatever is laid out fits, closes its folds, and accounts for every item.
func TestLayoutFitsAndCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) section {
			s := section{lang: catalog.English, lines: []string{"intro " + name}, fold: "fold", folded: rapid.Bool().Draw(t, "folded")}
			for i := range rapid.IntRange(0, 60).Draw(t, "items") {
				s.items = append(s.items, fmt.Sprintf("- item %d %s", i, strings.Repeat("x", rapid.IntRange(0, 50).Draw(t, "width"))))
			}
			return s
		}
		outer := draw("outer")
		outer.nested = []section{draw("inner")}
		all := []section{draw("first"), outer}
		total := len(all[0].items) + len(outer.items) + len(outer.nested[0].items)
		limit := rapid.IntRange(400, 6000).Draw(t, "limit")
		text := layout(all, limit)
		if len(text) > limit {
			t.Fatalf("%d bytes, limit %d", len(text), limit)
		}
		if strings.Count(text, "<details>") != strings.Count(text, "</details>") {
			t.Fatalf("open fold:\n%s", text)
		}
		shown := strings.Count(text, "- item ")
		for _, m := range moreForm.FindAllStringSubmatch(text, -1) {
			n, _ := strconv.Atoi(m[1])
			shown += n
		}
		if shown != total && !strings.Contains(text, catalog.Message(catalog.English, "bot.cut-hard")) {
			t.Fatalf("%d of %d items are accounted for:\n%s", shown, total, text)
		}
	})
}

func TestHardCut(t *testing.T) {
	text := "line one\n<details>\n<summary>s</summary>\n\n" + strings.Repeat("long line\n", 100) + "</details>"
	got := hardCut(text, 200, catalog.English)
	if len(got) > 200 || !strings.Contains(got, "</details>\n\n... the rest") {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
	if got := hardCut(strings.Repeat("x", 500), 100, catalog.English); len(got) > 100 {
		t.Errorf("%d bytes", len(got))
	}
}
