package matrix

import (
	"sync"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// The YAML reader allocates the values of a document in chunks, so that a
// config that keeps one of them keeps the chunk around it. What a config keeps
// after validation is therefore detached: copied without its position, and
// numbers, flags and names that occur everywhere only once. Of a file of a
// million lines this leaves a tenth.

// sharedInts is the number of integers from 0 that all configs share.
const sharedInts = 1025

var sharedNumbers = sync.OnceValue(func() []yamlpos.Value {
	values := make([]yamlpos.Value, sharedInts)
	for i := range values {
		values[i] = *yamlpos.NewInt(int64(i))
	}
	return values
})

var truth = yamlpos.NewBool(true)

// detach copies a value without its position. nil stays nil.
func detach(v *yamlpos.Value) *yamlpos.Value {
	switch {
	case v == nil:
		return nil
	case v.Kind == yamlpos.Int && v.Int >= 0 && v.Int < sharedInts:
		return &sharedNumbers()[v.Int]
	case v.Kind == yamlpos.Int:
		return yamlpos.NewInt(v.Int)
	case v.Kind == yamlpos.Bool && v.Int == 1:
		return truth
	case v.Kind == yamlpos.Bool:
		return falsy
	}
	out := &yamlpos.Value{Kind: v.Kind, Text: v.Text, Int: v.Int, Float: v.Float}
	for _, item := range v.Items {
		out.Items = append(out.Items, detach(item))
	}
	if v.Fields != nil {
		out.Fields = detachFields(v.Fields)
	}
	return out
}

// workerKeys are the names of worker fields as shared values.
var workerKeys = sync.OnceValue(func() map[string]*yamlpos.Value {
	keys := make(map[string]*yamlpos.Value)
	for _, name := range []string{"num-worker", "tp", "pp", "dcp-size", "pcp-size", "ep", "dp-attn", "hardware", "additional-settings"} {
		keys[name] = yamlpos.NewString(name)
	}
	return keys
})

func detachFields(fields []yamlpos.Field) []yamlpos.Field {
	out := make([]yamlpos.Field, len(fields))
	for i, f := range fields {
		key := workerKeys()[f.Key.Text]
		if key == nil || f.Key.Kind != yamlpos.String {
			key = detach(f.Key)
		}
		out[i] = yamlpos.Field{Key: key, Value: detach(f.Value)}
	}
	return out
}

// detach detaches what an entry keeps of its source.
func (e *Entry) detach() {
	for _, v := range []**yamlpos.Value{&e.TP, &e.EP, &e.DPAttn, &e.PP, &e.DCP, &e.PCP, &e.ConcStart, &e.ConcEnd} {
		*v = detach(*v)
	}
	if e.ConcList != nil {
		list := make([]*yamlpos.Value, len(e.ConcList))
		for i, item := range e.ConcList {
			list[i] = detach(item)
		}
		e.ConcList = list
	}
}

// detach detaches what a worker keeps of its source.
func (w *Worker) detach() {
	for _, v := range []**yamlpos.Value{&w.NumWorker, &w.TP, &w.EP, &w.DPAttn, &w.PP, &w.DCP, &w.PCP} {
		*v = detach(*v)
	}
	w.Source = detachFields(w.Source)
}
