package srt

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
)

// Variant is one recipe of a file. Selector is "" for a file that is no bundle.
type Variant struct {
	Selector string
	Recipe   *Recipe
}

// Variants returns what a selector picks: one variant, or without a selector
// all variants of the bundle, overrides before zipped overrides, each sorted
// (spec/checks.md section 1.7, form A, step 2). The question says why there is
// none.
func (f *File) Variants(selector string) ([]Variant, *recipe.Question) {
	names := []string{selector}
	if selector == "" && f.Bundle() {
		if names = f.Selectors(); len(names) == 0 {
			return nil, f.ask("recipe.srt-ambiguous", selector, "count", "0")
		}
	}
	out := make([]Variant, len(names))
	for i, name := range names {
		r, q := f.Variant(name)
		if q != nil {
			return nil, q
		}
		out[i] = Variant{name, r}
	}
	return out, nil
}

// ask is a question about the file.
func (f *File) ask(code, selector string, args ...string) *recipe.Question {
	return &recipe.Question{Code: code, Args: append(args, "file", f.name, "selector", selector), Place: diag.Place{File: f.name}}
}

// Variant returns the recipe that a selector picks. The empty selector picks
// the only variant of a file.
func (f *File) Variant(selector string) (*Recipe, *recipe.Question) {
	if !f.Bundle() {
		if selector != "" && selector != "base" {
			return nil, f.ask("recipe.srt-not-a-bundle", selector)
		}
		return &Recipe{file: f.name, blocks: f.blocks, root: f.root}, nil
	}
	if selector == "" {
		known := f.Selectors()
		if len(known) != 1 {
			return nil, f.ask("recipe.srt-ambiguous", selector, "count", strconv.Itoa(len(known)))
		}
		selector = known[0]
	}
	root, own, q := f.pick(selector)
	if q != nil {
		return nil, q
	}
	return &Recipe{file: f.name, blocks: f.blocks, root: inherit(root, f.root.Get("schema")), own: own}, nil
}

// pick merges the group that a selector names over the base. own is the group,
// its slice where it is zipped.
func (f *File) pick(selector string) (root, own *yamlpos.Value, q *recipe.Question) {
	base := f.root.Get("base")
	if selector == "base" {
		return base, nil, nil
	}
	group, index, zipped := strings.Cut(strings.TrimSuffix(selector, "]"), "[")
	own = f.root.Get(group)
	if own == nil || zipped != strings.HasPrefix(group, "zip_override_") || !zipped && !strings.HasPrefix(group, "override_") {
		return nil, nil, f.ask("recipe.srt-no-variant", selector, "known", strings.Join(f.Selectors(), ", "))
	}
	if zipped {
		n, err := strconv.Atoi(index)
		length, ok := zipLength(own)
		switch {
		case !ok:
			return nil, nil, f.ask("recipe.srt-zip-lengths", selector)
		case err != nil || n < 0 || n >= length:
			return nil, nil, f.ask("recipe.srt-no-variant", selector, "known", strings.Join(f.Selectors(), ", "))
		}
		own = slice(own, n)
	}
	return merge(base, own), own, nil
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
