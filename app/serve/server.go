package serve

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/app/hook"
)

// Events are the webhook events that are handled. An App should subscribe to
// exactly these.
var Events = []string{
	"issue_comment", "pull_request", "pull_request_review", "pull_request_review_comment", "push", "workflow_job", "workflow_run",
}

// Options say who the server is and how much it takes on.
type Options struct {
	AppID      int64
	PrivateKey []byte // PEM
	// APIURL is the root of GitHub's API as GITHUB_API_URL gives it; "" is
	// that of github.com.
	APIURL  string
	Secrets []hook.Secret
	// Dir holds the clones; "" is a temporary folder that is removed at the end.
	Dir string
	// Dispatches lets the server start sweeps. Without it a workflow of the
	// repository starts them on pull_request.
	Dispatches bool
	// Queue is how many deliveries may wait, Workers how many repositories are
	// worked on at once; 0 is DefaultQueue and DefaultWorkers.
	Queue, Workers int
	// Wait waits for GitHub's lists to catch up; nil is a real wait.
	Wait func(context.Context, time.Duration) error
	// Client, if set, may change how GitHub is spoken to: its clock and its
	// transport. It is there for tests.
	Client func(*ghapi.Options)
	// Handled, if set, is told of every delivery that was worked on.
	Handled func(Handled)
	Log     *slog.Logger
}

// The bounds that apply where Options leave them at 0.
const (
	DefaultQueue   = 1000
	DefaultWorkers = 4
)

// Handled is what became of one delivery.
type Handled struct {
	Delivery bot.Delivery
	Decided  bot.Decided
	Results  bot.Results
	Err      error
}

// Server takes deliveries and works on them.
type Server struct {
	options Options
	app     *ghapi.Client
	hook    *hook.Server
	seen    *hook.Seen
	queue   *queue
	dir     string
	ownDir  bool

	mu    sync.Mutex
	sites map[string]*site // by repository in lower case
}

// New returns a server that listens nowhere yet. It makes no request. Close
// it. The error is a diag.Finding or says that no webhook secret was given.
func New(ctx context.Context, o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Queue == 0 {
		o.Queue = DefaultQueue
	}
	if o.Workers == 0 {
		o.Workers = DefaultWorkers
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	s := &Server{options: o, queue: newQueue(o.Queue, o.Workers), seen: hook.NewSeen(10 * o.Queue), dir: o.Dir, sites: make(map[string]*site)}
	var err error
	client := ghapi.Options{App: &ghapi.App{ID: o.AppID, PrivateKey: o.PrivateKey}, BaseURL: o.APIURL, Log: o.Log}
	if o.Client != nil {
		o.Client(&client)
	}
	if s.app, err = ghapi.New(ctx, client); err != nil {
		return nil, err
	}
	s.hook, err = hook.New(hook.Options{Secrets: o.Secrets, Events: Events, Seen: s.seen, Handle: s.take, Log: o.Log})
	if err != nil {
		return nil, err
	}
	if s.dir == "" {
		s.ownDir = true
		s.dir, err = os.MkdirTemp("", "sweepbot-serve-")
	}
	return s, err
}

// Handler answers webhooks on every path but /healthz, which says that the
// process is up.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("ok\n")) })
	mux.Handle("/", s.hook)
	return mux
}

// Grace is how long deliveries that were taken may still be worked on when the
// server ends.
const Grace = 30 * time.Second

// Serve answers on a listener until ctx ends. Then it takes nothing more, and
// works on what it has taken for at most Grace.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := s.hook.HTTPServer("")
	server.Handler = s.Handler()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.options.Log.Info("going down", "grace_seconds", int(Grace.Seconds()))
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), Grace)
	defer cancel()
	if err := server.Shutdown(late); err != nil {
		s.options.Log.Warn("connections were cut", "error", err)
	}
	if err := s.queue.close(late); err != nil {
		s.options.Log.Error("deliveries were taken but not worked on; send them again from GitHub's delivery log", "error", err)
	}
	return nil
}

// Close removes what the server has on disk. Serve must have returned.
func (s *Server) Close() error {
	s.queue.cancel(errClosed)
	if s.ownDir {
		return os.RemoveAll(s.dir)
	}
	return nil
}

// Idle waits until every delivery that was taken has been worked on, and
// returns how many were ever taken.
func (s *Server) Idle(ctx context.Context) (taken int64, err error) { return s.queue.idle(ctx) }

// take reads a delivery and puts it into the queue.
func (s *Server) take(_ context.Context, d hook.Delivery) error {
	delivery, err := bot.ParseDelivery(d.Event, d.ID, "", d.Body)
	if err != nil {
		return err
	}
	key := strings.ToLower(delivery.Repository)
	return s.queue.add(key, func(ctx context.Context) { s.work(ctx, delivery, delivery.DefaultBranch) })
}

// wait waits, or ends early with the context.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
