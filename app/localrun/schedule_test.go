package localrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// stage runs a schedule with measurements that the test decides on.
type stage struct {
	*schedule
	mu sync.Mutex
	// log has what happened, such as "start a/1" and "passed a/1".
	log []string
	// outcome decides a measurement by its name; nil passes.
	outcome func(ctx context.Context, name string, attempt int) error
}

// name is family/number.
func nameOf(p *Point) string { return p.Family + "/" + p.ID }

func newStage(spec string, jobs int, failFast bool) *stage {
	s := &stage{schedule: &schedule{jobs: jobs, failFast: make(map[string]bool)}}
	for _, word := range strings.Fields(spec) {
		family, count, _ := strings.Cut(word, ":")
		s.failFast[family] = failFast
		for n := range atoi(count) {
			s.tasks = append(s.tasks, &task{Point: &Point{ID: itoa(n + 1), Family: family}, status: Pending})
		}
	}
	s.started = func(t *task, attempt int) error { return s.say(fmt.Sprintf("start %s", nameOf(t.Point))) }
	s.ended = func(t *task) error { return s.say(fmt.Sprintf("%s %s", t.status, nameOf(t.Point))) }
	s.run = func(ctx context.Context, p *Point, attempt int) error {
		if s.outcome == nil {
			return nil
		}
		return s.outcome(ctx, nameOf(p), attempt)
	}
	return s
}

func (s *stage) say(line string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, line)
	return nil
}

// states are the tasks by name.
func (s *stage) states() map[string]Status {
	out := make(map[string]Status)
	for _, t := range s.tasks {
		out[nameOf(t.Point)] = t.status
	}
	return out
}

func (s *stage) want(t *testing.T, want map[string]Status) {
	t.Helper()
	if diff := cmp.Diff(want, s.states()); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, strings.Join(s.log, "\n"))
	}
}

var errBad = diag.New("localrun.exit", diag.Place{}, "code", "1")

// untilCancelled waits for the end of a context.
func untilCancelled(ctx context.Context) error {
	<-ctx.Done()
	return context.Cause(ctx)
}

func TestF08FailFastStaysInItsFamily(t *testing.T) {
	s := newStage("a:4 b:2", 3, true)
	aRuns, bGoes := make(chan bool), make(chan bool)
	s.outcome = func(ctx context.Context, name string, _ int) error {
		switch name {
		case "a/1":
			<-aRuns // only fail once a sibling runs
			return errBad
		case "a/2":
			close(aRuns)
			err := untilCancelled(ctx)
			close(bGoes)
			return err
		case "b/1":
			<-bGoes // still running while family a is cancelled
		}
		return ctx.Err()
	}
	if err := s.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.want(t, map[string]Status{"a/1": Failed, "a/2": Cancelled, "a/3": Cancelled, "a/4": Cancelled, "b/1": Passed, "b/2": Passed})
	if why := s.tasks[1].why; why == nil || why.Code != "localrun.sibling-failed" {
		t.Errorf("the cancelled sibling says %v", why)
	}
}

func TestWithoutFailFastEverythingRuns(t *testing.T) {
	s := newStage("a:3", 1, false)
	s.outcome = func(_ context.Context, name string, _ int) error {
		if name == "a/1" {
			return errBad
		}
		return nil
	}
	if err := s.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.want(t, map[string]Status{"a/1": Failed, "a/2": Passed, "a/3": Passed})
}

func TestCanaryRunsAloneAndFirst(t *testing.T) {
	s := newStage("a:2 eval:1", 4, true)
	s.tasks[1].Canary = true
	if err := s.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	if want := []string{"start a/2", "passed a/2"}; !slices.Equal(s.log[:2], want) {
		t.Errorf("%q", s.log)
	}
	s.want(t, map[string]Status{"a/1": Passed, "a/2": Passed, "eval/1": Passed})
}

func TestFailedCanaryStopsEverythingEvalsIncluded(t *testing.T) {
	s := newStage("a:3 b:1 eval:2", 4, true)
	s.tasks[0].Canary = true
	s.outcome = func(context.Context, string, int) error { return errBad }
	if err := s.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.want(t, map[string]Status{"a/1": Failed, "a/2": Skipped, "a/3": Skipped, "b/1": Skipped, "eval/1": Skipped, "eval/2": Skipped})
	if starts := strings.Count(strings.Join(s.log, "\n"), "start"); starts != 1 {
		t.Errorf("%d points were started", starts)
	}
}

func TestInterruptedCanaryStopsEverything(t *testing.T) {
	s := newStage("a:2", 2, true)
	s.tasks[0].Canary = true
	ctx, cancel := context.WithCancelCause(context.Background())
	s.outcome = func(own context.Context, _ string, _ int) error {
		cancel(errors.New("Ctrl-C"))
		return untilCancelled(own)
	}
	if err := s.all(ctx); err == nil {
		t.Error("an interrupted sweep ended well")
	}
	s.want(t, map[string]Status{"a/1": Pending, "a/2": Pending})
}

