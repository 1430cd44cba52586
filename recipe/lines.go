package recipe

import (
	"slices"
	"strings"
)

// lineWidth is the width at which a flag gets a line of its own.
const lineWidth = 100

// CommandLine is a process as a person would type it.
type CommandLine struct {
	Role string `json:"role"`
	// Count is the number of such processes.
	Count int `json:"count"`
	// Text is the command over several lines, each but the last ending in a
	// backslash. Unknown parts stand in angle brackets.
	Text string `json:"text"`
	// Config are the settings of the engine's file, "name: value" each.
	Config []string `json:"config,omitempty"`
}

// CommandLines returns the commands of the recipe as text, by role: variables
// in front, then the program, then one flag a line. Equal processes are shown
// once.
func (e *Effective) CommandLines() []CommandLine {
	var out []CommandLine
	for i := range e.Commands {
		c := &e.Commands[i]
		line := CommandLine{Role: c.Role, Count: max(c.Count, 1), Text: c.Line(), Config: c.Config.lines()}
		if n := len(out); n > 0 && out[n-1].Role == line.Role && out[n-1].Text == line.Text && slices.Equal(out[n-1].Config, line.Config) {
			out[n-1].Count += line.Count
			continue
		}
		out = append(out, line)
	}
	return out
}

// lines are the settings of an engine's file as text.
func (c *Config) lines() []string {
	if c == nil {
		return nil
	}
	out := make([]string, 0, len(c.Values))
	for i := range c.Values {
		f := &c.Values[i]
		value := make([]string, len(f.Values))
		for j, v := range f.Values {
			value[j] = v.String()
		}
		out = append(out, f.Spelling+": "+strings.Join(value, " "))
	}
	if c.Unknown != nil {
		out = append(out, "<"+c.Unknown.String()+">")
	}
	return out
}

// Line returns one command as text; see CommandLines.
func (c *Command) Line() string {
	var items []string
	for _, v := range c.Env {
		if ClassOfVar(v.Name) != Housekeeping {
			items = append(items, v.Name+"="+quote(v.Value))
		}
	}
	head := make([]string, 0, len(c.Program)+len(c.Positional))
	for _, w := range append(append([]Text(nil), c.Program...), c.Positional...) {
		head = append(head, quote(w))
	}
	items = append(items, strings.Join(head, " "))
	for _, f := range c.Flags {
		items = append(items, f.words())
	}
	short := strings.Join(items, " ")
	if len(short) <= lineWidth {
		return short
	}
	return strings.Join(items, " \\\n  ")
}

func (f *Flag) words() string {
	out := f.Spelling
	for _, v := range f.Values {
		out += " " + quote(v)
	}
	return out
}

// quote writes a text as one word of a shell.
func quote(t Text) string {
	text := t.String()
	if text != "" && !strings.ContainsFunc(text, special) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func special(r rune) bool {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
		return false
	}
	return !strings.ContainsRune("@%_+=:,./-", r)
}
