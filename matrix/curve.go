package matrix

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// comparison says how the rows of two revisions are compared: deeply, in
// everything but concurrency and name. Rows of two dialects are first brought
// to one form.
type comparison struct {
	// newer and older are the rules that generated the rows of head and base.
	newer, older config.Matrix
}

// crossed reports whether the two sides are written in different dialects.
func (c comparison) crossed() bool { return c.newer.Recipes != c.older.Recipes }

// drops names the row fields that only one side's dialect writes.
func (c comparison) drops() []string {
	names := []string{"conc", "exp-name", "recipe-fingerprint"}
	if c.newer.NodeCount != c.older.NodeCount {
		names = append(names, "node-count")
	}
	if c.newer.Power != c.older.Power {
		names = append(names, "power", "require-power")
	}
	return names
}

// key identifies the curve that a row is a point of. recipes is the side that
// the row comes from: where fingerprints cover recipes, so do curves.
func (c comparison) key(r *Row, recipes *recipeBook) string {
	row := without(r.Generator(), c.drops()...)
	if c.crossed() {
		return string(lifted(row).Append(nil, ordjson.Canonical))
	}
	text := row.Append(make([]byte, 0, 768), ordjson.Canonical)
	if c.newer.Fingerprint == config.FingerprintRowRecipe && r.recipe != "" {
		recipe, _, _ := recipes.text(r.Config, r.Entry.Recipe)
		text = append(text, recipe...)
	}
	return string(text)
}

// lifted is a row in the form that both dialects have in common: a recipe is
// known by the name of its file, wherever it is written.
func lifted(row ordjson.Value) ordjson.Value {
	out := ordjson.Map()
	var recipe, evalRecipe string
	for _, m := range row.Members {
		switch m.Name {
		case "prefill", "decode":
			var settings [2]string
			m.Value, settings = liftSettings(m.Value)
			recipe, evalRecipe = orText(recipe, settings[0]), orText(evalRecipe, settings[1])
		case "srt-recipe":
			recipe = fileName(m.Value.Text)
			continue
		case "eval-srt-recipe":
			evalRecipe = fileName(m.Value.Text)
			continue
		}
		out.Members = append(out.Members, m)
	}
	out.Add("srt-recipe", ordjson.Str(recipe))
	out.Add("eval-srt-recipe", ordjson.Str(evalRecipe))
	return out
}

// liftSettings takes the settings that name recipes out of a worker block, and
// the list with them when nothing is left in it.
func liftSettings(worker ordjson.Value) (rest ordjson.Value, recipes [2]string) {
	settings, _ := worker.Get("additional-settings")
	kept := make([]ordjson.Value, 0, len(settings.Items))
	for _, item := range settings.Items {
		name, value, _ := strings.Cut(item.Text, "=")
		switch name {
		case "CONFIG_FILE":
			recipes[0] = fileName(value)
		case "EVAL_CONFIG_FILE":
			recipes[1] = fileName(value)
		default:
			kept = append(kept, item)
		}
	}
	rest = without(worker, "additional-settings")
	if len(kept) > 0 {
		rest.Add("additional-settings", ordjson.List(kept...))
	}
	return rest, recipes
}

func orText(text, fallback string) string {
	if text != "" {
		return text
	}
	return fallback
}

func fileName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// curve is the set of points that rows of one key have together.
type curve struct {
	key   string
	first *Row
	concs map[int64]bool
}

// curves are the curves of a list of rows, in the order in which they first
// occur.
type curves struct {
	order []*curve
	byKey map[string]*curve
	of    []*curve // the curve of each row
}

func curvesOf(rows []*Row, key func(*Row) string) curves {
	out := curves{byKey: make(map[string]*curve), of: make([]*curve, len(rows))}
	for i, r := range rows {
		k := key(r)
		at := out.byKey[k]
		if at == nil {
			at = &curve{key: k, first: r, concs: make(map[int64]bool)}
			out.byKey[k] = at
			out.order = append(out.order, at)
		}
		out.of[i] = at
		for _, conc := range r.Conc {
			at.concs[conc] = true
		}
	}
	return out
}

// has reports whether a curve has a point; no curve has none.
func (c *curve) has(conc int64) bool { return c != nil && c.concs[conc] }

// missing returns, in order, the concurrencies that another curve lacks.
func (c *curve) missing(other *curve) []int64 {
	var out []int64
	for conc := range c.concs {
		if !other.has(conc) {
			out = append(out, conc)
		}
	}
	slices.Sort(out)
	return out
}
