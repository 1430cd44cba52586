package sandbox

import (
	"net"
	"net/url"
	"slices"
	"time"
)

// hook is a webhook of a repository or of the App.
type hook struct {
	id      int64
	app     int64       // id of the App
	repo    *repository // nil: the App's
	url     string
	secret  string
	events  []string // "*" is everything
	form    bool
	active  bool
	created time.Time
	last    *delivery
}

// delivery is one try to deliver an event.
type delivery struct {
	id       int64
	guid     string
	hook     *hook
	repo     *repository
	event    string
	action   string
	payload  []byte
	again    bool // a redelivery
	at       time.Time
	duration time.Duration
	code     int
	status   string
	request  map[string]string // headers
	response map[string]string
	answer   string
}

// done reports whether the delivery was tried.
func (d *delivery) done() bool { return d.status != "" }

// newHook registers a webhook. It must be on this machine: nothing leaves it.
func (s *Server) newHook(r *repository, h Hook) (*hook, error) {
	if !isLocal(h.URL) {
		return nil, invalid("Hook", "url", "custom", "url must be an http address on this machine: a sandbox sends nothing elsewhere")
	}
	k := &hook{
		id: s.ids.take(kindHook), app: s.app.id, repo: r, url: h.URL, secret: h.Secret, events: h.Events, form: h.Form, active: true, created: s.now(),
	}
	if len(k.events) == 0 {
		k.events = []string{"*"}
	}
	s.hooks = append(s.hooks, k)
	return k, nil
}

// isLocal reports whether an address is of this machine.
func isLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// wants reports whether a hook takes an event of a repository.
func (h *hook) wants(r *repository, event string) bool {
	if !h.active || h.repo != nil && h.repo != r {
		return false
	}
	return event == "ping" || slices.Contains(h.events, "*") || slices.Contains(h.events, event)
}

// deliver puts an event in the queue of every hook that wants it.
func (s *Server) deliver(h happening, payload doc) {
	for _, k := range s.hooks {
		if !k.wants(h.repo, h.name) {
			continue
		}
		body := payload
		if k.repo == nil {
			if s.app.account != h.repo.owner {
				continue
			}
			body = merged(payload, doc{"installation": doc{"id": s.app.installation, "node_id": nodeID("Installation", s.app.installation)}})
		}
		s.enqueue(&delivery{
			guid: s.ids.guid(), hook: k, repo: h.repo, event: h.name, action: h.action, payload: encode(body),
		})
	}
}

// ping tells a new hook that it is one.
func (s *Server) ping(k *hook) {
	payload := doc{"zen": "Keep it logically awesome.", "hook_id": k.id, "hook": s.hookDoc(k)}
	if k.repo != nil {
		payload["repository"] = s.repoDoc(k.repo)
	}
	s.enqueue(&delivery{guid: s.ids.guid(), hook: k, repo: k.repo, event: "ping", payload: encode(payload)})
}

// redeliver sends a delivery again, with the same id (spec/github-limits.md).
func (s *Server) redeliver(d *delivery) {
	s.enqueue(&delivery{
		guid: d.guid, hook: d.hook, repo: d.repo, event: d.event, action: d.action, payload: d.payload, again: true,
	})
}

// enqueue gives a delivery its place in the log and in the queue. Faults may
// send it twice, hold it back to change the order, or lose it.
func (s *Server) enqueue(d *delivery) {
	s.log(d)
	if s.faults.chance(s.rng, s.faults.Duplicate) {
		again := *d
		s.log(&again)
		s.outbox = append(s.outbox, &again)
	}
	s.outbox = append(s.outbox, d)
	if n := s.faults.Reorder; n < 2 || len(s.outbox) >= n {
		s.release()
	}
}

func (s *Server) log(d *delivery) {
	d.id, d.at = s.ids.take(kindDelivery), s.now()
	s.deliveries = append(s.deliveries, d)
}

// release hands what waits in the queue to the sender, shuffled if so asked.
func (s *Server) release() {
	if len(s.outbox) == 0 {
		return
	}
	if s.faults.Reorder > 1 {
		s.rng.Shuffle(len(s.outbox), func(i, j int) { s.outbox[i], s.outbox[j] = s.outbox[j], s.outbox[i] })
	}
	s.sending = append(s.sending, s.outbox...)
	s.outbox = nil
	s.changed.Broadcast()
}

// deliveriesOf lists the tried deliveries of a hook, newest first.
func (s *Server) deliveriesOf(k *hook) []*delivery {
	return newestFirst(filter(s.deliveries, func(d *delivery) bool { return d.hook == k && d.done() }))
}
