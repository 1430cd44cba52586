package results

import (
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Metadata is the content of changelog_metadata.json (spec/results.md section
// 8.6): what a sweep was planned from.
type Metadata struct {
	BaseRef, HeadRef string
	Entries          []MetadataEntry
}

// MetadataEntry is one changelog entry. Document has all its fields.
type MetadataEntry struct {
	ConfigKeys []string
	PRLink     string
	EvalsOnly  bool
	AllEvals   bool
	AppendOnly bool
	Document   ordjson.Value
}

// MetadataDocument returns the bytes of changelog_metadata.json for a plan
// document's member changelog_metadata.
func MetadataDocument(planned ordjson.Value) []byte { return document.AppendReadable(nil, planned) }

// ReadMetadata reads changelog_metadata.json. Fields that are not known are
// kept in the entries' documents.
func ReadMetadata(file string, data []byte) (Metadata, diag.List) {
	doc, err := document.Parse(data, document.Options{})
	if err != nil {
		return Metadata{}, diag.List{unreadable(file, err)}
	}
	base, okBase := document.Text(at(doc, "base_ref"))
	head, okHead := document.Text(at(doc, "head_ref"))
	entries, _ := doc.Get("entries")
	if !okBase || !okHead || entries.Kind != ordjson.Array {
		return Metadata{}, diag.List{wrongShape(file, "an object with base_ref, head_ref and entries")}
	}
	out := Metadata{BaseRef: base, HeadRef: head}
	var list diag.List
	for _, v := range entries.Items {
		e, ok := metadataEntry(v)
		if !ok {
			list = append(list, wrongShape(file, "entries with config-keys, a list of texts"))
			continue
		}
		out.Entries = append(out.Entries, e)
	}
	return out, list
}

func metadataEntry(v ordjson.Value) (MetadataEntry, bool) {
	keys, _ := v.Get("config-keys")
	e := MetadataEntry{Document: v}
	e.PRLink, _ = document.Text(at(v, "pr-link"))
	for _, k := range keys.Items {
		if k.Kind != ordjson.String {
			return e, false
		}
		e.ConfigKeys = append(e.ConfigKeys, k.Text)
	}
	e.EvalsOnly, _ = document.Bool(at(v, "evals-only"))
	e.AllEvals, _ = document.Bool(at(v, "all-evals"))
	e.AppendOnly, _ = document.Bool(at(v, "append-only"))
	return e, keys.Kind == ordjson.Array
}
