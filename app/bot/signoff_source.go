package bot

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"github.com/sweepbot/sweepbot/checks"
)

// Beyond answers what lies outside of the repository: memberships of teams,
// pull requests of other repositories, published pages, image registries. The
// methods are those of checks.Source.
type Beyond interface {
	Team(ctx context.Context, org, slug string) (checks.Membership, error)
	UpstreamPull(ctx context.Context, repository string, number int) (checks.Pull, error)
	Page(ctx context.Context, url string) ([]byte, error)
	Image(ctx context.Context, reference string) (checks.Image, error)
}

// nothingBeyond reads nothing: what a token may not see is no fault of anybody.
type nothingBeyond struct{}

func (nothingBeyond) Team(context.Context, string, string) (checks.Membership, error) {
	return checks.Unreadable, nil
}

func (nothingBeyond) UpstreamPull(context.Context, string, int) (checks.Pull, error) {
	return checks.Pull{}, checks.ErrUnreadable
}

func (nothingBeyond) Page(context.Context, string) ([]byte, error) { return nil, checks.ErrUnreadable }

func (nothingBeyond) Image(context.Context, string) (checks.Image, error) {
	return checks.Image{}, checks.ErrUnreadable
}

// liveSource is the evidence of a pull request on GitHub.
type liveSource struct {
	Beyond
	github GitHub
	number int
	// pull is the pull request where it has just been read.
	pull *PullRequest
	// archives are downloads of artifacts, at most maxArchive bytes each.
	archives map[int64][]byte
}

// maxArchive is the size of an artifact that is read in memory.
const maxArchive = 256 << 20

// unread turns an error of GitHub into one of evidence: what is not there is
// fs.ErrNotExist, what may not or could not be read is unreadable. A cancelled
// context stays what it is.
func unread(ctx context.Context, what string, err error) error {
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, ErrNotFound):
		return fmt.Errorf("%s: %w", what, fs.ErrNotExist)
	}
	return fmt.Errorf("%s: %w", what, checks.ErrUnreadable)
}

func evidenceAccount(u User) checks.Account {
	kind := "User"
	if u.Bot {
		kind = "Bot"
	}
	return checks.Account{Login: u.Login, Type: kind}
}

// Pull is the pull request as it is now.
func (s *liveSource) Pull(ctx context.Context) (checks.Pull, error) {
	pr := s.pull
	if pr == nil {
		read, err := s.github.PullRequest(ctx, s.number)
		if err != nil {
			return checks.Pull{}, unread(ctx, "pull", err)
		}
		pr = &read
	}
	p := checks.Pull{
		Number: pr.Number, Title: pr.Title, Body: &pr.Body, State: pr.State, Draft: pr.Draft, Merged: pr.Merged, User: evidenceAccount(pr.Author),
		Association: pr.AuthorAssociation, URL: pr.URL, Head: checks.Ref{Ref: pr.HeadBranch, SHA: pr.HeadSHA}, Base: checks.Ref{Ref: pr.BaseBranch, SHA: pr.BaseSHA},
	}
	for _, name := range pr.Labels {
		p.Labels = append(p.Labels, checks.Label{Name: name})
	}
	return p, nil
}

// Comments are the issue comments.
func (s *liveSource) Comments(ctx context.Context) ([]checks.Comment, error) {
	all, err := s.github.Comments(ctx, s.number)
	out := make([]checks.Comment, len(all))
	for i, c := range all {
		out[i] = checks.Comment{
			ID: c.ID, User: evidenceAccount(c.Author), Association: c.AuthorAssociation, Body: c.Body, Created: c.CreatedAt, Updated: c.UpdatedAt, URL: c.URL,
		}
	}
	return out, unread(ctx, "comments", err)
}

// CheckRuns are all check runs of a commit.
func (s *liveSource) CheckRuns(ctx context.Context, sha string) ([]checks.CheckRun, error) {
	all, err := s.github.CheckRuns(ctx, sha, "")
	out := make([]checks.CheckRun, len(all))
	for i, c := range all {
		out[i] = checks.CheckRun{ID: c.ID, Name: c.Name, HeadSHA: c.HeadSHA, Status: c.Status, Conclusion: c.Conclusion, DetailsURL: c.DetailsURL}
	}
	return out, unread(ctx, "check runs", err)
}

