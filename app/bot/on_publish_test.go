package bot

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// resolved answers as a test wants.
type resolved struct {
	Resolution
	err error
}

func (r resolved) Resolve(context.Context, *PullRequest, config.Settings) (Resolution, error) {
	return r.Resolution, r.err
}

// consumer keeps the messages that it gets.
type consumer struct {
	got []map[string]string
	err error
}

func (c *consumer) RepositoryDispatch(_ context.Context, repository, event string, payload map[string]string) error {
	message := map[string]string{"repository": repository, "event": event}
	for name, value := range payload {
		message[name] = value
	}
	c.got = append(c.got, message)
	return c.err
}

// publishing is a stage whose pull request was merged with an authorised run
// that has results. The merge run is number 99.
func publishing(t tester) (*stage, Delivery, *consumer) {
	s := newStage(t, InActions)
	s.settings(func(c *config.Settings) { c.Publish.Repository = "example/results" })
	s.bot.Resolver = resolved{Resolution: Resolution{Category: CategoryReused, Run: ReusedRun{ID: 5, Attempt: 2, PR: 12, HeadSHA: shaA}}}
	s.artifacts[5] = []Artifact{{ID: 1, Name: "results_bmk"}}
	s.runs = append(s.runs, Run{ID: 99, Attempt: 1, Event: "push", Status: "in_progress", Workflow: ".github/workflows/merge-ingest.yml"})
	return s, merge(s, "A change (#12)"), &consumer{}
}

func (s *stage) upload(name string) {
	s.artifacts[99] = append(s.artifacts[99], Artifact{ID: 2, Name: name, RunID: 99})
}

// publish handles a push with somebody to publish to.
func (s *stage) publish(d Delivery, c *consumer) Results {
	s.t.Helper()
	decided, err := s.bot.Decide(ctx, d)
	if err != nil {
		s.t.Fatal(err)
	}
	w := s.world()
	w.Host = s.host
	if c != nil {
		w.Publisher = c
	}
	results, err := (&Executor{World: w, Journal: &MemoryJournal{}}).Perform(ctx, decided.Intents)
	if err != nil {
		s.t.Fatal(err)
	}
	return results
}

// F26: without an authorised run the job is red, says why, and nothing is sent,
// whatever else there is. F25: the skip marker of a squashed commit changes
// nothing about that.
func TestF26NothingIsPublishedUnauthorised(t *testing.T) {
	refused := diag.New("labels.gate-source", diag.Place{})
	for name, c := range map[string]struct {
		set   func(*stage)
		want  string
		state PublishOutcome
	}{
		"nobody's wish":         {func(s *stage) { s.bot.Resolver = nil }, "bot.publish-not-authorised", PublishNoWish},
		"the resolver finds no": {func(s *stage) { s.bot.Resolver = resolved{Resolution: Resolution{Category: CategoryNoAuthorization}} }, "bot.publish-not-authorised", PublishNoWish},
		"no resolver": {func(s *stage) {
			s.bot.Resolver = nil
			s.say(12, bystander, "> /use 5")
		}, "bot.publish-no-answer", PublishNoAnswer},
		"the run does not hold": {func(s *stage) {
			s.bot.Resolver = resolved{Resolution: Resolution{Category: "run-expired", Why: refused}}
		}, "labels.gate-source", PublishRefused},
		"no pull request": {func(s *stage) { s.pr().MergeSHA = shaB }, "bot.publish-no-pull", PublishNoPull},
		"not merged":      {func(s *stage) { s.pr().Merged = false }, "bot.publish-no-pull", PublishNoPull},
	} {
		for _, message := range []string{"A change (#12)", "A change (#12)\n\n[skip-sweep]"} {
			s, d, to := publishing(t)
			s.upload(metadataName)
			c.set(s)
			d.Push.Message = message
			results := s.publish(d, to)
			s.onlyRead()
			if got := refusedBy(t, results); got != c.want || len(to.got) != 0 || s.host.output("publish") != string(c.state) {
				t.Errorf("%s: refused by %q, %q, sent %v", name, got, s.host.output("publish"), to.got)
			}
		}
	}
}

