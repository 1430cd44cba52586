package yamlpos

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// agree fails the test when the fast reader takes a text that the full parser
// refuses or reads in another way. It returns whether the fast reader took it.
func agree(t *testing.T, data []byte, opt Options) bool {
	t.Helper()
	got, ok := readFast(data, opt)
	if !ok {
		return false
	}
	want, _, err := parseFull("f", data, opt)
	if err != nil {
		t.Fatalf("fast reader took what is refused (%v):\n%q", err, data)
	}
	clearNaN(got)
	clearNaN(want)
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("values differ for %q:\nfull %s\nfast %s", data, dump(want), dump(got))
	}
	return true
}

// clearNaN makes a tree equal to itself; Kind and Text still tell a NaN.
func clearNaN(v *Value) {
	if math.IsNaN(v.Float) {
		v.Float = 0
	}
	for _, item := range v.Items {
		clearNaN(item)
	}
	for _, f := range v.Fields {
		clearNaN(f.Key)
		clearNaN(f.Value)
	}
}

func dump(v *Value) string {
	s := fmt.Sprintf("%d:%d %v %q %d %v", v.Line, v.Column, v.Kind, v.Text, v.Int, v.Float)
	for _, item := range v.Items {
		s += " [" + dump(item) + "]"
	}
	for _, f := range v.Fields {
		s += " {" + dump(f.Key) + ": " + dump(f.Value) + "}"
	}
	return s
}

// fastTexts are inside the subset.
var fastTexts = []string{
	"a: 1\n", "a: 1", "  a: 1\n  b: 2\n", "# x\n\na: b # c\n\n  # d\nb: c\n", "a:\nb:   \nc: # x\n", "a : b\n", "a:  b  \n",
	"a:\n- 1\n- 2\nb:\n  - 3\n  - 4\n", "- a: 1\n  b: 2\n-   c: 3\n    d:\n    - e\n- - f\n  - g\n-\n- # x\n- h\n", "-\n  a: 1\n-\n  - b\n",
	"a:\n  b:\n    c: d\n  e: f\ng: h\n", "a:\n  text\nb:\n  'x'\nc:\n  [1, 2]\n", "- a:\n  - b: c\n    d:\n      - e\n- f\n",
	"'a b': 'it''s'\n\"c\": \"d\"\n", "a: \"x\\\"y\\\\z\\n\"\n", "a: ''\nb: \"\"\nc: ' x '\n", "'<<': 1\n",
	"a: [1, b, 'c', \"d\", [e], {f: g}]\n", "a: []\nb: {}\nc: [ ]\nd: { }\n", "a: [1, 2,]\nb: {c: d, }\n", "[a, {b: c}]\n", "{a: [b]}\n",
	"a: http://b/c:d#e\n", "a: b,c [d] {e} ?f\n", "a: -b --c -1 - d\n", "a: --x\nb: [-c, -]\n", "a: x#y\n", "a: b:c\n", "a: [b:c, d :e, f#g]\n",
	"a: yes\nb: ~\nc: 010\nd: 1:30\ne: 2026-01-02\nf: 1.5\ng: .nan\nh: 0x1F\n", "yes: 1\n2: 3\n~: 4\n1.5: 5\n",
	"é: ü\nü: {ß: [ø, 'å', å], x: y} # …\n", "x\n", "'x'\n", "\"a: b\" # c\n",
	"a: " + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "\n", strings.Repeat("k", 1000) + ": 1\n",
	"- 'a\\'\n- a\\b\n",
}

