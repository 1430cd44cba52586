package sandbox

import (
	"sync"
	"time"
)

// Clock is a clock for stories: it starts at a fixed time and moves by a fixed
// step each time it is read, so that everything gets a time of its own and two
// runs of a story get the same ones.
type Clock struct {
	mu   sync.Mutex
	now  time.Time
	step time.Duration
}

// NewClock returns a clock that shows start at its first reading.
func NewClock(start time.Time, step time.Duration) *Clock {
	return &Clock{now: start.UTC(), step: step}
}

// Now returns the time and moves the clock by its step.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now
	c.now = now.Add(c.step)
	return now
}

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// stamp is a time as the API writes it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// stampOrNil is stamp, with null for the zero time.
func stampOrNil(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return stamp(t)
}
