package reuse

import (
	"strings"
	"testing"
)

// bodies are the table of spec/reuse.md section 13: what August and what the
// newest profile make of a body. "-" is no command, "U" unpinned.
var bodies = []struct{ body, august, newest string }{
	{"/use 123", "-", "123"},
	{"/reuse-sweep-run 123", "123", "123"},
	{"/reuse-sweep-run", "U", "U"},
	{"/use", "-", "-"},
	{"/use\n123", "-", "-"},
	{"/reuse-sweep-run\n123", "123", "U"},
	{"/reuse-sweep-run\n\n123\nplease", "123", "U"},
	{"/reuse-sweep-run 123\n77", "123", "123"},
	{"/use 123 please", "-", "-"},
	{"please /use 123", "-", "-"},
	{"All green.\n\n/use 123\n\nThanks", "-", "123"},
	{"   /use   123   ", "-", "123"},
	{"/use\t123", "-", "123"},
	{"ok\r\n/use 123\r\nbye", "-", "123"},
	{"ok\r/use 123\rbye", "-", "-"},
	{"/use 1\n/use 2", "-", "2"},
	{"/use 1\n/reuse-sweep-run", "U", "U"},
	{"/reuse-sweep-run\n/use 1", "U", "1"},
	{"/use 1\n/reuse-sweep-run 2\n/use 3", "2", "3"},
	{"/use 1\n/use latest", "-", "1"},
	{"/reuse-sweep-run 5\n/use abc", "5", "5"},
	{"> /use 123", "-", "-"},
	{"`/use 123`", "-", "-"},
	{"```\n/use 123\n```", "-", "123"},
	{"    /use 123", "-", "123"},
	{"/USE 123", "-", "-"},
	{"/use #123", "-", "-"},
	{"/use https://github.com/acme/bench/actions/runs/123", "-", "-"},
	{"/use 000123", "-", "123"},
	{"/use 0", "-", "0"},
	{"/use -5", "-", "-"},
	{"/use +5", "-", "-"},
	{"/use 123.", "-", "-"},
	{"/use 1 2", "-", "-"},
	{"/reuse-sweep-run123", "-", "-"},
	{"/reuse-sweep-runs 123", "-", "-"},
	{"/use123", "-", "-"},
	{"/user 123", "-", "-"},
	{"- /use 123", "-", "-"},
	{"1. /use 123", "-", "-"},
	{"**/use 123**", "-", "-"},
	{"/use\u00a0123", "-", "123"},
	{"/use 123\u200b", "-", "-"},
	{"\ufeff/use 123", "-", "-"},
	{"/use\v123", "-", "123"},
	{"/use \u0661\u0662\u0663", "-", "123"},
	{"/use 123456789012345678901234567890", "-", "123456789012345678901234567890"},
	{"Signed: @dana\n/use 123", "-", "123"},
	{"/reuse-sweep-run https://.../runs/123", "-", "-"},
	{"/stage-results 123", "-", "-"},
	{"/use\r123", "-", "-"},
	{"/use 1\u001c", "-", "1"},
	{"/use \U0001d7d7", "-", "9"},
	{"/reuse-sweep-run\n123 please", "U", "U"},
}

func TestBodies(t *testing.T) {
	show := func(c Command, ok bool) string {
		switch {
		case !ok:
			return "-"
		case !c.Pinned():
			return "U"
		}
		return c.Run
	}
	for i, c := range bodies {
		if got := show(August().Parse(c.body)); got != c.august {
			t.Errorf("#%d %q, August: %s, want %s", i+1, c.body, got, c.august)
		}
		if got := show(Newest().Parse(c.body)); got != c.newest {
			t.Errorf("#%d %q: %s, want %s", i+1, c.body, got, c.newest)
		}
	}
}

func TestConfiguredName(t *testing.T) {
	g := Grammar{Command: "/publish", Use: true}
	for body, want := range map[string]string{"/publish": "", "/publish 7": "7"} {
		if c, ok := g.Parse(body); !ok || c.Run != want || c.Name != "/publish" {
			t.Errorf("%q: %+v, %v", body, c, ok)
		}
	}
	for _, body := range []string{"/use 7", "/reuse-sweep-run 7"} {
		if c, ok := g.Parse(body); ok {
			t.Errorf("%q is a command under another name: %+v", body, c)
		}
	}
}

