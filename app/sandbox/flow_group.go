package sandbox

import (
	"context"
	"slices"
	"strings"
)

// Group is a concurrency group as an engine evaluated it.
type Group struct {
	// Name is compared without case.
	Name string
	// CancelInProgress cancels who holds the place instead of waiting.
	CancelInProgress bool
	// QueueMax keeps everybody who waits, up to 100, in order. Without it a
	// newer one takes the place of the older that waits.
	QueueMax bool
}

// maxWaiting is how many may wait in a group with QueueMax.
const maxWaiting = 100

// group is a concurrency group of a repository.
type group struct {
	holder  *member
	waiting []*member
}

// member is a run, or a job of one, in a group.
type member struct {
	group   *group
	run     *run
	attempt *attempt
	ready   chan struct{}
	cancel  func() // of a job; nil for a run
}

// group returns a group, making it if needed.
func (s *Server) group(r *repository, name string) *group {
	key := strings.ToLower(name)
	if r.groups[key] == nil {
		r.groups[key] = &group{}
	}
	return r.groups[key]
}

// JoinGroup enters a concurrency group and waits for its place, until which the
// run is "pending". The error says that the run was cancelled meanwhile. The
// place is given up when the run ends.
func (h *RunHandle) JoinGroup(ctx context.Context, g Group) error {
	return h.s.join(ctx, &member{run: h.u, attempt: h.a}, g)
}

func (s *Server) join(ctx context.Context, m *member, g Group) error {
	s.mu.Lock()
	place := s.group(m.run.repo, g.Name)
	m.group, m.ready = place, make(chan struct{})
	m.attempt.members = append(m.attempt.members, m)
	if place.holder == nil {
		place.holder = m
		close(m.ready)
	} else {
		s.queue(place, m, g)
	}
	s.mu.Unlock()
	select {
	case <-m.ready:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave(m)
	return context.Cause(ctx)
}

// queue lets a member wait, and cancels those whose place it takes.
func (s *Server) queue(place *group, m *member, g Group) {
	replaced := place.waiting
	if g.QueueMax && !g.CancelInProgress && len(place.waiting) < maxWaiting {
		replaced = nil
	}
	place.waiting = append(slices.DeleteFunc(slices.Clone(place.waiting), func(o *member) bool {
		return slices.Contains(replaced, o)
	}), m)
	if m.cancel == nil && m.attempt.status == "queued" {
		m.run.setStatus("pending", "", s.now())
	}
	for _, o := range replaced {
		s.cancelMember(o)
	}
	if g.CancelInProgress {
		s.cancelMember(place.holder)
	}
}

func (s *Server) cancelMember(m *member) {
	if m.cancel != nil {
		m.cancel()
		return
	}
	s.halt(m.run, false)
}

// leave gives up a place; the next who waits gets it.
func (s *Server) leave(m *member) {
	place := m.group
	place.waiting = slices.DeleteFunc(place.waiting, func(o *member) bool { return o == m })
	if place.holder != m {
		return
	}
	place.holder = nil
	if len(place.waiting) > 0 {
		next := place.waiting[0]
		place.waiting, place.holder = place.waiting[1:], next
		if next.attempt.status == "pending" {
			next.run.setStatus("queued", "", s.now())
		}
		close(next.ready)
	}
}
