package bot

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/labels"
)

// wireCommon is what every event has.
type wireCommon struct {
	Action     string          `json:"action"`
	Repository *wireRepository `json:"repository"`
	Sender     *wireUser       `json:"sender"`
}

// wirePayload is an event in GitHub's form, as far as we use it.
type wirePayload struct {
	wireCommon
	Label       *wireLabel                 `json:"label"`
	PullRequest *wirePull                  `json:"pull_request"`
	Issue       *wireIssue                 `json:"issue"`
	Comment     *wireComment               `json:"comment"`
	Review      *wireComment               `json:"review"`
	Run         *wireRun                   `json:"workflow_run"`
	Job         *wireJob                   `json:"workflow_job"`
	Inputs      map[string]json.RawMessage `json:"inputs"`
	Changes     *struct {
		Body *struct {
			From *string `json:"from"`
		} `json:"body"`
	} `json:"changes"`

	Ref        string `json:"ref"`
	Before     string `json:"before"`
	After      string `json:"after"`
	HeadCommit *struct {
		Message string `json:"message"`
	} `json:"head_commit"`
}

type wireUser struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Type  string `json:"type"`
}

type wireLabel struct {
	Name string `json:"name"`
}

type wireRepository struct {
	FullName      string `json:"full_name"`
	DefaultBranch string `json:"default_branch"`
}

type wireRef struct {
	Ref  string          `json:"ref"`
	SHA  string          `json:"sha"`
	Repo *wireRepository `json:"repo"`
}

type wirePull struct {
	Number         int64       `json:"number"`
	Title          string      `json:"title"`
	Body           *string     `json:"body"`
	HTMLURL        string      `json:"html_url"`
	State          string      `json:"state"`
	Draft          bool        `json:"draft"`
	Merged         bool        `json:"merged"`
	Mergeable      *bool       `json:"mergeable"`
	User           *wireUser   `json:"user"`
	Association    string      `json:"author_association"`
	Labels         []wireLabel `json:"labels"`
	Base           *wireRef    `json:"base"`
	Head           *wireRef    `json:"head"`
	MergeCommitSHA *string     `json:"merge_commit_sha"`
	ChangedFiles   int         `json:"changed_files"`
	CreatedAt      *time.Time  `json:"created_at"`
	UpdatedAt      *time.Time  `json:"updated_at"`
}

type wireIssue struct {
	Number      int64           `json:"number"`
	State       string          `json:"state"`
	User        *wireUser       `json:"user"`
	Labels      []wireLabel     `json:"labels"`
	PullRequest json.RawMessage `json:"pull_request"`
}

type wireComment struct {
	ID          int64      `json:"id"`
	Body        string     `json:"body"`
	HTMLURL     string     `json:"html_url"`
	User        *wireUser  `json:"user"`
	Association string     `json:"author_association"`
	CreatedAt   *time.Time `json:"created_at"`
	UpdatedAt   *time.Time `json:"updated_at"`
	SubmittedAt *time.Time `json:"submitted_at"` // of a review
}

type wireRun struct {
	ID           int64           `json:"id"`
	Attempt      int             `json:"run_attempt"`
	Name         string          `json:"name"`
	Title        string          `json:"display_title"`
	HTMLURL      string          `json:"html_url"`
	Path         string          `json:"path"`
	Event        string          `json:"event"`
	Status       string          `json:"status"`
	Conclusion   *string         `json:"conclusion"`
	HeadBranch   *string         `json:"head_branch"`
	HeadSHA      string          `json:"head_sha"`
	HeadRepo     *wireRepository `json:"head_repository"`
	Actor        *wireUser       `json:"actor"`
	Trigger      *wireUser       `json:"triggering_actor"`
	CreatedAt    *time.Time      `json:"created_at"`
	UpdatedAt    *time.Time      `json:"updated_at"`
	PullRequests []struct {
		Number int64 `json:"number"`
	} `json:"pull_requests"`
}

// delivery checks every field that is used and builds the product's form.
func (w *wirePayload) delivery(event string, c *checker) Delivery {
	p := Delivery{Name: event, Action: c.text("action", w.Action, maxPayloadName), Sender: c.user("sender", w.Sender)}
	if r := w.Repository; r != nil {
		p.Repository = c.repository("repository.full_name", r.FullName)
		p.DefaultBranch = c.text("repository.default_branch", r.DefaultBranch, maxPayloadName)
	}
	if w.Label != nil {
		p.Label = c.text("label.name", w.Label.Name, maxPayloadName)
	}
	switch event {
	case "pull_request", "pull_request_target":
		p.PR = w.pull(c)
		if w.Action == labels.Synchronize {
			p.Heads = w.push(c)
		}
	case "issue_comment":
		p.Issue, p.Comment, p.EditedFrom = w.issue(c), toComment(c, "comment", w.Comment), w.editedFrom(c)
	case "pull_request_review":
		p.PR, p.Comment, p.EditedFrom = w.pull(c), toComment(c, "review", w.Review), w.editedFrom(c)
	case "pull_request_review_comment":
		p.PR, p.Comment, p.EditedFrom = w.pull(c), toComment(c, "comment", w.Comment), w.editedFrom(c)
	case "workflow_run":
		p.Run = w.run(c)
	case "workflow_job":
		p.Job = w.Job.job(c)
	case "push":
		p.Push = w.push(c)
	case "workflow_dispatch":
		p.Inputs = c.inputs(w.Inputs)
	}
	return p
}

