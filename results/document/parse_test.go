package document

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":1,"a":[true,false,null,-0.5e+3,"x"]}`: `{"b":1,"a":[true,false,null,-0.5e+3,"x"]}`,
		" [ ] ":                                "[]",
		"{\n}":                                 "{}",
		`"\u00e9\ud83d\ude00\n\/\b\f\r\t\\\""`: `"é😀\n/\b\f\r\t\\\""`,
		"12":                                   "12",
		`{"a":{"a":1}}`:                        `{"a":{"a":1}}`,
	} {
		v, err := Parse([]byte(text), Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := v.String(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestParseRefuses has the hostile documents of S15 and S55.
func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	for name, c := range map[string]struct {
		text  string
		fault Fault
	}{
		"empty":             {"", FaultSyntax},
		"blank":             {" \n", FaultSyntax},
		"cut off":           {`{"a":`, FaultSyntax},
		"cut off text":      {`"abc`, FaultSyntax},
		"cut off escape":    {`"\u12`, FaultSyntax},
		"two documents":     {`{} {}`, FaultSyntax},
		"trailing comma":    {`[1,]`, FaultSyntax},
		"missing colon":     {`{"a" 1}`, FaultSyntax},
		"bare name":         {`{a:1}`, FaultSyntax},
		"single quotes":     {`{'a':1}`, FaultSyntax},
		"leading zero":      {`[012]`, FaultSyntax},
		"plus":              {`[+1]`, FaultSyntax},
		"no fraction":       {`[1.]`, FaultSyntax},
		"no exponent":       {`[1e]`, FaultSyntax},
		"hexadecimal":       {`[0x10]`, FaultSyntax},
		"control character": {"[\"a\x01\"]", FaultSyntax},
		"byte order mark":   {"\ufeff{}", FaultSyntax},
		"web page":          {"<html>", FaultSyntax},
		"zip":               {"PK\x03\x04", FaultSyntax},
		"NaN":               {`{"a":NaN}`, FaultFinite},
		"Infinity":          {`[Infinity]`, FaultFinite},
		"minus Infinity":    {`[-Infinity]`, FaultFinite},
		"1e400":             {`[1e400]`, FaultRange},
		"huge integer":      {"[" + strings.Repeat("9", 500) + "]", FaultRange},
		"repeated name":     {`{"conc":1,"conc":2}`, FaultDuplicate},
		"repeated deep":     {`[{"a":{"b":1,"b":1}}]`, FaultDuplicate},
		"half a character":  {`"\ud800"`, FaultEncoding},
		"wrong half":        {`"\ud800\u0041"`, FaultEncoding},
		"not UTF-8":         {"\"\xff\"", FaultEncoding},
		"not UTF-8 escaped": {"\"\\n\xff\"", FaultEncoding},
		"too deep":          {deep, FaultLarge},
	} {
		_, err := Parse([]byte(c.text), Options{})
		var got *Error
		if !errors.As(err, &got) || got.Fault != c.fault {
			t.Errorf("%s: got %v, want %s", name, err, c.fault)
		}
	}
	if _, err := Parse([]byte("[1,2,3]"), Options{Values: 3}); err == nil {
		t.Error("more values than allowed were accepted")
	}
}

func TestParseManyNames(t *testing.T) {
	var text strings.Builder
	text.WriteString("{")
	for i := range 1000 {
		text.WriteString(`"n` + ordjson.Int(int64(i)).Text + `":0,`)
	}
	if _, err := Parse([]byte(text.String()+`"n7":1}`), Options{}); err == nil {
		t.Error("a repeated name of a large object was accepted")
	}
	v, err := Parse([]byte(text.String()+`"n7":1}`), Options{LastWins: true})
	if err != nil || len(v.Members) != 1000 || v.Members[7].Value.Text != "1" {
		t.Errorf("last wins: %v, %d members", err, len(v.Members))
	}
}

func TestNonFinite(t *testing.T) {
	v, err := Parse([]byte(`[NaN,Infinity,-Infinity,1e400,-1e400]`), Options{NonFinite: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)} {
		got, ok := Number(v.Items[i])
		if !ok || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%d: got %v, want %v", i, got, want)
		}
		if _, ok := Finite(v.Items[i]); ok {
			t.Errorf("%d counts as finite", i)
		}
	}
}

func TestTypes(t *testing.T) {
	var zero ordjson.Value
	for name, is := range map[string]bool{
		"zero number": IsNumber(zero), "zero null": IsNull(zero), "text": IsNumber(ordjson.Str("1")), "true": IsNumber(ordjson.Bool(true)),
	} {
		if is {
			t.Errorf("%s is taken for something", name)
		}
	}
	if _, ok := Int(ordjson.Value{Text: "1.0"}); ok {
		t.Error("1.0 is an integer")
	}
	if _, ok := Int(ordjson.Value{Text: "9223372036854775808"}); ok {
		t.Error("2^63 is an integer")
	}
	if b, ok := Bool(ordjson.Bool(true)); !b || !ok {
		t.Error("true is not true")
	}
	if _, ok := Bool(ordjson.Str("true")); ok {
		t.Error("a text is a boolean")
	}
}

// TestFloat has spellings that the reference's encoder gives.
func TestFloat(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0.0", 1: "1.0", -2.5: "-2.5", 0.1: "0.1", 100: "100.0", 123456789.125: "123456789.125",
		1e15: "1000000000000000.0", 1e16: "1e+16", 1.5e16: "1.5e+16", 1e22: "1e+22", 1e-4: "0.0001", 1e-5: "1e-05", 1.25e-7: "1.25e-07",
		83.33333333333333: "83.33333333333333", math.Inf(1): "Infinity", 5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308",
	} {
		if got := Float(f).Text; got != want {
			t.Errorf("%v: got %s, want %s", f, got, want)
		}
	}
	if got := Float(math.Copysign(0, -1)).Text; got != "-0.0" {
		t.Errorf("negative zero: %s", got)
	}
}

