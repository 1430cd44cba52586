package srt

import (
	"sort"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
)

// options turns a mapping into the flags of a command line, sorted by key:
// true is a switch, false and null are left out, a list gives several words, a
// mapping is JSON.
func (r *Recipe) options(v *yamlpos.Value, without ...string) []recipe.Flag {
	if v == nil || v.Kind != yamlpos.Mapping {
		return nil
	}
	fields := append([]yamlpos.Field(nil), v.Fields...)
	sort.SliceStable(fields, func(i, j int) bool { return fields[i].Key.Text < fields[j].Key.Text })
	var out []recipe.Flag
	for _, f := range fields {
		if skipped(without, dashed(f.Key.Text)) {
			continue
		}
		if flag, ok := r.option(f); ok {
			out = append(out, flag)
		}
	}
	return out
}

func dashed(key string) string { return strings.ReplaceAll(key, "_", "-") }

func skipped(list []string, name string) bool {
	for _, s := range list {
		if s == name {
			return true
		}
	}
	return false
}

func (r *Recipe) option(f yamlpos.Field) (recipe.Flag, bool) {
	at := r.place(f.Value)
	spelling := "--" + dashed(f.Key.Text)
	flag := recipe.Flag{Name: recipe.FlagName(spelling), Spelling: spelling, Text: recipe.Literal(spelling, at)}
	switch f.Value.Kind {
	case yamlpos.Null:
		return flag, false
	case yamlpos.Bool:
		return flag, f.Value.Int == 1
	case yamlpos.Sequence:
		for _, item := range f.Value.Items {
			flag.Values = append(flag.Values, r.word1(item))
		}
		return flag, true
	}
	flag.Values = []recipe.Text{r.word1(f.Value)}
	recipe.DecodeJSON(&flag)
	return flag, true
}

// word1 is a value as one word of a command line.
func (r *Recipe) word1(v *yamlpos.Value) recipe.Text {
	if v.Kind == yamlpos.Mapping || v.Kind == yamlpos.Sequence {
		return recipe.Literal(document(v).String(), r.place(v))
	}
	return r.text(v)
}

// document is a value as JSON.
func document(v *yamlpos.Value) ordjson.Value {
	switch v.Kind {
	case yamlpos.Null:
		return ordjson.Null()
	case yamlpos.Bool:
		return ordjson.Bool(v.Int == 1)
	case yamlpos.Int:
		return ordjson.Int(v.Int)
	case yamlpos.Sequence:
		out := ordjson.List()
		for _, item := range v.Items {
			out.Items = append(out.Items, document(item))
		}
		return out
	case yamlpos.Mapping:
		out := ordjson.Map()
		for _, f := range v.Fields {
			out.Add(f.Key.Text, document(f.Value))
		}
		return out
	case yamlpos.Float:
		return ordjson.Value{Text: v.Text}
	}
	return ordjson.Str(v.Text)
}

// values turns the settings of an engine's file into flags under dotted names;
// lists stay whole.
func (r *Recipe) values(v *yamlpos.Value, prefix string) []recipe.Flag {
	var out []recipe.Flag
	if v == nil || v.Kind != yamlpos.Mapping {
		return nil
	}
	for _, f := range v.Fields {
		name := prefix + f.Key.Text
		if f.Value.Kind == yamlpos.Mapping && len(f.Value.Fields) > 0 {
			out = append(out, r.values(f.Value, name+".")...)
			continue
		}
		flag := recipe.Flag{Name: recipe.FlagName(name), Spelling: name, Text: recipe.Literal(name, r.place(f.Value))}
		flag.Values = []recipe.Text{r.word1(f.Value)}
		recipe.DecodeJSON(&flag)
		out = append(out, flag)
	}
	return out
}

// ConfigValues reads a YAML document written for an engine, such as a
// here-document of a script, as dotted values.
func ConfigValues(file string, line int, data []byte) ([]recipe.Flag, error) {
	root, err := yamlpos.Parse(file, data, yamlpos.Options{LastKeyWins: true, FirstLine: max(line, 1)})
	if err != nil {
		return nil, err
	}
	r := &Recipe{file: file, root: root}
	return r.values(root, ""), nil
}
