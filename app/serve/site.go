package serve

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/checks"
)

// site is one repository on which the App is installed. Only the worker of the
// repository uses it.
type site struct {
	repository string
	options    *Options
	github     bot.GitHub
	beyond     func(signer string) bot.Beyond
	account    bot.User
	clone      clone
}

// site returns the site of a repository. The installation is looked up once.
func (s *Server) site(ctx context.Context, repository string) (*site, error) {
	key := strings.ToLower(repository)
	s.mu.Lock()
	known := s.sites[key]
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	client, err := s.app.ForRepository(ctx, repository) // refuses names that are none
	if err != nil {
		return nil, err
	}
	out, err := s.newSite(ctx, client, repository)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sites[key] = out
	return out, nil
}

func (s *Server) newSite(ctx context.Context, client *ghapi.Client, repository string) (*site, error) {
	address, err := cloneURL(s.options.APIURL, repository)
	if err != nil {
		return nil, err
	}
	account, err := client.Account(ctx)
	if err != nil {
		return nil, err
	}
	owner, name, _ := strings.Cut(repository, "/")
	return &site{
		repository: repository, options: &s.options, github: client.Repository(owner, name), beyond: client.Beyond, account: account,
		clone: clone{dir: filepath.Join(s.dir, strings.ToLower(repository)+".git"), address: address, token: client.GitToken},
	}, nil
}

// handle decides what a delivery asks for and does it.
func (s *site) handle(ctx context.Context, d bot.Delivery, defaultBranch string) (bot.Decided, bot.Results, error) {
	b := &bot.Bot{
		GitHub: s.github, Reuse: bot.ReuseMentions{GitHub: s.github}, Setting: bot.AsApp,
		Options: bot.Options{Repository: s.repository, Self: []int64{s.account.ID}, Now: time.Now, Dispatches: s.options.Dispatches},
	}
	reviews, _ := s.github.(bot.Reviews)
	b.SignOffs = &bot.SignOffs{
		GitHub: s.github, Registry: checks.Standard(), Repository: s.repository, Reviews: reviews, Beyond: s.beyond, Now: time.Now,
	}
	b.Comments = append(b.Comments, b.SignOffs.Handler(), b.SignOffs.DraftHandler(), b.StaleHandler())
	if decided, over := b.AtSight(d); over {
		return decided, nil, nil
	}
	if err := s.clone.fetch(ctx, defaultBranch, baseOf(d), pullsOf(d)); err != nil {
		return bot.Decided{}, nil, err
	}
	workspace, err := bot.OpenWorkspace(ctx, s.clone.dir)
	if err != nil {
		return bot.Decided{}, nil, err
	}
	defer workspace.Close()
	b.Planner, b.SignOffs.Clone = bot.WorkspacePlanner{Workspace: workspace}, workspace
	decided, err := b.Decide(ctx, d)
	if err != nil {
		return decided, nil, err
	}
	world := &bot.World{GitHub: s.github, Repository: s.repository, Self: []int64{s.account.ID}, Wait: s.options.Wait}
	executor := &bot.Executor{World: world, Journal: &bot.MemoryJournal{}}
	results, err := executor.Perform(ctx, decided.Intents)
	if err == nil {
		err = results.Err()
	}
	return decided, results, err
}

func baseOf(d bot.Delivery) string {
	if d.PR == nil {
		return ""
	}
	return d.PR.BaseBranch
}

// pullsOf are the pull requests whose heads a handler may plan.
func pullsOf(d bot.Delivery) []int {
	var numbers []int
	if d.PR != nil {
		numbers = append(numbers, d.PR.Number)
	}
	if d.Issue != nil && d.Issue.IsPullRequest {
		numbers = append(numbers, d.Issue.Number)
	}
	if d.Run != nil {
		numbers = append(numbers, d.Run.PullRequests...)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}
