package matrix

import (
	"regexp"
	"strings"
	"sync"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// frameworkWithoutRecipes is the one multi-node framework whose configs name
// no srt-slurm recipe (rule R14).
const frameworkWithoutRecipes = "llmd-vllm"

// recipeDir reads srt-recipe-dir, a normalised relative path.
func (s *scope) recipeDir(v *yamlpos.Value) string {
	text := s.filled("srt-recipe-dir", v)
	if text != "" && (!relative(text) || text == ".") {
		s.add("matrix.unsafe-path", v, s.at.key("srt-recipe-dir"), "value", text)
		return ""
	}
	return text
}

var selectorForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:base|override_[A-Za-z0-9_-]+|zip_override_[A-Za-z0-9_-]+\[[0-9]{1,6}\])$`)
})

// recipe reads a reference <path>[:<selector>].
func (s *scope) recipe(name string) *RecipeRef {
	v := optional(s.take(name))
	if v == nil {
		return nil
	}
	text := s.filled(name, v)
	if text == "" {
		return nil
	}
	path, selector, selected := strings.Cut(text, ":")
	if !relative(path) || path == "." || selected && !selectorForm().MatchString(selector) {
		s.add("matrix.recipe-reference", v, s.at.key(name), "value", text)
		return nil
	}
	return &RecipeRef{Place: v.Place(s.file), Path: path, Selector: selector}
}

// recipeRules is the part of R14 that needs no file.
func (d *decoder) recipeRules(c *Config, at *path) {
	refuse := func(e *Entry, code string, args ...string) {
		f := d.find(code, nil, at, args...)
		f.Place = c.Place
		if e != nil {
			f.Place = e.Place
		}
		d.keep(f)
	}
	exempt := c.Multinode && c.Framework == frameworkWithoutRecipes
	switch {
	case exempt && c.RecipeDir != "":
		refuse(nil, "matrix.r14-framework-without-recipes", "framework", c.Framework)
	case !exempt && c.RecipeDir == "":
		refuse(nil, "matrix.r14-recipe-dir-required")
	}
	for e := range c.entries() {
		switch {
		case exempt && (e.Recipe != nil || e.EvalRecipe != nil):
			refuse(e, "matrix.r14-framework-without-recipes", "framework", c.Framework)
		case !exempt && e.Recipe == nil:
			refuse(e, "matrix.r14-recipe-required")
		case e.EvalRecipe != nil && !c.Multinode:
			refuse(e, "matrix.r14-eval-recipe-multinode")
		}
		for _, w := range []*Worker{e.Prefill, e.Decode, e.Worker} {
			if setting := configFileSetting(w); setting != "" {
				refuse(e, "matrix.r14-config-file-setting", "setting", setting)
			}
		}
	}
}

// configFileSetting returns the name of a worker setting that names a recipe
// file in the older way, or "".
func configFileSetting(w *Worker) string {
	if w == nil {
		return ""
	}
	for _, setting := range w.Settings {
		if name, _, _ := strings.Cut(setting, "="); name == "CONFIG_FILE" || name == "EVAL_CONFIG_FILE" {
			return name
		}
	}
	return ""
}
