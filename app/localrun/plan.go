package localrun

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// idForm is the form of point ids, which also name folders and logs.
var idForm = pattern.Lazy(`^[0-9a-f]{16}(-[0-9]{1,6})?$`)

// planVersion is the version of the plan document that is understood.
const planVersion = "1"

// Plan is what this room needs of a plan document (docs/schema/plan.schema.json).
type Plan struct {
	// Digest names the plan: equal digests mean equal plans.
	Digest string
	// Canary is the id of the canary, "" for none.
	Canary string
	// Fast is the fast mode of AgentX throughput points.
	Fast     bool
	Families []Family
	// Metadata is changelog_metadata: both revisions and the entries.
	Metadata ordjson.Value
	Document ordjson.Value
}

// Family is a job family: its points run side by side and, with FailFast, the
// first failure cancels the others.
type Family struct {
	Job, Prefix, Bucket         string
	Agentic, EvalOnly, FailFast bool
	Rows                        []PlanRow
}

// PlanRow is one point as the plan document has it.
type PlanRow struct {
	ID, Key string
	Row     ordjson.Value
}

// ReadPlan reads a plan document. It refuses a document of another version, one
// that was changed after it was written, one whose counts do not agree with its
// points (known failure F12), and a plan without points: running nothing is
// never a success.
func ReadPlan(doc ordjson.Value) (*Plan, error) {
	refuse := func(code string, args ...string) (*Plan, error) {
		return nil, diag.New(code, diag.Place{}, args...).In("plan-document")
	}
	if v := text(doc, "version"); v != planVersion {
		return refuse("localrun.plan-version", "version", cut(diag.Printable(v), 20), "want", planVersion)
	}
	digest := text(doc, "digest")
	if sum := sha256.Sum256(withoutMember(doc, "digest").Append(nil, ordjson.Canonical)); digest != "sha256:"+hex.EncodeToString(sum[:]) {
		return refuse("localrun.plan-digest")
	}
	plan := &Plan{
		Digest: digest, Document: doc, Metadata: metadata(doc),
		Canary: text(block(doc, "canary"), "point"), Fast: text(block(doc, "policy"), "agentx-fast") == "true",
	}
	points, ids := 0, make(map[string]bool)
	for _, f := range block(doc, "families").Items {
		family := readFamily(f)
		plan.Families = append(plan.Families, family)
		points += len(family.Rows)
		for _, r := range family.Rows {
			if !idForm().MatchString(r.ID) {
				return refuse("localrun.point-id", "id", cut(diag.Printable(r.ID), 40))
			}
			ids[r.ID] = true
		}
	}
	planned := text(block(doc, "counts"), "points")
	switch {
	case points == 0 && planned == "0":
		return refuse("localrun.empty-plan")
	case planned != itoa(points) || len(ids) != points || plan.Canary != "" && !ids[plan.Canary]:
		return refuse("localrun.lost-rows", "planned", cut(diag.Printable(planned), 20), "points", itoa(len(ids)))
	}
	return plan, nil
}

func readFamily(f ordjson.Value) Family {
	out := Family{
		Job: text(f, "job"), Prefix: text(f, "prefix"), Bucket: text(f, "bucket"),
		Agentic: text(f, "agentic") == "true", EvalOnly: text(f, "eval-only") == "true", FailFast: text(f, "fail-fast") == "true",
	}
	for _, p := range block(f, "points").Items {
		out.Rows = append(out.Rows, PlanRow{ID: text(p, "id"), Key: text(p, "key"), Row: block(p, "row")})
	}
	return out
}

// metadata is the changelog_metadata of a plan (spec/results.md section 8.6):
// the entries without what only the plan document adds to them.
func metadata(doc ordjson.Value) ordjson.Value {
	entries := ordjson.List()
	for _, e := range block(doc, "entries").Items {
		entries.Items = append(entries.Items, withoutMember(e, "line"))
	}
	return ordjson.Map(
		ordjson.Member{Name: "base_ref", Value: ordjson.Str(text(block(doc, "base"), "ref"))},
		ordjson.Member{Name: "head_ref", Value: ordjson.Str(text(block(doc, "head"), "ref"))},
		ordjson.Member{Name: "entries", Value: entries})
}

func withoutMember(v ordjson.Value, name string) ordjson.Value {
	out := ordjson.Map()
	for _, m := range v.Members {
		if m.Name != name {
			out.Add(m.Name, m.Value)
		}
	}
	return out
}
