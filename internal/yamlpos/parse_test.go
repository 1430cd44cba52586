package yamlpos

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// TestPlainScalars holds the table of spec/matrix.md section 5 (S43).
func TestPlainScalars(t *testing.T) {
	str := func(s string) Value { return Value{Kind: String, Text: s} }
	num := func(n int64) Value { return Value{Kind: Int, Int: n} }
	flt := func(f float64) Value { return Value{Kind: Float, Float: f} }
	yes, no := Value{Kind: Bool, Int: 1}, Value{Kind: Bool}
	tests := map[string]Value{
		"yes": yes, "No": no, "on": yes, "OFF": no, "TRUE": yes, "False": no,
		"y": str("y"), "n": str("n"), "yEs": str("yEs"),
		"010": num(8), "0x400": num(1024), "0b11": num(3), "0o10": str("0o10"), "08": str("08"),
		"1_000": num(1000), "2_063_837": num(2063837), "+1": num(1), "-4": num(-4), "0": num(0), "-0": num(0), "0_": num(0),
		"1:30": num(90), "12:30:45": num(45045), "1:60": str("1:60"), "0:30": str("0:30"), "_1": str("_1"),
		"1e3": str("1e3"), "1.0e3": str("1.0e3"), "1.0e+3": flt(1000), ".5": flt(.5), "1.": flt(1), "1.10": flt(1.1),
		"4.5": flt(4.5), "-.5": str("-.5"), "-1.5": flt(-1.5), "1:30.5": flt(90.5), "1_0.5": flt(10.5),
		".inf": flt(math.Inf(1)), "-.INF": flt(math.Inf(-1)), ".nan": flt(math.NaN()), "-.nan": str("-.nan"), ".InF": str(".InF"),
		"2026-11-01": {Kind: Timestamp}, "2026-11-01 10:00:00": {Kind: Timestamp}, "2026-1-1": str("2026-1-1"),
		"1.0.0": str("1.0.0"), "0.3.13": str("0.3.13"), "-": {Kind: Sequence}, "~": {}, "null": {}, "NULL": {}, "nUll": str("nUll"),
		"v0.5.16": str("v0.5.16"), ".": str("."), "...x": str("...x"), "0x": str("0x"), "--4": str("--4"), "1-2": str("1-2"),
	}
	for text, want := range tests {
		t.Run(text, func(t *testing.T) {
			doc, err := Parse("f", []byte("k: "+text+"\n"), Options{})
			if text == "-" {
				if err == nil {
					t.Fatal("a lone dash was accepted as a value")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := doc.Get("k")
			if got.Kind != want.Kind || got.Int != want.Int || fmt.Sprint(got.Float) != fmt.Sprint(want.Float) {
				t.Errorf("%s: got %v %d %v, want %v %d %v", text, got.Kind, got.Int, got.Float, want.Kind, want.Int, want.Float)
			}
			if got.Text != text {
				t.Errorf("text is %q, want %q", got.Text, text)
			}
		})
	}
}

func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 9; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [", i, i)
		for j := range 9 {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "*a%d", i-1)
		}
		b.WriteString("]\n")
	}
	return b.String()
}

