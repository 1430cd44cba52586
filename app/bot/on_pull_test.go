package bot

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/labels"
)

// A label in a server: the sweep starts within the budget of requests, then
// the author is told.
func TestServerStartsASweep(t *testing.T) {
	s := newStage(t, AsApp)
	before := 0
	s.after = func(method string, _ int) {
		if method == "Dispatch" {
			before = s.total()
		}
	}
	_, results := s.handle(s.label(maintainer, labels.Labeled, failFast))
	if err := results.Err(); err != nil {
		t.Fatal(err)
	}
	if got := kinds(results); got != "dispatch check comment" {
		t.Errorf("effects: %s", got)
	}
	// The budget is 12 before the start; docs/effects.md has these numbers.
	if before != 8 || s.total() != 14 {
		t.Errorf("%d requests before the sweep starts, %d in all: %v", before, s.total(), s.log)
	}
	if len(s.started) != 1 || s.started[0]["head-sha"] != shaA || s.started[0]["base-sha"] != shaC || s.started[0]["labels"] != `["full-sweep-fail-fast"]` {
		t.Errorf("%v", s.started)
	}
	if ref, ok := titleOf(s.runs[0].Title); !ok || ref.number != 12 || ref.short != shaA[:12] || s.runs[0].HeadBranch != "main" {
		t.Errorf("run %q on %s", s.runs[0].Title, s.runs[0].HeadBranch)
	}
	if body := s.bodies(12); len(body) != 1 || !strings.Contains(body[0], "is about to start") {
		t.Errorf("%q", body)
	}
	if len(s.checks) != 1 || s.checks[0].Conclusion != "success" || s.checks[0].HeadSHA != shaA {
		t.Errorf("%+v", s.checks)
	}
}

// A refused change: a red check with the line, and no run.
func TestServerRefuses(t *testing.T) {
	s := newStage(t, AsApp)
	s.pulls[13] = s.pulls[12]
	s.pulls[13].Number, s.pulls[13].URL = 13, site+"/pull/13"
	_, results := s.handle(s.label(maintainer, labels.Labeled, failFast))
	if err := results.Err(); err != nil {
		t.Fatal(err)
	}
	if len(s.started) != 0 || len(s.checks) != 1 || s.checks[0].Conclusion != "failure" {
		t.Fatalf("%d runs, %+v", len(s.started), s.checks)
	}
	if a := s.checks[0].Annotations; len(a) == 0 || a[0].Path != "perf-changelog.yaml" || a[0].StartLine < 2 || a[0].Level != "failure" {
		t.Errorf("%+v", a)
	}
	if body := s.bodies(13)[0]; !strings.Contains(body, "the change is refused") || !strings.Contains(body, "perf-changelog.yaml:") {
		t.Errorf("%s", body)
	}
}

func TestServerStops(t *testing.T) {
	for name, stop := range map[string]func(*stage) Delivery{
		"N19 the label goes":   func(s *stage) Delivery { return s.label(maintainer, labels.Unlabeled, failFast) },
		"N16 a second label":   func(s *stage) Delivery { return s.label(maintainer, labels.Labeled, "full-sweep-enabled") },
		"a push of a bad head": func(s *stage) Delivery { s.messages[shaB] = "[skip-sweep]"; return s.push(shaB) },
	} {
		s := newStage(t, AsApp)
		s.handle(s.label(maintainer, labels.Labeled, failFast))
		s.handle(stop(s))
		if len(s.live()) != 0 || len(s.canceled) != 1 {
			t.Errorf("%s: %d live, %d cancelled", name, len(s.live()), len(s.canceled))
		}
		if len(s.bodies(12)) != 1 {
			t.Errorf("%s: %d comments", name, len(s.bodies(12)))
		}
	}
}