func TestTwoFamiliesRunSideBySide(t *testing.T) {
	s := newStage("a:2 b:2", 2, true)
	a, b := make(chan bool), make(chan bool)
	s.outcome = func(_ context.Context, name string, _ int) error {
		switch name { // each waits for the other, so both must run at once
		case "a/1":
			close(a)
			<-b
		case "b/1":
			close(b)
			<-a
		}
		return nil
	}
	if err := s.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.want(t, map[string]Status{"a/1": Passed, "a/2": Passed, "b/1": Passed, "b/2": Passed})
}

func TestRetriesAreBounded(t *testing.T) {
	s := newStage("a:2", 1, true)
	s.retries = 2
	tries := make(map[string]int)
	s.outcome = func(_ context.Context, name string, attempt int) error {
		tries[name]++
		if attempt != tries[name] {
			t.Errorf("%s: attempt %d is called %d", name, tries[name], attempt)
		}
		if name == "a/1" && attempt == 3 {
			return nil
		}
		return errBad
	}
	if err := s.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	if want := map[string]int{"a/1": 3, "a/2": 3}; !cmp.Equal(tries, want) {
		t.Errorf("tries %v", tries)
	}
	s.want(t, map[string]Status{"a/1": Passed, "a/2": Failed})
}

func TestFaultsAreNotTriedAgain(t *testing.T) {
	s := newStage("a:1", 1, false)
	s.retries, s.tasks[0].Fault = 5, &errBad
	n := 0
	s.outcome = func(context.Context, string, int) error { n++; return errBad }
	if err := s.all(context.Background()); err != nil || n != 1 {
		t.Errorf("%v, %d tries", err, n)
	}
}

func TestSettleFinishesAnInterruptedCancellation(t *testing.T) {
	s := newStage("a:3 b:1", 2, true)
	s.tasks[0].status, s.tasks[0].attempts = Failed, 1
	if err := s.all(context.Background()); err != nil {
		t.Fatal(err)
	}
	s.want(t, map[string]Status{"a/1": Failed, "a/2": Cancelled, "a/3": Cancelled, "b/1": Passed})
}

// TestScheduleKeepsItsRules runs random plans with random failures.
func TestScheduleKeepsItsRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := ""
		for _, name := range []string{"a", "b", "c"} {
			spec += fmt.Sprintf("%s:%d ", name, rapid.IntRange(0, 4).Draw(t, name))
		}
		failFast, jobs := rapid.Bool().Draw(t, "fail-fast"), rapid.IntRange(1, 4).Draw(t, "jobs")
		s := newStage(spec, jobs, failFast)
		bad := make(map[string]bool)
		for _, task := range s.tasks {
			bad[nameOf(task.Point)] = rapid.IntRange(0, 3).Draw(t, "bad") == 0
		}
		canary := rapid.IntRange(-1, len(s.tasks)-1).Draw(t, "canary")
		if canary >= 0 {
			s.tasks[canary].Canary = true
		}
		s.outcome = func(ctx context.Context, name string, _ int) error {
			if bad[name] {
				return errBad
			}
			return context.Cause(ctx)
		}
		if err := s.all(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.rules(t, bad, canary, failFast, jobs)
	})
}

// rules holds a finished run against the rules of sections 6 and 7.
func (s *stage) rules(t *rapid.T, bad map[string]bool, canary int, failFast bool, jobs int) {
	running, most, failedIn := make(map[string]bool), 0, make(map[string]bool)
	for _, line := range s.log {
		word, name, _ := strings.Cut(line, " ")
		family, _, _ := strings.Cut(name, "/")
		switch word {
		case "start":
			running[name] = true
			if failedIn[family] && failFast {
				t.Fatalf("%s started after its family had failed", name)
			}
		default:
			delete(running, name)
			failedIn[family] = failedIn[family] || word == "failed" && (canary < 0 || name != nameOf(s.tasks[canary].Point))
		}
		most = max(most, len(running))
	}
	if most > jobs {
		t.Fatalf("%d points at once, allowed are %d", most, jobs)
	}
	blocked := canary >= 0 && bad[nameOf(s.tasks[canary].Point)]
	for i, task := range s.tasks {
		name := nameOf(task.Point)
		switch {
		case task.status == Pending:
			t.Fatalf("%s never ended", name)
		case blocked && i != canary && task.status != Skipped:
			t.Fatalf("%s is %s behind a failed canary", name, task.status)
		case task.status == Failed && !bad[name] || task.status == Passed && bad[name]:
			t.Fatalf("%s is %s", name, task.status)
		case task.status == Cancelled && !failedIn[task.Family]:
			t.Fatalf("%s was cancelled, and nothing of its family failed", name)
		case !failFast && !blocked && task.status == Cancelled:
			t.Fatalf("%s was cancelled without fail-fast", name)
		}
	}
}
