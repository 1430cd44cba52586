package localrun

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
)

// Default limits of a job in minutes (spec/labels-and-sweeps.md section 9.2).
const (
	singleMinutes       = 500
	multiMinutes        = 480
	multiAgenticMinutes = 780
)

// executor measures points.
type executor struct {
	site     Site
	launcher Launcher
	bars     results.Thresholds
	out      string   // absolute
	root     *os.Root // the same folder
	base     []string // inherited environment
	timeout  time.Duration
	grace    time.Duration
	wait     time.Duration
}

// limit is how long a point may run.
func (e *executor) limit(p *Point) time.Duration {
	switch {
	case e.timeout > 0:
		return e.timeout
	case p.Multinode && p.Agentic:
		return multiAgenticMinutes * time.Minute
	case p.Multinode:
		return multiMinutes * time.Minute
	}
	return singleMinutes * time.Minute
}

// run measures a point once: launcher, result check, artifacts. The artifacts
// of a failed point are kept as far as they exist; those of one that was
// stopped are not.
func (e *executor) run(ctx context.Context, p *Point, attempt int) error {
	if p.Fault != nil {
		return *p.Fault
	}
	work := path.Join("work", p.ID)
	if err := errors.Join(e.root.RemoveAll(work), e.root.MkdirAll(work, 0o755), e.root.MkdirAll("logs", 0o755)); err != nil {
		return err
	}
	log, err := createLog(e.root, path.Join("logs", p.ID+".log"))
	if err != nil {
		return err
	}
	folder, err := e.root.OpenRoot(work)
	if err != nil {
		return errors.Join(err, log.Close())
	}
	err = e.measure(ctx, p, attempt, folder, log)
	err = firstError(err, log.Close())
	_ = folder.Close()
	if err == nil {
		return e.root.RemoveAll(work)
	}
	return err
}

func (e *executor) measure(ctx context.Context, p *Point, attempt int, folder *os.Root, log *cappedLog) error {
	argv, err := e.launcher.argv(e.site.Repo, p.Runner)
	if err != nil {
		return err
	}
	fmt.Fprintf(log, "[sweepbot: attempt %d at %s, %q]\n", attempt, p.Label(), argv)
	c := command{
		argv: argv, dir: filepath.Join(e.out, "work", p.ID), env: append(e.base[:len(e.base):len(e.base)], p.Env.Lines()...),
		timeout: e.limit(p), grace: e.grace, log: log,
	}
	failure := c.run(ctx)
	if failure == nil {
		j := judge{point: p, contract: e.site.Contract, root: folder, bars: e.bars, wait: e.wait}
		failure = j.check(ctx)
	}
	if failure != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	k := keeper{from: folder, to: e.root, refuse: func(f diag.Finding) {
		fmt.Fprintf(log, "[sweepbot: not kept: %s]\n", diag.Printable(f.Error()))
	}}
	for _, a := range p.artifacts(e.site.Contract, failure == nil, attempt) {
		if err := k.keep(a); err != nil {
			failure = firstError(failure, err)
		}
	}
	if failure != nil {
		fmt.Fprintf(log, "[sweepbot: failed: %s]\n", diag.Printable(finding(failure).Error()))
	}
	return failure
}