// slowTexts are left to the full parser, for whatever it makes of them.
var slowTexts = []string{
	"", "\n", "# x\n", "a: &x 1\nb: *x\n", "a: !!str 1\n", "a: !x\n", "<<: {a: 1}\n", "a: |\n  x\n", "a: >-\n  x\n", "a: b\n  c\n", "a: 'b\n  c'\n",
	"a: \"b\n  c\"\n", "a: [b,\n  c]\n", "---\na: 1\n", "a: 1\n...\n", "a: 1\n---\nb: 2\n", "--- a\n", "%YAML 1.1\n---\na: 1\n", "? a\n: b\n", "?x: 1\n", ":x: 1\n",
	"a:\tb\n", "a: b\r\n", "a: b\u0085", "a: b\u2028c\n", "a: b\u2029c\n", "\ufeffa: 1\n", "a: \x01\n", "a: \x7f\n", "a: \xff\n", "a: \uffff\n", "a: \u0080\n",
	"a: 1\na: 2\n", "1: a\n0x1: b\n", "{a: 1, a: 2}\n", "a: =\n", "=: a\n", "a: <<\n", "a: @b\n", "a: `b\n", "a: %b\n", "a: b: c\n", "a: - b\n", "a: 'b' c\n",
	"a: \"b\" \"c\"\n", "a: 'b'#c\n", "a: [b]#c\n", "'a'b: c\n", "'a':b\n", "a: 'b\n", "a: \"b\n", "a: \"\\x41\"\n", "a: \"\\'\"\n", "a: \"\\\n", "a: [b\n", "a: [b}\n",
	"a: {b}\n", "a: {b: }\n", "a: [b: c]\n", "a: [,]\n", "a: [b,,c]\n", "a: {b: c d: e}\n", "a: [b?c]\n", "a: [?b]\n", "a: {'b':c}\n", "a: {[b]: c}\n", "[a]: b\n",
	"a: [b, # x\n", "a:\n    b: 1\n  c: 2\n", "a: 1\n b: 2\n", "- a\n - b\n", "- a\nb: c\n", "a: b\n- c\n", "a\nb: c\n", "a: 1\nb\n", "- - a\n  b: c\n",
	"a: 1\n-\n", "-\nfoo: 1\n", strings.Repeat("k", 1025) + ": 1\n", "{" + strings.Repeat("k", 1025) + ": 1}\n",
	"a: " + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "\n", "a: 9223372036854775808\n", "a: x,|#y\n",
}

func TestFastSubset(t *testing.T) {
	for _, text := range fastTexts {
		if !agree(t, []byte(text), Options{}) {
			t.Errorf("%q was left to the full parser", text)
		}
	}
	for _, text := range slowTexts {
		if agree(t, []byte(text), Options{}) {
			t.Errorf("%q was taken by the fast reader", text)
		}
	}
}

// TestFastPositions holds positions against counted ones, not only against
// those of the full parser.
func TestFastPositions(t *testing.T) {
	text := "# x\nkéy: [ä, {b: c}] # y\nlist:\n- é: ø\n  n:\n-\n"
	v, ok := readFast([]byte(text), Options{FirstLine: 100})
	if !ok {
		t.Fatal("not taken")
	}
	list := v.Get("list")
	flow := v.Get("kéy")
	for _, p := range []struct {
		name         string
		got          *Value
		line, column int
	}{
		{"root", v, 101, 1}, {"flow list", flow, 101, 6}, {"item", flow.Items[0], 101, 7}, {"flow mapping", flow.Items[1], 101, 10},
		{"flow key", flow.Items[1].Fields[0].Key, 101, 11}, {"flow value", flow.Items[1].Get("b"), 101, 14},
		{"key", v.Fields[1].Key, 102, 1}, {"list", list, 103, 1}, {"mapping in a list", list.Items[0], 103, 3},
		{"value", list.Items[0].Get("é"), 103, 6}, {"null field", list.Items[0].Get("n"), 104, 5}, {"null item", list.Items[1], 105, 2},
	} {
		if p.got.Pos != (Pos{p.line, p.column}) {
			t.Errorf("%s is at %v, want %d:%d", p.name, p.got.Pos, p.line, p.column)
		}
	}
	agree(t, []byte(text), Options{FirstLine: 100})
}

