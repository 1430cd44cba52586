package story

import (
	"context"
	"strconv"

	"github.com/sweepbot/sweepbot/app/sandbox"
)

// ninePull is the number of the pull request; its changelog entry names it.
const ninePull = 13

// The title and the description of the pull request.
const (
	nineTitle = "Add Basalt 120B FP4 on boreal, disaggregated and agentic, with MTP"
	nineBody  = "Nine points: 1P1D at 56 to 128, 1P2D at 56, 1P3D at 12 to 24 concurrent requests."
)

// playNinePoints retells a thread in which a disaggregated recipe of nine
// points is added: a pull request is opened and greeted, a label starts the
// sweep, the points run behind a canary, the bot keeps one comment up to date,
// and the code owner approves.
func playNinePoints(ctx context.Context, s *Stage) error {
	if err := sweepNinePoints(ctx, s); err != nil {
		return err
	}
	if _, err := s.github.As(codeOwner).Review(ctx, s.pull, "APPROVE", "Every point of the sweep is green, and so are its evals."); err != nil {
		return err
	}
	s.tell("story.approved", "who", codeOwner)
	return s.quiet(ctx)
}

// sweepNinePoints opens the pull request and lets it be swept.
func sweepNinePoints(ctx context.Context, s *Stage) error {
	s.github.SetNextPR(ninePull)
	config, err := appended(masterFile, file("nine-points-config.yaml"))
	if err != nil {
		return err
	}
	changelog, err := appended(changelogFile, file("nine-points-changelog.yaml"))
	if err != nil {
		return err
	}
	s.pull, err = s.github.As(author).OpenPR(ctx, sandbox.PullSpec{
		Title: nineTitle, Branch: "basalt-disagg-mtp",
		Body: nineBody,
		Edit: sandbox.Edit{Message: nineTitle, Files: map[string]string{masterFile: config, changelogFile: changelog}},
	})
	if err != nil {
		return err
	}
	s.tell("story.opened", "who", author, "number", strconv.Itoa(s.pull), "url", s.URL())
	if err := s.quiet(ctx); err != nil {
		return err
	}
	s.tell("story.labelled", "who", maintainer, "label", sweepLabel)
	if err := s.github.As(maintainer).AddLabel(ctx, s.pull, sweepLabel); err != nil {
		return err
	}
	return s.quiet(ctx)
}

// URL is the page of the pull request, or of the repository before there is
// one.
func (s *Stage) URL() string {
	page := s.github.URL() + "/" + repository
	if s.pull == 0 {
		return page
	}
	return page + "/pull/" + strconv.Itoa(s.pull)
}
