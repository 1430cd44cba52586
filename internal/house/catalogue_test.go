package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// text is one entry of the catalogue as written in its source.
type text struct {
	at     string
	fields map[string]string
}

// catalogueDir is the package that holds the texts.
const catalogueDir = "internal/catalog"

// literal returns the value of a string constant written as one or several
// joined literals.
func literal(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		if x.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(x.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, okA := literal(x.X)
		b, okB := literal(x.Y)
		return a + b, x.Op == token.ADD && okA && okB
	case *ast.ParenExpr:
		return literal(x.X)
	}
	return "", false
}

// texts reads the entries of the tables ([]Text literals) of the catalogue.
func texts(sources []*source) []text {
	var all []text
	for _, s := range code(sources) {
		if s.dir() != catalogueDir {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || !isTextTable(lit.Type) {
				return true
			}
			for _, e := range lit.Elts {
				if entry, ok := e.(*ast.CompositeLit); ok {
					all = append(all, text{s.at(entry.Pos()), stringFields(entry)})
				}
			}
			return false
		})
	}
	return all
}

func isTextTable(e ast.Expr) bool {
	array, ok := e.(*ast.ArrayType)
	if !ok {
		return false
	}
	name, ok := array.Elt.(*ast.Ident)
	return ok && name.Name == "Text"
}

// columns are the fields of a Text in the order of their declaration.
var columns = []string{"Code", "EN", "ENMend", "ZH", "ZHMend"}

// stringFields reads a Text, with or without field names.
func stringFields(lit *ast.CompositeLit) map[string]string {
	fields := make(map[string]string)
	for i, e := range lit.Elts {
		name := columns[min(i, len(columns)-1)]
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				name = key.Name
			}
			e = kv.Value
		}
		fields[name], _ = literal(e)
	}
	return fields
}

var (
	codeForm    = regexp.MustCompile(`^[a-z][a-z0-9]*\.[a-z0-9]+(?:-[a-z0-9]+)*$`)
	placeholder = regexp.MustCompile(`\{(\w+)\}`)
)

