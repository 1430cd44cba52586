package checks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
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
	var note string
	switch merges, commits := s.since(a.sha); {
	case commits > 0 && merges == commits:
		note = "head differs only by a base merge that leaves the affected launch unchanged."
	case len(c.harmless)+len(c.results) == 0:
		note = fmt.Sprintf("what changed since (%s) is used by none of the affected points.", count(c.others, "file", "files"))
	default:
		note = "what changed since leaves the affected launch unchanged."
	}
	if len(c.harmless) > 0 {
		note += fmt.Sprintf(" %s of %s read changed files and serve the same: %s.", s.nPoints(c.points), "this PR", quotedList(c.harmless, 4))
		if c.others > 0 {
			note += fmt.Sprintf(" %s more %s used by none of them.", count(c.others, "changed file", "changed files"), verb(c.others, "is", "are"))
		}
	}
	return note
}

func (s *sweepCheck) nPoints(n int) string {
	if n == 1 {
		return "The point"
	}
	return fmt.Sprintf("The %d points", n)
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
	case a.stale():
		return fmt.Sprintf("Run %d on %s is not current: %s.", a.run.ID, short(a.sha), whatChanged(a.current))
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
				if cited := s.e.citeHead(f.File, f.Line, factName(ch)); !slices.Contains(r.Citations, cited) {
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

// whatChanged names what changed in a few words.
func whatChanged(c *currency) string {
	var facts, files []string
	var fresh []string
	for _, p := range c.changed {
		if p.isNew {
			fresh = append(fresh, concTexts(p.row.Conc))
		}
		for _, ch := range p.changes {
			if ch.Kind != recipe.Undecided {
				facts = append(facts, factName(ch))
			}
		}
		if len(p.changes) == 0 {
			for _, name := range p.fields {
				facts = append(facts, quoted(name))
			}
		}
		files = append(files, p.files...)
	}
	facts, files = unique(facts), unique(append(files, c.files...))
	if fresh = unique(fresh); len(fresh) > 0 {
		facts = append(facts, series(fresh, 4)+verb(len(fresh), " was not measured", " were not measured"))
	}
	for _, f := range files {
		facts = append(facts, quoted(f))
	}
	return joined(facts, ", ", 4)
}

// details says which points changed and in what, unless the words before have
// said it all: one fact of every point.
func (s *sweepCheck) details(c *currency) string {
	if len(c.changed) == 0 {
		return fmt.Sprintf("Whether %s measured alike can't be told.", verb(c.points, "the point would be", "the points would be"))
	}
	var facts []string
	names, points := []string(nil), 0
	for _, p := range c.changed {
		if !isEvalRow(p.row) {
			points += len(p.row.Conc)
			names = append(names, s.pointName(p.row))
		}
		for _, ch := range p.changes {
			if ch.Kind != recipe.Undecided {
				facts = append(facts, factText(ch))
			}
		}
	}
	facts = unique(facts)
	if len(facts) <= 1 && points == c.points || !slices.ContainsFunc(c.changed, func(p changedPoint) bool { return !p.isNew }) {
		return ""
	}
	text := fmt.Sprintf("Of %s, %d changed", count(c.points, "point", "points"), points)
	switch {
	case points == 0:
		text = "Only evals changed"
	case points < c.points:
		text += " (" + joined(unique(names), ", ", 4) + ")"
	}
	if len(facts) > 0 {
		text += ": " + joined(facts, "; ", 3)
	}
	return text + "."
}

// pointName names a row within the pull request.
func (s *sweepCheck) pointName(row *matrix.Row) string {
	if len(s.affected.Keys) > 1 {
		return row.Config.Key + " " + concTexts(row.Conc)
	}
	return concTexts(row.Conc)
}

// isEvalRow reports whether a row only evaluates.
func isEvalRow(row *matrix.Row) bool { return row.EvalOnly }

// words name facts as people do.
var factWords = map[string]string{
	"kv-transfer-config": "KV connector", "disaggregation-transfer-backend": "KV connector", "connector": "KV connector", "kv-connector": "KV connector",
	"kv-cache-dtype": "KV cache type", "kv-cache-config.dtype": "KV cache type", "tensor-parallel-size": "tensor parallelism",
	"speculative-config": "speculation", "quantization": "quantisation",
}

// factName names what differs, with its role.
func factName(ch recipe.Change) string {
	name, ok := factWords[ch.Name]
	switch {
	case ok:
	case ch.Of == recipe.KindImage:
		name = "image"
	case ch.Name == "":
		name = string(ch.Of)
	default:
		name = quoted(ch.Name)
	}
	if ch.Role != "" && ch.Role != recipe.RoleAggregate {
		name = ch.Role + " " + name
	}
	return name
}

// factText is a difference with both values.
func factText(ch recipe.Change) string {
	shown := func(value string) string {
		if value == "" {
			return "none"
		}
		return quoted(firstBytes(recipe.Display(value), 60))
	}
	return fmt.Sprintf("%s %s -> %s", factName(ch), shown(ch.From), shown(ch.To))
}

// firstBytes cuts a value at a character.
func firstBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

// quotedList are paths as a sentence lists them.
func quotedList(names []string, limit int) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoted(name)
	}
	return joined(out, ", ", limit)
}

// commit is a citation of a commit.
func (s *sweepCheck) commit(sha, text string) Citation {
	c := Citation{Kind: CiteCommit, Commit: sha, Text: text}
	if s.e.Repository != "" {
		c.URL = s.e.web() + "/commit/" + sha
	}
	return c
}
