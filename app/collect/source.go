package collect

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/document"
	"github.com/sweepbot/sweepbot/results/report"
)

// Load makes the report of a path: a folder (Read), a report.json, or a file of
// collected rows such as agg_bmk.json. Adapt may change the input before the
// report is built; nil changes nothing. A report that is read back takes over
// the baseline only: it was judged when it was made.
func Load(ctx context.Context, name string, rules results.Rules, adapt func(*report.Input)) (report.Report, error) {
	info, err := os.Stat(name)
	if err != nil {
		return report.Report{}, outside(name, err)
	}
	var in report.Input
	if info.IsDir() {
		in, err = Read(ctx, name, rules)
	} else {
		var r *report.Report
		if r, in, err = loadFile(name, rules); r != nil {
			return again(*r, rules, adapt), nil
		}
	}
	if err != nil {
		return report.Report{}, err
	}
	if adapt != nil {
		adapt(&in)
	}
	return report.Build(in), nil
}

func again(r report.Report, rules results.Rules, adapt func(*report.Input)) report.Report {
	var in report.Input
	if adapt != nil {
		adapt(&in)
	}
	if in.Baseline != nil {
		return r.Against(*in.Baseline, rules)
	}
	return r
}

// loadFile reads a report, or rows as the input of one.
func loadFile(name string, rules results.Rules) (*report.Report, report.Input, error) {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, report.Input{}, outside(name, err)
	}
	defer root.Close()
	data, err := readFile(root, filepath.Base(name), report.MaxBytes)
	if err != nil {
		return nil, report.Input{}, outside(name, err)
	}
	if trimmed := bytes.TrimLeft(data, " \t\r\n"); len(trimmed) > 0 && trimmed[0] == '[' {
		in, err := rowsOf(filepath.Base(name), data, rules)
		return nil, in, err
	}
	r, list := report.Read(name, data)
	if list.Refused() {
		return nil, report.Input{}, list
	}
	return &r, report.Input{}, nil
}

// rowsOf reads an aggregate as the artifact that it is published in.
func rowsOf(name string, data []byte, rules results.Rules) (report.Input, error) {
	var in report.Input
	tree := results.NewTree(results.TreeFolder{Name: "results_bmk", Content: oneFile{name, data}})
	_, err := document.Stream(bytes.NewReader(data), rules.RowBytes, func(element []byte) error {
		doc, err := document.Parse(element, document.Options{NonFinite: true})
		if _, task := doc.Get("task"); err == nil && doc.Kind == ordjson.Object && task {
			tree = results.NewTree(results.TreeFolder{Name: "eval_results_all", Content: oneFile{name, data}})
		}
		return document.ErrStop
	})
	if err != nil && !errors.Is(err, document.ErrStop) {
		return in, diag.New("results.report-not-rows", diag.Place{File: name})
	}
	in.Harvest = results.HarvestTree(tree, rules)
	return in, nil
}

// Baseline reads what results are compared with from any of the forms of Load.
func Baseline(ctx context.Context, name string, rules results.Rules) (report.Baseline, diag.List, error) {
	r, err := Load(ctx, name, rules, nil)
	if err != nil {
		return report.Baseline{}, nil, err
	}
	base, list := r.Baseline(name, rules)
	return base, list, nil
}