// placeholders returns the names of the arguments that a text shows.
func placeholders(parts ...string) []string {
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(strings.Join(parts, " "), -1) {
		names = append(names, m[1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// textOffences checks every entry: the form of its code, both languages, and
// that they show the same arguments.
func textOffences(entries []text) []string {
	var offences []string
	seen := make(map[string]string)
	for _, e := range entries {
		for _, why := range entryOffences(e.fields) {
			offences = append(offences, fmt.Sprintf("%s: %s %s", e.at, e.fields["Code"], why))
		}
		if first, ok := seen[e.fields["Code"]]; ok {
			offences = append(offences, fmt.Sprintf("%s: %s is already at %s", e.at, e.fields["Code"], first))
		}
		seen[e.fields["Code"]] = e.at
	}
	return offences
}

func entryOffences(f map[string]string) []string {
	var why []string
	if !codeForm.MatchString(f["Code"]) {
		why = append(why, "is not of the form room.kebab-rule")
	}
	if f["EN"] == "" {
		why = append(why, "has no English text")
	}
	for _, name := range []string{"ZH", "ZHMend"} {
		english := f[strings.Replace(name, "ZH", "EN", 1)]
		switch {
		case (f[name] == "") != (english == ""):
			why = append(why, "has "+name+" in one language only")
		case english != "" && !strings.ContainsFunc(f[name], isHan):
			why = append(why, "has no Chinese in "+name)
		case !slices.Equal(placeholders(f[name]), placeholders(english)):
			why = append(why, "shows other arguments in "+name+" than in English")
		}
	}
	return why
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// tableOffences finds tables of the catalogue that are not in its list.
func tableOffences(sources []*source) []string {
	defined := make(map[string]string)
	var listed []string
	for _, s := range code(sources) {
		if s.dir() != catalogueDir {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			lit, ok := spec.Values[0].(*ast.CompositeLit)
			switch {
			case ok && isTextTable(lit.Type):
				defined[spec.Names[0].Name] = s.at(spec.Pos())
			case ok && spec.Names[0].Name == "tables":
				for _, e := range lit.Elts {
					if name, ok := e.(*ast.Ident); ok {
						listed = append(listed, name.Name)
					}
				}
			}
			return true
		})
	}
	var offences []string
	for _, name := range slices.Sorted(maps.Keys(defined)) {
		if !slices.Contains(listed, name) {
			offences = append(offences, defined[name]+": "+name+" is not in tables (catalog.go)")
		}
	}
	return offences
}

// usage is what the code does with the catalogue.
type usage struct {
	literals map[string]bool     // every string literal
	codes    map[string][]string // literals that can only be codes -> places
	calls    []call
}

// call is a finding made from literals only.
type call struct {
	at, code string
	args     []string
}

// uses reads the string literals of all rooms but the catalogue.
func uses(sources []*source, entries []text) usage {
	u := usage{literals: make(map[string]bool), codes: make(map[string][]string)}
	prefixes := make(map[string]bool)
	for _, e := range entries {
		prefix, _, _ := strings.Cut(e.fields["Code"], ".")
		prefixes[prefix] = true
	}
	for _, s := range code(sources) {
		if s.dir() == catalogueDir {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.BasicLit:
				u.addLiteral(s, x, prefixes)
			case *ast.CallExpr:
				u.addCall(s, x)
			}
			return true
		})
	}
	return u
}

// has reports whether the code names a text, in full or by the first words of
// a family ("config.key-" + name).
func (u *usage) has(code string) bool {
	if u.literals[code] {
		return true
	}
	for i := strings.IndexByte(code, '.') + 1; i < len(code); i++ {
		if code[i] == '-' && u.literals[code[:i+1]] {
			return true
		}
	}
	return false
}

// addLiteral keeps a literal. Those of the form room.two-words, in the room
// itself, are taken for codes: they are no file names, and the dotted paths of
// settings, which look the same, are at home in config.
func (u *usage) addLiteral(s *source, lit *ast.BasicLit, prefixes map[string]bool) {
	value, ok := literal(lit)
	if !ok {
		return
	}
	u.literals[value] = true
	prefix, rule, _ := strings.Cut(value, ".")
	if prefixes[prefix] && strings.HasPrefix(s.file.Name.Name, prefix) && codeForm.MatchString(value) && strings.Contains(rule, "-") {
		u.codes[value] = append(u.codes[value], s.at(lit.Pos()))
	}
}

// addCall keeps a call of diag.New whose code is a literal.
func (u *usage) addCall(s *source, x *ast.CallExpr) {
	if !isNew(s, x) {
		return
	}
	value, ok := literal(x.Args[0])
	if !ok {
		return
	}
	u.codes[value] = append(u.codes[value], s.at(x.Pos()))
	if x.Ellipsis != token.NoPos {
		return
	}
	c := call{at: s.at(x.Pos()), code: value}
	for i := 2; i < len(x.Args); i += 2 {
		name, ok := literal(x.Args[i])
		if !ok {
			return
		}
		c.args = append(c.args, name)
	}
	u.calls = append(u.calls, c)
}

func isNew(s *source, x *ast.CallExpr) bool {
	if len(x.Args) < 2 {
		return false
	}
	if name, ok := x.Fun.(*ast.Ident); ok {
		return name.Name == "New" && s.dir() == "internal/diag"
	}
	sel, ok := x.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "New" {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == s.calls(modulePath+"/internal/diag")
}

// usageOffences compares what the code says with what the catalogue has:
// unknown codes, codes nobody uses, and texts that show an argument which the
// finding does not give.
func usageOffences(sources []*source) []string {
	entries := texts(sources)
	u := uses(sources, entries)
	byCode := make(map[string]text)
	var offences []string
	for _, e := range entries {
		if _, ok := byCode[e.fields["Code"]]; !ok {
			byCode[e.fields["Code"]] = e
		}
		if !u.has(e.fields["Code"]) {
			offences = append(offences, fmt.Sprintf("%s: nobody uses %s", e.at, e.fields["Code"]))
		}
	}
	for _, code := range slices.Sorted(maps.Keys(u.codes)) {
		if _, ok := byCode[code]; !ok {
			offences = append(offences, fmt.Sprintf("%s: %s is not in the catalogue", u.codes[code][0], code))
		}
	}
	for _, c := range u.calls {
		f := byCode[c.code].fields
		for _, name := range placeholders(f["EN"], f["ENMend"]) {
			if !slices.Contains(c.args, name) {
				offences = append(offences, fmt.Sprintf("%s: %s shows {%s}, which is not given here", c.at, c.code, name))
			}
		}
	}
	return offences
}

func TestCatalogueIsWhole(t *testing.T) {
	report(t, textOffences(texts(tree(t))))
	report(t, tableOffences(tree(t)))
}

func TestCatalogueMatchesTheCode(t *testing.T) {
	report(t, usageOffences(tree(t)))
}

func TestCatalogueRulesCanFail(t *testing.T) {
	sources := []*source{
		mustParse(t, catalogueDir+"/catalog.go", "package catalog\nvar tables = [][]Text{aTexts}\n"),
		mustParse(t, catalogueDir+"/a.go", `package catalog
var aTexts = []Text{
	{Code: "a.good-one", EN: "it " + "is {x}", ENMend: "do {y}", ZH: "是 {x}", ZHMend: "做 {y}"},
	{Code: "a.no-zh", EN: "it is"},
	{Code: "a.not-chinese", EN: "it is", ZH: "it is"},
	{Code: "a.other-argument", EN: "it is {x}", ZH: "是 {y}"},
	{"a.good-one", "it is", "do", "是", ""},
	{"a.family-one", "it is", "", "是", ""},
	{Code: "Bad", ZH: "是"},
}
`),
		mustParse(t, catalogueDir+"/b.go", "package catalog\nvar bTexts = []Text{}\n"),
		mustParse(t, "a/a.go", `package a
import "`+modulePath+`/internal/diag"
var (
	one = diag.New("a.good-one", place, "x", x)
	two = diag.New("a.unknown", place)
	three = refuse("a.not-known")
	four = "a.yml"
	family = "a.family-" + name
	five = []string{"a.no-zh", "a.not-chinese", "a.other-argument"}
)
`),
	}
	wants(t, textOffences(texts(sources)),
		"a.no-zh has ZH in one language only", "a.not-chinese has no Chinese in ZH", "a.other-argument shows other arguments in ZH",
		"a.good-one has ZHMend in one language only", "a.good-one is already at",
		"Bad is not of the form", "Bad has no English", "Bad has ZH in one")
	wants(t, tableOffences(sources), "bTexts is not in tables")
	wants(t, usageOffences(sources), "nobody uses Bad",
		"a.not-known is not in the catalogue", "a.unknown is not in the catalogue",
		"a.good-one shows {y}, which is not given here")
}
