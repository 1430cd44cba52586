package house

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// modulePath is the import path of the root of the main module.
const modulePath = "github.com/sweepbot/sweepbot"

// root is the root of the repository, seen from this package.
const root = "../.."

// source is one Go file.
type source struct {
	path  string // from the root, with slashes
	test  bool
	lines int
	fset  *token.FileSet
	file  *ast.File
}

func (s *source) dir() string { return path.Dir(s.path) }

// at returns path:line of a position in the file.
func (s *source) at(pos token.Pos) string {
	return fmt.Sprintf("%s:%d", s.path, s.fset.Position(pos).Line)
}

// calls returns the name under which the file knows an import, or "" if it
// does not import it.
func (s *source) calls(importPath string) string {
	for _, spec := range s.file.Imports {
		if importOf(spec) != importPath {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(importPath)
	}
	return ""
}

func importOf(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

// parseSource reads one Go file.
func parseSource(name string, text []byte) (*source, error) {
	s := &source{
		path:  name,
		test:  strings.HasSuffix(name, "_test.go"),
		lines: bytes.Count(text, []byte("\n")),
		fset:  token.NewFileSet(),
	}
	var err error
	s.file, err = parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	return s, err
}

// mustParse is parseSource for the examples of the tests.
func mustParse(t *testing.T, name, text string) *source {
	t.Helper()
	s, err := parseSource(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// skipped are directories that are not part of the source: built or fetched
// things, and test data, which has its own rules.
var skipped = map[string]bool{
	".git": true, "bin": true, "dist": true, ".sweepbot": true,
	"testdata": true, "vendor": true, "node_modules": true,
}

// walk calls visit for every file of the tree outside the skipped directories.
// Nested modules are visited only if nested is set.
func walk(nested bool, visit func(name string) error) error {
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return visit(filepath.ToSlash(rel))
		}
		if rel == "." {
			return nil
		}
		_, err = os.Stat(filepath.Join(p, "go.mod"))
		if skipped[d.Name()] || (err == nil && !nested) {
			return fs.SkipDir
		}
		return nil
	})
}

// loaded is the main module, parsed once.
var loaded = sync.OnceValues(func() ([]*source, error) {
	var sources []*source
	var broken []error
	err := walk(false, func(name string) error {
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		s, err := parseSource(name, text)
		if err != nil {
			broken = append(broken, err)
			return nil
		}
		sources = append(sources, s)
		return nil
	})
	return sources, errors.Join(append(broken, err)...)
})

// tree returns the Go files of the main module.
func tree(t *testing.T) []*source {
	t.Helper()
	sources, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

// code returns the files that are not tests.
func code(sources []*source) []*source {
	var out []*source
	for _, s := range sources {
		if !s.test {
			out = append(out, s)
		}
	}
	return out
}

// textFiles returns the content of all files with one of the extensions,
// nested modules included.
func textFiles(t *testing.T, extensions ...string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := walk(true, func(name string) error {
		for _, ext := range extensions {
			if path.Ext(name) != ext {
				continue
			}
			text, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				return err
			}
			files[name] = string(text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// report fails the test once for every offence.
func report(t *testing.T, offences []string) {
	t.Helper()
	for _, offence := range offences {
		t.Error(offence)
	}
}

// wants fails unless there is exactly one offence for each text, in order, and
// each contains its text.
func wants(t *testing.T, offences []string, texts ...string) {
	t.Helper()
	if len(offences) != len(texts) {
		t.Fatalf("got %d offences %q, want %d", len(offences), offences, len(texts))
	}
	for i, text := range texts {
		if !strings.Contains(offences[i], text) {
			t.Errorf("offence %q does not say %q", offences[i], text)
		}
	}
}
