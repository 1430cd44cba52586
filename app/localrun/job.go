package localrun

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
)

// Job measures one point in place, in a checkout of its own, as a job of the
// benchmark workflows does.
type Job struct {
	Point    *Point
	Site     Site
	Launcher Launcher
	// Attempt of the run. Newer eval artifacts carry it in their names.
	Attempt int
	// Environment is what the launcher inherits, as NAME=value.
	Environment []string
	// Thresholds is the content of the threshold file, nil without one.
	Thresholds []byte
	// Timeout bounds the launcher, Grace how long it may clean up, ResultWait
	// how long a result may take to appear.
	Timeout, Grace, ResultWait time.Duration
	Log                        io.Writer
}

// NewJob finds a point of a plan by its id. The other points of the plan are
// not looked at: they run elsewhere.
func NewJob(plan *Plan, id string, site Site) (*Job, error) {
	for _, f := range plan.Families {
		for _, r := range f.Rows {
			if r.ID == id {
				return &Job{Point: newPoint(plan, f, r, site), Site: site, Attempt: 1}, nil
			}
		}
	}
	return nil, diag.New("localrun.nothing-selected", diag.Place{}, "only", id).In("usage")
}

// dir is the working directory: the project directory of the checkout.
func (j *Job) dir() string { return filepath.Join(j.Site.Repo, filepath.FromSlash(j.Site.Project)) }

// Measure runs the launcher and checks what it left
// (spec/labels-and-sweeps.md section 9.9).
func (j *Job) Measure(ctx context.Context) error {
	if j.Point.Fault != nil {
		return *j.Point.Fault
	}
	argv, err := j.Launcher.argv(j.Site.Repo, j.Point.Runner)
	if err != nil {
		return err
	}
	log := &cappedLog{file: unclosed{j.Log}, head: math.MaxInt, tail: logTail}
	c := command{
		argv: argv, dir: j.dir(), env: append(j.Environment[:len(j.Environment):len(j.Environment)], j.Point.Env.Lines()...),
		timeout: j.Timeout, grace: j.Grace, log: log,
	}
	err = c.run(ctx)
	_ = log.Close()
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(j.dir())
	if err != nil {
		return outside(err)
	}
	defer root.Close()
	check := judge{point: j.Point, contract: j.Site.Contract, root: root, wait: j.ResultWait}
	if j.Thresholds != nil {
		check.bars, _ = results.ReadThresholds("thresholds", j.Thresholds)
	}
	return check.check(ctx)
}

// unclosed is a log that outlives the launcher.
type unclosed struct{ io.Writer }

// Close does nothing.
func (unclosed) Close() error { return nil }

// The kinds of artifacts of a point. Each kind has at most one artifact.
const (
	KindRows    = "rows"
	KindEval    = "eval"
	KindAgentic = "agentic"
	KindLogs    = "logs"
	KindMetrics = "metrics"
	KindPower   = "power"
)

// kindOf says what an artifact of a point is, by its name.
func kindOf(name string) string {
	for _, k := range []struct{ prefix, kind string }{
		{"bmk_", KindRows}, {"agentic_", KindAgentic}, {"power_audit_", KindPower},
		{"server_logs_", KindLogs}, {"multinode_server_logs_", KindLogs}, {"eval_server_logs_", KindLogs},
		{"gpu_metrics_", KindMetrics}, {"eval_gpu_metrics_", KindMetrics}, {"eval_", KindEval},
	} {
		if strings.HasPrefix(name, k.prefix) {
			return k.kind
		}
	}
	return ""
}

// Keep copies what a point left to one folder a kind below to, and returns the
// artifact name of every kind that has a file. It keeps what there is of a
// point that failed or was stopped (known failure F46).
func (j *Job) Keep(passed bool, to string) (map[string]string, error) {
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(to, 0o755)); err != nil {
		return nil, outside(err)
	}
	from, err := os.OpenRoot(j.dir())
	if err != nil {
		return nil, outside(err)
	}
	defer from.Close()
	target, err := os.OpenRoot(to)
	if err != nil {
		return nil, outside(err)
	}
	defer target.Close()
	k := keeper{from: from, to: target, refuse: func(diag.Finding) {}}
	names := make(map[string]string)
	for _, a := range append(j.Point.artifacts(j.Site.Contract, passed, j.Attempt), j.Point.power()...) {
		if err := k.keep(a); err != nil {
			return names, err
		}
		folder := path.Join("artifacts", a.name)
		if _, err := target.Lstat(folder); err != nil {
			continue // it has no file
		}
		if err := target.Rename(folder, kindOf(a.name)); err != nil {
			return names, outside(err)
		}
		names[kindOf(a.name)] = a.name
	}
	if j.Point.EvalOnly && names[KindEval] == "" {
		return names, diag.New("localrun.no-eval-results", diag.Place{})
	}
	return names, nil
}

// power is the artifact of what a power figure was computed from.
func (p *Point) power() []artifact {
	if p.EvalOnly {
		return nil
	}
	name := literally(p.ResultName)
	patterns := []string{"gpu_metrics.csv", "gpu_metrics_energy_start.csv", "gpu_metrics_energy_end.csv", "gpu_metrics_identity.json"}
	for _, of := range []string{name, "agg_" + name, "power_validation_" + name} {
		patterns = append(patterns, of+".json")
		if p.Multinode {
			patterns = append(patterns, of+"_*.json")
		}
	}
	return []artifact{{name: "power_audit_" + p.ResultName, patterns: patterns}}
}

// EvalOutputs are the patterns of the files that an eval leaves in the working
// directory, and that the next job on the machine must not find there.
func EvalOutputs() []string {
	return []string{
		"meta_env.json", "results*.json", "sample*.jsonl", "agent_preds.json", "predictions.jsonl", "swebench_report_*.json", "*.traj*",
	}
}
