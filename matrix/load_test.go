package matrix

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/diag"
)

func loadFiles(t testing.TB, files ...string) (*Masters, diag.List) {
	t.Helper()
	var sources []Source
	for i, text := range files {
		sources = append(sources, Source{[]string{"a.yaml", "b.yaml"}[i], []byte(text)})
	}
	return Load(sources, rulesOf(august(t)), false)
}

func keyed(key string) string { return strings.Replace(okSingle, "k:\n", key+":\n", 1) }

// spec/matrix.md section 2, rules L1 to L7.
func TestLoadRules(t *testing.T) {
	for _, c := range []struct {
		rule     string
		files    []string
		want     []string
		category string
	}{
		{"L2 list", []string{"[1]"}, []string{"1:1 yaml.root-not-mapping"}, "config-root"},
		{"L2 scalar", []string{"x"}, []string{"1:1 yaml.root-not-mapping"}, "config-root"},
		{"L2 empty file", []string{""}, []string{"1:1 yaml.root-not-mapping"}, "config-root"},
		{"L2 comment", []string{"# nothing\n"}, []string{"1:1 yaml.root-not-mapping"}, "config-root"},
		{"L2 empty mapping", []string{"{}", keyed("x")}, nil, ""},
		{"L3 number", []string{keyed("1")}, []string{"1:1 matrix.key-not-string"}, "unhandled-TypeError"},
		{"L3 null", []string{keyed("null")}, []string{"1:1 matrix.key-not-string"}, "unhandled-TypeError"},
		{"L3 quoted number", []string{keyed(`"1"`)}, nil, ""},
		{"L4", []string{keyed(`"a*"`)}, []string{"1:1 matrix.key-with-star"}, "config-wildcard-in-key"},
		{"L4 others are allowed", []string{keyed(`"a?[b]"`)}, nil, ""},
		{"L5", []string{keyed("x") + keyed("z"), keyed("y") + keyed("z") + keyed("x")}, []string{"15:1 matrix.key-in-two-files", "29:1 matrix.key-in-two-files"}, "config-duplicate-key-across-files"},
		{"L4 before L5", []string{keyed(`"a*"`), keyed(`"a*"`)}, []string{"1:1 matrix.key-in-two-files", "1:1 matrix.key-with-star", "1:1 matrix.key-with-star"}, "config-duplicate-key-across-files"},
		{"L6", []string{keyed("x") + keyed("x")}, []string{"15:1 yaml.duplicate-key"}, "duplicate-key"},
		{"L6 nested", []string{strings.Replace(okSingle, "  image: i\n", "  image: i\n  image: j\n", 1)}, []string{"3:3 yaml.duplicate-key"}, "duplicate-key"},
		{"L7 null config", []string{"x: null\n"}, []string{"1:4 matrix.config-not-mapping"}, "unhandled-AttributeError"},
		{"L7 list", []string{"x: [1]\n"}, []string{"1:4 matrix.config-not-mapping"}, "unhandled-AttributeError"},
		{"L7 all of them", []string{"x: 1\ny: 2\n", "z: 3\n"}, []string{"1:4 matrix.config-not-mapping", "2:4 matrix.config-not-mapping", "1:4 matrix.config-not-mapping"}, "unhandled-AttributeError"},
		{"syntax", []string{"x: [1\n"}, []string{"2:1 yaml.syntax"}, "yaml-invalid"},
	} {
		_, list := loadFiles(t, c.files...)
		got := codes(t, list)
		if c.rule == "syntax" && len(got) == 1 { // the parser's own position
			got = []string{"2:1 " + strings.SplitN(got[0], " ", 2)[1]}
		}
		same(t, c.rule, c.want, got)
		if len(list) > 0 {
			same(t, c.rule, c.category, list[0].Category)
		}
	}
}

// L1: a missing file, by its resolved path.
func TestMissingMasterL1(t *testing.T) {
	_, list := ReadMasters(august(t), augustFiles().with(amdFile, ""), false)
	same(t, "findings", []string{"0:0 plan.master-missing"}, codes(t, list))
	same(t, "file", amdFile, list[0].File)
}

// L5 names both places.
func TestDuplicateKeyPlaces(t *testing.T) {
	_, list := loadFiles(t, keyed("x"), keyed("x"))
	same(t, "message", "b.yaml:1:1: config key 'x' stands already at a.yaml:1:1 [matrix.key-in-two-files] - keep it in one file", list[0].Error())
	same(t, "related", []diag.Place{{File: "a.yaml", Line: 1, Column: 1}}, list[0].Related)
}

