package reuse

import "strings"

// SweepStale is the command that asks for a partial sweep: only the points that
// no earlier sweep of the pull request stands for any more. It is an addition of
// sweepbot and authorises nothing to be published.
const SweepStale = "/sweep-stale"

// StaleWish is what a comment asks for: the run to stand on by its number, or
// by the commit that it measured, or neither for the newest that can be.
type StaleWish struct {
	// Run has ASCII digits without leading zeros, Commit at least seven hex
	// digits in lower case, one of them a letter. At most one of them is set.
	Run, Commit string
}

// Bounds of the argument of the command.
const (
	minCommit = 7
	maxCommit = 64
	maxRun    = 18
)

// ParseSweepStale returns the last command of a comment body; malformed says
// that the last line that tries to be one is none, so that nothing is done.
// A command is a whole line: a line that is quoted, in a list, or inside of code
// is none. Other than the commands of reuse, which date from before, one inside
// of a fence is an example and no command, and so is an indented line.
func ParseSweepStale(body string) (wish StaleWish, found, malformed bool) {
	fence := ""
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, " \t\r\n")
		if mark := fenceOf(line); mark != "" {
			switch {
			case fence == "":
				fence = mark
			case mark[0] == fence[0] && len(mark) >= len(fence) && strings.Trim(line, " "+mark[:1]) == "":
				fence = ""
			}
			continue
		}
		if fence != "" || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ") {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), SweepStale)
		if !ok || rest != "" && strings.IndexAny(rest, " \t") != 0 {
			continue
		}
		wish, ok = staleArgument(strings.Trim(rest, " \t"))
		found, malformed = ok, !ok
	}
	return wish, found, malformed
}

// fenceOf is the mark that opens or closes a fenced block, "" for other lines.
func fenceOf(line string) string {
	text := strings.TrimLeft(line, " ")
	if len(line)-len(text) > 3 || text == "" || text[0] != '`' && text[0] != '~' {
		return ""
	}
	n := len(text) - len(strings.TrimLeft(text, text[:1]))
	if n < 3 {
		return ""
	}
	return text[:n]
}

// staleArgument reads nothing, the number of a run, or a commit.
func staleArgument(text string) (StaleWish, bool) {
	switch {
	case text == "":
		return StaleWish{}, true
	case strings.Trim(text, "0123456789") == "":
		run := plain(text)
		return StaleWish{Run: run}, run != "0" && len(run) <= maxRun
	case strings.Trim(text, "0123456789abcdef") == "":
		return StaleWish{Commit: text}, len(text) >= minCommit && len(text) <= maxCommit
	}
	return StaleWish{}, false
}
