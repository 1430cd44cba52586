package main

import (
	"context"
	"os"
	"time"

	"github.com/sweepbot/sweepbot/app/actions"
	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/app/serve"
	"github.com/sweepbot/sweepbot/checks"
)

// listenForSignOffs lets the bot verify sign-offs. Reviews are read where the
// client can.
func listenForSignOffs(b *bot.Bot, client *ghapi.Client, w *bot.Workspace, repository string) {
	reviews, _ := b.GitHub.(bot.Reviews)
	b.SignOffs = &bot.SignOffs{
		GitHub: b.GitHub, Clone: &fetchingClone{w, repository}, Registry: checks.Standard(), Repository: repository, Reviews: reviews, Beyond: client.Beyond, Now: time.Now,
		Summary: actions.Running(os.Getenv),
	}
	b.Comments = append(b.Comments, b.SignOffs.Handler(), b.SignOffs.DraftHandler())
}

// fetchingClone is the clone of a job, which has the branches of the repository
// as they were at the checkout: the head of a fork, or one that was pushed
// since, is fetched when it is judged. It is read as objects and never checked
// out.
type fetchingClone struct {
	*bot.Workspace
	repository string
}

// Sides is that of the workspace.
func (c *fetchingClone) Sides(ctx context.Context, branch, head string) (checks.History, string, string, error) {
	history, ok := c.History()
	if !ok {
		return c.Workspace.Sides(ctx, branch, head)
	}
	if _, err := history.Commit(ctx, head); err != nil {
		address, err := actions.APIURL(os.Getenv)
		if err != nil {
			return nil, "", "", err
		}
		if err := serve.FetchCommit(ctx, c.Dir(), address, c.repository, os.Getenv("GITHUB_TOKEN"), head); err != nil {
			return nil, "", "", err
		}
	}
	return c.Workspace.Sides(ctx, branch, head)
}

// keepBundle writes the evidence of a verdict where that was asked for.
func (f *eventFlags) keepBundle(decided bot.Decided) error {
	if decided.Bundle == nil || f.bundleOut == "" || f.dryRun {
		return nil
	}
	return replaceFile(f.bundleOut, decided.Bundle)
}
