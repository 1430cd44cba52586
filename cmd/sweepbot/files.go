package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// replaceFile writes a file of the user's choice so that it is whole or as it
// was: to a new file beside it, which then takes its name. What is no regular
// file is left alone.
func replaceFile(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	switch info, err := os.Lstat(name); {
	case err == nil && !info.Mode().IsRegular():
		return diag.New("cli.not-regular", diag.Place{File: name}).In("unsafe")
	case err == nil:
		mode = info.Mode().Perm()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