// F01, F02, S38: a label that means nothing here touches nothing.
func TestF01UnrelatedLabelTouchesNothing(t *testing.T) {
	s := newStage(t, AsApp)
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	runs, comments := len(s.runs), s.bodies(12)
	for _, action := range []string{labels.Labeled, labels.Unlabeled} {
		_, results := s.handle(s.label(maintainer, action, "reuse-full-sweep-results"))
		if len(results) != 0 {
			t.Errorf("%s: %s", action, kinds(results))
		}
	}
	if len(s.runs) != runs || len(s.live()) != 1 || cmp.Diff(comments, s.bodies(12)) != "" {
		t.Errorf("%d runs, %d live", len(s.runs), len(s.live()))
	}
}

// F03: a push to a labelled branch measures the new head; the old run goes.
func TestF03PushMeasuresTheNewHead(t *testing.T) {
	s := newStage(t, AsApp)
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	s.handle(s.push(shaB))
	if live := s.live(); len(live) != 1 || !strings.Contains(live[0].Title, shaB[:12]) || len(s.canceled) != 1 {
		t.Errorf("live %v, cancelled %v", live, s.canceled)
	}
}

// S35: a label that is taken off and put on again twenty times leaves one live
// run, and so do two labels within a second (F04).
func TestS35RelabellingLeavesOneRun(t *testing.T) {
	s := newStage(t, AsApp)
	for range 20 {
		s.handle(s.label(maintainer, labels.Labeled, failFast))
		s.handle(s.label(maintainer, labels.Unlabeled, failFast))
	}
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	s.handle(s.label(maintainer, labels.Labeled, "agentx-fast"))
	if live := s.live(); len(live) != 1 || s.started[len(s.started)-1]["labels"] != `["agentx-fast","full-sweep-fail-fast"]` {
		t.Errorf("%d live, %v", len(live), s.started[len(s.started)-1])
	}
	if len(s.bodies(12)) != 1 {
		t.Errorf("%d comments", len(s.bodies(12)))
	}
}

// A label that is taken off and put on again after the sweep forces another;
// the old delivery coming again does not.
func TestRelabellingForcesAnotherSweep(t *testing.T) {
	s := newStage(t, AsApp)
	first := s.label(maintainer, labels.Labeled, failFast)
	s.handle(first)
	s.finish(&s.runs[0], "eval / a")
	s.handle(first)
	if len(s.started) != 1 {
		t.Fatalf("a redelivery started a sweep")
	}
	s.handle(s.label(maintainer, labels.Unlabeled, failFast))
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	if len(s.started) != 2 {
		t.Errorf("%d sweeps", len(s.started))
	}
}

// F21: a reuse command keeps pushes from measuring.
func TestF21ReuseKeepsPushesFromMeasuring(t *testing.T) {
	s := newStage(t, AsApp)
	s.pr().Labels = []string{failFast}
	s.bot.Reuse = fixedReuse{state: labels.ReuseValid}
	s.handle(s.push(shaB))
	if len(s.started) != 0 || !strings.Contains(s.bodies(12)[0], "reuse command is in force") {
		t.Errorf("%d runs\n%s", len(s.started), s.bodies(12))
	}
}

// A label during a conflict is lost on GitHub; here the author is told.
func TestN26ConflictIsTold(t *testing.T) {
	s := newStage(t, AsApp)
	no := false
	s.pr().Mergeable = &no
	s.handle(s.label(maintainer, labels.Labeled, failFast))
	if len(s.started) != 0 || !strings.Contains(s.bodies(12)[0], "conflicts with main") {
		t.Errorf("%d runs\n%s", len(s.started), s.bodies(12))
	}
}

// N27: opening a pull request that carries a label does not sweep. The author
// is greeted once.
func TestN27OpeningGreetsOnce(t *testing.T) {
	s := newStage(t, AsApp)
	s.pr().Labels = []string{failFast}
	for _, action := range []string{"opened", "reopened", "opened", labels.ReadyForReview} {
		s.handle(s.event(action, author))
	}
	bodies := s.bodies(12)
	if len(s.started) != 0 || len(bodies) == 0 {
		t.Fatalf("%d runs, %d comments", len(s.started), len(bodies))
	}
	welcomes := 0
	for _, body := range bodies {
		if strings.HasPrefix(body, "<!-- sweepbot:welcome") {
			welcomes++
		}
	}
	if welcomes != 1 {
		t.Errorf("%d welcomes", welcomes)
	}
	golden(t, "welcome/inferencex.md", bodies[0])
}

