package srt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
)

// rowBlock is the number under which the file of a row is known among the
// blocks of a recipe.
const rowBlock = 1 << 10

// Row is what a matrix row binds into a recipe that it names (spec/checks.md
// section 1.7, form A, step 3).
type Row struct {
	Model, Image, Precision, Framework string
	// Place is where the row's config says the above, and Entry where its
	// search space says the rest, in the same file.
	Place, Entry diag.Place
	// Client are the variables that the row gives benchmark.env.
	Client []Value
	// Environment are variables that the launcher writes into the recipe-wide
	// environment, over those of the recipe.
	Environment []Value
}

// Value is a named value of a row.
type Value struct{ Name, Value string }

// bound is one key that a row sets.
type bound struct {
	path  []string
	value string
	at    diag.Place
	// declared says that the key is only set where the recipe has it.
	declared bool
	// selects says that the group of a variant may set the key: variants are
	// told apart by it.
	selects bool
}

func (row Row) keys() []bound {
	out := []bound{
		{path: []string{"model", "path"}, value: hubPrefix + row.Model, at: row.Place, selects: true},
		{path: []string{"model", "container"}, value: row.Image, at: row.Place},
		{path: []string{"model", "precision"}, value: row.Precision, at: row.Place, selects: true},
		{path: []string{"identity", "container", "image"}, value: strings.Replace(row.Image, "#", "/", 1), at: row.Place, declared: true},
		{path: []string{"identity", "model", "repo"}, value: row.Model, at: row.Place, declared: true},
	}
	for _, v := range row.Client {
		selects := v.Name == "CONC" || v.Name == "KV_OFFLOADING"
		out = append(out, bound{path: []string{"benchmark", "env", v.Name}, value: v.Value, at: row.Entry, selects: selects})
	}
	return out
}

// hubPrefix says that a model is named by its repository.
const hubPrefix = "hf:"

// Bind returns the recipe with the row's values in it. A key that the recipe
// itself has already set is a question with its place; the row's value counts
// nevertheless.
func (r *Recipe) Bind(row Row) (*Recipe, []recipe.Question) {
	out := *r
	out.blocks = map[int]string{rowBlock: row.Place.File}
	for n, name := range r.blocks {
		out.blocks[n] = name
	}
	out.direct = r.Get("roles") != nil && !strings.HasPrefix(row.Framework, "dynamo-")
	var asked []recipe.Question
	for _, k := range row.keys() {
		found := find(r.root, k.path)
		if q := r.taken(k, found); q != nil {
			asked = append(asked, *q)
		}
		if found != nil || !k.declared {
			out.root = put(out.root, k.path, bindable(k.value, k.at))
		}
	}
	for _, v := range row.Environment {
		out.root = put(out.root, []string{"environment", v.Name}, bindable(v.Value, row.Place))
	}
	return &out, asked
}

// taken is the question about a key that the recipe has set by itself: not a
// shared block under it, not the group of a variant that is chosen by it, not
// a declaration of what the row says too.
func (r *Recipe) taken(k bound, found *yamlpos.Value) *recipe.Question {
	if found.IsNull() || found.Line >= linesPerFile || k.declared && scalar(found) == k.value {
		return nil
	}
	if k.selects && find(r.own, k.path) != nil && Same(scalar(found), k.value) {
		return nil
	}
	return &recipe.Question{Code: "recipe.srt-bound-key", Args: []string{"key", strings.Join(k.path, "."), "file", r.file}, Place: r.place(found)}
}

// Same reports whether two texts name the same model, precision or setting.
func Same(a, b string) bool {
	return strings.EqualFold(strings.TrimPrefix(a, hubPrefix), strings.TrimPrefix(b, hubPrefix))
}

// bindable is a text of the row's file.
func bindable(text string, at diag.Place) *yamlpos.Value {
	v := yamlpos.NewString(text)
	v.Pos = yamlpos.Pos{Line: rowBlock*linesPerFile + min(max(at.Line, 1), MaxBytes), Column: at.Column}
	return v
}

// find returns the value at a path, null values too; nil where there is none.
func find(v *yamlpos.Value, path []string) *yamlpos.Value {
	for _, key := range path {
		v = v.Get(key)
	}
	return v
}

