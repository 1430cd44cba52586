package sandbox

import (
	"slices"
	"time"
)

// activityRoutes are the record of pushes.
var activityRoutes = []route{{"GET /repos/{owner}/{repo}/activity", reads("contents"), listActivity}}

// activity is a push as the repository records it.
type activity struct {
	id   int64
	push push
	who  *user
	at   time.Time
}

// recordPush notes a push to a branch.
func (s *Server) recordPush(who *identity, r *repository, p push) {
	if _, ok := p.branch(); ok {
		r.activity = append(r.activity, activity{s.ids.take(kindEvent), p, who.user, s.now()})
	}
}

// listActivity is the record, newest first.
func listActivity(c *call) (any, error) {
	list := filter(c.repo.activity, func(a activity) bool { return c.query("ref") == "" || a.push.ref == c.query("ref") })
	list = slices.Clone(list)
	slices.Reverse(list)
	return convert(page(c, list), func(a activity) doc {
		d := doc{
			"id": a.id, "node_id": nodeID("Push", a.id), "before": a.push.before, "after": a.push.after, "ref": a.push.ref, "timestamp": stamp(a.at),
			"activity_type": "push", "actor": c.s.userDoc(a.who),
		}
		switch {
		case a.push.before == "":
			d["before"], d["activity_type"] = noCommit, "branch_creation"
		case a.push.after == "":
			d["after"], d["activity_type"] = noCommit, "branch_deletion"
		case a.push.forced:
			d["activity_type"] = "force_push"
		}
		return d
	}), nil
}
