package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// pass is the row of a run that is green, current and the base's own.
func (s *sweepCheck) pass() Result {
	a := s.passed
	lanes := make([]string, len(a.lanes))
	for i, l := range a.lanes {
		lanes[i] = l.text()
	}
	counts := series(lanes, 12)
	r := Result{Status: Pass, Remarks: a.remarks, Citations: []Citation{a.run.cite("the sweep"), s.commit(a.sha, "the commit that it measured")}}
	switch note := s.headNote(a); {
	case a.sha == s.e.Head:
		r.Reason = fmt.Sprintf("run %s on head %s: %s checks succeeded.", a.run.link(), short(a.sha), counts)
	case note == "":
		r.Reason = fmt.Sprintf("run %s on in-PR commit %s: %s success.", a.run.link(), short(a.sha), strings.Join(lanes, ", "))
	default:
		r.Reason = fmt.Sprintf("run %s on %s: %s; %s", a.run.link(), short(a.sha), counts, note)
	}
	for _, other := range s.attempts {
		if other != a && other.sha != "" {
			r.Remarks = append(r.Remarks, s.supporting(other))
		}
	}
	if a.current != nil && len(a.current.results) > 0 && a.current.holds() {
		r.Remarks = append(r.Remarks, fmt.Sprintf("code of the results changed since: %s", quotedList(a.current.results, 4)))
	}
	return r
}

// headNote says why a run on an earlier commit is current: what changed since,
// and that none of it matters.
func (s *sweepCheck) headNote(a *attempt) string {
	c := a.current
	if c == nil || a.sha == s.e.Head {
		return ""
	}
	merges, commits := s.since(a.sha)
	var by []string
	if merges > 0 {
		by = append(by, "a base merge")
	}
	if own := commits - merges; own > 0 || commits == 0 {
		by = append(by, count(max(own, 1), "later commit", "later commits"))
	}
	note := "head differs only by " + series(by, 2)
	if merges == commits && len(c.harmless) == 0 {
		return note + " that leaves the affected launch unchanged."
	}
	points := "affected points"
	if c.points > 0 {
		points = count(c.points, "point", "points")
	}
	if len(c.harmless) > 0 {
		note += fmt.Sprintf("; the %s serve the same although files that they use changed (%s)", points, quotedList(c.harmless, 4))
	}
	if len(c.others) > 0 {
		note += fmt.Sprintf("; none of the %s uses %s", points, quotedList(c.others, 4))
	}
	return note + "."
}

// since counts the commits of the pull request behind one: those that only
// merge, and all.
func (s *sweepCheck) since(sha string) (merges, commits int) {
	for _, id := range s.chain(sha) {
		commits++
		if len(s.parents[id]) > 1 {
			merges++
		}
	}
	return merges, commits
}

// chain are the commits from one to the head along first parents, oldest first,
// without the first; nil where it is no ancestor of that kind.
func (s *sweepCheck) chain(sha string) []string {
	var out []string
	for at := s.e.Head; at != sha; {
		out = append(out, at)
		before := s.parents[at]
		if len(before) == 0 || len(out) > len(s.commits) {
			return nil
		}
		at = before[0]
	}
	slices.Reverse(out)
	return out
}

// open is the row where no run passes.
func (s *sweepCheck) open(ctx context.Context) (Result, error) {
	for _, a := range s.attempts {
		if a.review != "" {
			r := s.e.undecided(a.review+".", string(NeedGit))
			r.Citations = []Citation{a.run.cite("the sweep")}
			return r, nil
		}
	}
	passing, err := s.greenButStale(ctx)
	if err != nil {
		return Result{}, err
	}
	for _, a := range s.attempts {
		if a.unread && (passing == nil || !a.stale()) {
			return s.unknown(fmt.Sprintf("what became of run %d", a.run.ID)), nil
		}
	}
	switch {
	case !s.searched:
		return s.unknown("which sweeps ran on commits of this PR"), nil
	case passing == nil:
		return s.none(), nil
	}
	return s.outdated(ctx, passing)
}

// unknown is the row where evidence is missing that could decide.
func (s *sweepCheck) unknown(what string) Result {
	if s.denied {
		return s.e.undecided(what+" could not be read.", string(NeedCheckRuns), string(NeedRuns))
	}
	return unavailable(what+" was not given.", NeedCheckRuns, NeedRuns)
}

