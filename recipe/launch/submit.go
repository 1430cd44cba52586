package launch

import (
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
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
	script := variant.SetupScript()
	if name, ok := setup.Known(); ok && name != "" {
		script = v.text(setup)
	}
	v.serve(variant, script, v.checkedOutFolders())
}

// binding is what the row gives a recipe in whatever way it is launched.
func (v *visit) binding() srt.Binding {
	place := diag.Place{File: v.row.Config.Place.File, Line: v.row.Config.Place.Line}
	return srt.Binding{Model: recipe.Literal(v.row.Config.Model, place), Image: v.effective.Image}
}

// serve adds what a recipe serves. script is what workers run first, and
// folders are where it is looked for.
func (v *visit) serve(variant *srt.Recipe, script recipe.Text, folders []string) {
	e := variant.Effective(v.binding())
	v.effective.Commands = append(v.effective.Commands, e.Commands...)
	v.effective.Open = append(v.effective.Open, e.Open...)
	for _, m := range variant.Mounts() {
		v.mounted(m)
	}
	v.setUp(script, folders, variant.Environment())
	v.client(variant)
	v.accept()
}

// mounted notes a folder that containers see: it may lie over a part of the
// image.
func (v *visit) mounted(mount recipe.Text) {
	v.effective.Patches = append(v.effective.Patches, recipe.Step{Words: []recipe.Text{recipe.Literal("mount", mount.Place), mount}, Place: mount.Place})
}

// setupFolders are where the set-up scripts of recipes lie in a checkout.
var setupFolders = []string{"configs", "configs/patches"}

// checkedOutFolders are the folders of set-up scripts in all checkouts, the
// newest checkout last.
func (v *visit) checkedOutFolders() []string {
	var out []string
	for _, folder := range setupFolders {
		for i := len(v.checkouts) - 1; i >= 0; i-- {
			out = append(out, path.Join(v.checkouts[i].dir, folder))
		}
	}
	return out
}

// setUp looks at the script that every worker runs before it serves, in the
// first of some folders that has it.
func (v *visit) setUp(script recipe.Text, folders []string, env []recipe.Var) {
	if !script.Known() || script.Lit == "" {
		return
	}
	for _, folder := range folders {
		if data, shown, ok := v.peek(path.Join(folder, script.Lit)); ok {
			v.effective.Installs = append(v.effective.Installs, recipe.Step{Words: []recipe.Text{recipe.Literal(shown, script.Place)}, Place: script.Place})
			v.setUpScript(shown, data, env)
			return
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

// setUpScript evaluates a set-up script for what it installs and patches. env
// are the variables that it sees.
func (v *visit) setUpScript(shown string, data []byte, env []recipe.Var) {
	folder := v.virtual.folder()
	name := path.Join(folder, path.Base(shown))
	v.virtual.add(name, data)
	v.origins[name] = shown
	s := stage{script: name, name: "/configs/" + path.Base(shown), env: make(shell.Env, len(env)), mounts: map[string]string{"/configs": folder}, dir: "/"}
	for _, x := range env {
		s.env[x.Name] = shell.Text(x.Value.Lit, shell.Origin{File: x.Value.Place.File, Line: x.Value.Place.Line})
	}
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
		if _, rest, ok := strings.Cut("/"+word, "/benchmarks/"); ok && strings.HasSuffix(word, ".sh") {
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
