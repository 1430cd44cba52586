package bot

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// commentEvent is the event about a comment that is there.
func (s *stage) commentEvent(action string, c Comment, sender User) Delivery {
	return Delivery{
		Name: "issue_comment", Action: action, ID: "90", Repository: repoName, Sender: sender,
		Issue: &Issue{Number: 12, State: "open", IsPullRequest: true}, Comment: &c,
	}
}

// listening is a stage with a room that wants commands.
func listening(t tester) (*stage, *[]Said) {
	s := newStage(t, InActions)
	var heard []Said
	s.bot.Comments = []CommentHandler{{
		Name: "commands", Wants: func(text string) bool { return strings.HasPrefix(text, "/use") }, Machines: []int64{777},
		Tell: func(_ context.Context, said Said, out *Decided) error {
			heard = append(heard, said)
			out.because("bot.no-effects")
			return nil
		},
	}}
	return s, &heard
}

// Comments that hold nothing for us, our own and those of other programs ask
// for nothing and cost nothing.
func TestCommentsAreLeftAlone(t *testing.T) {
	self := User{ID: botID, Login: "github-actions[bot]", Bot: true}
	other := User{ID: 555, Login: "other[bot]", Bot: true}
	for name, c := range map[string]struct {
		author, sender User
		action, body   string
		adapt          func(*Delivery)
		want           string
	}{
		"chat":                     {author, author, "created", "looks good", nil, "bot.comment-nothing"},
		"our own":                  {self, self, "created", "/use 1", nil, "bot.comment-own"},
		"our own, edited":          {self, maintainer, "edited", "/use 1", nil, "bot.comment-own"},
		"our own, deleted":         {self, maintainer, "deleted", "/use 1", nil, "bot.comment-own"},
		"edited by us":             {author, self, "edited", "/use 1", nil, "bot.comment-own"},
		"another program":          {other, other, "created", "/use 1", nil, "bot.comment-machine"},
		"edited by a program":      {author, other, "edited", "/use 1", nil, "bot.comment-machine"},
		"S27 deleted":              {author, author, "deleted", "/use 1", nil, "bot.comment-gone"},
		"S26 edited by another":    {author, maintainer, "edited", "/use 1", nil, "bot.comment-by-another"},
		"S29 no account":           {User{}, User{}, "created", "/use 1", nil, "bot.comment-no-author"},
		"S30 an issue":             {author, author, "created", "/use 1", func(d *Delivery) { d.Issue.IsPullRequest = false }, "bot.comment-on-issue"},
		"edited, nothing in it":    {author, maintainer, "edited", "thanks", nil, "bot.comment-nothing"},
		"a login like ours, no id": {User{ID: 9, Login: "github-actions[bot]"}, User{ID: 9}, "created", "hello", nil, "bot.comment-nothing"},
	} {
		s, heard := listening(t)
		d := s.commentEvent(c.action, s.say(12, c.author, c.body), c.sender)
		if c.adapt != nil {
			c.adapt(&d)
		}
		decided, results := s.handle(d)
		if codes(decided) != c.want || len(results) != 0 || len(*heard) != 0 || s.total() != 0 {
			t.Errorf("%s: %s, %d heard, %v", name, codes(decided), len(*heard), s.log)
		}
	}
}

// A comment that a room wants is read as it is now.
func TestCommentsAreHeard(t *testing.T) {
	s, heard := listening(t)
	c := s.say(12, author, "/use 1")
	s.comment(c.ID).Body = "/use 2" // edited since
	decided, _ := s.handle(s.commentEvent("created", c, author))
	if len(*heard) != 1 || (*heard)[0].Comment.Body != "/use 2" || (*heard)[0].PR.Number != 12 || decided.Number != 12 || decided.Story != "comment" {
		t.Fatalf("%+v %s", *heard, codes(decided))
	}
	if s.total() != 2 {
		t.Errorf("%d requests: %v", s.total(), s.log)
	}
	// What its author took back is told too, with what it said before.
	before := "/use 2"
	s.comment(c.ID).Body = "never mind"
	d := s.commentEvent("edited", *s.comment(c.ID), author)
	d.EditedFrom = &before
	if s.handle(d); len(*heard) != 2 || !(*heard)[1].Edited || (*heard)[1].Before != before {
		t.Errorf("%+v", *heard)
	}
	// S27: gone before it was read.
	s.remove(c.ID)
	if decided, _ := s.handle(s.commentEvent("created", c, author)); codes(decided) != "bot.comment-gone" || len(*heard) != 2 {
		t.Errorf("%s", codes(decided))
	}
	s.fail = failing("Comment", errors.New("no answer"))
	if _, err := s.bot.Decide(ctx, s.commentEvent("created", c, author)); err == nil {
		t.Error("what cannot be read is nothing")
	}
}

// F54: messages of a program that a room names are input to it; ours never are.
func TestF54MachineMessagesAreInput(t *testing.T) {
	s, heard := listening(t)
	builder := User{ID: 777, Login: "builder[bot]", Bot: true}
	s.handle(s.commentEvent("created", s.say(12, builder, "/use 1"), builder))
	if len(*heard) != 1 {
		t.Fatal("the named program is not heard")
	}
	s.bot.Self = append(s.bot.Self, 777)
	s.handle(s.commentEvent("created", s.say(12, builder, "/use 1"), builder))
	if len(*heard) != 1 {
		t.Error("our own account is heard")
	}
}

// Our sticky comment that somebody deletes or edits comes back whole with the
// next update, and never twice.
func TestStickyCommentComesBack(t *testing.T) {
	s, run := sweeping(t)
	s.finish(run, "eval / a")
	s.handle(s.runEvent(run))
	want := s.bodies(12)[0]
	for name, harm := range map[string]func(){
		"deleted": func() { s.remove(s.comments[12][0].ID) },
		"edited":  func() { s.comments[12][0].Body = strings.ReplaceAll(want, "passed", "failed") },
		"emptied": func() { s.comments[12][0].Body = "" },
	} {
		c := s.comments[12][0]
		harm()
		action := map[bool]string{true: "deleted", false: "edited"}[name == "deleted"]
		if decided, _ := s.handle(s.commentEvent(action, c, maintainer)); codes(decided) != "bot.comment-own" {
			t.Errorf("%s: %s", name, codes(decided))
		}
		s.handle(s.runEvent(run))
		body := s.bodies(12)
		if name == "emptied" {
			// Without a marker it is no comment on the topic any more.
			if body[len(body)-1] != want || len(body) != 2 {
				t.Errorf("%s: %q", name, body)
			}
			continue
		}
		if len(body) != 1 || body[0] != want {
			t.Errorf("%s: %q", name, body)
		}
	}
}
