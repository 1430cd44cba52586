package bot

import (
	"github.com/sweepbot/sweepbot/checks"
)

// History is what git holds of a clone, for the checks of a sign-off; ok is
// false for a plain folder, which has none. It lives as long as the workspace.
func (w *Workspace) History() (history checks.History, ok bool) {
	if w.repo == nil {
		return nil, false
	}
	return checks.GitHistory{Repo: w.repo}, true
}
