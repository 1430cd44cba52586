package bot

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/labels"
)

// onlyFile is an archive of one file.
func onlyFile(t tester, name, text string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write([]byte(text))
	}
	if err != nil || z.Close() != nil {
		t.Fatalf("no archive: %v", err)
	}
	return out.Bytes()
}

// swept is a stage whose pull request has a finished full sweep, number 40, and
// whose sweep workflow can be dispatched.
func swept(t tester, setting Setting) *stage {
	s := newStage(t, setting)
	s.label(maintainer, labels.Labeled, "full-sweep-fail-fast")
	s.planner.files[".github/workflows/run-sweep.yml"] = "on:\n  workflow_dispatch:\n    inputs:\n      title: {}\n      since: {}\n"
	s.runs = append(s.runs, Run{
		ID: 40, Attempt: 1, Workflow: ".github/workflows/run-sweep.yml", Event: "pull_request", Status: "completed", Conclusion: "success",
		HeadRepo: repoName, HeadBranch: "topic", HeadSHA: shaA, CreatedAt: epoch, UpdatedAt: epoch,
	})
	s.archives = map[int64][]byte{}
	s.artifacts[40] = []Artifact{{ID: 400, Name: planArtifact}, {ID: 401, Name: "results_bmk"}}
	s.archives[400] = onlyFile(t, planDocument, fmt.Sprintf(`{"version":1,"base":{"commit":%q},"head":{"commit":%q},"measured":{"commit":%q,"tree":%q},
		"policy":{},"canary":null,"families":[{"points":[{"id":"0123456789abcdef"}]}]}`, shaC, shaA, shaB, shaB))
	s.jobs[40] = []Job{{ID: 41, RunID: 40, Attempt: 1, Name: "sweep / agentic / / point", Status: "completed", Conclusion: "success"}}
	s.bot.Comments = []CommentHandler{s.bot.StaleHandler()}
	return s
}

// TestSweepStaleDispatchesOnce: the command starts one partial sweep of the head
// that stands on the run, however often the event comes.
func TestSweepStaleDispatchesOnce(t *testing.T) {
	for name, body := range map[string]string{"newest": "/sweep-stale", "run": "/sweep-stale 40", "commit": "/sweep-stale " + shaA[:9]} {
		s := swept(t, InActions)
		c := s.say(12, maintainer, "Fixed.\n"+body)
		for range 2 {
			s.handle(s.commentEvent("created", c, maintainer))
		}
		if len(s.started) != 1 || s.started[0]["since"] != "40" || s.started[0]["labels"] != `["full-sweep-fail-fast","only-stale"]` ||
			s.started[0]["head-sha"] != shaA || !asksForPartial(s.started[0]["title"]) {
			t.Fatalf("%s: %v", name, s.started)
		}
		golden(t, "sweep-stale/started.md", strings.Join(s.bodies(12), "\n---\n"))
	}
}

// TestSweepStaleRefusals: every refusal is said, and starts nothing.
func TestSweepStaleRefusals(t *testing.T) {
	var all []string
	for _, c := range []struct {
		name, body string
		adapt      func(*stage)
		code       string
	}{
		{"malformed", "/sweep-stale latest", nil, "bot.stale-usage"},
		{"no sweep label", "/sweep-stale", func(s *stage) { s.pr().Labels = nil }, "labels.no-primary"},
		{"two sweep labels", "/sweep-stale", func(s *stage) { s.pr().Labels = append(s.pr().Labels, "full-sweep-enabled") }, "labels.conflict"},
		{"a fork", "/sweep-stale", func(s *stage) { s.pr().HeadRepo = "evil/bench" }, "labels.fork"},
		{"closed", "/sweep-stale", func(s *stage) { s.pr().State = "closed" }, "bot.pull-closed"},
		{"no such run", "/sweep-stale 39", nil, "bot.since-unknown"},
		{"a run of another workflow", "/sweep-stale 40", func(s *stage) { s.runs[0].Workflow = ".github/workflows/x.yml" }, "bot.since-foreign"},
		{"a run of another pull request", "/sweep-stale 40", func(s *stage) { s.runs[0].HeadSHA = shaB }, "bot.since-foreign"},
		{"a run of a fork", "/sweep-stale 40", func(s *stage) { s.runs[0].HeadRepo = "evil/bench" }, "bot.since-foreign"},
		{"no such commit", "/sweep-stale abcdef1", nil, "bot.since-no-commit"},
		{"a partial run", "/sweep-stale 40", func(s *stage) { s.artifacts[40] = append(s.artifacts[40], Artifact{ID: 402, Name: partialArtifact}) }, "bot.since-partial"},
		{"no run", "/sweep-stale", func(s *stage) { s.runs = nil }, "bot.since-none"},
		{"a sweep in progress", "/sweep-stale", func(s *stage) {
			s.runs = append(s.runs, Run{ID: 50, Event: "pull_request", Workflow: s.runs[0].Workflow, Status: "in_progress", HeadRepo: repoName, HeadBranch: "topic", HeadSHA: shaA})
		}, "bot.stale-busy"},
		{"no input", "/sweep-stale", func(s *stage) {
			s.planner.files[".github/workflows/run-sweep.yml"] = "on:\n  pull_request: {}\n"
		}, "bot.stale-no-dispatch"},
		{"switched off", "/sweep-stale", func(s *stage) { s.planner.adapt = func(c *config.Settings) { c.Labels.OnlyStale = "" } }, "bot.stale-off"},
	} {
		s := swept(t, InActions)
		if c.adapt != nil {
			c.adapt(s)
		}
		decided, _ := s.handle(s.commentEvent("created", s.say(12, maintainer, c.body), maintainer))
		if got := codes(decided); got != c.code {
			t.Errorf("%s: %s, want %s", c.name, got, c.code)
		}
		if len(s.started) != 0 {
			t.Errorf("%s: started %v", c.name, s.started)
		}
		all = append(all, "## "+c.name+"\n\n"+s.bodies(12)[len(s.bodies(12))-1])
	}
	golden(t, "sweep-stale/refused.md", strings.Join(all, "\n\n"))
}

