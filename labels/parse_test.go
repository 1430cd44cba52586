package labels

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
)

func TestParseList(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   []string
	}{
		{nil, nil},
		{[]string{"", " , ,\n"}, nil},
		{[]string{"full-sweep-enabled"}, []string{enabled}},
		{[]string{" a , b\r\nc", "a", "good first issue"}, []string{"a", "b", "c", "good first issue"}},
		{[]string{"$(touch x)", "🚀"}, []string{"$(touch x)", "🚀"}},
	} {
		got, err := ParseList(c.values...)
		if err != nil || !cmp.Equal(got, c.want) {
			t.Errorf("%q: %q, %v, want %q", c.values, got, err, c.want)
		}
	}
}

func TestParseJSON(t *testing.T) {
	for text, want := range map[string][]string{
		"":                               nil,
		" \n":                            nil,
		"null":                           nil,
		"[]":                             nil,
		`["b","a","b"]`:                  {"b", "a"},
		`["a, b\n","\u202e", " x "]`:     {"a, b\n", "\u202e", " x "},
		"[\n  \"full-sweep-enabled\"\n]": {enabled},
	} {
		got, err := ParseJSON([]byte(text))
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	many := make([]string, MaxLabels+1)
	for i := range many {
		many[i] = fmt.Sprint("label-", i)
	}
	manyJSON, err := json.Marshal(many)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		parse func() ([]string, error)
		want  string
	}{
		"too many":         {func() ([]string, error) { return ParseList(many...) }, "labels.too-many"},
		"too many in JSON": {func() ([]string, error) { return ParseJSON(manyJSON) }, "labels.too-many"},
		"too long":         {func() ([]string, error) { return ParseList(strings.Repeat("x", 201)) }, "labels.too-long"},
		"too large":        {func() ([]string, error) { return ParseList(strings.Repeat(",", MaxListBytes), "a") }, "labels.too-large"},
		"too large JSON":   {func() ([]string, error) { return ParseJSON(make([]byte, MaxListBytes+1)) }, "labels.too-large"},
		"empty in JSON":    {func() ([]string, error) { return ParseJSON([]byte(`["a",""]`)) }, "labels.empty-name"},
		"null in JSON":     {func() ([]string, error) { return ParseJSON([]byte(`["a",null]`)) }, "labels.empty-name"},
		"object":           {func() ([]string, error) { return ParseJSON([]byte(`{"a":1}`)) }, "labels.json"},
		"number":           {func() ([]string, error) { return ParseJSON([]byte(`[1]`)) }, "labels.json"},
		"nested":           {func() ([]string, error) { return ParseJSON([]byte(strings.Repeat("[", 60000))) }, "labels.json"},
		"trailing":         {func() ([]string, error) { return ParseJSON([]byte(`["a"] ["b"]`)) }, "labels.json"},
		"not UTF-8":        {func() ([]string, error) { return ParseJSON([]byte("[\"\xff\"]")) }, "labels.not-utf8"},
		"not UTF-8 list":   {func() ([]string, error) { return ParseList("\xff") }, "labels.not-utf8"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.parse()
			var f diag.Finding
			if !errors.As(err, &f) || f.Code != c.want || got != nil {
				t.Errorf("got %q, %v, want %s", got, err, c.want)
			}
		})
	}
}

// FuzzLabels reads label input in both forms and decides on it as labels of the
// pull request and as the changed label: nothing panics, bounds hold, and a
// name survives as it was given.
func FuzzLabels(f *testing.F) {
	for _, seed := range append([]string{`["full-sweep-enabled","all-evals"]`, "a,b\nc", "null", `["\u0000"]`, `[["a"]]`}, hostile...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		listed, _ := ParseList(text)
		quoted, _ := ParseJSON([]byte(text))
		for _, labels := range [][]string{listed, quoted, {text}} {
			if len(labels) > MaxLabels {
				t.Fatalf("%d labels", len(labels))
			}
			changed := text
			if len(labels) > 0 {
				changed = labels[0]
			}
			d := Decide(august(), base, happens(added(changed), with(labels...)))
			if d.Cancels != newVocabulary(august()).has(changed) {
				t.Fatalf("label %q: cancels %v", changed, d.Cancels)
			}
			if strings.ContainsAny(d.Why.Error()+d.Findings.Error(), "\r\x00\u202e") {
				t.Fatalf("a message carries a control character: %q", d.Why.Error())
			}
		}
		roundTrip(t, quoted)
	})
}

func roundTrip(t *testing.T, labels []string) {
	t.Helper()
	text, err := json.Marshal(labels)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ParseJSON(text)
	if err != nil || !cmp.Equal(again, labels) {
		t.Fatalf("%q comes back as %q, %v", labels, again, err)
	}
}
