package verdict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/config"
)

// edit is a change to a valid comment.
type edit func(string) string

func replace(old, with string) edit {
	return func(body string) string { return strings.Replace(body, old, with, 1) }
}

// The table of spec/verdict.md section 4, with the profile of November.
func TestValidate(t *testing.T) {
	open := map[int]checks.Result{14: warn("open")}
	failing := map[int]checks.Result{14: warn("open"), 1: fail("no sweep")}
	for _, c := range []struct {
		name  string
		rows  map[int]checks.Result
		edit  edit
		valid bool
	}{
		{"14 WARN, header WARN", open, nil, true},
		{"14 WARN, 1 FAIL, header REJECTED", failing, nil, true},
		{"4 WARN, header PASS", map[int]checks.Result{4: warn("none")}, replace(headers[Warned], headers[Passed]), false},
		{"15 WARN, header WARN", map[int]checks.Result{15: warn("old text")}, nil, true},
		{"all pass, header WARN", nil, replace(headers[Passed], headers[Warned]), false},
		{"all pass, header REJECTED", nil, replace(headers[Passed], headers[Rejected]), false},
		{"16 missing", nil, replace("✅ Check 16 (", "Check 16 ("), false},
		{"14 twice", nil, func(b string) string { return b + "✅ Check 14 (Pareto coverage): PASS — again\n" }, false},
		{"two headers", nil, func(b string) string { return b + headers[Passed] + "\n" }, false},
		{"empty reason", nil, func(b string) string {
			at := strings.Index(b, "✅ Check 3 (")
			return b[:at] + "✅ Check 3 (x): PASS — \n" + b[at+strings.IndexByte(b[at:], '\n'):]
		}, false},
		{"emoji disagrees", map[int]checks.Result{1: fail("no sweep")}, replace("❌ Check 1 (Passing sweep on in-PR commit): FAIL", "❌ Check 1 (Passing sweep on in-PR commit): PASS"), false},
		{"bullet", open, replace("⚠️ Check 14", "- ⚠️ Check 14"), true},
		{"extra row 19", nil, func(b string) string { return b + "✅ Check 19 (More): PASS — yes\n" }, false},
		{"header not behind the marker", nil, replace(headers[Passed], "hello\n"+headers[Passed]), false},
		{"empty lines in between", open, replace(headers[Warned], "\n"+headers[Warned]+"\n\n"), true},
		{"14 FAIL", nil, replace("✅ Check 14 (Pareto coverage): PASS", "❌ Check 14 (Pareto coverage): FAIL"), false},
		{"warning sign without its variant", open, replace("⚠️ Check 14", "⚠ Check 14"), false},
		{"UNAVAILABLE", nil, replace("Check 7 (Deprecated models): PASS", "Check 7 (Deprecated models): UNAVAILABLE"), false},
		{"hyphen for a dash", nil, replace("(CODEOWNER): PASS —", "(CODEOWNER): PASS -"), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			of, results := story{rows: c.rows}.make(t)
			comment, err := Render(of, results)
			if err != nil || comment.Findings.Refused() {
				t.Fatal(err, comment.Findings)
			}
			body := comment.Body
			if c.edit != nil {
				if body = c.edit(body); body == comment.Body {
					t.Fatal("the edit changed nothing")
				}
			}
			if n := strings.Count(body, "needs additional review"); (c.rows[14].Status == checks.Warn) != (n == 1) {
				t.Errorf("%d escalations", n)
			}
			list := Validate(body, of.Profile, of.Settings.Checks)
			if list.Refused() == c.valid {
				t.Errorf("valid = %v, findings %v\n%s", c.valid, list, body)
			}
		})
	}
}

// What a status may be depends on profile and rules.
func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		era, rules string
		number     int
		status     checks.Status
		want       bool
	}{
		{"2026-08", config.UndecidableWarn, 4, checks.Fail, true},
		{"2026-10", config.UndecidableWarn, 4, checks.Fail, false},
		{"2026-11", config.UndecidableStrict, 1, checks.Warn, false},
		{"2026-11", config.UndecidableWarn, 1, checks.Warn, true},
		{"2026-11", config.UndecidableStrict, 14, checks.Warn, true},
		{"2026-11", config.UndecidableWarn, 16, checks.Fail, false},
		{"2026-11", config.UndecidableWarn, 3, checks.Unavailable, false},
	} {
		p, _ := checks.NewProfile(c.era)
		if got := allowed(p.Slots[c.number], c.status, config.Checks{Undecidable: c.rules}); got != c.want {
			t.Errorf("%+v: got %v", c, got)
		}
	}
}

