package bot

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Events of jobs, runs and the clock come in any order and again, reads lag,
// people edit and delete the comment in between: there is one comment, and in
// the end it says how things stand.
func TestOneCommentFromEverySide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, run := inServer(t, 6)
		s.jobs[run.ID][0] = named(ran(1, "a", 0, 1), "canary / c")
		s.lag = rapid.IntRange(0, 2).Draw(t, "lag")
		clock := Delivery{Name: "schedule", Repository: repoName}
		var past []Delivery
		for i := range rapid.IntRange(1, 15).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0, 1:
				j := s.end(run, int64(2+i%6), 60*i)
				if rapid.Bool().Draw(t, "fails") {
					k := slices.IndexFunc(s.jobs[run.ID], func(o Job) bool { return o.ID == j.ID })
					s.jobs[run.ID][k].Conclusion, j.Conclusion = "failure", "failure"
				}
				past = append(past, s.jobEvent(run, j))
				s.handle(past[len(past)-1])
			case 2:
				past = append(past, s.runEvent(run))
				s.handle(past[len(past)-1])
			case 3:
				s.handle(clock)
			case 4:
				if len(past) > 0 {
					s.handle(rapid.SampledFrom(past).Draw(t, "again"))
				}
			case 5:
				s.harm(t)
			}
		}
		run.Status, run.Conclusion, run.UpdatedAt = "completed", "failure", run.UpdatedAt.Add(time.Hour)
		s.handle(s.runEvent(run))
		s.lag = 0
		s.handle(s.runEvent(run))
		bodies := s.bodies(12)
		if len(bodies) != 1 {
			t.Fatalf("%d comments", len(bodies))
		}
		jobs, _ := s.Jobs(ctx, run.ID, 0)
		want := track(Tracked{Run: *run, Jobs: jobs, Label: failFast})
		if want.measures() {
			want.Report = &RunReport{Problem: reportAbsent}
		}
		got := readState(mustState(bodies[0]))
		if len(got) != 1 || encoded(got[0]) != encoded(want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// harm is what people do to a comment of ours: they delete it, break its text,
// or what it remembers.
func (s *stage) harm(t *rapid.T) {
	for i := range s.comments[12] {
		c := &s.comments[12][i]
		switch rapid.IntRange(0, 2).Draw(t, "harm") {
		case 0:
			s.remove(c.ID)
			return
		case 1:
			c.Body = strings.Replace(c.Body, "Sweep of", "Lunch of", 1)
		case 2:
			c.Body = strings.Replace(c.Body, stateStart, "<!-- was ", 1)
		}
	}
}

func mustState(body string) string {
	env, _ := seal{}.read(body)
	return env.State
}