// TestPlainCharacters tries every ASCII character at every place of a word.
func TestPlainCharacters(t *testing.T) {
	for c := range byte(utf8.RuneSelf) {
		want := c == '\n' || c >= ' ' && c < 0x7f
		for at := range 17 {
			for _, filler := range []string{"a", "\n", "é"} {
				text := []byte(strings.Repeat(filler, 17))
				text = slices.Insert(text, at*len(filler), c)
				wide, ok := plainCharacters(text)
				if ok != want || ok && wide != (filler == "é") {
					t.Fatalf("U+%04X at %d among %q: %v, %v", c, at, filler, wide, ok)
				}
			}
		}
	}
}

// TestFastManyKeys passes the size at which repeated keys are looked up in an
// index.
func TestFastManyKeys(t *testing.T) {
	var text strings.Builder
	for i := range 4 * fewKeys {
		fmt.Fprintf(&text, "k%d: %d\n", i, i)
		if !agree(t, []byte(text.String()), Options{}) {
			t.Fatalf("%d keys were not taken", i+1)
		}
		for _, again := range []int{0, i / 2, i} {
			if agree(t, fmt.Appendf(nil, "%sk%d: x\n", text.String(), again), Options{LastKeyWins: true}) {
				t.Fatalf("repeated key %d of %d was taken", again, i+1)
			}
		}
	}
}

// syntheticConfig writes a config as people write them: n entries.
func syntheticConfig(rng *rand.Rand, n int) []byte {
	var b strings.Builder
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	for i := range n {
		fmt.Fprintf(&b, "engine-%d-fp%s:\n  image: %sengine:v0.%d.post1%s\n", i, pick("4", "8"), pick("example.com/", "a#b/", ""), rng.IntN(30), pick("", "", " # pinned"))
		fmt.Fprintf(&b, "  model: %s\n  router: { name: router, version: \"%d.1\" }\n  multinode: %s\n", pick("org/Model-7B", "größer/模型", "\"quoted\"", "7"), i, pick("true", "false", "yes", ""))
		b.WriteString(pick("", "\n", "  # a remark: with, [all] {kinds} of 'signs'\n", "# at the margin\n"))
		dash := pick("", "  ")
		fmt.Fprintf(&b, "  scenarios:\n    fixed-seq-len:\n")
		for range 1 + rng.IntN(3) {
			fmt.Fprintf(&b, "    %s- isl: %d\n    %s  osl: 1_024\n    %s  search-space:\n", dash, 1024<<rng.IntN(4), dash, dash)
			for range 1 + rng.IntN(4) {
				fmt.Fprintf(&b, "    %s  - { tp: %d, ep: %s, conc-start: 4, conc-end: 64, spec: %q }\n", dash, 1<<rng.IntN(4), pick("1", "~", "8"), pick("mtp", "none"))
			}
			fmt.Fprintf(&b, "    %s  - conc-list: [%d, 2, 4]\n    %s    prefill:\n    %s      num-worker: 1\n", dash, rng.IntN(99), dash, dash)
			fmt.Fprintf(&b, "    %s      additional-settings:\n    %s      # https://example.com/recipes/blob/branch-2026/engine/gpu-fp4/8k1k/mtp/ctx1_gen%d_batch8.yaml\n", dash, dash, i)
			fmt.Fprintf(&b, "    %s      - \"CONFIG_FILE=recipes/engine/gpu-fp4/8k1k/mtp/ctx1_gen%d_batch8.yaml\"\n    %s      - %s\n", dash, i, dash, pick("'it''s: here'", "A=b"))
			fmt.Fprintf(&b, "    %s    decode:\n    %s      dp-attn: false\n", dash, dash)
		}
	}
	return []byte(b.String())
}

// syntheticChangelog writes a changelog as people write them: n entries.
func syntheticChangelog(rng *rand.Rand, n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "- config-keys:\n    - engine-%d-fp4\n    - engine-*\n  description:\n    - \"Raise 'x' from %d to %d – see notes\"\n", i, i, i+1)
		if rng.IntN(2) == 0 {
			b.WriteString("    - 'Add ''{\"custom_ops\": [\"-norm\"]}'' as a setting'\n    - Plain words; (with) signs: none\n")
		}
		fmt.Fprintf(&b, "  pr-link: https://example.com/pull/%d\n\n", i)
	}
	return []byte(strings.ReplaceAll(b.String(), "signs: none", "signs"))
}

