package bot

import (
	"context"
	"sync"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Journal remembers the effects of one delivery, so that a restart in the
// middle looks for what it left behind instead of repeating it. A journal that
// lasts keeps one record a key; a delivery that comes again brings its own
// journal along.
type Journal interface {
	// Open records that an effect is about to be done. done tells that an
	// earlier attempt of the same delivery has closed it as done.
	Open(ctx context.Context, key string, document ordjson.Value) (done bool, err error)
	// Close records how it ended; failure is nil when it is done.
	Close(ctx context.Context, key string, failure error) error
}

// MemoryJournal is a journal that lasts as long as the process. It may be used
// by several executors at once.
type MemoryJournal struct {
	mu   sync.Mutex
	done map[string]bool
}

// Open tells whether the effect is done already.
func (j *MemoryJournal) Open(_ context.Context, key string, _ ordjson.Value) (bool, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.done[key], nil
}

// Close keeps the keys of effects that are done.
func (j *MemoryJournal) Close(_ context.Context, key string, failure error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.done == nil {
		j.done = make(map[string]bool)
	}
	j.done[key] = failure == nil
	return nil
}