func (w *wirePayload) pull(c *checker) *PullRequest {
	pr := w.PullRequest
	if pr == nil || pr.Head == nil || pr.Base == nil {
		c.fail("pull_request", "it, its head or its base is missing")
		return nil
	}
	return &PullRequest{
		Number: c.number("pull_request.number", pr.Number), Title: c.text("pull_request.title", pr.Title, maxPayloadTitle),
		Body: c.text("pull_request.body", valueOf(pr.Body), maxPayloadBody), URL: c.text("pull_request.html_url", pr.HTMLURL, maxPayloadTitle),
		State: c.text("pull_request.state", pr.State, maxPayloadName), Draft: pr.Draft, Merged: pr.Merged, Mergeable: pr.Mergeable,
		Author: c.user("pull_request.user", pr.User), AuthorAssociation: c.text("pull_request.author_association", pr.Association, maxPayloadName),
		Labels:     c.labels("pull_request.labels", pr.Labels),
		BaseBranch: c.text("pull_request.base.ref", pr.Base.Ref, maxPayloadName), BaseSHA: c.sha("pull_request.base.sha", pr.Base.SHA),
		HeadRepo: c.repository("pull_request.head.repo.full_name", nameOf(pr.Head.Repo)), HeadBranch: c.text("pull_request.head.ref", pr.Head.Ref, maxPayloadName),
		HeadSHA: c.sha("pull_request.head.sha", pr.Head.SHA), MergeSHA: c.text("pull_request.merge_commit_sha", valueOf(pr.MergeCommitSHA), maxPayloadName),
		ChangedFiles: pr.ChangedFiles,
		CreatedAt:    timeOf(pr.CreatedAt), UpdatedAt: timeOf(pr.UpdatedAt),
	}
}

func (w *wirePayload) issue(c *checker) *Issue {
	i := w.Issue
	if i == nil {
		c.fail("issue", "it is missing")
		return nil
	}
	return &Issue{
		Number: c.number("issue.number", i.Number), State: c.text("issue.state", i.State, maxPayloadName),
		IsPullRequest: len(i.PullRequest) > 0 && string(i.PullRequest) != "null",
		Author:        c.user("issue.user", i.User), Labels: c.labels("issue.labels", i.Labels),
	}
}

// toComment reads a comment, or a review, whose body is null where it has no
// text.
func toComment(c *checker, field string, m *wireComment) *Comment {
	if m == nil {
		c.fail(field, "it is missing")
		return nil
	}
	comment := &Comment{
		ID: c.id(field+".id", m.ID), Author: c.user(field+".user", m.User), AuthorAssociation: c.text(field+".author_association", m.Association, maxPayloadName),
		Body: c.text(field+".body", m.Body, maxPayloadBody), URL: c.text(field+".html_url", m.HTMLURL, maxPayloadTitle),
		CreatedAt: timeOf(m.CreatedAt), UpdatedAt: timeOf(m.UpdatedAt),
	}
	if m.SubmittedAt != nil {
		comment.CreatedAt = *m.SubmittedAt
	}
	return comment
}

func (w *wirePayload) editedFrom(c *checker) *string {
	if w.Changes == nil || w.Changes.Body == nil || w.Changes.Body.From == nil {
		return nil
	}
	from := c.text("changes.body.from", *w.Changes.Body.From, maxPayloadBody)
	return &from
}

func (w *wirePayload) run(c *checker) *Run {
	r := w.Run
	if r == nil {
		c.fail("workflow_run", "it is missing")
		return nil
	}
	path, _, _ := strings.Cut(r.Path, "@")
	run := &Run{
		ID: c.id("workflow_run.id", r.ID), Attempt: r.Attempt, Name: c.text("workflow_run.name", r.Name, maxPayloadTitle),
		Title: c.text("workflow_run.display_title", r.Title, maxPayloadTitle), URL: c.text("workflow_run.html_url", r.HTMLURL, maxPayloadTitle),
		Workflow: c.text("workflow_run.path", path, maxPayloadName), Event: c.text("workflow_run.event", r.Event, maxPayloadName),
		Status: c.text("workflow_run.status", r.Status, maxPayloadName), Conclusion: c.text("workflow_run.conclusion", valueOf(r.Conclusion), maxPayloadName),
		HeadRepo: c.repository("workflow_run.head_repository.full_name", nameOf(r.HeadRepo)), HeadBranch: c.text("workflow_run.head_branch", valueOf(r.HeadBranch), maxPayloadName),
		HeadSHA: c.sha("workflow_run.head_sha", r.HeadSHA), Actor: c.user("workflow_run.actor", r.Actor), Trigger: c.user("workflow_run.triggering_actor", r.Trigger),
		CreatedAt: timeOf(r.CreatedAt), UpdatedAt: timeOf(r.UpdatedAt),
	}
	for _, pr := range r.PullRequests {
		run.PullRequests = append(run.PullRequests, c.number("workflow_run.pull_requests.number", pr.Number))
	}
	return run
}

func (w *wirePayload) push(c *checker) *Push {
	p := &Push{Ref: c.text("ref", w.Ref, maxPayloadName), Before: c.commit("before", w.Before), After: c.commit("after", w.After)}
	if name, ok := strings.CutPrefix(p.Ref, "refs/heads/"); ok {
		p.Branch = name
	}
	if w.HeadCommit != nil {
		p.Message = c.text("head_commit.message", w.HeadCommit.Message, maxPayloadBody)
	}
	return p
}

func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

func valueOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func nameOf(r *wireRepository) string {
	if r == nil {
		return ""
	}
	return r.FullName
}
