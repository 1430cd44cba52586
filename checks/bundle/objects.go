package bundle

import (
	"encoding/json"
	"errors"
	"io/fs"
	"time"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// raw is text of git, which may be no UTF-8: such text is {"base64": "..."}.
type raw string

type rawBytes struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON writes the text, or its bytes.
func (t raw) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return json.Marshal(rawBytes{[]byte(t)})
}

// UnmarshalJSON reads either form.
func (t *raw) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		var b rawBytes
		err := json.Unmarshal(data, &b)
		*t = raw(b.Base64)
		return err
	}
	var s string
	err := json.Unmarshal(data, &s)
	*t = raw(s)
	return err
}

// commit is a commit in a bundle; mail addresses are left out.
type commit struct {
	ID        string   `json:"id"`
	Tree      string   `json:"tree"`
	Parents   []string `json:"parents,omitempty"`
	Author    person   `json:"author"`
	Committer person   `json:"committer"`
	Message   raw      `json:"message"`
}

// person is who and when, as seconds since 1970 and the offset of the zone.
type person struct {
	Name raw    `json:"name"`
	When *int64 `json:"when,omitempty"`
	Zone int    `json:"zone,omitempty"`
}

func writeCommit(c gitrepo.Commit) commit {
	return commit{c.ID, c.Tree, c.Parents, writePerson(c.Author), writePerson(c.Committer), raw(c.Message)}
}

func writePerson(s gitrepo.Signature) person {
	p := person{Name: raw(s.Name)}
	if !s.When.IsZero() {
		seconds := s.When.Unix()
		p.When = &seconds
		_, p.Zone = s.When.Zone()
	}
	return p
}

func (c commit) read() gitrepo.Commit {
	return gitrepo.Commit{ID: c.ID, Tree: c.Tree, Parents: c.Parents, Author: c.Author.read(), Committer: c.Committer.read(), Message: string(c.Message)}
}

func (p person) read() gitrepo.Signature {
	s := gitrepo.Signature{Name: string(p.Name)}
	if p.When != nil {
		s.When = time.Unix(*p.When, 0).In(time.FixedZone("", p.Zone))
	}
	return s
}

// entry is a name of a tree.
type entry struct {
	Name raw    `json:"name"`
	Mode uint32 `json:"mode"`
	OID  string `json:"oid,omitempty"`
}

func writeEntry(e gitrepo.Entry) entry { return entry{raw(e.Name), uint32(e.Mode), e.OID} }

func (e entry) read() gitrepo.Entry {
	return gitrepo.Entry{Name: string(e.Name), Mode: gitrepo.Mode(e.Mode), OID: e.OID}
}

// change is a path that differs.
type change struct {
	Path    raw    `json:"path"`
	Status  string `json:"status"`
	OldMode uint32 `json:"old_mode,omitempty"`
	NewMode uint32 `json:"new_mode,omitempty"`
	OldOID  string `json:"old_oid,omitempty"`
	NewOID  string `json:"new_oid,omitempty"`
}

func writeChange(c gitrepo.Change) change {
	return change{raw(c.Path), c.Status.String(), uint32(c.OldMode), uint32(c.NewMode), c.OldOID, c.NewOID}
}

func (c change) read() gitrepo.Change {
	status := gitrepo.Status(0)
	if c.Status != "" {
		status = gitrepo.Status(c.Status[0])
	}
	return gitrepo.Change{
		Path: string(c.Path), Status: status,
		OldMode: gitrepo.Mode(c.OldMode), NewMode: gitrepo.Mode(c.NewMode), OldOID: c.OldOID, NewOID: c.NewOID,
	}
}

// problem is why something could not be read of a tree: what a repository may
// hold, not what is wrong with a clone.
type problem struct {
	Kind   string `json:"kind"`
	Parent raw    `json:"parent,omitempty"`
	Mode   uint32 `json:"mode,omitempty"`
	OID    string `json:"oid,omitempty"`
	Size   int64  `json:"size,omitempty"`
	Limit  int64  `json:"limit,omitempty"`
}

// The kinds of problems.
const (
	problemAbsent = "absent"
	problemFile   = "not-a-file"
	problemLarge  = "too-large"
	problemPath   = "no-path"
)

// writeProblem takes an error of a tree apart; ok is false for one that no
// bundle can give again.
func writeProblem(err error) (*problem, bool) {
	var absent *gitrepo.NotFoundError
	var file *gitrepo.NotFileError
	var large *gitrepo.TooLargeError
	var path *gitrepo.PathError
	switch {
	case errors.As(err, &absent):
		return &problem{Kind: problemAbsent, Parent: raw(absent.Parent), Mode: uint32(absent.Mode)}, true
	case errors.As(err, &file):
		return &problem{Kind: problemFile, Mode: uint32(file.Mode)}, true
	case errors.As(err, &large):
		return &problem{Kind: problemLarge, OID: large.OID, Size: large.Size, Limit: large.Limit}, true
	case errors.As(err, &path):
		return &problem{Kind: problemPath}, true
	case errors.Is(err, fs.ErrNotExist):
		return &problem{Kind: problemAbsent}, true
	}
	return nil, false
}

// read is the error again.
func (p problem) read(rev, path string) error {
	switch p.Kind {
	case problemFile:
		return &gitrepo.NotFileError{Rev: rev, Path: path, Mode: gitrepo.Mode(p.Mode)}
	case problemLarge:
		return &gitrepo.TooLargeError{OID: p.OID, Rev: rev, Path: path, Size: p.Size, Limit: p.Limit}
	case problemPath:
		return &gitrepo.PathError{Rev: rev, Path: path}
	}
	return &gitrepo.NotFoundError{Rev: rev, Path: path, Parent: string(p.Parent), Mode: gitrepo.Mode(p.Mode)}
}
