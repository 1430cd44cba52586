package story

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/reuse"
)

// The pull request of the older era.
const (
	augustTitle  = "Add Basalt 120B FP4 on boreal with SGLang, disaggregated and agentic, with hicache"
	augustBody   = "Five points: 1P1D at 2 to 32 concurrent requests, MTP with two draft tokens."
	augustRecipe = "benchmarks/multi_node/agentic/basalt_fp4_boreal_sglang-disagg.sh"
)

// augustSeed is what the sample has instead, or in addition, under the rules of
// August 2026: the preset, runner facts in a hardware table, a launcher that
// starts scripts, and the documents of that time at their places.
func augustSeed() map[string]string {
	return map[string]string{
		".github/sweepbot.yml":          file("august-sweepbot.yml"),
		"configs/runners.yaml":          file("august-runners.yaml"),
		"runners/launch_boreal-rack.sh": file("august-launcher.sh"),
		"docs/PR_REVIEW_CHECKLIST.md":   file("august-checklist.md"),
		"MODELS.md":                     file("MODELS.md"),
	}
}

// playOlderEra retells a thread of summer 2026: a 1P1D recipe is opened,
// greeted and swept, a maintainer allows to reuse the sweep at merge, and the
// code owner signs off (spec/walkthrough.md, scenario B).
func playOlderEra(ctx context.Context, s *Stage) error {
	if err := s.openOlder(ctx); err != nil {
		return err
	}
	s.tell("story.labelled", "who", maintainer, "label", sweepLabel)
	if err := s.github.As(maintainer).AddLabel(ctx, s.pull, sweepLabel); err != nil {
		return err
	}
	if err := s.quiet(ctx); err != nil {
		return err
	}
	if err := s.say(ctx, maintainer, reuse.Legacy); err != nil {
		return err
	}
	run, err := s.newestRun(ctx)
	if err != nil {
		return err
	}
	page := fmt.Sprintf("%s/%s/actions/runs/%d", s.github.URL(), repository, run.ID)
	return s.say(ctx, codeOwner, strings.NewReplacer(
		"- [ ]", "- [x]", "with a link to the workflow run", "with a link to the workflow run: "+page, "FILL_IN_YOUR_LOGIN", codeOwner,
	).Replace(signoff.Template(file("august-checklist.md"))))
}

// openOlder opens the pull request and waits for the greeting.
func (s *Stage) openOlder(ctx context.Context) error {
	s.github.SetNextPR(ninePull) // its changelog entry names it
	config, err := appended(masterFile, file("august-config.yaml"))
	if err != nil {
		return err
	}
	changelog, err := appended(changelogFile, file("august-changelog.yaml"))
	if err != nil {
		return err
	}
	s.pull, err = s.github.As(author).OpenPR(ctx, sandbox.PullSpec{
		Title: augustTitle, Branch: "basalt-sglang-hicache", Body: augustBody,
		Edit: sandbox.Edit{Message: augustTitle, Files: map[string]string{masterFile: config, changelogFile: changelog, augustRecipe: file("august-recipe.sh")}},
	})
	if err != nil {
		return err
	}
	s.tell("story.opened", "who", author, "number", strconv.Itoa(s.pull), "url", s.URL())
	return s.quiet(ctx)
}
