package bot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const jobPayload = `{"action":"completed","sender":{"id":1,"login":"ann","type":"User"},"repository":{"full_name":"acme/bench"},
	"workflow_job":{"id":8,"run_id":5,"run_attempt":2,"name":"canary / x","html_url":"u","status":"completed","conclusion":"success",
	"runner_name":"aurora_00","labels":["self-hosted","aurora"],"started_at":"2026-11-30T12:00:00Z","completed_at":"2026-11-30T12:10:00Z"}}`

func TestJobEventIsRead(t *testing.T) {
	d, err := ParseDelivery("workflow_job", "d-1", "", []byte(jobPayload))
	if err != nil {
		t.Fatal(err)
	}
	want := &Job{
		ID: 8, RunID: 5, Attempt: 2, Name: "canary / x", URL: "u", Status: "completed", Conclusion: "success", RunnerName: "aurora_00",
		Labels: []string{"self-hosted", "aurora"}, StartedAt: epoch, CompletedAt: epoch.Add(10 * time.Minute),
	}
	if diff := cmp.Diff(want, d.Job); diff != "" {
		t.Error(diff)
	}
	// A queued job has no conclusion, runner or end yet.
	queued := strings.NewReplacer(`"success"`, "null", `"aurora_00"`, "null", `"2026-11-30T12:10:00Z"`, "null", `"run_attempt":2,`, "").Replace(jobPayload)
	if d, err := ParseDelivery("workflow_job", "d-1", "", []byte(queued)); err != nil || d.Job.Attempt != 1 || d.Job.Conclusion != "" || !d.Job.CompletedAt.IsZero() {
		t.Errorf("%+v %v", d.Job, err)
	}
}

func TestJobEventRefuses(t *testing.T) {
	many := strings.Repeat(`"x",`, maxJobLabels)
	for name, r := range map[string][2]string{
		"no id":           {`"id":8,"run_id"`, `"id":0,"run_id"`},
		"no run":          {`"run_id":5`, `"run_id":-1`},
		"many labels":     {`"self-hosted",`, many + `"self-hosted",`},
		"long name":       {"canary / x", strings.Repeat("x", maxPayloadTitle+1)},
		"text for an id":  {`"run_id":5`, `"run_id":"5"`},
		"time of nowhere": {"2026-11-30T12:00:00Z", "yesterday"},
	} {
		if _, err := ParseDelivery("workflow_job", "d-1", "", []byte(strings.Replace(jobPayload, r[0], r[1], 1))); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	if _, err := ParseDelivery("workflow_job", "d-1", "", []byte(`{}`)); codeOf(err) != "bot.payload-field" {
		t.Error(fmt.Sprint(err))
	}
}
