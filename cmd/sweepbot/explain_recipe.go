package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/launch"
	"github.com/sweepbot/sweepbot/recipe/stale"
)

// served is what a row would serve, as machines read it.
type served struct {
	Row         string               `json:"row"`
	Fingerprint string               `json:"fingerprint"`
	Complete    bool                 `json:"complete"`
	Commands    []recipe.CommandLine `json:"commands"`
	// Origins are the places of flags and variables, on request.
	Origins []origin          `json:"origins,omitempty"`
	Open    []questionPrinted `json:"open"`
	Files   []recipe.File     `json:"files"`
}

// origin is where one value comes from.
type origin struct {
	Role  string      `json:"role"`
	Kind  recipe.Kind `json:"kind"`
	Name  string      `json:"name"`
	Value string      `json:"value"`
	Place string      `json:"place"`
}

func servedBy(name string, e *recipe.Effective, origins bool, lang catalog.Language) served {
	out := served{Row: name, Fingerprint: e.Fingerprint(), Complete: e.Complete(), Commands: e.CommandLines(), Open: questionsOf(e.Open, lang), Files: e.Closure}
	if !origins {
		return out
	}
	for _, f := range e.Facts() {
		switch f.Kind {
		case recipe.KindFlag, recipe.KindEnv, recipe.KindConfig, recipe.KindImage, recipe.KindPositional, recipe.KindInstall, recipe.KindPatch:
			out.Origins = append(out.Origins, origin{f.Role, f.Kind, f.Name, f.Display(), f.Place.String()})
		}
	}
	return out
}

// explained is the answer to explain with what is served.
type explained struct {
	bot.Explained
	Serves []served `json:"serves"`
}

// rowsOf are the rows of a plan that an answer names.
func rowsOf(p bot.Planned, e bot.Explained) map[string]*matrix.Row {
	out := make(map[string]*matrix.Row)
	for _, f := range p.Families {
		for i, r := range f.Rows {
			out[f.Bucket+"/"+strconv.Itoa(i)] = r
		}
	}
	return out
}

// serves resolves the rows of an answer at the head of a plan.
func (f *explainFlags) serves(ctx context.Context, s *streams, p bot.Planned, head matrix.Files, e bot.Explained) ([]served, error) {
	if len(e.Rows) == 0 {
		return nil, nil
	}
	others, err := openClones(ctx, f.checkouts)
	if err != nil {
		return nil, err
	}
	defer others.Close()
	resolver, err := newResolver(head, p.Settings, others)
	if err != nil {
		return nil, err
	}
	byName := rowsOf(p, e)
	rows := make([]*matrix.Row, len(e.Rows))
	names := make([]string, len(e.Rows))
	for i, r := range e.Rows {
		rows[i], names[i] = byName[r.Row], r.Row
	}
	return f.servedRows(ctx, resolver, rows, names, s.lang)
}

// servedRows resolves rows as the plan runs them, or as evals where that is
// asked for.
func (f *explainFlags) servedRows(ctx context.Context, resolver *launch.Resolver, rows []*matrix.Row, names []string, lang catalog.Language) ([]served, error) {
	mode := launch.ModeOf
	if f.eval {
		mode = func(*matrix.Row) launch.Mode { return launch.Eval }
	}
	results, err := resolver.RowsIn(ctx, rows, mode)
	if err != nil {
		return nil, err
	}
	out := make([]served, len(rows))
	for i, r := range results {
		out[i] = servedBy(names[i], r, f.origins, lang)
	}
	return out, nil
}

// explainAt explains rows of a revision without planning a change.
func (f *explainFlags) explainAt(ctx context.Context, s *streams, target string) error {
	reader, err := (&recipeFlags{repo: f.repo, preset: f.preset, checkouts: f.checkouts}).open(ctx)
	if err != nil {
		return err
	}
	defer reader.Close()
	side, _, err := reader.side(ctx, f.at, nil)
	if err != nil {
		return err
	}
	var rows []*matrix.Row
	var names []string
	for _, row := range side.Rows {
		if target == row.Config.Key || target == row.ExpName {
			rows = append(rows, row)
			names = append(names, pointName(stale.Point{Row: row}))
		}
	}
	if len(rows) == 0 {
		for _, u := range side.Unread {
			if u.Key == target {
				return u.Findings
			}
		}
		return usage("recipe.no-row", "target", target)
	}
	list, err := f.servedRows(ctx, side.Resolver, rows, names, s.lang)
	if err != nil {
		return err
	}
	if f.asJSON {
		return diag.EncodeLine(s.out, explained{Explained: bot.Explained{Target: target, Rows: []bot.RowExplanation{}}, Serves: list})
	}
	return renderServed(s, list)
}

// launched leaves out rows of a repository without launch scripts: there is
// nothing to be said about them.
func launched(list []served) []served {
	var out []served
	for _, row := range list {
		if len(row.Commands) > 0 || len(row.Open) != 1 || row.Open[0].Code != "recipe.no-launcher" {
			out = append(out, row)
		}
	}
	return out
}

// renderServed prints commands; rows that serve the same are shown together.
func renderServed(s *streams, list []served) error {
	p := &printer{s: s}
	groups, order := make(map[string][]served), []string{}
	for _, row := range list {
		key := row.Fingerprint
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], row)
	}
	for i, key := range order {
		rows := groups[key]
		if i > 0 {
			p.line("")
		}
		for j, row := range rows {
			if j == maxNamed && len(rows) > maxNamed+1 {
				p.line(p.text("recipe.more-rows", "count", strconv.Itoa(len(rows)-j)))
				break
			}
			p.line(p.text("recipe.row-serves", "row", row.Row))
		}
		renderCommands(p, rows[0])
	}
	return p.err
}

func renderCommands(p *printer, row served) {
	for _, c := range row.Commands {
		head := c.Role
		if c.Count > 1 {
			head += " x" + strconv.Itoa(c.Count)
		}
		p.line("")
		p.line("  # " + head)
		for _, text := range strings.Split(c.Text, "\n") {
			p.line("  " + text)
		}
		for _, text := range c.Config {
			p.line("  #   " + text)
		}
	}
	if len(row.Origins) > 0 {
		p.line("")
	}
	for _, o := range row.Origins {
		p.line("  " + strings.TrimSpace(o.Role+" "+string(o.Kind)+" "+o.Name) + " = " + o.Value + "  (" + o.Place + ")")
	}
	for _, q := range row.Open {
		line := "  " + p.text("recipe.open-question", "text", q.Text)
		if q.Place != "" {
			line += "  (" + q.Place + ")"
		}
		p.line(line)
	}
}
