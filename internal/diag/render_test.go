package diag

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sample are findings of every kind; their codes are those of real texts.
func sample() List {
	duplicate := New("cli.criteria", Place{"configs/a.yaml", 3, 1}, "detail", "x").In("duplicate-key").At("a.b.0")
	duplicate.Related = []Place{{"configs/a.yaml", 1, 1}, {"other.yaml", 9, 0}}
	return List{
		duplicate,
		New("cli.not-regular", Place{File: "perf-changelog.yaml"}).WithSeverity(Warning),
		New("cli.criteria", Place{"configs/键,a:b.yaml", 2, 6}, "detail", "50%\r\n::error::x \x1b[2J"),
		New("cli.no-priority", Place{}).WithSeverity(Note),
		New("cli.pr-number", Place{"configs/a.yaml", 4, 130}),
	}
}

// sampleSource has a wide character, a TAB, a control character and a long
// line.
func sampleSource(file string) []byte {
	switch file {
	case "configs/a.yaml":
		return []byte("a: 1\r\nb:\nc: 3\nlong: " + strings.Repeat("abcdefghi ", 20) + "\n")
	case "configs/键,a:b.yaml":
		return []byte("x\n\t键\x1b: \u202e1\n")
	}
	return nil
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func TestRenderings(t *testing.T) {
	for _, c := range []struct {
		name   string
		render func(*bytes.Buffer) error
	}{
		{"findings.txt", func(b *bytes.Buffer) error {
			return WriteText(b, sample(), TextStyle{Language: catalog.English, Source: sampleSource})
		}},
		{"findings_zh.txt", func(b *bytes.Buffer) error {
			return WriteText(b, sample(), TextStyle{Language: catalog.Chinese, Source: sampleSource})
		}},
		{"findings_github.txt", func(b *bytes.Buffer) error { return WriteGitHub(b, sample(), catalog.English) }},
		{"findings.json", func(b *bytes.Buffer) error { return WriteJSON(b, "refused", sample(), catalog.English) }},
		{"findings.sarif", func(b *bytes.Buffer) error { return WriteSARIF(b, sample(), catalog.Chinese, "1.2.3") }},
		{"empty.sarif", func(b *bytes.Buffer) error { return WriteSARIF(b, nil, catalog.English, "") }},
		{"empty.json", func(b *bytes.Buffer) error { return WriteJSON(b, "accepted", nil, catalog.English) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.render(&b); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				line = strings.TrimSuffix(line, "\n")
				if why := inert(strings.TrimPrefix(line, "::")); why != "" {
					t.Errorf("%q %s", line, why)
				}
			}
			golden(t, c.name, b.Bytes())
		})
	}
}

// Colours are the only control characters that text may hold, and only when
// they are asked for.
func TestTextColours(t *testing.T) {
	var plainText, coloured bytes.Buffer
	style := TextStyle{Language: catalog.English, Source: sampleSource}
	_ = WriteText(&plainText, sample(), style)
	style.Color = true
	_ = WriteText(&coloured, sample(), style)
	stripped := coloured.String()
	for _, code := range []string{red, yellow, cyan, bold, faint, plain} {
		stripped = strings.ReplaceAll(stripped, code, "")
	}
	if diff := cmp.Diff(plainText.String(), stripped); diff != "" {
		t.Errorf("colours change the text (-plain +coloured):\n%s", diff)
	}
	if !strings.Contains(coloured.String(), red) {
		t.Error("an error is not red")
	}
}

func TestExcerptMarksTheColumn(t *testing.T) {
	for _, c := range []struct {
		line   string
		column int
		under  string // the first characters from the mark on
	}{
		{"abc: def", 6, "def"},
		{"\tabc", 2, "abc"},
		{"键值: x", 5, "x"},
		{"a\x1bb", 3, "b"},
		{strings.Repeat("x", 300) + "HERE" + strings.Repeat("y", 300), 301, "HERE"},
		{"short", 6, ""},
		{"short", 99, ""},
		{"", 0, ""},
	} {
		text, before := excerptOf([]byte(c.line), c.column)
		if Columns(text) > excerptColumns+1 {
			t.Errorf("%q: the excerpt has %d columns", c.line, Columns(text))
		}
		if under := cutColumns(text, before); !strings.HasPrefix(under, c.under) || c.under == "" && under != "" && c.column > 0 {
			t.Errorf("column %d of %q: the mark stands under %q of %q", c.column, c.line, under, text)
		}
	}
}

// cutColumns drops the first n columns of text.
func cutColumns(text string, n int) string {
	for i, r := range text {
		if n <= 0 {
			return text[i:]
		}
		n -= runeColumns(r)
	}
	return ""
}

func TestSARIFPointsIntoItsRules(t *testing.T) {
	var b bytes.Buffer
	if err := WriteSARIF(&b, sample(), catalog.English, "1"); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != len(sample()) {
		t.Errorf("%d results for %d findings", len(run.Results), len(sample()))
	}
	for _, r := range run.Results {
		if got := run.Tool.Driver.Rules[r.RuleIndex].ID; got != r.RuleID {
			t.Errorf("result of %s points to the rule %s", r.RuleID, got)
		}
	}
}

func TestSummary(t *testing.T) {
	if got := Summary(sample(), catalog.English); got != "3 errors, 1 warning, 1 remark" {
		t.Errorf("got %q", got)
	}
	if got := Summary(sample()[:1], catalog.Chinese); got != "1 个错误" {
		t.Errorf("got %q", got)
	}
}
