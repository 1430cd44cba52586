package bot

import (
	"context"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
)

// topicWelcome is the topic of the welcome comment, legacyWelcome how those of
// the reference's workflow begin (spec/labels-and-sweeps.md section 12).
const topicWelcome = "welcome"

var legacyWelcome = []string{"<!-- recipe-reminder -->"}

// welcome greets the author of a pull request that touches what is measured:
// once, whatever happens to the pull request later.
func (b *Bot) welcome(ctx context.Context, settings config.Settings, pr *PullRequest, out *Decided) error {
	if pr.State != "open" || pr.BaseBranch != settings.Layout.BaseBranch {
		out.because("bot.welcome-not-here", "base", settings.Layout.BaseBranch)
		return nil
	}
	files, complete, err := b.changedFiles(ctx, pr.BaseSHA, pr.HeadSHA)
	if err != nil {
		return err
	}
	if complete && !slices.ContainsFunc(files, func(name string) bool { return measured(settings.Layout, name) }) {
		out.because("bot.welcome-not-needed")
		return nil
	}
	out.inform(&UpsertComment{
		Number: pr.Number, Topic: topicWelcome, Once: true, Legacy: legacyWelcome,
		content: fixed{topicWelcome, welcomeText(settings)},
	}, note("bot.welcome-why"))
	return nil
}

// measured reports whether a file bears on what is measured: a master config,
// the changelog, or a benchmark.
func measured(l config.Layout, name string) bool {
	for _, file := range append(slices.Clone(l.Masters), l.Changelog) {
		if slices.Contains(below(l.Roots, file), name) {
			return true
		}
	}
	folder, _, _ := strings.Cut(l.Recipes.SingleNode, "/")
	return folder != "" && slices.ContainsFunc(below(l.Roots, folder+"/"), func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// welcomeText is the comment, English first.
func welcomeText(s config.Settings) string {
	return layout([]section{
		{lines: []string{welcomeIn(words{catalog.English}, s)}},
		{fold: "中文", folded: true, nested: []section{{lines: []string{welcomeIn(words{catalog.Chinese}, s)}}}},
	}, maxComment-200)
}

// Where the rules are written down.
const (
	labelGuide = "https://github.com/sweepbot/sweepbot/blob/main/docs/labels.md"
	rerunGuide = "https://docs.github.com/en/actions/how-tos/manage-workflow-runs/re-run-workflows-and-jobs"
)

// welcomeIn says four things: thanks, who reviews, how a sweep is started, and
// what is left to do after the merge.
func welcomeIn(w words, s config.Settings) string {
	l := s.Labels
	lines := []string{w.say("bot.welcome-thanks"), ""}
	if s.Layout.Checklist != "" {
		lines = append(lines, "- "+w.say("bot.welcome-review", "checklist", markdown(code(s.Layout.Checklist))))
	}
	lines = append(lines, "- "+w.say("bot.welcome-sweep"))
	for i, p := range l.Primaries {
		text := "  - " + code(p.Name) + ": " + w.say("bot.welcome-does-"+traits(p))
		if i == slices.IndexFunc(l.Primaries, func(p config.Primary) bool { return p.Canary && p.FailFast && p.Reusable }) {
			text += " " + w.say("bot.welcome-recommended")
		}
		lines = append(lines, text)
	}
	if modifiers := modifierNames(l); modifiers != "" {
		lines = append(lines, "  - "+w.say("bot.welcome-modifiers", "labels", markdown(modifiers)))
	}
	return strings.Join(append(lines,
		"  - "+w.say("bot.welcome-forks"),
		"  - "+mdLink(w.say("bot.welcome-guide"), labelGuide),
		"- "+w.say("bot.welcome-merge", "guide", markdown(mdLink(w.say("bot.welcome-rerun"), rerunGuide)))), "\n")
}

// traits is the word for what a sweep label does.
func traits(p config.Primary) string {
	switch {
	case p.Trim:
		return "trim"
	case p.Canary && p.FailFast:
		return "canary-fail-fast"
	case p.Canary:
		return "canary"
	case p.FailFast:
		return "fail-fast"
	}
	return "all"
}

func modifierNames(l config.Labels) string {
	var names []string
	for _, name := range []string{l.AllEvals, l.EvalsOnly, l.AgentXFast, l.OnlyStale} {
		if name != "" {
			names = append(names, code(name))
		}
	}
	return strings.Join(names, ", ")
}
