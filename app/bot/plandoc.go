package bot

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
)

// PlanVersion is the version of the plan document. Consumers refuse a version
// that they do not know; fields are only added within one.
const PlanVersion = 1

// PlanDocument is the plan as one JSON document, described by
// docs/schema/plan.schema.json: both revisions pinned, the policy in force,
// the changelog entries, and the job families with their shards and points.
func PlanDocument(p Planned) ordjson.Value {
	out := ordjson.Map()
	out.Add("version", ordjson.Int(PlanVersion))
	out.Add("preset", ordjson.Str(p.Settings.Preset))
	out.Add("base", revisionDocument(p.Plan.Base))
	out.Add("head", revisionDocument(p.Plan.Head))
	if m := p.Measured; m.Commit != "" {
		out.Add("measured", ordjson.Map(member("commit", ordjson.Str(m.Commit)), member("tree", ordjson.Str(m.Tree))))
	}
	out.Add("policy", policyDocument(p))
	metadata, _ := p.Plan.Reference().Get("changelog_metadata")
	entries, _ := metadata.Get("entries")
	for i := range entries.Items {
		entries.Items[i].Add("line", ordjson.Int(int64(p.Plan.Entries[i].Line)))
	}
	out.Add("entries", entries)
	corrections := ordjson.List()
	for _, c := range p.Plan.Corrections {
		corrections.Items = append(corrections.Items, ordjson.Map(
			ordjson.Member{Name: "line", Value: ordjson.Int(int64(c.Line))},
			ordjson.Member{Name: "old", Value: ordjson.Str(c.Old)},
			ordjson.Member{Name: "new", Value: ordjson.Str(c.New)}))
	}
	out.Add("corrections", corrections)
	points := pointIDs(p.Families)
	out.Add("canary", canaryDocument(p.Canary, points))
	out.Add("counts", countsDocument(p))
	if p.Partial != nil {
		out.Add("partial", partialMember(p.Partial))
	}
	families := ordjson.List()
	for _, f := range p.Families {
		families.Items = append(families.Items, familyDocument(f, p, points))
	}
	out.Add("families", families)
	out.Add("warnings", FindingsDocument(p.Findings, catalog.English))
	sum := sha256.Sum256(out.Append(nil, ordjson.Canonical))
	out.Add("digest", ordjson.Str("sha256:"+hex.EncodeToString(sum[:])))
	return out
}

func revisionDocument(r matrix.Revision) ordjson.Value {
	out := ordjson.Map()
	out.Add("ref", ordjson.Str(r.Ref))
	out.Add("commit", ordjson.Str(r.Commit))
	out.Add("tree", ordjson.Str(r.Tree))
	return out
}

func policyDocument(p Planned) ordjson.Value {
	out := ordjson.Map()
	label := ordjson.Null()
	if p.Selection.Primary != nil {
		label = ordjson.Str(p.Selection.Primary.Name)
	}
	out.Add("label", label)
	out.Add("canary", ordjson.Bool(p.Selection.Canary))
	out.Add("fail-fast", ordjson.Bool(p.Selection.FailFast))
	out.Add("trim", ordjson.Bool(p.Plan.Modifiers.Trim))
	out.Add("all-evals", ordjson.Bool(p.Plan.Modifiers.AllEvals))
	out.Add("evals-only", ordjson.Bool(p.Plan.Modifiers.EvalsOnly))
	out.Add("agentx-fast", ordjson.Bool(p.Selection.AgentXFast))
	out.Add("reusable", ordjson.Bool(p.Selection.Reusable && p.Partial == nil))
	return out
}

func countsDocument(p Planned) ordjson.Value {
	rows, evals := 0, 0
	hardware := make(map[string]bool)
	for _, f := range p.Families {
		rows += len(f.Rows)
		for _, r := range f.Rows {
			hardware[r.Runner] = true
			if r.EvalOnly {
				evals++
			}
		}
	}
	out := ordjson.Map()
	out.Add("points", ordjson.Int(int64(rows)))
	out.Add("throughput", ordjson.Int(int64(rows-evals)))
	out.Add("evals", ordjson.Int(int64(evals)))
	out.Add("families", ordjson.Int(int64(len(p.Families))))
	out.Add("runners", ordjson.Int(int64(len(hardware))))
	return out
}

