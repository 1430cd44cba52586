package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Reader gives the files of a repository at one revision. An error that is
// fs.ErrNotExist means that there is no such file.
type Reader interface {
	ReadFile(name string) ([]byte, error)
}

// Root returns the project directory of a revision: the first of l.Roots in
// which l.Probe exists (spec/changelog.md, head). A file that cannot be read
// for another reason is an error of its own, never "absent"; that no root has
// the probe is a diag.Finding and fs.ErrNotExist.
func (l Layout) Root(files Reader) (string, error) {
	for _, root := range l.Roots {
		found, err := exists(files, path.Join(root, l.Probe))
		if err != nil || found {
			return root, err
		}
	}
	return "", absent{diag.New("config.no-root", diag.Place{File: l.Probe}, "probe", l.Probe, "roots", l.rootNames())}
}

// Resolve returns where a file of the layout lies in a revision: the first of
// l.Roots that has it, whatever root the rest of the project has. So a file
// can be followed across a move of the project directory. The error is a
// diag.Finding and fs.ErrNotExist when no root has it.
func (l Layout) Resolve(files Reader, name string) (string, error) {
	for _, root := range l.Roots {
		full := path.Join(root, name)
		found, err := exists(files, full)
		if err != nil {
			return "", err
		}
		if found {
			return full, nil
		}
	}
	return "", absent{diag.New("config.no-file", diag.Place{File: name}, "file", name, "roots", l.rootNames())}
}

// absent is the finding that no root has a file; it is fs.ErrNotExist to
// callers that can do without the file.
type absent struct{ diag.Finding }

func (a absent) Unwrap() []error { return []error{a.Finding, fs.ErrNotExist} }

// rootNames lists the roots for a message; the repository root is ".".
func (l Layout) rootNames() string {
	names := make([]string, len(l.Roots))
	for i, root := range l.Roots {
		names[i] = path.Join(".", root)
	}
	return strings.Join(names, ", ")
}

func exists(files Reader, name string) (bool, error) {
	_, found, err := read(files, name)
	return found, err
}

func read(files Reader, name string) ([]byte, bool, error) {
	data, err := files.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("config: reading %s: %w", name, err)
	default:
		return data, true, nil
	}
}
