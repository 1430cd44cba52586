package srt

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/recipe"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func load(t *testing.T, name string) *File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	f, q := Parse(name, data)
	if q != nil {
		t.Fatalf("%+v", q)
	}
	return f
}

var binding = Binding{
	Model: recipe.Literal("meadow/Orchid-9B", diag.Place{File: "master.yaml", Line: 3}),
	Image: recipe.Literal("registry.example/vllm:1", diag.Place{File: "master.yaml", Line: 2}),
}

// shown is a recipe as text with the place of every flag.
func shown(e *recipe.Effective) string {
	e.Sort()
	var b strings.Builder
	for _, line := range e.CommandLines() {
		fmt.Fprintf(&b, "## %s x%d\n%s\n", line.Role, line.Count, line.Text)
		for _, c := range line.Config {
			b.WriteString("  | " + c + "\n")
		}
	}
	b.WriteString("\n")
	for _, f := range e.Facts() {
		fmt.Fprintf(&b, "%s %s %s = %s (%s)\n", f.Role, f.Kind, f.Name, f.Value, f.Place)
	}
	for _, q := range e.Open {
		fmt.Fprintf(&b, "? %s %v\n", q.Code, q.Args)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	for _, test := range []struct{ name, file, selector, shared string }{
		{"disagg", "disagg.yaml", "", ""},
		{"base", "bundle.yaml", "base", ""},
		{"override", "bundle.yaml", "override_small", ""},
		{"zip", "bundle.yaml", "zip_override_sweep[2]", ""},
		{"roles", "roles.yaml", "", "shared.yaml"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := load(t, test.file)
			if test.shared != "" {
				data, err := os.ReadFile(filepath.Join("testdata", test.shared))
				if err != nil {
					t.Fatal(err)
				}
				shared, q := ParseBlock(test.shared, data, 1)
				if q != nil {
					t.Fatalf("%+v", q)
				}
				f = f.Over(shared)
			}
			r, q := f.Variant(test.selector)
			if q != nil {
				t.Fatalf("%+v", q)
			}
			got := shown(r.Effective(binding))
			golden := filepath.Join("testdata", test.name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("run with -update if that is meant (-want +got):\n%s", d)
			}
		})
	}
}

func TestSelectors(t *testing.T) {
	want := []string{"override_small", "zip_override_sweep[0]", "zip_override_sweep[1]", "zip_override_sweep[2]"}
	if d := cmp.Diff(want, load(t, "bundle.yaml").Selectors()); d != "" {
		t.Error(d)
	}
	if got := load(t, "disagg.yaml").Selectors(); got != nil {
		t.Errorf("a single recipe has selectors: %v", got)
	}
}

func TestRefusedVariants(t *testing.T) {
	bundle := func(group string) string { return "base: {a: 1}\n" + group }
	for _, test := range []struct{ yaml, selector, code string }{
		{"a: 1", "override_x", "recipe.srt-not-a-bundle"},
		{bundle("override_x: {a: 2}\noverride_y: {a: 3}"), "", "recipe.srt-ambiguous"},
		{bundle("override_x: {a: 2}"), "override_z", "recipe.srt-no-variant"},
		{bundle("override_x: {a: 2}"), "override_x[0]", "recipe.srt-no-variant"},
		{bundle("zip_override_x: {a: [1, 2], b: [1, 2, 3]}"), "zip_override_x[0]", "recipe.srt-zip-lengths"},
		{bundle("zip_override_x: {a: [1, 2]}"), "zip_override_x[2]", "recipe.srt-no-variant"},
		{bundle("zip_override_x: {a: []}"), "zip_override_x[0]", "recipe.srt-zip-lengths"},
		{bundle("zip_override_x: {a: [1, 2]}"), "zip_override_x[99999999999999999999]", "recipe.srt-no-variant"},
	} {
		f, q := Parse("x.yaml", []byte(test.yaml))
		if q == nil {
			_, q = f.Variant(test.selector)
		}
		if q == nil || q.Code != test.code {
			t.Errorf("%q %q: %+v, want %s", test.yaml, test.selector, q, test.code)
		}
	}
}

func TestRefusedFiles(t *testing.T) {
	for text, code := range map[string]string{
		"a: [": "recipe.srt-invalid", "- a": "recipe.srt-not-mapping", strings.Repeat("#", MaxBytes+1): "recipe.srt-too-large",
	} {
		if _, q := Parse("x.yaml", []byte(text)); q == nil || q.Code != code {
			t.Errorf("%.10q: %+v, want %s", text, q, code)
		}
	}
}

func TestTheOnlyVariantNeedsNoSelector(t *testing.T) {
	f, _ := Parse("x.yaml", []byte("base: {backend: {type: vllm, vllm_config: {aggregated: {tp: 1}}}}\noverride_a: {backend: {vllm_config: {aggregated: {tp: 2}}}}"))
	r, q := f.Variant("")
	if q != nil {
		t.Fatal(q)
	}
	if v := r.Get("backend", "vllm_config", "aggregated", "tp"); v == nil || v.Int != 2 {
		t.Errorf("tp is %+v, want the override's", v)
	}
}

func TestContainerMustBeTheRows(t *testing.T) {
	f, _ := Parse("x.yaml", []byte("model: {container: 'other/image:2'}\nbackend: {type: vllm, vllm_config: {aggregated: {tp: 1}}}"))
	r, _ := f.Variant("")
	if e := r.Effective(binding); len(e.Open) != 1 || e.Open[0].Code != "recipe.srt-other-image" || !e.Complete() {
		t.Errorf("%+v", e.Open)
	}
}

func TestRolesNeedAnEngine(t *testing.T) {
	f, _ := Parse("x.yaml", []byte("roles:\n  agg: { args: { tp: 1 } }\n  decode: { engine: vllm, args: { tp: 1 } }"))
	r, _ := f.Variant("")
	e := r.Effective(binding)
	if len(e.Serving()) != 1 || len(e.Open) != 1 || e.Open[0].Code != "recipe.srt-no-engine" || e.Open[0].Place.Line != 2 || e.Complete() {
		t.Errorf("%+v", e.Open)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"disagg.yaml", "bundle.yaml", "roles.yaml"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "override_small")
	}
	f.Add([]byte("base: {a: &a [*a]}\nzip_override_x: {a: [1]}"), "zip_override_x[0]")
	f.Fuzz(func(t *testing.T, data []byte, selector string) {
		file, q := Parse("x.yaml", data)
		if q != nil {
			return
		}
		for _, s := range append(file.Selectors(), selector, "base", "") {
			r, q := file.Variant(s)
			if q != nil {
				continue
			}
			e := r.Effective(binding)
			if e.Fingerprint() != r.Effective(binding).Fingerprint() {
				t.Fatalf("two readings differ")
			}
		}
	})
}
