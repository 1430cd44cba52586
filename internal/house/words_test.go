package house

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// forbidden are marks of unfinished work and paths of one person's machine. A
// mark stands at the start of a comment or line, or has a colon or bracket
// behind it; the same words elsewhere may be data. The words are put together
// here so that this file does not contain them.
var forbidden = regexp.MustCompile(strings.Join([]string{
	`(?:^|//|/\*|#|<!--)[\s>*-]*(?:TO` + `DO|FIX` + `ME)\b`,
	`\b(?:TO` + `DO|FIX` + `ME)[:(]`,
	`(?:^|[^\w.])/wo` + `rk/`, `(?:^|[^\w.])/ro` + `ot/`, `(?:^|[^\w.])/ho` + `me/\w`,
}, "|"))

// wordOffences finds forbidden words in texts, by path.
func wordOffences(files map[string]string) []string {
	var offences []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for i, line := range strings.Split(files[name], "\n") {
			if word := forbidden.FindString(line); word != "" {
				offences = append(offences, fmt.Sprintf("%s:%d: %q must not be committed", name, i+1, strings.TrimSpace(word)))
			}
		}
	}
	return offences
}

func TestNoForbiddenWords(t *testing.T) {
	report(t, wordOffences(textFiles(t, ".go", ".md", ".yml", ".yaml", ".sh", ".mod")))
}

func TestWordRuleCanFail(t *testing.T) {
	wants(t, wordOffences(map[string]string{
		"a.go": "fine\n// TO" + "DO later\nx() // see above; FIX" + "ME: now\n",
		"b.md": "see /wo" + "rk/x and a framewo" + "rk/x\n- TO" + "DO write\n",
		"c.md": "a framewo" + "rk/x, /workspace/x, a link pull/TO" + "DO, \"TO" + "DO\"\n",
	}), "a.go:2", "a.go:3", "b.md:1", "b.md:2")
}