// PointID names a point of a plan: the first 16 hex digits of the SHA-256 of
// its bucket and its row. Equal rows of one bucket get -2, -3 ... behind it.
func PointID(bucket string, r *matrix.Row) string {
	text := append([]byte(bucket+":"), r.Document().Append(nil, ordjson.Canonical)...)
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// pointIDs gives every row of a plan its id.
func pointIDs(families []matrix.Family) map[*matrix.Row]string {
	out := make(map[*matrix.Row]string)
	seen := make(map[string]int)
	for _, f := range families {
		for _, r := range f.Rows {
			id := PointID(f.Bucket, r)
			if seen[id]++; seen[id] > 1 {
				id += "-" + strconv.Itoa(seen[id])
			}
			out[r] = id
		}
	}
	return out
}

func canaryDocument(c *matrix.Canary, points map[*matrix.Row]string) ordjson.Value {
	if c == nil {
		return ordjson.Null()
	}
	out := ordjson.Map()
	out.Add("point", ordjson.Str(points[c.Row]))
	out.Add("bucket", ordjson.Str(c.Bucket))
	out.Add("index", ordjson.Int(int64(c.Index)))
	return out
}

func familyDocument(f matrix.Family, p Planned, points map[*matrix.Row]string) ordjson.Value {
	out := ordjson.Map()
	out.Add("job", ordjson.Str(f.Job))
	out.Add("prefix", ordjson.Str(f.Prefix))
	out.Add("bucket", ordjson.Str(f.Bucket))
	template := p.Settings.Workflows.SingleNode
	if f.Multinode {
		template = p.Settings.Workflows.MultiNode
	}
	out.Add("template", ordjson.Str(template))
	out.Add("agentic", ordjson.Bool(f.Agentic))
	out.Add("eval-only", ordjson.Bool(f.EvalOnly))
	out.Add("fail-fast", ordjson.Bool(p.Selection.FailFast))
	shards := ordjson.List()
	cut, _ := f.Shards(p.Settings.Limits)
	for _, s := range cut {
		ids := make([]string, len(s.Rows))
		for i, r := range s.Rows {
			ids[i] = points[r]
		}
		shards.Items = append(shards.Items, ordjson.Map(
			ordjson.Member{Name: "name", Value: ordjson.Str(s.Name)},
			ordjson.Member{Name: "points", Value: ordjson.Strs(ids)}))
	}
	out.Add("shards", shards)
	rows := ordjson.List()
	for _, r := range f.Rows {
		rows.Items = append(rows.Items, pointDocument(r, points[r]))
	}
	out.Add("points", rows)
	return out
}

// pointDocument is a row with its id and the place it comes from.
func pointDocument(r *matrix.Row, id string) ordjson.Value {
	out := ordjson.Map()
	out.Add("id", ordjson.Str(id))
	out.Add("key", ordjson.Str(r.Config.Key))
	out.Add("source", ordjson.Str(r.Entry.Place.String()))
	out.Add("row", r.Document())
	return out
}

// FindingsDocument is a list of findings as JSON, in one language.
func FindingsDocument(list diag.List, lang catalog.Language) ordjson.Value {
	out := ordjson.List()
	for _, f := range list {
		doc := ordjson.Map()
		doc.Add("code", ordjson.Str(f.Code))
		doc.Add("category", ordjson.Str(f.Category))
		doc.Add("severity", ordjson.Str(f.Severity.String()))
		doc.Add("file", ordjson.Str(f.File))
		doc.Add("line", ordjson.Int(int64(f.Line)))
		doc.Add("column", ordjson.Int(int64(f.Column)))
		doc.Add("path", ordjson.Str(f.Path))
		doc.Add("message", ordjson.Str(f.Message(lang)))
		doc.Add("mend", ordjson.Str(f.Mend(lang)))
		related := ordjson.List()
		for _, place := range f.Related {
			related.Items = append(related.Items, ordjson.Str(place.String()))
		}
		doc.Add("related", related)
		out.Items = append(out.Items, doc)
	}
	return out
}
