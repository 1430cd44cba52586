package hook

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// Repeat says what a delivery id was seen with before.
type Repeat uint8

// The answers of Seen. Forged means that the id was used for another body:
// a security event, never a redelivery.
const (
	Fresh Repeat = iota
	Repeated
	Forged
)

// Seen remembers the newest delivery ids with the digests of their bodies. It
// is the memory of one process; a durable store replaces it where the server
// must survive restarts.
type Seen struct {
	mu    sync.Mutex
	limit int
	order *list.List
	byID  map[string]*list.Element
}

type seenEntry struct {
	id  string
	sum [sha256.Size]byte
}

// NewSeen returns a memory of at most limit deliveries.
func NewSeen(limit int) *Seen {
	return &Seen{limit: limit, order: list.New(), byID: make(map[string]*list.Element)}
}

// Note records a delivery and says whether it is new. Concurrent calls with
// one id get Fresh exactly once.
func (s *Seen) Note(id string, body []byte) Repeat {
	sum := sha256.Sum256(body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.byID[id]; e != nil {
		if e.Value.(seenEntry).sum == sum {
			return Repeated
		}
		return Forged
	}
	s.byID[id] = s.order.PushBack(seenEntry{id, sum})
	if s.order.Len() > s.limit {
		oldest := s.order.Front()
		delete(s.byID, oldest.Value.(seenEntry).id)
		s.order.Remove(oldest)
	}
	return Fresh
}

// Forget takes back a delivery that could not be handled, so that GitHub's
// redelivery of it is taken.
func (s *Seen) Forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.byID[id]; e != nil {
		delete(s.byID, id)
		s.order.Remove(e)
	}
}
