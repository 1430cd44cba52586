package config

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Explanation is what there is to say about one key.
type Explanation struct {
	Key
	// Value is the current value on one line of YAML.
	Value string
	// Set is where the settings file sets the key; without a line number the
	// value comes from Preset.
	Set diag.Place
	// Preset is the preset below the settings.
	Preset string
	// Presets has the value of the key in each preset, in the order of
	// PresetNames.
	Presets []PresetValue
}

// PresetValue is the value of a key in a preset, on one line of YAML.
type PresetValue struct {
	Preset string
	Value  string
}

// Explain describes a dotted key and its value in s. source is what Read or
// Detect returned with s; the zero Source stands for a bare preset. The error
// is a diag.Finding: the key is unknown or names a mapping.
func Explain(key string, s Settings, source Source) (Explanation, error) {
	n := find(key)
	if n == nil {
		return Explanation{}, unknownKey(key)
	}
	if n.group() {
		names := make([]string, len(n.kids))
		for i, kid := range n.kids {
			names[i] = kid.key
		}
		return Explanation{}, diag.New("config.group-key", diag.Place{}, "key", key, "keys", strings.Join(names, ", "))
	}
	e := Explanation{Key: n.public(), Value: valueAt(s, key), Preset: s.Preset, Set: source.place(key)}
	for _, name := range PresetNames() {
		preset, _ := Preset(name)
		e.Presets = append(e.Presets, PresetValue{name, valueAt(preset, key)})
	}
	return e, nil
}

// place returns where a key is set. The items of a list are set with it.
func (source Source) place(key string) diag.Place {
	list, _, _ := strings.Cut(key, "[]")
	return source.Set[list]
}

// unknownKey proposes the known key nearest to the whole dotted name, or the
// one whose last part is the name.
func unknownKey(key string) diag.Finding {
	var all, leaves []string
	tree().walk(func(n *node) {
		all = append(all, n.key)
		if n.name == key {
			leaves = append(leaves, n.key)
		}
	})
	near := strings.Join(leaves, ", ")
	if near == "" {
		near = nearest(key, all)
	}
	if near == "" {
		return diag.New("config.no-such-key", diag.Place{}, "key", clip(key))
	}
	return diag.New("config.no-such-key-near", diag.Place{}, "key", clip(key), "near", near)
}
