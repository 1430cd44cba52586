package bot

import (
	"io/fs"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// kept are files that were read ahead.
type kept map[string][]byte

// ReadFile returns a file that was read ahead.
func (k kept) ReadFile(name string) ([]byte, error) {
	data, ok := k[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return data, nil
}

// Keep reads some files of a revision ahead, so that they can be shown after
// it was closed. Those that cannot be read are left out.
func Keep(files matrix.Files, names ...string) matrix.Files {
	out := make(kept)
	for _, name := range names {
		if data, err := files.ReadFile(name); err == nil {
			out[name] = data
		}
	}
	return out
}

// RenderSettings says in one line where settings come from.
func RenderSettings(s config.Settings, source config.Source, style TableStyle) string {
	if source.File == "" {
		return style.say("cli.settings-preset", "preset", s.Preset)
	}
	return style.say("cli.settings-file", "file", source.File, "preset", s.Preset, "count", strconv.Itoa(len(source.Set)))
}

// RenderExplanation says what a setting means, its value, and the values of
// the presets.
func RenderExplanation(e config.Explanation, style TableStyle) string {
	var b strings.Builder
	b.WriteString(style.paint(boldText, e.Name) + "\n")
	for _, line := range wrap(diag.Printable(e.Value), style.Columns-len(gap)) {
		b.WriteString(gap + line + "\n")
	}
	b.WriteString("\n")
	if doc := e.Doc(style.Language); doc != "" {
		b.WriteString(gap + doc + "\n")
	}
	b.WriteString(gap + style.say("cli.setting-takes", "type", e.Type) + "\n")
	if e.Set.Line > 0 {
		b.WriteString(gap + style.say("cli.setting-set", "place", e.Set.String()) + "\n")
	} else {
		b.WriteString(gap + style.say("cli.setting-preset", "preset", e.Preset) + "\n")
	}
	b.WriteString("\n")
	t := &table{columns: []column{{title: "preset"}, {title: "value", wraps: true}}}
	for _, p := range e.Presets {
		t.add(p.Preset, p.Value)
	}
	for _, line := range t.lines(style.Columns) {
		b.WriteString(line + "\n")
	}
	return b.String()
}
