package launch

import (
	"bytes"
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/recipe/shell"
)

// maxTasks bounds the tasks of a job that are looked at one by one.
const maxTasks = 64

// started follows what a starter starts: a script of the repository, the text
// of a shell, or a server.
func (v *visit) started(s stage, t *shell.Trace, c *shell.Command, o start) error {
	env, given := s.environment(c)
	next := stage{env: o.environment(env), given: passed(o, given), mounts: o.mounted(s.mounts), depth: s.depth + 1, image: s.image, tasks: s.tasks, ranked: s.ranked}
	if o.inside {
		next.image = o.image
	}
	next.dir = v.directory(s, c, o)
	next.written = append(s.written[:len(s.written):len(s.written)], t.Written...)
	v.carry(&next, o)
	words := o.words
	if o.starter.script {
		next.tasks, _ = strconv.Atoi(o.tasks)
		words = append([]shell.Value{shell.Text("bash", shell.Origin{})}, words...)
		if dir := known(c.Dir); dir != "" {
			next.dir = dir
		}
	}
	if !v.follow(&next, words) {
		return v.startedServer(next, t, c, words)
	}
	if next.tasks > 1 && !o.onePer && o.tasks == "" && !o.starter.script && !next.ranked && !o.starter.isolated {
		return v.everyTask(next)
	}
	return v.run(next)
}

// everyTask evaluates what a job starts on all its nodes, once for each of its
// tasks, which differ in their number.
func (v *visit) everyTask(s stage) error {
	for i := range min(s.tasks, maxTasks) {
		task := s
		task.ranked = true
		task.env = make(shell.Env, len(s.env)+1)
		for name, value := range s.env {
			task.env[name] = value
		}
		number := shell.Text(strconv.Itoa(i), shell.Origin{File: "<job>"})
		task.env["SLURM_PROCID"], task.env["SLURM_NODEID"] = number, number
		if err := v.run(task); err != nil {
			return err
		}
	}
	return nil
}

// passed are the variables set by scripts that the starter passes on.
func passed(o start, given map[string]shell.Value) map[string]shell.Value {
	out := make(map[string]shell.Value)
	if o.all {
		for name, value := range given {
			out[name] = value
		}
	}
	for _, name := range o.pass {
		if value, ok := given[name]; ok {
			out[name] = value
		}
	}
	for name, value := range o.env {
		out[name] = value
	}
	return out
}

// directory is where the started program begins.
func (v *visit) directory(s stage, c *shell.Command, o start) string {
	if dir := known(o.dir); path.IsAbs(dir) {
		return path.Clean(dir)
	}
	if dir := known(c.Dir); dir != "" && !o.inside {
		return dir
	}
	if o.inside && len(o.mounts) > 0 {
		if dir := known(o.mounts[0][1]); path.IsAbs(dir) {
			return path.Clean(dir)
		}
	}
	return s.dir
}

// carry makes files that scripts have written on the way here visible where
// the mounts put them.
func (v *visit) carry(next *stage, o start) {
	for _, w := range next.written {
		for _, m := range o.mounts {
			from, to := path.Clean(known(m[0])), path.Clean(known(m[1]))
			switch {
			case !o.inside || known(m[0]) == "":
			case from == w.Path:
				v.lay(next, to, w.Content)
			case strings.HasPrefix(w.Path, from+"/"):
				v.lay(next, to+strings.TrimPrefix(w.Path, from), w.Content)
			}
		}
	}
}

// lay puts a file into a stage's file system: where a mount shows a folder of
// the repository, over what the repository has there.
func (v *visit) lay(s *stage, name string, content shell.Value) {
	at, ok := repositoryPath(s.mounts, name)
	if !ok {
		mounts := make(map[string]string, len(s.mounts)+1)
		for dir, to := range s.mounts {
			mounts[dir] = to
		}
		folder := v.virtual.folder()
		mounts[path.Dir(name)] = folder
		s.mounts = mounts
		at = path.Join(folder, path.Base(name))
	}
	data, unknown := v.render(content)
	for name, value := range unknown {
		s.env[name] = value
	}
	v.virtual.add(at, data)
}

// unknownPrefix begins the names of variables that stand for unknown parts of
// a written text.
const unknownPrefix = "_SWEEPBOT_UNKNOWN_"

// render writes a value as text; its unknown parts become variables.
func (v *visit) render(content shell.Value) ([]byte, map[string]shell.Value) {
	var b bytes.Buffer
	unknown := make(map[string]shell.Value)
	segs := content.Segments()
	for i, s := range segs {
		if s.Unknown == nil {
			text := s.Text
			if i+1 < len(segs) && mayBeNothing(segs[i+1]) {
				text = strings.TrimSuffix(text, "\n") // the last line of what a program prints
			}
			b.WriteString(text)
			continue
		}
		name := unknownPrefix + strconv.Itoa(v.virtual.next())
		unknown[name] = shell.Unknowable(*s.Unknown)
		b.WriteString("${" + name + "}")
	}
	return b.Bytes(), unknown
}

