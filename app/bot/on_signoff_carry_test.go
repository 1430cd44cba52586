package bot

import (
	"context"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/labels"
)

// pushRecord is a GitHub that records the newest push.
type pushRecord struct {
	*fakeGitHub
	push  Push
	actor User
}

func (g *pushRecord) LastPush(context.Context, string, string) (Push, User, error) {
	if g.push.After == "" {
		return Push{}, User{}, ErrNotFound
	}
	return g.push, g.actor, g.call("LastPush", 1)
}

// carrying is a stage in the mode carry with a verdict of ours that passed on
// shaA, which was the head.
func carrying(t *testing.T, setting Setting, word string) (*stage, *pushRecord) {
	t.Helper()
	s := newStage(t, setting)
	s.bot.SignOffs, s.bot.Dispatches = &SignOffs{}, false
	s.planner.adapt = func(c *config.Settings) { c.Checks.Verdict.Mode = config.VerdictCarry }
	record := &pushRecord{fakeGitHub: s.fakeGitHub}
	s.bot.GitHub = record
	s.permissions["boss"] = "admin"
	s.say(12, User{ID: botID, Login: "github-actions[bot]", Bot: true}, "<!-- codeowner-signoff-verify -->\n"+word+"\n\nrows\n\nAssessed commit: `"+shaA+"`.\nCovered commit: `"+shaA+"`.\n")
	return s, record
}

const passHeader, rejectedHeader = "## ✅✅✅ **Verdict: PASS** ✅✅✅", "## ❌❌❌ **REJECTED** ❌❌❌"

// pushBy moves the head to shaB: the event of a server, or in a job the end of
// the relay's run.
func (s *stage) pushBy(g *pushRecord, person User, before string) Delivery {
	s.pr().HeadSHA = shaB
	s.commits[12] = append(s.commits[12], shaB)
	g.push, g.actor = Push{Before: before, After: shaB}, person
	if s.bot.Setting == InActions {
		return s.relayed("pull_request", person)
	}
	d := s.event(labels.Synchronize, person)
	d.Heads = &Push{Before: before, After: shaB}
	return d
}

// A push of an administrator takes a PASS along; any other leaves it behind. The
// comment's body stays but for the covered commit.
func TestCoverageCarry(t *testing.T) {
	boss := User{ID: 1, Login: "boss"}
	for place, setting := range map[string]Setting{"server": AsApp, "job": InActions} {
		for name, c := range map[string]struct {
			word, before string
			person       User
			adapt        func(*pushRecord)
			state        string
		}{
			"carried":                {passHeader, shaA, boss, nil, "success"},
			"rejected":               {rejectedHeader, shaA, boss, nil, "failure"},
			"another head between":   {passHeader, shaC, boss, nil, "failure"},
			"a maintainer":           {passHeader, shaA, maintainer, nil, "failure"},
			"a bot":                  {passHeader, shaA, User{ID: 7, Login: "boss", Bot: true}, nil, "failure"},
			"the verdict is a spoof": {passHeader, shaA, boss, func(g *pushRecord) { g.comments[12][0].Author = maintainer }, ""},
		} {
			s, g := carrying(t, setting, c.word)
			d := s.pushBy(g, c.person, c.before)
			if c.adapt != nil {
				c.adapt(g)
			}
			old := g.comments[12][0].Body
			s.handle(d)
			status := s.statuses[shaB]
			got := ""
			for _, st := range status {
				if st.Context == verdictName {
					got = st.State
				}
			}
			want := old
			if c.state == "success" {
				want = strings.Replace(old, "Covered commit: `"+shaA, "Covered commit: `"+shaB, 1)
			}
			if got != c.state || s.comments[12][0].Body != want {
				t.Errorf("%s, %s: status %q\n%s", place, name, got, s.comments[12][0].Body)
			}
			if c.state == "success" {
				if read, ok := verdict.Read(s.comments[12][0].Body); !ok || read.Assessed != shaA || read.Covered != shaB {
					t.Errorf("%s, %s: %+v", place, name, read)
				}
				if decided, _ := s.handle(d); !strings.Contains(codes(decided), "signoff.carry-done") {
					t.Errorf("%s, told twice: %s", place, codes(decided))
				}
			}
		}
	}
}

// In a job the run of the relay proves no push, since its file is the pull
// request's: a label of the administrator on somebody's push carries nothing.
func TestCoverageCarryNeedsTheRecord(t *testing.T) {
	boss := User{ID: 1, Login: "boss"}
	for name, forge := range map[string]func(*pushRecord){
		"pushed by another": func(g *pushRecord) { g.actor = author },
		"no record":         func(g *pushRecord) { g.push = Push{} },
		"an older record":   func(g *pushRecord) { g.push.After = shaC },
	} {
		s, g := carrying(t, InActions, passHeader)
		d := s.pushBy(g, boss, shaA)
		forge(g)
		s.handle(d)
		if got := s.statuses[shaB]; len(got) != 1 || got[0].State != "failure" || strings.Contains(s.comments[12][0].Body, shaB) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
