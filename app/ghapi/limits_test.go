package ghapi

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/app/bot"
)

func testLimits(c *clock) *limits {
	return newLimits(Options{Now: c.Now, Sleep: c.Sleep}, func(context.Context, time.Duration) {})
}

// within returns the largest sum of weights in any window of the length.
func within(times []time.Time, weights []int, window time.Duration) int {
	most := 0
	for i := range times {
		sum := 0
		for j := i; j < len(times) && times[j].Sub(times[i]) < window; j++ {
			sum += weights[j]
		}
		most = max(most, sum)
	}
	return most
}

// TestOwnBuckets: however calls come, no minute and no hour holds more than
// GitHub's secondary limits allow (spec/github-limits.md).
func TestOwnBuckets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		l := testLimits(c)
		var at, written []time.Time
		var points, ones []int
		// A pattern of pauses and kinds, again and again.
		pauses := rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 0, 10, 500, 9000}), 1, 6).Draw(t, "pauses in ms")
		writes := rapid.SliceOfN(rapid.Bool(), 1, 6).Draw(t, "writes")
		for i := range 500 {
			c.Sleep(t.Context(), time.Duration(pauses[i%len(pauses)])*time.Millisecond)
			leave, err := l.enter(t.Context(), writes[i%len(writes)])
			if err != nil {
				t.Fatal(err)
			}
			leave()
			at, points = append(at, c.Now()), append(points, 1)
			if writes[i%len(writes)] {
				points[len(points)-1] = 5
				written, ones = append(written, c.Now()), append(ones, 1)
			}
		}
		if n := within(at, points, time.Minute); n > 900 {
			t.Errorf("%d points in a minute", n)
		}
		if n := within(written, ones, time.Minute); n > 61 {
			t.Errorf("%d writes in a minute", n)
		}
		if n := within(written, ones, time.Second-time.Millisecond); n > 1 {
			t.Errorf("%d writes in a second", n)
		}
		if n := within(written, ones, time.Hour); n > 400 {
			t.Errorf("%d writes in an hour", n)
		}
	})
}

// TestBucketsGiveBack: a write that cannot wait takes nothing.
func TestBucketsGiveBack(t *testing.T) {
	c := newClock()
	l := testLimits(c)
	ctx, cancel := context.WithDeadline(t.Context(), c.now.Add(500*time.Millisecond))
	defer cancel()
	leave, err := l.enter(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	leave()
	for range 100 {
		if _, err := l.enter(ctx, true); !isLimit(err) {
			t.Fatal(err)
		}
	}
	if leave, err = l.enter(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	leave()
	if waited := c.now.Sub(newClock().now); waited != time.Second {
		t.Errorf("waited %v, want the second that one write costs", waited)
	}
}

// TestMaxWait bounds a wait where the context does not.
func TestMaxWait(t *testing.T) {
	c := newClock()
	l := testLimits(c)
	l.maxWait = time.Minute
	until := l.hit(61*time.Second, true)
	_, err := l.enter(t.Context(), false)
	limit, ok := err.(*bot.RateLimitError)
	if !ok || !limit.Until.Equal(until) {
		t.Errorf("error %v", err)
	}
	l.secondary = c.now.Add(59 * time.Second)
	if leave, err := l.enter(t.Context(), false); err != nil {
		t.Error(err)
	} else {
		leave()
	}
}
