package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	slashpath "path"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// waiverFolder holds the documents that excuse a patch, one for each pull
// request (spec/checks.md section 1.1).
const waiverFolder = "docs/waiver"

// Waiver is the document that may excuse the patches of a pull request.
type Waiver struct {
	// Path is where it stands, or would stand.
	Path  string
	Found bool
	// Patches are the patch files that the change adds or modifies.
	Patches []string
}

// Waiver looks for the waiver of the pull request at its head. ok is false
// where its number is not known.
func (e *Evidence) Waiver(ctx context.Context) (w Waiver, ok bool, err error) {
	if e.PR == 0 {
		return w, false, nil
	}
	tree, err := e.HeadTree(ctx)
	if err != nil {
		return w, false, err
	}
	doc, err := e.under(tree, slashpath.Join(waiverFolder, fmt.Sprintf("%d.md", e.PR)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return w, false, err
	}
	w.Path, w.Found = doc.Path, err == nil
	changes, err := e.Changed(ctx)
	if err != nil {
		return w, false, err
	}
	for _, c := range changes {
		if c.Status != gitrepo.Deleted && e.Role(c.Path) != RoleNone && slices.Contains([]string{".patch", ".diff"}, strings.ToLower(slashpath.Ext(c.Path))) {
			w.Patches = append(w.Patches, c.Path)
		}
	}
	return w, true, nil
}
