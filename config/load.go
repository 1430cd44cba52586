package config

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// MaxBytes is the largest settings file that is read.
const MaxBytes = 256 << 10

// Source says where settings came from, for Explain and for people.
type Source struct {
	// File is the settings file; "" when the repository has none.
	File string
	// Preset is the preset that gives every value the file does not set.
	Preset string
	// Set has the position of each dotted key that the file sets.
	Set map[string]diag.Place
	// Findings are remarks of Detect that refuse nothing.
	Findings diag.List
}

// Load reads a settings file. file is its name for messages; data may be
// empty, which means the default preset. All faults are reported in one run;
// with any of them the settings are zero, so that nothing half-read is used.
func Load(file string, data []byte) (Settings, diag.List) {
	s, _, list := Read(file, data)
	return s, list
}

// Read is Load, and also tells where each value came from.
func Read(file string, data []byte) (Settings, Source, diag.List) {
	source := Source{File: file, Preset: PresetNewest}
	if len(data) > MaxBytes {
		return Settings{}, source, diag.List{diag.New("config.too-large", diag.Place{File: file},
			"size", strconv.Itoa(len(data)), "limit", strconv.Itoa(MaxBytes))}
	}
	root, err := yamlpos.Parse(file, data, yamlpos.Options{})
	if err != nil {
		return Settings{}, source, asList(file, err)
	}
	d := decoder{file: file, set: map[string]diag.Place{}, items: map[string]diag.Place{}}
	s, known := Preset(presetOf(root))
	if !known {
		s = newest()
	}
	source.Preset = s.Preset
	if root.Kind != yamlpos.Null {
		d.mapping(root, tree(), reflect.ValueOf(&s).Elem(), "")
	}
	source.Set = d.set
	// Without its preset the rest of the file is judged one value at a time:
	// the values it relies on are not known.
	if known {
		d.labels(s)
		d.suites(s)
		d.conflicts(s)
	}
	d.list.Sort()
	if d.list.Refused() {
		return Settings{}, source, d.list
	}
	return s, source, d.list
}

// presetOf returns the preset that the document names, the default when it
// names none. Whether it is a good name is for the decoder to say.
func presetOf(root *yamlpos.Value) string {
	if v := root.Get("preset"); v != nil {
		return v.Text
	}
	return PresetNewest
}

func asList(file string, err error) diag.List {
	var f diag.Finding
	if errors.As(err, &f) {
		return diag.List{f}
	}
	return diag.List{diag.New("yaml.syntax", diag.Place{File: file}, "detail", err.Error())}
}
