package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/argv"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// Runner runs cases of one corpus under one preset.
type Runner struct {
	Workspace *bot.Workspace
	Preset    string
	Settings  config.Settings
}

// NewRunner returns a runner over a clone of the corpus' data.
func NewRunner(w *bot.Workspace, preset string) (*Runner, error) {
	settings, known := config.Preset(preset)
	if !known {
		return nil, errors.New("no preset " + preset)
	}
	return &Runner{Workspace: w, Preset: preset, Settings: settings}, nil
}

// Run returns the product's result for a case and a flag set, in the form of
// the corpus' expected files.
func (r *Runner) Run(ctx context.Context, c Case, flag string) (map[string]any, error) {
	if c.Command != "" {
		return r.generate(ctx, c, flag)
	}
	change, err := r.Workspace.Change(ctx, c.Base, c.Head)
	if err != nil {
		return nil, err
	}
	switch flag {
	case "gate":
		return r.gate(c, change)
	case "entries":
		return r.entries(change)
	case "canary":
		return r.canary(c, change)
	}
	planned, err := r.plan(c, change, flag)
	if err != nil {
		return nil, err
	}
	if planned.Plan == nil {
		return rejected(planned.Findings), nil
	}
	return accepted("matrix", planned.Plan.Reference().Append(nil, jsonStyle))
}

func (r *Runner) plan(c Case, change matrix.Change, flag string) (bot.Planned, error) {
	for _, option := range strings.Split(flag, "+") {
		switch option {
		case "trim-conc":
			change.Trim = true
		case "all-evals":
			change.AllEvals = true
		case "evals-only":
			change.EvalsOnly = true
		}
	}
	return bot.PlanChange(bot.PlanRequest{Change: change, Preset: r.Preset, PR: c.PR})
}

func (r *Runner) generate(ctx context.Context, c Case, flag string) (map[string]any, error) {
	args := append(append([]string(nil), c.Args...), c.VariantArgs[flag]...)
	parsed, list := argv.Parse(matrix.RequestOptions(c.Command, r.Settings.Matrix), args)
	if list.Refused() {
		return rejected(list), nil
	}
	request, list := matrix.NewRequest(c.Command, parsed)
	if list.Refused() {
		return rejected(list), nil
	}
	revision, err := r.Workspace.Revision(ctx, c.Head)
	if err != nil {
		return nil, err
	}
	rows, list := matrix.Generate(r.Settings, revision.Files, request)
	if list.Refused() {
		return rejected(list), nil
	}
	var out bytes.Buffer
	if err := matrix.WriteRows(&out, rows); err != nil {
		return nil, err
	}
	return accepted("rows", out.Bytes())
}

func (r *Runner) canary(c Case, change matrix.Change) (map[string]any, error) {
	planned, err := r.plan(c, change, "none")
	if err != nil || planned.Plan == nil {
		return rejected(planned.Findings), err
	}
	out := make(map[string]any)
	for name, agentic := range map[string]bool{"aug2026": false, "newest": true} {
		sweep := r.Settings.Sweep
		sweep.AgenticCanary = agentic
		out[name] = nil
		if picked := matrix.PickCanary(planned.Plan, sweep); picked != nil {
			row, err := decode(picked.Row.Document().Append(nil, jsonStyle))
			if err != nil {
				return nil, err
			}
			out[name] = map[string]any{"bucket": picked.Bucket, "index": float64(picked.Index), "row": row}
		}
	}
	return out, nil
}

func (r *Runner) entries(change matrix.Change) (map[string]any, error) {
	base, head, err := r.changelogs(change)
	if err != nil {
		return nil, err
	}
	entries, list := changelog.ExtractAdditions(matrix.ChangelogRules(r.Settings), base, head)
	if list.Refused() {
		return rejected(list), nil
	}
	out := make([]any, len(entries))
	for i, e := range entries {
		out[i] = plain(e.Raw)
	}
	return map[string]any{"outcome": "accept", "entries": out}, nil
}

func (r *Runner) gate(c Case, change matrix.Change) (map[string]any, error) {
	base, head, err := r.changelogs(change)
	if err != nil {
		return nil, err
	}
	rules := matrix.ChangelogRules(r.Settings)
	out := map[string]any{
		"strict_pr":   verdict(changelog.Strict(rules, base, head, changelog.PR(c.PR))),
		"strict_main": verdict(changelog.Strict(rules, base, head, changelog.OnMain)),
		"matrix_gate": nil,
	}
	if c.Kind == "history-gate-only" {
		return out, nil
	}
	planned, err := r.plan(c, change, "none")
	if err != nil {
		return nil, err
	}
	switch {
	case len(head) == 0 || head[len(head)-1] != '\n':
		out["matrix_gate"] = map[string]any{"outcome": "reject", "category": "no-final-newline"}
	case planned.Plan == nil:
		out["matrix_gate"] = rejected(planned.Findings)
	default:
		out["matrix_gate"] = map[string]any{"outcome": "accept"}
	}
	return out, nil
}

func (r *Runner) changelogs(change matrix.Change) (base, head []byte, err error) {
	for side, files := range map[*[]byte]matrix.Files{&base: change.Base.Files, &head: change.Head.Files} {
		data, err := files.ReadFile(r.Settings.Layout.Changelog)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		*side = data
	}
	return base, head, nil
}

func verdict(v changelog.Verdict) map[string]any {
	if !v.Accepted {
		return map[string]any{"outcome": "reject", "category": v.Findings.First().Category, "stage": string(v.Stage)}
	}
	return map[string]any{"outcome": "accept", "additions": float64(v.Additions), "corrections": float64(v.Corrections)}
}

func rejected(list diag.List) map[string]any {
	out := map[string]any{"outcome": "reject", "category": ""}
	if f := list.First(); f != nil {
		out["category"], out["finding"] = f.Category, f.Error()
	}
	return out
}

func accepted(name string, document []byte) (map[string]any, error) {
	v, err := decode(document)
	return map[string]any{"outcome": "accept", name: v}, err
}

func decode(data []byte) (any, error) {
	var v any
	err := json.Unmarshal(data, &v)
	return v, err
}
