package bot

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestProselyMakesInert(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain text, (with) dots. 1+1=2", "plain text, (with) dots. 1+1=2"},
		{"@team see #12 and GH-3", "@" + zeroWidth + "team see #" + zeroWidth + "12 and GH" + zeroWidth + "-3"},
		{"<!-- sweepbot:progress -->", `&lt;\!-- sweepbot:progress --&gt;`},
		{"<img src=x onerror=y>", "&lt;img src=x onerror=y&gt;"},
		{"[x](https://evil.example) **b** `c` ~d~ $e$ |", `\[x\](https://` + zeroWidth + `evil.example) \*\*b\*\* \` + "`c\\` " + `\~d\~ \$e\$ \|`},
		{"www.evil.example", "www" + zeroWidth + ".evil.example"},
		{"- item\n# head\r\n1. one", `\- item # head 1. one`},
		{"1. one", `1\. one`},
		{"a\u202eb", `a\\u202eb`},
		{"&amp;lt;", "&amp;amp;lt;"},
	} {
		if got := prosely(c.text, maxQuoted); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestCodeSpans(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a", "`a`"}, {"", ""}, {"a`b", "``a`b``"}, {"`", "`` ` ``"}, {"``x", "``` ``x ```"},
		{"@team\n#1", "`@team #1`"}, {"<!-- x -->", "`<" + zeroWidth + "!-- x --" + zeroWidth + ">`"},
		{strings.Repeat("x", 300), "`" + strings.Repeat("x", 199) + "…`"},
	} {
		if got := code(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := cell(code("a|b")); got != "`a\\|b`" {
		t.Errorf("cell: %q", got)
	}
}

// Whatever is quoted, no mention, comment, tag or second line comes out.
func TestQuotedTextIsInert(t *testing.T) {
	active := regexp.MustCompile(`<|@[\w]|#\d|://\w|<!--|-->|\n|\r`)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"@a", "<!--", "-->", "`", "``", "|", "\n", "\r", "[x](y)", "http://z", "#1", "\\", "<b>", " ", "1.", "-", "\u202e", "\xff"})).Draw(t, "parts")
		text := strings.Join(parts, "")
		if got := prosely(text, maxSentence); active.MatchString(got) {
			t.Fatalf("prosely(%q) = %q", text, got)
		}
		got := code(text)
		if strings.ContainsAny(got, "\r\n") || strings.Contains(got, "<!--") || strings.Contains(got, "-->") {
			t.Fatalf("code(%q) = %q", text, got)
		}
		fence := longestRun(strings.TrimRight(got[:len(got)-len(strings.TrimLeft(got, "`"))], " "), '`')
		if got != "" && strings.Contains(strings.Trim(got, "`"), strings.Repeat("`", fence)) {
			t.Fatalf("code(%q) = %q ends early", text, got)
		}
	})
}

func TestLinks(t *testing.T) {
	for address, linked := range map[string]bool{
		"https://github.com/o/r": true, "http://127.0.0.1:8080/x": true, "http://localhost:1/x": true,
		"": false, "javascript:alert(1)": false, "http://evil.example": false, "https://x/(a)": false, "https://x y": false,
		"https://x\n": false, "/relative": false, "https://": false,
	} {
		if got := mdLink("text", address) != "text"; got != linked {
			t.Errorf("%q: linked %v", address, got)
		}
	}
}
