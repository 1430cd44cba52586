package localrun

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"sort"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Bounds on what is read from a launcher or from artifacts.
const (
	maxResultBytes = 32 << 20 // one result document
	maxFileBytes   = 1 << 30  // one file of an artifact
	maxTreeFiles   = 10_000   // files below one folder
	maxTreeBytes   = 4 << 30
	maxDepth       = 8
)

// readRegular reads a regular file below root. Symbolic links, devices and
// files above limit are refused.
func readRegular(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, diag.New("localrun.not-regular", diag.Place{File: name})
	}
	if info.Size() > limit {
		return nil, diag.New("localrun.too-large", diag.Place{File: name}, "bytes", fmt.Sprint(info.Size()), "limit", fmt.Sprint(limit))
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = diag.New("localrun.too-large", diag.Place{File: name}, "bytes", fmt.Sprint(len(data)), "limit", fmt.Sprint(limit))
	}
	return data, err
}

// glob returns the names directly in the root that match a pattern, sorted.
func glob(root *os.Root, pattern string) ([]string, error) {
	dir, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(maxTreeFiles)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var out []string
	for _, name := range names {
		if ok, _ := path.Match(pattern, name); ok {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out, nil
}

// literally escapes a name for use inside a pattern of glob.
func literally(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// tree visits the regular files below a folder of root, in the order of their
// names. What is no regular file, is too deep or too much, is given to refuse
// and not followed.
type tree struct {
	root   *os.Root
	files  int
	bytes  int64
	visit  func(name string, size int64) error
	refuse func(diag.Finding)
	// skip, if set, leaves folders out.
	skip func(name string) bool
}

// walk visits a folder. Its errors are those of visit and of reading folders.
func (t *tree) walk(folder string, depth int) error {
	entries, err := readFolder(t.root, folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		if err := t.entry(name, e, depth); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) entry(name string, e fs.DirEntry, depth int) error {
	switch {
	case e.IsDir() && t.skip != nil && t.skip(name):
		return nil
	case e.IsDir() && depth >= maxDepth:
		t.refuse(diag.New("localrun.too-deep", diag.Place{File: name}, "limit", itoa(maxDepth)))
		return nil
	case e.IsDir():
		return t.walk(name, depth+1)
	case !e.Type().IsRegular():
		t.refuse(diag.New("localrun.not-regular", diag.Place{File: name}))
		return nil
	}
	info, err := e.Info()
	if err != nil {
		return err
	}
	t.files++
	t.bytes += info.Size()
	if t.files > maxTreeFiles || t.bytes > maxTreeBytes {
		return diag.New("localrun.too-much", diag.Place{File: name}, "files", itoa(maxTreeFiles), "bytes", fmt.Sprint(int64(maxTreeBytes)))
	}
	return t.visit(name, info.Size())
}

// readFolder lists a folder by name, at most maxTreeFiles entries.
func readFolder(root *os.Root, folder string) ([]fs.DirEntry, error) {
	dir, err := root.Open(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(maxTreeFiles)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if more, _ := dir.ReadDir(1); len(more) > 0 {
		return nil, diag.New("localrun.too-much", diag.Place{File: folder}, "files", itoa(maxTreeFiles), "bytes", fmt.Sprint(int64(maxTreeBytes)))
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	return entries, nil
}
