package matrix

import (
	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Reference is the plan in the document shape that existing workflows consume
// (spec/changelog.md section 8).
func (p *Plan) Reference() ordjson.Value {
	out := ordjson.Map()
	out.Add("single_node", bucketDocument(p.SingleNode))
	out.Add("multi_node", bucketDocument(p.MultiNode))
	out.Add("evals", rowsDocument(p.Evals))
	out.Add("agentic_evals", rowsDocument(p.AgenticEvals))
	out.Add("multinode_evals", rowsDocument(p.MultiEvals))
	out.Add("multinode_agentic_evals", rowsDocument(p.MultiAgenticEvals))
	metadata := ordjson.Map()
	metadata.Add("base_ref", ordjson.Str(p.Base.Ref))
	metadata.Add("head_ref", ordjson.Str(p.Head.Ref))
	metadata.Add("entries", entriesDocument(p.Entries, p.settings))
	out.Add("changelog_metadata", metadata)
	return out
}

func bucketDocument(buckets []Bucket) ordjson.Value {
	out := ordjson.Map()
	for _, b := range buckets {
		out.Add(b.Name, rowsDocument(b.Rows))
	}
	return out
}

func rowsDocument(rows []*Row) ordjson.Value {
	out := ordjson.List(make([]ordjson.Value, len(rows))...)
	for i, r := range rows {
		out.Items[i] = r.Document()
	}
	return out
}

func entriesDocument(entries []changelog.Entry, s config.Settings) ordjson.Value {
	rules := ChangelogRules(s)
	out := ordjson.List()
	for _, e := range entries {
		doc := ordjson.Map()
		for _, f := range e.Document(rules) {
			doc.Add(f.Name, fieldValue(f.Value))
		}
		out.Items = append(out.Items, doc)
	}
	return out
}

func fieldValue(v any) ordjson.Value {
	switch v := v.(type) {
	case string:
		return ordjson.Str(v)
	case []string:
		return ordjson.Strs(v)
	case bool:
		return ordjson.Bool(v)
	case int:
		return ordjson.Int(int64(v))
	}
	return ordjson.Null()
}
