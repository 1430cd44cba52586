package story

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"testing/fstest"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/app/hook"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/app/serve"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/scratch"
)

// Options say which story is told, and to whom.
type Options struct {
	// Scenario is the name of a story, see Names; "" is the first.
	Scenario string
	// Listen is the address of the embedded GitHub, on this machine; "" is a
	// free port.
	Listen string
	// Engine is what runs the points, one of [Engines]; "" is the first.
	Engine string
	// Act is the act program for the engine of that name; "" is that on the
	// search path. Program is sweepbot, which the jobs under act run.
	Act, Program string
	// Language is what is told in; "" is English.
	Language catalog.Language
	// Environment is what launchers inherit, as NAME=value.
	Environment []string
	// Tell is told of every step as a note. It is never called twice at once.
	Tell func(diag.Finding)
	// Log gets what the server logs; nil drops it.
	Log *slog.Logger
}

// Stage is an embedded GitHub with sweepbot installed on it.
type Stage struct {
	scenario scenario
	options  Options
	folder   *scratch.Folder // of everything on disk but GitHub's
	github   *sandbox.Server
	local    *engine // nil where act runs the workflows
	server   *serve.Server
	stop     context.CancelFunc
	served   chan error

	telling sync.Mutex
	pull    int
}

// Open sets the stage. Close it. The error is a diag.Finding.
func Open(ctx context.Context, o Options) (*Stage, error) {
	chosen, err := find(o.Scenario)
	if err != nil {
		return nil, err
	}
	o.Environment = slices.Concat(chosen.environment, o.Environment)
	if o.Engine, err = engineNamed(o.Engine); err != nil {
		return nil, err
	}
	s := &Stage{scenario: chosen, options: o, stop: func() {}}
	if err := s.set(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stage) set(ctx context.Context) error {
	files, err := seed(s.options.Engine)
	if err != nil {
		return err
	}
	if s.scenario.seed != nil {
		for name, text := range s.scenario.seed() {
			files[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
	}
	if s.folder, err = scratch.New("sweepbot-try"); err != nil {
		return diag.New("story.folder", diag.Place{}, "detail", err.Error()).In("unreadable")
	}
	engine, err := s.engine()
	if err != nil {
		return err
	}
	s.github, err = sandbox.Start(context.WithoutCancel(ctx), sandbox.Options{ // Close ends it
		Listen: s.options.Listen, Repository: repository, Seed: files, People: people(), Labels: labels(),
		App: sandbox.App{Events: serve.Events}, Engine: engine, Random: 1, TLS: true,
	})
	if err != nil {
		return err
	}
	if err := s.workflows(ctx); err != nil {
		return err
	}
	s.tell("story.github", "url", s.github.URL())
	return s.install(ctx)
}

// install starts sweepbot as the App and points the App's webhook at it.
func (s *Stage) install(ctx context.Context) error {
	key, err := s.github.AppKey()
	if err != nil {
		return err
	}
	id, _ := s.github.AppID()
	secret := rand.Text()
	s.server, err = serve.New(ctx, serve.Options{
		AppID: id, PrivateKey: key, APIURL: s.github.URL() + "/api/v3", Secrets: []hook.Secret{hook.Secret(secret)},
		Dir: filepath.Join(s.folder.Path(), "serve"), Dispatches: s.options.Engine != Act, Handled: s.heard, Wait: briefly, Log: s.options.Log,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return diag.New("story.listen", diag.Place{}, "detail", err.Error()).In("unreadable")
	}
	own, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop, s.served = stop, make(chan error, 1)
	go func() { s.served <- s.server.Serve(own, listener) }()
	return s.github.SetAppWebhook("http://"+listener.Addr().String()+"/", secret)
}

// briefly waits for lists to catch up: this GitHub never lags.
func briefly(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// heard tells what sweepbot did about a delivery.
func (s *Stage) heard(h serve.Handled) {
	if h.Err != nil {
		s.tell("story.trouble", "event", h.Delivery.Name, "detail", h.Err.Error())
	}
	for i := range h.Results {
		if r := &h.Results[i]; r.State == bot.StateDone {
			s.tell("story.did", "kind", r.Kind(), "target", r.Target())
		}
	}
}

func (s *Stage) tell(code string, args ...string) {
	s.telling.Lock()
	defer s.telling.Unlock()
	if s.options.Tell != nil {
		s.options.Tell(diag.New(code, diag.Place{}, args...).WithSeverity(diag.Note))
	}
}

// Play acts the story out and holds what came of it against what is expected.
// The list has what does not hold; the error is for a story that could not go
// on.
func (s *Stage) Play(ctx context.Context) (diag.List, error) {
	if err := s.scenario.play(ctx, s); err != nil {
		return nil, err
	}
	return s.scenario.judge(ctx, s)
}

// quiet waits until nothing more happens by itself, neither on GitHub nor in
// sweepbot.
func (s *Stage) quiet(ctx context.Context) error {
	for before := int64(-1); ; {
		if err := s.github.Settle(ctx); err != nil {
			return err
		}
		taken, err := s.server.Idle(ctx)
		if err != nil || taken == before {
			return err
		}
		before = taken
	}
}

// api is GitHub as a person sees it.
func (s *Stage) api(ctx context.Context, login string) (bot.GitHub, error) {
	token, err := s.github.Token(login)
	if err != nil {
		return nil, err
	}
	client, err := ghapi.New(ctx, ghapi.Options{Token: token, BaseURL: s.github.URL() + "/api/v3"})
	if err != nil {
		return nil, err
	}
	return client.Repository(owner, name), nil
}

// Close ends everything and removes what it left on disk.
func (s *Stage) Close() error {
	var err error
	s.stop()
	if s.served != nil { // while GitHub still answers, so that it ends soon
		err = <-s.served
	}
	if s.github != nil {
		err = errors.Join(err, s.github.Close())
	}
	if s.server != nil {
		err = errors.Join(err, s.server.Close())
	}
	return errors.Join(err, s.folder.Close())
}
