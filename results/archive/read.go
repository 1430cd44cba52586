package archive

import (
	"compress/flate"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// Open reads one file. The reader fails with an *Error when the content is
// longer or shorter than claimed, or its checksum is wrong; what it gave before
// that must not be trusted.
func (z *Zip) Open(name string) (io.ReadCloser, error) {
	i, found := slices.BinarySearchFunc(z.entries, name, func(e entry, name string) int { return strings.Compare(e.name, name) })
	if !found {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	e := z.entries[i]
	start, err := z.contentAt(e)
	if err != nil {
		return nil, err
	}
	packed := io.NewSectionReader(z.at, start, int64(e.packed))
	r := &checkedReader{entry: e, sum: crc32.NewIEEE(), in: io.NopCloser(packed)}
	if e.method == methodDeflate {
		r.in = flate.NewReader(packed)
	}
	return r, nil
}

// contentAt reads the entry's own header, which must agree with the directory,
// and returns where the content begins.
func (z *Zip) contentAt(e entry) (int64, error) {
	header := make([]byte, localLength+len(e.raw))
	if _, err := z.at.ReadAt(header, int64(e.offset)); err != nil {
		return 0, broken(err, e.name)
	}
	switch {
	case little.Uint32(header) != localSignature:
		return 0, refuse(Truncated, e.name, "no entry there")
	case int(little.Uint16(header[26:])) != len(e.raw) || string(header[localLength:]) != e.raw:
		return 0, refuse(Inconsistent, e.name, "another name in the entry")
	case little.Uint16(header[8:]) != e.method:
		return 0, refuse(Inconsistent, e.name, "another method in the entry")
	}
	return int64(e.offset) + int64(len(header)) + int64(little.Uint16(header[28:])), nil
}

// checkedReader counts and sums what it reads.
type checkedReader struct {
	entry entry
	in    io.ReadCloser
	sum   hash.Hash32
	read  uint64
	err   error
}

func (r *checkedReader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.in.Read(p)
	r.sum.Write(p[:n])
	if r.read += uint64(n); r.read > r.entry.size {
		r.err = refuse(Bomb, r.entry.name, fmt.Sprintf("more than the claimed %d bytes", r.entry.size))
		return 0, r.err
	}
	if err != nil {
		r.err = r.final(err)
	}
	return n, r.err
}

// final judges how the content ended.
func (r *checkedReader) final(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &corrupt):
		return refuse(Truncated, r.entry.name, "")
	case !errors.Is(err, io.EOF):
		return err
	case r.read != r.entry.size:
		return refuse(Truncated, r.entry.name, fmt.Sprintf("%d of %d bytes", r.read, r.entry.size))
	case r.sum.Sum32() != r.entry.checksum:
		return refuse(Checksum, r.entry.name, "")
	}
	return io.EOF
}

// Close ends reading.
func (r *checkedReader) Close() error { return r.in.Close() }
