package trigger

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/config"
)

var (
	nia = Account{ID: 1, Login: "nia"}
	rae = Account{ID: 2, Login: "rae"}
	bot = Account{ID: 3, Login: "helper[bot]", Bot: true}
)

const checklist = "As a PR reviewer and CODEOWNER, I have reviewed this and have:\n- [x] Verified that the sweep passed\n"

func signOff(change func(*Event)) Event {
	e := Event{Kind: checks.ConversationComment, Action: "created", OnPull: true, Body: checklist, Author: nia, Actor: nia, State: "open"}
	if change != nil {
		change(&e)
	}
	return e
}

func body(text string) func(*Event) { return func(e *Event) { e.Body = text } }

// Filters 1, 2 and 6 of spec/verdict.md section 1.3, and what is forged.
func TestAtSight(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Event)
		want   Why
	}{
		"created":                     {nil, Goes},
		"edited by its author":        {func(e *Event) { e.Action = "edited" }, Goes},
		"review submitted":            {func(e *Event) { e.Kind, e.Action = checks.ReviewSummary, "submitted" }, Goes},
		"review edited":               {func(e *Event) { e.Kind, e.Action = checks.ReviewSummary, "edited" }, Goes},
		"inline comment":              {func(e *Event) { e.Kind = checks.InlineComment }, Goes},
		"review created":              {func(e *Event) { e.Kind = checks.ReviewSummary }, OtherAction},
		"review dismissed":            {func(e *Event) { e.Kind, e.Action = checks.ReviewSummary, "dismissed" }, OtherAction},
		"deleted":                     {func(e *Event) { e.Action = "deleted" }, OtherAction},
		"on an issue":                 {func(e *Event) { e.OnPull = false }, OnIssue},
		"our verdict":                 {body("<!-- codeowner-signoff-verify signoff=issuecomment-1 -->\n" + checklist), IsVerdict},
		"forged verdict of any era":   {body("<!-- codeowner-signoff-verify -->\n" + checklist), IsVerdict},
		"half a marker":               {body("<!-- codeowner-signoff-verify\n" + checklist), IsVerdict},
		"no phrase":                   {body("looks good"), NoPhrase},
		"short phrase decides":        {body("As a PR reviewer and CODEOWNER I say yes"), Goes},
		"look-alike letters":          {body(strings.Replace(checklist, "As a PR", "Аs a РR", 1)), NoPhrase},
		"zero-width space":            {body(strings.Replace(checklist, "As a", "As\u200b a", 1)), NoPhrase},
		"other case":                  {body(strings.ToLower(checklist)), NoPhrase},
		"quoted":                      {body("> " + strings.ReplaceAll(checklist, "\n", "\n> ")), NotOwnWords},
		"nested quotes":               {body(">> > " + strings.ReplaceAll(checklist, "\n", "\n>> > ")), NotOwnWords},
		"quoted with own words":       {body("please use this:\n\n> " + checklist), NotOwnWords},
		"quotation and then a copy":   {body("> " + checklist + "\n\n" + checklist), Goes},
		"in a code block":             {body("```\n" + checklist + "```\n"), NotOwnWords},
		"in a hidden comment":         {body("hello\n<!--\n" + checklist + "-->\n"), NotOwnWords},
		"65k characters":              {body(checklist + strings.Repeat("> deep\n", 9000)), Goes},
		"65k of quotation marks":      {body(strings.Repeat(">", 65_000) + checklist), NotOwnWords},
		"by a bot":                    {func(e *Event) { e.Author, e.Actor = bot, bot }, ByMachine},
		"edited by a bot":             {func(e *Event) { e.Action, e.Actor = "edited", bot }, ByMachine},
		"login of a bot, type hidden": {func(e *Event) { e.Author = Account{ID: 1, Login: "x[bot]"}; e.Actor = e.Author }, ByMachine},
		"S26 edited by another":       {func(e *Event) { e.Action, e.Actor = "edited", rae }, EditedByAnother},
		"author without a login":      {func(e *Event) { e.Author.Login = "" }, BadAuthor},
		"author with a path":          {func(e *Event) { e.Author.Login = "a/b" }, BadAuthor},
		"closed":                      {func(e *Event) { e.State = "closed" }, NotOpen},
		"draft":                       {func(e *Event) { e.Draft = true }, IsDraft},
		"draft, by its address":       {func(e *Event) { e.Draft, e.Manual = true, true }, Goes},
		"closed, by its address":      {func(e *Event) { e.State, e.Manual = "closed", true }, Goes},
		"a bot's, by its address":     {func(e *Event) { e.Author, e.Actor, e.Manual = bot, rae, true }, Goes},
		"named by a bot":              {func(e *Event) { e.Actor, e.Manual = bot, true }, ByMachine},
		"a verdict, by its address":   {func(e *Event) { e.Body, e.Manual = "<!-- codeowner-signoff-verify -->\n"+checklist, true }, IsVerdict},
	} {
		if got := AtSight(signOff(c.change)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestMay(t *testing.T) {
	for role, want := range map[string]bool{"admin": true, "maintain": true, "write": true, "triage": false, "read": false, "none": false, "": false} {
		if got := May(role, config.Verdict{Requesters: true}); got != want {
			t.Errorf("%s: %v", role, got)
		}
		if !May(role, config.Verdict{}) {
			t.Errorf("August 2026 asks %s for a role", role)
		}
	}
}

// Filter 3: which pull requests are verified.
func TestScope(t *testing.T) {
	owners := checks.ParseOwners([]byte("* @boss\n/src/ @acme/core\n/amd/ @boss @nia\n/mail/ m@example.com\n/team/ @acme/amd\n/none/\n"))
	for name, c := range map[string]struct {
		scope, core string
		files       []string
		want        bool
	}{
		"only an administrator":            {config.ScopeOwners, "", []string{"README.md"}, false},
		"one exempt owner does not exempt": {config.ScopeOwners, "", []string{"README.md", "amd/x"}, true},
		"core team":                        {config.ScopeOwners, "acme/core", []string{"src/x"}, false},
		"core team with its sign":          {config.ScopeOwners, "@ACME/core", []string{"src/x"}, false},
		"core team not configured":         {config.ScopeOwners, "", []string{"src/x"}, true},
		"mail":                             {config.ScopeOwners, "", []string{"mail/x"}, true},
		"another team":                     {config.ScopeOwners, "acme/core", []string{"team/x"}, true},
		"unowned":                          {config.ScopeOwners, "", []string{"none/x"}, false},
		"nothing changed":                  {config.ScopeOwners, "", nil, false},
		"always":                           {config.ScopeAlways, "", nil, true},
		"changelog":                        {config.ScopeChangelog, "", []string{"a", "perf-changelog.yaml"}, true},
		"no changelog":                     {config.ScopeChangelog, "", []string{"amd/x"}, false},
	} {
		asked := 0
		s := Scope{
			Verdict: config.Verdict{Scope: c.scope, CoreTeam: c.core}, Changelog: "perf-changelog.yaml", Owners: owners,
			Admin: func(login string) bool { asked++; return login == "boss" },
		}
		if got := s.Holds(c.files); got != c.want || asked > 2 {
			t.Errorf("%s: %v after %d questions", name, got, asked)
		}
	}
}

func TestParseAddress(t *testing.T) {
	const repo = "acme/bench"
	for url, want := range map[string]string{
		"https://github.com/acme/bench/pull/12#issuecomment-5":                    "issuecomment-5",
		"HTTPS://GitHub.com/ACME/Bench/Pull/12/files#discussion_r7":               "discussion_r7",
		" https://github.com/acme/bench/pull/12#pullrequestreview-9 ":             "pullrequestreview-9",
		"https://github.com/acme/bench/pull/13#issuecomment-5":                    "",
		"https://github.com/acme/other/pull/12#issuecomment-5":                    "",
		"https://github.com.evil.example/acme/bench/pull/12#issuecomment-5":       "",
		"http://github.com/acme/bench/pull/12#issuecomment-5":                     "",
		"https://github.com/acme/bench/pull/12#issuecomment-05":                   "",
		"https://github.com/acme/bench/pull/012#issuecomment-5":                   "",
		"https://github.com/acme/bench/pull/12?x=1#issuecomment-5":                "",
		"https://github.com/acme/bench/issues/12#issuecomment-5":                  "",
		"https://github.com/acme/bench/pull/12":                                   "",
		"https://github.com/acme/bench/pull/12#issuecomment-99999999999999999999": "",
	} {
		target, err := ParseAddress(url, repo, 12)
		if got := target.Key(); (want == "") != (err != nil) || err == nil && got != want {
			t.Errorf("%s: %q, %v", url, got, err)
		}
	}
	if _, err := ParseAddress("https://github.com/acme/bench/pull/12#issuecomment-5", repo, 0); err == nil {
		t.Error("no number was accepted")
	}
	target := Target{Kind: checks.ConversationComment, ID: 5, PR: 12}
	for url, want := range map[string]bool{
		"https://api.github.com/repos/Acme/bench/issues/12": true, "https://api.github.com/repos/acme/bench/pulls/12": true,
		"https://api.github.com/repos/acme/bench/issues/120": false, "https://api.github.com/repos/acme/other/issues/12": false, "": false, "12": false,
	} {
		if got := target.Belongs(url, repo); got != want {
			t.Errorf("Belongs(%s) = %v", url, got)
		}
	}
}
