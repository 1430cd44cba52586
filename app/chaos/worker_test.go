package chaos

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/app/hook"
	"github.com/sweepbot/sweepbot/app/serve"
)

// The variable by which the test binary is told to be a worker. No program of
// the product reads it.
const workerVariable = "SWEEPBOT_CHAOS_WORKER"

// orders are what a worker is to do.
type orders struct {
	API, Repository, Dir string
	// Of a server.
	AppID       int64
	Key, Secret string
	// Of a job: the token, the account that it writes as, the event, the file
	// with its payload and the id of the run.
	Token, Event, Payload, RunID string
	Account                      int64
	// CrashAt kills the worker at its write of that number, 0 at none: before
	// it is sent, or with CrashAfter once GitHub has done it.
	CrashAt    int
	CrashAfter bool
}

func TestMain(m *testing.M) {
	text := os.Getenv(workerVariable)
	if text == "" {
		os.Exit(m.Run())
	}
	var o orders
	err := json.Unmarshal([]byte(text), &o)
	if err == nil && o.AppID != 0 {
		err = o.serve(context.Background())
	} else if err == nil {
		err = o.handle(context.Background())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// crashed is the exit code of a worker that was killed on purpose.
const crashed = 137

// fate sends requests, and ends the process at one of its writes as a power
// failure would: nothing is written, closed or told any more.
type fate struct {
	next   http.RoundTripper
	orders *orders
	writes atomic.Int32
}

// RoundTrip sends a request.
func (f *fate) RoundTrip(r *http.Request) (*http.Response, error) {
	isWrite := r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/access_tokens")
	if !isWrite || int(f.writes.Add(1)) != f.orders.CrashAt {
		return f.next.RoundTrip(r)
	}
	if f.orders.CrashAfter {
		if resp, err := f.next.RoundTrip(r); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body) // GitHub is done when all of it is there
		}
	}
	os.Exit(crashed)
	return nil, nil
}

// clock is the real one, moved on by every wait, so that nobody has to wait.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func (c *clock) wait(ctx context.Context, d time.Duration) error {
	c.ahead.Add(int64(d))
	return ctx.Err()
}

// client makes the client of GitHub crash and never wait.
func (o *orders) client(c *clock) func(*ghapi.Options) {
	return func(g *ghapi.Options) {
		g.Now, g.Sleep, g.Jitter = c.now, c.wait, func() float64 { return 0 }
		g.Transport = &fate{next: &http.Transport{Proxy: nil}, orders: o}
	}
}

// serve is the GitHub App. It prints its address, and a line for every line
// that it reads, once it has worked on all deliveries.
func (o *orders) serve(ctx context.Context) error {
	c := &clock{}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	s, err := serve.New(ctx, serve.Options{
		AppID: o.AppID, PrivateKey: []byte(o.Key), APIURL: o.API, Secrets: []hook.Secret{hook.Secret(o.Secret)}, Dir: o.Dir,
		Dispatches: true, Wait: c.wait, Client: o.client(c), Log: log,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = s.Serve(ctx, listener) }() // until the process ends
	fmt.Println(listener.Addr())
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		if _, err := s.Idle(ctx); err != nil {
			return err
		}
		fmt.Println("idle")
	}
	return nil
}

// handle is "sweepbot event" in a job. It fails where an effect failed, also
// one that only informs, so that the job is run again.
func (o *orders) handle(ctx context.Context) error {
	data, err := os.ReadFile(o.Payload)
	if err != nil {
		return err
	}
	delivery, err := bot.ParseDelivery(o.Event, o.RunID, o.Repository, data)
	if err != nil {
		return err
	}
	c := &clock{}
	options := ghapi.Options{Token: o.Token, BaseURL: o.API}
	o.client(c)(&options)
	client, err := ghapi.New(ctx, options)
	if err != nil {
		return err
	}
	workspace, err := bot.OpenWorkspace(ctx, o.Dir)
	if err != nil {
		return err
	}
	defer workspace.Close()
	owner, name, _ := strings.Cut(o.Repository, "/")
	gh := client.Repository(owner, name)
	b := &bot.Bot{
		GitHub: gh, Planner: bot.WorkspacePlanner{Workspace: workspace}, Reuse: bot.ReuseMentions{GitHub: gh}, Setting: bot.InActions,
		Options: bot.Options{Repository: o.Repository},
	}
	decided, err := b.Decide(ctx, delivery)
	if err != nil {
		return err
	}
	world := &bot.World{GitHub: gh, Repository: o.Repository, Self: []int64{o.Account}, Wait: c.wait}
	results, err := (&bot.Executor{World: world, Journal: &bot.MemoryJournal{}}).Perform(ctx, decided.Intents)
	if err != nil {
		return err
	}
	for i := range results {
		if r := &results[i]; r.Err != nil {
			return fmt.Errorf("%s %s: %s: %w", r.Kind(), r.Target(), r.State, r.Err)
		}
	}
	return nil
}
