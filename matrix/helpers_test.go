package matrix

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

var update = flag.Bool("update", false, "rewrite golden files")

// memFiles are the files of one revision.
type memFiles map[string]string

func (m memFiles) ReadFile(name string) ([]byte, error) {
	text, ok := m[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return []byte(text), nil
}

// with returns a copy with other or further files; an empty text removes one.
func (m memFiles) with(pairs ...string) memFiles {
	out := make(memFiles, len(m))
	for name, text := range m {
		out[name] = text
	}
	for i := 0; i < len(pairs); i += 2 {
		if out[pairs[i]] = pairs[i+1]; pairs[i+1] == "" {
			delete(out, pairs[i])
		}
	}
	return out
}

// edited returns a copy in which one file has old, once, replaced by new.
func (m memFiles) edited(t testing.TB, name, old, new string) memFiles {
	t.Helper()
	if strings.Count(m[name], old) != 1 {
		t.Fatalf("%q occurs %d times in %s", old, strings.Count(m[name], old), name)
	}
	return m.with(name, strings.Replace(m[name], old, new, 1))
}

// The names of the toy repository's files.
const (
	amdFile       = "configs/amd-master.yaml"
	nvidiaFile    = "configs/nvidia-master.yaml"
	runnersFile   = "configs/runners.yaml"
	changelogFile = "perf-changelog.yaml"
)

// settingsOf returns a preset with changes.
func settingsOf(t testing.TB, preset string, edits ...func(*config.Settings)) config.Settings {
	t.Helper()
	s, ok := config.Preset(preset)
	if !ok {
		t.Fatalf("no preset %s", preset)
	}
	s.Changelog.Repository = "o/r"
	for _, edit := range edits {
		edit(&s)
	}
	return s
}

func august(t testing.TB, edits ...func(*config.Settings)) config.Settings {
	t.Helper()
	return settingsOf(t, config.PresetAugust, edits...)
}

func reference(t testing.TB, edits ...func(*config.Settings)) config.Settings {
	t.Helper()
	return settingsOf(t, config.PresetReference, edits...)
}

func newest(t testing.TB, edits ...func(*config.Settings)) config.Settings {
	t.Helper()
	return settingsOf(t, config.PresetNewest, edits...)
}

// withoutRecipes takes the recipe files out of the newest rules, for tests
// that are about something else.
func withoutRecipes(s *config.Settings) {
	s.Matrix.Recipes, s.Matrix.Fingerprint = false, config.FingerprintRow
}

func rulesOf(s config.Settings) Rules { return Rules{Matrix: s.Matrix, Limits: s.Limits} }

// mustRows runs the generator.
func mustRows(t testing.TB, s config.Settings, files Files, r Request) []*Row {
	t.Helper()
	rows, list := Generate(s, files, r)
	if list.Refused() {
		t.Fatalf("refused:\n%v", list)
	}
	return rows
}

// entryText is a changelog entry; more are further lines such as
// "evals-only: true".
func entryText(key string, more ...string) string {
	text := "- config-keys:\n    - " + key + "\n  description:\n    - \"x\"\n  pr-link: XXX\n"
	for _, line := range more {
		text += "  " + line + "\n"
	}
	return text
}

const oldEntry = "- config-keys:\n    - old\n  description:\n    - \"old\"\n  pr-link: https://github.com/o/r/pull/1\n"

// changeOf is a change from base to head in which head appends changelog
// entries.
func changeOf(base, head memFiles, entries ...string) Change {
	was := oldEntry
	return Change{
		Base: Revision{Ref: "base", Files: base.with(changelogFile, was)},
		Head: Revision{Ref: "head", Files: head.with(changelogFile, was+"\n"+strings.Join(entries, "\n"))},
		PR:   changelog.Unnumbered,
	}
}

func mustPlan(t testing.TB, s config.Settings, c Change) *Plan {
	t.Helper()
	p, list := NewPlan(s, c)
	if p == nil {
		t.Fatalf("refused:\n%v", list)
	}
	return p
}

// refusal returns the first finding of a plan that must be refused.
func refusal(t testing.TB, s config.Settings, c Change) diag.Finding {
	t.Helper()
	p, list := NewPlan(s, c)
	f := list.First()
	if p != nil || f == nil {
		t.Fatalf("accepted:\n%s", summary(p))
	}
	checkTexts(t, *f)
	return *f
}

// brief shows the part of a row that selections change: its concurrency, and
// behind it @ eval-conc and "all" for eval-all-concs.
func brief(r *Row) string {
	text := joinInts(r.Conc)
	if r.Multinode() {
		text = "[" + text + "]"
	}
	if r.EvalConc != 0 {
		text += fmt.Sprintf("@%d", r.EvalConc)
	}
	if r.EvalAllConcs == Yes {
		text += " all"
	}
	return text
}

func briefs(rows []*Row) string {
	parts := make([]string, len(rows))
	for i, r := range rows {
		parts[i] = brief(r)
	}
	return strings.Join(parts, " ")
}

// summary shows a plan, one bucket a line, without empty ones.
func summary(p *Plan) string {
	var out strings.Builder
	line := func(name string, rows []*Row) {
		if len(rows) > 0 {
			fmt.Fprintf(&out, "%s: %s\n", name, briefs(rows))
		}
	}
	for _, b := range p.SingleNode {
		line("single_node."+b.Name, b.Rows)
	}
	for _, b := range p.MultiNode {
		line("multi_node."+b.Name, b.Rows)
	}
	line("evals", p.Evals)
	line("agentic_evals", p.AgenticEvals)
	line("multinode_evals", p.MultiEvals)
	line("multinode_agentic_evals", p.MultiAgenticEvals)
	return out.String()
}

// lines strips the indentation of a text in a test.
func lines(text string) string {
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		out.WriteString(strings.TrimSpace(line) + "\n")
	}
	return out.String()
}

