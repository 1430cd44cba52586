package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestShowReadsBack draws settings of any values that the rules of the single
// keys allow, and reads back what Show prints. The rules that hold between
// keys are left out: most drawn settings would break one.
func TestShowReadsBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s, _ := Preset(rapid.SampledFrom(PresetNames()).Draw(rt, "preset"))
		preset := s.Preset
		draw(rt, tree(), reflect.ValueOf(&s).Elem())
		s.Preset = preset
		got, _, list := decode(rt, string(Show(s)))
		if list != nil {
			rt.Fatalf("%v\n%s", list, Show(s))
		}
		if diff := cmp.Diff(s, got); diff != "" {
			rt.Fatalf("(-want +got):\n%s\n%s", diff, Show(s))
		}
	})
}

// draw changes about every fourth value of a mapping.
func draw(rt *rapid.T, n *node, v reflect.Value) {
	for _, kid := range n.kids {
		field := v.Field(kid.index)
		switch {
		case kid.group():
			draw(rt, kid, field)
		case rapid.IntRange(0, 3).Draw(rt, kid.key+"?") == 0:
			drawValue(rt, kid, field)
		}
	}
}

func drawValue(rt *rapid.T, n *node, v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(rt, n.key))
	case reflect.Int:
		v.SetInt(int64(rapid.IntRange(n.rule.min, n.rule.max).Draw(rt, n.key)))
	case reflect.String:
		v.SetString(drawText(rt, n))
	case reflect.Slice:
		least := 0
		if n.rule.filled {
			least = 1
		}
		count := rapid.IntRange(least, 3).Draw(rt, n.key)
		v.SetZero()
		for range count {
			item := reflect.New(v.Type().Elem()).Elem()
			if n.listOfMappings() {
				for _, kid := range n.kids {
					drawValue(rt, kid, item.Field(kid.index))
				}
			} else {
				item.SetString(drawText(rt, n))
			}
			if n.listOfMappings() || !strings.Contains(flow(v), flow(item)) {
				v.Set(reflect.Append(v, item))
			}
		}
	}
}

// drawText draws a text of the form of n, with the characters that quoting
// could get wrong.
func drawText(rt *rapid.T, n *node) string {
	if n.rule.values != nil {
		return rapid.SampledFrom(n.rule.values).Draw(rt, n.key)
	}
	form := rapid.SampledFrom([]string{
		`[a-z0-9]{1,6}`, `[ -~]{1,8}`, `[a-z]{1,3}/[a-z~#&'" ]{1,5}`, `[a-z]{1,4}\.ya?ml`, `(yes|NO|null|~|1e3|0x1|\.inf)`, `\PC{1,5}`,
	}).Draw(rt, n.key+" form")
	text := rapid.StringMatching(form).Draw(rt, n.key)
	if !n.rule.text.check(text) {
		for _, text = range []string{"x.yml", "x/y", "https://x.example", "@x/y", "@x/y:z", "x:/y", "x"} {
			if n.rule.text.check(text) {
				break
			}
		}
	}
	return text
}

func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/*.yml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, test := range loadCases {
		f.Add([]byte(test.file))
	}
	f.Add([]byte(aliasBomb()))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, source, list := Read("f.yml", data)
		if len(list) > maxFindings+1 {
			t.Fatalf("%d findings", len(list))
		}
		if list != nil {
			if s.Preset != "" {
				t.Fatal("refused settings are not zero")
			}
			_ = list.Error()
			return
		}
		shown := Show(s)
		again, list := Load("shown.yml", shown)
		if list != nil || !cmp.Equal(s, again) {
			t.Fatalf("%v\n%s", list, shown)
		}
		for key := range source.Set {
			if place := source.place(key); place.Line == 0 || place.File != "f.yml" {
				t.Fatalf("%s is set at %v", key, place)
			}
		}
	})
}
