package srt

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// text is a value as canonical JSON: equal values have equal texts.
func text(v *yamlpos.Value) string {
	if v == nil {
		return "absent"
	}
	return string(document(v).Append(nil, ordjson.Canonical))
}

// drawTree draws a mapping. The first letter of a key is the kind of its value,
// so that two trees agree on the kinds below a key; nulls may stand anywhere
// but for mappings.
func drawTree(t *rapid.T, label string, depth int, nulls bool) *yamlpos.Value {
	out := &yamlpos.Value{Kind: yamlpos.Mapping}
	for _, name := range []string{"ma", "mb", "sa", "sb", "la"} {
		if rapid.IntRange(0, 2).Draw(t, label+name) == 0 {
			continue
		}
		var v *yamlpos.Value
		switch {
		case name[0] == 'm' && depth > 0:
			v = drawTree(t, label+name+".", depth-1, nulls)
		case name[0] == 'm':
			v = &yamlpos.Value{Kind: yamlpos.Mapping}
		case nulls && rapid.IntRange(0, 3).Draw(t, label+name+"null") == 0:
			v = &yamlpos.Value{}
		case name[0] == 'l':
			v = &yamlpos.Value{Kind: yamlpos.Sequence, Items: []*yamlpos.Value{scalarOf(rapid.IntRange(0, 5).Draw(t, label+name))}}
		default:
			v = scalarOf(rapid.IntRange(0, 5).Draw(t, label+name))
		}
		out.Fields = append(out.Fields, yamlpos.Field{Key: yamlpos.NewString(name), Value: v})
	}
	return out
}

func scalarOf(n int) *yamlpos.Value { return yamlpos.NewString(strconv.Itoa(n)) }

// Laying blocks over each other does not depend on which two are laid first, as
// long as a key has one kind; nulls of blocks are values like others. The
// inputs stay as they are.
func TestOverlayIsAssociative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawTree(t, "a.", 2, true), drawTree(t, "b.", 2, true), drawTree(t, "c.", 2, true)
		before := text(a) + text(b) + text(c)
		if left, right := text(overlay(overlay(a, b), c)), text(overlay(a, overlay(b, c))); left != right {
			t.Fatalf("(a b) c is %s\na (b c) is %s", left, right)
		}
		if after := text(a) + text(b) + text(c); before != after {
			t.Fatalf("the inputs changed: %s, %s", before, after)
		}
		if got := text(overlay(a, a)); got != text(a) {
			t.Fatalf("over itself: %s", got)
		}
	})
}

// Overrides without nulls are associative too; with them they are not, since a
// null is used up when it has deleted a key.
func TestOverrideIsAssociativeWithoutNulls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawTree(t, "a.", 2, false), drawTree(t, "b.", 2, false), drawTree(t, "c.", 2, false)
		if left, right := text(merge(merge(a, b), c)), text(merge(a, merge(b, c))); left != right {
			t.Fatalf("(a b) c is %s\na (b c) is %s", left, right)
		}
	})
}

// After an override, a key that it nulls is gone, one that it sets has its
// value, and any other has the base's.
func TestNullDeletes(t *testing.T) {
	var same func(t *rapid.T, base, over, got *yamlpos.Value, at string)
	same = func(t *rapid.T, base, over, got *yamlpos.Value, at string) {
		for _, name := range []string{"ma", "mb", "sa", "sb", "la"} {
			b, o, g := base.Get(name), over.Get(name), got.Get(name)
			switch {
			case o == nil:
				if text(g) != text(b) {
					t.Fatalf("%s%s: %s, the base has %s", at, name, text(g), text(b))
				}
			case o.Kind == yamlpos.Null:
				if g != nil {
					t.Fatalf("%s%s is still there", at, name)
				}
			case o.Kind == yamlpos.Mapping:
				same(t, b, o, g, at+name+".")
			case text(g) != text(o):
				t.Fatalf("%s%s: %s, the override has %s", at, name, text(g), text(o))
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		base, over := drawTree(t, "a.", 2, false), drawTree(t, "b.", 2, true)
		same(t, base, over, merge(base, over), "")
	})
}

// A zipped group is as many overrides as its lists are long, written out: each
// list gives its item, a list of one gives it to all, other values stay.
func TestZippedGroupsWrittenOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(t, "n")
		var zipped strings.Builder
		plain := make([]strings.Builder, n)
		for k := range rapid.IntRange(1, 5).Draw(t, "keys") {
			indent := strings.Repeat("  ", 1)
			key := fmt.Sprintf("%sk%d: ", indent, k)
			items := make([]string, n)
			form := rapid.SampledFrom([]string{"list", "one", "scalar"}).Draw(t, key)
			if k == 0 {
				form = "list"
			}
			for i := range items {
				items[i] = rapid.SampledFrom([]string{"1", "x", "null", "[1, 2]", "{a: 1}", "true"}).Draw(t, key+strconv.Itoa(i))
				if form != "list" {
					items[i] = items[0]
				}
				if form == "scalar" {
					items[i] = "s"
				}
				plain[i].WriteString(key + items[i] + "\n")
			}
			switch form {
			case "list":
				zipped.WriteString(key + "[" + strings.Join(items, ", ") + "]\n")
			case "one":
				zipped.WriteString(key + "[" + items[0] + "]\n")
			default:
				zipped.WriteString(key + "s\n")
			}
		}
		base := "base:\n  k0: old\n  k1: old\n  kept: 1\n"
		f, q := Parse("z.yaml", []byte(base+"zip_override_z:\n"+zipped.String()))
		if q != nil {
			t.Fatal(q)
		}
		variants, q := f.Variants("")
		if q != nil || len(variants) != n {
			t.Fatalf("%d variants of %d: %+v", len(variants), n, q)
		}
		for i, v := range variants {
			one, _ := Parse("o.yaml", []byte(base+"override_o:\n"+plain[i].String()))
			want, _ := one.Variant("override_o")
			if got := text(v.Recipe.root); got != text(want.root) || v.Selector != fmt.Sprintf("zip_override_z[%d]", i) {
				t.Fatalf("%s: %s, written out %s", v.Selector, got, text(want.root))
			}
		}
	})
}

