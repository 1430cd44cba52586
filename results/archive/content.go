package archive

import (
	"io"
	"time"
)

// File is one regular file of an artifact. Name is a clean slash-separated
// path; Size is what the directory claims.
type File struct {
	Name     string
	Size     int64
	Modified time.Time
}

// Content is an opened artifact.
type Content interface {
	// Files lists the regular files by name.
	Files() []File
	// Open reads one listed file. The reader fails when the file is longer than
	// it claims, or its checksum is wrong.
	Open(name string) (io.ReadCloser, error)
}

// Limits bound what an artifact may cost.
type Limits struct {
	// Entries is the largest number of files and folders.
	Entries int
	// Directory is the largest length of the list of entries, in bytes.
	Directory int64
	// Total is the largest size of all files together when unpacked, File that
	// of a single one.
	Total, File int64
	// Ratio is the largest unpacked size for each packed byte. Small files
	// (below 1 MiB) are exempt: logs compress well.
	Ratio int64
}

// DefaultLimits are the limits of results that a sweep may produce: raw traces
// of a point reach some gigabytes.
func DefaultLimits() Limits {
	return Limits{Entries: 20_000, Directory: 8 << 20, Total: 16 << 30, File: 8 << 30, Ratio: 200}
}

const exemptSize = 1 << 20

// Reason names the rule that an archive breaks.
type Reason string

// The reasons of refusal.
const (
	NotZip       Reason = "not-zip"      // something else, such as an error page
	Truncated    Reason = "truncated"    // cut off, or the directory is broken
	TooMany      Reason = "too-many"     // entries
	TooLarge     Reason = "too-large"    // directory, file or total
	Bomb         Reason = "bomb"         // unpacks to much more than it claims or than is sane
	UnsafePath   Reason = "unsafe-path"  // "..", absolute, drive letter, device, backslash
	NotRegular   Reason = "not-regular"  // symbolic link, device, socket
	TwiceNamed   Reason = "twice-named"  // the same name twice, or names that differ in case only
	Nested       Reason = "nested"       // an archive inside the archive
	Encrypted    Reason = "encrypted"    // needs a password
	Method       Reason = "method"       // a compression that artifacts never use
	Checksum     Reason = "checksum"     // the content differs from its checksum
	Overlapping  Reason = "overlapping"  // two entries share bytes
	WrongDigest  Reason = "wrong-digest" // the archive is not the one that was uploaded
	Inconsistent Reason = "inconsistent" // the entry and the directory contradict each other
)

// Error is a refusal. Name is the entry that breaks the rule, "" when it is the
// archive as a whole; Detail is a number or word that shows the offence.
type Error struct {
	Reason Reason
	Name   string
	Detail string
}

// Error returns the refusal as one line.
func (e *Error) Error() string {
	text := "archive refused: " + string(e.Reason)
	if e.Name != "" {
		text += ": " + e.Name
	}
	if e.Detail != "" {
		text += " (" + e.Detail + ")"
	}
	return text
}

func refuse(reason Reason, name, detail string) *Error {
	return &Error{Reason: reason, Name: name, Detail: detail}
}
