package report

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/failure"
)

// plannedPoint is a planned point with what became of it.
func (b *builder) plannedPoint(planned PlannedPoint, s results.PointState) Point {
	p := pointOf(planned.Point)
	p.Kind, p.Family, p.Key, p.PlanID, p.Canary = Throughput, planned.Family, planned.Key, planned.PlanID, planned.Canary
	p.Image, p.Fingerprint = planned.Image, planned.Fingerprint
	p.State, p.Reason = s.State, s.Reason
	p.Place, p.Serve, p.Settings = planned.Place, planned.Serve, settings(planned.Row)
	p.Served = member(planned.Row, "model").Text
	if planned.Eval {
		p.Kind = Eval
		p.Label += " eval"
		p.Scores = b.scores(s.Evals)
		if len(s.Evals) > 0 {
			p.Artifact = s.Evals[0].Source
		}
	}
	if s.Row != nil {
		b.takeRow(&p, *s.Row)
	}
	b.takeJobs(&p, s.Jobs)
	p.ID = planned.PlanID
	if p.ID == "" {
		p.ID = shortHash(planned.Family, planned.Title)
	}
	p.ID += "-" + p.Kind[:1] + itoa(p.Conc)
	return p
}

// rowPoint is a row that stands for itself.
func (b *builder) rowPoint(r results.Row) Point {
	p := pointOf(r.Point)
	p.Kind, p.State, p.Reason = Throughput, results.Passed, "row"
	switch {
	case r.Empty():
		p.State, p.Reason = results.Failed, "no-request"
	case r.OutcomeFailed:
		p.State, p.Reason = results.Failed, "requests"
	}
	p.Image, p.Fingerprint = r.Image, r.Fingerprint
	b.takeRow(&p, r)
	p.ID = shortHash(p.Kind, p.Label, r.Source)
	return p
}

// evalsByPoint groups eval rows by point and artifact, in a fixed order.
func evalsByPoint(rows []results.EvalRow) [][]results.EvalRow {
	index := make(map[string]int)
	var out [][]results.EvalRow
	for _, r := range rows {
		key := r.Point.String() + "\x00" + r.Source
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key], out = i, append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// evalPoint is a group of eval rows that stand for themselves.
func (b *builder) evalPoint(rows []results.EvalRow) Point {
	p := pointOf(rows[0].Point)
	p.Kind, p.Scores = Eval, b.scores(rows)
	p.Label += " eval"
	p.Image, p.Artifact = rows[0].Image, rows[0].Source
	p.State, p.Reason = results.Passed, "row"
	for _, s := range p.Scores {
		switch s.Verdict {
		case ScoreBroken:
			p.State, p.Reason = results.Failed, "eval-broken"
		case ScoreBelow:
			if p.Reason == "row" {
				p.State, p.Reason = results.Failed, "below-bar"
			}
		}
	}
	p.ID = shortHash(p.Kind, p.Label, p.Artifact)
	return p
}

// pointOf takes over what a point is.
func pointOf(q results.Point) Point {
	p := Point{
		Label: q.String(), Scenario: q.Scenario, Model: q.Prefix, Hardware: q.Hardware, Framework: q.Framework,
		Precision: q.Precision, Offload: q.Offload, ISL: q.ISL, OSL: q.OSL, Conc: q.Conc,
		Topology: q.Topology(), Multinode: q.Multinode,
	}
	if q.Spec != "none" {
		p.Spec = q.Spec
	}
	if !q.Multinode {
		p.Layout, p.GPUs = roleOf(q.Layout), q.Layout.GPUs()
		return p
	}
	p.Prefill, p.GPUs = roleOf(q.Prefill), q.Prefill.GPUs()
	if q.Decode.Workers > 0 {
		p.Decode = roleOf(q.Decode)
		p.GPUs += q.Decode.GPUs()
	}
	return p
}

func roleOf(r results.Role) *Role {
	return &Role{TP: r.TP, PP: r.PP, DCP: r.DCP, PCP: r.PCP, EP: r.EP, DPAttention: r.DPAttention, Workers: r.Workers}
}

// takeRow takes over what was measured.
func (b *builder) takeRow(p *Point, r results.Row) {
	p.Metrics, p.Artifact = r.Metrics(), r.Source
	p.Row = r.Document().Append(nil, ordjson.Compact)
	if r.Model != "" {
		p.Served = diag.Printable(r.Model)
	}
	if r.Image != "" {
		p.Image = r.Image
	}
	if r.Requests >= 0 {
		p.Requests = &Requests{r.Requests, r.Succeeded}
	}
}

// takeJobs takes over the jobs, and of the newest one why it failed.
func (b *builder) takeJobs(p *Point, jobs []results.Job) {
	for _, j := range jobs {
		p.Jobs = append(p.Jobs, Job{j.ID, diag.Printable(j.Name), j.Attempt, j.Conclusion, j.URL})
	}
	if p.State != results.Failed && p.State != results.Canceled {
		return
	}
	for _, j := range slices.Backward(jobs) {
		if v := j.Failure; v != nil {
			p.Failure = &Failure{
				Class: v.Class, Phase: v.Phase, Rule: v.Rule, Line: diag.Printable(v.Line), Runner: v.Runner, Node: v.Node, Job: j.ID, URL: j.URL,
			}
			return
		}
	}
	if p.State == results.Failed && len(jobs) > 0 && !catalog.Known("results.report-reason-"+p.Reason) {
		last := jobs[len(jobs)-1]
		p.Failure = &Failure{Class: failure.Unclassified, Rule: p.Reason, Job: last.ID, URL: last.URL}
	}
}

// scores judges eval rows.
func (b *builder) scores(rows []results.EvalRow) []Score {
	out := make([]Score, len(rows))
	for i, r := range rows {
		bar := b.in.Bars.Bar(r.Point.Prefix, r.Task)
		s := Score{
			Task: diag.Printable(r.Task), Name: r.ScoreName, Value: finite(r.Score), StdErr: finite(r.StdErr), Bar: bar.Minimum, Source: bar.Source,
			Verdict: ScorePassed, Error: diag.Printable(r.Broken), Image: r.Image,
			Row: r.Document().Append(nil, ordjson.Compact),
		}
		if r.Samples > 0 {
			s.Samples = finite(r.Samples)
		}
		switch {
		case r.Broken != "" || !r.Scored():
			s.Verdict = ScoreBroken
		case !r.Reaches(bar):
			s.Verdict = ScoreBelow
		case bar.Minimum == 0:
			s.Verdict = ScoreRecorded
		}
		if g, ok := b.gaps[r.Source+"\x00"+r.Task]; ok {
			s.Gap, s.Limit, s.Wide = finite(g.Gap), finite(g.Limit), g.Wide()
		}
		out[i] = s
	}
	slices.SortStableFunc(out, func(a, b Score) int { return strings.Compare(a.Task, b.Task) })
	return out
}

// finite is a number for JSON, which has no NaN.
func finite(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

func shortHash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
