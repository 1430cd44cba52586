package bot

import (
	"cmp"
	"encoding/json"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// maxPayload is the size of a webhook body (spec/github-limits.md).
const maxPayload = 25 << 20

// Delivery is one event as GitHub sends it, of which we keep what handlers
// use. All of it is foreign text.
type Delivery struct {
	Name, Action string
	// ID tells deliveries apart: that of the webhook, or in Actions the id of
	// the run. The same delivery may come again.
	ID string
	// Repository is owner/name.
	Repository string
	Sender     User

	// PR is the pull request as it was at the event; nil in other events.
	PR *PullRequest
	// Label was added or removed.
	Label string
	// Run is the workflow run as it was at the event; nil in other events.
	Run *Run
	// Push is the push; nil in other events.
	Push *Push
}

// Push is a push to a branch.
type Push struct {
	Branch        string // "" for a tag
	Before, After string
	Message       string // of the newest commit
}

// The shapes below are the parts of webhook payloads that are read.

type userPayload struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Type  string `json:"type"`
}

func (u userPayload) user() User { return User{u.ID, u.Login, u.Type == "Bot"} }

type sidePayload struct {
	Ref  string `json:"ref"`
	SHA  string `json:"sha"`
	Repo *struct {
		FullName string `json:"full_name"`
	} `json:"repo"`
}

func (s sidePayload) repo() string {
	if s.Repo == nil {
		return "" // deleted
	}
	return s.Repo.FullName
}

type pullPayload struct {
	Number            int         `json:"number"`
	Title             string      `json:"title"`
	Body              string      `json:"body"`
	URL               string      `json:"html_url"`
	State             string      `json:"state"`
	Draft             bool        `json:"draft"`
	Merged            bool        `json:"merged"`
	Mergeable         *bool       `json:"mergeable"`
	MergeSHA          string      `json:"merge_commit_sha"`
	ChangedFiles      int         `json:"changed_files"`
	AuthorAssociation string      `json:"author_association"`
	User              userPayload `json:"user"`
	Labels            []struct {
		Name string `json:"name"`
	} `json:"labels"`
	Base      sidePayload `json:"base"`
	Head      sidePayload `json:"head"`
	CreatedAt time.Time   `json:"created_at"`
	UpdatedAt time.Time   `json:"updated_at"`
}

func (p *pullPayload) pullRequest() *PullRequest {
	if p == nil {
		return nil
	}
	pr := &PullRequest{
		Number: p.Number, Title: p.Title, Body: p.Body, URL: p.URL, State: p.State, Draft: p.Draft, Merged: p.Merged,
		Mergeable: p.Mergeable, Author: p.User.user(), AuthorAssociation: p.AuthorAssociation,
		BaseBranch: p.Base.Ref, BaseSHA: p.Base.SHA, HeadRepo: p.Head.repo(), HeadBranch: p.Head.Ref, HeadSHA: p.Head.SHA,
		MergeSHA: p.MergeSHA, ChangedFiles: p.ChangedFiles, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	for _, l := range p.Labels {
		pr.Labels = append(pr.Labels, l.Name)
	}
	return pr
}

type runPayload struct {
	ID         int64       `json:"id"`
	Attempt    int         `json:"run_attempt"`
	Name       string      `json:"name"`
	Title      string      `json:"display_title"`
	URL        string      `json:"html_url"`
	Path       string      `json:"path"`
	Event      string      `json:"event"`
	Status     string      `json:"status"`
	Conclusion string      `json:"conclusion"`
	HeadBranch string      `json:"head_branch"`
	HeadSHA    string      `json:"head_sha"`
	Actor      userPayload `json:"actor"`
	Trigger    userPayload `json:"triggering_actor"`
	HeadRepo   *struct {
		FullName string `json:"full_name"`
	} `json:"head_repository"`
	PullRequests []struct {
		Number int `json:"number"`
	} `json:"pull_requests"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

func (p *runPayload) run() *Run {
	if p == nil {
		return nil
	}
	path, _, _ := strings.Cut(p.Path, "@")
	run := &Run{
		ID: p.ID, Attempt: p.Attempt, Name: p.Name, Title: p.Title, URL: p.URL, Workflow: path, Event: p.Event,
		Status: p.Status, Conclusion: p.Conclusion, HeadBranch: p.HeadBranch, HeadSHA: p.HeadSHA,
		Actor: p.Actor.user(), Trigger: p.Trigger.user(), CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	if p.HeadRepo != nil {
		run.HeadRepo = p.HeadRepo.FullName
	}
	for _, pr := range p.PullRequests {
		run.PullRequests = append(run.PullRequests, pr.Number)
	}
	return run
}

type deliveryPayload struct {
	Action     string `json:"action"`
	Repository struct {
		FullName string `json:"full_name"`
	} `json:"repository"`
	Sender userPayload  `json:"sender"`
	Pull   *pullPayload `json:"pull_request"`
	Label  struct {
		Name string `json:"name"`
	} `json:"label"`
	Run *runPayload `json:"workflow_run"`

	Ref        string `json:"ref"`
	Before     string `json:"before"`
	After      string `json:"after"`
	HeadCommit *struct {
		Message string `json:"message"`
	} `json:"head_commit"`
}

// ParseDelivery reads the payload of an event. The id is that of the delivery,
// see Delivery; the repository, owner/name, is taken where the payload of a
// schedule does not name it. The error is a diag.Finding.
func ParseDelivery(name, id, repository string, data []byte) (Delivery, error) {
	if len(data) > maxPayload {
		return Delivery{}, diag.New("bot.payload-too-large", diag.Place{}).In("usage")
	}
	var p deliveryPayload
	if err := json.Unmarshal(data, &p); err != nil {
		return Delivery{}, diag.New("bot.payload", diag.Place{}, "detail", err.Error()).In("usage")
	}
	d := Delivery{
		Name: name, Action: p.Action, ID: id, Repository: p.Repository.FullName, Sender: p.Sender.user(),
		PR: p.Pull.pullRequest(), Label: p.Label.Name, Run: p.Run.run(),
	}
	if name == "schedule" {
		d.Repository = cmp.Or(d.Repository, repository)
	}
	if name == "push" {
		branch, isBranch := strings.CutPrefix(p.Ref, "refs/heads/")
		if !isBranch {
			branch = ""
		}
		d.Push = &Push{Branch: branch, Before: p.Before, After: p.After}
		if p.HeadCommit != nil {
			d.Push.Message = p.HeadCommit.Message
		}
	}
	return d, nil
}
