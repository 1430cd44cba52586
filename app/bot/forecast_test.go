package bot

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// ran is a job of a pool that passed, from one minute to another.
func ran(id int64, pool string, from, to int) Job {
	j := job(id, fmt.Sprint("eval / ", id), "success")
	j.Labels = []string{"self-hosted", pool, fmt.Sprint("ci-job-1.000-", id), "ci-attempt-1", "nodes:1"}
	j.StartedAt, j.CompletedAt = epoch.Add(time.Duration(from)*time.Minute), epoch.Add(time.Duration(to)*time.Minute)
	return j
}

func at(id int64, pool string, from int) Job {
	j := ran(id, pool, from, from)
	j.Status, j.Conclusion, j.CompletedAt = "in_progress", "", time.Time{}
	return j
}

func queuedJob(id int64, pool string) Job {
	j := at(id, pool, 0)
	j.Status, j.StartedAt, j.RunnerName = "queued", epoch, "" // GitHub gives queued jobs a start
	return j
}

func failed(j Job) Job {
	j.Conclusion = "failure"
	return j
}

// A run says when it will be done from its own jobs, pool by pool, and nothing
// before that can be known.
func TestForecast(t *testing.T) {
	three := []Job{ran(1, "a", 0, 10), ran(2, "a", 0, 10), ran(3, "a", 10, 20)} // two runners, 10 minutes each
	for name, c := range map[string]struct {
		jobs    []Job
		planned int
		want    int // minutes, 0 for nothing
	}{
		"too few passed":                {[]Job{ran(1, "a", 0, 10), ran(2, "a", 0, 10), queuedJob(3, "a")}, 0, 0},
		"one waits":                     {append(three[:3:3], queuedJob(4, "a")), 0, 30},
		"two wait side by side":         {append(three[:3:3], queuedJob(4, "a"), queuedJob(5, "a")), 0, 30},
		"three wait":                    {append(three[:3:3], queuedJob(4, "a"), queuedJob(5, "a"), queuedJob(6, "a")), 0, 40},
		"one runs":                      {append(three[:3:3], at(4, "a", 15)), 0, 25},
		"one runs and two wait":         {append(three[:3:3], at(4, "a", 15), queuedJob(5, "a"), queuedJob(6, "a")), 0, 35},
		"one runs longer than others":   {append(three[:3:3], at(4, "a", 0), ran(5, "a", 20, 30)), 0, 30},
		"a failed one is no measure":    {append(three[:3:3], failed(ran(4, "a", 20, 21)), queuedJob(5, "a")), 0, 31},
		"all is over":                   {three, 0, 0},
		"a pool of which nothing known": {append(three[:3:3], queuedJob(4, "b")), 0, 0},
		"a pool where one only runs":    {append(three[:3:3], at(4, "b", 5)), 0, 0},
		"a pool that is over":           {append(three[:3:3], ran(4, "b", 0, 15), queuedJob(5, "a")), 0, 30},
		"the slower pool decides":       {append(three[:3:3], queuedJob(4, "a"), ran(5, "b", 0, 18), at(6, "b", 18), queuedJob(7, "b")), 0, 54},
		"points without a job yet":      {append(three[:3:3], queuedJob(4, "a")), 9, 0},
	} {
		run := Run{ID: 9, Attempt: 1, HeadSHA: shaA, Status: "in_progress", UpdatedAt: epoch}
		tracked := Tracked{Run: run, Jobs: c.jobs}
		if c.planned > 0 {
			tracked.Planned = []FamilyProgress{{Name: "eval", Tally: Tally{Planned: c.planned}}}
		}
		want := int64(0)
		if c.want > 0 {
			want = epoch.Add(time.Duration(c.want) * time.Minute).Unix()
		}
		if got := track(tracked).ETA; got != want {
			t.Errorf("%s: %s, want %s", name, time.Unix(got, 0).UTC().Format("15:04"), time.Unix(want, 0).UTC().Format("15:04"))
		}
	}
}

// A forecast does not depend on the order of the jobs, is never before what
// happened last, and never before the one of a run with less to do.
func TestForecastHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var jobs []Job
		for i := range rapid.IntRange(4, 30).Draw(t, "jobs") {
			pool := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "pool")
			from := rapid.IntRange(0, 60).Draw(t, "from")
			switch rapid.IntRange(0, 3).Draw(t, "state") {
			case 0:
				jobs = append(jobs, queuedJob(int64(i+1), pool))
			case 1:
				jobs = append(jobs, at(int64(i+1), pool, from))
			default:
				jobs = append(jobs, ran(int64(i+1), pool, from, from+rapid.IntRange(1, 30).Draw(t, "length")))
			}
		}
		eta := func(jobs []Job) (int64, int64) {
			r := track(Tracked{Run: Run{ID: 9, HeadSHA: shaA, Status: "in_progress"}, Jobs: jobs})
			return r.ETA, r.At
		}
		got, newest := eta(jobs)
		if again, _ := eta(rapid.Permutation(jobs).Draw(t, "order")); again != got {
			t.Fatalf("%d, then %d", got, again)
		}
		if got != 0 && got < newest {
			t.Fatalf("%d is before %d", got, newest)
		}
		if more, _ := eta(append(jobs[:len(jobs):len(jobs)], queuedJob(99, "a"))); got != 0 && more != 0 && more < got {
			t.Fatalf("%d with one more to do, %d without", more, got)
		}
	})
}

func TestPoolOf(t *testing.T) {
	for want, list := range map[string][]string{
		"cluster:h200": {"self-hosted", "cluster:h200", "nodes:2", "ci-job-4.500-0f", "ci-attempt-1", "ci-skip-queue-pr-12"},
		"a,b":          {"b", "a"},
		"":             nil,
	} {
		if got := poolOf(list); got != want {
			t.Errorf("%v: %q, want %q", list, got, want)
		}
	}
}
