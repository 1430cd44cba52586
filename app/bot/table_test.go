package bot

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/diag"
)

func TestTable(t *testing.T) {
	tbl := &table{columns: []column{{title: "key"}, {title: "empty"}, {title: "words", wraps: true}}}
	tbl.add("键", "", "one two three four")
	tbl.add("a\x1b[2Jb", "", "x")
	got := strings.Join(tbl.lines(29), "\n")
	want := strings.Join([]string{
		`  key        words`,
		`  键         one two three`,
		`             four`,
		`  a\x1b[2Jb  x`,
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTableKeepsUnitsTogether(t *testing.T) {
	tbl := &table{columns: []column{{title: "topology", wraps: true}}}
	tbl.add(strings.ReplaceAll("2P (TP4) x 1D (TP8)", " (", noBreak+"("))
	got := tbl.lines(16)
	if len(got) != 3 || got[1] != "  2P (TP4) x" || got[2] != "  1D (TP8)" {
		t.Errorf("got %q", got)
	}
}

// No line is wider than the terminal as long as the columns can shrink, and no
// word is lost unless it is wider than its column.
func TestTableFits(t *testing.T) {
	word := rapid.StringMatching(`[a-z0-9]{1,10}`)
	rapid.Check(t, func(t *rapid.T) {
		tbl := &table{columns: []column{{title: "a"}, {title: "b", wraps: true}, {title: "c", wraps: true}}}
		rows := rapid.IntRange(1, 5).Draw(t, "rows")
		var words []string
		for range rows {
			b, c := rapid.SliceOfN(word, 0, 20).Draw(t, "b"), rapid.SliceOfN(word, 0, 20).Draw(t, "c")
			words = append(append(words, b...), c...)
			tbl.add(word.Draw(t, "a"), strings.Join(b, " "), strings.Join(c, " "))
		}
		total := rapid.IntRange(50, 120).Draw(t, "total")
		lines := tbl.lines(total)
		for _, line := range lines {
			if diag.Columns(line) > total {
				t.Fatalf("%d columns instead of %d: %q", diag.Columns(line), total, line)
			}
			if strings.TrimRight(line, " ") != line {
				t.Fatalf("blanks at the end of %q", line)
			}
		}
		all := strings.Fields(strings.Join(lines, " "))
		for _, w := range words {
			found := false
			for _, shown := range all {
				found = found || shown == w
			}
			if !found {
				t.Fatalf("%q is missing in\n%s", w, strings.Join(lines, "\n"))
			}
		}
	})
}
