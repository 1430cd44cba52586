package launch

import (
	"context"
	"errors"
	"path"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/shell"
)

// maxStages bounds how deep containers and jobs start each other, maxRuns how
// many scripts are evaluated for one row.
const (
	maxStages = 6
	maxRuns   = 64
)

// visit is the evaluation of one row on one runner.
type visit struct {
	r    *Resolver
	ctx  context.Context
	row  *matrix.Row
	mode Mode

	start    shell.Env
	rowNames map[string]bool
	mounts   map[string]string

	effective recipe.Effective
	files     map[recipe.File]bool
	checkouts []checkout
	copies    []copied
	edits     []edit
	virtual   overlay
	runs      int
	// origins say where the text of an overlay file was written: a file, and
	// its line unless the lines correspond.
	origins map[string]string
	// under are the conditions of commands, by their index.
	under    map[int][]shell.Condition
	injector bool // a launcher asked for simulated acceptance
	// ended is where a script certainly gives up, nil if none does.
	ended *shell.Exit
}

// stage is one script in one place: on the launcher's machine, in a job, in a
// container.
type stage struct {
	script string // repository path, or a path of the overlay
	name   string // $0
	args   []shell.Value
	env    shell.Env
	given  map[string]shell.Value // what scripts on the way here have set
	mounts map[string]string
	dir    string
	depth  int
	image  shell.Value
	// written are the files that scripts on the way here have written.
	written []shell.Written
	tasks   int // tasks of the job around it, 0 without one
	ranked  bool
}

func (v *visit) ask(code string, at diag.Place, args ...string) {
	for _, q := range v.effective.Open {
		if q.Code == code && q.Place == at && strings.Join(q.Args, "\x00") == strings.Join(args, "\x00") {
			return
		}
	}
	v.effective.Open = append(v.effective.Open, recipe.Question{Code: code, Args: args, Place: at})
}

// remark is a question about a part.
func (v *visit) remark(code string, at diag.Place, args ...string) {
	v.ask(code, at, args...)
	v.effective.Open[len(v.effective.Open)-1].Part = true
}

// closure notes that a repository file was read, or looked for in vain.
func (v *visit) closure(name string, absent bool) {
	if !v.virtual.holds(name) {
		v.files[recipe.File{Path: name, Absent: absent}] = true
	}
}

// run evaluates a stage and what it starts.
func (v *visit) run(s stage) error {
	if v.runs++; v.runs > maxRuns || s.depth > maxStages {
		v.ask("recipe.too-many-scripts", diag.Place{File: s.script}, "limit", strconv.Itoa(maxRuns))
		return nil
	}
	if s.depth == 0 {
		v.scenarioFolder()
	}
	trace, err := v.evaluate(s)
	v.trace(s, trace)
	if err != nil {
		var finding diag.Finding
		if !errors.As(err, &finding) {
			return err
		}
		v.ask(finding.Code, finding.Place, finding.Args...)
		return nil
	}
	for i := range trace.Commands {
		if err := v.command(s, trace, &trace.Commands[i]); err != nil {
			return err
		}
	}
	return nil
}

// evaluate evaluates the script of a stage, or remembers the trace of an equal
// one.
func (v *visit) evaluate(s stage) (*shell.Trace, error) {
	place := s.place()
	if t := v.r.memo.find(place, s.env, &v.virtual); t != nil {
		return t, nil
	}
	trace, err := shell.Run(v.ctx, v.options(s))
	if err == nil {
		v.r.memo.keep(place, s.env, &v.virtual, &trace)
	}
	return &trace, err
}

// options are those of the evaluation of a stage.
func (v *visit) options(s stage) shell.Options {
	return shell.Options{
		Files: v.virtual.over(v.r.files), Script: s.script, Name: s.name, Args: s.args, Env: s.env, Dir: s.dir, Mounts: s.mounts,
		Models: v.r.models, Wrappers: v.r.wrappers, Cache: v.r.scripts,
	}
}

