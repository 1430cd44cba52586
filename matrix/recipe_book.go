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
	read   map[string]recipeFile
	// texts are the canonical concrete recipes by path and selector.
	texts map[string]string
}

// recipeFile is the outcome of reading one file; root is nil when it is
// missing.
type recipeFile struct {
	root *yamlpos.Value
	err  *diag.Finding
}

func newRecipeBook(files Files, layout config.Recipes) *recipeBook {
	return &recipeBook{files: files, layout: layout, read: make(map[string]recipeFile), texts: make(map[string]string)}
}

// path is the project-relative path of a reference, without its selector.
func (b *recipeBook) path(c *Config, ref *RecipeRef) string {
	folder := b.layout.SingleNode
	if c.Multinode {
		folder = b.layout.MultiNode
	}
	return strings.ReplaceAll(folder, "{dir}", c.RecipeDir) + "/" + ref.Path
}

// attach writes the recipe paths of a row.
func (b *recipeBook) attach(r *Row) {
	full := func(ref *RecipeRef) string {
		if ref == nil {
			return ""
		}
		name := b.path(r.Config, ref)
		if ref.Selector != "" {
			name += ":" + ref.Selector
		}
		return name
	}
	r.recipe, r.evalRecipe = full(r.Entry.Recipe), full(r.Entry.EvalRecipe)
}

// open returns the parsed recipe file at a path. A missing file is a nil root.
func (b *recipeBook) open(name string) recipeFile {
	if got, done := b.read[name]; done {
		return got
	}
	got := readRecipe(b.files, name)
	b.read[name] = got
	return got
}

func readRecipe(files Files, name string) (got recipeFile) {
	data, err := files.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return got
	case err != nil:
		f := diag.New("matrix.recipe-unreadable", diag.Place{File: name}, "detail", err.Error()).In("config-schema")
		return recipeFile{err: &f}
	}
	if f := fileTooLarge(Source{name, data}, maxRecipeBytes); f != nil {
		return recipeFile{err: f}
	}
	root, err := yamlpos.Parse(name, data, yamlpos.Options{})
	if err != nil {
		f := asFinding(err)
		return recipeFile{err: &f}
	}
	return recipeFile{root: root}
}

// CheckRecipes is the part of rule R14 that reads files: every referenced
// recipe exists below the recipe folder, and its selector selects something.
func CheckRecipes(m *Masters, files Files, layout config.Recipes) diag.List {
	before := len(m.schema)
	m.checkRecipes(files, layout)
	return m.schema[before:]
}

// checkRecipes notes what CheckRecipes finds with the configs.
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
	case file.root.Get("base") == nil:
		return refuse("matrix.recipe-not-a-bundle")
	case !selects(file.root, ref.Selector):
		return refuse("matrix.recipe-selector", "known", strings.Join(selectors(file.root), ", "))
	}
	return nil
}

// selects reports whether a selector names a group of a bundle; the index of a
// zip group must be smaller than the longest list in the group.
func selects(root *yamlpos.Value, selector string) bool {
	group, index, zipped := strings.Cut(strings.TrimSuffix(selector, "]"), "[")
	v := root.Get(group)
	if v == nil || !zipped {
		return v != nil
	}
	n, err := strconv.Atoi(index)
	return err == nil && n < longestList(v)
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

func selectors(root *yamlpos.Value) []string {
	var names []string
	for _, f := range root.Fields {
		if name := f.Key.Text; name == "base" || strings.HasPrefix(name, "override_") || strings.HasPrefix(name, "zip_override_") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}
