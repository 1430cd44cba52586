package srt

import "github.com/sweepbot/sweepbot/internal/yamlpos"

// merge lays an override over a base: mappings merge, null deletes a key,
// anything else replaces.
func merge(base, override *yamlpos.Value) *yamlpos.Value {
	return combine(base, override, true)
}

// overlay lays a fragment over a shared block: mappings merge, anything else,
// null too, replaces.
func overlay(shared, fragment *yamlpos.Value) *yamlpos.Value {
	return combine(shared, fragment, false)
}

func combine(under, over *yamlpos.Value, nullDeletes bool) *yamlpos.Value {
	if over.Kind != yamlpos.Mapping {
		return over
	}
	if under == nil || under.Kind != yamlpos.Mapping {
		under = &yamlpos.Value{Kind: yamlpos.Mapping}
	}
	top := make(map[string]yamlpos.Field, len(over.Fields))
	for _, f := range over.Fields {
		top[f.Key.Text] = f
	}
	out := &yamlpos.Value{Pos: over.Pos, Kind: yamlpos.Mapping}
	below := make(map[string]bool, len(under.Fields))
	for _, f := range under.Fields {
		below[f.Key.Text] = true
		g, ok := top[f.Key.Text]
		switch {
		case !ok:
			out.Fields = append(out.Fields, f)
		case !nullDeletes || g.Value.Kind != yamlpos.Null:
			out.Fields = append(out.Fields, yamlpos.Field{Key: g.Key, Value: combine(f.Value, g.Value, nullDeletes)})
		}
	}
	for _, f := range over.Fields {
		if !below[f.Key.Text] && (!nullDeletes || f.Value.Kind != yamlpos.Null) {
			out.Fields = append(out.Fields, yamlpos.Field{Key: f.Key, Value: combine(nil, f.Value, nullDeletes)})
		}
	}
	return out
}

// zipLength is the number of variants of a zipped group: the length that its
// lists share, those with one item aside. ok is false when they do not.
func zipLength(v *yamlpos.Value) (n int, ok bool) {
	n, ok = 1, true
	var visit func(v *yamlpos.Value)
	visit = func(v *yamlpos.Value) {
		switch v.Kind {
		case yamlpos.Sequence:
			switch {
			case len(v.Items) == 0 || n > 1 && len(v.Items) > 1 && len(v.Items) != n:
				ok = false
			case len(v.Items) > 1:
				n = len(v.Items)
			}
		case yamlpos.Mapping:
			for _, f := range v.Fields {
				visit(f.Value)
			}
		}
	}
	visit(v)
	return n, ok
}

// slice takes element n of every list of a zipped group; a list of one item
// gives it to all.
func slice(v *yamlpos.Value, n int) *yamlpos.Value {
	switch v.Kind {
	case yamlpos.Sequence:
		if len(v.Items) == 1 {
			return v.Items[0]
		}
		return v.Items[n]
	case yamlpos.Mapping:
		out := &yamlpos.Value{Pos: v.Pos, Kind: yamlpos.Mapping}
		for _, f := range v.Fields {
			out.Fields = append(out.Fields, yamlpos.Field{Key: f.Key, Value: slice(f.Value, n)})
		}
		return out
	}
	return v
}
