package checks

import (
	"context"
	"errors"
	"io/fs"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
)

// EvalScore is a row of a sweep's evals with the bar at the target branch.
type EvalScore struct {
	results.EvalRow
	Bar results.Bar
}

// Scores are the evals that a run collected.
type Scores struct {
	Artifact Artifact
	Rows     []EvalScore
	// Unread is the number of rows that are refused.
	Unread int
}

// Scores reads the evals that a run collected. The error wraps ErrNotGiven,
// ErrUnreadable or fs.ErrNotExist where there is no such artifact.
func (e *Evidence) Scores(ctx context.Context, run Run) (s Scores, err error) {
	var values []ordjson.Value
	if values, s.Artifact, err = e.aggregate(ctx, run, "eval_results_all", "agg_eval_all.json"); err != nil {
		return s, err
	}
	bars, err := e.bars(ctx)
	if err != nil {
		return s, err
	}
	for _, v := range values {
		row, list := results.ReadEvalRow("agg_eval_all.json", v, ordjson.Value{}, results.Newest())
		if list.Refused() {
			s.Unread++
			continue
		}
		s.Rows = append(s.Rows, EvalScore{row, bars.Bar(row.Point.Prefix, row.Task)})
	}
	return s, nil
}

// bars are the minimum scores at the target branch; without a file, those that
// every task has.
func (e *Evidence) bars(ctx context.Context) (results.Thresholds, error) {
	doc, err := e.policy(ctx, e.Settings.Layout.Thresholds)
	if errors.Is(err, fs.ErrNotExist) {
		return results.Thresholds{}, nil
	}
	if err != nil {
		return results.Thresholds{}, err
	}
	bars, _ := results.ReadThresholds(doc.Path, doc.Data)
	return bars, nil
}

// Measured are the curves of the points that a run measured.
type Measured struct {
	Artifact Artifact
	// Curves are sorted by key, with their frontiers.
	Curves []results.CurveResult
	// Unread is the number of rows that are refused; no curve has them.
	Unread int
}

// Measured reads the points that a run collected. Errors are as those of
// Scores.
func (e *Evidence) Measured(ctx context.Context, run Run) (m Measured, err error) {
	var values []ordjson.Value
	if values, m.Artifact, err = e.aggregate(ctx, run, "results_bmk", "agg_bmk.json"); err != nil {
		return m, err
	}
	var rows []results.Row
	for _, v := range values {
		row, list := results.ReadRow("agg_bmk.json", v, results.Newest())
		if list.Refused() {
			m.Unread++
			continue
		}
		rows = append(rows, row)
	}
	m.Curves = results.Curves(rows, results.CurveOptions{Run: strconv.FormatInt(run.ID, 10)})
	return m, nil
}
