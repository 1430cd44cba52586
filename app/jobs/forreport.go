package jobs

import (
	"bytes"
	"context"
	"errors"
	"path"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/collect"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/launch"
)

// Bounds of finding the commands that serve the points. They are for people to
// read: a plan is never late or refused for them.
const (
	maxServed   = 4000
	serveBudget = 3 * time.Minute
)

// forReport are the files of the plan artifact that only the report reads: the
// bars that the eval jobs judge by, which are those of the measured commit, and
// the commands that would serve the points. What can't be had is left out.
func (h *Host) forReport(ctx context.Context, planned bot.Planned, base matrix.Files, where *place) map[string][]byte {
	out := make(map[string][]byte)
	measured, err := where.space.Revision(ctx, where.here.ID)
	if err != nil {
		h.say("no bars and serve commands in the report: %v", err)
		return out
	}
	bars := barsOf(measured.Files, planned.Settings.Layout)
	if bars != nil {
		out[collect.ThresholdsFile] = bars
	}
	if o := barsOf(base, planned.Settings.Layout); o != nil && !bytes.Equal(o, bars) {
		h.annotate(diag.List{diag.New("jobs.bars-changed", diag.Place{File: planned.Settings.Layout.Thresholds}).WithSeverity(diag.Warning)})
	}
	served, err := serveCommands(ctx, planned, measured.Files)
	if err != nil {
		h.say("no serve commands in the report: %v", err)
	}
	if served != nil {
		out[collect.ServeFile] = served
	}
	return out
}

// barsOf is the threshold file of a revision, nil without one. It lies below the
// same root as the file that the settings look for.
func barsOf(files matrix.Files, layout config.Layout) []byte {
	if layout.Thresholds == "" {
		return nil
	}
	for _, root := range layout.Roots {
		if _, err := files.ReadFile(path.Join(root, layout.Probe)); err != nil {
			continue
		}
		data, err := files.ReadFile(path.Join(root, layout.Thresholds))
		if err != nil || len(data) > maxBars {
			return nil
		}
		return data
	}
	return nil
}

// maxBars bounds a threshold file.
const maxBars = 1 << 20

// serveCommands finds the commands of all points.
func serveCommands(ctx context.Context, planned bot.Planned, files matrix.Files) ([]byte, error) {
	tree, ok := files.(*gitrepo.Tree)
	if !ok || countRows(planned) > maxServed {
		return nil, errors.New("too many points")
	}
	inventory, list := matrix.ReadRunners(planned.Settings, files)
	if list.Refused() {
		return nil, list
	}
	resolver, err := launch.New(planned.Settings, inventory, launch.GitTree(tree), nil)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, serveBudget)
	defer cancel()
	var ids []string
	var rows []*matrix.Row
	known := bot.PointIDs(planned.Families)
	for _, f := range planned.Families {
		for _, r := range f.Rows {
			ids, rows = append(ids, known[r]), append(rows, r)
		}
	}
	served, err := collect.ResolveServe(ctx, resolver, ids, rows)
	if err != nil {
		return nil, err
	}
	return served.Document()
}

// digestOf is the digest of a file that may not be there, "" then.
func digestOf(files map[string][]byte, name string) string {
	if files[name] == nil {
		return ""
	}
	return digest(files[name])
}
