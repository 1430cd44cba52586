package bot

import (
	"context"
	"io"
	"time"
)

// GitHub is what the handlers need of one repository on GitHub. Every method
// reads or writes through one identity; errors that callers branch on are
// ErrNotFound, ErrForbidden and *RateLimitError, anything else is an outside
// failure. Lists are complete: paging is the implementation's concern.
type GitHub interface {
	PullRequests
	Comments
	Checks
	Runs
	Permissions
}

// PullRequests reads pull requests.
type PullRequests interface {
	PullRequest(ctx context.Context, number int) (PullRequest, error)
	// PullRequestsFor returns the open pull requests whose head is a commit of
	// a branch of a repository; it maps a run to its pull request, since runs
	// of forks do not list theirs (known failure F30).
	PullRequestsFor(ctx context.Context, headRepo, headBranch, headSHA string) ([]PullRequest, error)
	// PullRequestCommits returns the ids of the commits of a pull request,
	// oldest first; GitHub lists at most 250.
	PullRequestCommits(ctx context.Context, number int) ([]string, error)
	// LabelEvents returns the history of the labels of a pull request, oldest
	// first. It tells who added a label and when, which no other answer does.
	LabelEvents(ctx context.Context, number int) ([]LabelEvent, error)
	// CommitMessage returns the message of a commit.
	CommitMessage(ctx context.Context, sha string) (string, error)
	// ReadFile returns a file at a commit; an error that is fs.ErrNotExist
	// means that there is none.
	ReadFile(ctx context.Context, sha, path string) ([]byte, error)
	// ChangedFiles lists the files that head changes since it left base: those
	// that differ between the merge base of the two commits and head, at most
	// 3000; complete is false when GitHub cut the list.
	ChangedFiles(ctx context.Context, base, head string) (files []string, complete bool, err error)
}

// Comments reads and writes the conversation of a pull request.
type Comments interface {
	// Comments lists the comments, oldest first.
	Comments(ctx context.Context, number int) ([]Comment, error)
	// Comment returns one comment by its id, as it is now.
	Comment(ctx context.Context, id int64) (Comment, error)
	CreateComment(ctx context.Context, number int, body string) (Comment, error)
	UpdateComment(ctx context.Context, id int64, body string) error
	DeleteComment(ctx context.Context, id int64) error
	// React adds a reaction such as "eyes", "+1" or "rocket"; adding one that
	// exists changes nothing.
	React(ctx context.Context, commentID int64, content string) error
}

// Checks reads and writes check runs and commit statuses.
type Checks interface {
	CheckRuns(ctx context.Context, sha, name string) ([]CheckRun, error)
	CreateCheckRun(ctx context.Context, run CheckRun) (CheckRun, error)
	// UpdateCheckRun replaces the state of a run; annotations are appended.
	UpdateCheckRun(ctx context.Context, run CheckRun) error
	SetStatus(ctx context.Context, sha string, status Status) error
	// Statuses lists the statuses of a commit, newest first: the first one of
	// a context is in force.
	Statuses(ctx context.Context, sha string) ([]Status, error)
}

// Runs reads and controls workflow runs.
type Runs interface {
	// WorkflowRuns lists runs of a workflow file, newest first.
	WorkflowRuns(ctx context.Context, workflow string, filter RunFilter) ([]Run, error)
	WorkflowRun(ctx context.Context, id int64) (Run, error)
	// Jobs lists the jobs of one attempt, or with attempt 0 of all attempts.
	Jobs(ctx context.Context, runID int64, attempt int) ([]Job, error)
	Artifacts(ctx context.Context, runID int64) ([]Artifact, error)
	// OpenArtifact streams the zip archive of an artifact.
	OpenArtifact(ctx context.Context, id int64) (io.ReadCloser, error)
	// Dispatch starts a workflow on a ref of this repository and returns the
	// run that GitHub names; RunID 0 means that it named none.
	Dispatch(ctx context.Context, workflow, ref string, inputs map[string]string) (runID int64, err error)
	CancelRun(ctx context.Context, id int64) error
	RerunFailed(ctx context.Context, id int64) error
}

// Permissions answers who may do what, at the time of asking.
type Permissions interface {
	// Permission returns admin, maintain, write, triage, read or none. Errors
	// mean "not known" and must be taken for none.
	Permission(ctx context.Context, login string) (string, error)
}

// User is an account. The numeric id is the identity; the login is text.
type User struct {
	ID    int64
	Login string
	Bot   bool
}

// PullRequest is the state of a pull request.
type PullRequest struct {
	Number               int
	Title, Body, URL     string
	State                string // open or closed
	Draft, Merged        bool
	Mergeable            *bool // nil while GitHub has not decided
	Author               User
	AuthorAssociation    string
	Labels               []string
	BaseBranch           string
	BaseSHA              string
	HeadRepo             string // owner/name, "" when deleted
	HeadBranch           string
	HeadSHA              string
	MergeSHA             string // merge commit of a merged one, else the test merge
	ChangedFiles         int
	CreatedAt, UpdatedAt time.Time
}

// Comment is one comment of a conversation.
type Comment struct {
	ID                   int64
	Author               User
	AuthorAssociation    string
	Body, URL            string
	CreatedAt, UpdatedAt time.Time
}

// CheckRun is a check run. ExternalID is ours: it finds the run again.
type CheckRun struct {
	ID                   int64
	Name, HeadSHA        string
	ExternalID           string
	DetailsURL           string
	Status               string // queued, in_progress or completed
	Conclusion           string // success, failure, neutral, cancelled, skipped, timed_out, action_required
	Title, Summary, Text string
	Annotations          []CheckAnnotation
	AppID                int64
}

// CheckAnnotation marks lines of a file of the head commit.
type CheckAnnotation struct {
	Path               string
	StartLine, EndLine int
	Level              string // notice, warning or failure
	Title, Message     string
}

// Status is a commit status; Description holds at most 140 characters. Creator
// is set on statuses that are read.
type Status struct {
	Context, State, Description, TargetURL string
	Creator                                User
}

// LabelEvent is one label that was added to or removed from a pull request.
type LabelEvent struct {
	ID        int64
	Label     string
	Added     bool // false: removed
	Actor     User
	CreatedAt time.Time
}

// RunFilter narrows a list of runs; zero fields do not.
type RunFilter struct {
	Branch, Event, HeadSHA, Status string
	Since                          time.Time
	// Limit ends the list after so many runs; 0 means 100.
	Limit int
}

// Run is one workflow run.
type Run struct {
	ID                  int64
	Attempt             int
	Name, Title, URL    string // Title is the run name shown in lists
	Workflow            string // path of the workflow file
	Event               string
	Status, Conclusion  string
	HeadRepo            string // owner/name
	HeadBranch, HeadSHA string
	PullRequests        []int // as listed by GitHub; empty for forks
	// Actor caused the first attempt, Trigger the newest one.
	Actor, Trigger       User
	CreatedAt, UpdatedAt time.Time
}

// Job is one job of one attempt of a run.
type Job struct {
	ID                     int64
	RunID                  int64
	Attempt                int
	Name, URL              string
	Status, Conclusion     string
	RunnerName             string
	Labels                 []string
	StartedAt, CompletedAt time.Time
}

// Artifact is one upload of a run. Several uploads of one name may exist.
type Artifact struct {
	ID        int64
	Name      string
	Size      int64 // bytes of the archive
	Digest    string
	Expired   bool
	RunID     int64
	CreatedAt time.Time
}
