package collect

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/results/failure"
)

// TestLogsTellTheReason holds that the end of a failed job's log is read, that
// jobs which did not fail or never ran are not asked for, and that a log that
// can't be had costs nothing.
func TestLogsTellTheReason(t *testing.T) {
	long := strings.Repeat("noise that nobody reads\n", 20_000) + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
	from := &platform{logs: map[int64]string{1: long, 3: "x", 4: "x"}}
	jobs := []bot.Job{
		{ID: 1, Name: "a", Attempt: 1, Conclusion: "failure", RunnerName: "r"},
		{ID: 2, Name: "b", Attempt: 1, Conclusion: "failure", RunnerName: "r"}, // its log is gone
		{ID: 3, Name: "c", Attempt: 1, Conclusion: "success", RunnerName: "r"},
		{ID: 4, Name: "d", Attempt: 1, Conclusion: "failure"},
	}
	logs := LogEnds(t.Context(), from, jobs)
	if len(logs) != 1 || len(logs[1]) > logEnd || !strings.HasPrefix(logs[1], "noise that") {
		t.Fatalf("%d logs, the first of %d bytes", len(logs), len(logs[1]))
	}
	var classes []failure.Class
	for _, j := range Jobs(jobs, logs, nil, nil) {
		if j.Failure != nil {
			classes = append(classes, j.Failure.Class)
		}
	}
	if len(classes) != 3 || classes[0] != failure.OutOfMemory || classes[1] != failure.Unclassified || classes[2] != failure.Infrastructure {
		t.Errorf("classes %v", classes)
	}
	if LogEnds(t.Context(), struct{}{}, jobs) != nil {
		t.Error("logs of a platform that has none")
	}
}