// trace notes what a trace says about itself.
func (v *visit) trace(s stage, t *shell.Trace) {
	for _, name := range t.Files {
		v.closure(name, false)
	}
	for _, name := range t.Probed {
		v.closure(name, true)
	}
	for _, l := range t.Limits {
		if l.Name == "pattern" {
			v.remark("recipe.limit", v.place(l.Origin), "limit", l.Name) // one file name pattern
			continue
		}
		v.ask("recipe.limit", v.place(l.Origin), "limit", l.Name)
	}
	if x := t.Exit; x != nil && x.Known && x.Status != 0 {
		v.ended = x
	}
	for _, u := range t.Unknowns {
		switch u.Reason {
		case shell.ReasonMissing, shell.ReasonSyntax, shell.ReasonUnsupported:
			v.remark(string(u.Reason), v.place(u.Origin), "detail", u.Detail)
		}
	}
}

// command takes what a command of a trace contributes.
func (v *visit) command(s stage, t *shell.Trace, c *shell.Command) error {
	if c.Inner >= len(c.Argv) {
		return nil
	}
	argv := c.Argv[c.Inner:]
	name := path.Base(known(argv[0]))
	switch {
	case name == "srtctl":
		return v.srtctl(s, c, argv)
	case name == "git":
		v.git(c, argv)
	case name == "cp":
		v.copy(c, argv)
	case name == "sed" || name == "find":
		v.sed(c, argv)
	case isPythonName(name) && len(argv) > 1 && isInjector(known(argv[1])):
		v.injector = true
	}
	if installs(argv) {
		v.effective.Installs = append(v.effective.Installs, recipe.Step{Words: v.texts(argv), Place: v.place(c.Origin)})
	}
	if started, ok := startedBy(argv); ok {
		return v.started(s, t, c, started)
	}
	v.serving(s, t, c)
	return nil
}

func isPythonName(name string) bool { return name == "python" || strings.HasPrefix(name, "python3") }

// installs reports whether a command installs packages.
func installs(argv []shell.Value) bool {
	words := make([]string, 0, 4)
	for _, a := range argv {
		if len(words) == 4 {
			break
		}
		words = append(words, path.Base(known(a)))
	}
	line := " " + strings.Join(words, " ") + " "
	return strings.Contains(line, " pip install ") || strings.Contains(line, " pip3 install ")
}

// environment is the environment at a command, and what scripts have set of
// it.
func (s stage) environment(c *shell.Command) (shell.Env, map[string]shell.Value) {
	env := make(shell.Env, len(s.env)+len(c.Env))
	for name, value := range s.env {
		env[name] = value
	}
	given := make(map[string]shell.Value, len(s.given)+len(c.Env))
	for name, value := range s.given {
		given[name] = value
	}
	for _, a := range c.Env {
		if a.Unset {
			delete(env, a.Name)
			delete(given, a.Name)
			continue
		}
		env[a.Name] = a.Value
		given[a.Name] = a.Value
	}
	return env, given
}

// serving adds a command that serves or loads.
func (v *visit) serving(s stage, t *shell.Trace, c *shell.Command) {
	if name := path.Base(known(c.Argv[c.Inner])); name != "." && !recipe.MayServe(name) {
		return
	}
	command, ok := recipe.Recognise(v.texts(c.Argv))
	if !ok {
		command, ok = recipe.RecogniseClient(v.texts(c.Argv[c.Inner:]))
	}
	if !ok {
		return
	}
	env, given := s.environment(c)
	command.Env = append(v.variables(given), command.Env...)
	if command.Role == recipe.RoleClient {
		command.Env = nil
	}
	v.under[len(v.effective.Commands)] = c.Conditions
	if image, ok := s.image.Known(); !ok || image != "" && image != v.row.Config.Image {
		v.image(&command, s)
	}
	v.model(&command, env)
	v.config(&command, s, c, t)
	v.effective.Commands = append(v.effective.Commands, command)
}

