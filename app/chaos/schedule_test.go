package chaos

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/sandbox"
)

// Many more schedules: go test ./app/chaos -schedules 500 -seed 7
var (
	schedules = flag.Int("schedules", 0, "how many schedules each mode is put through; 0 is the number that fits an ordinary test run")
	seedFlag  = flag.Uint64("seed", 0, "seed of the first schedule; 0 is the fixed one of an ordinary run")
)

// count is the number of schedules to try.
func count(ordinary int) int {
	switch {
	case *schedules > 0:
		return *schedules
	case testing.Short():
		return max(1, ordinary/4)
	}
	return ordinary
}

// schedule is what goes wrong in one telling of a scenario.
type schedule struct {
	rng *rand.Rand
	// duplicate, shuffle and replay: deliveries come more than once, in any
	// order, and long after they were due.
	duplicate, shuffle, replay bool
	// twice: two servers are up, as while one takes over from the other.
	twice bool
	// crash: processes are killed at one of their writes; with crashAt all are,
	// at the write of that number, before it or after it.
	crash      bool
	crashAt    int
	crashAfter bool
	// lag: what is read is older than what was written.
	lag bool
	// fail: requests fail.
	fail bool
}

func newSchedule(seed uint64) *schedule {
	rng := rand.New(rand.NewPCG(seed, 1))
	some := func() bool { return rng.IntN(2) == 0 }
	return &schedule{
		rng: rng, duplicate: some(), shuffle: some(), replay: some(), twice: some(), crash: some(), lag: some(), fail: some(),
	}
}

func (s *schedule) String() string {
	var words []string
	for _, w := range []struct {
		on   bool
		name string
	}{
		{s.duplicate, "duplicate"}, {s.shuffle, "shuffle"}, {s.replay, "replay"}, {s.twice, "twice"}, {s.crash, "crash"},
		{s.lag, "lag"}, {s.fail, "fail"},
	} {
		if w.on {
			words = append(words, w.name)
		}
	}
	if s.crashAt > 0 {
		words = append(words, fmt.Sprintf("crash at write %d, after it %v", s.crashAt, s.crashAfter))
	}
	return strings.Join(words, " ")
}

// faults are the failures and lags of one step.
func (s *schedule) faults() sandbox.Faults {
	var f sandbox.Faults
	if s.lag {
		f.Lag, f.Stale = make(map[string]int), make(map[string]int)
		for _, kind := range []string{"comments", "runs", "pulls", "checks", "statuses"} {
			f.Lag[kind] = s.rng.IntN(3)
		}
		for _, kind := range []string{"comments", "runs", "jobs", "checks", "statuses", "events", "labels", "pulls"} {
			f.Stale[kind] = s.rng.IntN(3)
		}
	}
	if s.fail {
		kinds := []sandbox.Fault{
			{Kind: "status", Status: 500}, {Kind: "status"}, {Kind: "html"}, {Kind: "ok-html"}, {Kind: "rate-limit", RetryAfter: 1},
			{Kind: "secondary", RetryAfter: 1}, {Kind: "truncate"}, {Kind: "reset"}, {Kind: "lost"},
		}
		for range 1 + s.rng.IntN(3) {
			x := kinds[s.rng.IntN(len(kinds))]
			x.Method = []string{"", "GET", "POST", "POST", "PATCH"}[s.rng.IntN(5)]
			x.Path, x.Skip, x.Times = "/repos/", s.rng.IntN(6), 1+s.rng.IntN(6)
			f.Requests = append(f.Requests, x)
		}
	}
	return f
}

// arrange returns deliveries as they arrive: some twice, some old ones with
// them, in any order.
func (s *schedule) arrange(fresh, old []event) []event {
	var out []event
	for _, e := range fresh {
		out = append(out, e)
		for s.duplicate && s.rng.IntN(3) == 0 {
			out = append(out, e)
		}
	}
	for range 3 {
		if s.replay && len(old) > 0 {
			out = append(out, old[s.rng.IntN(len(old))])
		}
	}
	if s.shuffle {
		s.rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	}
	return out
}

// cluster is the servers that are up.
type cluster struct {
	*world
	plan    *schedule
	servers []*process
	past    []event // all deliveries so far
	log     []string
}

