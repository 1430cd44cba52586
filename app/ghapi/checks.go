package ghapi

import (
	"context"
	"slices"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
)

// GitHub's limits of check runs (spec/github-limits.md).
const (
	annotationsPerRequest = 50
	maxAnnotations        = 200
	maxCheckText          = 65535
	maxCheckTitle         = 255
)

// CheckRuns lists every check run of a name on a commit, older ones included.
// One that this client has just created is waited for.
func (r *repository) CheckRuns(ctx context.Context, sha, name string) ([]bot.CheckRun, error) {
	if err := r.needSHA(sha); err != nil {
		return nil, err
	}
	var runs []bot.CheckRun
	err := r.fresh.lookAgain(ctx, func() (bool, error) {
		all, err := r.listCheckRuns(ctx, sha, name)
		if err != nil {
			return false, err
		}
		runs = make([]bot.CheckRun, len(all))
		have := make(map[int64]bool, len(all))
		for i, c := range all {
			runs[i] = toCheckRun(c)
			have[c.GetID()] = true
		}
		return !r.fresh.missing(checksOf(sha, name), have), nil
	})
	return runs, err
}

func checksOf(sha, name string) string { return "checks/" + sha + "/" + name }

func (r *repository) listCheckRuns(ctx context.Context, sha, name string) ([]*github.CheckRun, error) {
	return listing[*github.CheckRun, int64]{
		id:    (*github.CheckRun).GetID,
		pause: r.pipe.pauseBetween,
		fetch: func(ctx context.Context, n int) (page[*github.CheckRun], error) {
			options := github.ListCheckRunsOptions{CheckName: pointer(name), Filter: github.String("all"), ListOptions: github.ListOptions{Page: n, PerPage: perPage}}
			all, resp, err := r.gh.Checks.ListCheckRunsForRef(ctx, r.owner, r.name, sha, &options)
			if err != nil {
				return page[*github.CheckRun]{}, r.fail("GET", "commits/{ref}/check-runs", err)
			}
			return pageOf(all.CheckRuns, all.GetTotal(), resp), nil
		},
	}.all(ctx)
}

// CreateCheckRun creates a check run. GitHub takes 50 annotations a request;
// the rest follows in further ones, worst first, 200 in all. It is created
// once: where the answer is lost, the error is ErrOutcomeUnknown. An error
// after the creation comes with the run.
func (r *repository) CreateCheckRun(ctx context.Context, run bot.CheckRun) (bot.CheckRun, error) {
	if err := r.needSHA(run.HeadSHA); err != nil {
		return bot.CheckRun{}, err
	}
	batches := batched(run.Annotations)
	c, _, err := r.gh.Checks.CreateCheckRun(ctx, r.owner, r.name, github.CreateCheckRunOptions{
		Name: run.Name, HeadSHA: run.HeadSHA, DetailsURL: pointer(run.DetailsURL), ExternalID: pointer(run.ExternalID),
		Status: pointer(run.Status), Conclusion: pointer(run.Conclusion), Output: toOutput(run, batches[0]),
	})
	if err != nil {
		return bot.CheckRun{}, r.fail("POST", "check-runs", err)
	}
	created := toCheckRun(c)
	r.fresh.created(checksOf(run.HeadSHA, run.Name), created.ID)
	run.ID = created.ID
	return created, r.sendBatches(ctx, run, batches[1:])
}

// UpdateCheckRun replaces the state of a check run and appends annotations.
func (r *repository) UpdateCheckRun(ctx context.Context, run bot.CheckRun) error {
	return r.sendBatches(ctx, run, batched(run.Annotations))
}

// sendBatches updates a run once for each batch. Without annotations an update
// may be repeated; with them GitHub would show them twice.
func (r *repository) sendBatches(ctx context.Context, run bot.CheckRun, batches [][]*github.CheckRunAnnotation) error {
	for _, batch := range batches {
		send := ctx
		if len(batch) == 0 {
			send = repeatable(ctx)
		}
		_, _, err := r.gh.Checks.UpdateCheckRun(send, r.owner, r.name, run.ID, github.UpdateCheckRunOptions{
			Name: run.Name, DetailsURL: pointer(run.DetailsURL), ExternalID: pointer(run.ExternalID),
			Status: pointer(run.Status), Conclusion: pointer(run.Conclusion), Output: toOutput(run, batch),
		})
		if err != nil {
			return r.fail("PATCH", "check-runs/{number}", err)
		}
	}
	return nil
}

var severity = map[string]int{"failure": 0, "warning": 1, "notice": 2}

// batched sorts annotations by weight, keeping the order of equals, and cuts
// them into requests. There is always one batch, empty if need be.
func batched(annotations []bot.CheckAnnotation) [][]*github.CheckRunAnnotation {
	sorted := slices.Clone(annotations)
	slices.SortStableFunc(sorted, func(a, b bot.CheckAnnotation) int { return severity[a.Level] - severity[b.Level] })
	sorted = sorted[:min(len(sorted), maxAnnotations)]
	batches := [][]*github.CheckRunAnnotation{nil}
	for i, a := range sorted {
		if i > 0 && i%annotationsPerRequest == 0 {
			batches = append(batches, nil)
		}
		last := len(batches) - 1
		batches[last] = append(batches[last], &github.CheckRunAnnotation{
			Path: &a.Path, StartLine: &a.StartLine, EndLine: &a.EndLine, AnnotationLevel: &a.Level,
			Title: pointer(a.Title), Message: &a.Message,
		})
	}
	return batches
}

// toOutput is nil for a run that says nothing, since GitHub wants a title and
// a summary together.
func toOutput(run bot.CheckRun, annotations []*github.CheckRunAnnotation) *github.CheckRunOutput {
	if run.Title == "" && run.Summary == "" && run.Text == "" && len(annotations) == 0 {
		return nil
	}
	return &github.CheckRunOutput{
		Title: github.String(ellipsis(orElse(run.Title, run.Name), maxCheckTitle)), Summary: github.String(cut(run.Summary, maxCheckText)),
		Text: pointer(cut(run.Text, maxCheckText)), Annotations: annotations,
	}
}

func toCheckRun(c *github.CheckRun) bot.CheckRun {
	return bot.CheckRun{
		ID: c.GetID(), Name: c.GetName(), HeadSHA: c.GetHeadSHA(), ExternalID: c.GetExternalID(), DetailsURL: c.GetDetailsURL(),
		Status: c.GetStatus(), Conclusion: c.GetConclusion(), AppID: c.GetApp().GetID(),
		Title: c.GetOutput().GetTitle(), Summary: c.GetOutput().GetSummary(), Text: c.GetOutput().GetText(),
	}
}