func TestWelcomeOnlyWhereItMatters(t *testing.T) {
	for name, set := range map[string]func(*stage){
		"other files":       func(s *stage) { s.changed = []string{"README.md", "docs/perf-changelog.yaml"} },
		"other base branch": func(s *stage) { s.pr().BaseBranch = "release" },
		"closed":            func(s *stage) { s.pr().State = "closed" },
		"greeted before":    func(s *stage) { s.say(12, User{ID: botID}, "<!-- recipe-reminder -->\nThanks") },
	} {
		s := newStage(t, AsApp)
		set(s)
		before := len(s.bodies(12))
		s.handle(s.event("opened", author))
		if got := len(s.bodies(12)); got != before {
			t.Errorf("%s: %d comments", name, got)
		}
	}
	august, _ := config.Preset(config.PresetAugust)
	golden(t, "welcome/inferencex-2026-08.md", welcomeText(august)+"\n")
}

// Deliveries come late, twice and in any order: whatever people did, handling
// it leaves the same comments, check and live run as handling it once.
func TestDeliveriesInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		build := func() (*stage, []Delivery) {
			s := newStage(t, AsApp)
			var all []Delivery
			for i, act := range rapid.SliceOfN(rapid.IntRange(0, 6), 1, 6).Draw(t, "acts") {
				switch act {
				case 0, 1:
					all = append(all, s.label(maintainer, labels.Labeled, failFast))
				case 2:
					all = append(all, s.label(maintainer, labels.Unlabeled, failFast))
				case 3:
					all = append(all, s.label(maintainer, labels.Labeled, "agentx-fast"))
				case 4:
					all = append(all, s.label(maintainer, labels.Labeled, "bug"))
				case 5:
					all = append(all, s.event("opened", author))
				default:
					if i < 3 {
						all = append(all, s.push(shaB))
					}
				}
			}
			return s, all
		}
		s, all := build()
		for _, d := range all {
			s.handle(d)
		}
		want := outcome(s)
		order := rapid.Permutation(append(append([]Delivery(nil), all...), all...)).Draw(t, "order")
		late := newStage(t, AsApp)
		*late.pulls[12] = *s.pulls[12]
		late.commits, late.labelEvents = s.commits, s.labelEvents
		for _, d := range order {
			late.handle(d)
		}
		if diff := cmp.Diff(want, outcome(late)); diff != "" {
			t.Fatalf("in another order (-once +late):\n%s", diff)
		}
		if live := len(late.live()); live > 1 {
			t.Fatalf("%d live runs", live)
		}
		// And again.
		runs := len(late.runs)
		for _, d := range order {
			late.handle(d)
		}
		if diff := cmp.Diff(want, outcome(late)); diff != "" || len(late.runs) != runs {
			t.Fatalf("replayed: %d runs more\n%s", len(late.runs)-runs, diff)
		}
	})
}

// outcome is what people see in the end, independent of ids and of history.
func outcome(s *stage) map[string]string {
	out := make(map[string]string)
	for _, body := range s.bodies(12) {
		env, ok := s.world().seal(12).read(body)
		if !ok {
			s.t.Fatalf("a comment that is not ours:\n%s", body)
		}
		if _, double := out[env.Topic]; double {
			s.t.Fatalf("two comments on %s", env.Topic)
		}
		out[env.Topic] = env.Text
	}
	for _, r := range s.live() {
		title, _, _ := strings.Cut(r.Title, ".")
		out["live"] = title
	}
	for _, c := range s.checks {
		if c.HeadSHA == s.pr().HeadSHA {
			out["check"] = c.Conclusion + " " + c.Title
		}
	}
	return out
}
