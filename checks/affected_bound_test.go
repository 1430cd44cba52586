package checks

import (
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// sampleRecipes is the sample repository of the newest layout.
func sampleRecipes(t *testing.T) map[string]string {
	t.Helper()
	files := make(map[string]string)
	root := os.DirFS("../testdata/recipes")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestAffectedByABoundRecipe has the third part of step 3 of spec/checks.md
// section 1.3: a shared block that changes what bound recipes serve affects
// the keys that are merged over it, and no other; set-up scripts and clients
// only reach them.
func TestAffectedByABoundRecipe(t *testing.T) {
	const blocks, recipes = "inferencex-e2e/configs/srt-recipes/", "inferencex-e2e/benchmarks/multi_node/srt-slurm-recipes/"
	base := sampleRecipes(t)
	newest, _ := config.Preset(config.PresetNewest)
	const setUp = "basalt-fp4-boreal-dynamo-sglang-agentic reached"
	for name, c := range map[string]struct {
		file, old, text string
		want            []string
	}{
		"a block":         {blocks + "fixed-sequence-single.yaml", `"16"`, `"32"`, []string{"orchid-fp8-aurora-vllm modified"}},
		"a block's words": {blocks + "fixed-sequence-single.yaml", "# Under every", "# Below every", nil},
		"a client":        {"inferencex-e2e/benchmarks/single_node/srt_fixed_sequence.sh", "", "\necho more\n", []string{"orchid-fp8-aurora-vllm reached"}},
		"a set-up script": {recipes + "configs/signpost-deps.sh", "", "\necho more\n", []string{setUp}},
	} {
		text := strings.Replace(base[c.file], c.old, c.text, 1)
		if c.old == "" {
			text = base[c.file] + c.text
		}
		e := situation{base: base, head: map[string]string{c.file: text}, settings: func(s *config.Settings) { *s = newest }}.evidence(t)
		a, err := e.Affected(t.Context())
		if err != nil || a.Findings.Refused() {
			t.Fatal(err, a.Findings)
		}
		var got []string
		for _, k := range a.Keys {
			got = append(got, k.Key+" "+string(k.Label))
		}
		for _, k := range a.Reached {
			got = append(got, k.Key+" reached")
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
