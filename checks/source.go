package checks

import (
	"context"
	"errors"
	"time"
)

// ErrNotGiven says that an input is not part of this run: an offline run was
// not given it. The check that needs it is UNAVAILABLE.
var ErrNotGiven = errors.New("this evidence was not given")

// ErrUnreadable says that an input exists but could not be read (403, rate
// limit, a registry that does not answer). It is no fault of the author: the
// check says what is missing (spec/verdict-causes.md section 3).
var ErrUnreadable = errors.New("this evidence could not be read")

// Need names an input of a check.
type Need string

// The inputs that a Source gives.
const (
	NeedSignOff   Need = "sign-off body"
	NeedPull      Need = "pull request"
	NeedComments  Need = "comments"
	NeedCheckRuns Need = "check runs"
	NeedRuns      Need = "workflow runs"
	NeedArtifacts Need = "artifacts"
	NeedTeams     Need = "team membership"
	NeedUpstream  Need = "upstream pull requests and pages"
	NeedRegistry  Need = "image registry"
	NeedGit       Need = "git history"
)

// Source gives what GitHub and others answer. Every method may return an error
// that wraps ErrNotGiven or ErrUnreadable; any other error ends the
// verification. An Evidence asks each question at most once.
type Source interface {
	// Pull is the pull request as it is now.
	Pull(ctx context.Context) (Pull, error)
	// Comments are all issue comments of the pull request, oldest first.
	Comments(ctx context.Context) ([]Comment, error)
	// CheckRuns are all check runs of a commit.
	CheckRuns(ctx context.Context, sha string) ([]CheckRun, error)
	// Run, Jobs and Artifacts describe a workflow run of this repository; a run
	// that does not exist is fs.ErrNotExist.
	Run(ctx context.Context, id int64) (Run, error)
	// WorkflowRuns are the newest runs of a workflow file that a pull request
	// on a head branch started, newest first, at most 100. An empty branch is
	// any: offline it may not be known.
	WorkflowRuns(ctx context.Context, workflow, branch string) ([]Run, error)
	Jobs(ctx context.Context, run int64) ([]Job, error)
	Artifacts(ctx context.Context, run int64) ([]Artifact, error)
	// ArtifactFile is the content of a file of an artifact, bounded by limit
	// bytes.
	ArtifactFile(ctx context.Context, artifact int64, name string, limit int64) ([]byte, error)
	// Team says whether the signer is a member of @org/slug.
	Team(ctx context.Context, org, slug string) (Membership, error)
	// UpstreamPull is a pull request of another repository, with its files.
	UpstreamPull(ctx context.Context, repository string, number int) (Pull, error)
	// Page is the text of a published page.
	Page(ctx context.Context, url string) ([]byte, error)
	// Image says whether a registry holds an image.
	Image(ctx context.Context, reference string) (Image, error)
}

// Membership is the answer about a signer and a team; member lists are never
// kept.
type Membership string

// The answers about a membership (spec/checks.md, check 0).
const (
	Member     Membership = "member"
	NotMember  Membership = "not-member"
	Unreadable Membership = "unreadable"
)

// The documents below carry the names of GitHub's REST API, so that evidence
// files and bundles are the API's own JSON; further fields are ignored.

// Account is a user of the API.
type Account struct {
	Login string `json:"login"`
	Type  string `json:"type,omitempty"`
}

// Comment is an issue comment.
type Comment struct {
	ID          int64     `json:"id"`
	User        Account   `json:"user"`
	Association string    `json:"author_association"`
	Body        string    `json:"body"`
	Created     time.Time `json:"created_at"`
	Updated     time.Time `json:"updated_at"`
	URL         string    `json:"html_url"`
	IssueURL    string    `json:"issue_url,omitempty"`
}

// Ref is one end of a pull request.
type Ref struct {
	Ref  string `json:"ref"`
	SHA  string `json:"sha"`
	Repo *struct {
		FullName string `json:"full_name"`
	} `json:"repo,omitempty"`
}

// Label is a label of a pull request.
type Label struct {
	Name string `json:"name"`
}

// Pull is a pull request. Files is filled for upstream ones only.
type Pull struct {
	Number      int        `json:"number"`
	Title       string     `json:"title"`
	Body        *string    `json:"body"`
	State       string     `json:"state"`
	Draft       bool       `json:"draft"`
	Merged      bool       `json:"merged"`
	MergedAt    *time.Time `json:"merged_at"`
	Head        Ref        `json:"head"`
	Base        Ref        `json:"base"`
	User        Account    `json:"user"`
	Association string     `json:"author_association,omitempty"`
	Labels      []Label    `json:"labels,omitempty"`
	URL         string     `json:"html_url"`
	Files       []PullFile `json:"files,omitempty"`
}

// PullFile is a file of a pull request with its patch.
type PullFile struct {
	Name     string `json:"filename"`
	Previous string `json:"previous_filename,omitempty"`
	Status   string `json:"status"`
	Patch    string `json:"patch,omitempty"`
}

// CheckRun is a check run of a commit.
type CheckRun struct {
	ID         int64      `json:"id"`
	Name       string     `json:"name"`
	HeadSHA    string     `json:"head_sha"`
	Status     string     `json:"status"`
	Conclusion string     `json:"conclusion"`
	DetailsURL string     `json:"details_url"`
	URL        string     `json:"html_url,omitempty"`
	Started    *time.Time `json:"started_at,omitempty"`
	Completed  *time.Time `json:"completed_at,omitempty"`
	App        struct {
		Slug string `json:"slug"`
	} `json:"app"`
}

// Run is a workflow run.
type Run struct {
	ID         int64     `json:"id"`
	Name       string    `json:"name"`
	Title      string    `json:"display_title,omitempty"`
	Path       string    `json:"path"`
	Event      string    `json:"event"`
	HeadSHA    string    `json:"head_sha"`
	HeadBranch string    `json:"head_branch"`
	Status     string    `json:"status"`
	Conclusion string    `json:"conclusion"`
	Attempt    int       `json:"run_attempt"`
	Created    time.Time `json:"created_at"`
	URL        string    `json:"html_url"`
	HeadRepo   struct {
		FullName string `json:"full_name"`
	} `json:"head_repository"`
	Called []struct {
		Path string `json:"path"`
		SHA  string `json:"sha"`
		Ref  string `json:"ref,omitempty"`
	} `json:"referenced_workflows,omitempty"`
}

// Job is a job of a run.
type Job struct {
	ID         int64  `json:"id"`
	RunID      int64  `json:"run_id"`
	Name       string `json:"name"`
	HeadSHA    string `json:"head_sha,omitempty"`
	Status     string `json:"status"`
	Conclusion string `json:"conclusion"`
	Attempt    int    `json:"run_attempt,omitempty"`
	URL        string `json:"html_url"`
}

// Artifact is an artifact of a run.
type Artifact struct {
	ID      int64     `json:"id"`
	Name    string    `json:"name"`
	Size    int64     `json:"size_in_bytes"`
	Expired bool      `json:"expired"`
	Created time.Time `json:"created_at"`
	Digest  string    `json:"digest,omitempty"`
}

// Image is the answer of a registry about a reference.
type Image struct {
	Reference string `json:"reference"`
	Exists    bool   `json:"exists"`
	Digest    string `json:"digest,omitempty"`
}
