package gitrepo

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// location is where git keeps a repository. The two differ in a linked
// working tree, whose HEAD is its own and whose objects are shared.
type location struct {
	gitDir    string // absolute; given to git
	commonDir string // absolute; has objects, shallow, packed-refs
}

// maxLinkFile bounds the small files that hold one path.
const maxLinkFile = 4096

// locate finds the git directory of dir without starting git and without
// looking upwards.
func locate(dir string) (location, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return location{}, &NotRepositoryError{Dir: dir, Absent: true, Err: err}
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return location{}, &NotRepositoryError{Dir: dir, Err: err}
	}
	dotGit := filepath.Join(abs, ".git")
	info, err := os.Stat(dotGit)
	switch {
	case err == nil && info.IsDir():
		if place, ok := gitDirectory(dotGit); ok {
			return place, nil
		}
	case err == nil && info.Mode().IsRegular():
		return followLink(dir, abs, dotGit)
	}
	if place, ok := gitDirectory(abs); ok {
		return place, nil
	}
	return location{}, &NotRepositoryError{Dir: dir, Top: enclosing(abs)}
}

// followLink reads a .git file ("gitdir: path"), which linked working trees
// and submodules have in place of the directory.
func followLink(dir, abs, file string) (location, error) {
	target, ok := strings.CutPrefix(readLine(file), "gitdir: ")
	if !ok || target == "" {
		return location{}, &NotRepositoryError{Dir: dir, Link: file}
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(abs, target)
	}
	place, ok := gitDirectory(target)
	if !ok {
		return location{}, &NotRepositoryError{Dir: dir, Link: target}
	}
	return place, nil
}

// gitDirectory tells whether dir looks like a git directory, by the signs that
// git itself checks: HEAD, objects and refs.
func gitDirectory(dir string) (location, bool) {
	common := dir
	if shared := readLine(filepath.Join(dir, "commondir")); shared != "" {
		if common = shared; !filepath.IsAbs(common) {
			common = filepath.Join(dir, shared)
		}
	}
	head, err := os.Lstat(filepath.Join(dir, "HEAD"))
	if err != nil || head.IsDir() {
		return location{}, false
	}
	if !isDir(filepath.Join(common, "objects")) || !isDir(filepath.Join(common, "refs")) {
		return location{}, false
	}
	return location{gitDir: dir, commonDir: common}, true
}

// enclosing returns the nearest folder above dir that is a repository, or "".
// It only serves the mend of an error.
func enclosing(dir string) string {
	for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
		if _, err := os.Stat(filepath.Join(parent, ".git")); err == nil {
			return parent
		}
		if _, ok := gitDirectory(parent); ok {
			return parent
		}
	}
	return ""
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// readLine returns the content of a one-line file, or "" when there is none or
// it is longer than a path can be.
func readLine(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxLinkFile+1))
	if err != nil || len(data) > maxLinkFile {
		return ""
	}
	return string(bytes.TrimRight(data, "\r\n"))
}

// globLiteral escapes what filepath.Glob would take for a pattern.
func globLiteral(path string) string {
	if os.PathSeparator == '\\' { // no escapes there
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
