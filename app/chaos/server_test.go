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

var (
	cleaned   = make(map[string][]view)
	cleanings sync.Mutex
)

// cleanOnce is clean, once for each scenario.
func cleanOnce(t *testing.T, s scenario) []view {
	cleanings.Lock()
	defer cleanings.Unlock()
	if cleaned[s.name] == nil {
		cleaned[s.name] = clean(t, s)
	}
	return cleaned[s.name]
}

// TestOnce: the same deliveries leave the same, and each scenario leaves
// something to compare.
func TestOnce(t *testing.T) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			views := cleanOnce(t, s)
			if diff := cmp.Diff(views, clean(t, s)); diff != "" {
				t.Error(diff)
			}
			if last := views[len(views)-1]; len(last.Comments) < 2 || len(last.Runs) == 0 || len(last.Checks) == 0 {
				t.Errorf("too little to compare: %+v", last)
			}
		})
	}
}
