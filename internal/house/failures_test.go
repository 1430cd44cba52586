package house

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go/ast"

	"github.com/sweepbot/sweepbot/config"
)

// knownFailures is the number of entries of the catalogue.
const knownFailures = 65

var (
	failureRow  = regexp.MustCompile(`^\| (F\d{2}) \| ([^|]+) \| ([^|]+) \|$`)
	testName    = regexp.MustCompile("`([a-z/]+)\\.(Test\\w+)`")
	failureRest = regexp.MustCompile(`^(?:; )?(?:later: (?:sign-off|reuse|results)(?: \([^)]+\))?)?$`)
)

// failureOffences holds the table of docs/known-failures.md against the tests
// of the tree: every number is there once, every test that it names exists, and
// at least one of them stands in a file that names the number. tests maps
// folder.Name to the text of the file.
func failureOffences(table string, tests map[string]string) []string {
	var offences []string
	rows := make(map[string]int)
	for i, line := range strings.Split(table, "\n") {
		m := failureRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		number, held := m[1], m[3]
		rows[number]++
		named := false
		names := testName.FindAllStringSubmatch(held, -1)
		for _, n := range names {
			text, exists := tests[n[1]+"."+n[2]]
			if !exists {
				offences = append(offences, fmt.Sprintf("line %d: there is no test %s.%s", i+1, n[1], n[2]))
			}
			named = named || strings.Contains(text, number)
		}
		rest := strings.ReplaceAll(testName.ReplaceAllString(held, ""), ", ", "")
		switch {
		case !failureRest.MatchString(rest) || held == "":
			offences = append(offences, fmt.Sprintf("line %d: %s is held by %q", i+1, number, held))
		case len(names) == 0 && rest == "":
			offences = append(offences, fmt.Sprintf("line %d: %s is held by nothing", i+1, number))
		case len(names) > 0 && !named:
			offences = append(offences, fmt.Sprintf("line %d: no test of %s names it", i+1, number))
		}
	}
	for n := 1; n <= knownFailures; n++ {
		if number := fmt.Sprintf("F%02d", n); rows[number] != 1 {
			offences = append(offences, fmt.Sprintf("%s has %d rows", number, rows[number]))
		}
	}
	return offences
}

func TestEveryKnownFailureIsHeld(t *testing.T) {
	texts, tests := textFiles(t, ".go", ".md"), make(map[string]string)
	for _, s := range tree(t) {
		if !s.test {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				tests[s.dir()+"."+f.Name.Name] = texts[s.path]
			}
		}
	}
	report(t, failureOffences(texts["docs/known-failures.md"], tests))
}

func TestFailureRulesCanFail(t *testing.T) {
	var full strings.Builder
	for n := 1; n <= knownFailures; n++ {
		fmt.Fprintf(&full, "| F%02d | x | `a/b.TestOne`, `c.TestTwo`; later: reuse (more) |\n", n)
	}
	one := strings.Join(slices.Collect(func(yield func(string) bool) {
		for n := 1; n <= knownFailures; n++ {
			if !yield(fmt.Sprintf("F%02d", n)) {
				return
			}
		}
	}), " ")
	tests := map[string]string{"a/b.TestOne": one, "c.TestTwo": ""}
	wants(t, failureOffences(full.String(), tests))
	for name, c := range map[string]struct{ line, want string }{
		"gone":    {"| F07 | x | `a/b.TestThree`, `a/b.TestOne` |", "there is no test a/b.TestThree"},
		"silent":  {"| F07 | x | `c.TestTwo` |", "no test of F07 names it"},
		"nothing": {"| F07 | x | by hand |", `held by "by hand"`},
		"whom":    {"| F07 | x | later: somebody |", `held by "later: somebody"`},
		"absent":  {"", "F07 has 0 rows"},
	} {
		text := strings.Replace(full.String(), "| F07 | x | `a/b.TestOne`, `c.TestTwo`; later: reuse (more) |", c.line, 1)
		if offences := failureOffences(text, tests); len(offences) != 1 || !strings.Contains(offences[0], c.want) {
			t.Errorf("%s: %q", name, offences)
		}
	}
}

// publishers are the files that may hold the words by which results are
// published.
var publishers = []string{"merge-ingest.yml", "recover-reused-ingest.yml"}

// TestF33OnlyTheMergePublishes: a run that anybody starts by hand, or for a
// fork, cannot replace what is published, since no other workflow holds the
// event names, the endpoint, or the credential for it.
func TestF33OnlyTheMergePublishes(t *testing.T) {
	settings, _ := config.Preset(config.PresetNewest)
	words := []string{"repository_dispatch", "/dispatches", settings.Publish.Event, settings.Publish.AgenticEvent, "PUBLISH"}
	workflows := textFiles(t, ".yml", ".yaml")
	found := 0
	for _, name := range slices.Sorted(maps.Keys(workflows)) {
		isWorkflow := strings.HasPrefix(name, ".github/workflows/") || strings.HasPrefix(name, "docs/examples/") || path.Base(name) == "action.yml"
		if !isWorkflow || slices.Contains(publishers, path.Base(name)) {
			continue
		}
		found++
		for _, word := range words {
			if strings.Contains(workflows[name], word) {
				t.Errorf("%s holds %s", name, word)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d workflows were looked at", found)
	}
	for _, s := range code(tree(t)) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok {
				if id, ok := lit.Type.(*ast.Ident); ok && id.Name == "SendPublication" && s.path != "app/bot/publication.go" {
					t.Errorf("%s makes a publication", s.at(lit.Pos()))
				}
			}
			return true
		})
	}
}
