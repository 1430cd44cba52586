package ghapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
)

// workflowRun adds the field that the library lacks.
type workflowRun struct {
	github.WorkflowRun
	Path string `json:"path"`
}

const freshRuns = "runs"

// WorkflowRuns lists runs of a workflow file, or of all with none, newest
// first.
func (r *repository) WorkflowRuns(ctx context.Context, workflow string, filter bot.RunFilter) ([]bot.Run, error) {
	path := "actions/runs"
	if workflow != "" {
		path = "actions/workflows/" + workflowFile(workflow) + "/runs"
	}
	limit := orElse(filter.Limit, perPage)
	query := runQuery(filter)
	query.Set("per_page", strconv.Itoa(min(limit, perPage)))
	all, err := listing[workflowRun, int64]{
		id:    func(w workflowRun) int64 { return w.GetID() },
		limit: limit,
		pause: r.pipe.pauseBetween,
		fetch: func(ctx context.Context, n int) (page[workflowRun], error) {
			query.Set("page", strconv.Itoa(n))
			var answer struct {
				Total int           `json:"total_count"`
				Runs  []workflowRun `json:"workflow_runs"`
			}
			resp, err := r.get(ctx, path+"?"+query.Encode(), &answer)
			return pageOf(answer.Runs, answer.Total, resp), r.fail("GET", "actions/workflows/{workflow}/runs", err)
		},
	}.all(ctx)
	if err != nil {
		return nil, err
	}
	runs := make([]bot.Run, len(all))
	for i := range all {
		runs[i] = toRun(&all[i])
	}
	return runs, nil
}

func runQuery(f bot.RunFilter) url.Values {
	q := make(url.Values)
	for name, value := range map[string]string{"branch": f.Branch, "event": f.Event, "head_sha": f.HeadSHA, "status": f.Status} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if !f.Since.IsZero() {
		q.Set("created", ">="+f.Since.UTC().Format(time.RFC3339))
	}
	return q
}

// WorkflowRun returns one run. One that this client has just dispatched is
// waited for.
func (r *repository) WorkflowRun(ctx context.Context, id int64) (bot.Run, error) {
	var run workflowRun
	var failure error
	err := r.fresh.lookAgain(ctx, func() (bool, error) {
		run = workflowRun{}
		_, err := r.get(ctx, fmt.Sprintf("actions/runs/%d", id), &run)
		failure = r.fail("GET", "actions/runs/{number}", err)
		wait := errors.Is(failure, bot.ErrNotFound) && r.fresh.expects(freshRuns, id)
		return !wait, nil
	})
	if err = errors.Join(failure, err); err != nil {
		return bot.Run{}, err
	}
	return toRun(&run), nil
}

// Jobs lists the jobs of one attempt of a run, or with attempt 0 of all.
func (r *repository) Jobs(ctx context.Context, runID int64, attempt int) ([]bot.Job, error) {
	all, err := listing[*github.WorkflowJob, int64]{
		id:    (*github.WorkflowJob).GetID,
		pause: r.pipe.pauseBetween,
		fetch: func(ctx context.Context, n int) (page[*github.WorkflowJob], error) {
			jobs, resp, err := r.jobsPage(ctx, runID, attempt, github.ListOptions{Page: n, PerPage: perPage})
			if err != nil {
				return page[*github.WorkflowJob]{}, r.fail("GET", "actions/runs/{number}/jobs", err)
			}
			return pageOf(jobs.Jobs, jobs.GetTotalCount(), resp), nil
		},
	}.all(ctx)
	if err != nil {
		return nil, err
	}
	jobs := make([]bot.Job, len(all))
	for i, j := range all {
		jobs[i] = toJob(j)
	}
	return jobs, nil
}

