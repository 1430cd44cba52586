package story

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/reuse"
)

// The files of the story, and what the description says of settings, first
// wrong and then right.
const (
	ownRecipe      = "benchmarks/multi_node/basalt-disagg-mtp.yaml"
	borealLauncher = "runners/launch_boreal-rack.sh"
	auroraLauncher = "runners/launch_aurora-rack.sh"
	ownTool        = "tools/points.sh"
	evalTasks      = "utils/evals/tasks.py"

	wrongClaims = " It sets `dram-utilization: 0.8` and `kv-p2p-transfer: mooncake`."
	rightClaims = " It sets `dram-utilization: 1.0` and `kv-p2p-transfer: nixl`."
)

// supersededSeed is what the sample has beside the documents of sign-offs: a
// launcher that submits the recipe which a point names, and the code of evals.
func supersededSeed() map[string]string {
	files := policies()
	files[borealLauncher] = file("superseded-launcher.sh")
	files[evalTasks] = "# The tasks of evals.\nTASKS = [\"gsm8k\"]\n"
	return files
}

// playSuperseded retells a thread of autumn 2026 (spec/walkthrough.md, scenario
// A): a sweep is green, then every point moves to another KV store; a sweep of
// that is green too, until the base brings other eval code; the next one fails.
// The sign-off cites the first. After its rejection the author sweeps again, and
// the second sign-off rests on that run although the head has moved on.
func playSuperseded(ctx context.Context, s *Stage) error {
	if s.local == nil {
		return diag.New("story.needs-local", diag.Place{}).In("usage")
	}
	cited, err := s.measuredTooEarly(ctx)
	if err != nil {
		return err
	}
	if err := s.signOff(ctx, cited, ""); err != nil {
		return err
	}
	right, err := s.corrected(ctx)
	if err != nil {
		return err
	}
	return s.signOff(ctx, right, "The draft is the model's own MTP head, stored and served in BF16, and excluded from quantisation.")
}

// measuredTooEarly goes as far as the first sign-off, and returns the run that
// it will cite.
func (s *Stage) measuredTooEarly(ctx context.Context) (int64, error) {
	if err := s.openSuperseded(ctx); err != nil {
		return 0, err
	}
	first, err := s.sweepOnce(ctx)
	if err != nil {
		return 0, err
	}
	stored := strings.ReplaceAll(file("superseded-recipe.yaml"), "NixlConnector", "LarderConnector")
	pooled := strings.Replace(stored, "override_1p1d:\n", "override_1p1d:\n  environment: { LARDER_POOL: shared }\n", 1)
	steps := []func() error{
		func() error {
			return s.push(ctx, "Move every point to the Larder store", map[string]string{ownRecipe: stored})
		},
		func() error {
			return s.push(ctx, "1P1D: prefill and decode share one pool", map[string]string{ownRecipe: pooled})
		},
		func() error { _, err := s.sweepOnce(ctx); return err },
		func() error {
			return s.mainMoves(ctx, "Evals: a second task", map[string]string{evalTasks: "TASKS = [\"gsm8k\", \"gpqa\"]\n"})
		},
		func() error { _, err := s.sweepOnce(ctx, failAt("d3x4_conc16")...); return err },
		func() error {
			return s.push(ctx, "Say how points are listed", map[string]string{"tools/README.md": "sh tools/points.sh\n"})
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return 0, err
		}
	}
	return first, nil
}

// corrected goes from the rejection to a current sweep, and returns its run.
func (s *Stage) corrected(ctx context.Context) (int64, error) {
	config := strings.Replace(file("nine-points-changelog.yaml"), "    - \"1P1D with", "    - \"KV cache in fp8, KV store: Larder\"\n    - \"1P1D with", 1)
	changelog, err := appended(changelogFile, config)
	if err != nil {
		return 0, err
	}
	if err := s.push(ctx, "Changelog: name the KV store and its type", map[string]string{changelogFile: changelog}); err != nil {
		return 0, err
	}
	run, err := s.sweepOnce(ctx)
	if err != nil {
		return 0, err
	}
	launcher, err := appended(auroraLauncher, "# Nodes of aurora boot slowly.\n")
	if err != nil {
		return 0, err
	}
	if err := s.mainMoves(ctx, "Aurora: a remark", map[string]string{auroraLauncher: launcher}); err != nil {
		return 0, err
	}
	if err := s.push(ctx, "Drop the tooling", map[string]string{ownTool: "", "tools/README.md": ""}); err != nil {
		return 0, err
	}
	if err := s.github.As(author).EditPR(ctx, s.pull, nineTitle, nineBody+rightClaims); err != nil {
		return 0, err
	}
	s.tell("story.corrected", "who", author)
	return run, s.quiet(ctx)
}

