package matrix

import (
	"testing"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

func value(t testing.TB, text string) *yamlpos.Value {
	t.Helper()
	v, err := yamlpos.Parse("x", []byte("k: "+text+"\n"), yamlpos.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v.Get("k")
}

// spec/matrix.md section 5: what values stand for, and how they look in names
// and keys.
func TestValueForms(t *testing.T) {
	for _, c := range []struct {
		text           string
		truthy         bool
		display, equal string
		eight          bool
		json           string
	}{
		{"8", true, "8", "8", true, "8"},
		{"0", false, "0", "0", false, "0"},
		{"-3", true, "-3", "-3", false, "-3"},
		{"true", true, "True", "1", false, "true"},
		{"false", false, "False", "0", false, "false"},
		{"8.0", true, "8.0", "8", true, "8.0"},
		{"0.0", false, "0.0", "0", false, "0.0"},
		{"0.5", true, "0.5", "0.5", false, "0.5"},
		{"1.0e+16", true, "1e+16", "10000000000000000", false, "1e+16"},
		{"1.5e-9", true, "1.5e-09", "0.0000000015", false, "1.5e-09"},
		{`"8"`, true, "8", "text 8", false, `"8"`},
		{`""`, false, "", "text ", false, `""`},
		{"null", false, "null", "text null", false, "null"},
		{"[8]", true, "", "text ", false, "[8]"},
		{"[]", false, "", "text ", false, "[]"},
		{"{ a: 1 }", true, "", "text ", false, `{"a":1}`},
		{"{}", false, "", "text ", false, "{}"},
	} {
		v := value(t, c.text)
		same(t, c.text+" is true", c.truthy, truthy(v))
		same(t, c.text+" in a name", c.display, display(v))
		same(t, c.text+" in a key", c.equal, equalKey(v))
		same(t, c.text+" is 8", c.eight, isNumber(v, 8))
		same(t, c.text+" as JSON", c.json, compact(raw(v)))
		same(t, c.text+" detached", c.json, compact(raw(detach(v))))
	}
	if truthy(nil) || detach(nil) != nil {
		t.Error("nothing is something")
	}
}

// Detached values are copies: nothing of the document hangs on them.
func TestDetachCopies(t *testing.T) {
	v := value(t, "[1, text, 5000, true, { tp: 4, other: x }]")
	got := detach(v)
	if !got.Equal(v) {
		t.Errorf("%s is not %s", compact(raw(got)), compact(raw(v)))
	}
	if got.Line != 0 || got.Items[1].Line != 0 || got == v {
		t.Error("a position is left")
	}
	first, second := detach(value(t, "7")), detach(value(t, "7"))
	if first != second || detach(value(t, "yes")) != truth {
		t.Error("small values are not shared")
	}
}
