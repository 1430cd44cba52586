package gitrepo

import (
	"errors"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Finding returns the error with its place and mend.
func (e *NotRepositoryError) Finding() diag.Finding {
	dir := place("")
	switch {
	case e.Absent:
		return diag.New("gitrepo.no-directory", dir, "dir", printable(e.Dir))
	case e.Link != "":
		return diag.New("gitrepo.broken-link", dir, "dir", printable(e.Dir), "link", printable(e.Link))
	case e.Top != "":
		return diag.New("gitrepo.inside-repository", dir, "dir", printable(e.Dir), "top", printable(e.Top))
	default:
		return diag.New("gitrepo.not-repository", dir, "dir", printable(e.Dir))
	}
}

// Finding returns the error with its place and mend.
func (e *RevError) Finding() diag.Finding {
	args := []string{"rev", printable(e.Rev), "word", shellWord(e.Rev), "dir", shellWord(e.Dir), "kind", e.Kind}
	switch {
	case e.Problem == RevUnsafe:
		return diag.New("gitrepo.rev-unsafe", place(""), args...)
	case e.Problem == RevAmbiguous:
		return diag.New("gitrepo.rev-ambiguous", place(""), args...)
	case e.Problem == RevNotCommit:
		return diag.New("gitrepo.rev-not-commit", place(""), args...)
	case e.Shallow:
		return diag.New("gitrepo.rev-unknown-shallow", place(""), args...)
	default:
		return diag.New("gitrepo.rev-unknown", place(""), args...)
	}
}

// Finding returns the error with its place and mend.
func (e *PathError) Finding() diag.Finding {
	return diag.New("gitrepo.path-unsafe", place(e.Path), "path", printable(e.Path))
}

// Finding returns the error with its place and mend.
func (e *NotFoundError) Finding() diag.Finding {
	args := []string{"rev", printable(e.Rev), "path", printable(e.Path)}
	if e.Parent == "" {
		return diag.New("gitrepo.file-absent", place(e.Path), args...)
	}
	args = append(args, "parent", printable(e.Parent), "mode", e.Mode.String())
	return diag.New("gitrepo.not-directory", place(e.Path), args...)
}

// Finding returns the error with its place and mend.
func (e *NotFileError) Finding() diag.Finding {
	code := "gitrepo.not-file"
	switch {
	case e.Mode.IsSymlink():
		code = "gitrepo.symlink"
	case e.Mode.IsSubmodule():
		code = "gitrepo.submodule"
	case e.Mode.IsDir():
		code = "gitrepo.directory"
	}
	return diag.New(code, place(e.Path), "rev", printable(e.Rev), "path", printable(e.Path), "mode", e.Mode.String())
}

// Finding returns the error with its place and mend.
func (e *TooLargeError) Finding() diag.Finding {
	return diag.New("gitrepo.too-large", place(e.Path), "rev", printable(e.Rev), "oid", e.OID,
		"size", strconv.FormatInt(e.Size, 10), "limit", strconv.FormatInt(e.Limit, 10))
}

// Finding returns the error with its place and mend.
func (e *MissingObjectError) Finding() diag.Finding {
	args := []string{"rev", printable(e.Rev), "oid", e.OID, "dir", shellWord(e.Dir)}
	code := "gitrepo.object-missing"
	switch {
	case e.Commit && e.Shallow:
		code = "gitrepo.commit-missing-shallow"
	case e.Commit:
		code = "gitrepo.commit-missing"
	case e.Partial:
		code = "gitrepo.object-missing-partial"
	}
	return diag.New(code, place(e.Path), args...)
}

// Finding returns the error with its place and mend.
func (e *CorruptError) Finding() diag.Finding {
	return diag.New("gitrepo.object-corrupt", place(e.Path), "rev", printable(e.Rev), "oid", e.OID)
}

// Finding returns the error with its place and mend.
func (e *ShallowError) Finding() diag.Finding {
	return diag.New("gitrepo.history-shallow", place(""), "a", printable(e.A), "b", printable(e.B), "dir", shellWord(e.Dir))
}

// Finding returns the error with its place and mend.
func (e *NoMergeBaseError) Finding() diag.Finding {
	return diag.New("gitrepo.no-merge-base", place(""), "a", printable(e.A), "b", printable(e.B))
}

// Finding returns the error with its place and mend.
func (e *TooManyChangesError) Finding() diag.Finding {
	return diag.New("gitrepo.too-many-changes", place(""), "a", printable(e.A), "b", printable(e.B), "limit", strconv.Itoa(e.Limit))
}

// Finding returns the error with its place and mend.
func (e *ProcessError) Finding() diag.Finding {
	if errors.Is(e.Err, exec.ErrNotFound) {
		return diag.New("gitrepo.git-absent", place(""))
	}
	return diag.New("gitrepo.git-failed", place(""), "command", e.Command, "words", printable(e.reason()))
}

// reason joins what we saw and git's last line. That git closed its output says
// nothing where git says why.
func (e *ProcessError) reason() string {
	words := lastLine(strings.TrimSpace(e.Words))
	switch {
	case e.Err == nil || words != "" && errors.Is(e.Err, io.EOF):
		return words
	case words == "":
		return e.Err.Error()
	default:
		return e.Err.Error() + ": " + words
	}
}

// place is a file of the repository as a whole; its name may be hostile.
func place(path string) diag.Place { return diag.Place{File: printable(path)} }

// maxShown bounds a piece of input inside a message, in bytes.
const maxShown = 300

// printable returns s fit for one line of a message: as it is, or quoted where
// it has line ends, control, direction or invalid characters.
func printable(s string) string {
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown], "") + "..."
	}
	if strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) || c == unicode.ReplacementChar }) {
		return strconv.Quote(s)
	}
	return s
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./][A-Za-z0-9_@%+=:,./~^-]*$`)

// shellWord returns s as one word of a command that a person may copy.
func shellWord(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return printable("'" + strings.ReplaceAll(s, "'", `'\''`) + "'")
}

func lastLine(s string) string { return s[strings.LastIndexByte(s, '\n')+1:] }

// rejected tells from git's words that it takes the directory for no
// repository.
func rejected(words string) bool { return strings.Contains(words, "not a git repository") }
