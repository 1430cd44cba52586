package matrix

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// variant returns what base or an override of a bundle stands for, or nil for
// any other selector.
func variant(root *yamlpos.Value, selector string) *yamlpos.Value {
	base, override := root.Get("base"), root.Get(selector)
	switch {
	case selector == "base":
		return inherit(base, root.Get("schema"))
	case strings.HasPrefix(selector, "override_") && override != nil:
		return inherit(deepMerge(base, override), root.Get("schema"))
	}
	return nil
}

// inherit gives a variant the schema of its file unless it has its own.
func inherit(v, schema *yamlpos.Value) *yamlpos.Value {
	if schema == nil || v.Kind != yamlpos.Mapping || v.Get("schema") != nil {
		return v
	}
	whole := *v
	whole.Fields = append(whole.Fields[:len(whole.Fields):len(whole.Fields)], yamlpos.Field{Key: yamlpos.NewString("schema"), Value: schema})
	return &whole
}

// deepMerge lays override over base: null deletes a key, mappings merge, other
// values replace. base may be nil.
func deepMerge(base, override *yamlpos.Value) *yamlpos.Value {
	if override.Kind != yamlpos.Mapping {
		return override
	}
	out := &yamlpos.Value{Pos: override.Pos, Kind: yamlpos.Mapping}
	over := make(map[string]*yamlpos.Value, len(override.Fields))
	for _, f := range override.Fields {
		over[fieldID(f.Key)] = f.Value
	}
	was := make(map[string]*yamlpos.Value)
	if base != nil && base.Kind == yamlpos.Mapping {
		for _, f := range base.Fields {
			was[fieldID(f.Key)] = f.Value
			if over[fieldID(f.Key)] == nil {
				out.Fields = append(out.Fields, f)
			}
		}
	}
	for _, f := range override.Fields {
		if f.Value.Kind != yamlpos.Null {
			out.Fields = append(out.Fields, yamlpos.Field{Key: f.Key, Value: deepMerge(was[fieldID(f.Key)], f.Value)})
		}
	}
	return out
}

func fieldID(key *yamlpos.Value) string {
	return string(raw(key).Append(nil, ordjson.Canonical))
}

// concrete is the recipe that a reference stands for, in the form that row
// fingerprints cover: without what names a run, what a concurrency sets, and
// the port of a monitor. nil means that the file or its variant is missing.
func concrete(root *yamlpos.Value, selector string) *ordjson.Value {
	recipe := root
	switch group, index, zipped := strings.Cut(strings.TrimSuffix(selector, "]"), "["); {
	case root == nil:
		return nil
	case selector == "" || root.Get("base") == nil && selector == "base":
	case zipped:
		n, err := strconv.Atoi(index)
		if err != nil || root.Get(group) == nil {
			return nil
		}
		recipe = inherit(deepMerge(root.Get("base"), unzip(root.Get(group), n)), root.Get("schema"))
	default:
		if recipe = variant(root, selector); recipe == nil {
			return nil
		}
	}
	out := raw(recipe)
	for _, path := range concreteDrops {
		out = dropped(out, path)
	}
	return &out
}

// concreteDrops are the members of a recipe that fingerprints leave out.
var concreteDrops = [][]string{
	{"name"}, {"benchmark", "concurrencies"}, {"benchmark", "env", "CONC"}, {"telemetry", "dcgm_exporter", "port"},
}

// dropped returns v without the member at a path.
func dropped(v ordjson.Value, path []string) ordjson.Value {
	member, ok := v.Get(path[0])
	if !ok {
		return v
	}
	if len(path) == 1 {
		return without(v, path[0])
	}
	out := v
	out.Members = append([]ordjson.Member(nil), v.Members...)
	for i := range out.Members {
		if out.Members[i].Name == path[0] {
			out.Members[i].Value = dropped(member, path[1:])
		}
	}
	return out
}

// unzip takes element n of every list of a zip group, or the last one of a
// shorter list.
func unzip(v *yamlpos.Value, n int) *yamlpos.Value {
	switch v.Kind {
	case yamlpos.Sequence:
		if len(v.Items) == 0 {
			return v
		}
		return v.Items[min(n, len(v.Items)-1)]
	case yamlpos.Mapping:
		out := &yamlpos.Value{Pos: v.Pos, Kind: yamlpos.Mapping}
		for _, f := range v.Fields {
			out.Fields = append(out.Fields, yamlpos.Field{Key: f.Key, Value: unzip(f.Value, n)})
		}
		return out
	}
	return v
}
