package recipe

import (
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// drawText draws a word of a command line, sometimes with an unknown part.
func drawText(t *rapid.T, label string) Text {
	word := rapid.SampledFrom([]string{"8", "0.90", "fp8", "auto", "true", `{"a":1,"b":[2]}`, "/models/x", "-1"}).Draw(t, label)
	if rapid.IntRange(0, 9).Draw(t, label+" unknown") == 0 {
		return FromParts([]Part{{Text: word}, {Unknown: &Cause{Code: "shell.unknown-output", Detail: "nproc"}}}, diag.Place{File: "a.sh", Line: 1})
	}
	return Literal(word, diag.Place{File: "a.sh", Line: rapid.IntRange(1, 9).Draw(t, label+" line")})
}

func drawCommand(t *rapid.T, label string) Command {
	c := Command{
		Role:    rapid.SampledFrom([]string{RoleAggregate, RolePrefill, RoleDecode, RoleFrontend}).Draw(t, label+" role"),
		Engine:  EngineVLLM,
		Program: []Text{Literal("vllm", diag.Place{}), Literal("serve", diag.Place{})},
		Count:   rapid.IntRange(1, 3).Draw(t, label+" count"),
	}
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"--tensor-parallel-size", "--kv-cache-dtype", "--max-num-seqs", "--port", "--trust-remote-code"}), 0, 5, rapid.ID).Draw(t, label+" flags")
	for i, name := range names {
		f := Flag{Name: FlagName(name), Spelling: name, Text: Literal(name, diag.Place{})}
		if name != "--trust-remote-code" {
			f.Values = []Text{drawText(t, label+" value "+strconv.Itoa(i))}
		}
		f.decode()
		c.Flags = append(c.Flags, f)
	}
	for i, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "VLLM_USE_X", "PORT"}), 0, 4, rapid.ID).Draw(t, label+" env") {
		c.Env = append(c.Env, Var{Name: name, Value: drawText(t, label+" var "+strconv.Itoa(i))})
	}
	return c
}

func drawEffective(t *rapid.T, label string) *Effective {
	e := &Effective{Image: drawText(t, label+" image")}
	for i := range rapid.IntRange(0, 4).Draw(t, label+" commands") {
		e.Commands = append(e.Commands, drawCommand(t, label+" command "+strconv.Itoa(i)))
	}
	return e
}

// shuffled is e with everything reordered whose order has no meaning.
func shuffled(t *rapid.T, e *Effective) *Effective {
	out := *e
	out.Commands = slices.Clone(e.Commands)
	for i := range out.Commands {
		c := &out.Commands[i]
		c.Flags = rapid.Permutation(c.Flags).Draw(t, "flag order")
		c.Env = rapid.Permutation(c.Env).Draw(t, "variable order")
	}
	out.Commands = rapid.Permutation(out.Commands).Draw(t, "command order")
	return &out
}

func TestFingerprintIgnoresOrderWithoutMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEffective(t, "recipe")
		s := shuffled(t, e)
		if e.Fingerprint() != s.Fingerprint() {
			t.Fatalf("reordered recipe has another fingerprint:\n%s", cmp.Diff(e.Facts(), s.Facts()))
		}
	})
}

func TestDiffOfARecipeWithItselfIsEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawEffective(t, "recipe")
		if d := Diff(e, shuffled(t, e)); len(d) > 0 {
			t.Fatalf("changes of nothing: %+v", d)
		}
	})
}

func TestDiffIsSymmetrical(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawEffective(t, "a"), drawEffective(t, "b")
		there, back := Diff(a, b), Diff(b, a)
		for i := range back {
			back[i] = back[i].Inverse()
		}
		if d := cmp.Diff(there, back); d != "" {
			t.Fatalf("the two directions differ:\n%s", d)
		}
	})
}

func TestEqualFingerprintsMeanNoDiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawEffective(t, "a"), drawEffective(t, "b")
		if same := a.Fingerprint() == b.Fingerprint(); same != (len(Diff(a, b)) == 0) {
			t.Fatalf("equal fingerprints: %v, changes: %v", same, Diff(a, b))
		}
	})
}
