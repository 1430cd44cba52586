package draft

import (
	"errors"
	"io/fs"
	"path"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// ForTree fills in the template that a tree holds, that of the target branch.
// A checklist that is not there, or holds no template, is the finding
// signoff.no-template.
func ForTree(tree checks.Tree, layout config.Layout, signer string, results []checks.Result) (string, error) {
	file, err := layout.Resolve(tree, layout.Checklist)
	var data []byte
	if err == nil {
		data, err = tree.ReadFile(file)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	template := signoff.Template(string(data))
	if template == "" {
		return "", diag.New("signoff.no-template", diag.Place{File: path.Clean(layout.Checklist)})
	}
	return Write(template, signer, results), nil
}
