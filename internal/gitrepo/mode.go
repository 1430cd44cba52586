package gitrepo

import "fmt"

// Mode is the mode of a tree entry as git stores it, for example 0o100644.
type Mode uint32

// The types of entry, the upper bits of a mode.
const (
	modeType      Mode = 0o170000
	modeDirectory Mode = 0o040000
	modeRegular   Mode = 0o100000
	modeSymlink   Mode = 0o120000
	modeSubmodule Mode = 0o160000
)

// IsRegular reports a file with content of its own, executable or not.
func (m Mode) IsRegular() bool { return m&modeType == modeRegular }

// IsExecutable reports a regular file that may be run.
func (m Mode) IsExecutable() bool { return m.IsRegular() && m&0o100 != 0 }

// IsDir reports a directory.
func (m Mode) IsDir() bool { return m&modeType == modeDirectory }

// IsSymlink reports a symbolic link.
func (m Mode) IsSymlink() bool { return m&modeType == modeSymlink }

// IsSubmodule reports a commit of another repository.
func (m Mode) IsSubmodule() bool { return m&modeType == modeSubmodule }

// String returns the six octal digits that git prints.
func (m Mode) String() string { return fmt.Sprintf("%06o", uint32(m)) }

// Entry is one name in a tree.
type Entry struct {
	Name string // one path component, bytes as stored: it may be no UTF-8
	Mode Mode
	OID  string // of the blob or tree; of a commit elsewhere for a submodule
}
