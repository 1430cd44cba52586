package localrun

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// Launcher says which program measures a point
// (spec/labels-and-sweeps.md section 9.6).
type Launcher struct {
	// Command is the program of the user's choice with its arguments. Empty
	// means the convention: launch_<prefix>.sh in the folder of launchers,
	// where prefix is the runner name up to its first underscore.
	Command []string
	// Folder is the folder of launchers below the repository, with slashes.
	Folder string
}

// ParseLauncher splits a command at blanks. Nothing else of a shell is known:
// no quotes, no variables. The name of an existing file stands for itself,
// blanks and all. A relative program is looked up from the current directory
// (one without a slash on the search path), since launchers run elsewhere.
func ParseLauncher(text string) ([]string, error) {
	if isFile(text) {
		abs, err := filepath.Abs(text)
		return []string{abs}, err
	}
	argv := strings.Fields(text)
	if len(argv) == 0 {
		return nil, diag.New("localrun.launcher-empty", diag.Place{}).In("usage")
	}
	for i, word := range argv {
		if !strings.ContainsRune(word, filepath.Separator) || !isFile(word) {
			continue
		}
		abs, err := filepath.Abs(word) // a program, or the script behind its interpreter
		if err != nil {
			return nil, err
		}
		argv[i] = abs
	}
	return argv, nil
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// argv is the command of a point. A script without the right to execute is
// given to bash, as workflows do.
func (l Launcher) argv(repo string, runner string) ([]string, error) {
	if len(l.Command) > 0 {
		return l.Command, nil
	}
	name := launcherFile(l.Folder, runner)
	if strings.ContainsAny(launcherPrefix(runner), `/\`) || !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, diag.New("localrun.runner-name", diag.Place{}, "runner", runner)
	}
	full := filepath.Join(repo, filepath.FromSlash(name))
	info, err := os.Stat(full)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return nil, diag.New("localrun.no-launcher", diag.Place{File: name}, "runner", runner)
	case info.Mode().Perm()&0o111 == 0:
		return []string{"bash", full}, nil
	}
	return []string{full}, nil
}

// check says which launchers are missing, before anything runs.
func (l Launcher) check(repo string, points []*Point) diag.List {
	var list diag.List
	seen := make(map[string]bool)
	for _, p := range points {
		prefix := launcherPrefix(p.Runner)
		if _, err := l.argv(repo, p.Runner); err != nil && !seen[prefix] {
			list = append(list, *finding(err))
		}
		seen[prefix] = true
	}
	return list
}

// RunnerNames says which machine a runner label stands for on this machine:
// the first of the inventory. A label that the inventory does not know, or no
// inventory at all, stands for itself.
func RunnerNames(inventory *matrix.Inventory) func(label string) string {
	return func(label string) string {
		if inventory != nil {
			if nodes, _ := inventory.Nodes(label); len(nodes) > 0 {
				return nodes[0]
			}
		}
		return strings.TrimPrefix(label, "cluster:")
	}
}

// inherited are the variables of our own environment that a launcher gets.
// Everything else, credentials above all, stays with the user.
var inherited = []string{"PATH", "HOME", "LANG", "TMPDIR"}

// InheritedEnvironment picks what a launcher inherits: the search path, home,
// language and temporary folder, and the variables that the user names.
func InheritedEnvironment(lookup func(string) (string, bool), names []string) []string {
	var env []string
	for _, name := range append(slices.Clone(inherited), names...) {
		if value, ok := lookup(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}