// TestRefused lists what must be refused, with its code and place.
func TestRefused(t *testing.T) {
	tests := []struct {
		name, in, code string
		line, column   int
		opt            Options
	}{
		{"S41 alias bomb", bomb(), "yaml.alias-bomb", 7, 0, Options{}},
		{"S42 duplicate key", "a: 1\nb: 2\na: 3\n", "yaml.duplicate-key", 3, 1, Options{}},
		{"S42 nested duplicate key", "x:\n  - a: 1\n    a: 1\n", "yaml.duplicate-key", 3, 5, Options{}},
		{"duplicate of another spelling", "0x1: 1\n1: 2\n", "yaml.duplicate-key", 2, 1, Options{}},
		{"S43 equals sign", "a: =\n", "yaml.no-value", 1, 4, Options{}},
		{"merge sign as a value", "a: <<\n", "yaml.no-value", 1, 4, Options{}},
		{"beyond 64 bits", "a: 9223372036854775808\n", "yaml.no-value", 1, 4, Options{}},
		{"second document", "a: 1\n---\nb: 2\n", "yaml.second-document", 2, 1, Options{}},
		{"undefined alias", "a: *b\n", "yaml.syntax", 0, 0, Options{}},
		{"recursive alias", "a: &a [*a]\n", "yaml.recursive-alias", 1, 8, Options{}},
		{"duplicate anchor", "a: &x 1\nb: &x 2\n", "yaml.duplicate-anchor", 2, 4, Options{}},
		{"unknown tag", "a: !!python/object x\n", "yaml.tag", 1, 4, Options{}},
		{"tag that does not fit", "a: !!int x\n", "yaml.tag-mismatch", 1, 4, Options{}},
		{"list as a key", "? [a]\n: 1\n", "yaml.key-kind", 1, 3, Options{}},
		{"merge where refused", "a: &a {b: 1}\nc:\n  <<: *a\n", "yaml.merge-refused", 3, 3, Options{NoMerge: true}},
		{"merge of a scalar", "c:\n  <<: 3\n", "yaml.merge-source", 2, 7, Options{}},
		{"tab before a comment", "a: 1\t# x\n", "yaml.tab", 1, 5, Options{}},
		{"tab after a colon", "a:\t1\n", "yaml.tab", 1, 3, Options{}},
		{"tab in a plain scalar", "a: b\tc\n", "yaml.tab", 1, 5, Options{}},
		{"tab on a blank line", "a: 1\n\t\nb: 2\n", "yaml.tab", 2, 1, Options{}},
		{"tab at the end", "a: 1\t\n", "yaml.tab", 1, 5, Options{}},
		{"comment at a block indicator", "a: |#x\n", "yaml.dialect", 1, 5, Options{}},
		{"unknown escape", "a: \"it\\'s\"\n", "yaml.dialect", 1, 8, Options{}},
		{"control character in quotes", "a: \"\x01\"\n", "yaml.control-character", 1, 5, Options{}},
		{"NUL", "a: \x00\n", "yaml.control-character", 1, 4, Options{}},
		{"DEL", "a: é\x7f\n", "yaml.control-character", 1, 5, Options{}},
		{"not UTF-8", "a: \xff\n", "yaml.not-utf8", 1, 4, Options{}},
		{"too deep", strings.Repeat("[", 200) + strings.Repeat("]", 200), "yaml.depth", 1, 0, Options{}},
		{"line shifted", "a: 1\na: 2\n", "yaml.duplicate-key", 11, 1, Options{FirstLine: 10}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("f.yaml", []byte(tt.in), tt.opt)
			var f diag.Finding
			if !errors.As(err, &f) {
				t.Fatalf("accepted (%v)", err)
			}
			if f.Code != tt.code {
				t.Errorf("code %s, want %s: %v", f.Code, tt.code, f)
			}
			if tt.line != 0 && f.Line != tt.line || tt.column != 0 && f.Column != tt.column {
				t.Errorf("at %v, want %d:%d", f.Place, tt.line, tt.column)
			}
		})
	}
}