// mayBeNothing reports whether an unknown piece may be empty.
func mayBeNothing(s shell.Segment) bool {
	if s.Unknown == nil {
		return false
	}
	for _, a := range s.Unknown.Alternatives {
		if text, ok := a.Known(); ok && text == "" {
			return true
		}
	}
	return false
}

// shells are the programs that read scripts.
var shells = set("bash", "sh", "dash")

// follow sets the script of a stage from the words of a program. It reports
// whether they start one.
func (v *visit) follow(s *stage, words []shell.Value) bool {
	words = unwrapped(words)
	if len(words) == 0 {
		return false
	}
	name := known(words[0])
	if !shells[path.Base(name)] {
		return v.file(s, words[0], words[1:])
	}
	for i := 1; i < len(words); i++ {
		word := known(words[i])
		switch {
		case strings.HasPrefix(word, "-") && strings.HasSuffix(word, "c") && !strings.HasPrefix(word, "--"):
			if i+1 >= len(words) {
				return false
			}
			return v.inline(s, words[i+1], words[i+2:])
		case strings.HasPrefix(word, "-"):
		default:
			return v.file(s, words[i], words[i+1:])
		}
	}
	return false
}

// unwrapped are the words without programs that only start another one.
func unwrapped(words []shell.Value) []shell.Value {
	for len(words) > 1 {
		switch path.Base(known(words[0])) {
		case "exec", "setsid", "nohup", "command":
			words = words[1:]
			continue
		case "env":
			words = words[1:]
			for len(words) > 1 && strings.Contains(known(words[0]), "=") {
				words = words[1:]
			}
			continue
		}
		break
	}
	return words
}

// present chooses among the alternatives of a path the only one that the
// repository holds: scripts prefer one name and fall back to another, and a
// checkout has what the repository has.
func (v *visit) present(s *stage, name shell.Value) string {
	if text, ok := name.Known(); ok {
		return text
	}
	found, first, others := "", "", false
	for _, a := range alternatives(name) {
		text := known(a)
		full := text
		if !path.IsAbs(full) {
			full = path.Join(s.dir, full)
		}
		at, ok := repositoryPath(s.mounts, path.Clean(full))
		if text == "" || !ok {
			others = true
			continue
		}
		_, ok, _ = v.virtual.over(v.r.files).ReadFile(at)
		v.closure(at, !ok)
		if ok && found != "" {
			return ""
		}
		if ok {
			found = text
		}
		first = cmp.Or(first, text)
	}
	if found == "" && !others {
		return first // none is there: the one that is preferred is missing
	}
	return found
}

// file follows a script file.
func (v *visit) file(s *stage, name shell.Value, args []shell.Value) bool {
	text := v.present(s, name)
	if text == "" {
		if !name.IsKnown() {
			v.ask("recipe.script-unknown", v.placeOf(name), "value", v.text(name).String())
		}
		return false
	}
	full := text
	if !path.IsAbs(full) {
		full = path.Join(s.dir, full)
	}
	at, ok := repositoryPath(s.mounts, path.Clean(full))
	if !ok {
		return false
	}
	if _, found, _ := v.virtual.over(v.r.files).ReadFile(at); !found {
		v.closure(at, true)
		if strings.HasSuffix(at, ".sh") || strings.HasSuffix(at, ".slurm") {
			v.ask("recipe.script-missing", v.placeOf(name), "file", at)
		}
		return false
	}
	s.script, s.name, s.args = at, text, args
	return true
}

// inline follows the text of a shell's -c.
func (v *visit) inline(s *stage, script shell.Value, args []shell.Value) bool {
	data, unknown := v.render(script)
	if len(data) == 0 {
		return false
	}
	env := make(shell.Env, len(s.env)+len(unknown))
	for name, value := range s.env {
		env[name] = value
	}
	for name, value := range unknown {
		env[name] = value
	}
	s.env = env
	s.script = path.Join(v.virtual.folder(), "inline.sh")
	v.virtual.add(s.script, data)
	if at := v.placeOf(script); at.File != "" {
		v.origins[s.script] = at.File + "\x00" + strconv.Itoa(at.Line)
	}
	s.name = "bash"
	if len(args) > 0 {
		s.name, s.args = known(args[0]), args[1:]
	}
	return true
}

// startedServer takes a server that a starter starts without a script.
func (v *visit) startedServer(s stage, t *shell.Trace, c *shell.Command, words []shell.Value) error {
	direct := *c
	direct.Argv, direct.Inner, direct.Env = words, 0, nil
	v.serving(s, t, &direct)
	return nil
}