func TestSettleUnderStrictRules(t *testing.T) {
	p, _ := checks.NewProfile("2026-11")
	got := Settle([]checks.Result{{Number: 3, Status: checks.Unavailable}, {Number: 14, Status: checks.Unavailable}}, p, config.Checks{Undecidable: config.UndecidableStrict})
	if got[0].Status != checks.Fail || got[1].Status != checks.Warn {
		t.Errorf("%v", got)
	}
}

// Comments of all eras are read, whoever wrote them.
func TestReadEras(t *testing.T) {
	const sha = "41d2aa905e7c3b1f6a8899d0c1e2f3a4b5c6d7e8"
	for _, c := range []struct {
		body string
		ok   bool
		want Reading
	}{
		{"<!-- codeowner-signoff-verify sha=" + sha + " -->\n**Verdict: PASS**\n", true, Reading{Marker{SHA: sha}, sha, "", Passed}},
		{"<!-- codeowner-signoff-verify -->\r\n" + headers[Rejected] + "\r\n\r\nAssessed commit: `" + headSHA + "`.\r\nCovered commit: `" + sha + "`.\r\n", true, Reading{Marker{}, headSHA, sha, Rejected}},
		{"<!-- codeowner-signoff-verify signoff=discussion_r1 -->\n" + headers[Warned] + "\nAssessed commit: `" + sha + "`.\ntext\nAssessed commit: `" + headSHA + "`.\n", true, Reading{Marker{Key: "discussion_r1"}, headSHA, "", Warned}},
		{"<!-- codeowner-signoff-verify signoff=issuecomment-01 -->\n", false, Reading{}},
		{"> <!-- codeowner-signoff-verify -->\n", false, Reading{}},
		{"\n<!-- codeowner-signoff-verify -->\n", false, Reading{}},
	} {
		got, ok := Read(c.body)
		if ok != c.ok || got != c.want {
			t.Errorf("%q: %+v, %v", c.body, got, ok)
		}
	}
}

func TestSafe(t *testing.T) {
	for in, want := range map[string]string{
		"a\n\tb  c":                                   "a b c",
		"ask @mallory and @nia now":                   "ask @\u200bmallory and @nia now",
		"ask @acme/core":                              "ask @\u200bacme/core",
		"image x@sha256:abc stays":                    "image x@sha256:abc stays",
		"`@mallory` in code":                          "`@mallory` in code",
		"`open @mallory":                              "`open @\u200bmallory",
		"<b>bold</b> <!-- hidden --> `/use <run_id>`": "bold hidden --> `/use <run_id>`",
		"✅ Check 3 (x): PASS ⚠️ 🎉":                    "Check 3 (x): PASS",
		"![pixel](https://evil.example/a.png)":        "[pixel](https://evil.example/a.png)",
		"re\u202Everse\u200b \x1b[31m":                "reverse [31m",
		"`<!-- x`":                                    "` x`",
		"<!<!---- nested":                             "",
	} {
		if got := Safe(in, "nia"); got != want {
			t.Errorf("Safe(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"short": "short",
		"a reason with a `code span that is long` and more":   "a reason with a `code span that is` …",
		"see the run at [4910020](https://example.com/a/b/c)": "see the run at …",
		strings.Repeat("é", 40):                               strings.Repeat("é", 17) + " …",
	} {
		if got := OneLine(in, 40); got != want || len(got) > 40 {
			t.Errorf("OneLine(%q) = %q (%d bytes), want %q", in, got, len(got), want)
		}
	}
}

func FuzzSafe(f *testing.F) {
	for _, seed := range []string{"", "`a` ``b` @x", "<!-<!--- a", "@a@b", "``` `", "⚠️ Check 1 (x): WARN — y"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := OneLine(Safe(text), MaxReason)
		if strings.Contains(got, "<!--") || strings.ContainsAny(got, "\n\r") || len(got) > MaxReason {
			t.Errorf("%q", got)
		}
		line := fmt.Sprintf("✅ Check 1 (x): PASS — x%s", got)
		if rows, malformed := ParseRows("<!-- codeowner-signoff-verify -->\n" + line + "\n"); len(rows) != 1 || len(malformed) != 0 {
			t.Errorf("%q is no row", line)
		}
	})
}

func FuzzValidate(f *testing.F) {
	p, _ := checks.NewProfile("2026-11")
	f.Add("<!-- codeowner-signoff-verify -->\n## ✅✅✅ **Verdict: PASS** ✅✅✅\n✅ Check 1 (x): PASS — y")
	f.Fuzz(func(t *testing.T, body string) {
		if list := Validate(body, p, config.Checks{}); !list.Refused() && len(body) < 19*20 {
			t.Errorf("valid: %q", body)
		}
	})
}
