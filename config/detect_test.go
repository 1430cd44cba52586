package config

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// revision holds the files of a revision; a nil content is a file that cannot be read.
type revision map[string][]byte

var errBroken = errors.New("disk on fire")

func (r revision) ReadFile(name string) ([]byte, error) {
	data, ok := r[name]
	switch {
	case !ok:
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist}
	case data == nil:
		return nil, errBroken
	default:
		return data, nil
	}
}

func text(s string) []byte { return []byte(s) }

func TestDetect(t *testing.T) {
	nested, flat := "inferencex-e2e/configs/runners.yaml", "configs/runners.yaml"
	for _, test := range []struct {
		name   string
		files  revision
		preset string
		file   string
		remark string
	}{
		{"empty repository", revision{}, PresetNewest, "", "config.no-layout"},
		{"nested project", revision{nested: text("")}, PresetNewest, "", ""},
		{"nested project beside the old one", revision{nested: text(""), flat: text("hardware: {}\n")}, PresetNewest, "", ""},
		{"clusters at the root", revision{flat: text("labels: {}\nclusters: {}\n")}, PresetNewest, "", ""},
		{"hardware table", revision{flat: text("labels: {}\nhardware: {}\n")}, PresetAugust, "", ""},
		{"labels only", revision{flat: text("labels: {}\n")}, PresetAugust, "", ""},
		{"both tables", revision{flat: text("clusters: {}\nhardware: {}\n")}, PresetNewest, "", "config.unclear-layout"},
		{"no table", revision{flat: text("fleet: {}\n")}, PresetNewest, "", "config.unclear-layout"},
		{"inventory is no YAML", revision{flat: text("a: [\n")}, PresetNewest, "", "config.unclear-layout"},
		{
			"settings file", revision{".github/sweepbot.yml": text("preset: reference-2026-08\n"), nested: text("")},
			PresetReference, ".github/sweepbot.yml", "",
		},
		{"other ending", revision{".github/sweepbot.yaml": text(""), nested: text("")}, PresetNewest, ".github/sweepbot.yaml", ""},
		{
			"file names no preset", revision{".github/sweepbot.yml": text("checks: {profile: 2026-10}\n"), flat: text("hardware: {}\n")},
			PresetNewest, ".github/sweepbot.yml", "config.preset-unnamed",
		},
		{
			"file names no preset but a layout", revision{".github/sweepbot.yml": text("layout: {roots: [\"\"]}\n"), flat: text("hardware: {}\n")},
			PresetNewest, ".github/sweepbot.yml", "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, source, err := Detect(test.files)
			if err != nil {
				t.Fatal(err)
			}
			if s.Preset != test.preset || source.Preset != test.preset || source.File != test.file {
				t.Errorf("settings of %s, source %s in %q", s.Preset, source.Preset, source.File)
			}
			remark := ""
			for _, f := range source.Findings {
				remark += f.Code
			}
			if remark != test.remark || source.Findings.Refused() {
				t.Errorf("remarks: %v", source.Findings)
			}
		})
	}
}

func TestDetectFails(t *testing.T) {
	for _, test := range []struct {
		name  string
		files revision
	}{
		{"settings file", revision{".github/sweepbot.yml": nil}},
		{"second settings file", revision{".github/sweepbot.yaml": nil}},
		{"nested inventory", revision{"inferencex-e2e/configs/runners.yaml": nil}},
		{"inventory", revision{"configs/runners.yaml": nil}},
	} {
		if _, _, err := Detect(test.files); !errors.Is(err, errBroken) {
			t.Errorf("%s cannot be read: %v", test.name, err)
		}
	}
	_, source, err := Detect(revision{".github/sweepbot.yml": text("a: 1\n")})
	var list diag.List
	if !errors.As(err, &list) || list[0].Code != "config.unknown-key" || source.File != ".github/sweepbot.yml" {
		t.Errorf("a refused file: %v from %q", err, source.File)
	}
}

// TestRoot holds the lookup of spec/changelog.md, head: each revision for
// itself, the nested root first.
func TestRoot(t *testing.T) {
	probe, changelog := "configs/runners.yaml", "perf-changelog.yaml"
	before := revision{probe: text(""), changelog: text("")}
	moved := revision{"inferencex-e2e/" + probe: text(""), changelog: text("")}
	after := revision{"inferencex-e2e/" + probe: text(""), "inferencex-e2e/" + changelog: text(""), changelog: text("")}
	for _, test := range []struct {
		name             string
		files            revision
		root, resolution string
	}{
		{"before the move", before, "", changelog},
		{"half moved", moved, "inferencex-e2e", changelog},
		{"after the move", after, "inferencex-e2e", "inferencex-e2e/" + changelog},
	} {
		layout := newestLayout()
		root, err := layout.Root(test.files)
		if err != nil || root != test.root {
			t.Errorf("%s: root %q, %v", test.name, root, err)
		}
		file, err := layout.Resolve(test.files, changelog)
		if err != nil || file != test.resolution {
			t.Errorf("%s: %q, %v", test.name, file, err)
		}
	}
	if root, err := august().Layout.Root(after); err == nil {
		t.Errorf("the old layout found the root %q of the new one", root)
	}
	broken := revision{"inferencex-e2e/" + probe: nil, probe: text("")}
	if _, err := newestLayout().Root(broken); !errors.Is(err, errBroken) {
		t.Errorf("an unreadable probe counts as absent: %v", err)
	}
	if _, err := newestLayout().Resolve(broken, probe); !errors.Is(err, errBroken) {
		t.Errorf("an unreadable file counts as absent: %v", err)
	}
}

