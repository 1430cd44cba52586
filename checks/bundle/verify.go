package bundle

import (
	"context"
	"fmt"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/config"
)

// Verification is a case that was decided, with everything that it rests on.
type Verification struct {
	checks.Case
	// Era is the profile that was asked for, "" for that of the settings.
	Era     string
	Results []checks.Result

	source   *recorder
	history  *archivist
	evidence *checks.Evidence
}

// Evidence is what the checks looked at. Whatever else is asked of it is
// recorded as well and goes into the bundle, so that it can be asked again.
func (v *Verification) Evidence() *checks.Evidence { return v.evidence }

// Verify decides a case. Its settings are those of the target branch, where
// the rules that judge a change are read; era, where it is not "", replaces
// their profile and nothing else. A case without a repository is about the one
// that the settings name. Errors are refused settings (a diag.List), or
// failures of a source or of git that are none of the author's.
func Verify(ctx context.Context, registry *checks.Registry, c checks.Case, era string, source checks.Source, history checks.History) (*Verification, error) {
	v := &Verification{Case: c, Era: era, source: &recorder{source: source}, history: newArchivist(history)}
	tree, err := v.history.Tree(ctx, c.Target)
	if err != nil {
		return nil, err
	}
	if v.Settings, _, err = config.Detect(tree); err != nil {
		return nil, err
	}
	if era != "" {
		v.Settings.Checks.Profile = era
	}
	profile, ok := checks.NewProfile(v.Settings.Checks.Profile)
	if !ok {
		return nil, fmt.Errorf("there is no profile %q", v.Settings.Checks.Profile)
	}
	v.Profile = profile
	if v.Repository == "" {
		v.Repository = v.Settings.Changelog.Repository
	}
	v.evidence = checks.NewEvidence(v.Case, v.source, v.history)
	v.Results, err = registry.Decide(ctx, v.evidence)
	if err != nil {
		return nil, err
	}
	return v, ctx.Err()
}
