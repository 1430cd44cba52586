package report

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/failure"
)

// rerun says which failed points may be run again, if the bounds are known.
func (b *builder) rerun(c results.Coverage) {
	if b.in.Rerun == nil || !b.in.HasPlan {
		return
	}
	var run int64
	if b.in.Run != nil {
		run = b.in.Run.ID
	}
	d := results.DecideRerun(*b.in.Rerun, c, run, true)
	out := &Rerun{Decided: d.Rerun, Why: string(d.Why), Jobs: d.Jobs}
	byJob := make(map[int64]*Point)
	for i := range b.out.Points {
		p := &b.out.Points[i]
		for _, j := range p.Jobs {
			if byJob[j.ID] == nil {
				byJob[j.ID] = p
			}
		}
	}
	for _, choice := range d.Choices {
		shown := RerunChoice{Job: choice.Job, Again: choice.Again, Why: string(choice.Why)}
		if p := byJob[choice.Job]; p != nil {
			shown.Point, shown.Label = p.ID, p.Label
		}
		out.Choices = append(out.Choices, shown)
	}
	b.out.Rerun = out
}

// line is the decision in one sentence.
func (r Rerun) line(lang catalog.Language) string {
	again := 0
	for _, c := range r.Choices {
		if c.Again {
			again++
		}
	}
	key := "rerun-" + r.Why
	if r.Why != string(failure.RerunOff) && r.Why != string(failure.RerunDecided) {
		return catalog.Message(lang, "results."+key)
	}
	return say(lang, key, "jobs", strconv.Itoa(again))
}

func (m markdown) rerun() section {
	if m.Rerun == nil || len(m.Rerun.Choices) == 0 {
		return section{}
	}
	t := mdTable{head: []string{"Point", "Again", "Why"}}
	for _, c := range m.Rerun.Choices {
		again := "no"
		if c.Again {
			again = "yes"
		}
		t.rows = append(t.rows, []string{code(c.Label), again, sayOr(catalog.English, "again-", c.Why)})
	}
	return section{en("h-rerun"), folded(en("h-rerun"), m.Rerun.line(catalog.English)+"\n\n"+m.limited(t))}
}
