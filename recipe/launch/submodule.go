package launch

import "strings"

// Submodules is a Tree that knows the commits which it pins of other
// repositories.
type Submodules interface {
	// Submodule returns the commit that is pinned at a path; ok is false for
	// anything else.
	Submodule(path string) (commit string, ok bool)
}

// submodules notes the repositories that are checked out inside of the row's
// own, at the commits that it pins, so that their files can be read.
func (v *visit) submodules() {
	tree, ok := v.r.files.tree.(Submodules)
	if !ok {
		return
	}
	data, found, _ := v.r.files.ReadFile(modulesFile)
	if !found {
		return
	}
	for _, m := range modules(string(data)) {
		commit, pinned := tree.Submodule(m.path)
		rest, inside := strings.CutPrefix(m.path, v.r.project)
		if pinned && inside {
			v.closure(modulesFile, false)
			v.closure(m.path, false) // the commit that is pinned
			v.checkouts = append(v.checkouts, checkout{dir: Workspace + "/" + strings.Trim(rest, "/"), address: m.url, ref: commit})
		}
	}
}

// modulesFile names the submodules of a repository.
const modulesFile = ".gitmodules"

// module is a submodule: where it lies, and where it comes from.
type module struct{ path, url string }

// modules reads a modules file: sections of "name = value" lines.
func modules(text string) []module {
	var out []module
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[submodule ") {
			out = append(out, module{})
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || len(out) == 0 {
			continue
		}
		switch last := &out[len(out)-1]; strings.TrimSpace(name) {
		case "path":
			last.path = strings.TrimSpace(value)
		case "url":
			last.url = strings.TrimSpace(value)
		}
	}
	return out
}
