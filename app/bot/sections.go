package bot

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// maxComment is the length of a comment that GitHub takes. GitHub counts
// characters; we count bytes, which are never fewer (spec/github-limits.md).
const maxComment = 65_536

// foldLines is the number of lines from which on a list is folded away.
const foldLines = 20

// section is a part of a comment, summary or check: a few lines, then a list
// that may be folded and, where space is short, cut.
type section struct {
	lang  catalog.Language
	lines []string
	// head are the first lines of the list, such as the title of a table;
	// they go when the list is empty.
	head  []string
	items []string
	// fold is the summary under which the list is folded away when it is
	// long, or always when folded is set.
	fold   string
	folded bool
	// nested parts stand inside the fold.
	nested []section
	// cut counts the items that were left out.
	cut int
}

// layout writes sections in at most limit bytes. Where they do not fit, the
// longest list gives way first, and says how many items it left out.
func layout(sections []section, limit int) string {
	for {
		text := join(sections)
		if len(text) <= limit {
			return text
		}
		if !shrink(sections) {
			return hardCut(text, limit, catalog.English)
		}
	}
}

func join(sections []section) string {
	var parts []string
	for i := range sections {
		if text := sections[i].text(); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n\n")
}

// text writes one section.
func (s *section) text() string {
	var parts []string
	if len(s.lines) > 0 {
		parts = append(parts, strings.Join(s.lines, "\n"))
	}
	list := s.list()
	if nested := join(s.nested); nested != "" {
		list = strings.TrimSpace(list + "\n\n" + nested)
	}
	switch {
	case list == "":
	case s.fold != "" && (s.folded || len(s.items) > foldLines):
		parts = append(parts, "<details>\n<summary>"+s.fold+"</summary>\n\n"+list+"\n\n</details>")
	default:
		parts = append(parts, list)
	}
	return strings.Join(parts, "\n\n")
}

func (s *section) list() string {
	if len(s.items) == 0 && s.cut == 0 {
		return ""
	}
	text := strings.Join(append(append([]string(nil), s.head...), s.items...), "\n")
	if s.cut > 0 {
		text += "\n\n" + catalog.Count(s.lang, "bot.cut-one", "bot.cut-many", s.cut)
	}
	return text
}

// shrink takes half of the items from the longest list. It returns false when
// no list has any.
func shrink(sections []section) bool {
	longest := longestList(sections)
	if longest == nil {
		return false
	}
	keep := len(longest.items) / 2
	longest.cut += len(longest.items) - keep
	longest.items = longest.items[:keep]
	return true
}

// longestList is the list of most bytes, nil when all are empty.
func longestList(sections []section) *section {
	var longest *section
	size := 0
	for i := range sections {
		for _, s := range []*section{&sections[i], longestList(sections[i].nested)} {
			if s != nil && s.bytes() > size {
				longest, size = s, s.bytes()
			}
		}
	}
	return longest
}

func (s *section) bytes() int {
	n := 0
	for _, item := range s.items {
		n += len(item) + 1
	}
	return n
}

// hardCut cuts at a line end: what no list explains is cut all the same, and
// said. Open folds are closed, so that what follows is not hidden in them.
func hardCut(text string, limit int, lang catalog.Language) string {
	note := "\n\n" + catalog.Message(lang, "bot.cut-hard")
	room := limit - len(note)
	for {
		at := strings.LastIndexByte(text[:max(0, min(room, len(text)))], '\n')
		if at <= 0 {
			return strings.TrimSpace(note)
		}
		text = strings.TrimRight(text[:at], "\n")
		open := strings.Count(text, "<details>") - strings.Count(text, "</details>")
		closing := strings.Repeat("\n\n</details>", max(0, open))
		if len(text)+len(closing) <= room {
			return text + closing + note
		}
	}
}
