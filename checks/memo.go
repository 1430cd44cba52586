package checks

import (
	"context"
	"errors"
	"sync"
)

// memo asks each question once and keeps the answer, errors included: what
// could not be read is evidence too. Concurrent askers of one question wait for
// one answer; a cancelled context is not kept.
type memo[K comparable, V any] struct {
	mu      sync.Mutex
	answers map[K]*answer[V]
}

type answer[V any] struct {
	done  chan struct{}
	value V
	err   error
}

// get returns the answer to key, asking at most once.
func (m *memo[K, V]) get(ctx context.Context, key K, ask func(context.Context) (V, error)) (V, error) {
	for {
		m.mu.Lock()
		if m.answers == nil {
			m.answers = make(map[K]*answer[V])
		}
		known, ok := m.answers[key]
		if !ok {
			known = &answer[V]{done: make(chan struct{})}
			m.answers[key] = known
			m.mu.Unlock()
			m.fill(ctx, key, known, ask)
			return known.value, known.err
		}
		m.mu.Unlock()
		select {
		case <-known.done:
		case <-ctx.Done():
			return known.value, ctx.Err()
		}
		if ctx.Err() != nil || !cancelled(known.err) {
			return known.value, known.err
		}
	}
}

// fill asks and publishes the answer; one that was cut short is forgotten.
func (m *memo[K, V]) fill(ctx context.Context, key K, a *answer[V], ask func(context.Context) (V, error)) {
	finished := false
	defer func() {
		if !finished || cancelled(a.err) {
			m.mu.Lock()
			delete(m.answers, key)
			m.mu.Unlock()
		}
		if !finished {
			a.err = context.Canceled
		}
		close(a.done)
	}()
	a.value, a.err = ask(ctx)
	finished = true
}

func cancelled(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
