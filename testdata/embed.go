// Package testdata carries the sample repository inside the program, so that
// sweepbot try works wherever the binary is.
package testdata

import (
	"embed"
	"io/fs"
	"strings"
	"testing/fstest"
)

//go:embed all:sample
var files embed.FS

// Sample returns the files of the sample repository, by slash-separated path.
// The map is the caller's to change. Embedding loses the right to execute;
// scripts get it back.
func Sample() (fstest.MapFS, error) {
	sample, err := fs.Sub(files, "sample")
	if err != nil {
		return nil, err
	}
	out := make(fstest.MapFS)
	err = fs.WalkDir(sample, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sample, name)
		file := &fstest.MapFile{Data: data, Mode: 0o644}
		if strings.HasSuffix(name, ".sh") {
			file.Mode = 0o755
		}
		out[name] = file
		return err
	})
	return out, err
}
