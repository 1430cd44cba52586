package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// maxAggregate bounds an aggregate of a run: a point has about 4 kB.
const maxAggregate = 64 << 20

// SweepRun is the run that a sign-off rests on: the one it cites, else the one
// that the reuse command names. The error is ErrNotGiven where neither can be
// told without what was not given, fs.ErrNotExist where there is none on a
// commit of the pull request.
func (e *Evidence) SweepRun(ctx context.Context) (Run, error) {
	var ids []int64
	doc, signed := e.signOff()
	if signed {
		ids = doc.Runs()
	}
	comments, err := e.Comments(ctx)
	switch {
	case err == nil:
		if _, command, ok := authorizedCommand(comments, e.Profile.Since("2026-09")); ok && command.Pinned() {
			if id, ok := runID(command.Run); ok && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	case broken(err):
		return Run{}, err
	}
	if len(ids) == 0 && (!signed || errors.Is(err, ErrNotGiven)) {
		return Run{}, ErrNotGiven
	}
	return e.firstOf(ctx, ids)
}

// firstOf is the first run of the list that measured a commit of the pull
// request.
func (e *Evidence) firstOf(ctx context.Context, ids []int64) (Run, error) {
	last := fmt.Errorf("no run of this pull request is named: %w", fs.ErrNotExist)
	for _, id := range ids[:min(len(ids), 5)] {
		run, err := e.Run(ctx, id)
		if err != nil {
			if broken(err) {
				return Run{}, err
			}
			last = err
			continue
		}
		in, err := e.inPull(ctx, run.HeadSHA)
		if err != nil {
			return Run{}, err
		}
		if in {
			return run, nil
		}
		last = fmt.Errorf("run %d measured %s, which is no commit of this pull request: %w", id, short(run.HeadSHA), fs.ErrNotExist)
	}
	return Run{}, last
}

// inPull reports whether a commit is one of the pull request's.
func (e *Evidence) inPull(ctx context.Context, sha string) (bool, error) {
	if sha == e.Head {
		return true, nil
	}
	commits, err := e.Commits(ctx)
	if err != nil {
		return false, err
	}
	for _, c := range commits {
		if c.ID == sha {
			return true, nil
		}
	}
	return false, nil
}

// runID reads the digits of a command; longer ones name no run.
func runID(digits string) (int64, bool) {
	if len(digits) > 18 {
		return 0, false
	}
	var id int64
	for _, d := range digits {
		id = id*10 + int64(d-'0')
	}
	return id, id > 0
}

// aggregate reads the rows of the newest aggregate of a run.
func (e *Evidence) aggregate(ctx context.Context, run Run, artifact, file string) ([]ordjson.Value, Artifact, error) {
	list, err := e.Artifacts(ctx, run.ID)
	if err != nil {
		return nil, Artifact{}, err
	}
	var newest Artifact
	for _, a := range list {
		if a.Name == artifact && (newest.ID == 0 || a.Created.After(newest.Created)) {
			newest = a
		}
	}
	switch {
	case newest.ID == 0:
		return nil, newest, fmt.Errorf("run %d has no artifact %s: %w", run.ID, artifact, fs.ErrNotExist)
	case newest.Expired:
		return nil, newest, fmt.Errorf("artifact %s of run %d is expired: %w", artifact, run.ID, ErrUnreadable)
	}
	data, err := e.ArtifactFile(ctx, newest.ID, file, maxAggregate)
	if err != nil {
		return nil, newest, err
	}
	value, err := ordjson.Parse(data)
	if err != nil || value.Kind != ordjson.Array {
		return nil, newest, fmt.Errorf("%s of run %d is no list of rows: %w", file, run.ID, ErrUnreadable)
	}
	return value.Items, newest, nil
}

// cite is a citation of a run.
func (r Run) cite(text string) Citation {
	return Citation{Kind: CiteRun, ID: r.ID, Text: text, URL: r.URL, Commit: r.HeadSHA}
}

// link is a run as rows show it.
func (r Run) link() string {
	if r.URL == "" {
		return fmt.Sprintf("%d", r.ID)
	}
	return fmt.Sprintf("[%d](%s)", r.ID, r.URL)
}
