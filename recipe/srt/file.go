package srt

import (
	"maps"
	"sort"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
)

// MaxBytes bounds a recipe file; real ones have a few kilobytes.
const MaxBytes = 1 << 20

// maxVariants bounds the variants of a bundle.
const maxVariants = 512

// linesPerFile tells the lines of several files apart when their values are
// merged: no file has more.
const linesPerFile = MaxBytes + 1

// File is a parsed recipe file.
type File struct {
	name string
	// blocks are the names of shared blocks by their number, from 1.
	blocks map[int]string
	root   *yamlpos.Value
}

// Parse reads a recipe file. A repeated key keeps its last value, as the
// reference's reader does. The question says what is wrong with the file.
func Parse(name string, data []byte) (*File, *recipe.Question) { return parse(name, data, 0) }

// ParseBlock reads a file that recipes lie over. Blocks of one recipe have
// different numbers, from 1.
func ParseBlock(name string, data []byte, number int) (*File, *recipe.Question) {
	f, q := parse(name, data, number)
	if q == nil {
		f.blocks = map[int]string{number: name}
	}
	return f, q
}

func parse(name string, data []byte, number int) (*File, *recipe.Question) {
	if len(data) > MaxBytes {
		return nil, &recipe.Question{Code: "recipe.srt-too-large", Args: []string{"file", name, "limit", strconv.Itoa(MaxBytes)}, Place: diag.Place{File: name}}
	}
	root, err := yamlpos.Parse(name, data, yamlpos.Options{LastKeyWins: true, FirstLine: number*linesPerFile + 1})
	if err != nil {
		return nil, &recipe.Question{Code: "recipe.srt-invalid", Args: []string{"file", name, "detail", err.Error()}, Place: diag.Place{File: name}}
	}
	if root.Kind != yamlpos.Mapping {
		return nil, &recipe.Question{Code: "recipe.srt-not-mapping", Args: []string{"file", name}, Place: diag.Place{File: name, Line: 1}}
	}
	return &File{name: name, root: root}, nil
}

// Bundle reports whether the file holds several variants.
func (f *File) Bundle() bool { return f.root.Get("base") != nil }

// Over returns the file merged over a shared block: mappings merge, anything
// else replaces; in a bundle the merge happens below base (spec/checks.md
// section 1.7, form A, step 1). Values keep the place that they come from.
func (f *File) Over(shared *File) *File {
	out := *f
	out.blocks = make(map[int]string, len(f.blocks)+len(shared.blocks))
	maps.Copy(out.blocks, f.blocks)
	maps.Copy(out.blocks, shared.blocks)
	if base := f.root.Get("base"); base != nil {
		merged := overlay(shared.root, base)
		whole := *f.root
		whole.Fields = append([]yamlpos.Field(nil), f.root.Fields...)
		for i := range whole.Fields {
			if whole.Fields[i].Key.Text == "base" {
				whole.Fields[i].Value = merged
			}
		}
		out.root = &whole
		return &out
	}
	out.root = overlay(shared.root, f.root)
	return &out
}

// Selectors returns the variants of a bundle as selectors: overrides first,
// then zipped overrides, each sorted. A file that is no bundle has none.
func (f *File) Selectors() []string {
	var plain, zipped []string
	for _, field := range f.root.Fields {
		switch name := field.Key.Text; {
		case !f.Bundle():
		case strings.HasPrefix(name, "override_"):
			plain = append(plain, name)
		case strings.HasPrefix(name, "zip_override_"):
			n, _ := zipLength(field.Value)
			for i := 0; i < min(n, maxVariants); i++ {
				zipped = append(zipped, name+"["+strconv.Itoa(i)+"]")
			}
		}
	}
	sort.Strings(plain)
	sort.SliceStable(zipped, func(i, j int) bool {
		a, _, _ := strings.Cut(zipped[i], "[")
		b, _, _ := strings.Cut(zipped[j], "[")
		return a < b
	})
	return append(plain, zipped...)
}
