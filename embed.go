// Package sweepbot carries what installs sweepbot in a repository inside the
// program: the sweep workflows, the Action, and the example of a caller. So the
// workflows that "sweepbot try --engine act" runs are the ones that are
// released, wherever the binary is.
package sweepbot

import (
	"embed"
	"io/fs"
)

//go:embed action.yml .github/workflows/sweep*.yml docs/examples/run-sweep.yml
var files embed.FS

// Files are the files by their paths in the repository of sweepbot.
func Files() fs.FS { return files }
