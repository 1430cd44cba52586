package serve

import (
	"context"
	"errors"
	"slices"
	"testing"
)

func TestQueueKeepsTheOrderOfAKey(t *testing.T) {
	q := newQueue(100, 2)
	var got []int
	for i := range 20 {
		if err := q.add("o/r", func(context.Context) { got = append(got, i) }); err != nil { // one worker: no race
			t.Fatal(err)
		}
	}
	if taken, err := q.idle(t.Context()); taken != 20 || err != nil {
		t.Fatal(taken, err)
	}
	if len(got) != 20 || !slices.IsSorted(got) {
		t.Errorf("done in the order %v", got)
	}
}

func TestQueueDoesKeysSideBySide(t *testing.T) {
	q := newQueue(10, 2)
	met := make(chan struct{})
	check(t, q.add("a", func(context.Context) { met <- struct{}{} }))
	check(t, q.add("b", func(context.Context) { <-met })) // hangs unless both run
	_, err := q.idle(t.Context())
	check(t, err)
}

func TestQueueRefusesWhatIsTooMuch(t *testing.T) {
	q := newQueue(2, 1)
	hold := make(chan struct{})
	check(t, q.add("a", func(context.Context) { <-hold }))
	check(t, q.add("a", func(context.Context) {}))
	if err := q.add("b", func(context.Context) {}); !errors.Is(err, errBusy) {
		t.Errorf("a third job: %v", err)
	}
	close(hold)
	check(t, q.close(t.Context()))
	if err := q.add("b", func(context.Context) {}); !errors.Is(err, errClosed) {
		t.Errorf("after the end: %v", err)
	}
}

func TestQueueEndsWithItsTime(t *testing.T) {
	q := newQueue(2, 1)
	var cause error
	check(t, q.add("a", func(ctx context.Context) { <-ctx.Done(); cause = context.Cause(ctx) }))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := q.close(ctx); !errors.Is(err, context.Canceled) || !errors.Is(cause, errClosed) {
		t.Errorf("close: %v, the job saw %v", err, cause)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
