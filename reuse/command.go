package reuse

import "strings"

// Legacy is the older command, whose number is optional; Use is the newer one,
// whose number is not.
const (
	Legacy = "/reuse-sweep-run"
	Use    = "/use"
)

// Grammar is the form of the commands in a profile (spec/reuse.md section 1).
type Grammar struct {
	// Command is the configured name, Legacy by default. Under any other name
	// only that is recognised, and Use is off.
	Command string
	// Use turns the newer command on.
	Use bool
	// NextLine lets the number follow on a later line, as in August 2026.
	NextLine bool
}

// Newest and August are the grammars of the two profiles.
func Newest() Grammar { return Grammar{Command: Legacy, Use: true} }

// August is the grammar of August 2026.
func August() Grammar { return Grammar{Command: Legacy, NextLine: true} }

// Command is a command that was given.
type Command struct {
	// Name is the command as written: /use or the configured name.
	Name string
	// Run is the number of the pinned run, ASCII digits without leading zeros,
	// of any length; "" is unpinned: the newest eligible run.
	Run string
}

// Pinned reports whether the command names a run.
func (c Command) Pinned() bool { return c.Run != "" }

// Line is the command in its canonical spelling.
func (c Command) Line() string {
	if c.Run == "" {
		return c.Name
	}
	return c.Name + " " + c.Run
}

// Parse returns the last command of a comment body. A line that is malformed is
// no command, so that an earlier valid one stands.
func (g Grammar) Parse(body string) (Command, bool) {
	lines := strings.Split(body, "\n")
	var last Command
	found := false
	for i, line := range lines {
		command, ok := g.line(line)
		if !ok {
			continue
		}
		if g.NextLine && !command.Pinned() {
			command.Run = following(lines[i+1:])
		}
		last, found = command, true
	}
	return last, found
}

// line reads one line.
func (g Grammar) line(line string) (Command, bool) {
	line = strings.TrimFunc(line, blank)
	name, rest := line, ""
	if cut := strings.IndexFunc(line, blank); cut >= 0 {
		name, rest = line[:cut], line[cut:]
	}
	optional := name == g.Command
	if !optional && !(g.uses() && name == Use) {
		return Command{}, false
	}
	if rest == "" {
		return Command{Name: name}, optional
	}
	number := strings.TrimLeftFunc(rest, inner)
	if g.NextLine {
		number = strings.TrimLeftFunc(rest, blank)
	}
	run, ok := digits(number)
	if !ok {
		return Command{}, false
	}
	return Command{Name: name, Run: plain(run)}, true
}

// following is the number that stands alone on the next line that is not empty.
func following(lines []string) string {
	for _, line := range lines {
		if line = strings.TrimFunc(line, blank); line == "" {
			continue
		}
		if run, ok := digits(line); ok {
			return plain(run)
		}
		break
	}
	return ""
}

// uses reports whether the newer command is on.
func (g Grammar) uses() bool { return g.Use && g.Command == Legacy }

// Attempts reports whether a body tries to give a command: a line that starts
// with a command name, whatever follows (spec/reuse.md section 3). A mention
// inside a sentence is none.
func (g Grammar) Attempts(body string) bool {
	for line := range strings.Lines(body) {
		line = strings.TrimFunc(line, blank)
		for _, name := range []string{g.Command, Use} {
			rest, ok := strings.CutPrefix(line, name)
			if ok && (name == g.Command || g.uses()) && (rest == "" || strings.IndexFunc(rest, blank) == 0) {
				return true
			}
		}
	}
	return false
}
