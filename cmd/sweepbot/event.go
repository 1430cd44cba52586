package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/actions"
	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// eventFlags are the flags of the event command. What is not given is taken
// from the environment of a job.
type eventFlags struct {
	path, name, repository string
	clone, preset          string
	account                int64
	planOut, bundleOut     string
	format                 string
	dryRun, stats          bool
}

// actionsAccount is the numeric id of github-actions[bot], as which a
// GITHUB_TOKEN of github.com writes.
const actionsAccount = 41898282

func newEventCommand(s *streams) *cobra.Command {
	f := &eventFlags{}
	c := &cobra.Command{
		Use:   "event",
		Short: "Handle an event of GitHub",
		Long: "Event decides what an event of GitHub asks for and does it: it sets the outputs of the job, annotates\n" +
			"lines, keeps the comments of a pull request, dispatches and cancels workflows. It is what a workflow\n" +
			"calls; in a job the flags about the event may be left out. With --dry-run it only says what it would\n" +
			"do. GITHUB_TOKEN holds the token.\n\n" +
			"On pull_request events it writes nothing to GitHub, since such a job runs the workflow file of the\n" +
			"pull request (docs/security.md). What each effect is and how often it happens is in docs/effects.md.",
		Example: "  sweepbot event\n" +
			"  sweepbot event --event-path event.json --event-name pull_request --repository o/r --dry-run\n" +
			"  sweepbot event --format json --stats",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	c.Flags().StringVar(&f.path, "event-path", "", "`FILE` with the payload (default: $GITHUB_EVENT_PATH)")
	c.Flags().StringVar(&f.name, "event-name", "", "`NAME` of the event (default: $GITHUB_EVENT_NAME)")
	c.Flags().StringVar(&f.repository, "repository", "", "repository as `OWNER/NAME` (default: $GITHUB_REPOSITORY)")
	c.Flags().StringVar(&f.clone, "repo", ".", "`DIR` of a clone with the history of the base branch")
	c.Flags().StringVar(&f.preset, "preset", "", "settings `NAME` instead of those of the base")
	c.Flags().Int64Var(&f.account, "account", actionsAccount, "numeric `ID` of the account that the token writes as; only its comments count as ours")
	c.Flags().StringVar(&f.planOut, "plan-out", "", "write the plan of a sweep that starts to this `FILE`")
	c.Flags().StringVar(&f.bundleOut, "bundle-out", "", "write the evidence of a sign-off's verdict to this `FILE`, a zip archive")
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what would be done, and do nothing")
	c.Flags().StringVar(&f.format, "format", "table", "`FORMAT` of what was done: "+strings.Join(eventFormats, ", "))
	c.Flags().BoolVar(&f.stats, "stats", false, "also say what the requests to GitHub cost")
	return c
}

// eventFormats are the values of --format.
var eventFormats = []string{"table", "json"}

// optionOf names the option that stands for a variable of a job.
var optionOf = map[string]string{"GITHUB_EVENT_PATH": "--event-path", "GITHUB_EVENT_NAME": "--event-name", "GITHUB_REPOSITORY": "--repository"}

// load reads the event. Who calls the command by hand hears of an option, not
// of a variable.
func (f *eventFlags) load() (actions.Context, error) {
	if err := choice("--format", f.format, eventFormats); err != nil {
		return actions.Context{}, err
	}
	c, err := actions.LoadEvent(os.Getenv, actions.ReadFile, actions.Given{EventPath: f.path, Event: f.name, Repository: f.repository})
	var missing diag.Finding
	if errors.As(err, &missing) && missing.Code == "actions.variable-missing" {
		for variable, option := range optionOf {
			if slices.Contains(missing.Args, variable) {
				return c, usage("usage.missing-option", "option", option)
			}
		}
	}
	f.repository = c.Repository
	return c, err
}

func (f *eventFlags) run(ctx context.Context, s *streams) error {
	c, err := f.load()
	if err != nil {
		return err
	}
	client, err := jobClient(ctx)
	if err != nil {
		return err
	}
	workspace, err := bot.OpenWorkspace(ctx, f.clone)
	if err != nil {
		return err
	}
	defer workspace.Close()
	owner, name, _ := strings.Cut(f.repository, "/")
	gh := client.Repository(owner, name)
	b := &bot.Bot{
		GitHub: gh, Planner: bot.WorkspacePlanner{Workspace: workspace, Preset: f.preset}, Reuse: bot.ReuseMentions{GitHub: gh},
		Setting: bot.InActions,
		Options: bot.Options{Repository: f.repository, Self: []int64{f.account}, Now: time.Now, PlanFile: f.planOut},
	}
	listenForSignOffs(b, client, workspace, f.repository)
	b.Comments = append(b.Comments, b.StaleHandler())
	decided, err := b.Decide(ctx, c.Delivery)
	if err != nil {
		return err
	}
	if decided.Plan != nil && f.planOut != "" && !f.dryRun {
		if err := replaceFile(f.planOut, append(decided.Plan, '\n')); err != nil {
			return err
		}
	}
	if err := f.keepBundle(decided); err != nil {
		return err
	}
	return f.perform(ctx, s, client, gh, decided)
}

// perform does what was decided, and tells what was done even when some of it
// failed.
func (f *eventFlags) perform(ctx context.Context, s *streams, client *ghapi.Client, gh bot.GitHub, decided bot.Decided) error {
	world := &bot.World{GitHub: gh, Repository: f.repository, Self: []int64{f.account}, Wait: wait}
	if actions.Running(os.Getenv) {
		writer := actions.NewWriter(actions.WriterOptions{Getenv: os.Getenv, Log: s.out})
		defer writer.Close()
		if f.format == "table" && len(decided.Intents) == 0 && (decided.Story == "" || decided.Story == "comment") {
			return unhandled(writer, decided, s.lang)
		}
		world.Host = jobHost{writer, s.lang}
	}
	executor := &bot.Executor{World: world, Journal: &bot.MemoryJournal{}, DryRun: f.dryRun}
	results, err := executor.Perform(ctx, decided.Intents)
	if err != nil {
		return err
	}
	if err := f.tell(s, client.Stats(), decided, results); err != nil {
		return err
	}
	return results.Err()
}

// tell prints what was decided and done.
func (f *eventFlags) tell(s *streams, stats ghapi.Stats, decided bot.Decided, results bot.Results) error {
	if f.format == "json" {
		doc := bot.EventDocument(decided, results, s.lang)
		if f.stats {
			cost, err := json.Marshal(stats)
			if err != nil {
				return err
			}
			doc.Add("requests", ordjson.Value{Text: string(cost)})
		}
		return s.document(doc.Append(nil, ordjson.Compact))
	}
	if err := bot.RenderEffects(s.out, decided, results, s.table()); err != nil {
		return err
	}
	if !f.stats {
		return nil
	}
	_, err := s.out.Write([]byte(requestLine(stats, s.lang) + "\n"))
	return err
}

// requestLine says in one line what requests cost.
func requestLine(stats ghapi.Stats, lang catalog.Language) string {
	return catalog.Message(lang, "bot.requests", "n", ordjson.Int(int64(stats.Requests)).Text, "unchanged", ordjson.Int(int64(stats.NotModified)).Text,
		"writes", ordjson.Int(int64(stats.Writes)).Text)
}

// jobHost is the job that the command runs in.
type jobHost struct {
	*actions.Writer
	lang catalog.Language
}

// Summary appends to the summary of the step.
func (h jobHost) Summary(markdown string) error {
	_, err := h.Writer.Summary(markdown)
	return err
}

// Annotate shows findings on their lines.
func (h jobHost) Annotate(list diag.List) error { return h.Writer.AnnotateAll(list, h.lang) }

// unhandled ends a job that was started for nothing: workflows may listen to
// more than this version answers, and most comments are for nobody here. It is
// green, and says so only to those who debug it.
func unhandled(w *actions.Writer, decided bot.Decided, lang catalog.Language) error {
	for _, f := range decided.Reasons {
		if err := w.Debug(f.Message(lang)); err != nil {
			return err
		}
	}
	return nil
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
