package bot

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// relayEvents are the events of reviews with the action of a new text and the
// key of text 500.
var relayEvents = map[string]struct {
	event, key string
	list       string
}{
	"review summary": {"pull_request_review", "pullrequestreview-500", "ReviewSummaries"},
	"inline comment": {"pull_request_review_comment", "discussion_r500", "ReviewComments"},
}

// relaying is a stage in a job, with a text of the signer in a review.
func relaying(t *testing.T, body string) (*stage, *Comment) {
	t.Helper()
	s := signing(t, "preset: inferencex\n")
	s.clock = s.clock.Add(time.Hour)
	s.comments[-12] = []Comment{{
		ID: 500, Author: signer, AuthorAssociation: "MEMBER", Body: body, URL: site + "/x", CreatedAt: s.clock, UpdatedAt: s.clock,
	}}
	return s, &s.comments[-12][0]
}

// relayed is the end of the relay's run for an event of a person, of now.
func (s *stage) relayed(event string, person User) Delivery {
	s.clock = s.clock.Add(3 * time.Second)
	pr := s.pr()
	run := Run{
		ID: s.id(), Attempt: 1, Name: "sweepbot-relay", Workflow: ".github/workflows/sweepbot-relay.yml", Event: event, Status: "completed",
		Conclusion: "success", HeadRepo: pr.HeadRepo, HeadBranch: pr.HeadBranch, HeadSHA: pr.HeadSHA, Actor: person, Trigger: person, CreatedAt: s.clock,
	}
	s.runs = append(s.runs, run)
	return Delivery{Name: "workflow_run", Action: "completed", Repository: repoName, Sender: person, Run: &run}
}

// A sign-off in a review is verified when the relay's run ends: the same
// verdict as by webhook. The run that is repeated, or told of twice, changes
// nothing; an edit by the author is verified, one by another is refused.
func TestSignOffByRelay(t *testing.T) {
	for name, c := range relayEvents {
		t.Run(name, func(t *testing.T) {
			s, said := relaying(t, checklistText)
			first := s.relayed(c.event, signer)
			decided, results := s.handle(first)
			if codes(decided) != "signoff.verified" || kinds(results) != "verdict" || results.Err() != nil || decided.Number != 12 {
				t.Fatal(codes(decided), kinds(results), results.Err())
			}
			list := s.verdicts()
			if len(list) != 1 || !strings.Contains(list[0].Body, "signoff="+c.key+" -->") || !strings.Contains(list[0].Body, "Assessed commit: `"+s.pr().HeadSHA+"`.") {
				t.Fatalf("%+v", list)
			}
			s.say(12, maintainer, "/use 77")
			s.comments[12][len(s.comments[12])-1].AuthorAssociation = "MEMBER" // check 4 would now pass
			if decided, _ := s.handle(first); codes(decided) != "signoff.judged" {
				t.Errorf("the run, told of twice: %s", codes(decided))
			}
			again := first
			run := *first.Run
			run.Attempt, again.Run = 2, &run
			if decided, _ := s.handle(again); codes(decided) != "signoff.relay-repeated" {
				t.Errorf("the run, repeated: %s", codes(decided))
			}
			s.clock = s.clock.Add(time.Hour)
			if decided, _ := s.handle(s.relayed(c.event, signer)); codes(decided) != "signoff.relay-nothing" {
				t.Errorf("talk of the signer: %s", codes(decided))
			}
			said.Body, said.UpdatedAt = checklistText+"more\n", s.clock
			if decided, results := s.handle(s.relayed(c.event, maintainer)); codes(decided) != "signoff.edited-by-another" || len(results) != 0 {
				t.Errorf("edited by another: %s", codes(decided))
			}
			s.clock = s.clock.Add(time.Hour)
			said.UpdatedAt = s.clock
			decided, _ = s.handle(s.relayed(c.event, signer))
			if now := s.verdicts(); codes(decided) != "signoff.verified" || len(now) != 1 || now[0].ID != list[0].ID || now[0].Body == list[0].Body {
				t.Errorf("edited by its author: %s", codes(decided))
			}
		})
	}
}

