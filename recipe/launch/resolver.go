package launch

import (
	"context"
	"path"
	"sort"
	"strings"
	"sync"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/shell"
)

// Workspace is the folder where launchers and containers see the repository.
const Workspace = "/workspace"

// Resolver finds the effective recipes of the rows of one revision. It is safe
// for concurrent use and keeps what it has read.
type Resolver struct {
	// Cache is shared by the resolvers of several revisions; nil for none. A
	// result from it may tell the places of the revision it was made for.
	Cache *Cache

	settings  config.Settings
	inventory *matrix.Inventory
	project   string
	files     *files
	checkouts Checkouts
	scripts   *shell.Cache
	models    shell.Models
	wrappers  map[string]shell.Wrapper

	memo  memo
	mu    sync.Mutex
	repos map[string]*checkedOut
}

// New returns the resolver of a revision: the settings that judge it, its
// runner inventory and its files. checkouts may be nil.
func New(settings config.Settings, inventory *matrix.Inventory, tree Tree, checkouts Checkouts) (*Resolver, error) {
	root, err := settings.Layout.Root(tree)
	if err != nil {
		return nil, err
	}
	r := &Resolver{
		settings: settings, inventory: inventory, project: strings.Trim(root, "/"), files: newFiles(tree), checkouts: checkouts,
		scripts: &shell.Cache{}, models: shell.StandardModels(), wrappers: shell.StandardWrappers(),
		repos: make(map[string]*checkedOut),
	}
	for name := range starters {
		delete(r.wrappers, name)
	}
	r.models["mktemp"] = makeTemp
	for _, name := range []string{"python3", "python"} {
		if below := r.models[name]; below != nil {
			r.models[name] = pythonModel(below)
		}
	}
	return r, nil
}

// Row returns what a row would serve in a mode. The error is a failure of the
// store or the end of the context; everything else that is wrong is a question
// of the result.
func (r *Resolver) Row(ctx context.Context, row *matrix.Row, mode Mode) (*recipe.Effective, error) {
	if r.Cache == nil {
		return r.resolve(ctx, row, mode)
	}
	key := r.rowKey(row, mode)
	if e := r.Cache.find(r, key); e != nil {
		return e, nil
	}
	e, err := r.resolve(ctx, row, mode)
	if err == nil {
		r.Cache.keep(r, key, e)
	}
	return e, err
}