// openSuperseded opens the pull request and waits for the greeting.
func (s *Stage) openSuperseded(ctx context.Context) error {
	s.github.SetNextPR(ninePull) // its changelog entry names it
	own := file("nine-points-config.yaml")
	for i, decode := range []string{"DECODE_NODES=1", "DECODE_NODES=2", "DECODE_NODES=3"} {
		own = strings.Replace(own, decode, fmt.Sprintf("%s, \"CONFIG_FILE=%s:override_1p%dd\"", decode, ownRecipe, i+1), 1)
	}
	config, err := appended(masterFile, own)
	if err != nil {
		return err
	}
	changelog, err := appended(changelogFile, file("nine-points-changelog.yaml"))
	if err != nil {
		return err
	}
	s.pull, err = s.github.As(author).OpenPR(ctx, sandbox.PullSpec{
		Title: nineTitle, Branch: "basalt-disagg-mtp", Body: nineBody + wrongClaims,
		Edit: sandbox.Edit{Message: nineTitle, Files: map[string]string{
			masterFile: config, changelogFile: changelog, ownRecipe: file("superseded-recipe.yaml"), ownTool: "#!/bin/sh\ngrep conc-list configs/boreal-master.yaml\n",
		}},
	})
	if err != nil {
		return err
	}
	s.tell("story.opened", "who", author, "number", strconv.Itoa(s.pull), "url", s.URL())
	return s.quiet(ctx)
}

// sweepOnce lets the head be swept, with some environment for the launchers,
// and takes the label off again, so that later pushes start nothing. It returns
// the run.
func (s *Stage) sweepOnce(ctx context.Context, environment ...string) (int64, error) {
	before := s.local.environment
	s.local.environment = append(before[:len(before):len(before)], environment...)
	defer func() { s.local.environment = before }()
	milo := s.github.As(maintainer)
	s.tell("story.labelled", "who", maintainer, "label", sweepLabel)
	if err := milo.AddLabel(ctx, s.pull, sweepLabel); err != nil {
		return 0, err
	}
	if err := s.quiet(ctx); err != nil {
		return 0, err
	}
	run, err := s.newestRun(ctx)
	if err != nil {
		return 0, err
	}
	s.tell("story.unlabelled", "who", maintainer, "label", sweepLabel)
	if err := milo.RemoveLabel(ctx, s.pull, sweepLabel); err != nil {
		return 0, err
	}
	return run.ID, s.quiet(ctx)
}

// push adds a commit to the pull request; an empty text removes a file.
func (s *Stage) push(ctx context.Context, message string, files map[string]string) error {
	sha, err := s.github.As(author).Push(ctx, s.pull, edit(message, files))
	if err != nil {
		return err
	}
	s.tell("story.pushed", "who", author, "sha", sha[:8], "message", message)
	return s.quiet(ctx)
}

func edit(message string, files map[string]string) sandbox.Edit {
	e := sandbox.Edit{Message: message, Files: make(map[string]string)}
	for name, text := range files {
		if text == "" {
			e.Delete = append(e.Delete, name)
		} else {
			e.Files[name] = text
		}
	}
	return e
}

// mainMoves changes the base branch and merges it into the pull request.
func (s *Stage) mainMoves(ctx context.Context, message string, files map[string]string) error {
	sha, err := s.github.As(admin).PushBranch(ctx, "main", edit(message, files))
	if err != nil {
		return err
	}
	s.tell("story.pushed", "who", admin, "sha", sha[:8], "message", message)
	if err := s.github.As(author).UpdateBranch(ctx, s.pull); err != nil {
		return err
	}
	s.tell("story.merged-base", "who", author)
	return s.quiet(ctx)
}

// signOff lets the maintainer name a run and the code owner sign off, who cites
// it and leaves no item open.
func (s *Stage) signOff(ctx context.Context, run int64, detail string) error {
	if err := s.say(ctx, maintainer, fmt.Sprintf("%s %d", reuse.Use, run)); err != nil {
		return err
	}
	page := fmt.Sprintf("%s/%s/actions/runs/%d", s.github.URL(), repository, run)
	return s.say(ctx, codeOwner, strings.ReplaceAll(signed(detail), "with a link to the run", "see "+page))
}

// newestRun is the sweep that is the newest.
func (s *Stage) newestRun(ctx context.Context) (bot.Run, error) {
	gh, err := s.api(ctx, author)
	if err != nil {
		return bot.Run{}, err
	}
	runs, err := gh.WorkflowRuns(ctx, sweepWorkflow, bot.RunFilter{})
	if err != nil || len(runs) == 0 {
		return bot.Run{}, err
	}
	return runs[0], nil
}
