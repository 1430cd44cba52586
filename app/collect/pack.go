package collect

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
)

// A run has thousands of small archives. A file for each would cost more than
// their bytes do, so archives up to packLimit are stored one behind the other in
// one file, each with a head of its id and length. The last record of an id
// counts, and a record that was not finished is cut off.
const (
	packName  = "archives.pack"
	packLimit = 1 << 20
	headBytes = 24
)

var packMagic = []byte("sbpack1\n")

// section is where an archive lies in the pack.
type section struct{ at, size int64 }

// pack is the open file of small archives.
type pack struct {
	mu       sync.Mutex
	file     *os.File
	end      int64
	sections map[int64]section
}

// openPack opens the pack of a folder; create makes one that is missing and cuts
// off what was not finished.
func openPack(root *os.Root, create bool) (*pack, error) {
	flags := os.O_RDONLY
	if create {
		flags = os.O_RDWR | os.O_CREATE
	}
	if info, err := root.Lstat(packName); err == nil && !info.Mode().IsRegular() {
		return nil, diag.New("collect.not-regular", diag.Place{File: packName}).In("unsafe")
	}
	f, err := root.OpenFile(packName, flags, 0o644)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &pack{}, nil
	case err != nil:
		return nil, err
	}
	p := &pack{file: f, sections: make(map[int64]section)}
	if err := p.scan(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	if create {
		if err := f.Truncate(p.end); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return p, nil
}

// scan finds the whole records.
func (p *pack) scan() error {
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	head := make([]byte, headBytes)
	for p.end+headBytes <= info.Size() {
		if _, err := p.file.ReadAt(head, p.end); err != nil {
			return err
		}
		id, size := int64(binary.BigEndian.Uint64(head[8:])), int64(binary.BigEndian.Uint64(head[16:]))
		if !bytes.Equal(head[:8], packMagic) || size < 0 || size > packLimit || p.end+headBytes+size > info.Size() {
			return nil
		}
		p.sections[id] = section{p.end + headBytes, size}
		p.end += headBytes + size
	}
	return nil
}

// add appends an archive.
func (p *pack) add(id int64, data []byte) error {
	record := make([]byte, 0, headBytes+len(data))
	record = append(record, packMagic...)
	record = binary.BigEndian.AppendUint64(record, uint64(id))
	record = binary.BigEndian.AppendUint64(record, uint64(len(data)))
	record = append(record, data...)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.file.WriteAt(record, p.end); err != nil {
		return err
	}
	p.sections[id] = section{p.end + headBytes, int64(len(data))}
	p.end += int64(len(record))
	return nil
}

// read returns an archive of the pack; fs.ErrNotExist for one that it lacks.
func (p *pack) read(id int64) ([]byte, error) {
	p.mu.Lock()
	s, ok := p.sections[id]
	p.mu.Unlock()
	if !ok {
		return nil, fs.ErrNotExist
	}
	data := make([]byte, s.size)
	_, err := p.file.ReadAt(data, s.at)
	return data, err
}

// Close closes the file.
func (p *pack) Close() error {
	if p.file == nil {
		return nil
	}
	return p.file.Close()
}

// small is an archive in memory.
type small struct{ *bytes.Reader }

// Close does nothing.
func (small) Close() error { return nil }

// blob is an archive in a file of its own.
type blob struct {
	*os.File
	size int64
}

// Size is the length in bytes.
func (b blob) Size() int64 { return b.size }

// shelf holds all archives of a folder: the pack, and a file for each large one.
type shelf struct {
	pack *pack
	zips *os.Root
}

func openShelf(root *os.Root, create bool) (*shelf, error) {
	if create {
		if err := root.MkdirAll(archives, 0o755); err != nil {
			return nil, err
		}
	}
	p, err := openPack(root, create)
	if err != nil {
		return nil, err
	}
	zips, err := root.OpenRoot(archives)
	if err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return &shelf{p, zips}, nil
}

// Close closes the files.
func (s *shelf) Close() error { return errors.Join(s.pack.Close(), s.zips.Close()) }

// open returns an archive, fs.ErrNotExist when it is not there.
func (s *shelf) open(id int64) (results.Blob, error) {
	data, err := s.pack.read(id)
	if err == nil {
		return small{bytes.NewReader(data)}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := s.zips.Open(zipName(id))
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = diag.New("collect.not-regular", diag.Place{File: archiveName(id)})
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return blob{f, info.Size()}, nil
}

// store streams an archive to where it belongs and returns its length. accept
// decides, when all bytes are there, whether they are kept.
func (s *shelf) store(id int64, in io.Reader, accept func() error) (int64, error) {
	var head bytes.Buffer
	n, err := io.Copy(&head, io.LimitReader(in, packLimit+1))
	if err != nil {
		return n, err
	}
	if n <= packLimit {
		if err := accept(); err != nil {
			return n, err
		}
		return n, s.pack.add(id, head.Bytes())
	}
	beside := zipName(id) + ".part"
	out, err := s.zips.OpenFile(beside, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return n, err
	}
	rest, err := io.Copy(out, io.MultiReader(&head, in))
	if err = errors.Join(err, out.Close()); err == nil {
		err = accept()
	}
	if err != nil {
		return rest, errors.Join(err, s.zips.Remove(beside))
	}
	return rest, s.zips.Rename(beside, zipName(id))
}
