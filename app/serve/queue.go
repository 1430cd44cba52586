package serve

import (
	"context"
	"errors"
	"sync"
)

// errBusy and errClosed make the webhook server answer with 5xx, so that
// GitHub's log shows the delivery as failed and it can be sent again.
var (
	errBusy   = errors.New("too many deliveries wait")
	errClosed = errors.New("the server is going down")
)

// queue runs jobs in the background: those of one key one after the other, in
// order, those of different keys side by side.
type queue struct {
	ctx    context.Context // of the jobs
	cancel context.CancelCauseFunc
	slots  chan struct{} // how many keys are at work at once
	limit  int           // of jobs that wait or run

	mu      sync.Mutex
	changed *sync.Cond
	waiting map[string][]func(context.Context) // of keys with a worker
	jobs    int
	taken   int64 // since the start
	closed  bool
}

func newQueue(limit, workers int) *queue {
	q := &queue{slots: make(chan struct{}, workers), limit: limit, waiting: make(map[string][]func(context.Context))}
	q.ctx, q.cancel = context.WithCancelCause(context.Background())
	q.changed = sync.NewCond(&q.mu)
	return q
}

// add puts a job behind those of its key. It never waits.
func (q *queue) add(key string, job func(context.Context)) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return errClosed
	case q.jobs >= q.limit:
		return errBusy
	}
	q.jobs++
	q.taken++
	line, working := q.waiting[key]
	q.waiting[key] = append(line, job)
	if !working {
		go q.work(key)
	}
	return nil
}

// work does the jobs of a key until there is none.
func (q *queue) work(key string) {
	q.slots <- struct{}{}
	defer func() { <-q.slots }()
	for job := q.next(key); job != nil; job = q.next(key) {
		job(q.ctx)
		q.mu.Lock()
		q.jobs--
		q.changed.Broadcast()
		q.mu.Unlock()
	}
}

// next takes the oldest job of a key; without one the worker is gone.
func (q *queue) next(key string) func(context.Context) {
	q.mu.Lock()
	defer q.mu.Unlock()
	line := q.waiting[key]
	if len(line) == 0 {
		delete(q.waiting, key)
		return nil
	}
	q.waiting[key] = line[1:]
	return line[0]
}

// idle waits until no job is left and returns how many were ever taken. It
// ends early with the error of ctx.
func (q *queue) idle(ctx context.Context) (int64, error) {
	stop := context.AfterFunc(ctx, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.changed.Broadcast()
	})
	defer stop()
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.jobs > 0 && ctx.Err() == nil {
		q.changed.Wait()
	}
	return q.taken, ctx.Err()
}

// ends reports whether no more jobs are taken.
func (q *queue) ends() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

// close refuses new jobs and waits for those that it has. When ctx ends first,
// they are cancelled and waited for.
func (q *queue) close(ctx context.Context) error {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	_, err := q.idle(ctx)
	q.cancel(errClosed)
	_, _ = q.idle(context.WithoutCancel(ctx)) // a cancelled job ends soon
	return err
}
