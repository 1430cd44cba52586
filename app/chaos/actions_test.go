package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/sandbox"
)

// sweepFile is a sweep that GitHub starts by itself; its runs replace one
// another. progressFile is what tells of them (docs/effects.md).
const (
	sweepFile = `name: Run Sweep
on:
  pull_request:
    branches: [main]
    types: [labeled, unlabeled, synchronize]
jobs:
  sweep:
    runs-on: ubuntu-latest
`
	// forkFile measures the approved commit of a fork.
	forkFile = `name: e2e Test
run-name: e2e Test - ${{ inputs.test-name }}
on:
  workflow_dispatch:
    inputs:
      test-name: {required: true}
      ref: {required: true}
      changelog-head-ref: {}
jobs:
  sweep:
    runs-on: ubuntu-latest
`
	progressFile = `name: progress
on:
  workflow_run:
    workflows: [Run Sweep, e2e Test]
    types: [requested, in_progress, completed]
  schedule:
    - cron: '7 * * * *'
permissions:
  actions: write
  contents: read
  issues: write
  pull-requests: write
  statuses: write
jobs:
  event:
    runs-on: ubuntu-latest
`
	progressPath = ".github/workflows/progress.yml"
)

// actionsScenarios are those in which a sweep is told of, by jobs.
var actionsScenarios = []scenario{
	{"sweep", nil, []step{open, label(sweepLabel), begin, tick, finish("success")}},
	{"push", nil, []step{open, label(sweepLabel), begin, push, tick, finish("failure")}},
	{"again", nil, []step{open, label(sweepLabel), finish("success"), unlabel(sweepLabel), label(sweepLabel), begin, merge}},
	{"fork", nil, []step{openFork, label(sweepLabel), begin, finish("success"), unlabel(sweepLabel), label(sweepLabel), push}},
}

// tick is the time of the schedule.
func tick(w *world) { w.github.Schedule("7 * * * *") }

// agency is a world whose events are handled by jobs.
type agency struct {
	*world
	account int64
	jobs    chan job
	clone   string
	held    int // jobs that came and are not over
}

// job is an attempt of a run that waits for the test.
type job struct {
	sandbox.RunRequest
	done chan struct{}
}

// work is an engine that leaves all jobs to the test.
func (a *agency) work(ctx context.Context, r sandbox.RunRequest) {
	if r.WorkflowPath != progressPath {
		<-ctx.Done() // the test ends it
		return
	}
	j := job{r, make(chan struct{})}
	a.jobs <- j
	select {
	case <-j.done:
	case <-ctx.Done():
	}
}

func newAgency(t *testing.T) *agency {
	files := seed(t)
	files[".github/workflows/run-sweep.yml"] = &fstest.MapFile{Data: []byte(sweepFile), Mode: 0o644}
	files[".github/workflows/e2e-tests.yml"] = &fstest.MapFile{Data: []byte(forkFile), Mode: 0o644}
	files[progressPath] = &fstest.MapFile{Data: []byte(progressFile), Mode: 0o644}
	a := &agency{jobs: make(chan job, 1000), clone: t.TempDir()}
	a.world = newWorldOf(t, sandbox.Options{Seed: files, Engine: sandbox.EngineFunc(a.work)})
	ok(t, exec.Command("git", "clone", "--quiet", "--bare", a.github.URL()+"/"+repository+".git", a.clone).Run())
	a.account = accountOf(t, a.github, "github-actions[bot]")
	return a
}

// happen lets a step happen, and what GitHub does at once: of the sweeps of a
// pull request the newest cancels the others.
func (a *agency) happen(act step) {
	a.t.Helper()
	a.clock.Advance(time.Minute)
	act(a.world)
	var live []int64
	for _, r := range a.github.Runs() {
		if strings.HasSuffix(r.Path, "/run-sweep.yml") && r.Status != "completed" {
			live = append(live, r.ID)
		}
	}
	token := must(a.github.Token(maintainer))(a.t)
	for i := 0; i < len(live)-1; i++ {
		send(a.t, http.MethodPost, fmt.Sprintf("%s/api/v3/repos/%s/actions/runs/%d/force-cancel", a.github.URL(), repository, live[i]), token)
	}
}

// waiting returns the jobs that wait, once all of them do.
func (a *agency) waiting() []job {
	a.t.Helper()
	var jobs []job
	open := 0
	for _, r := range a.github.Runs() {
		if r.Path == progressPath && r.Status != "completed" {
			open++
		}
	}
	for len(jobs) < open-a.held {
		select {
		case j := <-a.jobs:
			jobs = append(jobs, j)
		case <-time.After(time.Minute):
			a.t.Fatalf("of %d jobs only %d came", open-a.held, len(jobs))
		}
	}
	a.held += len(jobs)
	return jobs
}

// ordersOf are those of the process of a job.
func (a *agency) ordersOf(j job) orders {
	payload := filepath.Join(a.dir, fmt.Sprintf("event-%d-%d.json", j.RunID, j.Attempt))
	ok(a.t, os.WriteFile(payload, j.Payload, 0o600))
	return orders{
		API: a.github.URL() + "/api/v3", Repository: repository, Dir: a.clone, Token: j.Token, Account: a.account,
		Event: j.Event, Payload: payload, RunID: strconv.FormatInt(j.RunID, 10),
	}
}

