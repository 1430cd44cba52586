package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/config"
)

// CodeOwner is check 0: the signer owns what the pull request changes, as far
// as CODEOWNERS at the target branch and readable memberships say.
func CodeOwner() Check {
	return Check{Topic: TopicCodeOwner, Needs: []Need{NeedGit, NeedTeams}, Decide: decideCodeOwner}
}

func decideCodeOwner(ctx context.Context, e *Evidence) (Result, error) {
	changed, err := e.Changed(ctx)
	if err != nil {
		return Result{}, err
	}
	if len(changed) == 0 {
		return Result{Status: NotApplicable, Reason: "no file is changed"}, nil
	}
	if e.Signer == "" {
		return unavailable("no signer was given", NeedSignOff), nil
	}
	file, err := e.owners(ctx)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return e.undecided("the target branch has no CODEOWNERS file", "CODEOWNERS"), nil
	case err != nil:
		return Result{}, err
	case len(file.Data) > maxOwners:
		return e.undecided(quoted(file.Path)+" is larger than 3 MB, which nobody reads", file.Path), nil
	}
	o := ownership{e: e, file: file, owners: ParseOwners(file.Data)}
	for _, c := range changed {
		o.sort(c.Path)
	}
	if err := o.recognise(ctx); err != nil {
		return Result{}, err
	}
	return o.decide(), nil
}

// ownership is what CODEOWNERS says about a signer and a change.
type ownership struct {
	e      *Evidence
	file   Document
	owners Owners

	specific []ownedPath // changed paths with a line of their own
	catchAll int         // changed paths of the catch-all, unowned ones left out

	named      bool
	memberOf   []string // teams, lower case
	unreadable []string
	notGiven   bool // some membership was not part of this run
}

type ownedPath struct {
	path string
	line OwnerLine
}

// sort files a changed path by the line that decides about it.
func (o *ownership) sort(path string) {
	line, ok := o.owners.For(path)
	switch {
	case !ok || line.Unowned():
	case line.CatchAll():
		o.catchAll++
	default:
		o.specific = append(o.specific, ownedPath{path, line})
	}
}

// recognise finds out who the signer is: the teams of the deciding lines first,
// the others only where nothing else recognises the signer.
func (o *ownership) recognise(ctx context.Context) error {
	_, o.named = o.owners.Named(o.e.Signer)
	var first []string
	for _, p := range o.specific {
		if !p.line.Names(o.e.Signer) {
			first = append(first, p.line.Teams...)
		}
	}
	if err := o.ask(ctx, first); err != nil || o.named || len(o.memberOf) > 0 {
		return err
	}
	return o.ask(ctx, o.owners.Teams())
}

// ask reads memberships, each once; what the settings list needs no asking.
func (o *ownership) ask(ctx context.Context, teams []string) error {
	for _, team := range teams {
		team = strings.ToLower(team)
		if slices.Contains(o.memberOf, team) || slices.Contains(o.unreadable, team) {
			continue
		}
		entry := "@" + team + ":" + o.e.Signer
		if slices.ContainsFunc(o.e.Settings.Checks.Teams, func(t string) bool { return strings.EqualFold(t, entry) }) {
			o.memberOf = append(o.memberOf, team)
			continue
		}
		org, slug, _ := strings.Cut(team, "/")
		state, err := o.e.Team(ctx, org, slug)
		switch {
		case errors.Is(err, ErrNotGiven):
			o.notGiven, state = true, Unreadable
		case errors.Is(err, ErrUnreadable):
			state = Unreadable
		case err != nil:
			return err
		}
		switch state {
		case Member:
			o.memberOf = append(o.memberOf, team)
		case Unreadable:
			o.unreadable = append(o.unreadable, team)
		}
	}
	return nil
}

// organisation reports whether the signer's association alone recognises them:
// only catch-all paths changed, or a team that would could not be read.
func (o *ownership) organisation() bool {
	inside := o.e.Association == "OWNER" || o.e.Association == "MEMBER"
	return inside && (len(o.specific) == 0 || len(o.unreadable) > 0)
}

func (o *ownership) recognised() bool { return o.named || len(o.memberOf) > 0 || o.organisation() }

// owns reports whether the signer owns a path by name or by team.
func (o *ownership) owns(p ownedPath) bool {
	return p.line.Names(o.e.Signer) || slices.ContainsFunc(p.line.Teams, func(t string) bool { return slices.Contains(o.memberOf, strings.ToLower(t)) })
}

// unread reports whether a path could be the signer's by a team that can't be
// read.
func (o *ownership) unread(p ownedPath) bool {
	return slices.ContainsFunc(p.line.Teams, func(t string) bool { return slices.Contains(o.unreadable, strings.ToLower(t)) })
}

