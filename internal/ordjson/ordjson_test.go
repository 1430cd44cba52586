package ordjson

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"
)

// TestCanonical holds the escape checks of spec/matrix.md section 12.
func TestCanonical(t *testing.T) {
	tests := []struct {
		in   Value
		want string
	}{
		{Map(Member{"image", Str("é")}), `{"image":"\u00e9"}`},
		{Map(Member{"b", Int(1)}, Member{"a", List(Bool(true), Null(), Str("x<>&/\x7f\x01\n\"\\"))}), `{"a":[true,null,"x<>&/\u007f\u0001\n\"\\"],"b":1}`},
		{Str("\U0001F600"), `"\ud83d\ude00"`},
		{List(), `[]`},
		{Map(), `{}`},
	}
	for _, tt := range tests {
		if got := string(tt.in.Append(nil, Canonical)); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	sum := sha256.Sum256(Map(Member{"model", Str("m")}, Member{"image", Str("img")}).Append(nil, Canonical))
	if got, want := hex.EncodeToString(sum[:]), "adfebb88b80b867b258d2e9f972eb51f9f8c8bb2ae2bef10ab80ca8226913878"; got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

func TestStyles(t *testing.T) {
	v := Map(Member{"b", Str("é")}, Member{"a", Ints([]int64{1, 2})}, Member{"c", Strs([]string{"x"})})
	for _, tt := range []struct {
		style Style
		want  string
	}{
		{Compact, `{"b":"é","a":[1,2],"c":["x"]}`},
		{Spaced, `{"b": "\u00e9", "a": [1, 2], "c": ["x"]}`},
		{ASCII, `{"b":"\u00e9","a":[1,2],"c":["x"]}`},
	} {
		if got := string(v.Append(nil, tt.style)); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	deep := ""
	for range 100 {
		deep += "["
	}
	for _, in := range []string{"", "{", "[1,]", "1 2", deep, `{"a":}`} {
		if _, err := Parse([]byte(in)); err == nil {
			t.Errorf("%q was accepted", in)
		}
	}
	v, err := Parse([]byte(`{"a":1,"b":2,"a":3}`))
	if err != nil || v.String() != `{"a":3,"b":2}` {
		t.Errorf("got %v, %v", v, err)
	}
}

// FuzzParse checks that what is read is written back with the same meaning.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\u00e9",null,true]}`, `[]`, `"\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := Parse(data)
		if err != nil {
			return
		}
		for _, style := range []Style{Compact, Spaced, Canonical, ASCII} {
			out := v.Append(nil, style)
			if !json.Valid(out) {
				t.Fatalf("not JSON: %q", out)
			}
			again, err := Parse(out)
			if err != nil || string(again.Append(nil, Canonical)) != string(v.Append(nil, Canonical)) {
				t.Fatalf("%q became %q (%v)", data, out, err)
			}
		}
	})
}
