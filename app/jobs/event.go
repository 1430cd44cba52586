package jobs

import (
	"encoding/json"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// maxEvent is the largest payload that GitHub sends (spec/github-limits.md).
const maxEvent = 25 << 20

// payload is what a sweep needs of a pull_request event.
type payload struct {
	Action string `json:"action"`
	Label  named  `json:"label"`
	Pull   struct {
		Number int     `json:"number"`
		Draft  bool    `json:"draft"`
		Labels []named `json:"labels"`
		User   struct {
			Login string `json:"login"`
		} `json:"user"`
		Head side `json:"head"`
		Base side `json:"base"`
	} `json:"pull_request"`
	Repository struct {
		FullName string `json:"full_name"`
	} `json:"repository"`
}

type named struct {
	Name string `json:"name"`
}

// side is one side of a pull request. The repository is null where it is gone.
type side struct {
	SHA  string `json:"sha"`
	Ref  string `json:"ref"`
	Repo *struct {
		FullName string `json:"full_name"`
	} `json:"repo"`
}

// event reads the payload of the run. Labels are those of the moment of the
// event: a re-run plans what the first attempt planned.
func (h *Host) event() (payload, error) {
	var p payload
	name, err := h.value("GITHUB_EVENT_PATH")
	if err != nil {
		return p, err
	}
	data, err := read(name, maxEvent)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, diag.New("jobs.event", diag.Place{}, "detail", err.Error()).In("unreadable")
	}
	if p.Pull.Number <= 0 || !isObjectID(p.Pull.Head.SHA) || p.Pull.Base.Ref == "" {
		return p, diag.New("jobs.event", diag.Place{}, "detail", "it is no pull_request event").In("usage")
	}
	return p, nil
}

func (p payload) labels() []string {
	names := make([]string, len(p.Pull.Labels))
	for i, l := range p.Pull.Labels {
		names[i] = l.Name
	}
	return names
}

// sameRepo reports that the head lies in the repository of the run. A head
// repository that is gone is somebody else's.
func (p payload) sameRepo() bool {
	return p.Pull.Head.Repo != nil && p.Repository.FullName != "" && p.Pull.Head.Repo.FullName == p.Repository.FullName
}

// facts is the event as the labels room takes it. GitHub has applied the path
// filter and the test for conflicts before it started this run.
func (h *Host) facts(p payload) labels.Event {
	run, _ := strconv.ParseInt(h.either("GITHUB_RUN_ID", "0"), 10, 64)
	return labels.Event{
		Name: labels.PullRequest, Action: p.Action, Label: p.Label.Name, Labels: p.labels(), Number: p.Pull.Number,
		RunID: run, HeadSHA: p.Pull.Head.SHA, BaseBranch: p.Pull.Base.Ref, SameRepo: p.sameRepo(), Draft: p.Pull.Draft,
		TouchesChangelog: true,
	}
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