// S42: the finding about a repeated key names both lines.
func TestDuplicateKeyS42(t *testing.T) {
	_, list := loadFiles(t, strings.Replace(okSingle, "  image: i\n", "  image: i\n  model: z\n", 1))
	same(t, "place", "a.yaml:4:3", list[0].Place.String())
	same(t, "related", []diag.Place{{File: "a.yaml", Line: 3, Column: 3}}, list[0].Related)
	// As a switch: the last value wins at the place of the first.
	rules := rulesOf(reference(t))
	m, list := Load([]Source{{"a.yaml", []byte(keyed("x") + keyed("y") + strings.Replace(keyed("x"), "image: i", "image: last", 1))}}, rules, false)
	if list.Refused() {
		t.Fatal(list)
	}
	same(t, "order", []string{"x", "y"}, m.Keys())
	same(t, "value", "last", m.Get("x").Image)
}

// Key order is file order, then the order in the file.
func TestKeyOrder(t *testing.T) {
	m, list := loadFiles(t, keyed("z")+keyed("b"), keyed("a")+keyed("y"))
	if list.Refused() {
		t.Fatal(list)
	}
	same(t, "keys", []string{"z", "b", "a", "y"}, m.Keys())
	if m.Get("nothing") != nil || m.Get("a") == nil {
		t.Error("Get finds the wrong configs")
	}
}

// spec/matrix.md section 5: merge keys and anchors.
func TestMergeKeys(t *testing.T) {
	text := strings.Replace(okSingle, "k:\n  image: i\n", "k: &k\n  image: i\n", 1) + "l:\n  <<: *k\n  image: own\n"
	m, list := loadFiles(t, text)
	if list.Refused() {
		t.Fatal(list)
	}
	same(t, "own value wins", "own", m.Get("l").Image)
	same(t, "merged", "fp8", m.Get("l").Precision)
	same(t, "rows", 1, len(m.Get("l").FixedSeqLen[0].Entries))
}

// S43: plain scalars have the values of the reference's parser, or are
// refused at their place.
func TestScalarsS43(t *testing.T) {
	for value, want := range map[string]string{
		"010": "8", "0x400": "1024", "0b11": "3", "1_000": "1000", "1:30": "90", "12:30:45": "45045",
	} {
		m, list := loadFiles(t, strings.Replace(okSingle, "tp: 4", "tp: "+value, 1))
		if list.Refused() {
			t.Errorf("%s: %v", value, list)
			continue
		}
		same(t, value, want, compact(raw(m.Get("k").FixedSeqLen[0].Entries[0].TP)))
	}
	for _, value := range []string{"no", "on", "1e3", "08", "0o10", "=", "2026-11-01", "4.5", "~"} {
		_, list := loadFiles(t, strings.Replace(okSingle, "tp: 4", "tp: "+value, 1))
		if f := list.First(); f == nil || f.Line != 14 {
			t.Errorf("%s: %v", value, list)
		}
	}
	// Booleans of the older dialect are booleans.
	m, list := loadFiles(t, strings.Replace(okSingle, "multinode: false", "multinode: No", 1))
	if list.Refused() || m.Get("k").Multinode {
		t.Errorf("No: %v", list)
	}
}

// An unreadable file is a finding, not a missing one.
func TestUnreadableFiles(t *testing.T) {
	failing := failingFiles{augustFiles(), amdFile}
	_, list := ReadMasters(august(t), failing, false)
	same(t, "master", []string{"0:0 plan.unreadable"}, codes(t, list))
	_, list = ReadRunners(august(t), failingFiles{augustFiles(), runnersFile})
	same(t, "runners", []string{"0:0 plan.unreadable"}, codes(t, list))
	_, list = ReadMasters(newest(t), failingFiles{recipeFiles(), recipeBundle}, false)
	same(t, "recipe", "0:0 matrix.recipe-unreadable", codes(t, list)[0])
	change := changeOf(augustFiles(), augustFiles(), entryText("x"))
	change.Base.Files = failingFiles{change.Base.Files.(memFiles), changelogFile}
	same(t, "changelog", "plan.unreadable", refusal(t, august(t), change).Code)
}

type failingFiles struct {
	memFiles
	name string
}

func (f failingFiles) ReadFile(name string) ([]byte, error) {
	if name == f.name {
		return nil, errBroken
	}
	return f.memFiles.ReadFile(name)
}

type brokenError struct{}

func (brokenError) Error() string { return "broken disk" }

var errBroken = brokenError{}
