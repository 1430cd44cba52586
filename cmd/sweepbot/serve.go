package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/hook"
	"github.com/sweepbot/sweepbot/app/serve"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// serveFlags are the flags of the serve command. Secrets are never among them,
// only where they are kept.
type serveFlags struct {
	listen, api, data       string
	app                     int64
	keyFile, keyEnv         string
	secretFiles, secretEnvs []string
	dispatch, json          bool
	queue, workers          int
}

func newServeCommand(s *streams) *cobra.Command {
	f := &serveFlags{}
	c := &cobra.Command{
		Use:   "serve",
		Short: "Answer the webhooks of a GitHub App",
		Long: "Serve is sweepbot as a GitHub App: it takes signed webhooks, answers at once, and then does what they\n" +
			"ask for, one repository at a time in the order of its deliveries. It serves plain HTTP: put it behind\n" +
			"a proxy that speaks TLS. GET /healthz says that it is up. The log goes to standard error.\n\n" +
			"The queue is in memory. What was answered with 202 and not worked on yet is lost if the process dies;\n" +
			"a durable queue comes in a later version. When the queue is full, and while the server goes down, it\n" +
			"answers 5xx, so that GitHub's delivery log shows the delivery as failed and it can be sent again.\n" +
			"Handling a delivery twice changes nothing. On SIGTERM it works on what it has taken for 30 seconds.\n\n" +
			"The private key and the webhook secret come from files or from the environment, never from the\n" +
			"command line. While a secret is replaced, give the old and the new one.",
		Example: "  sweepbot serve --app-id 12345 --private-key app.pem --webhook-secret-file secret.txt\n" +
			"  sweepbot serve --listen :8080 --app-id 12345 --private-key-env APP_KEY --webhook-secret-env SECRET",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	f.register(c)
	return c
}

func (f *serveFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8080", "`ADDR` to listen on")
	flags.Int64Var(&f.app, "app-id", 0, "`ID` of the GitHub App")
	flags.StringVar(&f.keyFile, "private-key", "", "`FILE` with the App's private key (PEM)")
	flags.StringVar(&f.keyEnv, "private-key-env", "", "variable by `NAME` that holds the private key instead")
	flags.StringArrayVar(&f.secretFiles, "webhook-secret-file", nil, "`FILE` with a webhook secret; may be repeated")
	flags.StringArrayVar(&f.secretEnvs, "webhook-secret-env", nil, "variable by `NAME` that holds a webhook secret; may be repeated")
	flags.StringVar(&f.api, "github-url", "", "`URL` of the API of a GitHub Enterprise Server (default: that of github.com)")
	flags.StringVar(&f.data, "data", "", "`DIR` for clones, to keep between starts (default: a temporary one)")
	flags.BoolVar(&f.dispatch, "dispatch", false, "start sweeps by dispatching the sweep workflow, which must then not start itself on pull_request")
	flags.IntVar(&f.queue, "queue", serve.DefaultQueue, "`N` deliveries may wait")
	flags.IntVar(&f.workers, "workers", serve.DefaultWorkers, "`N` repositories are worked on at once")
	flags.BoolVar(&f.json, "log-json", false, "write the log as JSON")
}

func (f *serveFlags) run(ctx context.Context, s *streams) error {
	o, err := f.options(s)
	if err != nil {
		return err
	}
	server, err := serve.New(ctx, o)
	if err != nil {
		return err
	}
	defer server.Close()
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return diag.New("serve.listen", diag.Place{}, "address", f.listen, "detail", err.Error()).In("unreadable")
	}
	o.Log.Info("listening", "address", listener.Addr().String(), "app", f.app, "dispatch", f.dispatch, "durable", false)
	return server.Serve(ctx, listener)
}

func (f *serveFlags) options(s *streams) (serve.Options, error) {
	if f.app <= 0 {
		return serve.Options{}, usage("usage.missing-option", "option", "--app-id")
	}
	if f.queue < 1 || f.workers < 1 {
		return serve.Options{}, usage("usage.bad-choice", "option", "--queue, --workers", "value", "0", "choices", "1, 2, 3 ...")
	}
	o := serve.Options{
		AppID: f.app, APIURL: f.api, Dir: f.data, Dispatches: f.dispatch,
		Queue: f.queue, Workers: f.workers, Log: f.logger(s),
	}
	keys, err := secrets("the private key", one(f.keyFile), one(f.keyEnv), "--private-key", "--private-key-env")
	if err != nil {
		return o, err
	}
	o.PrivateKey = keys[0]
	found, err := secrets("the webhook secret", f.secretFiles, f.secretEnvs, "--webhook-secret-file", "--webhook-secret-env")
	for _, secret := range found {
		o.Secrets = append(o.Secrets, hook.Secret(secret))
	}
	return o, err
}

func (f *serveFlags) logger(s *streams) *slog.Logger {
	if f.json {
		return slog.New(slog.NewJSONHandler(s.err, nil))
	}
	return slog.New(slog.NewTextHandler(s.err, nil))
}

// one is a list of one word, empty for "".
func one(word string) []string {
	if word == "" {
		return nil
	}
	return []string{word}
}

// secrets reads secrets from files and variables, without the line break that
// editors put at the end. At least one must be there, and none empty.
func secrets(what string, files, variables []string, fileFlag, envFlag string) ([][]byte, error) {
	var found [][]byte
	add := func(from, text string) error {
		if text = strings.TrimRight(text, "\r\n"); text == "" {
			return usage("serve.bad-secret", "what", what, "from", from)
		}
		found = append(found, []byte(text))
		return nil
	}
	for _, name := range files {
		data, _ := os.ReadFile(name) // no text of it may get into a message
		if err := add(name, string(data)); err != nil {
			return nil, err
		}
	}
	for _, name := range variables {
		if err := add(name, os.Getenv(name)); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, usage("serve.no-secret", "what", what, "file", fileFlag, "env", envFlag)
	}
	return found, nil
}