// variables are the variables that scripts set, but for those that say again
// what the row says, or what belongs to the machine.
func (v *visit) variables(given map[string]shell.Value) []recipe.Var {
	var out []recipe.Var
	for name, value := range given {
		class := recipe.ClassOfVar(name)
		if class == recipe.Housekeeping || v.rowNames[name] && class != recipe.Checked || v.bookkeeping(name, value) {
			continue
		}
		out = append(out, recipe.Var{Name: name, Value: v.extended(name, value)})
	}
	recipe.SortVars(out)
	return out
}

// extended is the value of a variable. What the image itself has in it stands
// there by its name: a path list that a script puts folders in front of.
func (v *visit) extended(name string, value shell.Value) recipe.Text {
	t := v.text(value)
	own := false
	for i, p := range t.Parts {
		if p.Unknown != nil && p.Unknown.Code == string(shell.ReasonHost) && p.Unknown.Detail == name {
			t.Parts[i] = recipe.Part{Text: "$" + name}
			own = true
		}
	}
	if !own {
		return t
	}
	return recipe.FromParts(t.Parts, t.Place)
}

// bookkeeping reports whether a variable is a launcher's own: set by a launch
// script, and named like what launchers tell each other.
func (v *visit) bookkeeping(name string, value shell.Value) bool {
	return strings.HasPrefix(name, "MODEL_") || strings.HasPrefix(name, "SERVED_MODEL") || strings.HasPrefix(name, "PREFILL_") || strings.HasPrefix(name, "DECODE_")
}

// image gives a command the image of its container where that is not simply
// the row's under the name of a file.
func (v *visit) image(c *recipe.Command, s stage) {
	name := known(s.image)
	base := strings.TrimSuffix(path.Base(name), ".sqsh")
	flat := strings.Map(flattened, v.row.Config.Image)
	if name == "" || base == flat || path.IsAbs(name) && strings.Contains(base, flat) {
		return
	}
	c.Image = v.text(s.image)
}

// flattened is a character of an image's name as names of files have it.
func flattened(r rune) rune {
	switch r {
	case '/', ':', '@', '#':
		return '_'
	}
	return r
}

// model marks the value that names the row's model.
func (v *visit) model(c *recipe.Command, env shell.Env) {
	if len(c.Positional) > 0 {
		v.rowModel(&c.Positional[0], env)
	}
	for i := range c.Flags {
		if in(modelFlags, c.Flags[i].Name) && len(c.Flags[i].Values) == 1 {
			v.rowModel(&c.Flags[i].Values[0], env)
		}
	}
}

// modelFlags name the model, or a file beside its weights.
var modelFlags = []string{"model", "tokenizer", "tokenizer-path"}

// rowModel marks a value as the row's model: it is its name, a folder named
// like it, or the value of a variable in which launchers keep it.
func (v *visit) rowModel(t *recipe.Text, env shell.Env) {
	model := v.row.Config.Model
	if t.Known() && (t.Lit == model || sameModel(path.Base(t.Lit), path.Base(model))) {
		t.Row = model
		return
	}
	for _, name := range []string{"MODEL", "MODEL_PATH", "MODEL_DIR", "MODEL_NAME"} {
		value, ok := env[name]
		if ok && v.text(value).String() == t.String() && (!t.Known() || v.machinery(v.placeOf(value).File)) {
			t.Row = model
			return
		}
	}
}

// sameModel compares two names of a model by their letters and digits.
func sameModel(a, b string) bool { return a != "" && letters(a) == letters(b) }

func letters(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, text)
}

// machinery reports whether a file is a launch script or a master config: what
// it says about a model's folder is about machines.
func (v *visit) machinery(file string) bool {
	return file == v.row.Config.Place.File || strings.HasPrefix(file, path.Join(v.r.project, v.r.settings.Layout.Launchers)+"/")
}
