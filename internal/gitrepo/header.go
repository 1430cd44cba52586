package gitrepo

import (
	"fmt"
	"strconv"
	"strings"
)

// The kinds of object, in git's words.
const (
	kindBlob   = "blob"
	kindTree   = "tree"
	kindCommit = "commit"
	kindTag    = "tag"
)

// state is what became of a request for an object.
type state uint8

const (
	present   state = iota
	missing         // the store has no such object, or the name means none
	ambiguous       // an abbreviated id that several objects share
	oversize        // above the limit, not read
	corrupt         // read, but not well formed
)

// object is an answer of the store. Only state and, where git told it, oid are
// set unless the state is present.
type object struct {
	state state
	oid   string // lower-case hexadecimal, 40 or 64 characters
	kind  string
	size  int64
	limit int64  // the limit that an oversize object is above
	data  []byte // bytes of anything but a tree; shared, never to be changed
	dir   *folder
}

// parseHeader reads the first line of an answer, without its line end, to a
// request for name.
func parseHeader(line, name string) (object, error) {
	if rest, ok := strings.CutPrefix(line, name+" "); ok {
		switch rest {
		case "missing":
			return object{state: missing}, nil
		case "ambiguous":
			return object{state: ambiguous}, nil
		}
	}
	fields := strings.Split(line, " ")
	if len(fields) != 3 || !isOID(fields[0]) || !isKind(fields[1]) {
		return object{}, fmt.Errorf("unknown answer %.80q", line)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || size < 0 {
		return object{}, fmt.Errorf("answer %.80q has no size", line)
	}
	return object{state: present, oid: fields[0], kind: fields[1], size: size}, nil
}

// isOID tells whether s is a full object id, SHA-1 or SHA-256, as git writes
// it.
func isOID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func isKind(s string) bool {
	return s == kindBlob || s == kindTree || s == kindCommit || s == kindTag
}
