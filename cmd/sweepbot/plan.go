package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/actions"
	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
)

// planFlags are the flags of the plan command.
type planFlags struct {
	changeFlags
	format  string
	json    bool
	out     string
	scoring scoringFlags

	stale     bool
	since     string
	checkouts []string
}

// planFormats are the values of --format.
var planFormats = []string{"table", "json", "github-output", "reference"}

func newPlanCommand(s *streams) *cobra.Command {
	f := &planFlags{}
	c := &cobra.Command{
		Use:   "plan",
		Short: "Show what a change would run",
		Long: "Plan reads the changelog entries that a change adds, expands the configs they name, selects evals\n" +
			"and prints the points by job family. The settings are those of the base, so that a pull request\n" +
			"cannot alter the rules it is judged by.\n\n" +
			"A refused change prints nothing on standard output, except with --format json: then the\n" +
			"refusal is a document of its own, {\"outcome\":\"refused\",\"findings\":[...]}.\n\n" +
			"With --only-stale the plan holds only the points whose measurement at --since is no longer current.\n" +
			"It says that it is partial, and is not reusable.\n\n" +
			"Formats: table for people; json, the versioned plan document; github-output, lines for the file\n" +
			"that GITHUB_OUTPUT names; reference, the document that existing workflows read.",
		Example: "  sweepbot plan\n" +
			"  sweepbot plan --base main --head my-branch --label full-sweep-fail-fast\n" +
			"  sweepbot plan --format json | jq .counts\n" +
			"  sweepbot plan --only-stale --since 1a1a1a1a\n" +
			"  sweepbot plan --format github-output --out plan.json >> \"$GITHUB_OUTPUT\"",
		Args: arguments(0),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), s) },
	}
	f.place(c)
	f.planning(c)
	c.Flags().StringVar(&f.format, "format", "table", "`FORMAT` of the result: "+strings.Join(planFormats, ", "))
	c.Flags().BoolVar(&f.json, "json", false, "the same as --format json")
	c.Flags().StringVar(&f.out, "out", "", "also write the plan document to this `FILE`")
	c.Flags().BoolVar(&f.stale, "only-stale", false, "only the points that a measurement at --since does not stand for any more")
	c.Flags().StringVar(&f.since, "since", "", "`REV` that was measured, for --only-stale")
	c.Flags().StringArrayVar(&f.checkouts, "checkout", nil, "clone of another repository that launchers check out, as `OWNER/NAME=DIR`; repeat it")
	f.scoring.add(c)
	return c
}

func (f *planFlags) run(ctx context.Context, s *streams) error {
	if f.json {
		f.format = "json"
	}
	if err := choice("--format", f.format, planFormats); err != nil {
		return err
	}
	if f.stale != (f.since != "") {
		return usage("recipe.stale-since")
	}
	w, change, err := f.open(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	p, sources, err := f.plan(change)
	if err != nil {
		p.Findings = findingsOf(err)
	}
	if p.Plan == nil {
		return s.refusePlan(p, sources, f.format)
	}
	if f.stale {
		if p, err = f.onlyStale(ctx, p, change.Head.Files); err != nil {
			return err
		}
	}
	return f.print(s, p, sources)
}

// refusePlan says why there is no plan.
func (s *streams) refusePlan(p bot.Planned, sources bot.Sources, format string) error {
	if format == "json" && codeOf(p.Findings) == exitRefused {
		if err := diag.WriteJSON(s.out, "refused", p.Findings, s.lang); err != nil {
			return err
		}
	}
	return s.refuse(p.Findings, sources.File)
}

func (f *planFlags) print(s *streams, p bot.Planned, sources bot.Sources) error {
	var doc []byte
	if f.out != "" || f.format == "json" || f.format == "github-output" {
		doc = bot.PlanDocument(p).Append(nil, ordjson.Compact)
	}
	if f.out != "" {
		if err := replaceFile(f.out, append(doc[:len(doc):len(doc)], '\n')); err != nil {
			return err
		}
	}
	switch f.format {
	case "json":
		s.say(p.Findings, sources.File)
		return s.document(doc)
	case "reference":
		s.say(p.Findings, sources.File)
		return f.reference(s, p, sources)
	case "github-output":
		outputs, list := bot.FitOutputs(p, doc, f.out)
		if list != nil {
			return s.refuse(append(p.Findings, list...), sources.File)
		}
		s.say(p.Findings, sources.File)
		if watched(s.out) {
			for i := range outputs {
				outputs[i].Value = string(diag.PrintableJSON([]byte(outputs[i].Value)))
			}
		}
		return actions.WriteOutputs(s.out, outputs)
	}
	if err := bot.RenderPlan(s.out, p, s.table()); err != nil {
		return err
	}
	s.say(p.Findings, sources.File)
	return nil
}

// reference prints the document of existing workflows, with priorities where
// they are asked for.
func (f *planFlags) reference(s *streams, p bot.Planned, sources bot.Sources) error {
	doc := p.Plan.Reference()
	if !f.scoring.annotate {
		return s.document(doc.Append(nil, ordjson.Compact))
	}
	scoring, err := f.scoring.read(&f.changeFlags)
	if err != nil {
		return err
	}
	annotated, list := bot.Annotate(doc, p.Settings, sources.Base, scoring)
	if list.Refused() {
		return s.refuse(sources.Locate(list), sources.File)
	}
	return s.document(annotated.Append(nil, ordjson.ASCII))
}

// document writes one JSON document as a line. Its bytes are part of the
// interface; where somebody obeys them they are made printable.
func (s *streams) document(doc []byte) error {
	if watched(s.out) {
		doc = diag.PrintableJSON(doc)
	}
	_, err := s.out.Write(append(doc, '\n'))
	return err
}

// scoringFlags are what priorities depend on besides the plan.
type scoringFlags struct {
	annotate                   bool
	event, namespace, criteria string
}

func (f *scoringFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.annotate, "annotate", false, "with --format reference: add priority and queue token to every row")
	c.Flags().StringVar(&f.event, "event-name", "pull_request", "event `NAME` of the score")
	c.Flags().StringVar(&f.namespace, "queue-namespace", "local", "`TEXT` that keeps queue tokens of different runs apart")
	c.Flags().StringVar(&f.criteria, "criteria-json", "", "JSON `ARRAY` of the facts that may count; empty or null lets all count")
	for _, name := range []string{"annotate", "event-name", "queue-namespace", "criteria-json"} {
		_ = c.Flags().MarkHidden(name)
	}
}

func (f *scoringFlags) read(change *changeFlags) (matrix.Scoring, error) {
	criteria, err := bot.ParseCriteria(f.criteria)
	if err != nil {
		return matrix.Scoring{}, err
	}
	names, err := change.names()
	return matrix.Scoring{Event: f.event, Namespace: f.namespace, Criteria: criteria, Labels: names, PR: change.pr}, err
}

// choice refuses a value that is not one of the choices.
func choice(option, value string, choices []string) error {
	for _, c := range choices {
		if c == value {
			return nil
		}
	}
	return usage("usage.bad-choice", "value", value, "option", option, "choices", strings.Join(choices, ", "))
}
