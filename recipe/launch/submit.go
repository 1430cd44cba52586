package launch

import (
	"context"
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/shell"
	"github.com/sweepbot/sweepbot/recipe/srt"
)

// srtctl takes the recipe that a launcher submits.
func (v *visit) srtctl(s stage, c *shell.Command, argv []shell.Value) error {
	var file, setup shell.Value
	apply := false
	for i := 1; i < len(argv); i++ {
		option, value, assigned := cut(argv[i], "=")
		name := known(option)
		if name == "apply" || name == "submit" {
			apply = true
		}
		if name != "-f" && name != "--file" && name != "--setup-script" {
			continue
		}
		if !assigned && i+1 < len(argv) {
			i++
			value = argv[i]
		}
		if name == "--setup-script" {
			setup = value
		} else {
			file = value
		}
	}
	at := v.place(c.Origin)
	if !apply || len(v.effective.Commands) > 0 {
		return nil
	}
	reference, ok := file.Known()
	if !ok || reference == "" {
		v.ask("recipe.reference-unknown", at, "value", v.text(file).String())
		return nil
	}
	name, selector, _ := strings.Cut(reference, ":")
	data, shown, ok := v.content(v.located(c, shell.Text(name, shell.Origin{})), at)
	if !ok {
		return nil
	}
	data = v.edited(data, v.located(c, shell.Text(name, shell.Origin{})))
	v.bind(s, data, shown, selector, setup, at)
	return nil
}

// bind reads a recipe file and binds the row to it.
func (v *visit) bind(s stage, data []byte, shown, selector string, setup shell.Value, at diag.Place) {
	file, q := srt.Parse(shown, data)
	if q == nil {
		v.deploy(file, selector, setup, at)
		return
	}
	v.effective.Open = append(v.effective.Open, *q)
}

// deploy adds what a recipe file serves for the row.
func (v *visit) deploy(file *srt.File, selector string, setup shell.Value, at diag.Place) {
	variant, q := file.Variant(selector)
	if q != nil {
		v.effective.Open = append(v.effective.Open, *q)
		return
	}
	place := diag.Place{File: v.row.Config.Place.File, Line: v.row.Config.Place.Line}
	binding := srt.Binding{Model: recipe.Literal(v.row.Config.Model, place), Image: v.effective.Image}
	e := variant.Effective(binding)
	v.effective.Commands = append(v.effective.Commands, e.Commands...)
	v.effective.Open = append(v.effective.Open, e.Open...)
	script := variant.SetupScript()
	if name, ok := setup.Known(); ok && name != "" {
		script = v.text(setup)
	}
	v.setUp(script)
	v.client(variant)
	v.accept()
}

// setupFolders are where the set-up scripts of recipes lie in a checkout.
var setupFolders = []string{"configs", "configs/patches"}

// setUp looks at the script that every worker runs before it serves.
func (v *visit) setUp(script recipe.Text) {
	if !script.Known() || script.Lit == "" {
		return
	}
	for _, folder := range setupFolders {
		name := path.Join(folder, script.Lit)
		for i := len(v.checkouts) - 1; i >= 0; i-- {
			full := path.Join(v.checkouts[i].dir, name)
			if data, shown, ok := v.peek(full); ok {
				v.effective.Installs = append(v.effective.Installs, recipe.Step{Words: []recipe.Text{recipe.Literal(shown, script.Place)}, Place: script.Place})
				v.setUpScript(shown, data)
				return
			}
		}
	}
	v.remark("recipe.setup-script-missing", script.Place, "file", script.Lit)
}

// peek is content without a question.
func (v *visit) peek(full string) ([]byte, string, bool) {
	before := len(v.effective.Open)
	data, shown, ok := v.content(full, diag.Place{})
	v.effective.Open = v.effective.Open[:before]
	return data, shown, ok
}

// setUpScript evaluates a set-up script for what it installs and patches.
func (v *visit) setUpScript(shown string, data []byte) {
	folder := v.virtual.folder()
	name := path.Join(folder, path.Base(shown))
	v.virtual.add(name, data)
	v.origins[name] = shown
	s := stage{script: name, name: "/configs/" + path.Base(shown), env: shell.Env{}, mounts: map[string]string{"/configs": folder}, dir: "/"}
	trace, err := shell.Run(v.ctx, v.options(s))
	if err != nil {
		v.remark("recipe.setup-script-unread", diag.Place{File: shown}, "detail", err.Error())
		return
	}
	for i := range trace.Commands {
		c := &trace.Commands[i]
		if c.Inner >= len(c.Argv) {
			continue
		}
		argv := c.Argv[c.Inner:]
		step := recipe.Step{Words: v.texts(argv), Place: v.place(c.Origin)}
		switch {
		case installs(argv):
			v.effective.Installs = append(v.effective.Installs, step)
		case patches(argv):
			v.effective.Patches = append(v.effective.Patches, step)
		}
	}
}

