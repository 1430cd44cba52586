package models

import (
	"slices"
	"strings"
	"time"
)

// Point is what is submitted.
type Point struct {
	// Prefix is the model-prefix, Scenario a name of the policy's vocabulary,
	// Precision lower case.
	Prefix, Scenario, Precision string
	// Speculative says whether it drafts tokens.
	Speculative bool
}

// Rule is what a judgement rests on.
type Rule string

// The rules. Active is none of them: nothing speaks against the point.
const (
	Active          Rule = "active"
	Retired         Rule = "retired"          // the model is over
	ScenarioOver    Rule = "scenario"         // for the model
	GlobalOver      Rule = "global-scenario"  // the scenario, for all models
	PrecisionOver   Rule = "precision"        // for the model
	ArmOver         Rule = "arm"              // points without speculation
	UnknownScenario Rule = "unknown-scenario" // the row names it in neither cell
	UnknownPrefix   Rule = "unknown-prefix"   // no row
	UnknownDate     Rule = "unknown-date"     // a date that no word places
)

// Judgement is what a policy says about a point on a day.
type Judgement struct {
	Rule Rule
	// First is the first forbidden day; zero is since ever. For Active it is
	// the first day on which the point will be over, where one is announced.
	First time.Time
	// Source is "support matrix", "scenario table" or "notice of <day>".
	Source string
	// Line is that of the document.
	Line int
	// Arm is the drafting method of ArmOver.
	Arm string
}

// Allowed reports whether the point may be submitted.
func (j Judgement) Allowed() bool { return j.Rule == Active }

// Unknown reports whether a person has to decide.
func (j Judgement) Unknown() bool {
	return j.Rule == UnknownScenario || j.Rule == UnknownPrefix || j.Rule == UnknownDate
}

// claim is one statement against a point.
type claim struct {
	rule   Rule
	since  Since
	source string
	line   int
	arm    string
}

// Judge says whether a point may be submitted on a day. Rules are tried from
// the widest to the narrowest; what two places say about one thing holds from
// the later day on.
func (p Policy) Judge(point Point, day time.Time) Judgement {
	point.Prefix, point.Precision = strings.ToLower(point.Prefix), strings.ToLower(point.Precision)
	rows := p.of(point.Prefix)
	if len(rows) == 0 {
		return Judgement{Rule: UnknownPrefix}
	}
	claims, unknown := p.claims(rows, point)
	future := Judgement{Rule: Active}
	for _, rule := range []Rule{Retired, GlobalOver, ScenarioOver, PrecisionOver, ArmOver} {
		c, ok := merged(claims, rule)
		switch {
		case !ok:
		case c.since.On(day):
			return Judgement{Rule: rule, First: c.since.First, Source: c.source, Line: c.line, Arm: c.arm}
		case rule != ArmOver && (future.First.IsZero() || c.since.First.Before(future.First)):
			future = Judgement{Rule: Active, First: c.since.First, Source: c.source, Line: c.line}
		}
	}
	switch {
	case unknown > 0:
		return Judgement{Rule: UnknownDate, Line: unknown, Source: "support matrix"}
	case !named(rows, point):
		return Judgement{Rule: UnknownScenario, Line: rows[0].line, Source: "support matrix"}
	}
	if future.Line == 0 {
		future.Line, future.Source = rows[0].line, "support matrix"
	}
	return future
}

// merged is the claim of a rule that holds from the latest day on; of equal days
// the last one, so that a notice is named before the matrix.
func merged(claims []claim, rule Rule) (claim, bool) {
	var best claim
	found := false
	for _, c := range claims {
		if c.rule != rule {
			continue
		}
		if !found || !c.since.First.Before(best.since.First) {
			best = c
		}
		found = true
	}
	return best, found
}

// named reports whether a row lists the scenario among what runs or ran.
func named(rows []modelRow, point Point) bool {
	for _, r := range rows {
		for _, part := range slices.Concat(r.active, r.deprecated) {
			if slices.Contains(part.scenarios, point.Scenario) {
				return true
			}
		}
	}
	return false
}

// claims collects everything that speaks against a point, today or later, and
// the line of a part that could not be understood, or 0.
func (p Policy) claims(rows []modelRow, point Point) (out []claim, unknown int) {
	for _, r := range rows {
		out, unknown = r.claims(out, unknown, point)
	}
	for _, g := range p.global {
		switch {
		case g.name != point.Scenario:
		case !g.known:
			unknown = g.line
		default:
			out = append(out, claim{rule: GlobalOver, since: g.since, source: "scenario table", line: g.line})
		}
	}
	for _, n := range p.notices {
		if !slices.Contains(n.prefixes, point.Prefix) || !n.part.about(point.Prefix, point.Scenario) || n.part.suspended {
			continue
		}
		since := Since{Over: true, First: n.day.AddDate(0, 0, 1)}
		if n.part.dayZero {
			since = ever
		}
		out = n.part.against(out, point, since, "notice of "+n.day.Format(time.DateOnly))
	}
	return out, unknown
}

// claims of a row of the matrix.
func (r modelRow) claims(out []claim, unknown int, point Point) ([]claim, int) {
	const source = "support matrix"
	if r.none {
		since := ever
		for _, part := range r.active {
			if part.dated {
				since = part.since
			}
			if !part.known {
				unknown = part.line
			}
		}
		out = append(out, claim{rule: Retired, since: since, source: source, line: r.line})
	}
	for i, part := range slices.Concat(r.active, r.deprecated) {
		active := i < len(r.active)
		switch {
		case active && r.none, !part.about(point.Prefix, point.Scenario):
		case !part.known:
			unknown = part.line
		case part.retired:
			if part.dated {
				out = append(out, claim{rule: Retired, since: part.since, source: source, line: part.line})
			}
		case active:
			out = part.limits(out, point, source)
		default:
			since := ever
			if part.dated {
				since = part.since
			}
			out = part.against(out, point, since, source)
		}
	}
	return out, unknown
}

// limits are the claims of a part of the active cell: until when a scenario
// runs, and what of it.
func (p part) limits(out []claim, point Point, source string) []claim {
	since := ever
	if p.dated {
		since = p.since
	}
	switch {
	case p.arm != "" && !point.Speculative:
		out = append(out, claim{rule: ArmOver, since: since, source: source, line: p.line, arm: p.arm})
	case p.arm == "" && p.dated && len(p.scenarios) > 0:
		out = append(out, claim{rule: ScenarioOver, since: p.since, source: source, line: p.line})
	}
	return p.precision(out, point, since, source)
}

// against are the claims of a part that says what is over.
func (p part) against(out []claim, point Point, since Since, source string) []claim {
	switch {
	case len(p.without)+len(p.only) > 0:
		return p.precision(out, point, since, source)
	case p.arm != "":
		if !point.Speculative {
			out = append(out, claim{rule: ArmOver, since: since, source: source, line: p.line, arm: p.arm})
		}
	case len(p.scenarios) > 0:
		out = append(out, claim{rule: ScenarioOver, since: since, source: source, line: p.line})
	}
	return out
}

// precision claims that the point's precision is over.
func (p part) precision(out []claim, point Point, since Since, source string) []claim {
	over := slices.Contains(p.without, point.Precision) || len(p.only) > 0 && !slices.Contains(p.only, point.Precision)
	if !over {
		return out
	}
	return append(out, claim{rule: PrecisionOver, since: since, source: source, line: p.line})
}
