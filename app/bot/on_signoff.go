package bot

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/checks/trigger"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// SignOffClone gives the git part of a verification: the history, the tip of
// the target branch, and its merge base with the head. A Workspace is one.
type SignOffClone interface {
	Sides(ctx context.Context, branch, head string) (history checks.History, target, base string, err error)
}

// SignOffs verifies sign-offs on pull requests (spec/verdict.md).
type SignOffs struct {
	GitHub     GitHub
	Clone      SignOffClone
	Registry   *checks.Registry
	Repository string
	// Beyond gives what answers, for one verification about a signer, what lies
	// outside of the repository; nil reads nothing.
	Beyond func(signer string) Beyond
	// Reviews reads reviews and inline comments; without one only comments in
	// the conversation are verified.
	Reviews Reviews
	// Summary shows verdicts in the summary of the job that this is.
	Summary bool
	// Now is the clock: a verdict depends on the day.
	Now func() time.Time
}

// Handler is the room that understands sign-offs in the conversation.
func (o *SignOffs) Handler() CommentHandler {
	return CommentHandler{Name: "sign-off", Wants: mayBeSignOff, Tell: o.tellSaid}
}

// mayBeSignOff reports whether a text is worth a look.
func mayBeSignOff(text string) bool {
	return strings.Contains(text, signoff.Phrase) && !strings.HasPrefix(text, signoff.Marker)
}

func (o *SignOffs) tellSaid(ctx context.Context, said Said, out *Decided) error {
	action := "created"
	if said.Edited {
		action = "edited"
	}
	// The room hears nothing that another edited: the actor is the author.
	return o.verify(ctx, request{
		kind: checks.ConversationComment, action: action, comment: said.Comment, actor: said.Comment.Author, pr: said.PR,
	}, out)
}

// request is a sign-off that may be verified.
type request struct {
	kind    checks.SignOffKind
	action  string
	comment Comment
	actor   User
	pr      *PullRequest
	manual  bool
}

func (r request) event() trigger.Event {
	return trigger.Event{
		Kind: r.kind, Action: r.action, OnPull: true, Body: r.comment.Body, Author: accountOf(r.comment.Author), Actor: accountOf(r.actor),
		State: r.pr.State, Draft: r.pr.Draft, Manual: r.manual,
	}
}

func accountOf(u User) trigger.Account { return trigger.Account{ID: u.ID, Login: u.Login, Bot: u.Bot} }

// verify goes through the filters in their order, then decides, and says so.
func (o *SignOffs) verify(ctx context.Context, r request, out *Decided) error {
	if why := trigger.AtSight(r.event()); why != trigger.Goes {
		out.because(string(why))
		return nil
	}
	history, target, base, err := o.Clone.Sides(ctx, r.pr.BaseBranch, r.pr.HeadSHA)
	if err != nil {
		return err
	}
	tree, err := history.Tree(ctx, target)
	if err != nil {
		return err
	}
	settings, _, err := config.Detect(tree)
	if err != nil {
		return err
	}
	known, why, err := o.filter(ctx, r, settings, history, tree, base)
	if err != nil || why != trigger.Goes {
		if err == nil {
			out.because(string(why))
		}
		return err
	}
	c := o.caseOf(r, target, base)
	c.SignOff = &checks.SignOff{
		Kind: r.kind, Key: trigger.Key(r.kind, r.comment.ID), URL: r.comment.URL, Body: r.comment.Body, Created: r.comment.CreatedAt, Updated: r.comment.UpdatedAt,
	}
	v, err := o.decideOn(ctx, c, history, known)
	if err != nil {
		return err
	}
	now, err := o.GitHub.PullRequest(ctx, r.pr.Number)
	if err != nil {
		return err
	}
	if now.HeadSHA != r.pr.HeadSHA {
		v.MovedTo = now.HeadSHA
	}
	return o.sayVerdict(v, out)
}

// caseOf is the case of a request, still without the text of a sign-off.
func (o *SignOffs) caseOf(r request, target, base string) checks.Case {
	return checks.Case{
		Repository: o.Repository, PR: r.pr.Number, Base: base, Head: r.pr.HeadSHA, Target: target, Signer: r.comment.Author.Login,
		Association: strings.ToUpper(r.comment.AuthorAssociation), Date: o.Now().UTC().Truncate(24 * time.Hour),
	}
}

// decide verifies a case with what GitHub tells now.
func (o *SignOffs) decide(ctx context.Context, c checks.Case, history checks.History) (*bundle.Verification, error) {
	return o.decideOn(ctx, c, history, nil)
}

// decideOn is decide with the pull request where it has just been read.
func (o *SignOffs) decideOn(ctx context.Context, c checks.Case, history checks.History, pr *PullRequest) (*bundle.Verification, error) {
	var beyond Beyond = nothingBeyond{}
	if o.Beyond != nil {
		beyond = o.Beyond(c.Signer)
	}
	return bundle.Verify(ctx, o.Registry, c, "", &liveSource{Beyond: beyond, github: o.GitHub, number: c.PR, pull: pr}, history)
}

// filter is the part of the filters that needs facts: scope, the pinned head,
// and who asks. It returns the pull request as it reads it for the second.
func (o *SignOffs) filter(ctx context.Context, r request, s config.Settings, history checks.History, tree checks.Tree, base string) (*PullRequest, trigger.Why, error) {
	changes, err := history.Changed(ctx, base, r.pr.HeadSHA)
	if err != nil {
		return nil, "", err
	}
	files := make([]string, len(changes))
	for i, c := range changes {
		files[i] = c.Path
	}
	scope := trigger.Scope{Verdict: s.Checks.Verdict, Admin: func(login string) bool {
		role, err := o.GitHub.Permission(ctx, login)
		return err == nil && role == "admin"
	}}
	root, err := s.Layout.Root(tree)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", err
	}
	scope.Changelog = path.Join(root, s.Layout.Changelog)
	if scope.Owners, err = ownersAt(tree, s.Layout.CodeOwners); err != nil {
		return nil, "", err
	}
	if !r.manual && !scope.Holds(files) {
		return nil, trigger.OutOfScope, ctx.Err()
	}
	now, err := o.GitHub.PullRequest(ctx, r.pr.Number)
	switch {
	case err != nil:
		return nil, "", err
	case now.HeadSHA != r.pr.HeadSHA:
		return nil, "", diag.New(string(trigger.HeadMoved), diag.Place{}).In("github")
	case !s.Checks.Verdict.Requesters:
		return &now, trigger.Goes, nil
	}
	role, err := o.GitHub.Permission(ctx, r.actor.Login)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, "", err
	}
	if !trigger.May(role, s.Checks.Verdict) {
		return nil, trigger.NotAllowed, nil
	}
	return &now, trigger.Goes, nil
}

// ownersAt reads the CODEOWNERS file of a tree: the first candidate there is.
func ownersAt(tree checks.Tree, candidates []string) (checks.Owners, error) {
	for _, name := range candidates {
		data, err := tree.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return checks.ParseOwners(data), err
	}
	return checks.Owners{}, nil
}