// otherFaults break the rules that no settings file can break.
var otherFaults = map[string]func() error{
	"config.no-root": func() error { _, err := newestLayout().Root(revision{}); return err },
	"config.no-file": func() error { _, err := newestLayout().Resolve(revision{}, "x"); return err },
	"config.two-files": func() error {
		_, _, err := Detect(revision{".github/sweepbot.yml": text(""), ".github/sweepbot.yaml": text("")})
		return err
	},
	"config.no-such-key":      func() error { _, err := Explain("colour", newest(), Source{}); return err },
	"config.no-such-key-near": func() error { _, err := Explain("matrix.nodecount", newest(), Source{}); return err },
	"config.group-key":        func() error { _, err := Explain("layout.recipes", newest(), Source{}); return err },
	"config.no-layout":        func() error { return remark(revision{}) },
	"config.unclear-layout":   func() error { return remark(revision{"configs/runners.yaml": text("")}) },
	"config.preset-unnamed": func() error {
		return remark(revision{".github/sweepbot.yml": text(""), "configs/runners.yaml": text("hardware: {}\n")})
	},
}

// remark returns the only remark of Detect.
func remark(files revision) error {
	_, source, err := Detect(files)
	if err != nil || len(source.Findings) != 1 {
		return err
	}
	return source.Findings[0]
}

func TestOtherFaults(t *testing.T) {
	for code, fault := range otherFaults {
		err := fault()
		var list diag.List
		var f diag.Finding
		if errors.As(err, &list) && len(list) == 1 {
			f = list[0]
		} else {
			errors.As(err, &f)
		}
		if f.Code != code {
			t.Errorf("%s: got %v", code, err)
		}
		for _, lang := range []catalog.Language{catalog.English, catalog.Chinese} {
			if message := f.Message(lang) + f.Mend(lang); message == "" || hasHole(message) {
				t.Errorf("%s: %q", code, message)
			}
		}
	}
}

func TestMessagesAreFilled(t *testing.T) {
	for _, test := range loadCases {
		_, list := Load("s.yml", []byte(test.file))
		for _, f := range list {
			for _, lang := range []catalog.Language{catalog.English, catalog.Chinese} {
				// The mend of a path shows braces, and the tests one with them.
				if f.Code != "config.bad-path" && hasHole(f.Message(lang)+f.Mend(lang)) {
					t.Errorf("%s: %s", test.name, f.Message(lang)+f.Mend(lang))
				}
			}
		}
	}
}

// hasHole reports a placeholder that no argument filled.
func hasHole(message string) bool {
	open := false
	for _, r := range message {
		switch {
		case r == '{':
			open = true
		case r == '}' && open:
			return true
		case open && (r < 'a' || r > 'z'):
			open = false
		}
	}
	return false
}

func TestExplain(t *testing.T) {
	s, source, list := Read("s.yml", []byte("preset: inferencex-2026-08\nlabels:\n  drafts-run: true\n  primaries: [{name: x, trim: true}]\n"))
	if list != nil {
		t.Fatal(list)
	}
	for _, test := range []struct {
		key, value string
		line       int
		presets    []string
	}{
		{"labels.drafts-run", "true", 3, []string{"true", "false", "false"}},
		{"labels.push-sweeps", "true", 0, []string{"false", "true", "true"}},
		{"labels.primaries[].trim", "[true]", 4, []string{"[false, false, false]", "[true, false, false, false, false]", "[true, false, false, false, false]"}},
		{"preset", "inferencex-2026-08", 1, PresetNames()},
		{"layout.recipes.multi-node", "benchmarks/multi_node/srt-slurm-recipes", 0, []string{
			`"benchmarks/multi_node/srt-slurm-recipes/{dir}"`, "benchmarks/multi_node/srt-slurm-recipes", "benchmarks/multi_node/srt-slurm-recipes",
		}},
	} {
		e, err := Explain(test.key, s, source)
		if err != nil {
			t.Fatal(err)
		}
		var presets []string
		for _, p := range e.Presets {
			presets = append(presets, p.Value)
		}
		if e.Value != test.value || e.Set.Line != test.line || e.Preset != PresetAugust {
			t.Errorf("%s: %s, set at %v, preset %s", test.key, e.Value, e.Set, e.Preset)
		}
		if diff := cmp.Diff(test.presets, presets); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.key, diff)
		}
	}
	if _, err := Explain("smoke", s, source); err == nil || !hasMend(err, "matrix.smoke") {
		t.Errorf("a bare name is not completed: %v", err)
	}
}

func hasMend(err error, want string) bool {
	var f diag.Finding
	return errors.As(err, &f) && f.Mend(catalog.English) == "did you mean "+want+"?"
}
