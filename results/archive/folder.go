package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Folder is an artifact that was unpacked into a folder.
type Folder struct {
	fsys  fs.FS
	root  string
	files []File
}

// OpenFolder lists a folder of fsys and holds it against the limits. Links and
// special files refuse it.
func OpenFolder(fsys fs.FS, root string, limits Limits) (*Folder, error) {
	f := &Folder{fsys: fsys, root: root}
	var total int64
	entries := 0
	err := fs.WalkDir(fsys, root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == root {
			return err
		}
		if entries++; entries > limits.Entries {
			return refuse(TooMany, "", fmt.Sprintf("more than %d entries", limits.Entries))
		}
		if d.IsDir() {
			return nil
		}
		inside := strings.TrimPrefix(name, root+"/")
		if root == "." {
			inside = name
		}
		file, err := regular(d, inside, limits)
		if err != nil {
			return err
		}
		if total += file.Size; total > limits.Total {
			return refuse(TooLarge, "", fmt.Sprintf("more than %d bytes", limits.Total))
		}
		f.files = append(f.files, file)
		return nil
	})
	slices.SortFunc(f.files, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
	return f, err
}

func regular(d fs.DirEntry, name string, limits Limits) (File, error) {
	info, err := d.Info()
	if err != nil {
		return File{}, err
	}
	_, safe := safeName(name)
	switch {
	case !d.Type().IsRegular():
		return File{}, refuse(NotRegular, name, d.Type().String())
	case !safe:
		return File{}, refuse(UnsafePath, name, "")
	case info.Size() > limits.File:
		return File{}, refuse(TooLarge, name, fmt.Sprintf("%d bytes", info.Size()))
	}
	return File{Name: name, Size: info.Size(), Modified: info.ModTime()}, nil
}

// Files lists the regular files by name.
func (f *Folder) Files() []File { return f.files }

// Open reads one listed file. A file that has grown since it was listed fails.
func (f *Folder) Open(name string) (io.ReadCloser, error) {
	i, found := slices.BinarySearchFunc(f.files, name, func(file File, name string) int { return strings.Compare(file.Name, name) })
	if !found {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	in, err := f.fsys.Open(path.Join(f.root, name))
	if err != nil {
		return nil, err
	}
	return &cappedFile{File: in, left: f.files[i].Size, name: name}, nil
}

type cappedFile struct {
	fs.File
	left int64
	name string
}

func (c *cappedFile) Read(p []byte) (int, error) {
	n, err := c.File.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return 0, refuse(Bomb, c.name, "grew while it was read")
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return n, fmt.Errorf("%s: %w", c.name, err)
	}
	return n, err
}
