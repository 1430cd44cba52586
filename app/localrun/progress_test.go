package localrun

import (
	"strings"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// shownTasks are the tasks of a plan with two families and a canary.
func shownTasks(t *testing.T) (*Plan, []*task) {
	t.Helper()
	plan := planOf(t, families{spec: "a:3 eval:1", canary: true})
	var tasks []*task
	for _, p := range Points(plan, testSite(newestContract)) {
		tasks = append(tasks, &task{Point: p, status: Pending})
	}
	return plan, tasks
}

func TestProgressLines(t *testing.T) {
	plan, tasks := shownTasks(t)
	var b strings.Builder
	p := NewProgress(&b, catalog.English)
	p.begin(plan, tasks, 2)
	p.started(tasks[0], 1)
	tasks[0].status, tasks[0].took = Passed, 3*time.Second
	p.ended(tasks[0])
	p.started(tasks[1], 1)
	why := diag.New("localrun.exit", diag.Place{}, "code", "7")
	tasks[1].why, tasks[1].took = &why, 2*time.Second
	p.started(tasks[1], 2)
	tasks[1].status = Failed
	p.ended(tasks[1])
	cancelled := diag.New("localrun.sibling-failed", diag.Place{}, "point", "x\x1b[2J")
	tasks[2].status, tasks[2].why = Cancelled, &cancelled
	p.ended(tasks[2])
	p.end()
	golden(t, "progress.golden", b.String())
	if strings.Contains(b.String(), "\x1b") {
		t.Error("lines must not move the cursor")
	}
}

func TestProgressBars(t *testing.T) {
	plan, tasks := shownTasks(t)
	tasks[2].status = Passed // by an earlier run
	var b strings.Builder
	d := &display{w: &b, lang: catalog.English}
	d.begin(plan, tasks, 2)
	d.start(tasks[1], 1)
	tasks[0].status, tasks[0].took = Failed, 4*time.Second
	d.finish(tasks[0])
	lines := d.lines()
	want := []string{
		"canary [====================]   1/1  1 failed",
		"a      [==========..........]   1/2  a fp8 aurora vllm 1k1k TP1 c2",
		"eval   [....................]   0/1",
	}
	for i, line := range want {
		if lines[i] != line {
			t.Errorf("line %d:\ngot  %s\nwant %s", i, lines[i], line)
		}
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "2/4  ") || !strings.HasSuffix(last, "about 4.0 s left") {
		t.Errorf("last line %q", last)
	}
}

func TestShortTimes(t *testing.T) {
	for d, want := range map[time.Duration]string{
		80 * time.Millisecond: "0.1 s", 12 * time.Second: "12 s", 5 * time.Minute: "5 min", 3 * time.Hour: "3.0 h",
	} {
		if got := shortly(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
}

func TestNoProgress(t *testing.T) {
	plan, tasks := shownTasks(t)
	var p Progress
	p.begin(plan, tasks, 1)
	p.started(tasks[0], 1)
	p.ended(tasks[0])
	p.end()
}
