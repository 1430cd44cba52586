package jobs

import (
	"github.com/sweepbot/sweepbot/app/actions"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// event reads the event of the run. Labels are those of the moment of the
// event: a re-run plans what the first attempt planned.
func (h *Host) event() (actions.Context, error) {
	c, err := actions.Load(h.getenv, actions.ReadFile)
	if err != nil {
		return c, err
	}
	if c.Event != labels.PullRequest || c.Payload.PullRequest == nil {
		return c, diag.New("jobs.event", diag.Place{}, "event", c.Event).In("usage")
	}
	return c, nil
}

// facts is the event as the labels room takes it. GitHub has applied the path
// filter before it started this run.
func facts(c actions.Context) labels.Event {
	e := c.LabelsEvent()
	e.TouchesChangelog = true
	return e
}

// isObjectID reports whether a text is a full git object id.
func isObjectID(text string) bool {
	if len(text) != 40 && len(text) != 64 {
		return false
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
