package checks

import (
	"fmt"
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Sentences of rows are put together here, so that lists and numbers look the
// same in every row (spec/checks.md section 1.8, reason text).

// joined lists at most limit items; more end with "and N more".
func joined(items []string, separator string, limit int) string {
	if len(items) <= limit {
		return strings.Join(items, separator)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(items[:limit], separator), len(items)-limit)
}

// series lists items as a sentence does: "a", "a and b", "a, b and c".
func series(items []string, limit int) string {
	if n := len(items); n >= 2 && n <= limit {
		return strings.Join(items[:n-1], ", ") + " and " + items[n-1]
	}
	return joined(items, ", ", limit)
}

// count is a number with its noun: "1 path", "2 paths".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// verb is the form of a verb behind a number.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// quoted is a path, key, flag or value in back-ticks; back-ticks in it would
// end them.
func quoted(text string) string {
	return "`" + strings.ReplaceAll(text, "`", "'") + "`"
}

// short is the first eight digits of a commit id.
func short(sha string) string { return sha[:min(8, len(sha))] }

// review is the reason of a check that a person has to look at: it names the
// missing evidence.
func review(what string) string { return "needs human review: " + what }

// firstWords is the beginning of a text, cut at a word.
func firstWords(text string, n int) string {
	words := strings.Fields(text)
	if len(words) <= n {
		return strings.Join(words, " ")
	}
	return strings.Join(words[:n], " ") + " …"
}

// linkTarget finds Markdown links, to keep their text only.
var linkTarget = pattern.Lazy(`\[([^\]]*)\]\([^)]*\)`)
