package main

import (
	"errors"
	"fmt"
	"io"
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

// maxInput is the largest file that is read by its name on the command line.
const maxInput = 32 << 20

// readInput reads a file that the command line names.
func readInput(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxInput)
	}
	return data, err
}
