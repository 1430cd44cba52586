package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"testing"
)

// packageOffences finds packages without a package comment, and packages whose
// name says nothing.
func packageOffences(sources []*source) []string {
	documented := make(map[string]bool)
	var offences []string
	for _, s := range code(sources) {
		documented[s.dir()] = documented[s.dir()] || s.file.Doc != nil
		if slices.Contains(vague, s.file.Name.Name) {
			offences = append(offences, fmt.Sprintf("%s: %q says nothing; name the package after what it holds", s.path, s.file.Name.Name))
		}
	}
	for dir, ok := range documented {
		if !ok {
			offences = append(offences, "package "+dir+" has no package comment")
		}
	}
	slices.Sort(offences)
	return offences
}

// vague are names for packages that nobody could place.
var vague = []string{"util", "utils", "common", "helper", "helpers", "misc", "shared", "base", "lib"}

// commentOffences finds exported identifiers without a comment.
func commentOffences(sources []*source) []string {
	var offences []string
	for _, s := range code(sources) {
		for _, decl := range s.file.Decls {
			for _, name := range undocumented(decl) {
				offences = append(offences, fmt.Sprintf("%s: exported %s has no comment", s.at(name.Pos()), name.Name))
			}
		}
	}
	return offences
}

// undocumented returns the exported names of a declaration that no comment
// explains. The comment of a group of constants or variables covers its
// members.
func undocumented(decl ast.Decl) []*ast.Ident {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && onExported(d.Recv) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var names []*ast.Ident
		for _, spec := range d.Specs {
			names = append(names, undocumentedIn(d, spec)...)
		}
		return names
	}
	return nil
}

func undocumentedIn(d *ast.GenDecl, spec ast.Spec) []*ast.Ident {
	var names []*ast.Ident
	switch sp := spec.(type) {
	case *ast.TypeSpec:
		covered := sp.Doc != nil || (d.Doc != nil && d.Lparen == token.NoPos)
		if sp.Name.IsExported() && !covered {
			names = append(names, sp.Name)
		}
	case *ast.ValueSpec:
		if d.Doc != nil || sp.Doc != nil || sp.Comment != nil {
			return nil
		}
		for _, name := range sp.Names {
			if name.IsExported() {
				names = append(names, name)
			}
		}
	}
	return names
}

// onExported reports whether a receiver (nil for functions) is of an exported
// type.
func onExported(recv *ast.FieldList) bool {
	if recv == nil {
		return true
	}
	typ := recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

func TestPackagesHaveComments(t *testing.T) {
	report(t, packageOffences(tree(t)))
}

func TestExportedNamesHaveComments(t *testing.T) {
	report(t, commentOffences(tree(t)))
}

func TestCommentRulesCanFail(t *testing.T) {
	sources := []*source{
		mustParse(t, "a/a.go", "// Package a.\npackage a\n"),
		mustParse(t, "a/b.go", `package a
func F() {}
// G does.
func G() {}
type T struct{}
func (*T) M() {}
type u struct{}
func (u) M() {}
const C = 1
// A group.
const (
	D = 1
	E = 2
)
var (
	V = 1 // explained
	W = 2
)
`),
		mustParse(t, "b/b.go", "package util\n"),
		mustParse(t, "b/b_test.go", "// Package util.\npackage util\nfunc X() {}\n"),
	}
	wants(t, commentOffences(sources), "exported F", "exported T", "exported M", "exported C", "exported W")
	wants(t, packageOffences(sources), `"util" says nothing`, "package b has no package comment")
}
