package localrun

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
)

// judge decides whether a launcher that ended well left what its point must
// produce (spec/labels-and-sweeps.md section 9.9), and writes the rows.
type judge struct {
	point    *Point
	contract Contract
	root     *os.Root // the working directory of the launcher
	bars     results.Thresholds
	// wait is for how long a result may take to appear; it comes over shared
	// file systems.
	wait time.Duration
}

// Result polling (spec/labels-and-sweeps.md section 9.9).
const pollEvery = time.Second

// check returns nil for success, else what is wrong, as a finding.
func (j *judge) check(ctx context.Context) error {
	if err := j.produced(ctx); err != nil {
		return err
	}
	if !j.point.EvalOnly {
		if err := j.throughput(); err != nil {
			return err
		}
	}
	if j.point.evaluates() {
		return j.scores()
	}
	return nil
}

// produced looks for the files of the point.
func (j *judge) produced(ctx context.Context) error {
	name := j.point.ResultName
	switch {
	case j.point.EvalOnly:
		if found, err := glob(j.root, "results*.json"); err != nil || len(found) == 0 {
			return orFinding(err, diag.New("localrun.no-eval-results", diag.Place{}))
		}
	case !j.point.Multinode:
		if !j.appears(ctx, name+".json") {
			return diag.New("localrun.no-result", diag.Place{}, "name", name)
		}
	case j.point.Agentic:
		found, err := glob(j.root, literally(name)+"_conc*.json")
		want := len(strings.Fields(j.point.Env.Get("CONC_LIST")))
		if err != nil || len(found) != want {
			return orFinding(err, diag.New("localrun.agentic-count", diag.Place{}, "want", itoa(want), "got", itoa(len(found))))
		}
	default:
		if found, err := glob(j.root, literally(name)+"_*.json"); err != nil || len(found) == 0 {
			return orFinding(err, diag.New("localrun.no-results", diag.Place{}, "name", name))
		}
	}
	return nil
}

func orFinding(err error, f diag.Finding) error {
	if err != nil {
		return err
	}
	return f
}

// appears polls for a regular file.
func (j *judge) appears(ctx context.Context, name string) bool {
	for left := j.wait; ; left -= pollEvery {
		if info, err := j.root.Lstat(name); err == nil && info.Mode().IsRegular() {
			return true
		}
		if left <= 0 {
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(min(left, pollEvery)):
		}
	}
}

// throughput reads the results of a throughput point.
func (j *judge) throughput() error {
	switch {
	case j.point.Agentic && j.point.Multinode:
		return j.multiAgentic()
	case j.point.Agentic:
		return j.singleAgentic()
	case j.point.Multinode:
		return j.multiFixed()
	}
	return j.singleFixed()
}

// singleAgentic applies the publication gate to the load generator's own
// summary (spec/results.md section 4.4).
func (j *judge) singleAgentic() error {
	row, err := j.document(j.point.ResultName + ".json")
	if err != nil {
		return err
	}
	aggregate, err := j.document(j.aggregateName())
	if err != nil {
		return err
	}
	if err := agenticGate(aggregate); err != nil {
		return err
	}
	return j.successful(j.point.ResultName+".json", row)
}

const aggregateFile = "profile_export_aiperf.json"

// aggregateName is the summary of the load generator: directly in its folder,
// or in the first folder in there that has one.
func (j *judge) aggregateName() string {
	const folder = "results/aiperf_artifacts"
	direct := path.Join(folder, aggregateFile)
	if _, err := j.root.Lstat(direct); !errors.Is(err, fs.ErrNotExist) {
		return direct
	}
	entries, err := readFolder(j.root, folder)
	if err != nil {
		return direct
	}
	for _, e := range entries {
		name := path.Join(folder, e.Name(), aggregateFile)
		if _, err := j.root.Lstat(name); e.IsDir() && err == nil {
			return name
		}
	}
	return direct
}

func (j *judge) multiAgentic() error {
	for _, conc := range strings.Fields(j.point.Env.Get("CONC_LIST")) {
		name := j.point.ResultName + "_conc" + conc + ".json"
		row, err := j.document(name)
		if err != nil {
			return err
		}
		if err := j.successful(name, row); err != nil {
			return err
		}
	}
	return nil
}

// successful wants at least one successful request in an agentic row.
func (j *judge) successful(name string, row ordjson.Value) error {
	count, ok := number(block(row, "num_requests_successful"))
	if !ok || !finite(count) || count <= 0 {
		return diag.New("localrun.no-successes", diag.Place{}, "file", name)
	}
	return nil
}

// document reads a JSON document of the working directory.
func (j *judge) document(name string) (ordjson.Value, error) {
	data, err := readRegular(j.root, name, maxResultBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return ordjson.Value{}, diag.New("localrun.no-file", diag.Place{File: name})
	}
	if err != nil {
		return ordjson.Value{}, err
	}
	v, err := parseDocument(data)
	if err == nil && v.Kind != ordjson.Object {
		err = errors.New("is no object")
	}
	if err != nil {
		return v, diag.New("localrun.result-json", diag.Place{File: name}, "detail", cut(diag.Printable(err.Error()), 200))
	}
	return v, nil
}

// writeRow writes a row under its name. The launcher has ended; a link of that
// name that it left is replaced, not followed.
func (j *judge) writeRow(built results.Built) error {
	if err := j.root.Remove(built.File); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return j.root.WriteFile(built.File, append(built.Row.Append(nil, ordjson.Compact), '\n'), 0o644)
}