// TestTabsAllowed lists the places where a TAB is content or a comment.
func TestTabsAllowed(t *testing.T) {
	for _, in := range []string{
		"a: \"x\ty\"\n", "a: 'x\ty'\n", "a: 'it''s\ty'\n", "a: 1 # x\ty\n", "# \tx\na: 1\n", "a: |\n  x\ty\n  \tz\nb: 1\n",
		"a: >-\n  x\ty\n", "- a: |\n    x\ty\n- 'x\ty'\n", "a: [\"x\ty\", b]\n", "a: \"x\n  y\tz\"\n", "a: !!str \"x\ty\"\n", "a: \"q\\\"\ty\"\n",
	} {
		if _, err := Parse("f", []byte(in), Options{}); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
}

func TestMergeKeys(t *testing.T) {
	doc, err := Parse("f", []byte("x: &x {a: 1, b: 2}\ny: &y {b: 3, c: 4}\nz:\n  c: 5\n  <<: [*x, *y]\n  d: 6\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range doc.Get("z").Fields {
		got = append(got, f.Key.Text+"="+f.Value.Text)
	}
	// Own values win wherever "<<" stands; of merged ones the earlier wins.
	if want := "b=2 c=5 a=1 d=6"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestLastKeyWins(t *testing.T) {
	doc, err := Parse("f", []byte("a: 1\nb: 2\na: 3\n"), Options{LastKeyWins: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(doc.Fields) != 2 || doc.Fields[0].Key.Text != "a" || doc.Fields[0].Value.Int != 3 {
		t.Errorf("got %+v", doc.Fields)
	}
}

func TestManyKeysStayLinear(t *testing.T) {
	var b strings.Builder
	for i := range 50000 {
		fmt.Fprintf(&b, "k%d: %d\n", i, i)
	}
	doc, err := Parse("f", []byte(b.String()), Options{})
	if err != nil || len(doc.Fields) != 50000 {
		t.Fatalf("%v, %d fields", err, len(doc.Fields))
	}
	b.WriteString("k7: x\n")
	if _, err := Parse("f", []byte(b.String()), Options{}); err == nil {
		t.Error("a repeated key among many was accepted")
	}
}

func TestEqual(t *testing.T) {
	parse := func(s string) *Value {
		v, err := Parse("f", []byte(s), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	equal := [][2]string{{"{a: 1, b: [x]}", "{b: [x], a: 1}"}, {"1", "1.0"}, {"true", "1"}, {"~", ""}, {"'a'", "a"}}
	differ := [][2]string{{"{a: 1}", "{a: 1, b: 2}"}, {"[1, 2]", "[2, 1]"}, {"'1'", "1"}, {"{a: 1}", "{b: 1}"}, {"~", "''"}}
	for _, p := range equal {
		if !parse(p[0]).Equal(parse(p[1])) {
			t.Errorf("%s and %s differ", p[0], p[1])
		}
	}
	for _, p := range differ {
		if parse(p[0]).Equal(parse(p[1])) {
			t.Errorf("%s and %s are equal", p[0], p[1])
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"a: 1\n", "- x\n- {a: [1, 2]}\n", bomb(), "a: |\n  x\n", "<<: {a: 1}\n", "? a\n: b\n", "a: &x !!str 1\nb: *x\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse("f", data, Options{})
		if (v == nil) == (err == nil) {
			t.Fatalf("value %v, error %v", v, err)
		}
		if err == nil && !v.Equal(v) && !strings.Contains(strings.ToLower(string(data)), ".nan") {
			t.Fatal("a value differs from itself")
		}
	})
}

// FuzzMapFields holds the parallel reading against the plain one.
func FuzzMapFields(f *testing.F) {
	f.Add([]byte("k:\n  a: {b: 1}\nl: 2\nk: 1\n"))
	f.Add([]byte("x: &a 1\ny: *a\nz: &a 2\n"))
	f.Add([]byte("a: \"x\nb: y\"\n"))
	f.Add([]byte("a:\n- 1\nb: [\nc: 2]\n"))
	f.Add([]byte("a: 1\rb: 2\nc: 3\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, opt := range []Options{{}, {LastKeyWins: true}} {
			got, err := mapFields("f", data, opt, func(f Field) Field { return f }, 1)
			root, want := Parse("f", data, opt)
			if want == nil && root.Kind != Mapping {
				if err == nil {
					t.Fatalf("root %v accepted", root.Kind)
				}
				continue
			}
			if fmt.Sprint(err) != fmt.Sprint(want) {
				t.Fatalf("error %v, want %v", err, want)
			}
			if err == nil && !reflect.DeepEqual(got, root.Fields) && !strings.Contains(strings.ToLower(string(data)), ".nan") {
				t.Fatalf("fields differ for %q", data)
			}
		}
	})
}

func BenchmarkMapFields(b *testing.B) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "config-%d:\n  image: example/engine:v1\n  scenarios:\n    fixed-seq-len:\n", i)
		for j := range 10 {
			fmt.Fprintf(&text, "    - isl: 1024\n      osl: 1024\n      search-space:\n      - { tp: %d, conc-start: 4, conc-end: 64 }\n", j)
		}
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := MapFields("f", []byte(text.String()), Options{}, func(f Field) int { return f.Key.Line }); err != nil {
			b.Fatal(err)
		}
	}
}
