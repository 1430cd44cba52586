package matrix

import (
	"strconv"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// text is the canonical text of the concrete recipe of a reference, computed
// once; ok is false where the file or its variant is missing.
func (b *recipeBook) text(c *Config, ref *RecipeRef) (text string, ok bool, f *diag.Finding) {
	name := b.path(c, ref)
	id := name + ":" + ref.Selector
	if text, done := b.texts[id]; done {
		return text, text != "", nil
	}
	if b.files == nil {
		return "", false, nil
	}
	file := b.open(name)
	if file.err != nil {
		return "", false, file.err
	}
	if recipe := concrete(file.root, ref.Selector); recipe != nil {
		text = string(recipe.Append(nil, ordjson.Canonical))
	}
	b.texts[id] = text
	return text, text != "", nil
}

// fingerprint is the recipe fingerprint of a row: of its fields alone, or with
// the concrete recipe that they name, so that an edit of the recipe file makes
// the row another one (spec/matrix.md section 12).
func (g *Generator) fingerprint(r *Row) (string, *diag.Finding) {
	if g.rules.Fingerprint != config.FingerprintRowRecipe || r.recipe == "" {
		return fingerprint(r.Generator()), nil
	}
	text, ok, f := g.recipes.text(r.Config, r.Entry.Recipe)
	if f != nil {
		return "", f
	}
	if !ok {
		unbound := diag.New("matrix.recipe-unbound", r.Entry.Recipe.Place, "path", r.recipe, "name", r.ExpName, "conc", joinInts(r.Conc)).In("matrix-row-schema").At(r.Config.Key)
		return "", &unbound
	}
	recipe := ordjson.Value{Text: text} // canonical text stands for itself
	return digest(ordjson.Map(
		ordjson.Member{Name: "recipe", Value: ordjson.List(recipe)},
		ordjson.Member{Name: "row", Value: fingerprinted(r.Generator())},
	)), nil
}

// fileTooLarge returns a finding when a file exceeds a bound, in bytes. No
// bound (0) lets everything pass.
func fileTooLarge(source Source, limit int) *diag.Finding {
	if limit <= 0 || len(source.Data) <= limit {
		return nil
	}
	f := diag.New("matrix.file-too-large", diag.Place{File: source.Name}, "size", strconv.Itoa(len(source.Data)), "limit", strconv.Itoa(limit)).In("yaml-invalid")
	return &f
}
