package localrun

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Progress shows how a sweep goes: on a terminal a bar for every family that
// is redrawn, elsewhere one line for every point that ends. The zero Progress
// shows nothing.
type Progress struct{ shown *display }

// NewProgress returns a progress that is shown on w, in a language.
func NewProgress(w io.Writer, lang catalog.Language) Progress {
	d := &display{w: w, lang: lang}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		d.terminal = f
	}
	return Progress{d}
}

func (p Progress) begin(plan *Plan, tasks []*task, jobs int) {
	if p.shown != nil {
		p.shown.begin(plan, tasks, jobs)
	}
}

func (p Progress) started(t *task, attempt int) {
	if p.shown != nil {
		p.shown.update(func(d *display) { d.start(t, attempt) })
	}
}

func (p Progress) ended(t *task) {
	if p.shown != nil {
		p.shown.update(func(d *display) { d.finish(t) })
	}
}

func (p Progress) end() {
	if p.shown != nil {
		p.shown.end()
	}
}

// lane is what one bar shows: a family, or the canary.
type lane struct {
	name                 string
	total, ended, failed int
	active               map[string]bool // ids of running points
	running              string          // label of one of them
}

// display draws. Its fields are guarded by mu: the clock draws too.
type display struct {
	w        io.Writer
	lang     catalog.Language
	terminal *os.File // nil when w is none

	mu       sync.Mutex
	lanes    []*lane
	lane     map[string]*lane // by point id
	jobs     int
	total    int
	finished int           // in this run or before
	measured int           // in this run
	busy     time.Duration // of the measured ones
	begun    time.Time
	drawn    int // lines of the bars on the screen
	stop     chan struct{}
	stopped  sync.WaitGroup
}

func (d *display) begin(plan *Plan, tasks []*task, jobs int) {
	d.jobs, d.total, d.begun = jobs, len(tasks), time.Now()
	d.lane = make(map[string]*lane)
	names := map[string]string{}
	for _, f := range plan.Families {
		names[f.Job] = strings.TrimSuffix(f.Prefix, " /")
	}
	byName := make(map[string]*lane)
	for _, canary := range []bool{true, false} {
		for _, t := range tasks {
			if t.Canary != canary {
				continue
			}
			name := names[t.Family]
			if canary {
				name = "canary"
			}
			l := byName[name]
			if l == nil {
				l = &lane{name: diag.Printable(name), active: make(map[string]bool)}
				byName[name], d.lanes = l, append(d.lanes, l)
			}
			l.total++
			d.lane[t.ID] = l
			if t.status != Pending {
				l.ended++
				d.finished++
			}
		}
	}
	if d.terminal != nil {
		d.tick()
	}
}

// tick redraws the bars a few times a second, for the clock.
func (d *display) tick() {
	d.stop = make(chan struct{})
	d.stopped.Add(1)
	go func() {
		defer d.stopped.Done()
		ticker := time.NewTicker(250 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-d.stop:
				return
			case <-ticker.C:
				d.update(func(*display) {})
			}
		}
	}()
}

// end draws for the last time and leaves the bars on the screen.
func (d *display) end() {
	if d.stop != nil {
		close(d.stop)
		d.stopped.Wait()
	}
	d.update(func(*display) {})
}

// update changes what is shown.
func (d *display) update(change func(*display)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.erase()
	change(d)
	d.draw()
}

func (d *display) start(t *task, attempt int) {
	l := d.lane[t.ID]
	l.active[t.ID] = true
	l.running = t.Label()
	if attempt > 1 {
		d.say("retry", t)
	}
}

func (d *display) finish(t *task) {
	l := d.lane[t.ID]
	l.ended++
	d.finished++
	if t.status == Failed {
		l.failed++
	}
	if t.status == Passed || t.status == Failed {
		d.measured++
		d.busy += t.took
	}
	delete(l.active, t.ID)
	if d.terminal == nil || t.status == Failed {
		d.say(string(t.status), t)
	}
}

// say prints one line about a point that stays.
func (d *display) say(word string, t *task) {
	line := fmt.Sprintf("%-9s %3d/%d  %s", word, d.finished, d.total, t.Label())
	if t.took > 0 {
		line += fmt.Sprintf("  (%s)", shortly(t.took))
	}
	if t.why != nil {
		line += "  " + t.why.Message(d.lang)
	}
	if left := d.left(); left > 0 && t.status != Skipped && t.status != Cancelled {
		line += "  " + catalog.Message(d.lang, "localrun.time-left", "time", shortly(left))
	}
	fmt.Fprintln(d.w, diag.Printable(line))
}

// left estimates the time to the end from the points of this run.
func (d *display) left() time.Duration {
	open := d.total - d.finished
	if d.measured == 0 || open == 0 {
		return 0
	}
	return d.busy / time.Duration(d.measured) * time.Duration(open) / time.Duration(min(d.jobs, open))
}

// shortly rounds a time for people.
func shortly(t time.Duration) string {
	switch {
	case t < 10*time.Second:
		return fmt.Sprintf("%.1f s", t.Seconds())
	case t < 2*time.Minute:
		return fmt.Sprintf("%.0f s", t.Seconds())
	case t < 2*time.Hour:
		return fmt.Sprintf("%.0f min", t.Minutes())
	}
	return fmt.Sprintf("%.1f h", t.Hours())
}