// start starts the next server; one that may crash does so once.
func (c *cluster) start(mayCrash bool) *process {
	o := c.orders()
	if len(c.servers) > 0 {
		o.Dir += "-2"
	}
	switch {
	case !mayCrash:
	case c.plan.crashAt > 0:
		o.CrashAt, o.CrashAfter = c.plan.crashAt, c.plan.crashAfter
	case c.plan.crash:
		o.CrashAt, o.CrashAfter = 1+c.plan.rng.IntN(5), c.plan.rng.IntN(2) == 0
		c.note("a server will crash at write %d, after it: %v", o.CrashAt, o.CrashAfter)
	}
	return startServer(c.t, o)
}

func (c *cluster) note(format string, args ...any) {
	c.log = append(c.log, fmt.Sprintf(format, args...))
}

// work has all servers work on deliveries, on those that follow from them, and
// again on what a crash left open.
func (c *cluster) work(fresh []event) {
	for {
		for _, e := range c.plan.arrange(fresh, c.past) {
			to := c.servers[c.plan.rng.IntN(len(c.servers))]
			to.post(e)
			if c.plan.duplicate && c.plan.rng.IntN(4) == 0 {
				c.servers[c.plan.rng.IntN(len(c.servers))].post(e)
			}
		}
		c.past = append(c.past, fresh...)
		lost := c.settle()
		if fresh = append(lost, c.take()...); len(fresh) == 0 {
			return
		}
	}
}

// settle waits for the servers and replaces those that crashed. It returns
// what is to be delivered again.
func (c *cluster) settle() (lost []event) {
	for i, p := range c.servers {
		alive, again := p.idle()
		if alive {
			continue
		}
		c.note("a server crashed with %d deliveries", len(again))
		lost = append(lost, again...)
		o := c.orders()
		if i > 0 {
			o.Dir += "-2"
		}
		c.servers[i] = startServer(c.t, o)
	}
	return lost
}

// mend delivers everything once more, in order and without failures. Where a
// server may have read what was outdated, a new one gets it: to the old one
// these deliveries are repeats of what it has done.
func (c *cluster) mend(step []event) {
	ok(c.t, c.github.SetFaults(sandbox.Faults{}))
	if !c.plan.lag && !c.plan.fail && !c.plan.twice && !c.plan.crash {
		return
	}
	if c.plan.lag || c.plan.twice {
		c.stop()
		c.servers = nil
		c.servers = []*process{c.start(false)}
	}
	for again := step; len(again) > 0; again = c.take() {
		for _, e := range again {
			c.servers[0].post(e)
		}
		c.settle()
	}
}

func (c *cluster) stop() {
	for _, p := range c.servers {
		c.log = append(c.log, p.said.String())
		p.wait()
	}
}

// TestServers holds servers that get deliveries in every possible way to what
// one server leaves that gets each delivery once.
func TestServers(t *testing.T) {
	first := max(1, *seedFlag)
	for i := range uint64(count(10)) {
		seed := first + i
		plan, story := newSchedule(seed), scenarios[int(seed)%len(scenarios)]
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			tellServers(t, plan, story)
		})
	}
}

// TestServerCrashes kills a server at each of its writes.
func TestServerCrashes(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	story := scenarios[1]
	story.name, story.steps = "start", story.steps[:2]
	for at := 1; at <= 4; at++ {
		for _, after := range []bool{false, true} {
			plan := newSchedule(0)
			*plan = schedule{rng: plan.rng, crashAt: at, crashAfter: after}
			t.Run(plan.String(), func(t *testing.T) {
				t.Parallel()
				tellServers(t, plan, story)
			})
		}
	}
}

// tellServers tells a scenario under a schedule.
func tellServers(t *testing.T, plan *schedule, story scenario) {
	want := cleanOnce(t, story)
	w := &cluster{world: newWorld(t, story), plan: plan}
	defer func() {
		if t.Failed() {
			t.Logf("scenario %s with %s; see the flags -seed and -schedules\n%s", story.name, plan, strings.Join(w.log, "\n"))
		}
	}()
	w.servers = append(w.servers, w.start(true))
	if plan.twice {
		w.servers = append(w.servers, w.start(true))
	}
	for n, act := range story.steps {
		w.clock.Advance(time.Minute)
		act(w.world)
		from := len(w.past)
		fresh := w.take()
		ok(t, w.github.SetFaults(plan.faults()))
		w.work(fresh)
		w.mend(w.past[from:])
		if diff := cmp.Diff(want[n], w.look()); diff != "" {
			t.Fatalf("after step %d (-once +chaos):\n%s", n+1, diff)
		}
	}
	w.stop()
}