func TestWrite(t *testing.T) {
	v, err := Parse([]byte(`{"a":[1,-0,1e3,0.10,1E-7,{}],"ü":"é\u007f<","e":[],"n":{"x":null}}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	indented := "{\n  \"a\": [\n    1,\n    0,\n    1000.0,\n    0.1,\n    1e-07,\n    {}\n  ],\n  \"\\u00fc\": \"\\u00e9\\u007f<\",\n  \"e\": [],\n  \"n\": {\n    \"x\": null\n  }\n}"
	if diff := cmp.Diff(indented, string(AppendIndented(nil, v, 0))); diff != "" {
		t.Error(diff)
	}
	readable, err := Parse([]byte(`{"k":["é",true],"e":[],"o":{}}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"k\": [\n    \"é\",\n    true\n  ],\n  \"e\": [],\n  \"o\": {}\n}\n"
	if diff := cmp.Diff(want, string(AppendReadable(nil, readable))); diff != "" {
		t.Error(diff)
	}
}

func TestStream(t *testing.T) {
	for text, want := range map[string][]string{
		"[]":                       nil,
		" [ 1 , \"a,]\" ,[2],{}] ": {"1", `"a,]"`, "[2]", "{}"},
		`[{"a":"\"}"},null]`:       {`{"a":"\"}"}`, "null"},
		`{"a":[1]}`:                {`{"a":[1]}`},
		"12":                       {"12"},
	} {
		var got []string
		_, err := Stream(strings.NewReader(text), 100, func(e []byte) error { got = append(got, string(e)); return nil })
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}

func TestStreamRefuses(t *testing.T) {
	for _, text := range []string{"", "[", "[1", "[1,", "[1,]", "[1 2]", "[,1]", "[1]x", "{", "[{]", `["a`, `["a\`, "[" + strings.Repeat("1", 200) + "]"} {
		_, err := Stream(strings.NewReader(text), 100, func(e []byte) error {
			_, err := Parse(e, Options{})
			return err
		})
		var broken *Error
		if !errors.As(err, &broken) {
			t.Errorf("%q: %v", text, err)
		}
	}
	calls := 0
	if _, err := Stream(strings.NewReader("[1,2,3"), 100, func([]byte) error { calls++; return ErrStop }); err != nil || calls != 1 {
		t.Errorf("stopping: %v after %d calls", err, calls)
	}
}

// FuzzParse holds that what is accepted is JSON with the same meaning, and that
// both ways of reading agree.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"\u00e9"],"b":null}`, `[[],{},""]`, `"\ud83d\ude00"`, "[-0.0,1e-9]", `[NaN]`, `{"a":1,"a":2}`, `[1,"]",{"a":"\\"}]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data, Options{})
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q is no JSON", data)
		}
		again, err := Parse(v.Append(nil, ordjson.Compact), Options{})
		if err != nil || !cmp.Equal(v, again) {
			t.Fatalf("%q does not survive writing: %v", data, err)
		}
		var items []ordjson.Value
		isArray, err := Stream(strings.NewReader(string(data)), 1<<20, func(e []byte) error {
			item, err := Parse(e, Options{})
			items = append(items, item)
			return err
		})
		if err != nil || isArray != (v.Kind == ordjson.Array) {
			t.Fatalf("%q: streaming: %v, array %v", data, err, isArray)
		}
		if isArray && !cmp.Equal(v.Items, items) {
			t.Fatalf("%q: streaming gives other elements", data)
		}
	})
}

func BenchmarkParseRow(b *testing.B) {
	row := []byte(`{"hw":"b200-dgxc","conc":16,"image":"vllm/vllm-openai:v0.19.1","isl":8192,"osl":1024,"tput_per_gpu":2469.0,"median_ttft":0.28725,"nested":{"a":[1,2,3]}}`)
	b.SetBytes(int64(len(row)))
	for b.Loop() {
		if _, err := Parse(row, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
