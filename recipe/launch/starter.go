package launch

import (
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/recipe/shell"
)

// starter describes a program that starts another one elsewhere: in a
// container, on other nodes, later. What it is called and how it takes its
// options is all that is known of it.
type starter struct {
	// subcommand is the word behind the name, "" if there is none.
	subcommand string
	// valued are the options that take the next word.
	valued map[string]bool
	// image says that the first word that is no option is an image.
	image bool
	// isolated says that the started program gets only the variables named;
	// otherwise it gets all.
	isolated bool
	// envs, mounts, dirs, images, entries and tasks are the options that set
	// variables, mounts, the working directory, the image, the program and the
	// number of copies. lists says that variables and mounts are separated by
	// commas.
	envs, mounts, dirs, images, entries, tasks, nodes []string
	lists                                             bool
	// script says that the first word is a script file, not a program.
	script bool
}

// starters are known by the base name of their program.
var starters = map[string]starter{
	"srun": {
		valued: set("-p", "-A", "-N", "-n", "-c", "-t", "-w", "-x", "-J", "-o", "-e", "-G", "-D", "-i", "--partition", "--account", "--nodes", "--ntasks", "--time",
			"--nodelist", "--exclude", "--job-name", "--output", "--error", "--jobid", "--gres", "--mem", "--chdir", "--export", "--ntasks-per-node", "--cpus-per-task",
			"--container-image", "--container-mounts", "--container-workdir", "--container-name", "--container-env", "--mpi", "--signal", "--gpus", "--gpus-per-node"),
		envs: []string{"--export"}, mounts: []string{"--container-mounts"}, dirs: []string{"--container-workdir", "--chdir", "-D"},
		images: []string{"--container-image"}, tasks: []string{"--ntasks", "-n"}, nodes: []string{"--nodes", "-N", "--nodelist", "-w"}, lists: true,
	},
	"sbatch": {
		valued: set("-p", "-A", "-N", "-n", "-c", "-t", "-w", "-x", "-J", "-o", "-e", "-d", "-D", "--partition", "--account", "--nodes", "--ntasks", "--time", "--nodelist", "--exclude",
			"--job-name", "--output", "--error", "--gres", "--mem", "--chdir", "--export", "--ntasks-per-node", "--cpus-per-task", "--dependency"),
		envs: []string{"--export"}, tasks: []string{"--ntasks", "-n"}, nodes: []string{"--nodes", "-N"}, lists: true, script: true,
	},
	"docker": {
		subcommand: "run", image: true, isolated: true,
		valued: set("-e", "--env", "-v", "--volume", "-w", "--workdir", "--name", "--network", "--net", "--ipc", "--shm-size", "--ulimit", "--gpus", "--runtime", "--device", "--cap-add",
			"--security-opt", "--group-add", "--entrypoint", "-u", "--user", "-p", "--publish", "--stop-timeout", "--env-file", "--mount", "--pid", "--memory", "-m", "--cpus", "--label", "-l", "-h", "--hostname", "--userns", "--add-host"),
		envs: []string{"-e", "--env"}, mounts: []string{"-v", "--volume"}, dirs: []string{"-w", "--workdir"}, entries: []string{"--entrypoint"},
	},
}

func set(words ...string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}

// start is what a starter starts.
type start struct {
	words   []shell.Value // the program with its arguments
	image   shell.Value
	env     map[string]shell.Value // variables set, nil value for "from outside"
	pass    []string               // variables passed from outside, for isolated ones
	mounts  [][2]shell.Value       // outside, inside
	dir     shell.Value
	inside  bool // in a container: mounts replace the outside's
	tasks   string
	onePer  bool // a node list or task number of one was given
	all     bool // all variables of outside are passed
	starter starter
}

// startedBy reads the words of a command as those of a starter.
func startedBy(argv []shell.Value) (start, bool) {
	if len(argv) == 0 {
		return start{}, false
	}
	s, ok := starters[programName(argv[0])]
	if !ok {
		return start{}, false
	}
	words := argv[1:]
	if s.subcommand != "" {
		if len(words) == 0 || known(words[0]) != s.subcommand {
			return start{}, false
		}
		words = words[1:]
	}
	out := start{env: make(map[string]shell.Value), all: !s.isolated, starter: s}
	var entry shell.Value
	for len(words) > 0 && (begins(words[0], "-") || unknownOptions(words)) {
		if !begins(words[0], "-") {
			words = words[1:]
			continue
		}
		option, value, assigned := cut(words[0], "=")
		name := known(option)
		words = words[1:]
		if !assigned && s.valued[name] && len(words) > 0 {
			value, words = words[0], words[1:]
		}
		if len(s.entries) > 0 && in(s.entries, name) {
			entry = value
			continue
		}
		out.option(s, name, value)
	}
	if s.image && len(words) > 0 {
		out.image, words = words[0], words[1:]
		out.inside = true
	}
	if known(entry) != "" {
		words = append([]shell.Value{entry}, words...)
	}
	out.words = words
	return out, len(words) > 0
}

// unknownOptions reports whether the first word stands for options that are not
// known: any number of words, or one in front of further options.
func unknownOptions(words []shell.Value) bool {
	segs := words[0].Segments()
	wholly := len(segs) > 0 && segs[0].Unknown != nil
	return words[0].Words() || wholly && len(words) > 1 && begins(words[1], "-")
}

