package localrun

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// withoutPlan makes a line of every result.
func (c *collector) withoutPlan() {
	for _, l := range c.order {
		if l == nil {
			c.out.Counts.add(Failed)
			continue
		}
		l.Status = Passed
		c.out.Counts.add(Passed)
		c.out.Lines = append(c.out.Lines, *l)
	}
}

// withPlan puts the results to the points they belong to. What a journal says
// about a point counts more than its results: a failed point may have some.
func (c *collector) withPlan(plan *Plan, keep map[string]bool) error {
	c.out.HasPlan = true
	known, err := c.history()
	if err != nil {
		return err
	}
	used := make(map[string]bool)
	site := Site{Runner: RunnerNames(nil)}
	for _, p := range Points(plan, site) {
		lines, status := c.point(p, used)
		if keep != nil && !keep[p.ID] {
			continue
		}
		if past, ok := known[p.ID]; ok && past.status != Passed {
			status = past.status
			lines[0].Why = past.why
		}
		for _, l := range lines {
			l.Point, l.Family, l.Status = p.ID, p.Family, status
			c.out.Lines = append(c.out.Lines, *l)
		}
		c.out.Counts.add(status)
	}
	for _, l := range c.order {
		if l != nil && !used[l.id.key()] {
			c.refuse(diag.New("localrun.not-planned", diag.Place{File: l.Artifact}, "row", l.Label))
		}
	}
	return nil
}

// point finds the results of a planned point. There is always at least one
// line.
func (c *collector) point(p *Point, used map[string]bool) ([]*Line, Status) {
	id := planIdentity(p.Row)
	id.eval = p.EvalOnly
	status := Passed
	var lines []*Line
	for _, conc := range measuredConcs(p) {
		key := id.at(conc).key()
		used[key] = true
		line := &Line{}
		switch why, bad := c.invalid[key]; {
		case bad:
			status, line.Why = Failed, why
		case c.results[key] != nil:
			line = c.results[key]
		case status == Passed:
			status = Pending
		}
		line.Label, line.Canary = p.labelAt(conc), p.Canary
		lines = append(lines, line)
	}
	return lines, status
}

// measuredConcs are the concurrencies that a point has results of.
func measuredConcs(p *Point) []string {
	if p.EvalOnly && p.Multinode {
		if concs := strings.Fields(evalConcurrencies(p)); len(concs) > 0 {
			return concs
		}
	}
	if len(p.Concurrencies) == 0 {
		return []string{""}
	}
	return p.Concurrencies
}

// history reads the journal of a local sweep, if there is one.
func (c *collector) history() (map[string]past, error) {
	data, err := readRegular(c.root, journalName, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, outside(err)
	}
	records, _, err := parseJournal(data)
	return history(records), err
}