// end ends the run of a job.
func (a *agency) end(j job) {
	j.Handle.StartJob(sandbox.JobSpec{Name: "event"}).Finish("success")
	j.Handle.Finish()
	close(j.done)
	a.held--
}

// again runs the jobs of runs again, as a person asks for.
func (a *agency) again(ids []int64) []job {
	for _, id := range ids {
		ok(a.t, a.github.As(maintainer).Rerun(a.ctx, id, false))
	}
	return a.waiting()
}

// do runs a job to a good end, in order and without failures.
func (a *agency) do(j job) {
	a.t.Helper()
	if p := start(a.t, a.ordersOf(j)); p.wait() != 0 {
		a.t.Errorf("a job failed:\n%s", p.said.String())
	}
	a.end(j)
}

// cleanJobs is clean, in Actions.
func cleanJobs(t *testing.T, s scenario) []view {
	a := newAgency(t)
	var views []view
	for _, act := range s.steps {
		a.happen(act)
		for jobs := a.waiting(); len(jobs) > 0; jobs = a.waiting() {
			for _, j := range jobs {
				a.do(j)
			}
		}
		views = append(views, a.look())
	}
	return views
}

// turn has jobs run under a schedule: those about runs one after the other, as
// their concurrency group has it, in any order; one of the clock beside them.
// Jobs that crash or fail are run again, and those that follow from them run
// too. It returns the runs of all, oldest first.
func (a *agency) turn(plan *schedule, jobs []job, log *[]string) []int64 {
	if plan.shuffle {
		plan.rng.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	}
	var ids []int64
	for len(jobs) > 0 {
		n := 1
		if plan.twice && len(jobs) > 1 && (jobs[0].Event == "schedule") != (jobs[1].Event == "schedule") {
			n = 2
		}
		var running []*process
		for _, j := range jobs[:n] {
			running = append(running, start(a.t, plan.maim(a.ordersOf(j), j.Attempt)))
		}
		var failed []int64
		for i, p := range running {
			code, j := p.wait(), jobs[i]
			*log = append(*log, fmt.Sprintf("%s of run %d, attempt %d: %d %s", j.Event, j.RunID, j.Attempt, code, p.said.String()))
			a.end(j)
			ids = append(ids, j.RunID)
			repeat := plan.duplicate && plan.rng.IntN(4) == 0
			if (code != 0 || repeat) && j.Attempt < 5 {
				failed = append(failed, j.RunID)
			}
		}
		jobs = append(jobs[n:], a.again(failed)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// maim lets the first attempt of a job crash.
func (s *schedule) maim(o orders, attempt int) orders {
	switch {
	case attempt > 1:
	case s.crashAt > 0:
		o.CrashAt, o.CrashAfter = s.crashAt, s.crashAfter
	case s.crash && s.rng.IntN(2) == 0:
		o.CrashAt, o.CrashAfter = 1+s.rng.IntN(2), s.rng.IntN(2) == 0
	}
	return o
}

// TestJobs holds jobs that are run again, in any order, beside one another and
// killed in the middle to what jobs leave that run once.
func TestJobs(t *testing.T) {
	first := max(1, *seedFlag)
	for i := range uint64(count(6)) {
		seed := first + i
		plan, story := newSchedule(seed), actionsScenarios[int(seed)%len(actionsScenarios)]
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			tellJobs(t, plan, story)
		})
	}
}

// TestJobCrashes kills every job at every write.
func TestJobCrashes(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	story := actionsScenarios[len(actionsScenarios)-1]
	story.name, story.steps = "approval", story.steps[:2]
	for at := 1; at <= 3; at++ {
		for _, after := range []bool{false, true} {
			plan := newSchedule(0)
			*plan = schedule{rng: plan.rng, crashAt: at, crashAfter: after}
			t.Run(plan.String(), func(t *testing.T) {
				t.Parallel()
				tellJobs(t, plan, story)
			})
		}
	}
}

// tellJobs tells a scenario under a schedule.
func tellJobs(t *testing.T, plan *schedule, story scenario) {
	want := once(t, "jobs "+story.name, func() []view { return cleanJobs(t, story) })
	a := newAgency(t)
	var log []string
	defer func() {
		if t.Failed() {
			t.Logf("scenario %s with %s; see the flags -seed and -schedules\n%s", story.name, plan, strings.Join(log, "\n"))
		}
	}()
	for n, act := range story.steps {
		a.happen(act)
		jobs := a.waiting()
		ok(t, a.github.SetFaults(plan.faults()))
		ids := a.turn(plan, jobs, &log)
		ok(t, a.github.SetFaults(sandbox.Faults{}))
		if plan.lag || plan.fail || plan.twice {
			for again := a.again(ids); len(again) > 0; again = a.waiting() {
				for _, j := range again {
					a.do(j)
				}
			}
		}
		if diff := cmp.Diff(want[n], a.look()); diff != "" {
			t.Fatalf("after step %d (-once +chaos):\n%s", n+1, diff)
		}
	}
}

// accountOf is the numeric id of an account.
func accountOf(t *testing.T, s *sandbox.Server, login string) int64 {
	t.Helper()
	token := must(s.Token(author))(t)
	var user struct{ ID int64 }
	ok(t, json.Unmarshal(send(t, http.MethodGet, s.URL()+"/api/v3/users/"+login, token), &user))
	return user.ID
}