func TestAttempts(t *testing.T) {
	for body, want := range map[string]bool{
		"/reuse-sweep-run nope": true, "ok\n  /use": true, "/use latest": true, "please /use 1": false, "/user": false, "": false, "> /use 1": false,
	} {
		if got := Newest().Attempts(body); got != want {
			t.Errorf("Attempts(%q) = %v", body, got)
		}
	}
	if August().Attempts("/use 1") {
		t.Error("August knows /use")
	}
}

func TestAuthorized(t *testing.T) {
	comments := []Comment{
		{ID: 1, Created: "2026-09-14T12:00:00Z", Association: "MEMBER", Body: "/use 11"},
		{ID: 2, Created: "2026-09-14T13:00:00Z", Association: "CONTRIBUTOR", Body: "/use 22"},
		{ID: 3, Created: "2026-09-14T14:00:00Z", Association: "OWNER", Body: "thanks"},
		{ID: 4, Created: "2026-09-14T11:00:00Z", Association: "COLLABORATOR", Body: "/reuse-sweep-run"},
		{ID: 5, Created: "2026-09-14T15:00:00Z", Association: "owner", Body: "/use 55"},
	}
	c, by, ok := Newest().Authorized(comments, Associations())
	if !ok || by.ID != 1 || c.Run != "11" {
		t.Errorf("the command is %+v by %d, %v", c, by.ID, ok)
	}
	c, by, ok = August().Authorized(comments, Associations())
	if !ok || by.ID != 4 || c.Pinned() {
		t.Errorf("August: %+v by %d, %v", c, by.ID, ok)
	}
	if _, _, ok := Newest().Authorized(comments[1:3], Associations()); ok {
		t.Error("an outsider gave a command")
	}
	same := []Comment{{ID: 1, Association: "OWNER", Body: "/use 1"}, {ID: 2, Association: "OWNER", Body: "/use 2"}}
	if _, by, _ := Newest().Authorized(same, Associations()); by.ID != 2 {
		t.Errorf("of equal times %d counts, not the last", by.ID)
	}
}

func TestStage(t *testing.T) {
	for _, c := range []struct {
		body    string
		outcome StageOutcome
		run     string
	}{
		{"/stage-results", StageMatch, ""},
		{" /stage-results\n007 ", StageMatch, "007"},
		{"/stage-results latest", StageUsage, ""},
		{"/stage-resultsx", StageUsage, ""},
		{"/use 12", StageMatch, "12"},
		{"/use", StageIgnore, ""},
		{"/use 1\nthanks", StageIgnore, ""},
		{"/reuse-sweep-run 5", StageNotAddressed, ""},
		{"/STAGE-RESULTS", StageNotAddressed, ""},
		{"\ufeff/stage-results 1", StageMatch, "1"},
		{"/stage-results\u008512", StageUsage, ""},
		{"/stage-results \u0661", StageUsage, ""},
	} {
		if outcome, run := ParseStage(c.body, true); outcome != c.outcome || run != c.run {
			t.Errorf("%q: %s %q, want %s %q", c.body, outcome, run, c.outcome, c.run)
		}
	}
	if outcome, _ := ParseStage("/use 12", false); outcome != StageNotAddressed {
		t.Errorf("August stages by /use: %s", outcome)
	}
}

// FuzzParse holds that a command is a line of the body and that its canonical
// spelling means the same.
func FuzzParse(f *testing.F) {
	for _, c := range bodies {
		f.Add(c.body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, g := range []Grammar{Newest(), August()} {
			c, ok := g.Parse(body)
			if !ok {
				continue
			}
			if !strings.Contains(body, c.Name) {
				t.Fatalf("%q holds no %s", body, c.Name)
			}
			if again, ok := g.Parse(c.Line()); !ok || again != c {
				t.Fatalf("%q gives %+v, whose line gives %+v, %v", body, c, again, ok)
			}
		}
		if outcome, run := ParseStage(body, true); run != "" && outcome != StageMatch {
			t.Fatalf("%q is %s and names run %q", body, outcome, run)
		}
	})
}
