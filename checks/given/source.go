package given

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/sweepbot/sweepbot/checks"
)

// Source answers from documents. What is neither in them nor named absent or
// unreadable is checks.ErrNotGiven.
type Source struct{ *Documents }

// lacking says why there is no answer to a question.
func (s Source) lacking(question string) error {
	switch {
	case slices.Contains(s.Absent, question):
		return fmt.Errorf("%s: %w", question, fs.ErrNotExist)
	case slices.Contains(s.Unreadable, question):
		return fmt.Errorf("%s: %w", question, checks.ErrUnreadable)
	}
	return fmt.Errorf("%s: %w", question, checks.ErrNotGiven)
}

// answer looks a question up in a map of answers.
func answer[K comparable, V any](s Source, answers map[K]V, key K, question string) (V, error) {
	value, ok := answers[key]
	if !ok {
		return value, s.lacking(question)
	}
	return value, nil
}

// Pull is the pull request.
func (s Source) Pull(context.Context) (checks.Pull, error) {
	if s.Documents.Pull == nil {
		return checks.Pull{}, s.lacking(kindPull)
	}
	return *s.Documents.Pull, nil
}

// Comments are the issue comments.
func (s Source) Comments(context.Context) ([]checks.Comment, error) {
	if s.Documents.Comments == nil {
		return nil, s.lacking(kindComments)
	}
	return slices.Clone(s.Documents.Comments), nil
}

// CheckRuns are those of a commit.
func (s Source) CheckRuns(_ context.Context, sha string) ([]checks.CheckRun, error) {
	list, err := answer(s, s.Documents.CheckRuns, sha, Question(kindCheckRuns, sha))
	return slices.Clone(list), err
}

// Run is a workflow run.
func (s Source) Run(_ context.Context, id int64) (checks.Run, error) {
	return answer(s, s.Runs, id, Question(kindRuns, id))
}

// maxRuns is how many runs a list holds, as the API gives a page of them.
const maxRuns = 100

// WorkflowRuns are the runs of a list that was recorded; without one, those of
// the given runs that a pull request started and whose file and branch fit, as
// far as they name them.
func (s Source) WorkflowRuns(_ context.Context, workflow, branch string) ([]checks.Run, error) {
	key := RunList(workflow, branch)
	if ids, ok := s.RunLists[key]; ok {
		out := make([]checks.Run, 0, len(ids))
		for _, id := range ids {
			run, err := answer(s, s.Runs, id, Question(kindRuns, id))
			if err != nil {
				return nil, err
			}
			out = append(out, run)
		}
		return out, nil
	}
	question := Question(kindRunLists, key)
	if err := s.lacking(question); s.Runs == nil || !errors.Is(err, checks.ErrNotGiven) {
		return nil, err
	}
	var out []checks.Run
	for _, run := range s.Runs {
		fits := run.Path == "" || path.Base(run.Path) == workflow
		here := branch == "" || run.HeadBranch == "" || run.HeadBranch == branch
		if fits && here && (run.Event == "" || run.Event == "pull_request") {
			out = append(out, run)
		}
	}
	slices.SortFunc(out, func(a, b checks.Run) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID)) })
	return out[:min(len(out), maxRuns)], nil
}

// Jobs are those of a run.
func (s Source) Jobs(_ context.Context, run int64) ([]checks.Job, error) {
	list, err := answer(s, s.Documents.Jobs, run, Question(kindJobs, run))
	return slices.Clone(list), err
}

// Artifacts are those of a run.
func (s Source) Artifacts(_ context.Context, run int64) ([]checks.Artifact, error) {
	list, err := answer(s, s.Documents.Artifacts, run, Question(kindArtifacts, run))
	return slices.Clone(list), err
}

// ArtifactFile is a file of an artifact; one above the limit is unreadable.
func (s Source) ArtifactFile(_ context.Context, artifact int64, name string, limit int64) ([]byte, error) {
	question := Question(kindFiles, artifact, name)
	data, ok := s.Files[artifact][name]
	switch {
	case !ok:
		return nil, s.lacking(question)
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("%s is larger than %d bytes: %w", question, limit, checks.ErrUnreadable)
	}
	return slices.Clone(data), nil
}

// Team says whether the signer is a member.
func (s Source) Team(_ context.Context, org, slug string) (checks.Membership, error) {
	key := teamKey(org, slug)
	return answer(s, s.Teams, key, Question(kindTeams, key))
}

// UpstreamPull is a pull request of another repository.
func (s Source) UpstreamPull(_ context.Context, repository string, number int) (checks.Pull, error) {
	key := upstreamKey(repository, number)
	return answer(s, s.Upstream, key, Question(kindUpstream, key))
}

// Page is the text of a published page.
func (s Source) Page(_ context.Context, url string) ([]byte, error) {
	text, err := answer(s, s.Pages, url, Question(kindPages, url))
	if err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// Image is the answer of a registry.
func (s Source) Image(_ context.Context, reference string) (checks.Image, error) {
	return answer(s, s.Images, reference, Question(kindImages, reference))
}