var someRow = Row{
	Model: "meadow/Orchid-9B", Image: "registry.example#vllm:1", Precision: "fp8", Framework: "vllm",
	Place: diag.Place{File: "master.yaml", Line: 3, Column: 1}, Entry: diag.Place{File: "master.yaml", Line: 12, Column: 5},
	Client:      []Value{{"CONC", "4"}, {"ISL", "1024"}},
	Environment: []Value{{"ROUTER_VERSION", "2"}},
}

// Whatever a recipe says, a bound key has the row's value and place; binding
// changes neither the recipe nor, done again, the result.
func TestBoundKeysAreTheRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := []string{
			"model: x", "model: {path: y, other: 1}", "benchmark: {env: {CONC: 9, KEPT: 1}}", "benchmark: {env: [1]}", "environment: {ROUTER_VERSION: 1, KEPT: 1}",
			"identity: {model: {repo: }}", "identity: {container: {image: x}}", "roles: {agg: {args: {a: 1}}}",
		}
		var doc strings.Builder
		seen := map[string]bool{}
		doc.WriteString("kept: 1\n")
		for _, line := range lines {
			name, _, _ := strings.Cut(line, ":")
			if rapid.Bool().Draw(t, line) && !seen[name] {
				seen[name] = true
				doc.WriteString(line + "\n")
			}
		}
		f, q := Parse("r.yaml", []byte(doc.String()))
		if q != nil {
			t.Fatal(q)
		}
		r, _ := f.Variant("")
		before := text(r.root)
		bound, _ := r.Bind(someRow)
		for _, k := range someRow.keys() {
			v := bound.Get(k.path...)
			declared := find(r.root, k.path) != nil
			if k.declared && !declared {
				if v != nil {
					t.Fatalf("%v is bound without a declaration", k.path)
				}
				continue
			}
			if v == nil || v.Text != k.value || bound.place(v) != k.at {
				t.Fatalf("%v: %s at %v", k.path, text(v), bound.place(v))
			}
		}
		again, _ := bound.Bind(someRow)
		if text(r.root) != before || text(again.root) != text(bound.root) || bound.Get("kept") == nil {
			t.Fatalf("before %s, after %s, again %s", before, text(bound.root), text(again.root))
		}
	})
}

func FuzzBind(f *testing.F) {
	for _, doc := range []string{
		"roles: {agg: {args: {a: '@dram.total-gb'}}}", "base: {model: 1}\noverride_a: {model: {precision: FP8}}", "services: [{name: x}, 1]",
		"environment: {A: '@fabric.x', B: 'x @fabric.x'}\nroles: {router: {type: 1}, decode: {engine: trtllm, args: {a: {b: [1]}}}}", "container_mounts: {a: b}\nextra_mount: [a, {b: 1}]",
	} {
		f.Add([]byte(doc), "")
	}
	facts := map[string]string{"dram.total-gb": "7", "fabric.x": "y"}
	f.Fuzz(func(t *testing.T, data []byte, selector string) {
		file, q := Parse("x.yaml", data)
		if q != nil {
			return
		}
		variants, _ := file.Variants(selector)
		for _, v := range variants[:min(len(variants), 8)] {
			bound, _ := v.Recipe.Bind(someRow)
			resolved, used, asked := bound.Resolve(facts)
			if len(asked) > 0 && !used {
				t.Fatal("questions about references without references")
			}
			if again, _, _ := resolved.Resolve(facts); len(asked) == 0 && text(again.root) != text(resolved.root) {
				t.Fatal("a resolved recipe has references")
			}
			e := resolved.Without("A").Effective(binding)
			for _, c := range e.Commands {
				if _, ok := c.Variable("A"); ok {
					t.Fatalf("%s has the variable that was taken out", c.Role)
				}
			}
			resolved.Mounts()
		}
	})
}