// patches reports whether a command changes files in place.
func patches(argv []shell.Value) bool {
	switch path.Base(known(argv[0])) {
	case "patch":
		return true
	case "git":
		return len(argv) > 1 && (known(argv[1]) == "apply" || known(argv[1]) == "am")
	case "sed":
		for _, a := range argv[1:] {
			if begins(a, "-i") || begins(a, "--in-place") {
				return true
			}
		}
	}
	return false
}

// client reads the files of a client that is a script of the repository, so
// that a change of them is noticed.
func (v *visit) client(variant *srt.Recipe) {
	for _, word := range strings.Fields(variant.ClientCommand().Lit) {
		if _, rest, ok := strings.Cut(word, "/benchmarks/"); ok && strings.HasSuffix(word, ".sh") {
			v.read(path.Join(v.r.project, "benchmarks", rest))
		}
	}
}

// edited applies the edits that launchers have made to a recipe file, by
// evaluating each as a script of its own.
func (v *visit) edited(data []byte, full string) []byte {
	for _, e := range v.edits {
		if e.name != full && !(e.below && strings.HasPrefix(full, e.name+"/")) && !v.sameCopy(e, full) {
			continue
		}
		out, ok := v.editedBy(data, withoutInPlace(e.script))
		if !ok {
			v.remark("recipe.edit-unknown", v.place(e.at), "file", full)
			continue
		}
		data = out
	}
	return data
}

// editedBy is a text after one call of sed.
func (v *visit) editedBy(data []byte, argv []shell.Value) ([]byte, bool) {
	var script strings.Builder
	for _, a := range argv {
		word, ok := a.Known()
		if !ok {
			return nil, false
		}
		script.WriteString("'" + strings.ReplaceAll(word, "'", `'\''`) + "' ")
	}
	folder := v.virtual.folder()
	v.virtual.add(path.Join(folder, "edit.sh"), []byte(script.String()+"/edit/text\n"))
	v.virtual.add(path.Join(folder, "text"), data)
	trace, err := shell.Run(v.ctx, v.options(stage{script: path.Join(folder, "edit.sh"), env: shell.Env{}, dir: "/edit", mounts: map[string]string{"/edit": folder}}))
	if err != nil {
		return nil, false
	}
	out, ok := trace.Stdout.Known()
	return []byte(out), ok
}

// sameCopy reports whether an edit of a file of the repository reaches a copy
// of it.
func (v *visit) sameCopy(e edit, full string) bool {
	for _, c := range v.copies {
		rest, ok := strings.CutPrefix(full, c.to)
		if ok && (c.from+rest == e.name || e.below && strings.HasPrefix(c.from+rest, e.name+"/")) {
			return true
		}
	}
	return false
}

func withoutInPlace(argv []shell.Value) []shell.Value {
	out := make([]shell.Value, 0, len(argv))
	for _, a := range argv {
		word := known(a)
		if strings.HasPrefix(word, "--in-place") || word == "-i" || strings.HasPrefix(word, "-i.") {
			continue
		}
		if len(word) > 2 && word[0] == '-' && word[1] != '-' && strings.HasSuffix(word, "i") {
			a = shell.Text(strings.TrimSuffix(word, "i"), shell.Origin{})
		}
		out = append(out, a)
	}
	return out
}

// bound is what a row serves that names its recipe itself (spec/checks.md
// section 1.7, form A).
func (r *Resolver) bound(ctx context.Context, row *matrix.Row, reference string, mode Mode) *recipe.Effective {
	v := r.visit(ctx, row, mode, row.Runner)
	name, selector, _ := strings.Cut(reference, ":")
	full := path.Join(r.project, name)
	data, ok := v.read(full)
	if !ok {
		v.ask("recipe.file-missing", row.Config.Place, "file", full)
		return v.done()
	}
	file, q := srt.Parse(full, data)
	if q != nil {
		v.effective.Open = append(v.effective.Open, *q)
		return v.done()
	}
	if shared := r.sharedBlock(v, row); shared != nil {
		file = file.Over(shared)
	}
	v.deploy(file, selector, shell.Value{}, diag.Place{File: full})
	return v.done()
}

// sharedBlock is the block that the row's recipe lies over, nil without one.
func (r *Resolver) sharedBlock(v *visit, row *matrix.Row) *srt.File {
	template := r.settings.Launch.SharedRecipes
	if template == "" {
		return nil
	}
	length, nodes := "fixed-sequence", "single"
	if row.Agentic() {
		length = "agentic"
	}
	if row.Multinode() {
		nodes = "multi"
	}
	name := path.Join(r.project, strings.NewReplacer("{length}", length, "{nodes}", nodes).Replace(template))
	data, ok := v.read(name)
	if !ok {
		return nil
	}
	file, q := srt.ParseBlock(name, data, 1)
	if q != nil {
		v.effective.Open = append(v.effective.Open, *q)
		return nil
	}
	return file
}

// reference is the recipe that a row names itself, with its selector; "" where
// a launch script chooses.
func reference(row *matrix.Row, eval bool) string {
	doc := row.Document()
	for _, name := range []string{"eval-srt-recipe", "srt-recipe"} {
		if v, ok := doc.Get(name); ok && v.Text != "" && (eval || name == "srt-recipe") {
			return v.Text
		}
	}
	return ""
}