// What a relay's run can't do: by the wrong person, for another's text, about a
// head that no pull request has, from a server that hears of reviews itself.
func TestRelayStaysSilent(t *testing.T) {
	for name, c := range relayEvents {
		for why, x := range map[string]struct {
			adapt  func(*stage, *Comment, *Delivery)
			person User
			want   string
		}{
			"a bot":              {nil, User{ID: 9, Login: "x[bot]", Bot: true}, "signoff.relay-nothing"},
			"a bot's own text":   {func(_ *stage, c *Comment, _ *Delivery) { c.Author = User{ID: 9, Login: "x[bot]", Bot: true} }, User{ID: 9, Login: "x[bot]", Bot: true}, "signoff.by-machine"},
			"by another":         {nil, maintainer, "signoff.relay-nothing"},
			"quoted":             {func(_ *stage, c *Comment, _ *Delivery) { c.Body = "> " + checklistText }, signer, "signoff.not-own-words"},
			"a verdict":          {func(_ *stage, c *Comment, _ *Delivery) { c.Body = "<!-- codeowner-signoff-verify -->\n" + c.Body }, signer, "signoff.relay-nothing"},
			"draft":              {func(s *stage, _ *Comment, _ *Delivery) { s.pr().Draft = true }, signer, "signoff.is-draft"},
			"closed":             {func(s *stage, _ *Comment, _ *Delivery) { s.pr().State = "closed" }, signer, "bot.run-no-pull"},
			"may not write":      {func(s *stage, _ *Comment, _ *Delivery) { s.permissions["signer"] = "read" }, signer, "signoff.not-allowed"},
			"head of nothing":    {func(s *stage, _ *Comment, _ *Delivery) { s.runs[len(s.runs)-1].HeadSHA = shaB }, signer, "bot.run-no-pull"},
			"run not at its end": {func(_ *stage, _ *Comment, d *Delivery) { d.Action = "requested" }, signer, "bot.run-event"},
			"in a server":        {func(s *stage, _ *Comment, _ *Delivery) { s.bot.Setting = AsApp }, signer, "bot.run-event"},
			"other workflow":     {func(s *stage, _ *Comment, d *Delivery) { d.Run.Workflow = ".github/workflows/relay.yml" }, signer, "bot.run-workflow"},
		} {
			s, said := relaying(t, checklistText)
			d := s.relayed(c.event, x.person)
			if x.adapt != nil {
				x.adapt(s, said, &d)
			}
			decided, results := s.handle(d)
			if codes(decided) != x.want || len(results) != 0 || len(s.verdicts()) != 0 {
				t.Errorf("%s, %s: %s, want %s", name, why, codes(decided), x.want)
			}
		}
	}
}

// A push moves no sign-off along: words on the new head, even of the signer, do
// not have the old one judged there.
func TestRelayLeavesOldSignOffsBehind(t *testing.T) {
	for name, c := range relayEvents {
		s, _ := relaying(t, checklistText)
		s.handle(s.relayed(c.event, signer))
		before := s.verdicts()[0].Body
		s.pr().HeadSHA = s.git("rev-parse", "main")
		s.clock = s.clock.Add(time.Hour)
		talk := Comment{ID: 501, Author: signer, Body: "please revert", CreatedAt: s.clock, UpdatedAt: s.clock}
		s.comments[-12] = append(s.comments[-12], talk)
		decided, _ := s.handle(s.relayed(c.event, signer))
		if codes(decided) != "signoff.relay-nothing" || s.verdicts()[0].Body != before {
			t.Errorf("%s: %s", name, codes(decided))
		}
	}
}

// Two people sign in the same minute: each run verifies the sign-off of its
// actor, and of one person's two the second run takes the one that is left.
func TestRelayOfSeveralSignOffs(t *testing.T) {
	for name, c := range relayEvents {
		s, said := relaying(t, checklistText)
		second, third := *said, *said
		second.ID, second.Author, third.ID = 501, maintainer, 502
		third.UpdatedAt, third.CreatedAt = said.UpdatedAt.Add(time.Second), said.CreatedAt.Add(time.Second)
		s.comments[-12] = append(s.comments[-12], second, third)
		var keys []string
		for _, person := range []User{signer, maintainer, signer} {
			s.handle(s.relayed(c.event, person))
		}
		for _, v := range s.verdicts() {
			_, rest, _ := strings.Cut(v.Body, "signoff=")
			key, _, _ := strings.Cut(rest, " ")
			keys = append(keys, key)
		}
		prefix := strings.TrimSuffix(c.key, "500")
		if want := []string{prefix + "502", prefix + "501", prefix + "500"}; !slices.Equal(keys, want) {
			t.Errorf("%s: verdicts about %v", name, keys)
		}
	}
}

// What hearing of a review costs beside the verification itself.
func TestRelayRequests(t *testing.T) {
	for name, c := range relayEvents {
		s, _ := relaying(t, "talk")
		s.handle(s.relayed(c.event, signer))
		if s.total() != 3 || s.calls[c.list] != 1 { // run, pull request, texts
			t.Errorf("%s: talk costs %v", name, s.calls)
		}
	}
}
