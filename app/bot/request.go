package bot

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// requestOf is what a pull request asks for, as comments and summaries show
// it.
func requestOf(f *sweepFacts, d labels.Decision, problems diag.List) SweepRequest {
	r := SweepRequest{
		SHA: f.event.HeadSHA, Starts: d.Sweep.Outcome == labels.Run && refusal(d) == nil,
		Reason: d.Sweep.Reason, Problems: problems,
	}
	if no := refusal(d); no != nil {
		r.Reason = *no
	}
	if f.planned != nil && f.planned.Plan != nil {
		r.Families, r.Points, r.Evals = planFamilies(*f.planned)
		if f.planned.Canary != nil {
			r.Canary = JobTitle(f.planned.Canary.Row)
		}
	}
	return r
}

// planFamilies are the families of a plan as their jobs will be seen: the
// canary runs in a family of its own and is taken out of the one it is from.
func planFamilies(p Planned) (families []FamilyProgress, points, evals int) {
	if p.Canary != nil {
		name := "canary"
		if p.Canary.Row.Multinode() {
			name = "multi-node canary"
		}
		families = append(families, FamilyProgress{Name: name, Tally: Tally{Planned: 1}})
		points++
	}
	for _, f := range p.Families {
		n := len(f.Rows)
		for _, r := range f.Rows {
			if p.Canary != nil && r == p.Canary.Row {
				n--
			}
		}
		points += n
		if f.EvalOnly {
			evals += n
		}
		if n > 0 {
			families = append(families, FamilyProgress{Name: strings.TrimSuffix(f.Prefix, " /"), Tally: Tally{Planned: n}})
		}
	}
	return families, points, evals
}
