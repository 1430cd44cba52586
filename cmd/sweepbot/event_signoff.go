package main

import (
	"os"
	"time"

	"github.com/sweepbot/sweepbot/app/actions"
	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/checks"
)

// listenForSignOffs lets the bot verify sign-offs. Reviews are read where the
// client can.
func listenForSignOffs(b *bot.Bot, client *ghapi.Client, w *bot.Workspace, repository string) {
	reviews, _ := b.GitHub.(bot.Reviews)
	b.SignOffs = &bot.SignOffs{
		GitHub: b.GitHub, Clone: w, Registry: checks.Standard(), Repository: repository, Reviews: reviews, Beyond: client.Beyond, Now: time.Now,
		Summary: actions.Running(os.Getenv),
	}
	b.Comments = append(b.Comments, b.SignOffs.Handler(), b.SignOffs.DraftHandler())
}

// keepBundle writes the evidence of a verdict where that was asked for.
func (f *eventFlags) keepBundle(decided bot.Decided) error {
	if decided.Bundle == nil || f.bundleOut == "" || f.dryRun {
		return nil
	}
	return replaceFile(f.bundleOut, decided.Bundle)
}
