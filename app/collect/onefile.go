package collect

import (
	"bytes"
	"io"
	"io/fs"

	"github.com/sweepbot/sweepbot/results/archive"
)

// oneFile is the content of an artifact that is a single file.
type oneFile struct {
	name string
	data []byte
}

// Files lists the file.
func (f oneFile) Files() []archive.File {
	return []archive.File{{Name: f.name, Size: int64(len(f.data))}}
}

// Open reads the file.
func (f oneFile) Open(name string) (io.ReadCloser, error) {
	if name != f.name {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(bytes.NewReader(f.data)), nil
}
