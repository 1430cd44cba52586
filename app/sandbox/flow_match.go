package sandbox

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// defaultTypes are the actions that start a workflow which names none. Events
// that are not listed have no default: every action starts it.
var defaultTypes = map[string][]string{
	"pull_request":        {"opened", "synchronize", "reopened"},
	"pull_request_target": {"opened", "synchronize", "reopened"},
}

// occasion is what the filters of a trigger are held against.
type occasion struct {
	event, action string
	src           source
	finished      string // name of the workflow of a workflow_run event
	cron          string
}

// matches reports whether an event starts a workflow with this trigger.
func (t *trigger) matches(o occasion) bool {
	types := t.types
	if len(types) == 0 {
		types = defaultTypes[o.event]
	}
	switch {
	case len(types) > 0 && o.action != "" && !slices.Contains(types, o.action):
		return false
	case o.event == "workflow_run" && !slices.Contains(t.workflows, o.finished):
		return false
	case o.event == "schedule" && !slices.Contains(t.crons, o.cron):
		return false
	}
	return t.matchesRef(o) && t.matchesPaths(o.src)
}

// matchesRef holds the branch and tag filters. On push a filter for one of the
// two excludes the other.
func (t *trigger) matchesRef(o occasion) bool {
	switch {
	case o.src.tag != "" && t.hasTagFilter:
		return selects(t.tags, t.tagsIgnore, o.src.tag)
	case o.src.tag != "":
		return !t.hasBranchFilter
	case o.src.branch != "" && t.hasBranchFilter:
		return selects(t.branches, t.branchesIgnore, o.src.branch)
	case o.src.branch != "" && o.event == "push":
		return !t.hasTagFilter
	}
	return true
}

func selects(only, ignore []string, name string) bool {
	if len(only) > 0 {
		return matchesAny(only, name)
	}
	return !matchesAny(ignore, name)
}

// matchesPaths holds the path filters against the files that the whole event
// changes. A list that cannot be read filters nothing, as on GitHub, where too
// large a diff always runs.
func (t *trigger) matchesPaths(src source) bool {
	if len(t.paths)+len(t.pathsIgnore) == 0 || src.paths == nil {
		return true
	}
	files, err := src.paths()
	if err != nil {
		return true
	}
	return slices.ContainsFunc(files, func(name string) bool { return selects(t.paths, t.pathsIgnore, name) })
}

// matchesAny applies patterns in order; one that begins with "!" takes back
// what an earlier one matched.
func matchesAny(patterns []string, name string) bool {
	matched := false
	for _, p := range patterns {
		body, negated := strings.CutPrefix(p, "!")
		if glob(body).MatchString(name) {
			matched = !negated
		}
	}
	return matched
}

var globToken = pattern.Lazy(`\*\*/|\*\*|\*|\?|\+|\[[^\]]*\]|[^*?+\[]+|\[`)

// glob turns a filter pattern into an expression: * is anything but a slash, **
// anything, ? and + say how often the character before them occurs.
func glob(pattern string) *regexp.Regexp {
	var b strings.Builder
	for _, token := range globToken().FindAllString(pattern, -1) {
		switch {
		case token == "**/":
			b.WriteString("(?:.*/)?")
		case token == "**":
			b.WriteString(".*")
		case token == "*":
			b.WriteString("[^/]*")
		case token == "?" || token == "+", token[0] == '[' && len(token) > 2:
			b.WriteString(token)
		default:
			b.WriteString(regexp.QuoteMeta(token))
		}
	}
	re, err := regexp.Compile("^(?s:" + b.String() + ")$")
	if err != nil { // such as a leading "?": matches nothing but itself
		return regexp.MustCompile("^" + regexp.QuoteMeta(pattern) + "$")
	}
	return re
}

// skipMarks in a commit message keep push and pull_request workflows from
// starting.
var skipMarks = []string{"[skip ci]", "[ci skip]", "[no ci]", "[skip actions]", "[actions skip]"}

func hasSkipMark(message string) bool {
	return slices.ContainsFunc(skipMarks, func(m string) bool { return strings.Contains(message, m) })
}