// F25, F09: what stood before the merge plays no part: an authorised push is
// published whatever the message says and whatever became of gate and checks.
// The metadata is uploaded first, then exactly one message is sent.
func TestF09F25AuthorisedPushIsPublished(t *testing.T) {
	s, d, to := publishing(t)
	d.Push.Message = "A change (#12)\n\n[skip-sweep]"
	results := s.publish(d, to)
	if results.Err() != nil || len(to.got) != 0 {
		t.Fatalf("%v, sent %v before the upload", results.Err(), to.got)
	}
	for name, want := range map[string]string{
		"publish": "upload", "source-run-id": "5", "source-run-attempt": "2", "source-pr-number": "12", "source-head-sha": shaA,
	} {
		if got := s.host.output(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if !strings.Contains(strings.Join(s.host.summaries, ""), "/actions/runs/5") {
		t.Errorf("%q", s.host.summaries)
	}
	s.upload(metadataName)
	before := s.total()
	s.publish(d, to)
	if s.host.output("publish") != "send" || len(to.got) != 1 {
		t.Errorf("%q, sent %v", s.host.output("publish"), to.got)
	}
	if cost := s.total() - before; cost > 6 {
		t.Errorf("%d requests: %v", cost, s.log)
	}
}

// F28: the message has two ids and nothing of the artifacts, none of which is
// opened. F34: a sweep of both kinds of points is one message.
func TestF28F34OneMessageOfTwoIDs(t *testing.T) {
	for name, c := range map[string]struct {
		agentic bool
		want    map[string]string
	}{
		"fixed lengths": {false, map[string]string{"event": "ingest-results"}},
		"mixed":         {true, map[string]string{"event": "ingest-agentic-results", "database-target": "production"}},
	} {
		s, d, to := publishing(t)
		s.upload(metadataName)
		for range 201 {
			s.artifacts[5] = append(s.artifacts[5], Artifact{ID: 7, Name: "bmk_agentic_x", Size: 1 << 30})
		}
		f := &publishFacts{settings: config.Settings{Publish: config.Publish{
			Repository: "example/results", Event: "ingest-results", AgenticEvent: "ingest-agentic-results", Target: "production",
		}}, push: d.Push, pr: s.pr(), mergeRun: 99, uploaded: true, agentic: c.agentic}
		f.resolution, _ = s.bot.Resolver.Resolve(ctx, s.pr(), f.settings)
		var decided Decided
		decidePublication(f, nil, &decided)
		w := s.world()
		w.Host, w.Publisher = s.host, to
		if _, err := (&Executor{World: w}).Perform(ctx, decided.Intents); err != nil {
			t.Fatal(err)
		}
		c.want["repository"], c.want["source-run-id"], c.want["merge-run-id"] = "example/results", "5", "99"
		if diff := cmp.Diff([]map[string]string{c.want}, to.got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if s.calls["OpenArtifact"] != 0 {
			t.Error("an artifact was opened")
		}
	}
}

// What a dry run says of a merge: first the upload, then the message.
func TestPublicationDryRun(t *testing.T) {
	s, d, to := publishing(t)
	for _, step := range []string{"upload", "send"} {
		decided, err := s.bot.Decide(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		w := s.world()
		w.Host, w.Publisher = s.host, to
		results, err := (&Executor{World: w, DryRun: true}).Perform(ctx, decided.Intents)
		if err != nil {
			t.Fatal(err)
		}
		var table strings.Builder
		if err := RenderEffects(&table, decided, results, TableStyle{Language: "en", Columns: 120}); err != nil {
			t.Fatal(err)
		}
		golden(t, "publish/"+step+".txt", table.String())
		s.upload(metadataName)
	}
	if len(to.got) != 0 {
		t.Errorf("sent %v", to.got)
	}
}

// What must hold right before the message is sent, and what a repetition does.
func TestPublicationIsSentOnce(t *testing.T) {
	green, red := Job{ID: 1, Attempt: 1, Conclusion: "success"}, Job{ID: 1, Attempt: 1, Conclusion: "failure"}
	for name, c := range map[string]struct {
		set  func(*stage, *consumer)
		sent int
		want string // code of the refusal or failure
	}{
		"first attempt":              {func(*stage, *consumer) {}, 1, ""},
		"after a red attempt":        {func(s *stage, _ *consumer) { s.run(99).Attempt, s.jobs[99] = 2, []Job{red} }, 1, ""},
		"after a green attempt":      {func(s *stage, _ *consumer) { s.run(99).Attempt, s.jobs[99] = 2, []Job{green} }, 0, ""},
		"the results have expired":   {func(s *stage, _ *consumer) { s.artifacts[5][0].Expired = true }, 0, "bot.publish-no-results"},
		"the run never had any":      {func(s *stage, _ *consumer) { s.artifacts[5] = []Artifact{{Name: "server_logs_x"}} }, 0, "bot.publish-no-results"},
		"the consumer does not take": {func(_ *stage, c *consumer) { c.err = errors.New("no answer") }, 1, "failed"},
	} {
		s, d, to := publishing(t)
		s.upload(metadataName)
		c.set(s, to)
		results := s.publish(d, to)
		got := ""
		for _, r := range results {
			if r.Kind() != "publish" {
				continue
			}
			var f diag.Finding
			if errors.As(r.Err, &f) {
				got = f.Code
			} else if r.Err != nil {
				got = "failed"
			}
		}
		if len(to.got) != c.sent || got != c.want {
			t.Errorf("%s: sent %d times, %q", name, len(to.got), got)
		}
		if done := s.host.output("publish") == "send"; done != (c.want == "") {
			t.Errorf("%s: output %q", name, s.host.output("publish"))
		}
	}
}

func TestPublicationNeedsItsOwnCredential(t *testing.T) {
	s, d, _ := publishing(t)
	s.upload(metadataName)
	var f diag.Finding
	if err := s.publish(d, nil).Err(); !errors.As(err, &f) || f.Code != "bot.publish-no-credential" {
		t.Errorf("%v", err)
	}
	// The metadata may be gone again.
	s, d, to := publishing(t)
	s.upload(metadataName)
	decided, err := s.bot.Decide(ctx, d)
	if err != nil {
		t.Fatal(err)
	}
	s.artifacts[99][0].Expired = true
	w := s.world()
	w.Host, w.Publisher = s.host, to
	results, _ := (&Executor{World: w}).Perform(ctx, decided.Intents)
	if got := refusedBy(t, results); got != "bot.publish-no-metadata" || len(to.got) != 0 {
		t.Errorf("%q", got)
	}
}

// Where nobody takes in results a merge stays green, and a change that cannot
// be planned is not published.
func TestPublicationOff(t *testing.T) {
	s, d, to := publishing(t)
	s.settings(func(c *config.Settings) { c.Publish.Repository = "" })
	if err := s.publish(d, to).Err(); err != nil || s.host.output("publish") != "off" || len(to.got) != 0 {
		t.Errorf("%v, %q", err, s.host.output("publish"))
	}
	s, d, to = publishing(t)
	s.bot.Resolver = resolved{err: errors.New("no answer")}
	if _, err := s.bot.Decide(ctx, d); err == nil || len(to.got) != 0 {
		t.Error("what cannot be read is published")
	}
	f := &publishFacts{push: d.Push, pr: s.pr(), resolution: Resolution{Category: CategoryReused}, uploaded: true}
	f.settings.Publish.Repository = "example/results"
	why := diag.New("labels.check-failed", diag.Place{})
	f.refusal = &why
	if p := f.decide(); p.Outcome != PublishRefused || p.Why.Code != why.Code {
		t.Errorf("%+v", p)
	}
}
