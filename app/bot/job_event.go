package bot

import "time"

// wireJob is the job of a workflow_job event in GitHub's form.
type wireJob struct {
	ID          int64      `json:"id"`
	RunID       int64      `json:"run_id"`
	Attempt     int        `json:"run_attempt"`
	Name        string     `json:"name"`
	HTMLURL     string     `json:"html_url"`
	Status      string     `json:"status"`
	Conclusion  *string    `json:"conclusion"`
	RunnerName  *string    `json:"runner_name"`
	Labels      []string   `json:"labels"`
	StartedAt   *time.Time `json:"started_at"`
	CompletedAt *time.Time `json:"completed_at"`
}

// maxJobLabels bounds the labels of a job.
const maxJobLabels = 100

// job checks the job of an event.
func (j *wireJob) job(c *checker) *Job {
	if j == nil {
		c.fail("workflow_job", "it is missing")
		return nil
	}
	if len(j.Labels) > maxJobLabels {
		c.fail("workflow_job.labels", "there are too many")
		return nil
	}
	out := &Job{
		ID: c.id("workflow_job.id", j.ID), RunID: c.id("workflow_job.run_id", j.RunID), Attempt: max(1, j.Attempt),
		Name: c.text("workflow_job.name", j.Name, maxPayloadTitle), URL: c.text("workflow_job.html_url", j.HTMLURL, maxPayloadTitle),
		Status:     c.text("workflow_job.status", j.Status, maxPayloadName),
		Conclusion: c.text("workflow_job.conclusion", valueOf(j.Conclusion), maxPayloadName),
		RunnerName: c.text("workflow_job.runner_name", valueOf(j.RunnerName), maxPayloadName),
		StartedAt:  timeOf(j.StartedAt), CompletedAt: timeOf(j.CompletedAt),
	}
	for _, l := range j.Labels {
		out.Labels = append(out.Labels, c.text("workflow_job.labels", l, maxPayloadName))
	}
	return out
}