func (r *repository) jobsPage(ctx context.Context, runID int64, attempt int, options github.ListOptions) (*github.Jobs, *github.Response, error) {
	if attempt == 0 {
		return r.gh.Actions.ListWorkflowJobs(ctx, r.owner, r.name, runID, &github.ListWorkflowJobsOptions{Filter: "all", ListOptions: options})
	}
	return r.gh.Actions.ListWorkflowJobsAttempt(ctx, r.owner, r.name, runID, int64(attempt), &options)
}

// Dispatch starts a workflow on a branch or tag and returns the run that
// GitHub names. It is sent once: where the answer is lost, the error is
// ErrOutcomeUnknown. A server that does not know how to name the run answers
// 204, and the id is 0.
func (r *repository) Dispatch(ctx context.Context, workflow, ref string, inputs map[string]string) (int64, error) {
	body := struct {
		Ref     string            `json:"ref"`
		Inputs  map[string]string `json:"inputs,omitempty"`
		Details bool              `json:"return_run_details"`
	}{ref, inputs, true}
	var started struct {
		RunID int64 `json:"workflow_run_id"`
	}
	_, err := r.call(ctx, http.MethodPost, "actions/workflows/"+workflowFile(workflow)+"/dispatches", body, &started)
	if err != nil {
		return 0, r.fail("POST", "actions/workflows/{workflow}/dispatches", err)
	}
	r.fresh.created(freshRuns, started.RunID)
	return started.RunID, nil
}

// CancelRun asks for the end of a run. One that has ended is ErrConflict.
func (r *repository) CancelRun(ctx context.Context, id int64) error {
	_, err := r.gh.Actions.CancelWorkflowRunByID(repeatable(ctx), r.owner, r.name, id)
	return r.fail("POST", "actions/runs/{number}/cancel", err)
}

// RerunFailed starts the failed jobs of a run again. It is sent once, since
// GitHub counts re-runs. A run that is under way is ErrConflict.
func (r *repository) RerunFailed(ctx context.Context, id int64) error {
	_, err := r.gh.Actions.RerunFailedJobsByID(ctx, r.owner, r.name, id)
	failure := r.fail("POST", "actions/runs/{number}/rerun-failed-jobs", err)
	var refused *github.ErrorResponse
	if errors.As(err, &refused) && refused.Response.StatusCode == http.StatusForbidden && strings.Contains(refused.Message, "already running") {
		// GitHub answers 403 here, which elsewhere means a missing permission.
		return statusError(http.StatusConflict, "POST repos/{owner}/{repo}/actions/runs/{number}/rerun-failed-jobs", r.pipe.scrub.detail(refused.Message))
	}
	return failure
}

func toRun(w *workflowRun) bot.Run {
	path, _, _ := strings.Cut(w.Path, "@")
	run := bot.Run{
		ID: w.GetID(), Attempt: w.GetRunAttempt(), Name: w.GetName(), Title: w.GetDisplayTitle(), URL: w.GetHTMLURL(),
		Workflow: path, Event: w.GetEvent(), Status: w.GetStatus(), Conclusion: w.GetConclusion(),
		HeadRepo: w.GetHeadRepository().GetFullName(), HeadBranch: w.GetHeadBranch(), HeadSHA: w.GetHeadSHA(),
		Actor: toUser(w.GetActor()), Trigger: toUser(w.GetTriggeringActor()),
		CreatedAt: timeOf(w.CreatedAt), UpdatedAt: timeOf(w.UpdatedAt),
	}
	for _, pr := range w.PullRequests {
		run.PullRequests = append(run.PullRequests, pr.GetNumber())
	}
	return run
}

func toJob(j *github.WorkflowJob) bot.Job {
	return bot.Job{
		ID: j.GetID(), RunID: j.GetRunID(), Attempt: int(j.GetRunAttempt()), Name: j.GetName(), URL: j.GetHTMLURL(),
		Status: j.GetStatus(), Conclusion: j.GetConclusion(), RunnerName: j.GetRunnerName(), Labels: j.Labels,
		StartedAt: timeOf(j.StartedAt), CompletedAt: timeOf(j.CompletedAt),
	}
}