func TestFastSynthetic(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		for _, text := range [][]byte{syntheticConfig(rng, 1+rng.IntN(8)), syntheticChangelog(rng, 1+rng.IntN(8))} {
			if !agree(t, text, Options{FirstLine: int(seed)}) {
				t.Fatalf("seed %d was left to the full parser:\n%s", seed, text)
			}
		}
	}
}

// mutate makes a few small edits, mostly with characters that mean something.
func mutate(rng *rand.Rand, text []byte) []byte {
	const signs = "  \n\n:-#,[]{}'\"\\?&*!|>%@`=<~.0aé"
	sign := func() string {
		all := []rune(signs)
		return string(all[rng.IntN(len(all))])
	}
	phrases := []string{": ", "- ", " #", "\n  ", "\n- ", "''", "---", "...", "\n# c\n", "\n\n", "<<: ", ": [", "}, {", "\"", "\n    # c\n  ", " : ", "-\n"}
	out := string(text)
	for range 1 + rng.IntN(3) {
		at := rng.IntN(len(out) + 1)
		to := min(len(out), at+rng.IntN(4))
		line := strings.LastIndexByte(out[:at], '\n') + 1
		switch rng.IntN(7) {
		case 0:
			out = out[:at] + out[to:]
		case 1:
			out = out[:at] + sign() + out[at:]
		case 2:
			out = out[:at] + sign() + out[to:]
		case 3:
			out = out[:at] + phrases[rng.IntN(len(phrases))] + out[at:]
		case 4: // indent a line
			out = out[:line] + strings.Repeat(" ", 1+rng.IntN(3)) + out[line:]
		case 5: // outdent a line
			out = out[:line] + strings.TrimPrefix(out[line:], strings.Repeat(" ", 1+rng.IntN(4)))
		case 6: // repeat or drop a piece
			from := rng.IntN(len(out) + 1)
			end := min(len(out), from+rng.IntN(40))
			out = out[:at] + out[from:end] + out[at:]
		}
	}
	return []byte(out)
}

// TestFastMutations holds the two readers together on small mistakes.
func TestFastMutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	taken := 0
	const rounds = 6000
	for i := range rounds {
		var text []byte
		switch i % 4 {
		case 0:
			text = syntheticConfig(rng, 1)
		case 1:
			text = syntheticChangelog(rng, 2)
		default:
			text = []byte(fastTexts[rng.IntN(len(fastTexts))])
		}
		if agree(t, mutate(rng, text), Options{LastKeyWins: i%2 == 0}) {
			taken++
		}
	}
	if taken < rounds/4 {
		t.Errorf("only %d of %d were taken: the comparison means little", taken, rounds)
	}
}

// FuzzFast: whatever the fast reader takes, the full parser reads alike.
func FuzzFast(f *testing.F) {
	for _, text := range append(fastTexts, slowTexts...) {
		f.Add([]byte(text))
	}
	rng := rand.New(rand.NewPCG(3, 5))
	f.Add(syntheticConfig(rng, 1))
	f.Add(syntheticChangelog(rng, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		agree(t, data, Options{FirstLine: len(data) % 3})
	})
}

func benchmarkText() []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	text := syntheticConfig(rng, 300)
	return text[:strings.LastIndex(string(text[:300_000]), "\nengine-")+1]
}

func BenchmarkFast(b *testing.B) {
	text := benchmarkText()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := readFast(text, Options{}); !ok {
			b.Fatal("not taken")
		}
	}
}

// BenchmarkFull is what BenchmarkFast is compared with.
func BenchmarkFull(b *testing.B) {
	text := benchmarkText()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := parseFull("f", text, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