// Run is a workflow run.
func (s *liveSource) Run(ctx context.Context, id int64) (checks.Run, error) {
	r, err := s.github.WorkflowRun(ctx, id)
	if err != nil {
		return checks.Run{}, unread(ctx, "run", err)
	}
	return evidenceRun(r), nil
}

func evidenceRun(r Run) checks.Run {
	out := checks.Run{
		ID: r.ID, Name: r.Name, Title: r.Title, Path: r.Workflow, Event: r.Event, HeadSHA: r.HeadSHA, HeadBranch: r.HeadBranch, Status: r.Status,
		Conclusion: r.Conclusion, Attempt: r.Attempt, Created: r.CreatedAt, URL: r.URL,
	}
	out.HeadRepo.FullName = r.HeadRepo
	return out
}

// maxSweeps is how many runs of the sweep workflow are listed: one page.
const maxSweeps = 100

// WorkflowRuns are the newest runs that pull requests on a branch started.
func (s *liveSource) WorkflowRuns(ctx context.Context, workflow, branch string) ([]checks.Run, error) {
	all, err := s.github.WorkflowRuns(ctx, workflow, RunFilter{Event: "pull_request", Branch: branch, Limit: maxSweeps})
	out := make([]checks.Run, len(all))
	for i, r := range all {
		out[i] = evidenceRun(r)
	}
	return out, unread(ctx, "runs of "+workflow, err)
}

// Jobs are those of all attempts.
func (s *liveSource) Jobs(ctx context.Context, run int64) ([]checks.Job, error) {
	all, err := s.github.Jobs(ctx, run, 0)
	out := make([]checks.Job, len(all))
	for i, j := range all {
		out[i] = checks.Job{ID: j.ID, RunID: j.RunID, Name: j.Name, Status: j.Status, Conclusion: j.Conclusion, Attempt: j.Attempt, URL: j.URL}
	}
	return out, unread(ctx, "jobs", err)
}

// Artifacts are those of a run.
func (s *liveSource) Artifacts(ctx context.Context, run int64) ([]checks.Artifact, error) {
	all, err := s.github.Artifacts(ctx, run)
	out := make([]checks.Artifact, len(all))
	for i, a := range all {
		out[i] = checks.Artifact{ID: a.ID, Name: a.Name, Size: a.Size, Expired: a.Expired, Created: a.CreatedAt, Digest: a.Digest}
	}
	return out, unread(ctx, "artifacts", err)
}

// ArtifactFile is a file of an artifact, which is downloaded once.
func (s *liveSource) ArtifactFile(ctx context.Context, artifact int64, name string, limit int64) ([]byte, error) {
	data, ok := s.archives[artifact]
	if !ok {
		var err error
		if data, err = s.download(ctx, artifact); err != nil {
			return nil, unread(ctx, "artifact "+strconv.FormatInt(artifact, 10), err)
		}
		if s.archives == nil {
			s.archives = make(map[int64][]byte)
		}
		s.archives[artifact] = data
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("artifact %d: %w", artifact, checks.ErrUnreadable)
	}
	for _, f := range archive.File {
		if f.Name != name {
			continue
		}
		return readMember(f, limit)
	}
	return nil, fmt.Errorf("%s in artifact %d: %w", name, artifact, fs.ErrNotExist)
}

func readMember(f *zip.File, limit int64) ([]byte, error) {
	content, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, checks.ErrUnreadable)
	}
	defer content.Close()
	data, err := io.ReadAll(io.LimitReader(content, limit+1))
	if err != nil || int64(len(data)) > limit {
		return nil, fmt.Errorf("%s: %w", f.Name, checks.ErrUnreadable)
	}
	return data, nil
}

func (s *liveSource) download(ctx context.Context, artifact int64) ([]byte, error) {
	archive, err := s.github.OpenArtifact(ctx, artifact)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	data, err := io.ReadAll(io.LimitReader(archive, maxArchive+1))
	if err == nil && len(data) > maxArchive {
		err = checks.ErrUnreadable
	}
	return data, err
}