// put returns v with a value at a path; what is no mapping on the way becomes
// one.
func put(v *yamlpos.Value, path []string, value *yamlpos.Value) *yamlpos.Value {
	if len(path) == 0 {
		return value
	}
	out := &yamlpos.Value{Kind: yamlpos.Mapping, Pos: value.Pos}
	if v != nil && v.Kind == yamlpos.Mapping {
		out.Pos = v.Pos
		out.Fields = slices.Clone(v.Fields)
	}
	for i, f := range out.Fields {
		if f.Key.Kind == yamlpos.String && f.Key.Text == path[0] {
			out.Fields[i].Value = put(f.Value, path[1:], value)
			return out
		}
	}
	out.Fields = append(out.Fields, yamlpos.Field{Key: yamlpos.NewString(path[0]), Value: put(nil, path[1:], value)})
	return out
}

// reference is a value that stands for a fact of the cluster.
var reference = pattern.Lazy(`^@((?:dram|fabric)\.[A-Za-z0-9_.-]+)$`)

// embedded is such a reference anywhere in a text.
var embedded = pattern.Lazy(`@(?:dram|fabric)\.`)

// Resolve replaces whole values of the form @dram.NAME and @fabric.NAME by
// facts under "dram.NAME" and "fabric.NAME". An unknown name, and a reference
// inside of a longer text, are questions with their place. used says that the
// recipe has references at all.
func (r *Recipe) Resolve(facts map[string]string) (out *Recipe, used bool, asked []recipe.Question) {
	v := resolver{recipe: r, facts: facts}
	whole := *r
	whole.root = v.value(r.root)
	return &whole, v.used, v.asked
}

type resolver struct {
	recipe *Recipe
	facts  map[string]string
	used   bool
	asked  []recipe.Question
}

func (s *resolver) value(v *yamlpos.Value) *yamlpos.Value {
	switch v.Kind {
	case yamlpos.Mapping:
		out := *v
		out.Fields = slices.Clone(v.Fields)
		for i := range out.Fields {
			out.Fields[i].Value = s.value(out.Fields[i].Value)
		}
		return &out
	case yamlpos.Sequence:
		out := *v
		out.Items = make([]*yamlpos.Value, len(v.Items))
		for i, item := range v.Items {
			out.Items[i] = s.value(item)
		}
		return &out
	case yamlpos.String:
		if strings.Contains(v.Text, "@") && embedded().MatchString(v.Text) {
			return s.reference(v)
		}
	}
	return v
}

func (s *resolver) reference(v *yamlpos.Value) *yamlpos.Value {
	s.used = true
	ask := func(code string, args ...string) {
		s.asked = append(s.asked, recipe.Question{Code: code, Args: append(args, "value", v.Text), Place: s.recipe.place(v)})
	}
	found := reference().FindStringSubmatch(v.Text)
	if found == nil {
		ask("recipe.srt-reference-embedded")
		return v
	}
	text, ok := s.facts[found[1]]
	if !ok {
		known := make([]string, 0, len(s.facts))
		for name := range s.facts {
			known = append(known, "@"+name)
		}
		slices.Sort(known)
		ask("recipe.srt-reference-unknown", "known", strings.Join(known, ", "))
		return v
	}
	out := *v
	out.Text = text
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && strings.HasPrefix(found[1], "dram.") {
		out.Kind, out.Int = yamlpos.Int, n
	}
	return &out
}

// Without returns the recipe without variables of some names, in whatever
// environment they stand.
func (r *Recipe) Without(names ...string) *Recipe {
	if len(names) == 0 {
		return r
	}
	out := *r
	out.root = withoutVars(r.root, names, false)
	return &out
}

func withoutVars(v *yamlpos.Value, names []string, environment bool) *yamlpos.Value {
	if v.Kind != yamlpos.Mapping {
		return v
	}
	out := *v
	out.Fields = make([]yamlpos.Field, 0, len(v.Fields))
	for _, f := range v.Fields {
		if environment && slices.Contains(names, f.Key.Text) {
			continue
		}
		key := f.Key.Text
		inner := key == "env" || key == "environment" || strings.HasSuffix(key, "_environment")
		out.Fields = append(out.Fields, yamlpos.Field{Key: f.Key, Value: withoutVars(f.Value, names, inner)})
	}
	return &out
}
