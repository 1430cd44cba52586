package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// PassingSweep is check 1: a sweep with its evals succeeded on a commit of the
// pull request, and what its points serve is the same at the head (spec/checks.md,
// check 1). Of a run only its jobs count, never a check run alone.
func PassingSweep() Check {
	return Check{Topic: TopicSweep, Needs: []Need{NeedGit, NeedCheckRuns, NeedRuns, NeedArtifacts}, Decide: decideSweep}
}

// Bounds of what one verification reads: runs that are judged, runs whose jobs
// are listed, commits whose check runs are.
const (
	maxTried  = 8
	maxJobs   = 3
	maxListed = 6
)

func decideSweep(ctx context.Context, e *Evidence) (Result, error) {
	affected, err := e.Affected(ctx)
	if err != nil {
		return Result{}, err
	}
	if affected.Findings.Refused() {
		r, _ := e.nothing(affected)
		return r, nil
	}
	if len(affected.Keys)+len(affected.Entries) == 0 && e.Settings.Checks.DocsOnlyNotApplicable {
		return Result{Status: NotApplicable, Reason: "no config key is affected and no changelog entry is added."}, nil
	}
	s, err := e.sweepsTried(ctx)
	switch {
	case broken(err):
		return Result{}, err
	case err != nil:
		return e.undecided("the commits of this PR are not known; the clone does not hold their history", string(NeedGit)), nil
	case s.passed != nil:
		return s.pass(), nil
	}
	return s.open(ctx)
}

// sweepsTried judges the sweeps of the pull request, once, until one passes.
// An error that is not broken says that its commits are not known.
func (e *Evidence) sweepsTried(ctx context.Context) (*sweepCheck, error) {
	return e.judged.get(ctx, none{}, func(ctx context.Context) (*sweepCheck, error) {
		affected, err := e.Affected(ctx)
		if err != nil {
			return nil, err
		}
		s := &sweepCheck{e: e, affected: affected, tried: make(map[int64]bool), plans: make(map[string]*plannedSweep), dated: e.Profile.Since("2026-11")}
		if err := s.commitsOf(ctx); err != nil {
			return nil, err
		}
		for _, look := range []func(context.Context) error{s.named, s.listed, s.mirrored} {
			if err := look(ctx); err != nil || s.passed != nil {
				return s, err
			}
		}
		return s, nil
	})
}

// outdatedRun reports whether a run that somebody names measured what the head
// serves no more, or no commit of the pull request. What is not known is not
// said.
func (e *Evidence) outdatedRun(ctx context.Context, id int64) (bool, error) {
	affected, err := e.Affected(ctx)
	if err != nil || affected.Findings.Refused() || !e.Profile.Since("2026-11") {
		return false, err
	}
	s, err := e.sweepsTried(ctx)
	if err != nil {
		return false, onlyBroken(err)
	}
	return slices.ContainsFunc(s.attempts, func(a *attempt) bool { return a.run.ID == id && a.stale() }), nil
}

// sweepCheck looks for a run that passes, in the order in which it costs least:
// runs that somebody names, runs that are listed, runs that check runs lead to.
type sweepCheck struct {
	e        *Evidence
	affected *Affected
	// dated says that a run has to be current.
	dated bool
	// commits are those of the pull request, newest first; parents leads from
	// each to those before.
	commits []string
	parents map[string][]string

	tried    map[int64]bool
	attempts []*attempt
	passed   *attempt
	// searched says that runs were listed somehow, so that what is not found is
	// not there; denied that a list could not be read.
	searched, denied bool
	jobsRead         int
	plans            map[string]*plannedSweep
}

// attempt is a run as a candidate.
type attempt struct {
	run Run
	// sha is the commit of the pull request that it measured, "" for none;
	// measured is the commit whose tree is compared.
	sha, measured string
	// refusal says why it is no candidate, as a sentence; short of that, failure
	// says why it is not green, and review what only a person can judge.
	refusal, failure, review string
	lanes                    []laneCount
	current                  *currency
	remarks                  []string
	unread                   bool
}

// stale reports whether what it measured is served no more.
func (a *attempt) stale() bool { return a.current != nil && !a.current.holds() }

// commitsOf lists the commits of the pull request, the head first.
func (s *sweepCheck) commitsOf(ctx context.Context) error {
	list, err := s.e.Commits(ctx)
	if err != nil {
		return err
	}
	s.parents = make(map[string][]string, len(list))
	s.commits = []string{s.e.Head}
	for _, c := range list {
		s.parents[c.ID] = c.Parents
		if c.ID != s.e.Head {
			s.commits = append(s.commits, c.ID)
		}
	}
	return nil
}