// decide judges the paths, worst first (check 0, steps 5 and 6).
func (o *ownership) decide() Result {
	var own, doubtful, foreign []ownedPath
	for _, p := range o.specific {
		switch {
		case o.owns(p):
			own = append(own, p)
		case o.unread(p) && o.e.Settings.Checks.UnreadableOwners != config.OwnersFail:
			doubtful = append(doubtful, p)
		default:
			foreign = append(foreign, p)
		}
	}
	switch {
	case len(foreign) > 0:
		return o.refuse(foreign)
	case !o.recognised() && o.e.Association == "" && len(o.unreadable) > 0:
		return o.unknown()
	case !o.recognised():
		r := Result{Status: Fail, Reason: fmt.Sprintf("@%s is not listed in CODEOWNERS and is not a member of the organisation.", o.e.Signer)}
		r.Citations = []Citation{o.e.cite(o.file, 0, "the owners")}
		return r
	}
	return o.pass(own, doubtful)
}

// unknown is the outcome where an unreadable team is all that stands between
// the signer and recognition.
func (o *ownership) unknown() Result {
	what := fmt.Sprintf("whether @%s is a member of %s", o.e.Signer, series(at(o.unreadable), 4))
	if o.notGiven {
		r := unavailable(what+" was not given", NeedTeams)
		r.Citations = []Citation{o.e.cite(o.file, 0, "the owners")}
		return r
	}
	return o.e.undecided(what+" could not be read", string(NeedTeams))
}

func (o *ownership) refuse(foreign []ownedPath) Result {
	p := foreign[0]
	reason := fmt.Sprintf("@%s is not an owner of %s (owners: %s)", o.e.Signer, quoted(p.path), p.line)
	if n := len(foreign) - 1; n > 0 {
		reason += fmt.Sprintf(", nor of %s with %s", count(n, "other path", "other paths"), verb(n, "an owner line of its own", "owner lines of their own"))
	}
	r := Result{Status: Fail, Reason: reason + "."}
	for _, p := range foreign {
		r.Citations = append(r.Citations, o.e.cite(o.file, p.line.Line, "owners of "+p.path))
	}
	r.Citations = r.Citations[:min(len(r.Citations), 5)]
	return r
}

// pass words the reason: who the signer is, then what was taken on trust.
func (o *ownership) pass(own, doubtful []ownedPath) Result {
	r := Result{Status: Pass}
	signer := "@" + o.e.Signer
	rest := ""
	if n := o.catchAll; n > 0 && len(own)+len(doubtful) > 0 {
		rest = fmt.Sprintf("; %s %s to the catch-all", count(n, "other path", "other paths"), verb(n, "falls", "fall"))
	}
	var parts []string
	switch {
	case len(own) > 0:
		what := "a named owner of "
		if !own[0].line.Names(o.e.Signer) {
			what = "a member of a team that owns "
		}
		parts = append(parts, signer+" is "+what+quoted(own[0].path)+more(len(own)-1)+rest)
		r.Citations = append(r.Citations, o.e.cite(o.file, own[0].line.Line, "owners of "+own[0].path))
	case o.named:
		line, _ := o.owners.Named(o.e.Signer)
		parts = append(parts, signer+" is a named CODEOWNER")
		r.Citations = append(r.Citations, o.e.cite(o.file, line.Line, "names "+signer))
	case len(o.memberOf) > 0:
		parts = append(parts, signer+" is a member of @"+o.memberOf[0])
	case len(doubtful) > 0:
		parts = append(parts, signer+" is an organisation member")
	}
	for i, p := range doubtful {
		if i == 2 {
			parts = append(parts, fmt.Sprintf("%d more paths of such owners", len(doubtful)-i))
			break
		}
		parts = append(parts, fmt.Sprintf("%s is owned by %s", quoted(p.path), series(strings.Split(p.line.String(), ", "), 6)))
		r.Citations = append(r.Citations, o.e.cite(o.file, p.line.Line, "owners of "+p.path))
	}
	if len(doubtful) > 0 {
		parts = append(parts, "team membership could not be read")
		r.Missing = append(r.Missing, string(NeedTeams))
	}
	if len(own)+len(doubtful) == 0 {
		parts = o.onlyCatchAll(parts, signer)
	}
	r.Reason = strings.Join(parts, "; ") + "."
	r.Remarks = o.remarks()
	return r
}

// onlyCatchAll words the case that no changed path has a line of its own.
func (o *ownership) onlyCatchAll(parts []string, signer string) []string {
	all := "all changed paths fall to the catch-all"
	if o.catchAll == 0 {
		all = "no changed path has an owner"
	}
	if len(parts) == 0 {
		return []string{all + " and " + signer + " is an organisation member"}
	}
	return append(parts, all)
}

func (o *ownership) remarks() []string {
	var remarks []string
	if n := len(o.owners.Skipped); n > 0 {
		remarks = append(remarks, fmt.Sprintf("%s of %s could not be read as a rule", count(n, "line", "lines"), quoted(o.file.Path)))
	}
	for _, p := range o.specific {
		if len(p.line.Mails) > 0 && !o.owns(p) {
			remarks = append(remarks, fmt.Sprintf("the e-mail owners of %s match nobody", quoted(p.path)))
			break
		}
	}
	return remarks
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and of %s", count(n, "other path with owners", "other paths with owners"))
}

// at puts an @ before each name.
func at(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = "@" + name
	}
	return out
}
