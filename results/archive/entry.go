package archive

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// entry is one record of the directory.
type entry struct {
	name         string
	raw          string // the name as written, to compare with the entry itself
	method       uint16
	checksum     uint32
	packed, size uint64
	offset       uint64 // of the entry itself
	modified     time.Time
	folder       bool
}

const (
	entryLength    = 46
	entrySignature = 0x02014b50
	localLength    = 30
	localSignature = 0x04034b50

	flagEncrypted = 1 << 0
	flagStrong    = 1 << 6
	flagUTF8      = 1 << 11

	methodStore   = 0
	methodDeflate = 8

	modeType   = 0o170000
	modeFile   = 0o100000
	modeFolder = 0o040000
)

// parseDirectory reads all records. The claimed count must be the real one.
func parseDirectory(data []byte, dir directory, limits Limits) ([]entry, error) {
	entries := make([]entry, 0, dir.count)
	for len(data) > 0 {
		if uint64(len(entries)) == dir.count {
			return nil, refuse(Inconsistent, "", fmt.Sprintf("more than the claimed %d entries", dir.count))
		}
		e, rest, err := parseEntry(data)
		if err != nil {
			return nil, err
		}
		entries, data = append(entries, e), rest
	}
	if uint64(len(entries)) != dir.count {
		return nil, refuse(Truncated, "", fmt.Sprintf("%d of %d entries", len(entries), dir.count))
	}
	return entries, nil
}

func parseEntry(data []byte) (entry, []byte, error) {
	if len(data) < entryLength || little.Uint32(data) != entrySignature {
		return entry{}, nil, refuse(Truncated, "", "entry of the directory")
	}
	nameLen, extraLen, commentLen := int(little.Uint16(data[28:])), int(little.Uint16(data[30:])), int(little.Uint16(data[32:]))
	end := entryLength + nameLen + extraLen + commentLen
	if len(data) < end {
		return entry{}, nil, refuse(Truncated, "", "entry of the directory")
	}
	raw := string(data[entryLength : entryLength+nameLen])
	e := entry{
		raw: raw, method: little.Uint16(data[10:]), checksum: little.Uint32(data[16:]),
		packed: uint64(little.Uint32(data[20:])), size: uint64(little.Uint32(data[24:])), offset: uint64(little.Uint32(data[42:])),
		modified: dosTime(little.Uint16(data[14:]), little.Uint16(data[12:])),
		folder:   strings.HasSuffix(raw, "/"),
	}
	if err := e.large(data[entryLength+nameLen : entryLength+nameLen+extraLen]); err != nil {
		return entry{}, nil, err
	}
	return e, data[end:], e.check(little.Uint16(data[8:]), little.Uint32(data[38:]))
}

// large reads the 64-bit sizes of the extra field, where the short ones are full,
// and the time of day in seconds where it is given.
func (e *entry) large(extra []byte) error {
	for len(extra) >= 4 {
		id, n := little.Uint16(extra), int(little.Uint16(extra[2:]))
		if len(extra) < 4+n {
			return refuse(Truncated, e.raw, "extra field")
		}
		field := extra[4 : 4+n]
		extra = extra[4+n:]
		switch {
		case id == 1:
			for _, value := range []*uint64{&e.size, &e.packed, &e.offset} {
				if *value != full32 {
					continue
				}
				if len(field) < 8 {
					return refuse(Truncated, e.raw, "extra field")
				}
				*value, field = little.Uint64(field), field[8:]
			}
		case id == 0x5455 && n >= 5 && field[0]&1 != 0:
			e.modified = time.Unix(int64(int32(little.Uint32(field[1:]))), 0).UTC()
		}
	}
	return nil
}

// check holds one record against the rules that need no other record, and sets
// its clean name.
func (e *entry) check(flags uint16, attributes uint32) error {
	name, safe := safeName(e.raw)
	switch mode := attributes >> 16 & modeType; {
	case !safe || (flags&flagUTF8 == 0 && !isASCII(e.raw)):
		return refuse(UnsafePath, e.raw, "")
	case mode != 0 && mode != modeFile && mode != modeFolder:
		return refuse(NotRegular, e.raw, fmt.Sprintf("mode %o", attributes>>16))
	case e.folder && e.size != 0:
		return refuse(NotRegular, e.raw, "a folder with content")
	case flags&(flagEncrypted|flagStrong) != 0:
		return refuse(Encrypted, e.raw, "")
	case e.method != methodStore && e.method != methodDeflate:
		return refuse(Method, e.raw, fmt.Sprint(e.method))
	case e.method == methodStore && e.packed != e.size:
		return refuse(Inconsistent, e.raw, "a stored file with two sizes")
	case isArchive(name):
		return refuse(Nested, e.raw, "")
	}
	e.name = name
	return nil
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}

// dosTime reads the two-second time of the directory, as UTC.
func dosTime(date, clock uint16) time.Time {
	return time.Date(int(date>>9)+1980, time.Month(date>>5&15), int(date&31), int(clock>>11), int(clock>>5&63), int(clock&31)*2, 0, time.UTC)
}

// checkEntries holds all records against the limits and against each other.
func checkEntries(entries []entry, limits Limits) error {
	var total uint64
	seen := make(map[string]string, len(entries))
	for _, e := range entries {
		switch {
		case e.size > uint64(limits.File):
			return refuse(TooLarge, e.name, fmt.Sprintf("%d bytes", e.size))
		case e.size > exemptSize && e.size/uint64(limits.Ratio) > e.packed:
			return refuse(Bomb, e.name, fmt.Sprintf("%d bytes from %d", e.size, e.packed))
		}
		if total += e.size; total > uint64(limits.Total) {
			return refuse(TooLarge, "", fmt.Sprintf("more than %d bytes", limits.Total))
		}
		folded := strings.ToLower(e.name)
		if other, ok := seen[folded]; ok {
			return refuse(TwiceNamed, e.name, other)
		}
		seen[folded] = e.name
	}
	return fileAsFolder(seen, entries)
}

// fileAsFolder refuses a file that is also the folder of another one.
func fileAsFolder(seen map[string]string, entries []entry) error {
	files := make(map[string]bool, len(entries))
	for _, e := range entries {
		if !e.folder {
			files[e.name] = true
		}
	}
	for _, e := range entries {
		for dir := e.name; ; {
			cut := strings.LastIndexByte(dir, '/')
			if cut < 0 {
				break
			}
			if dir = dir[:cut]; files[dir] {
				return refuse(TwiceNamed, e.name, seen[strings.ToLower(dir)])
			}
		}
	}
	return nil
}

// checkOverlap refuses entries that share bytes, the trick of small archives
// that unpack to petabytes. end is where the entries must end.
func checkOverlap(entries []entry, end int64) error {
	order := slices.Clone(entries)
	slices.SortFunc(order, func(a, b entry) int {
		switch {
		case a.offset < b.offset:
			return -1
		case a.offset > b.offset:
			return 1
		}
		return 0
	})
	var reached uint64
	for _, e := range order {
		if e.offset < reached {
			return refuse(Overlapping, e.name, "")
		}
		reached = e.offset + localLength + uint64(len(e.raw)) + e.packed
		if reached < e.offset || reached > uint64(end) {
			return refuse(Truncated, e.name, "outside of the archive")
		}
	}
	return nil
}
