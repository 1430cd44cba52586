package bot

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// MaxPayload is the size of an event that is read, in bytes. GitHub cuts
// webhooks at the same size (spec/github-limits.md).
const MaxPayload = 25 << 20

// Delivery is one event as GitHub sends it, by webhook or into the file of a
// job, as far as we use it. What an event does not have is nil or zero. All of
// it is foreign text, held against its bounds and otherwise as it was written.
type Delivery struct {
	Name, Action string
	// ID tells deliveries apart: that of the webhook, or in Actions the id of
	// the run. The same delivery may come again.
	ID string
	// Repository is owner/name.
	Repository string
	// DefaultBranch is that of the repository, "" where the event does not
	// name it.
	DefaultBranch string
	// Sender caused the event; its id is 0 where the account is gone.
	Sender User

	// PR is the pull request as it was at the event.
	PR *PullRequest
	// Label was added or removed, in the events labeled and unlabeled.
	Label string
	// Issue comes with issue_comment, where a pull request is an issue too.
	Issue *Issue
	// Comment comes with issue_comment, pull_request_review_comment, and as
	// the text of a review with pull_request_review.
	Comment *Comment
	// EditedFrom is the earlier text of an edited comment.
	EditedFrom *string
	// Run is the workflow run as it was at the event.
	Run *Run
	// Job comes with workflow_job.
	Job *Job
	// Push comes with push.
	Push *Push
	// Heads are those before and after the push that a pull request's synchronize
	// tells of, and no more of it. It is no event of a branch.
	Heads *Push
	// Inputs come with workflow_dispatch.
	Inputs map[string]string
}

// Issue is the issue or pull request under a comment.
type Issue struct {
	Number        int
	State         string
	IsPullRequest bool
	Author        User
	Labels        []string
}

// Push is an update of a branch or tag.
type Push struct {
	Ref    string
	Branch string // "" for a tag
	// Before and After are commits; "" where the branch did not or does not
	// exist.
	Before, After string
	Message       string // of the newest commit
}

// detailedEvents are the events of which more than the common fields is read.
var detailedEvents = []string{
	"pull_request", "pull_request_target", "pull_request_review", "pull_request_review_comment",
	"issue_comment", "workflow_run", "workflow_job", "push", "workflow_dispatch",
}

// ParseDelivery reads the payload of an event, from a webhook or the file of a
// job: the one reader of both. The id is that of the delivery, see Delivery;
// the repository, owner/name, is taken where the payload does not name it, as
// that of a schedule. Unknown events have the common fields only. Wrong types,
// missing fields that the event always has, texts beyond their bounds and
// nesting are errors, each a diag.Finding (spec/security.md S13 to S15).
func ParseDelivery(name, id, repository string, data []byte) (Delivery, error) {
	if len(data) > MaxPayload {
		return Delivery{}, diag.New("bot.payload-size", diag.Place{}, "limit", strconv.Itoa(MaxPayload)).In("unreadable")
	}
	if deeperThan(data, maxPayloadDepth) {
		return Delivery{}, diag.New("bot.payload-depth", diag.Place{}, "limit", strconv.Itoa(maxPayloadDepth)).In("unreadable")
	}
	var w wirePayload
	var target any = &w
	if !slices.Contains(detailedEvents, name) {
		target = &w.wireCommon
	}
	if err := json.Unmarshal(data, target); err != nil {
		return Delivery{}, decodeFinding(err)
	}
	c := &checker{}
	d := w.delivery(name, c)
	d.ID, d.Repository = id, cmp.Or(d.Repository, repository)
	if c.err != nil {
		return Delivery{}, c.err
	}
	return d, nil
}
