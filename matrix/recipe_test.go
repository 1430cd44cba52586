package matrix

import (
	"strings"
	"testing"
)

// spec/matrix.md rule R14: the syntax of references and folders.
func TestRecipeReferences(t *testing.T) {
	for _, c := range []struct {
		value string
		ok    bool
	}{
		{"r.yaml", true}, {"a/b/r.yaml", true}, {"r.yaml:base", true}, {"r.yaml:override_a-B_1", true}, {"r.yaml:zip_override_a[0]", true}, {"r.yaml:zip_override_a[12]", true},
		{"/r.yaml", false}, {"../r.yaml", false}, {"a/../r.yaml", false}, {"./r.yaml", false}, {"a//r.yaml", false}, {"a/", false}, {".", false}, {"..", false},
		{"r.yaml:", false}, {"r.yaml:other", false}, {"r.yaml:override_", false}, {"r.yaml:override_a b", false}, {"r.yaml:override_a[0]", false},
		{"r.yaml:zip_override_a", false}, {"r.yaml:zip_override_a[]", false}, {"r.yaml:zip_override_a[-1]", false}, {"r.yaml:zip_override_a[9999999]", false},
		{"r.yaml:base:base", false}, {":base", false}, {`a\r.yaml`, false}, {"r.yaml:base ", false},
	} {
		b := broken{"R14 " + c.value, nextSingleOK, []string{"r.yaml }", "§'" + c.value + "' }"}, []string{"matrix.recipe-reference"}}
		if c.ok {
			b.swaps[1], b.want = "'"+c.value+"' }", nil
		}
		b.run(t, newest(t))
	}
	for _, value := range []string{"/d", "../d", "a//b", "a/", ".", "a/.."} {
		broken{"R14 folder", nextSingleOK, []string{"srt-recipe-dir: d", "srt-recipe-dir: §" + value}, []string{"matrix.unsafe-path"}}.run(t, newest(t))
	}
}

// spec/matrix.md rule R14: the file of a reference exists, and its selector
// selects something.
func TestRecipeFiles(t *testing.T) {
	for _, c := range []struct {
		name, selector, recipe string
		want                   []string
		category               string
	}{
		{"exists", "", "x: 1\n", nil, ""},
		{"missing", "", "", []string{"18:21 matrix.recipe-missing"}, "config-schema"},
		{"no bundle", ":base", "x: 1\n", []string{"18:21 matrix.recipe-not-a-bundle"}, "config-schema"},
		{"base", ":base", bundleRecipe, nil, ""},
		{"override", ":override_eval", bundleRecipe, nil, ""},
		{"no such override", ":override_x", bundleRecipe, []string{"18:21 matrix.recipe-selector"}, "config-schema"},
		{"zip", ":zip_override_sizes[1]", bundleRecipe, nil, ""},
		{"index beyond the longest list", ":zip_override_sizes[2]", bundleRecipe, []string{"18:21 matrix.recipe-selector"}, "config-schema"},
		{"no such group", ":zip_override_x[0]", bundleRecipe, []string{"18:21 matrix.recipe-selector"}, "config-schema"},
		{"group without lists", ":zip_override_x[0]", "base: {}\nzip_override_x: { a: 1 }\n", []string{"18:21 matrix.recipe-selector"}, "config-schema"},
		{"syntax", "", "a: [\n", []string{"yaml.syntax"}, "yaml-invalid"},
		{"repeated key", "", "a: 1\na: 2\n", []string{"2:1 yaml.duplicate-key"}, "duplicate-key"},
		{"too large", "", strings.Repeat("#\n", 1<<20), []string{"0:0 matrix.file-too-large"}, "yaml-invalid"},
	} {
		files := memFiles{amdFile: disaggText("cluster:nv4", "1, tp: 4", "1, tp: 4", c.selector), nvidiaFile: "{}"}.with(recipeBundle, c.recipe)
		_, list := ReadMasters(newest(t), files, false)
		got := codes(t, list)
		if c.name == "syntax" && len(got) == 1 {
			got[0] = got[0][strings.Index(got[0], " ")+1:]
		}
		same(t, c.name, c.want, got)
		if len(list) > 0 {
			same(t, c.name, c.category, list[0].Category)
		}
	}
}

// The folder of a recipe depends on the kind of config.
func TestRecipePaths(t *testing.T) {
	rows := mustRows(t, newest(t), recipeFiles(), Request{})
	paths := make(map[string]bool)
	for _, r := range rows {
		paths[r.recipe+" "+r.evalRecipe] = true
	}
	same(t, "paths", map[string]bool{
		recipeBundle + ":base " + recipeBundle + ":override_eval": true,
		recipeSingle + " ":                       true,
		recipeBundle + ":zip_override_sizes[1] ": true,
	}, paths)
}

// Every problem of all configs is told at once, recipes included.
func TestRecipeFindingsJoinOthers(t *testing.T) {
	files := recipeFiles().with(recipeSingle, "").edited(t, amdFile, "framework: sglang", "framework: 1")
	_, list := ReadMasters(newest(t), files, false)
	same(t, "findings", []string{"6:14 matrix.wrong-type", "16:54 matrix.recipe-missing", "20:109 matrix.recipe-missing"}, codes(t, list))
}
