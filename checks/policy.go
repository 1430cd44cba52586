package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	slashpath "path"
	"strings"

	"github.com/sweepbot/sweepbot/checks/signoff"
)

// Document is a policy file at the tip of the target branch: what the pull
// request does to it does not count (spec/checks.md section 1.2, D).
type Document struct {
	Path string
	Data []byte
}

// root is the project directory of a tree, as the layout of the settings finds
// it.
func (e *Evidence) root(tree Tree) (string, error) {
	root, err := e.Settings.Layout.Root(tree)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the project directory of %s: %w", short(tree.Commit().ID), err)
	}
	return root, nil
}

// under reads a file below the project directory of a tree.
func (e *Evidence) under(tree Tree, name string) (Document, error) {
	root, err := e.root(tree)
	if err != nil {
		return Document{}, err
	}
	full := slashpath.Join(root, name)
	data, err := tree.ReadFile(full)
	return Document{full, data}, err
}

// policy reads a policy file at D. A repository without such a file answers
// fs.ErrNotExist.
func (e *Evidence) policy(ctx context.Context, name string) (Document, error) {
	if name == "" {
		return Document{}, fs.ErrNotExist
	}
	tree, err := e.TargetTree(ctx)
	if err != nil {
		return Document{}, err
	}
	return e.under(tree, name)
}

// owners reads the CODEOWNERS file at D: the first candidate that exists.
func (e *Evidence) owners(ctx context.Context) (Document, error) {
	tree, err := e.TargetTree(ctx)
	if err != nil {
		return Document{}, err
	}
	for _, name := range e.Settings.Layout.CodeOwners {
		data, err := tree.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return Document{name, data}, err
	}
	return Document{}, fs.ErrNotExist
}

// cite is a citation of the document, at a line or 0.
func (e *Evidence) cite(d Document, line int, text string) Citation {
	return Citation{Kind: CiteFile, Commit: e.Target, Path: d.Path, Line: line, Text: text, URL: e.fileURL(e.Target, d.Path, line)}
}

// citeHead is a citation of a line of the assessed commit.
func (e *Evidence) citeHead(path string, line int, text string) Citation {
	return Citation{Kind: CiteFile, Commit: e.Head, Path: path, Line: line, Text: text, URL: e.fileURL(e.Head, path, line)}
}

// fileURL is the page of a file at a commit; "" where the repository has no
// name.
func (e *Evidence) fileURL(commit, path string, line int) string {
	if e.Repository == "" {
		return ""
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	page := fmt.Sprintf("%s/blob/%s/%s", e.web(), commit, strings.Join(parts, "/"))
	if line > 0 {
		page += fmt.Sprintf("#L%d", line)
	}
	return page
}

// commitURL is the page of a commit, "" where the repository has no name.
func (e *Evidence) commitURL(id string) string {
	if e.Repository == "" {
		return ""
	}
	return e.web() + "/commit/" + id
}

// web is the page of the repository.
func (e *Evidence) web() string {
	site := e.Site
	if site == "" {
		site = "https://github.com"
	}
	return strings.TrimSuffix(site, "/") + "/" + e.Repository
}

// signOff is the sign-off as it was understood; ok is false where no body was
// given.
func (e *Evidence) signOff() (signoff.Document, bool) {
	if e.SignOff == nil {
		return signoff.Document{}, false
	}
	e.parseSignOff.Do(func() { e.parsedSignOff = signoff.Parse(e.SignOff.Body) })
	return e.parsedSignOff, true
}

// unavailable is the outcome of a check whose deciding input was not given.
func unavailable(reason string, needs ...Need) Result {
	r := Result{Status: Unavailable, Reason: reason}
	for _, need := range needs {
		r.Missing = append(r.Missing, string(need))
	}
	return r
}

// undecided is the outcome of a check that a person has to look at: WARN, or
// FAIL where the settings are strict (spec/checks.md section 1.8).
func (e *Evidence) undecided(what string, missing ...string) Result {
	if e.Settings.Checks.Undecidable == "strict" {
		return Result{Status: Fail, Reason: what + " could not be verified", Missing: missing}
	}
	return Result{Status: Warn, Reason: review(what), Missing: missing}
}

// broken reports whether an error is one of our own: neither an input that was
// not given nor one that could not be read nor a file that is not there.
func broken(err error) bool {
	return err != nil && !errors.Is(err, ErrNotGiven) && !errors.Is(err, ErrUnreadable) && !errors.Is(err, fs.ErrNotExist)
}
