package localrun

import (
	"math"
	"strings"
	"testing"
)

func TestS55DocumentsOfLaunchers(t *testing.T) {
	tests := []struct{ name, text, wrong string }{
		{"plain", `{"a":1}`, ""},
		{"literals", `{"a":NaN,"b":-Infinity,"c":[Infinity]}`, ""},
		{"literals in a text", `{"a":"NaN \" Infinity"}`, ""},
		{"repeated member", `{"a":1,"a":2}`, `the name "a" stands twice`},
		{"repeated member below", `{"a":[{"b":1,"b":2}]}`, `the name "b" stands twice`},
		{"same member in two objects", `[{"a":1},{"a":2}]`, ""},
		{"a text value equal to a name", `{"a":"a","b":"a"}`, ""},
		{"a text like a literal", `{"a":"NaN"}`, ""},
		{"cut off", `{"a":`, "the document ends here"},
		{"nothing", ``, "the document ends here"},
		{"two documents", `{} {}`, "more than one"},
		{"deep", strings.Repeat("[", 65) + strings.Repeat("]", 65), "deeper"},
	}
	for _, tt := range tests {
		_, err := parseDocument([]byte(tt.text))
		switch {
		case tt.wrong == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)):
			t.Errorf("%s: %v, want %q", tt.name, err, tt.wrong)
		}
	}
}

func TestNumbers(t *testing.T) {
	v, err := parseDocument([]byte(`{"one":1,"big":1e400,"nan":NaN,"down":-Infinity,"text":"1","yes":true,"null":null}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		value float64
		ok    bool
	}{
		"one": {1, true}, "big": {math.Inf(1), true}, "nan": {math.NaN(), true}, "down": {math.Inf(-1), true},
		"text": {0, false}, "yes": {0, false}, "null": {0, false}, "absent": {0, false},
	} {
		got, ok := number(block(v, name))
		if ok != want.ok || got != want.value && !(math.IsNaN(got) && math.IsNaN(want.value)) {
			t.Errorf("%s: %v %v, want %v", name, got, ok, want)
		}
	}
	if got := shown(block(v, "down")); got != "-Infinity" {
		t.Errorf("shown: %q", got)
	}
}

func FuzzParseDocument(f *testing.F) {
	for _, seed := range []string{`{"a":NaN}`, `{"a":"\\NaN\""}`, `[Infinity,-Infinity]`, `{"a":{"a":1}}`, `"`, `{"a":1e999}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := parseDocument(data)
		if err != nil {
			return
		}
		// Whatever is accepted means the same when it is written and read again.
		again, err := parseDocument([]byte(v.String()))
		if err == nil && again.String() != v.String() {
			t.Errorf("%q became %q", v.String(), again.String())
		}
		checkRow(v, "row.json")
		measured(v)
	})
}
