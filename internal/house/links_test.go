package house

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	inlineLink    = regexp.MustCompile(`\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)`)
	referenceLink = regexp.MustCompile(`^\s{0,3}\[[^\]]+\]:\s+<?([^\s>]+)`)
	codeSpan      = regexp.MustCompile("`[^`]*`")
	heading       = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*$`)
)

// link is one target in a Markdown file.
type link struct {
	line   int
	target string
}

// prose returns the lines of a Markdown text with those of code blocks empty.
func prose(text string) []string {
	lines := strings.Split(text, "\n")
	fence := ""
	for i, line := range lines {
		trimmed := strings.TrimLeft(line, " ")
		mark := ""
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			mark = trimmed[:3]
		}
		switch {
		case fence == "" && mark != "":
			fence, lines[i] = mark, ""
		case fence != "":
			if mark == fence {
				fence = ""
			}
			lines[i] = ""
		}
	}
	return lines
}

// links returns the targets in a Markdown text that are not on another host.
func links(text string) []link {
	var found []link
	for i, line := range prose(text) {
		line = codeSpan.ReplaceAllString(line, "")
		for _, m := range slices.Concat(inlineLink.FindAllStringSubmatch(line, -1), referenceLink.FindAllStringSubmatch(line, -1)) {
			if u, err := url.Parse(m[1]); err == nil && u.Scheme == "" && u.Host == "" {
				found = append(found, link{i + 1, m[1]})
			}
		}
	}
	return found
}

// anchors returns the names under which GitHub links the headings of a text.
func anchors(text string) map[string]bool {
	names := make(map[string]bool)
	count := make(map[string]int)
	for _, line := range prose(text) {
		m := heading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := anchor(m[1])
		if n := count[name]; n > 0 {
			names[fmt.Sprintf("%s-%d", name, n)] = true
		} else {
			names[name] = true
		}
		count[name]++
	}
	return names
}

// anchor returns GitHub's name for a heading: lower case, spaces as hyphens,
// other punctuation dropped.
func anchor(title string) string {
	dropped := regexp.MustCompile(`[^\p{L}\p{N}\-_ ]`)
	return strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(title), ""), " ", "-")
}

// linkOffences finds links to files that do not exist and to headings that
// the file does not have. exists is asked for paths from the root.
func linkOffences(files map[string]string, exists func(string) bool) []string {
	var offences []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, l := range links(files[name]) {
			file, fragment, _ := strings.Cut(l.target, "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			text, isText := files[target]
			switch {
			case strings.HasPrefix(file, "/") || strings.HasPrefix(target, "../"):
				offences = append(offences, fmt.Sprintf("%s:%d: %s leads out of the repository", name, l.line, l.target))
			case !isText && !exists(target):
				offences = append(offences, fmt.Sprintf("%s:%d: %s does not exist", name, l.line, l.target))
			case fragment != "" && isText && !anchors(text)[fragment]:
				offences = append(offences, fmt.Sprintf("%s:%d: %s has no heading #%s", name, l.line, target, fragment))
			}
		}
	}
	return offences
}

func TestLinksLeadSomewhere(t *testing.T) {
	report(t, linkOffences(textFiles(t, ".md"), func(name string) bool {
		_, err := os.Stat(filepath.Join(root, name))
		return err == nil
	}))
}

// indexOffences finds documents that the index of the folder does not link.
func indexOffences(files map[string]string) []string {
	listed := make(map[string]bool)
	for _, l := range links(files["docs/README.md"]) {
		file, _, _ := strings.Cut(l.target, "#")
		listed[path.Join("docs", file)] = true
	}
	var offences []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(name, "docs/") && name != "docs/README.md" && !listed[name] {
			offences = append(offences, name+" is not in docs/README.md")
		}
	}
	return offences
}

func TestDocumentsAreInTheIndex(t *testing.T) {
	report(t, indexOffences(textFiles(t, ".md")))
}

func TestLinkRulesCanFail(t *testing.T) {
	files := map[string]string{
		"README.md":      "# Top\n[a](docs/a.md) [b](docs/b.md#what-it-is) [c](#top)\n",
		"docs/README.md": "[a](a.md), [lost](lost.md), [out](../../x), [host](https://example.org/x)\n",
		"docs/a.md":      "[x](b.md#nothing) `[y](none.md)`\n```\n[z](none.md)\n# Not a heading\n```\n[t](#not-a-heading)\n",
		"docs/b.md":      "## What it is!\n\n[r]: ../LICENSE\n",
	}
	exists := func(name string) bool { return name == "LICENSE" }
	wants(t, linkOffences(files, exists),
		"docs/README.md:1: lost.md does not exist", "docs/README.md:1: ../../x leads out",
		"docs/a.md:1: docs/b.md has no heading #nothing", "docs/a.md:6: docs/a.md has no heading #not-a-heading")
	wants(t, indexOffences(files), "docs/b.md is not in docs/README.md")
}