func (r *Resolver) resolve(ctx context.Context, row *matrix.Row, mode Mode) (*recipe.Effective, error) {
	if r.settings.Launch.Recipes {
		if name := reference(row, mode == Eval); name != "" {
			return r.bound(ctx, row, name, mode), nil
		}
	}
	runners := r.runners(row)
	if len(runners) == 0 {
		return asked(recipe.Question{Code: "recipe.no-runner", Args: []string{"label", row.Runner}, Place: row.Config.Place}), nil
	}
	var out []*recipe.Effective
	for _, runner := range runners {
		e, err := r.onRunner(ctx, row, mode, runner)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return agreed(row, runners, out), nil
}

// asked is a recipe of which nothing is known but a question.
func asked(q recipe.Question) *recipe.Effective {
	return &recipe.Effective{Open: []recipe.Question{q}}
}

// runners are the first runners of each launcher behind a row's label
// (spec/labels-and-sweeps.md section 9.6).
func (r *Resolver) runners(row *matrix.Row) []string {
	names, ok := r.inventory.Nodes(row.Runner)
	if !ok || len(names) == 0 {
		names = []string{row.Runner}
	}
	var out []string
	seen := make(map[string]bool)
	for _, name := range names {
		if prefix := launcherPrefix(name); !seen[prefix] {
			seen[prefix] = true
			out = append(out, name)
		}
	}
	return out
}

// launcherPrefix is the part of a runner's name that names its launcher.
func launcherPrefix(runner string) string {
	prefix, _, _ := strings.Cut(runner, "_")
	return prefix
}

// agreed joins what a row would serve on the machines behind its label, which
// must be the same; machines whose launcher cannot start the row at all do not
// count as long as another one can.
func agreed(row *matrix.Row, runners []string, results []*recipe.Effective) *recipe.Effective {
	best := results[0]
	differ := []string{}
	for i, e := range results {
		if i == 0 {
			continue
		}
		switch {
		case len(best.Serving()) == 0 && len(e.Serving()) > 0:
			best = e
		case len(e.Serving()) > 0 && servesOtherwise(best, e):
			differ = append(differ, launcherPrefix(runners[i]))
			if len(e.Gaps()) < len(best.Gaps()) {
				best = e
			}
		}
	}
	joined := *best
	for _, e := range results {
		joined.Closure = append(joined.Closure, e.Closure...)
	}
	if len(differ) > 0 {
		joined.Open = append(append([]recipe.Question(nil), best.Open...), recipe.Question{
			Code: "recipe.launchers-differ", Place: row.Config.Place,
			Args: []string{"label", row.Runner, "launchers", strings.Join(append([]string{launcherPrefix(runners[0])}, differ...), ", ")},
		})
	}
	joined.Sort()
	return &joined
}

// servesOtherwise reports whether two results differ in what answers requests:
// the load generator is told about folders of the machine.
func servesOtherwise(a, b *recipe.Effective) bool {
	for _, c := range recipe.Diff(a, b) {
		if c.Role != recipe.RoleClient && !strings.HasPrefix(c.Role, recipe.RoleClient+"#") {
			return true
		}
	}
	return false
}

// onRunner evaluates the launcher of one runner, or the script that the
// settings name where there is no launcher.
func (r *Resolver) onRunner(ctx context.Context, row *matrix.Row, mode Mode, runner string) (*recipe.Effective, error) {
	v := r.visit(ctx, row, mode, runner)
	script, probed, err := r.launchScript(row, runner)
	if err != nil {
		return nil, err
	}
	for _, name := range probed {
		v.closure(name, true)
	}
	if script == "" {
		v.ask("recipe.no-launcher", row.Config.Place, "runner", runner, "file", strings.Join(probed, ", "))
		return v.done(), nil
	}
	if err := v.run(stage{script: script, name: path.Join(Workspace, script), env: v.start, mounts: v.mounts, dir: Workspace}); err != nil {
		return nil, err
	}
	return v.done(), nil
}

// launchScript returns the project's script that starts a row on a runner, and
// the paths that were looked for in vain.
func (r *Resolver) launchScript(row *matrix.Row, runner string) (script string, probed []string, err error) {
	candidates := r.scriptCandidates(row, runner)
	for _, name := range candidates {
		_, ok, err := r.files.ReadFile(name)
		if err != nil {
			return "", nil, err
		}
		if ok {
			return name, probed, nil
		}
		probed = append(probed, name)
	}
	return "", probed, nil
}

func (r *Resolver) scriptCandidates(row *matrix.Row, runner string) []string {
	l := r.settings.Launch
	var out []string
	if l.Launcher != "" && r.settings.Layout.Launchers != "" {
		name := strings.ReplaceAll(l.Launcher, "{prefix}", launcherPrefix(runner))
		out = append(out, path.Join(r.project, r.settings.Layout.Launchers, name))
	}
	if row.Multinode() {
		return out
	}
	scenario, spec := "fixed_seq_len", ""
	if row.Agentic() {
		scenario = "agentic"
	}
	if row.Entry.SpecDecoding == "mtp" {
		spec = "_mtp"
	}
	sku, _, _ := strings.Cut(strings.TrimPrefix(row.Runner, "cluster:"), "-")
	c := row.Config
	fill := strings.NewReplacer("{scenario}", scenario, "{model}", c.ModelPrefix, "{precision}", c.Precision,
		"{sku}", strings.ToLower(sku), "{framework}", c.Framework, "{spec}", spec)
	for _, template := range l.Scripts {
		if name := path.Clean(fill.Replace(template)); !strings.HasPrefix(name, "../") && !path.IsAbs(name) {
			out = append(out, path.Join(r.project, name))
		}
	}
	return out
}

// visit begins the evaluation of one row on one runner.
func (r *Resolver) visit(ctx context.Context, row *matrix.Row, mode Mode, runner string) *visit {
	v := &visit{r: r, ctx: ctx, row: row, mode: mode, mounts: map[string]string{Workspace: r.project}, files: make(map[recipe.File]bool), origins: make(map[string]string), under: make(map[int][]shell.Condition)}
	v.start = rowEnvironment(row, mode, runner, Workspace)
	if recipe := v.start["EVAL_CONFIG_FILE"]; mode == Eval && known(recipe) != "" {
		v.start["CONFIG_FILE"] = recipe // evals have one of their own
	}
	v.rowNames = make(map[string]bool, len(v.start))
	for name := range v.start {
		v.rowNames[name] = true
	}
	at := diag.Place{File: row.Config.Place.File, Line: row.Config.Place.Line}
	v.effective.Image = recipe.Literal(row.Config.Image, at)
	return v
}

// done finishes an evaluation.
func (v *visit) done() *recipe.Effective {
	v.settle()
	for f := range v.files {
		v.effective.Closure = append(v.effective.Closure, f)
	}
	sort.Slice(v.effective.Open, func(i, j int) bool { return v.effective.Open[i].Code < v.effective.Open[j].Code })
	v.effective.Sort()
	return &v.effective
}