// programName is the base name of a program. Of one that is not known it is
// what all alternatives share: "docker" or "sudo docker".
func programName(v shell.Value) string {
	if text, ok := v.Known(); ok {
		return path.Base(text)
	}
	name := ""
	for _, a := range alternatives(v) {
		words := strings.Fields(known(a))
		if len(words) == 0 || name != "" && name != path.Base(words[len(words)-1]) {
			return ""
		}
		name = path.Base(words[len(words)-1])
	}
	return name
}

// alternatives are the texts that a value may be, nil where that is open.
func alternatives(v shell.Value) []shell.Value {
	segs := v.Segments()
	if len(segs) != 1 || segs[0].Unknown == nil {
		return nil
	}
	return segs[0].Unknown.Alternatives
}

// maxSpelled bounds the texts that a value is spelled out to.
const maxSpelled = 64

// spelled are all texts that a value may be: its unknown parts replaced by
// their alternatives, and those by theirs. What stays unknown stays so.
func spelled(v shell.Value, depth int) []shell.Value {
	segs := v.Segments()
	for i, s := range segs {
		if s.Unknown == nil || len(s.Unknown.Alternatives) == 0 || depth == 0 {
			continue
		}
		var out []shell.Value
		for _, a := range s.Unknown.Alternatives {
			whole := append(append(append([]shell.Segment(nil), segs[:i]...), a.Segments()...), segs[i+1:]...)
			out = append(out, spelled(shell.FromSegments(whole), depth-1)...)
			if len(out) > maxSpelled {
				return []shell.Value{v}
			}
		}
		return out
	}
	return []shell.Value{v}
}

// shared are the parts of a list that all its spellings have, in order.
func shared(v shell.Value, sep string) []shell.Value {
	all := spelled(v, 8)
	var out []shell.Value
	for _, part := range split(all[0], sep) {
		everywhere := true
		for _, other := range all[1:] {
			found := false
			for _, p := range split(other, sep) {
				found = found || p.Equal(part)
			}
			everywhere = everywhere && found
		}
		if everywhere {
			out = append(out, part)
		}
	}
	return out
}

func in(list []string, name string) bool {
	for _, w := range list {
		if w == name {
			return true
		}
	}
	return false
}

func (o *start) option(s starter, name string, value shell.Value) {
	parts := []shell.Value{value}
	if s.lists {
		parts = shared(value, ",")
	}
	switch {
	case in(s.envs, name):
		for _, p := range parts {
			o.variable(p)
		}
	case in(s.mounts, name):
		for _, p := range parts {
			if outside, inside, ok := cut(p, ":"); ok {
				inside, _, _ = cut(inside, ":")
				o.mounts = append(o.mounts, [2]shell.Value{outside, inside})
			}
		}
	case in(s.dirs, name):
		o.dir = value
	case in(s.images, name):
		o.image, o.inside = value, true
	case in(s.tasks, name):
		o.tasks = known(value)
	case in(s.nodes, name):
		o.onePer = known(value) == "1" || o.onePer
	}
}

func (o *start) variable(p shell.Value) {
	name, value, assigned := cut(p, "=")
	switch text := known(name); {
	case text == "ALL":
		o.all = true
	case text == "NONE":
		o.all = false
	case assigned && isName(text):
		o.env[text] = value
	case isName(text):
		o.pass = append(o.pass, text)
	}
}

// environment is the environment of what is started, from that of the starter.
func (o *start) environment(outside shell.Env) shell.Env {
	out := make(shell.Env, len(outside)+len(o.env))
	if o.all {
		for name, value := range outside {
			out[name] = value
		}
	}
	for _, name := range o.pass {
		if value, ok := outside[name]; ok {
			out[name] = value
		}
	}
	for name, value := range o.env {
		out[name] = value
	}
	return out
}

// mounted are the mounts inside, from those outside: what lies on a folder of
// the repository outside is that folder inside.
func (o *start) mounted(outside map[string]string) map[string]string {
	if !o.inside {
		return outside
	}
	out := make(map[string]string)
	for _, m := range o.mounts {
		from, to := path.Clean(known(m[0])), path.Clean(known(m[1]))
		if !path.IsAbs(from) || !path.IsAbs(to) {
			continue
		}
		if folder, ok := repositoryPath(outside, from); ok {
			out[to] = folder
		}
	}
	if dir := path.Clean(known(o.dir)); len(out) == 0 && path.IsAbs(dir) && o.copied(dir) {
		out[dir] = ""
		for _, folder := range outside {
			out[dir] = folder
		}
	}
	return out
}

// copied reports whether the working directory is mounted from a folder whose
// name is not known, or that lies outside of the checkout: launchers copy the
// checkout to where the nodes of a job see it.
func (o *start) copied(dir string) bool {
	for _, m := range o.mounts {
		if path.Clean(known(m[1])) == dir {
			return true
		}
	}
	return false
}

// repositoryPath is the path in the repository of an absolute path, by the
// longest mount that holds it.
func repositoryPath(mounts map[string]string, name string) (string, bool) {
	best, found := "", false
	for dir := range mounts {
		if (name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")) && len(dir) >= len(best) {
			best, found = dir, true
		}
	}
	if !found {
		return "", false
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(name, best), "/")
	return path.Join(mounts[best], rest), true
}