// greenButStale is the first run that succeeded but measured something else
// than the head serves.
func (s *sweepCheck) greenButStale(ctx context.Context) (*attempt, error) {
	for _, a := range s.attempts {
		if !a.stale() || a.refusal != "" {
			continue
		}
		if a.lanes == nil && a.failure == "" {
			if err := s.green(ctx, a); err != nil {
				return nil, err
			}
		}
		if a.failure == "" && !a.unread {
			return a, nil
		}
	}
	return nil, nil
}

// none is the row where nothing passed on any commit.
func (s *sweepCheck) none() Result {
	r := Result{Status: Fail, Reason: "No passing sweep/eval was found on any commit in this PR."}
	for _, pick := range []func(*attempt) bool{
		func(a *attempt) bool { return a.failure != "" },
		func(a *attempt) bool { return a.refusal != "" },
	} {
		if i := slices.IndexFunc(s.attempts, pick); i >= 0 {
			r.Reason += " " + s.supporting(s.attempts[i])
			break
		}
	}
	for _, a := range s.attempts {
		r.Citations = append(r.Citations, a.run.cite("no passing sweep of this PR"))
		r.Remarks = append(r.Remarks, s.supporting(a))
	}
	return r
}

// supporting is what is to be said of a run that does not decide.
func (s *sweepCheck) supporting(a *attempt) string {
	switch {
	case a.refusal != "":
		return a.refusal
	case a.failure != "":
		return a.failure
	case a.stale() && a.run.Conclusion == "success":
		return fmt.Sprintf("Run %d on %s succeeded but is not current either (%s).", a.run.ID, short(a.sha), whatChanged(a.current))
	case a.stale():
		return fmt.Sprintf("Run %d on %s is not current (%s).", a.run.ID, short(a.sha), whatChanged(a.current))
	}
	return fmt.Sprintf("Run %d on %s is a sweep of this PR too.", a.run.ID, short(a.sha))
}

// outdated is the row where what passed is served no more: it names the commit
// that made the change, what changed, and for which points.
func (s *sweepCheck) outdated(ctx context.Context, a *attempt) (Result, error) {
	sha, c, err := s.culprit(ctx, a)
	if err != nil {
		return Result{}, err
	}
	r := Result{Status: Fail, Remarks: a.remarks}
	r.Reason = fmt.Sprintf("The passing sweep %s on %s predates a material change in %s (%s). Rerun the sweep on the current recipe.",
		a.run.link(), short(a.sha), short(sha), whatChanged(c))
	if text := s.details(a.current); text != "" {
		r.Reason += " " + text
	}
	r.Citations = []Citation{a.run.cite("the sweep that passed"), s.commit(sha, "the change")}
	for _, p := range a.current.changed {
		for _, ch := range p.changes {
			if f := ch.ToPlace; f.File != "" && len(r.Citations) < 6 {
				if cited := s.e.citeHead(f.File, f.Line, labelOf(ch)); !slices.Contains(r.Citations, cited) {
					r.Citations = append(r.Citations, cited)
				}
			}
		}
	}
	for _, other := range s.attempts {
		if other != a {
			r.Remarks = append(r.Remarks, s.supporting(other))
			if other.sha != "" && other.run.Created.After(a.run.Created) {
				r.Reason += " " + s.supporting(other)
				r.Citations = append(r.Citations, other.run.cite("a later sweep"))
			}
		}
	}
	return r, nil
}

// maxSteps bounds the commits that are compared to find the one that made a
// change.
const maxSteps = 24

// culprit is the first commit behind a measurement at which it no longer holds.
func (s *sweepCheck) culprit(ctx context.Context, a *attempt) (string, *currency, error) {
	steps := s.chain(a.sha)
	if len(steps) > maxSteps {
		return s.e.Head, a.current, nil
	}
	for _, sha := range steps {
		if sha == s.e.Head {
			break
		}
		c, err := s.between(ctx, a.measured, sha)
		if err != nil {
			return "", nil, err
		}
		if !c.holds() {
			return sha, c, nil
		}
	}
	return s.e.Head, a.current, nil
}

// commit is a citation of a commit.
func (s *sweepCheck) commit(sha, text string) Citation {
	c := Citation{Kind: CiteCommit, Commit: sha, Text: text}
	if s.e.Repository != "" {
		c.URL = s.e.web() + "/commit/" + sha
	}
	return c
}
