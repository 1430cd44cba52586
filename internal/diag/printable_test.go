package diag

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "dsr1-fp4: 8k1k (TP8)", "dsr1-fp4: 8k1k (TP8)"},
		{"other scripts", "键 'a' 不存在 é", "键 'a' 不存在 é"},
		{"escape sequence", "\x1b[31mred\x07", `\x1b[31mred\x07`},
		{"eight-bit control", "\u009b31m", `\x9b31m`},
		{"line ends", "a\r\nb\tc", `a\r\nb\tc`},
		{"line separator", "a\u2028b", `a\u2028b`},
		{"reordering", "a\u202eb\u2066", `a\u202eb\u2066`},
		{"invisible tag", "a\U000e0041", `a\U000e0041`},
		{"no UTF-8", "a\xff\xfe", `a\xff\xfe`},
		{"replacement character", "a\ufffd", "a\ufffd"},
		{"workflow command", "::set-output name=a::b", `\x3a:set-output name=a::b`},
		{"after blanks", "  ::stop-commands::x", `  \x3a:stop-commands::x`},
		{"inside a line", "std::vector", "std::vector"},
		{"older command", "a ##[set-env name=a]b", `a \x23#[set-env name=a]b`},
		{"heading", "## a", "## a"},
		{"NUL", "\x00", `\x00`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Printable(c.text); got != c.want {
				t.Errorf("Printable(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// inert reports why a terminal or a workflow log would obey text, "" if not.
func inert(text string) string {
	for _, r := range text {
		if Obeyed(r) {
			return "holds a character that is obeyed"
		}
	}
	switch {
	case !utf8.ValidString(text):
		return "is no UTF-8"
	case strings.HasPrefix(strings.TrimSpace(text), "::"):
		return "begins a workflow command"
	case strings.Contains(text, "##["):
		return "holds a workflow command of the older form"
	}
	return ""
}

func TestPrintableIsInert(t *testing.T) {
	pieces := rapid.SampledFrom([]string{":", "#", "[", " ", "\n", "\x1b", "a", "\xff", "\u202e", "\u00a0", "键"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 0, 12).Draw(t, "pieces"), "")
		got := Printable(text)
		if why := inert(got); why != "" {
			t.Fatalf("Printable(%q) = %q %s", text, got, why)
		}
		if again := Printable(got); again != got {
			t.Fatalf("Printable(%q) = %q, and of that %q", text, got, again)
		}
	})
}

func FuzzPrintable(f *testing.F) {
	for _, seed := range []string{"", "::a", "##[a]", "\x1b]0;x\x07", "a\u202eb", "\xc3\x28", "\u00a0::x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if why := inert(Printable(text)); why != "" {
			t.Errorf("Printable(%q) = %q %s", text, Printable(text), why)
		}
	})
}

func TestPrintableJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "value")
		value = append(value, "##[a]", "\u009b\u202e\U000e0041")
		doc, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		got := PrintableJSON(doc)
		if why := inert(strings.ReplaceAll(string(got), "\n", "")); why != "" {
			t.Fatalf("%s %s", got, why)
		}
		var back []string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%v in %s", err, got)
		}
		for i := range value {
			if strings.ToValidUTF8(value[i], "\ufffd") != back[i] {
				t.Fatalf("%q became %q", value[i], back[i])
			}
		}
	})
}

func TestPrintableJSONLeavesCleanDocumentsAlone(t *testing.T) {
	doc := []byte(`{"a":"键 ü","b":[1,2]}` + "\n")
	if got := PrintableJSON(doc); &got[0] != &doc[0] {
		t.Errorf("a clean document was copied: %s", got)
	}
}

func TestColumns(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "键值": 4, "e\u0301": 1, "a…": 2, "（）": 4} {
		if got := Columns(text); got != want {
			t.Errorf("Columns(%q) = %d, want %d", text, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"键值对", 5, "键值…"}, {"键值对", 6, "键值对"}, {"键值对", 4, "键…"}} {
		if got := Cut(c.text, c.columns); got != c.want || Columns(got) > c.columns {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.text, c.columns, got, c.want)
		}
	}
}
