package serve

import (
	"context"
	"log/slog"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
)

// pauses are those between the tries of one delivery. The client of GitHub has
// tried each request several times before a try counts as failed.
var pauses = []time.Duration{10 * time.Second, time.Minute}

// work handles one delivery and tells what became of it. What failed outside is
// tried again, from the decision on. A delivery that fails to the end is
// forgotten, so that it is taken when GitHub sends it again.
func (s *Server) work(ctx context.Context, d bot.Delivery, defaultBranch string) {
	log := s.options.Log.With("delivery", d.ID, "event", d.Name, "action", d.Action, "repository", d.Repository)
	done := s.try(ctx, d, defaultBranch, log)
	for _, pause := range pauses {
		if !done.unfinished() || s.queue.ends() || s.options.Wait(ctx, pause) != nil {
			break
		}
		done = s.try(ctx, d, defaultBranch, log)
	}
	if done.unfinished() {
		s.seen.Forget(d.ID)
		log.Error("given up; send the delivery again from GitHub's delivery log", "pull", done.Decided.Number)
	}
	if s.options.Handled != nil {
		s.options.Handled(done)
	}
}

// try handles a delivery once.
func (s *Server) try(ctx context.Context, d bot.Delivery, defaultBranch string, log *slog.Logger) Handled {
	done := Handled{Delivery: d}
	start := time.Now()
	site, err := s.site(ctx, d.Repository)
	if err == nil {
		done.Decided, done.Results, err = site.handle(ctx, d, defaultBranch)
	}
	done.Err = err
	for i := range done.Results {
		r := &done.Results[i]
		log.Info("effect", "kind", r.Kind(), "target", r.Target(), "state", r.State, "error", r.Err)
	}
	switch {
	case err != nil:
		log.Error("not handled", "error", err, "pull", done.Decided.Number, "took", time.Since(start))
	default:
		log.Info("handled", "story", done.Decided.Story, "pull", done.Decided.Number, "effects", len(done.Results), "took", time.Since(start))
	}
	return done
}

// unfinished reports whether another try may do what this one did not: facts
// that could not be read, effects that failed, be they no more than
// information, and doubles that remain. What was refused is done.
func (h *Handled) unfinished() bool {
	if h.Results.Unfinished() {
		return true
	}
	return h.Err != nil && len(h.Results) == 0
}
