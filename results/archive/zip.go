package archive

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Zip is an opened zip archive.
type Zip struct {
	at      io.ReaderAt
	files   []File
	entries []entry // in the order of files
	limits  Limits
}

// OpenZip reads the directory of a zip archive of size bytes and holds it
// against the limits. The error is an *Error, or what reading at returned.
func OpenZip(at io.ReaderAt, size int64, limits Limits) (*Zip, error) {
	dir, err := locate(at, size)
	if err != nil {
		return nil, err
	}
	switch {
	case dir.count > uint64(limits.Entries):
		return nil, refuse(TooMany, "", fmt.Sprintf("%d entries", dir.count))
	case dir.length > uint64(limits.Directory):
		return nil, refuse(TooLarge, "", fmt.Sprintf("directory of %d bytes", dir.length))
	}
	data := make([]byte, dir.length)
	if _, err := at.ReadAt(data, int64(dir.offset)); err != nil {
		return nil, broken(err, "directory")
	}
	entries, err := parseDirectory(data, dir, limits)
	if err != nil {
		return nil, err
	}
	z := &Zip{at: at, limits: limits}
	return z, z.accept(entries, int64(dir.offset))
}

// accept checks the entries and keeps the regular files, by name.
func (z *Zip) accept(entries []entry, end int64) error {
	if err := checkEntries(entries, z.limits); err != nil {
		return err
	}
	if err := checkOverlap(entries, end); err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e entry) bool { return e.folder })
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
	z.entries = entries
	z.files = make([]File, len(entries))
	for i, e := range entries {
		z.files[i] = File{Name: e.name, Size: int64(e.size), Modified: e.modified}
	}
	return nil
}

// Files lists the regular files by name.
func (z *Zip) Files() []File { return z.files }

// broken turns a short read into a refusal.
func broken(err error, what string) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return refuse(Truncated, "", what)
	}
	return err
}

// directory is where the list of entries lies.
type directory struct{ offset, length, count uint64 }

const (
	endLength       = 22
	endSignature    = 0x06054b50
	end64Signature  = 0x06064b50
	locator64       = 0x07064b50
	longestComment  = 65535
	end64Length     = 56
	locator64Length = 20
	full16          = 0xffff
	full32          = 0xffffffff
)

var little = binary.LittleEndian

// locate finds the directory from the end record, of the large form if there is
// one.
func locate(at io.ReaderAt, size int64) (directory, error) {
	if err := sniff(at, size); err != nil {
		return directory{}, err
	}
	tail := make([]byte, min(size, endLength+longestComment))
	start := size - int64(len(tail))
	if _, err := at.ReadAt(tail, start); err != nil && !errors.Is(err, io.EOF) {
		return directory{}, err
	}
	i := findEnd(tail)
	if i < 0 {
		return directory{}, refuse(Truncated, "", "no end record")
	}
	end := tail[i:]
	if little.Uint16(end[4:]) != 0 && little.Uint16(end[4:]) != full16 {
		return directory{}, refuse(NotZip, "", "one part of several")
	}
	dir := directory{
		offset: uint64(little.Uint32(end[16:])), length: uint64(little.Uint32(end[12:])), count: uint64(little.Uint16(end[10:])),
	}
	endAt := uint64(start) + uint64(i)
	if dir.count == full16 || dir.length == full32 || dir.offset == full32 {
		large, limit, err := locate64(at, int64(endAt))
		if err != nil {
			return directory{}, err
		}
		if limit > 0 {
			dir, endAt = large, limit
		}
	}
	if dir.length > endAt || dir.offset > endAt-dir.length {
		return directory{}, refuse(Truncated, "", "directory outside of the archive")
	}
	return dir, nil
}

// sniff refuses what does not begin like a zip archive, naming what it is.
func sniff(at io.ReaderAt, size int64) error {
	if size <= 0 {
		return refuse(Truncated, "", "empty")
	}
	head := make([]byte, min(size, 4))
	if _, err := at.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch text := string(head); {
	case strings.HasPrefix(text, "PK\x03\x04"), strings.HasPrefix(text, "PK\x05\x06"):
		if size < endLength {
			return refuse(Truncated, "", fmt.Sprintf("%d bytes", size))
		}
		return nil
	case strings.HasPrefix(text, "\x1f\x8b"):
		return refuse(NotZip, "", "gzip")
	case strings.HasPrefix(text, "<"):
		return refuse(NotZip, "", "a web page")
	case strings.HasPrefix(text, "{") || strings.HasPrefix(text, "["):
		return refuse(NotZip, "", "JSON")
	}
	return refuse(NotZip, "", "unknown content")
}

// findEnd returns the position of the end record in the tail, or -1. Its
// comment must reach exactly to the end, as a record inside a comment would not.
func findEnd(tail []byte) int {
	for i := len(tail) - endLength; i >= 0; i-- {
		if little.Uint32(tail[i:]) == endSignature && i+endLength+int(little.Uint16(tail[i+20:])) == len(tail) {
			return i
		}
	}
	return -1
}

// locate64 reads the end record of the large form; limit is its position, 0
// when there is none.
func locate64(at io.ReaderAt, endAt int64) (dir directory, limit uint64, err error) {
	if endAt < locator64Length {
		return dir, 0, nil
	}
	var locator [locator64Length]byte
	if _, err := at.ReadAt(locator[:], endAt-locator64Length); err != nil {
		return dir, 0, broken(err, "end record")
	}
	if little.Uint32(locator[:]) != locator64 {
		return dir, 0, nil
	}
	offset := little.Uint64(locator[8:])
	if offset > uint64(endAt) {
		return dir, 0, refuse(Truncated, "", "end record outside of the archive")
	}
	var end [end64Length]byte
	if _, err := at.ReadAt(end[:], int64(offset)); err != nil {
		return dir, 0, broken(err, "end record")
	}
	if little.Uint32(end[:]) != end64Signature {
		return dir, 0, refuse(Truncated, "", "end record")
	}
	dir = directory{offset: little.Uint64(end[48:]), length: little.Uint64(end[40:]), count: little.Uint64(end[32:])}
	return dir, offset, nil
}