func same[T any](t testing.TB, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// checkTexts holds that a finding can be read in both languages: the
// catalogue knows its code and nothing is left to be filled in.
func checkTexts(t testing.TB, f diag.Finding) {
	t.Helper()
	if !catalog.Known(f.Code) {
		t.Errorf("the catalogue does not know %s", f.Code)
	}
	for _, lang := range []catalog.Language{catalog.English, catalog.Chinese} {
		for part, text := range map[string]string{"message": f.Message(lang), "mend": f.Mend(lang)} {
			if text == "" || strings.Contains(text, "{") {
				t.Errorf("%s %s %s: %q", f.Code, lang, part, text)
			}
		}
	}
	if f.Mend(catalog.English) == f.Mend(catalog.Chinese) {
		t.Errorf("%s has one mend for both languages", f.Code)
	}
}

// codes lists findings as line:column code, and checks their texts.
func codes(t testing.TB, list diag.List) []string {
	t.Helper()
	var out []string
	for _, f := range list {
		checkTexts(t, f)
		out = append(out, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Code))
	}
	return out
}

// marker stands in test inputs before the place that a finding must name.
const marker = "§"

// marked takes the markers out of a text and returns their places.
func marked(text string) (clean string, places []string) {
	for {
		before, after, found := strings.Cut(text, marker)
		if !found {
			return text, places
		}
		last := before[strings.LastIndexByte(before, '\n')+1:]
		places = append(places, fmt.Sprintf("%d:%d", strings.Count(before, "\n")+1, len([]rune(last))+1))
		text = before + after
	}
}

// golden compares text with a file below testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s (-want +got):\n%s", file, cmp.Diff(string(want), got))
	}
}

func compact(v ordjson.Value) string { return string(v.Append(nil, ordjson.Compact)) }
func spaced(v ordjson.Value) string  { return string(v.Append(nil, ordjson.Spaced)) }
