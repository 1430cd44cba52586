package checks

import (
	"context"
	"fmt"
)

// Check decides one topic. It looks at evidence only; an error is one of our
// own (a cancelled context, a broken store), never a bad input: that is a
// Result.
type Check struct {
	Topic Topic
	// Needs names the inputs that decide it, for --help and for the account of
	// what is missing offline.
	Needs []Need
	// Decide fills status, reason, citations and what is missing. Number, name
	// and topic are set by the registry.
	Decide func(ctx context.Context, e *Evidence) (Result, error)
}

// Registry holds the known checks by topic.
type Registry struct{ byTopic map[Topic]Check }

// NewRegistry makes a registry; two checks of one topic are an error.
func NewRegistry(list ...Check) (*Registry, error) {
	r := &Registry{byTopic: make(map[Topic]Check, len(list))}
	for _, c := range list {
		if _, twice := r.byTopic[c.Topic]; twice {
			return nil, fmt.Errorf("two checks decide %s", c.Topic)
		}
		r.byTopic[c.Topic] = c
	}
	return r, nil
}

// Lookup returns the check of a topic.
func (r *Registry) Lookup(topic Topic) (Check, bool) {
	c, ok := r.byTopic[topic]
	return c, ok
}

// Decide runs the checks of the case's profile and returns their results by
// number. A topic without a check is UNAVAILABLE: it never counts as passed.
func (r *Registry) Decide(ctx context.Context, e *Evidence) ([]Result, error) {
	results := make([]Result, 0, len(e.Profile.Slots))
	for number, slot := range e.Profile.Slots {
		result := Result{Status: Unavailable, Reason: "this version of sweepbot does not decide this check", Missing: []string{"a rule for " + string(slot.Topic)}}
		if c, ok := r.byTopic[slot.Topic]; ok {
			var err error
			if result, err = c.Decide(ctx, e); err != nil {
				return nil, fmt.Errorf("check %d (%s): %w", number, slot.Name, err)
			}
		}
		result.Number, result.Name, result.Topic = number, slot.Name, slot.Topic
		results = append(results, result)
	}
	return results, nil
}
