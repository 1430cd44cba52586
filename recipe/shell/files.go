package shell

import (
	"path"
	"strings"
)

// absolute returns a known path as an absolute clean one.
func (m *machine) absolute(v Value) (string, bool) {
	p, ok := m.joined(v)
	if !ok || p == "" || len(p) > 4096 {
		return "", false
	}
	if p[0] != '/' {
		dir, ok := m.joined(m.dir())
		if !ok {
			return "", false
		}
		m.spend(len(dir) + len(p))
		p = dir + "/" + p
	}
	return path.Clean(p), true
}

// repositoryPath maps an absolute path into the repository. Paths are clean,
// so none leads out of a mount.
func (m *machine) repositoryPath(abs string) (string, bool) {
	best, found := "", false
	for mount := range m.o.Mounts {
		if (abs == mount || mount == "/" || strings.HasPrefix(abs, mount+"/")) && len(mount) >= len(best) {
			best, found = mount, true
		}
	}
	if !found {
		return "", false
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(abs, best), "/")
	p := path.Join(m.o.Mounts[best], rest)
	if p == "." {
		p = ""
	}
	return p, p != ".." && !strings.HasPrefix(p, "../") && !strings.HasPrefix(p, "/")
}

// repositoryFile reads a file of the repository by its absolute path and
// remembers that it was used or missed.
func (m *machine) repositoryFile(abs string) ([]byte, bool) {
	p, ok := m.repositoryPath(abs)
	if !ok || p == "" {
		return nil, false
	}
	b, seen := m.blobs[p]
	if !seen {
		m.step(20)
		data, ok, err := m.o.Files.ReadFile(p)
		if err != nil {
			panic(stop{err})
		}
		b = blob{data, ok}
		m.blobs[p] = b
	}
	if b.ok {
		m.used[p] = struct{}{}
	} else {
		m.probed[p] = struct{}{}
	}
	return b.data, b.ok
}

// fileText returns the content of a repository file as a value.
func (m *machine) fileText(abs string, data []byte) Value {
	if len(data) > m.limits.ValueBytes {
		return m.limited("value bytes")
	}
	m.spend(len(data))
	p, _ := m.repositoryPath(abs)
	return Text(string(data), Origin{File: p, Line: 1})
}

// content returns what reading a file gives: one the script wrote, one of the
// repository, or an unknown.
func (m *machine) content(target Value) Value {
	abs, ok := m.absolute(target)
	if !ok {
		return m.derived("file", target)
	}
	if abs == "/dev/null" {
		return Value{}
	}
	if b := m.st.get(key{spaceFile, abs}); b != nil && b.v != nil && !b.v.partly {
		return b.v.val
	}
	if data, ok := m.repositoryFile(abs); ok {
		return m.fileText(abs, data)
	}
	return m.unknown(ReasonFile, abs)
}

// exists tells whether a path is there, as far as the repository and the
// script's own writing tell. That a path is missing is never known: it may be
// made on the machine.
func (m *machine) exists(target Value) truth {
	abs, ok := m.absolute(target)
	if !ok {
		if s, known := m.joined(target); known && s == "" {
			return no
		}
		return unsure
	}
	if b := m.st.get(key{spaceFile, abs}); b != nil && b.v != nil && !b.v.partly {
		return yes
	}
	if _, ok := m.repositoryFile(abs); ok || m.isDir(abs) {
		return yes
	}
	if abs == "/dev/null" || abs == "/" || abs == "/tmp" {
		return yes
	}
	return unsure
}

// isDir reports whether a path is a directory of the repository.
func (m *machine) isDir(abs string) bool {
	p, ok := m.repositoryPath(abs)
	if !ok {
		return false
	}
	_, ok = m.list(p)
	return ok
}

// list returns the names in a directory of the repository.
func (m *machine) list(dir string) ([]string, bool) {
	m.step(20)
	m.lists[dir] = struct{}{}
	names, ok := m.o.Files.List(dir)
	if !ok {
		return nil, false
	}
	m.step(len(names) / 8)
	return names, true
}

// touch adds a repository file named by an argument to the closure: its
// content may matter to the command that gets it.
func (m *machine) touch(arg Value) {
	s, ok := arg.Known()
	if !ok || len(s) > 1024 || !strings.Contains(s, "/") || strings.ContainsAny(s, " \n") {
		return
	}
	if i := strings.IndexByte(s, '='); i >= 0 {
		s = s[i+1:]
	}
	if s == "" || strings.Contains(s, "://") {
		return
	}
	abs, ok := m.absolute(m.text(s))
	if !ok {
		return
	}
	if p, ok := m.repositoryPath(abs); ok && p != "" {
		if _, seen := m.blobs[p]; !seen {
			m.repositoryFile(abs)
			if !m.blobs[p].ok {
				delete(m.probed, p)
			}
		} else if m.blobs[p].ok {
			m.used[p] = struct{}{}
		}
	}
}
