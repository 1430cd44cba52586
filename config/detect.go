package config

import (
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// FileNames are the names under which a settings file is looked for.
func FileNames() []string { return []string{".github/sweepbot.yml", ".github/sweepbot.yaml"} }

// Detect returns the settings of a repository at a revision: those of its
// settings file, or the preset whose layout it has. The error is a diag.List
// when the settings are refused, anything else when a file could not be read.
// Remarks that refuse nothing are in the Source.
func Detect(files Reader) (Settings, Source, error) {
	name, data, err := settingsFile(files)
	if err != nil {
		return Settings{}, Source{}, err
	}
	guess, err := guessLayout(files)
	if err != nil {
		return Settings{}, Source{}, err
	}
	if name == "" {
		s, _ := Preset(guess.preset)
		return s, Source{Preset: guess.preset, Findings: guess.remarks}, nil
	}
	s, source, list := Read(name, data)
	if list.Refused() {
		return Settings{}, source, list
	}
	source.Findings = append(list, guess.doubt(source)...)
	return s, source, nil
}

// settingsFile reads the settings file. Two of them are refused, whichever
// would win would surprise somebody.
func settingsFile(files Reader) (name string, data []byte, err error) {
	for _, candidate := range FileNames() {
		content, found, err := read(files, candidate)
		if err != nil {
			return "", nil, err
		}
		if found && name != "" {
			return "", nil, diag.List{diag.New("config.two-files", diag.Place{File: candidate},
				"first", name, "second", candidate)}
		}
		if found {
			name, data = candidate, content
		}
	}
	return name, data, nil
}

// guess is the preset whose layout a repository has.
type guess struct {
	preset  string
	sure    bool
	remarks diag.List
}

// guessLayout looks at the runner inventory: its place and its tables differ
// between the layouts (spec/matrix.md section 3).
func guessLayout(files Reader) (guess, error) {
	probe := newestLayout().Probe
	nested, err := exists(files, path.Join(newestLayout().Roots[0], probe))
	if err != nil || nested {
		return guess{preset: PresetNewest, sure: true}, err
	}
	data, found, err := read(files, probe)
	if err != nil || !found {
		return unsure("config.no-layout", probe), err
	}
	return guessInventory(probe, data), nil
}

func guessInventory(name string, data []byte) guess {
	if len(data) > newest().Limits.FileBytes {
		return unsure("config.unclear-layout", name)
	}
	inventory, err := yamlpos.Parse(name, data, yamlpos.Options{})
	if err != nil {
		return unsure("config.unclear-layout", name)
	}
	clusters, hardware := inventory.Get("clusters"), inventory.Get("hardware")
	switch {
	case clusters != nil && hardware == nil:
		return guess{preset: PresetNewest, sure: true}
	case clusters == nil && (hardware != nil || inventory.Get("labels") != nil):
		return guess{preset: PresetAugust, sure: true}
	default:
		return unsure("config.unclear-layout", name)
	}
}

func unsure(code, name string) guess {
	remark := diag.New(code, diag.Place{File: name}, "file", name, "preset", PresetNewest)
	return guess{preset: PresetNewest, remarks: diag.List{remark.WithSeverity(diag.Warning)}}
}

// doubt remarks that a settings file takes the default preset by not naming
// one, although the repository has the layout of another.
func (g guess) doubt(source Source) diag.List {
	if _, named := source.Set["preset"]; named || !g.sure || g.preset == source.Preset {
		return nil
	}
	for key := range source.Set {
		if strings.HasPrefix(key, "layout.") {
			return nil
		}
	}
	return diag.List{diag.New("config.preset-unnamed", diag.Place{File: source.File},
		"preset", source.Preset, "looks", g.preset).WithSeverity(diag.Warning)}
}
