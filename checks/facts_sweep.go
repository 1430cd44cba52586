package checks

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// Sweep is a run of the sweep workflow with what its jobs came to.
type Sweep struct {
	Run Run
	// Lanes are those that ran anything, in the order of laneNames; a lane
	// whose jobs were all skipped is none.
	Lanes []Lane
	// Failed are the newest attempts of jobs of lanes that did not succeed.
	Failed []Job
}

// Lane counts the jobs of one lane by their newest attempt. Skipped jobs count
// as nothing (spec/checks.md, check 1).
type Lane struct {
	Name                    string
	Succeeded, Failed, Open int
}

// laneNames are the lanes of a sweep (spec/checks.md, check 1); the canaries
// run a point of some other lane.
var laneNames = []string{
	"single-node 1k1k", "single-node 8k1k", "multi-node 1k1k", "multi-node 8k1k", "agentic", "multi-node agentic",
	"eval", "agentic eval", "multi-node eval", "multi-node agentic eval", "canary", "multi-node canary",
}

// laneOf is the lane of a job by the front of its name, "" for aggregators and
// all other jobs. Names of calling workflows may stand before the lane.
func laneOf(job string) string {
	front, _, _ := strings.Cut(job, "|")
	words := strings.Split(front, "/")
	for _, word := range words[:len(words)-1] {
		if word = strings.TrimSpace(word); slices.Contains(laneNames, word) {
			return word
		}
	}
	return ""
}

// SweepRuns are the newest runs of the sweep workflow that the pull request
// started and whose commit is one of its own, newest first. The error wraps
// ErrNotGiven or ErrUnreadable where that can't be told.
func (e *Evidence) SweepRuns(ctx context.Context) ([]Run, error) {
	return e.sweeps.get(ctx, none{}, e.listSweeps)
}

func (e *Evidence) listSweeps(ctx context.Context) ([]Run, error) {
	pull, err := e.Pull(ctx)
	if err != nil && !errors.Is(err, ErrNotGiven) {
		return nil, err
	}
	all, err := e.source.WorkflowRuns(ctx, e.Settings.Workflows.Sweep, pull.Head.Ref)
	if err != nil {
		return nil, err
	}
	var out []Run
	for _, run := range all {
		in, err := e.inPull(ctx, run.HeadSHA)
		if err != nil {
			return nil, err
		}
		if in {
			out = append(out, run)
		}
	}
	return out, nil
}

// NewestSweep is the newest sweep of the pull request, whatever became of it,
// and GreenSweep the newest one that succeeded; ok is false where there is
// none.
func (e *Evidence) NewestSweep(ctx context.Context) (run Run, ok bool, err error) {
	list, err := e.SweepRuns(ctx)
	if err != nil || len(list) == 0 {
		return Run{}, false, err
	}
	return list[0], true, nil
}

// GreenSweep is the newest sweep of the pull request that succeeded and is whole:
// a partial one stands for nothing by itself.
func (e *Evidence) GreenSweep(ctx context.Context) (run Run, ok bool, err error) {
	list, err := e.SweepRuns(ctx)
	if err != nil {
		return Run{}, false, err
	}
	for _, r := range list {
		if r.Conclusion != "success" {
			continue
		}
		partial, err := e.partial(ctx, r)
		if broken(err) {
			return Run{}, false, err
		}
		if !partial {
			return r, true, nil
		}
	}
	return Run{}, false, nil
}

// SweepOf counts the jobs of a run by lane.
func (e *Evidence) SweepOf(ctx context.Context, run Run) (Sweep, error) {
	jobs, err := e.Jobs(ctx, run.ID)
	if err != nil {
		return Sweep{Run: run}, err
	}
	return lanesOf(run, jobs), nil
}

// lanesOf counts jobs by lane.
func lanesOf(run Run, jobs []Job) Sweep {
	s := Sweep{Run: run}
	byName := make(map[string]*Lane)
	for _, job := range newestAttempts(jobs) {
		name := laneOf(job.Name)
		if name == "" || job.Conclusion == "skipped" || job.Conclusion == "neutral" {
			continue
		}
		lane := byName[name]
		if lane == nil {
			lane = &Lane{Name: name}
			byName[name] = lane
		}
		switch job.Conclusion {
		case "success":
			lane.Succeeded++
		case "":
			lane.Open++
		default:
			lane.Failed++
			s.Failed = append(s.Failed, job)
		}
	}
	for _, name := range laneNames {
		if lane := byName[name]; lane != nil {
			s.Lanes = append(s.Lanes, *lane)
		}
	}
	return s
}

// newestAttempts keeps the newest attempt of each job, in the order of the
// first ones.
func newestAttempts(jobs []Job) []Job {
	at := make(map[string]int, len(jobs))
	var out []Job
	for _, job := range jobs {
		i, known := at[job.Name]
		switch {
		case !known:
			at[job.Name] = len(out)
			out = append(out, job)
		case job.Attempt > out[i].Attempt || job.Attempt == out[i].Attempt && job.ID > out[i].ID:
			out[i] = job
		}
	}
	return out
}
