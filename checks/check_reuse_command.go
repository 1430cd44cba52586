package checks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/reuse"
)

// ReuseCommand is check 4: somebody who may has said which run is published at
// merge. Whether that run is any good is check 1's.
func ReuseCommand() Check {
	return Check{Topic: TopicReuseCommand, Needs: []Need{NeedComments}, Decide: decideReuseCommand}
}

func decideReuseCommand(ctx context.Context, e *Evidence) (Result, error) {
	comments, err := e.Comments(ctx)
	switch {
	case errors.Is(err, ErrNotGiven):
		return unavailable("the comments of the pull request were not given", NeedComments), nil
	case errors.Is(err, ErrUnreadable):
		return e.undecided("the comments of the pull request could not be read", string(NeedComments)), nil
	case err != nil:
		return Result{}, err
	}
	newer := e.Profile.Since("2026-09")
	comment, command, ok := authorizedCommand(comments, newer)
	if !ok {
		return missingCommand(e.citedRun(), newer), nil
	}
	r := Result{Status: Pass, Reason: fmt.Sprintf("%s @%s posted %s", comment.Association, comment.User.Login, quoted(command.Line()))}
	if !command.Pinned() {
		r.Reason += " (no run named)"
		r.Remarks = []string{"a command without a run stays in force for later pushes"}
	}
	r.Reason += "."
	superseded, err := e.superseded(ctx, command)
	if err != nil {
		return Result{}, err
	}
	if superseded {
		r.Reason += " It names the superseded run, which Check 1 covers."
	}
	r.Citations = []Citation{{Kind: CiteComment, ID: comment.ID, URL: comment.URL, Text: "the command"}}
	return r, nil
}

// superseded reports whether a newer sweep of the pull request than the one
// that a command names has succeeded, or what it measured is served no more.
// Where that is not known it is not said.
func (e *Evidence) superseded(ctx context.Context, command reuse.Command) (bool, error) {
	id, ok := runID(command.Run)
	if !ok || !command.Pinned() {
		return false, nil
	}
	green, ok, err := e.GreenSweep(ctx)
	if broken(err) || err == nil && ok && green.ID > id {
		return err == nil, err
	}
	return e.outdatedRun(ctx, id)
}

// authorizedCommand is the last command of the newest comment that gives one.
// An edit changes the text of a comment but not its rank.
func authorizedCommand(comments []Comment, newer bool) (Comment, reuse.Command, bool) {
	ordered := slices.Clone(comments)
	slices.SortStableFunc(ordered, func(a, b Comment) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
	for _, c := range slices.Backward(ordered) {
		if !slices.Contains(reuse.Associations(), c.Association) || c.User.Type == "Bot" {
			continue
		}
		if command, ok := lastCommand(c.Body, newer); ok {
			return c, command, true
		}
	}
	return Comment{}, reuse.Command{}, false
}

// lastCommand reads the lines of a comment on which a command counts. The check
// is stricter than the command itself: a pinned number has no leading zero, and
// only spaces and tabs stand around it.
func lastCommand(body string, newer bool) (reuse.Command, bool) {
	lines := signoff.CommandLines(body)
	if !newer {
		return reuse.August().Parse(strings.Join(lines, "\n"))
	}
	for _, line := range slices.Backward(lines) {
		words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		if len(words) == 0 || len(words) > 2 || strings.ContainsFunc(strings.Join(words, ""), unicode.IsSpace) {
			continue
		}
		command, ok := reuse.Newest().Parse(strings.Join(words, " "))
		if ok && (len(words) == 1 || command.Run == words[1]) {
			return command, true
		}
	}
	return reuse.Command{}, false
}

// missingCommand asks for the command, with the run of the sign-off filled in
// where it names one.
func missingCommand(run int64, newer bool) Result {
	if !newer {
		line := reuse.Legacy
		if run > 0 {
			line = fmt.Sprintf("%s %d", reuse.Legacy, run)
		}
		return Result{
			Status: Fail,
			Reason: "No authorized reuse command has been posted on this PR; an OWNER, MEMBER or COLLABORATOR must comment " + quoted(line) + ".",
		}
	}
	line := reuse.Use + " <run_id>"
	if run > 0 {
		line = fmt.Sprintf("%s %d", reuse.Use, run)
	}
	return Result{
		Status: Warn,
		Reason: "No authorized reuse command has been posted on this PR; an authorized maintainer should comment " + quoted(line) + " before merging by reuse.",
	}
}

// citedRun is the only run that the sign-off names, or 0.
func (e *Evidence) citedRun() int64 {
	doc, ok := e.signOff()
	if runs := doc.Runs(); ok && len(runs) == 1 {
		return runs[0]
	}
	return 0
}
