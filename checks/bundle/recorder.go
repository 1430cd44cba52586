package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/given"
)

// recorder is a source that notes every answer. Lists are put in one order
// whatever the order in which they come, and errors say no more than their
// kind: what a check sees is exactly what the bundle can give again.
type recorder struct {
	source checks.Source

	mu        sync.Mutex
	documents given.Documents
}

// noted keeps an answer: a value by store, a known kind of error by its
// question. What was not given leaves no trace, which says the same.
func noted[T any](r *recorder, question string, value T, err error, store func(T)) (T, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var none T
	switch {
	case err == nil:
		store(value)
		return value, nil
	case errors.Is(err, checks.ErrNotGiven):
		return none, fmt.Errorf("%s: %w", question, checks.ErrNotGiven)
	case errors.Is(err, checks.ErrUnreadable):
		r.documents.Unreadable = note(r.documents.Unreadable, question)
		return none, fmt.Errorf("%s: %w", question, checks.ErrUnreadable)
	case errors.Is(err, fs.ErrNotExist):
		r.documents.Absent = note(r.documents.Absent, question)
		return none, fmt.Errorf("%s: %w", question, fs.ErrNotExist)
	}
	return none, err
}

// note keeps a sorted set.
func note(list []string, item string) []string {
	at, found := slices.BinarySearch(list, item)
	if found {
		return list
	}
	return slices.Insert(list, at, item)
}

// keep sets an entry of a map that may not exist yet.
func keep[K comparable, V any](m *map[K]V, key K) func(V) {
	return func(v V) {
		if *m == nil {
			*m = make(map[K]V)
		}
		(*m)[key] = v
	}
}

// sorted is a copy in the order of ids; never nil, since an empty answer is one.
func sorted[T any](list []T, by func(a, b T) int) []T {
	out := append([]T{}, list...)
	slices.SortStableFunc(out, by)
	return out
}

// Pull is the pull request.
func (r *recorder) Pull(ctx context.Context) (checks.Pull, error) {
	pull, err := r.source.Pull(ctx)
	pull.Files = nil
	return noted(r, given.Question("pull"), pull, err, func(p checks.Pull) { r.documents.Pull = &p })
}

// Comments are the comments, oldest first.
func (r *recorder) Comments(ctx context.Context) ([]checks.Comment, error) {
	list, err := r.source.Comments(ctx)
	list = sorted(list, func(a, b checks.Comment) int { return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) })
	return noted(r, given.Question("comments"), list, err, func(l []checks.Comment) { r.documents.Comments = l })
}

// CheckRuns are those of a commit, by id.
func (r *recorder) CheckRuns(ctx context.Context, sha string) ([]checks.CheckRun, error) {
	list, err := r.source.CheckRuns(ctx, sha)
	list = sorted(list, func(a, b checks.CheckRun) int { return cmp.Compare(a.ID, b.ID) })
	return noted(r, given.Question("check_runs", sha), list, err, keep(&r.documents.CheckRuns, sha))
}

// Run is a workflow run.
func (r *recorder) Run(ctx context.Context, id int64) (checks.Run, error) {
	run, err := r.source.Run(ctx, id)
	return noted(r, given.Question("runs", id), run, err, keep(&r.documents.Runs, id))
}

// WorkflowRuns keeps the list and its runs.
func (r *recorder) WorkflowRuns(ctx context.Context, workflow, branch string) ([]checks.Run, error) {
	list, err := r.source.WorkflowRuns(ctx, workflow, branch)
	list = sorted(list, func(a, b checks.Run) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID)) })
	key := given.RunList(workflow, branch)
	return noted(r, given.Question("run_lists", key), list, err, func(l []checks.Run) {
		ids := make([]int64, len(l))
		for i, run := range l {
			ids[i] = run.ID
			if _, known := r.documents.Runs[run.ID]; !known {
				keep(&r.documents.Runs, run.ID)(run)
			}
		}
		keep(&r.documents.RunLists, key)(ids)
	})
}

// Jobs are those of a run, by id.
func (r *recorder) Jobs(ctx context.Context, run int64) ([]checks.Job, error) {
	list, err := r.source.Jobs(ctx, run)
	list = sorted(list, func(a, b checks.Job) int { return cmp.Compare(a.ID, b.ID) })
	return noted(r, given.Question("jobs", run), list, err, keep(&r.documents.Jobs, run))
}

// Artifacts are those of a run, by id.
func (r *recorder) Artifacts(ctx context.Context, run int64) ([]checks.Artifact, error) {
	list, err := r.source.Artifacts(ctx, run)
	list = sorted(list, func(a, b checks.Artifact) int { return cmp.Compare(a.ID, b.ID) })
	return noted(r, given.Question("artifacts", run), list, err, keep(&r.documents.Artifacts, run))
}

// ArtifactFile is a file of an artifact.
func (r *recorder) ArtifactFile(ctx context.Context, artifact int64, name string, limit int64) ([]byte, error) {
	data, err := r.source.ArtifactFile(ctx, artifact, name, limit)
	return noted(r, given.Question("artifact_files", artifact, name), data, err, func(data []byte) {
		if r.documents.Files[artifact] == nil {
			keep(&r.documents.Files, artifact)(make(map[string][]byte))
		}
		r.documents.Files[artifact][name] = data
	})
}

// Team is the answer about the signer and a team, one word.
func (r *recorder) Team(ctx context.Context, org, slug string) (checks.Membership, error) {
	key := strings.ToLower(org + "/" + slug)
	state, err := r.source.Team(ctx, org, slug)
	return noted(r, given.Question("teams", key), state, err, keep(&r.documents.Teams, key))
}

// UpstreamPull is a pull request of another repository.
func (r *recorder) UpstreamPull(ctx context.Context, repository string, number int) (checks.Pull, error) {
	key := fmt.Sprintf("%s#%d", strings.ToLower(repository), number)
	pull, err := r.source.UpstreamPull(ctx, repository, number)
	return noted(r, given.Question("upstream", key), pull, err, keep(&r.documents.Upstream, key))
}

// Page is the text of a page; bytes that are no text are replaced.
func (r *recorder) Page(ctx context.Context, url string) ([]byte, error) {
	data, err := r.source.Page(ctx, url)
	data = []byte(strings.ToValidUTF8(string(data), "\uFFFD"))
	return noted(r, given.Question("pages", url), data, err, func(data []byte) { keep(&r.documents.Pages, url)(string(data)) })
}

// Image is the answer of a registry.
func (r *recorder) Image(ctx context.Context, reference string) (checks.Image, error) {
	image, err := r.source.Image(ctx, reference)
	return noted(r, given.Question("images", reference), image, err, keep(&r.documents.Images, reference))
}