// named tries the runs that the sign-off and the reuse command name.
func (s *sweepCheck) named(ctx context.Context) error {
	var ids []int64
	if doc, signed := s.e.signOff(); signed {
		ids = doc.Runs()
		ids = ids[:min(len(ids), 5)]
	}
	comments, err := s.e.Comments(ctx)
	if broken(err) {
		return err
	}
	if _, command, ok := authorizedCommand(comments, s.e.Profile.Since("2026-09")); ok && command.Pinned() {
		if id, ok := runID(command.Run); ok {
			ids = append(ids, id)
		}
	}
	for _, id := range ids {
		if err := s.tryID(ctx, id); err != nil || s.passed != nil {
			return err
		}
	}
	return nil
}

// listed tries the runs that the pull request started, newest first.
func (s *sweepCheck) listed(ctx context.Context) error {
	runs, err := s.e.SweepRuns(ctx)
	if err != nil {
		s.denied = s.denied || errors.Is(err, ErrUnreadable)
		return onlyBroken(err)
	}
	s.searched = true
	for _, run := range runs {
		if err := s.try(ctx, run); err != nil || s.passed != nil {
			return err
		}
	}
	return nil
}

// mirrored tries the runs that check runs of the newest commits lead to: a
// dispatched sweep is listed with no branch of the pull request. Where pull
// requests start their sweeps themselves, the list has said it all.
func (s *sweepCheck) mirrored(ctx context.Context) error {
	if s.searched && slices.ContainsFunc(s.attempts, func(a *attempt) bool { return a.run.Event == "pull_request" && a.sha != "" }) {
		return nil
	}
	asked := 0
	for _, sha := range s.commits {
		if asked == maxListed || len(s.attempts) >= maxTried {
			break
		}
		list, err := s.e.CheckRuns(ctx, sha)
		if errors.Is(err, ErrNotGiven) || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if asked++; err != nil {
			s.denied = true
			if broken(err) {
				return err
			}
			continue
		}
		s.searched = true
		for _, id := range runsBehind(list) {
			if err := s.tryID(ctx, id); err != nil || s.passed != nil {
				return err
			}
		}
	}
	return nil
}

// runsBehind are the runs that check runs name in their details, the newest
// first.
func runsBehind(list []CheckRun) []int64 {
	var ids []int64
	for _, c := range list {
		if laneOf(c.Name) == "" && !strings.HasPrefix(c.Name, mirrorPrefix) {
			continue
		}
		if id := runOf(c); id > 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b int64) int { return int(b>>1 - a>>1) })
	return ids
}

// mirrorPrefix begins the names of check runs that follow a dispatched sweep.
const mirrorPrefix = "sweepbot / sweep"

// runOf is the run that the details of a check run lead to, or 0.
func runOf(c CheckRun) int64 {
	_, rest, ok := strings.Cut(c.DetailsURL, "/actions/runs/")
	if !ok {
		return 0
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	if id, ok := runID(rest[:end]); ok && end > 0 {
		return id
	}
	return 0
}

// onlyBroken drops the errors that say no more than that evidence is missing.
func onlyBroken(err error) error {
	if broken(err) {
		return err
	}
	return nil
}

func (s *sweepCheck) tryID(ctx context.Context, id int64) error {
	if s.tried[id] {
		return nil
	}
	run, err := s.e.Run(ctx, id)
	switch {
	case err == nil:
		return s.try(ctx, run)
	case broken(err):
		return err
	}
	s.tried[id] = true
	a := &attempt{run: Run{ID: id}, unread: !errors.Is(err, fs.ErrNotExist)}
	if !a.unread {
		a.refusal = fmt.Sprintf("Run %d does not exist.", id)
	}
	s.denied = s.denied || errors.Is(err, ErrUnreadable)
	s.attempts = append(s.attempts, a)
	return nil
}

// try judges a run: what git can tell comes before what has to be asked for.
func (s *sweepCheck) try(ctx context.Context, run Run) error {
	if s.tried[run.ID] || len(s.attempts) >= maxTried {
		return nil
	}
	s.tried[run.ID] = true
	a := &attempt{run: run}
	s.attempts = append(s.attempts, a)
	a.sha, a.refusal = s.candidate(run)
	if a.refusal != "" {
		return nil
	}
	a.measured = a.sha
	if err := s.compare(ctx, a); err != nil || a.stale() {
		return err
	}
	if err := s.green(ctx, a); err != nil || a.failure != "" || a.unread {
		return err
	}
	if err := s.pinned(ctx, a); err != nil || a.refusal != "" || a.stale() {
		return err
	}
	if err := s.trusted(ctx, a); err != nil || a.review != "" {
		return err
	}
	s.passed = a
	return nil
}
