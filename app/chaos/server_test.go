package chaos

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// clean acts a scenario out with one process that gets every delivery once, in
// order, and returns what is seen after each step.
func clean(t *testing.T, s scenario) []view {
	w := newWorld(t, s)
	p := startServer(t, w.orders())
	var views []view
	for _, act := range s.steps {
		w.clock.Advance(time.Minute)
		act(w)
		for events := w.take(); len(events) > 0; events = w.take() {
			for _, e := range events {
				p.post(e)
			}
			p.idle()
		}
		views = append(views, w.look())
	}
	p.wait()
	return views
}

// cleaned are what is seen without chaos, by the name of what is told.
var cleaned sync.Map

// once returns what is seen without chaos, made once for each name.
func once(t *testing.T, name string, make func() []view) []view {
	t.Helper()
	known, _ := cleaned.LoadOrStore(name, sync.OnceValue(make))
	views := known.(func() []view)()
	if views == nil {
		t.Fatalf("%s fails without chaos", name)
	}
	return views
}

func cleanOnce(t *testing.T, s scenario) []view {
	t.Helper()
	return once(t, s.name, func() []view { return clean(t, s) })
}

// TestOnce: the same deliveries leave the same, and each scenario leaves
// something to compare.
func TestOnce(t *testing.T) {
	for i, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			views := cleanOnce(t, s)
			if last := views[len(views)-1]; len(last.Comments) < 2 || len(last.Runs) == 0 || len(last.Checks) < 2 {
				t.Errorf("too little to compare: %+v", last)
			}
			if i > 0 {
				return
			}
			if diff := cmp.Diff(views, clean(t, s)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
