package house

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// The house numbers, in lines. Tests are not counted.
const (
	maxFile      = 450
	maxFunction  = 100
	p99Function  = 80
	halfFunction = 12
)

// function is the length of one function declaration.
type function struct {
	name  string
	lines int
}

// functions returns every function declaration, longest first.
func functions(sources []*source) []function {
	var all []function
	for _, s := range code(sources) {
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			from, to := s.fset.Position(f.Pos()).Line, s.fset.Position(f.End()).Line
			all = append(all, function{s.at(f.Pos()) + ": " + f.Name.Name, to - from + 1})
		}
	}
	slices.SortStableFunc(all, func(a, b function) int { return b.lines - a.lines })
	return all
}

// sizeOffences compares files and functions with the house numbers.
func sizeOffences(sources []*source) []string {
	var offences []string
	for _, s := range code(sources) {
		if s.lines > maxFile {
			offences = append(offences, fmt.Sprintf("%s has %d lines, more than %d", s.path, s.lines, maxFile))
		}
	}
	all := functions(sources)
	if len(all) == 0 {
		return offences
	}
	if median := all[len(all)/2].lines; median > halfFunction {
		offences = append(offences, fmt.Sprintf("the median function has %d lines, more than %d", median, halfFunction))
	}
	tail := len(all) / 100
	if p99 := all[tail].lines; p99 > p99Function {
		var names []string
		for _, f := range all[:tail+1] {
			names = append(names, fmt.Sprintf("%s (%d)", f.name, f.lines))
		}
		offences = append(offences, fmt.Sprintf("more than one function in a hundred has over %d lines: %s", p99Function, strings.Join(names, ", ")))
	}
	for _, f := range all {
		if f.lines > maxFunction {
			offences = append(offences, fmt.Sprintf("%s has %d lines, more than %d", f.name, f.lines, maxFunction))
		}
	}
	return offences
}

func TestFilesAndFunctionsAreShort(t *testing.T) {
	report(t, sizeOffences(tree(t)))
	if all := functions(tree(t)); len(all) > 0 {
		t.Logf("%d functions: median %d lines, p99 %d, longest %d",
			len(all), all[len(all)/2].lines, all[len(all)/100].lines, all[0].lines)
	}
}

func TestSizeRuleCanFail(t *testing.T) {
	long := "package a\nfunc long() {\n" + strings.Repeat("\n", maxFile) + "}\n"
	wants(t, sizeOffences([]*source{mustParse(t, "a/a.go", long)}),
		"a/a.go has 453 lines", "the median function has 452 lines", "over 80 lines: a/a.go:2: long (452)", "a/a.go:2: long has 452 lines")
	wants(t, sizeOffences([]*source{mustParse(t, "a/a_test.go", long)}))
}
