package draft

import (
	"context"
	"errors"
	"io/fs"
	"path"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Of fills in the template of the target branch for the signer of a case, with
// the results of its checks and the facts of its evidence. A checklist that is
// not there, or holds no template, is the finding signoff.no-template.
func Of(ctx context.Context, e *checks.Evidence, results []checks.Result) (string, error) {
	tree, err := e.TargetTree(ctx)
	if err != nil {
		return "", err
	}
	layout := e.Settings.Layout
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
	facts, err := e.Statements(ctx)
	if err != nil {
		return "", err
	}
	return Write(template, e.Signer, results, facts), nil
}
