package matrix

import (
	"errors"
	"io/fs"
	"sort"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// maxRecipeBytes bounds a recipe file; real ones have a few kilobytes.
const maxRecipeBytes = 1 << 20

// recipeBook reads srt-slurm recipe files of one revision, each once.
type recipeBook struct {
	files  Files
	layout config.Recipes
	read   map[string]*recipeFile
	// texts are the canonical concrete recipes, and counts the numbers of
	// nodes, by path and selector.
	texts  map[string]string
	counts map[string]recipeNodes
}

// recipeFile is the outcome of reading one file; root is nil when it is
// missing. The maps spare searches: many entries name one file.
type recipeFile struct {
	root    *yamlpos.Value
	err     *diag.Finding
	groups  map[string]*yamlpos.Value // top-level members
	longest map[string]int            // longest list of a zip group
}

func newRecipeBook(files Files, layout config.Recipes) *recipeBook {
	return &recipeBook{files: files, layout: layout, read: make(map[string]*recipeFile), texts: make(map[string]string), counts: make(map[string]recipeNodes)}
}

// folder is the project-relative folder of a config's recipes, with a slash
// behind it.
func (b *recipeBook) folder(c *Config) string {
	folder := b.layout.SingleNode
	if c.Multinode {
		folder = b.layout.MultiNode
	}
	return strings.ReplaceAll(folder, "{dir}", c.RecipeDir) + "/"
}

// path is the project-relative path of a reference, without its selector.
func (b *recipeBook) path(c *Config, ref *RecipeRef) string { return b.folder(c) + ref.Path }

// attach writes the recipe paths of a row.
func (b *recipeBook) attach(r *Row) {
	full := func(ref *RecipeRef) string {
		if ref == nil {
			return ""
		}
		return b.folder(r.Config) + ref.String()
	}
	r.recipe, r.evalRecipe = full(r.Entry.Recipe), full(r.Entry.EvalRecipe)
}

// open returns the parsed recipe file at a path. A missing file is a nil root.
func (b *recipeBook) open(name string) *recipeFile {
	got := b.read[name]
	if got != nil {
		return got
	}
	got = &recipeFile{groups: make(map[string]*yamlpos.Value), longest: make(map[string]int)}
	got.root, got.err = readRecipe(b.files, name)
	if got.root != nil {
		for _, f := range got.root.Fields {
			if f.Key.Kind == yamlpos.String {
				got.groups[f.Key.Text] = f.Value
			}
		}
	}
	b.read[name] = got
	return got
}

func readRecipe(files Files, name string) (*yamlpos.Value, *diag.Finding) {
	data, err := files.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		f := diag.New("matrix.recipe-unreadable", diag.Place{File: name}, "detail", err.Error()).In("config-schema")
		return nil, &f
	}
	if f := fileTooLarge(Source{name, data}, maxRecipeBytes); f != nil {
		return nil, f
	}
	root, err := yamlpos.Parse(name, data, yamlpos.Options{})
	if err != nil {
		f := asFinding(err)
		return nil, &f
	}
	return root, nil
}

// checkRecipes is the part of rule R14 that reads files: every referenced
// recipe exists below the recipe folder, and its selector selects something.
// What it finds is noted with the configs.
func (m *Masters) checkRecipes(files Files, layout config.Recipes) {
	book := newRecipeBook(files, layout)
	for _, c := range m.Configs {
		var list diag.List
		for e := range c.entries() {
			for _, ref := range []*RecipeRef{e.Recipe, e.EvalRecipe} {
				if ref == nil || c.RecipeDir == "" || len(list) >= maxFindings {
					continue
				}
				if f := book.check(c, ref); f != nil {
					list = append(list, *f)
				}
			}
		}
		m.note(c, list)
	}
}

func (b *recipeBook) check(c *Config, ref *RecipeRef) *diag.Finding {
	name := b.path(c, ref)
	refuse := func(code string, args ...string) *diag.Finding {
		f := diag.New(code, ref.Place, append(args, "path", name, "selector", ref.Selector)...).In("config-schema").At(c.Key)
		return &f
	}
	file := b.open(name)
	switch {
	case file.err != nil:
		return file.err
	case file.root == nil:
		return refuse("matrix.recipe-missing")
	case ref.Selector == "":
		return nil
	case file.groups["base"] == nil:
		return refuse("matrix.recipe-not-a-bundle")
	case !file.selects(ref.Selector):
		return refuse("matrix.recipe-selector", "known", strings.Join(file.selectors(), ", "))
	}
	return nil
}

// selects reports whether a selector names a group of a bundle; the index of a
// zip group must be smaller than the longest list in the group.
func (f *recipeFile) selects(selector string) bool {
	group, index, zipped := strings.Cut(strings.TrimSuffix(selector, "]"), "[")
	v := f.groups[group]
	if v == nil || !zipped {
		return v != nil
	}
	longest, known := f.longest[group]
	if !known {
		longest = longestList(v)
		f.longest[group] = longest
	}
	n, err := strconv.Atoi(index)
	return err == nil && n < longest
}

func longestList(v *yamlpos.Value) int {
	longest := len(v.Items)
	for _, item := range v.Items {
		longest = max(longest, longestList(item))
	}
	for _, f := range v.Fields {
		longest = max(longest, longestList(f.Value))
	}
	return longest
}

// maxSelectors is the number of variants that a message names.
const maxSelectors = 20

func (f *recipeFile) selectors() []string {
	var names []string
	for _, field := range f.root.Fields {
		if name := field.Key.Text; name == "base" || strings.HasPrefix(name, "override_") || strings.HasPrefix(name, "zip_override_") {
			names = append(names, name)
		}
		if len(names) == maxSelectors {
			break
		}
	}
	sort.Strings(names)
	return names
}
