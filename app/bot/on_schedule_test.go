package bot

import (
	"strings"
	"testing"
)

// A repository without the workflow for forks still has its sweeps followed.
func TestScheduleWithoutManualWorkflow(t *testing.T) {
	s, run := sweeping(t)
	run.Status = "in_progress"
	s.jobs[run.ID] = []Job{job(1, "eval / a", "in_progress"), job(2, "eval / b", "queued")}
	lists := 0
	s.fail = func(method string, _ int) error {
		if method != "WorkflowRuns" {
			return nil
		}
		if lists++; lists == 2 {
			return ErrNotFound
		}
		return nil
	}
	_, results := s.handle(Delivery{Name: "schedule", Repository: repoName})
	if body := s.bodies(12); results.Err() != nil || lists != 2 || len(body) != 1 || !strings.Contains(body[0], "0 of 2 points done") {
		t.Errorf("%v, %d lists, %q", results.Err(), lists, body)
	}
}
