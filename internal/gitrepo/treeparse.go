package gitrepo

import (
	"bytes"
	"encoding/hex"
	"errors"
)

// folder is a parsed tree object.
type folder struct {
	entries []Entry
	byName  map[string]int
}

// find returns the entry called name.
func (f *folder) find(name string) (Entry, bool) {
	i, ok := f.byName[name]
	if !ok {
		return Entry{}, false
	}
	return f.entries[i], true
}

var (
	errTreeShort = errors.New("tree ends inside an entry")
	errTreeMode  = errors.New("tree entry without a mode")
	errTreeName  = errors.New("tree entry without a usable name")
	errTreeTwice = errors.New("tree has a name twice")
)

// parseTree reads a tree object: entries of octal mode, space, name, NUL and
// width raw bytes of object id (20 or 32).
//
// Two entries of one name are refused, though git would take the first: a
// reviewer and a reader must not see different files.
func parseTree(data []byte, width int) (*folder, error) {
	// The shortest entry is "1 a\0" and the id: a bound for the allocation.
	count := len(data) / (width + 4)
	f := &folder{entries: make([]Entry, 0, count), byName: make(map[string]int, count)}
	for len(data) > 0 {
		mode, rest, err := cutMode(data)
		if err != nil {
			return nil, err
		}
		end := bytes.IndexByte(rest, 0)
		if end < 0 || len(rest) < end+1+width {
			return nil, errTreeShort
		}
		name := string(rest[:end])
		if name == "" || name == "." || name == ".." || bytes.IndexByte(rest[:end], '/') >= 0 {
			return nil, errTreeName
		}
		if _, twice := f.byName[name]; twice {
			return nil, errTreeTwice
		}
		f.byName[name] = len(f.entries)
		f.entries = append(f.entries, Entry{Name: name, Mode: mode, OID: hex.EncodeToString(rest[end+1 : end+1+width])})
		data = rest[end+1+width:]
	}
	return f, nil
}

// cutMode reads the octal mode before the first space.
func cutMode(data []byte) (Mode, []byte, error) {
	var mode Mode
	for i, c := range data {
		switch {
		case c == ' ' && i > 0:
			return mode, data[i+1:], nil
		case c < '0' || c > '7' || i >= 7:
			return 0, nil, errTreeMode
		}
		mode = mode<<3 | Mode(c-'0')
	}
	return 0, nil, errTreeShort
}
