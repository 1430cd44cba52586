package bot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/checks/signoff"
)

// drafting is a stage whose bot also answers requests for drafts.
func drafting(t *testing.T) *stage {
	t.Helper()
	s := signing(t, "preset: inferencex\nchecks:\n  profile: 2026-08\n")
	s.bot.Comments = append(s.bot.Comments, s.bot.SignOffs.DraftHandler())
	return s
}

// ours are our comments on the pull request.
func (s *stage) ours() []Comment {
	var out []Comment
	for _, c := range s.comments[12] {
		if c.Author.ID == botID {
			out = append(out, c)
		}
	}
	return out
}

// Everybody who may write gets one answer, which is written again when it
// would say something else. It is no sign-off to anybody.
func TestDraftIsAnswered(t *testing.T) {
	s := drafting(t)
	_, results := s.handle(s.commentEvent("created", s.say(12, signer, " /signoff-draft\r\n"), signer))
	if kinds(results) != "comment" || results.Err() != nil || len(s.ours()) != 1 {
		t.Fatal(kinds(results), results.Err(), s.ours())
	}
	if s.total() > 25 {
		t.Errorf("%d requests: %v", s.total(), s.calls)
	}
	first := s.ours()[0]
	golden(t, "signoff/draft.md", first.Body)
	if doc := signoff.Parse(first.Body); len(doc.Items) != 0 || !strings.Contains(first.Body, signoff.Phrase) {
		t.Errorf("the draft counts as a checklist: %+v", doc.Items)
	}
	s.calls = map[string]int{}
	s.handle(s.commentEvent("created", s.say(12, signer, "/signoff-draft"), signer))
	if s.calls["UpdateComment"]+s.calls["CreateComment"] != 0 {
		t.Errorf("the same draft was written again: %v", s.calls)
	}
	w, git := signingRepo(t, "preset: inferencex\nchecks:\n  profile: 2026-08\n")
	git("commit", "-q", "--allow-empty", "-m", "another head")
	s.bot.SignOffs.Clone = w
	s.pr().HeadSHA = git("rev-parse", "topic")
	s.handle(s.commentEvent("created", s.say(12, signer, "/signoff-draft"), signer))
	if now := s.ours(); len(now) != 1 || now[0].ID != first.ID || now[0].Body == first.Body {
		t.Errorf("the draft was not updated in place: %+v", now)
	}
	s.handle(s.commentEvent("created", s.say(12, maintainer, "/signoff-draft"), maintainer))
	if now := s.ours(); len(now) != 2 || !strings.Contains(now[1].Body, "`maintainer`") {
		t.Errorf("the other one got no draft: %+v", now)
	}
}

// Who may not write, or says something else as well, is left alone.
func TestDraftStaysSilent(t *testing.T) {
	for name, c := range map[string]struct {
		person   User
		body     string
		adapt    func(*stage)
		want     string
		requests int
	}{
		"may not write": {bystander, "/signoff-draft", nil, "signoff.not-allowed", 3},
		"a quotation":   {signer, "> /signoff-draft", nil, "bot.comment-nothing", 0},
		"with words":    {signer, "/signoff-draft please", nil, "bot.comment-nothing", 0},
		"two lines":     {signer, "please\n/signoff-draft", nil, "bot.comment-nothing", 0},
		"a program":     {User{ID: 9, Login: "x[bot]", Bot: true}, "/signoff-draft", nil, "bot.comment-machine", 0},
		"ours":          {User{ID: botID, Login: "bot"}, "/signoff-draft", nil, "bot.comment-own", 0},
		"closed":        {signer, "/signoff-draft", func(s *stage) { s.pr().State = "closed" }, "signoff.not-open", 2},
	} {
		s := drafting(t)
		if c.adapt != nil {
			c.adapt(s)
		}
		decided, results := s.handle(s.commentEvent("created", s.say(12, c.person, c.body), c.person))
		if codes(decided) != c.want || len(results) != 0 || s.total() > c.requests {
			t.Errorf("%s: %s, %v, %d requests %v", name, codes(decided), results, s.total(), s.log)
		}
	}
	s := drafting(t)
	said := s.say(12, signer, "never mind")
	d := s.commentEvent("edited", said, signer)
	before := "/signoff-draft"
	d.EditedFrom = &before
	if decided, results := s.handle(d); codes(decided) != "bot.comment-nothing" || len(results) != 0 {
		t.Errorf("a request that was taken back: %s", codes(decided))
	}
}

// Without a template, and with one that no comment can hold, the answer says so.
func TestDraftThatCannotBe(t *testing.T) {
	for want, checklist := range map[string]string{
		"There is no template of a checklist in `docs/PR_REVIEW_CHECKLIST.md`": "nothing\n",
		"The draft is too long for a comment":                                  "# Template\n```\n" + strings.Repeat("words and words\n", 5000) + "```\n",
	} {
		s := drafting(t)
		w, git := signingRepo(t, "preset: inferencex\n")
		git("checkout", "-q", "main")
		if err := os.WriteFile(filepath.Join(w.Dir(), "docs/PR_REVIEW_CHECKLIST.md"), []byte(checklist), 0o600); err != nil {
			t.Fatal(err)
		}
		git("commit", "-q", "-a", "-m", "another checklist")
		s.bot.SignOffs.Clone = w
		s.pr().HeadSHA = git("rev-parse", "topic")
		_, results := s.handle(s.commentEvent("created", s.say(12, signer, "/signoff-draft"), signer))
		if list := s.ours(); results.Err() != nil || len(list) != 1 || !strings.Contains(list[0].Body, want) {
			t.Errorf("%v, %+v", results.Err(), list)
		}
	}
}