// TestSweepStaleIsForWriters: others get a reaction and no more; quoted and
// fenced commands are none; an edit that leaves the command says nothing.
func TestSweepStaleIsForWriters(t *testing.T) {
	s := swept(t, InActions)
	decided, _ := s.handle(s.commentEvent("created", s.say(12, bystander, "/sweep-stale"), bystander))
	if codes(decided) != "bot.stale-permission" || len(s.started) != 0 || len(s.bodies(12)) != 0 {
		t.Errorf("%s, %v", codes(decided), s.bodies(12))
	}
	for _, body := range []string{"> /sweep-stale", "```\n/sweep-stale\n```", "`/sweep-stale`", "see /sweep-stale"} {
		decided, _ := s.handle(s.commentEvent("created", s.say(12, maintainer, body), maintainer))
		if codes(decided) != "bot.comment-nothing" || len(s.started) != 0 {
			t.Errorf("%q: %s", body, codes(decided))
		}
	}
	d := s.commentEvent("edited", s.say(12, maintainer, "Please\n/sweep-stale"), maintainer)
	before := "/sweep-stale"
	d.EditedFrom = &before
	if decided, _ := s.handle(d); codes(decided) != "bot.stale-said" || len(s.started) != 0 {
		t.Errorf("an edit: %s", codes(decided))
	}
}

// TestPartialRunIsShown: the sticky comment says what ran and what stands, and
// the state of a dispatched one has a name of its own.
func TestPartialRunIsShown(t *testing.T) {
	s := swept(t, InActions)
	s.handle(s.commentEvent("created", s.say(12, maintainer, "/sweep-stale"), maintainer))
	run := &s.runs[slices.IndexFunc(s.runs, func(r Run) bool { return r.Event == "workflow_dispatch" })]
	run.Status, run.Conclusion = "completed", "success"
	s.jobs[run.ID] = []Job{{ID: 71, RunID: run.ID, Attempt: 1, Name: "sweep / agentic / / point", Status: "completed", Conclusion: "success", RunnerName: "r"}}
	s.artifacts[run.ID] = []Artifact{{ID: 500, Name: partialArtifact}, {ID: 501, Name: "results_bmk"}}
	s.archives[500] = onlyFile(t, "partial.json", fmt.Sprintf(`{"version":1,"run":40,"since":%q,"current":19,"points":1,"families":[{"name":"agentic","points":1}]}`, shaB))
	s.handle(Delivery{Name: "workflow_run", Action: "completed", ID: "91", Repository: repoName, Run: run})
	golden(t, "sweep-stale/shown.md", s.bodies(12)[len(s.bodies(12))-1])
	if all := s.statuses[shaA]; len(all) != 1 || all[0].Context != partialName || all[0].State != "success" {
		t.Errorf("statuses %+v", all)
	}
	run.Attempt, s.jobs[run.ID] = 2, []Job{{ID: 72, RunID: run.ID, Attempt: 2, Name: "sweep / setup", Status: "completed", Conclusion: "success"}}
	s.archives[500] = onlyFile(t, "partial.json", fmt.Sprintf(`{"version":1,"run":40,"since":%q,"current":20,"points":0,"families":[]}`, shaB))
	s.handle(Delivery{Name: "workflow_run", Action: "completed", ID: "92", Repository: repoName, Run: run})
	golden(t, "sweep-stale/nothing.md", s.bodies(12)[len(s.bodies(12))-1])
}

// TestHostilePartialMark: a mark that cannot be read makes a run partial all the
// same, and nothing of it is said.
func TestHostilePartialMark(t *testing.T) {
	for _, text := range []string{
		"", "[]", `{"version":1,"run":-1}`, `{"version":1,"run":40,"since":"@all","current":1}`, `{"version":2}`, `{"version":1,"run":40,"since":"` + shaB + `","current":99999999}`,
		strings.Repeat(" ", maxPartialBytes+1),
	} {
		s := swept(t, InActions)
		s.archives[500] = onlyFile(t, "partial.json", text)
		p, families := s.bot.partialSweep(t.Context(), []Artifact{{ID: 500, Name: partialArtifact}})
		if p == nil || p.known() || len(families) != 0 {
			t.Errorf("%.40q: %+v %v", text, p, families)
		}
	}
	if p, _ := swept(t, InActions).bot.partialSweep(t.Context(), []Artifact{{ID: 500, Name: partialArtifact, Expired: true}}); p == nil {
		t.Error("an expired mark marks nothing")
	}
}
