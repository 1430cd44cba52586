package house

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// module is one direct dependency of the main module. Its reason and its traps
// are in docs/dependencies.md.
type module struct {
	// homes are the rooms that may import it; nil is every room.
	homes []string
	// test marks modules that only tests import.
	test bool
}

// modules are the direct dependencies. A new one is a decision: enter it here
// and in docs/dependencies.md.
var modules = map[string]module{
	"gopkg.in/yaml.v3":            {homes: []string{"internal/yamlpos"}},
	"github.com/spf13/cobra":      {homes: []string{"cmd/sweepbot"}},
	"github.com/yuin/goldmark":    {homes: []string{"app/sandbox", "checks"}},
	"github.com/hmarr/codeowners": {homes: []string{"checks"}},
	"golang.org/x/sync":           {},
	"mvdan.cc/sh/v3":              {homes: []string{"recipe/shell"}},
	"golang.org/x/term":           {homes: []string{"cmd/sweepbot", "app/localrun"}},

	"github.com/google/go-github/v62":            {homes: []string{"app/ghapi"}},
	"github.com/bradleyfalzon/ghinstallation/v2": {homes: []string{"app/ghapi"}},
	"golang.org/x/oauth2":                        {homes: []string{"app/ghapi"}},
	"golang.org/x/time":                          {homes: []string{"app/ghapi"}},
	"github.com/sethvargo/go-githubactions":      {homes: []string{"app/actions"}},

	"modernc.org/sqlite":      {homes: []string{"app/store"}},
	"github.com/jackc/pgx/v5": {homes: []string{"app/store"}},

	"pgregory.net/rapid":                       {test: true},
	"github.com/google/go-cmp":                 {test: true},
	"github.com/rogpeppe/go-internal":          {test: true},
	"github.com/santhosh-tekuri/jsonschema/v6": {test: true},
}

// requirement is one line of go.mod.
type requirement struct {
	version  string
	indirect bool
}

var requireLine = regexp.MustCompile(`(?m)^(?:require )?\s*([\w.\-]+\.[\w.\-]+/\S+) (v\S+)(.*)$`)

// required reads the modules that go.mod requires.
func required(gomod string) map[string]requirement {
	all := make(map[string]requirement)
	for _, m := range requireLine.FindAllStringSubmatch(gomod, -1) {
		all[m[1]] = requirement{m[2], strings.Contains(m[3], "// indirect")}
	}
	return all
}

// moduleOf returns the listed module that holds an import, or "".
func moduleOf(importPath string) string {
	best := ""
	for name := range modules {
		if (importPath == name || strings.HasPrefix(importPath, name+"/")) && len(name) > len(best) {
			best = name
		}
	}
	return best
}

// external reports whether an import is neither of the standard library nor of
// the main module.
func external(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	_, own := inModule(importPath)
	return strings.Contains(first, ".") && !own
}

// moduleOffences holds the imports of other modules against the list.
func moduleOffences(sources []*source) []string {
	var offences []string
	for _, s := range sources {
		for _, spec := range s.file.Imports {
			p := importOf(spec)
			if !external(p) {
				continue
			}
			if why := moduleOffence(s, p); why != "" {
				offences = append(offences, fmt.Sprintf("%s: %s %s", s.at(spec.Pos()), p, why))
			}
		}
	}
	return offences
}

func moduleOffence(s *source, importPath string) string {
	name := moduleOf(importPath)
	m := modules[name]
	switch {
	case name == "":
		return "is of no listed module: enter it in modules_test.go and docs/dependencies.md"
	case s.test || plan[roomOf(s.dir())].proof:
		return ""
	case m.test:
		return "is for tests only"
	case m.homes != nil && !slices.Contains(m.homes, roomOf(s.dir())):
		return "belongs to " + strings.Join(m.homes, ", ")
	}
	return ""
}

func TestModulesAreListedAndAtHome(t *testing.T) {
	report(t, moduleOffences(tree(t)))
}

func TestModuleRuleCanFail(t *testing.T) {
	wants(t, moduleOffences([]*source{
		mustParse(t, "matrix/a.go", "package matrix\nimport \"example.org/x/y\"\n"),
		mustParse(t, "matrix/b.go", "package matrix\nimport \"gopkg.in/yaml.v3\"\n"),
		mustParse(t, "matrix/c.go", "package matrix\nimport \"pgregory.net/rapid\"\n"),
		mustParse(t, "matrix/c_test.go", "package matrix\nimport \"pgregory.net/rapid\"\n"),
		mustParse(t, "internal/yamlpos/a.go", "package yamlpos\nimport \"gopkg.in/yaml.v3\"\n"),
	}), "is of no listed module", "belongs to internal/yamlpos", "is for tests only")
}

// imported returns the listed modules that the code or its tests import.
func imported(sources []*source) map[string]bool {
	used := make(map[string]bool)
	for _, s := range sources {
		for _, spec := range s.file.Imports {
			used[moduleOf(importOf(spec))] = true
		}
	}
	return used
}

// listOffences compares the list, what is imported, go.mod and the table of
// the documentation.
func listOffences(used map[string]bool, gomod, docs string) []string {
	var offences []string
	requirements := required(gomod)
	for name, r := range requirements {
		if _, ok := modules[name]; !ok && !r.indirect {
			offences = append(offences, "go.mod requires "+name+", which is not listed in modules_test.go")
		}
	}
	for name := range modules {
		version := requirements[name].version
		switch {
		case !used[name]:
			offences = append(offences, "modules_test.go lists "+name+", which nothing imports")
		case version == "":
			offences = append(offences, "go.mod does not require "+name)
		case !strings.Contains(docs, "| `"+name+"` | "+version+" |"):
			offences = append(offences, "docs/dependencies.md has no row for "+name+" "+version)
		}
	}
	slices.Sort(offences)
	return offences
}

func TestModuleListMatchesGoModAndDocs(t *testing.T) {
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	docs, err := os.ReadFile(filepath.Join(root, "docs/dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	report(t, listOffences(imported(tree(t)), string(gomod), string(docs)))
}

func TestListRuleCanFail(t *testing.T) {
	used := make(map[string]bool)
	gomod := "module m\n\ngo 1.26\n\nrequire example.org/one v1.0.0\n\nrequire (\n"
	docs := ""
	for name := range modules {
		used[name] = name != "pgregory.net/rapid"
		docs += "| `" + name + "` | v1.2.3 | why |\n"
		if name != "github.com/google/go-cmp" {
			gomod += "\t" + name + " v1.2.3\n"
		}
	}
	gomod += "\texample.org/two v0.1.0 // indirect\n)\n"
	docs = strings.Replace(docs, "| `gopkg.in/yaml.v3` | v1.2.3", "| `gopkg.in/yaml.v3` | v1.0.0", 1)
	wants(t, listOffences(used, gomod, docs),
		"no row for gopkg.in/yaml.v3 v1.2.3", "go.mod does not require github.com/google/go-cmp",
		"go.mod requires example.org/one", "lists pgregory.net/rapid, which nothing imports")
}
