package jobs

import (
	"strconv"

	"github.com/sweepbot/sweepbot/app/actions"
	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/labels"
)

// order is what a run is asked to check, plan and measure, whatever started it.
type order struct {
	run actions.Context
	// event is the event as the rules take it.
	event labels.Event
	// pull is the pull request of the event; nil on a push and on a dispatch,
	// which know no more of it than its number.
	pull *bot.PullRequest
	// base is a revision, head a commit: the two sides of the change.
	base, head string
	// planID names the plan of a server that dispatched the run; "" elsewhere.
	planID string
	// since is the run that a partial sweep is to stand on, 0 for the newest.
	since int64
}

// order reads the event of the run. Labels are those of the moment of the
// event: a re-run plans what the first attempt planned.
func (h *Host) order() (order, error) {
	c, err := actions.Load(h.getenv, actions.ReadFile)
	if err != nil {
		return order{}, err
	}
	o := order{run: c, event: c.LabelsEvent()}
	// GitHub has applied the path filter before it started this run.
	o.event.TouchesChangelog = true
	switch d := c.Delivery; {
	case c.Event == labels.PullRequest && d.PR != nil:
		o.pull, o.base, o.head = d.PR, "refs/remotes/origin/"+d.PR.BaseBranch, d.PR.HeadSHA
	case c.Event == labels.Push && d.Push != nil && d.Push.Before != "" && d.Push.After != "":
		o.base, o.head = d.Push.Before, d.Push.After
	case c.Event == dispatched:
		err = o.readInputs(d.Inputs)
	default:
		err = diag.New("jobs.event", diag.Place{}, "event", c.Event).In("usage")
	}
	return o, err
}

// dispatched is the event of a sweep that a server starts.
const dispatched = "workflow_dispatch"

// runForm is the number of a run, or nothing.
var runForm = pattern.Lazy(`^(?:[1-9][0-9]{0,17})?$`)

var planForm = pattern.Lazy(`^[A-Za-z0-9._-]{0,64}$`)

// readInputs reads the inputs of a dispatch (docs/effects.md, "Dispatches").
// Whoever dispatches has decided that this head is to be measured, as somebody
// does who puts a label on: the rules take it for that. That the commits are
// what they are said to be is proved on the clone; see proveDispatch.
func (o *order) readInputs(in map[string]string) error {
	wrong := func(name string) error {
		return diag.New("jobs.input", diag.Place{}, "name", name, "value", diag.Cut(diag.Printable(in[name]), 80)).In("usage")
	}
	number, err := strconv.ParseUint(in["pull-request"], 10, 31)
	branch := branchOf(o.run.Ref)
	switch {
	case err != nil || number == 0:
		return wrong("pull-request")
	case !isObjectID(in["head-sha"]):
		return wrong("head-sha")
	case !isObjectID(in["base-sha"]):
		return wrong("base-sha")
	case !planForm().MatchString(in["plan-id"]):
		return wrong("plan-id")
	case !runForm().MatchString(in["since"]):
		return wrong("since")
	case branch == "":
		return diag.New("jobs.dispatch-ref", diag.Place{}, "ref", diag.Printable(o.run.Ref)).In("usage")
	}
	names, err := labels.ParseJSON([]byte(in["labels"]))
	if err != nil {
		return wrong("labels")
	}
	o.since, _ = strconv.ParseInt(in["since"], 10, 64)
	o.base, o.head, o.planID = in["base-sha"], in["head-sha"], in["plan-id"]
	o.event = labels.Event{
		Name: labels.PullRequest, Action: labels.Labeled, Labels: names, Number: int(number), RunID: o.run.RunID,
		HeadSHA: o.head, BaseBranch: branch, SameRepo: true, TouchesChangelog: true,
	}
	if len(names) > 0 {
		o.event.Label = names[0]
	}
	return nil
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
