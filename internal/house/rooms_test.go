package house

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// room is one line of the plan of the house. A room imports only rooms of a
// lower floor, and those of its own floor that are named as neighbours.
type room struct {
	floor      int
	neighbours []string
	// tools are standard packages that the room may import although they
	// reach outside the process and the room is below the app floor.
	tools []string
	// proof marks rooms that exist for tests; nobody imports them outside of
	// tests.
	proof bool
}

// appFloor is the lowest floor that may reach outside the process.
const appFloor = 60

// plan names every room. A package belongs to the room with the longest name
// that contains it; one that belongs to none has to be entered here first.
var plan = map[string]room{
	".":                 {floor: 0},
	"internal/catalog":  {floor: 0},
	"internal/diag":     {floor: 1},
	"internal/argv":     {floor: 2},
	"internal/pattern":  {floor: 0},
	"internal/yamlpos":  {floor: 2},
	"internal/ordjson":  {floor: 2},
	"internal/scratch":  {floor: 2, tools: []string{"os", "syscall"}},
	"internal/spelling": {floor: 0},
	"internal/gitrepo":  {floor: 2, tools: []string{"os", "os/exec", "syscall"}},

	"config":    {floor: 10},
	"changelog": {floor: 10},
	"labels":    {floor: 20},
	"matrix":    {floor: 20},
	"recipe":    {floor: 30},
	"results":   {floor: 30, neighbours: []string{"recipe"}},
	"reuse":     {floor: 40},
	"checks":    {floor: 50},

	"recipe/shell": {floor: 25},

	"app/bot":      {floor: appFloor},
	"app/hook":     {floor: appFloor, neighbours: []string{"app/bot"}},
	"app/ghapi":    {floor: appFloor, neighbours: []string{"app/bot"}},
	"app/actions":  {floor: appFloor, neighbours: []string{"app/bot"}},
	"app/localrun": {floor: appFloor},
	"app/store":    {floor: appFloor},
	"app/collect":  {floor: appFloor + 2},
	"app/sandbox":  {floor: appFloor},
	"app/actrun":   {floor: appFloor + 2},
	"app/jobs":     {floor: appFloor + 5},
	"app/serve":    {floor: appFloor + 5},
	"app/story":    {floor: appFloor + 5, neighbours: []string{"app/serve"}},
	"cmd/sweepbot": {floor: 70},

	"app/chaos":            {floor: 80, proof: true},
	"internal/conformance": {floor: 80, proof: true},
	"internal/contract":    {floor: 80, proof: true},
	"internal/house":       {floor: 80, proof: true},
	"internal/workflows":   {floor: 80, proof: true},
}

// roomOf returns the name of the room that a package directory belongs to, or
// "".
func roomOf(dir string) string {
	for name := dir; ; {
		if _, ok := plan[name]; ok {
			return name
		}
		cut := strings.LastIndexByte(name, '/')
		if cut < 0 {
			return ""
		}
		name = name[:cut]
	}
}

// inModule returns the directory of an import of the main module.
func inModule(importPath string) (dir string, ok bool) {
	if importPath == modulePath {
		return ".", true
	}
	return strings.CutPrefix(importPath, modulePath+"/")
}

// mayImport reports whether the room called from may import the one called to.
func mayImport(from, to string, test bool) bool {
	if from == to {
		return true
	}
	a, b := plan[from], plan[to]
	if b.proof {
		return a.proof && test
	}
	return b.floor < a.floor || slices.Contains(a.neighbours, to)
}

// floorOffences holds the imports between rooms against the plan.
func floorOffences(sources []*source) []string {
	var offences []string
	strangers := make(map[string]bool)
	for _, s := range sources {
		from := roomOf(s.dir())
		if from == "" && !strangers[s.dir()] {
			strangers[s.dir()] = true
			offences = append(offences, fmt.Sprintf("package %s belongs to no room: enter it in the plan (rooms_test.go)", s.dir()))
		}
		if from == "" {
			continue
		}
		for _, spec := range s.file.Imports {
			dir, ok := inModule(importOf(spec))
			to := roomOf(dir)
			if ok && to != "" && !mayImport(from, to, s.test) {
				offences = append(offences, fmt.Sprintf("%s: %s may not import %s", s.at(spec.Pos()), from, to))
			}
		}
	}
	return offences
}

func TestRoomsImportOnlyLowerFloors(t *testing.T) {
	report(t, floorOffences(tree(t)))
}

func TestFloorRuleCanFail(t *testing.T) {
	file := func(name, imports string) *source {
		return mustParse(t, name, "package x\nimport \""+modulePath+"/"+imports+"\"\n")
	}
	wants(t, floorOffences([]*source{
		file("changelog/a.go", "config"),
		file("matrix/a.go", "app/bot"),
		file("app/bot/a.go", "app/ghapi"),
		file("util/a.go", "config"),
		file("util/b.go", "config"),
		file("internal/diag/sub/a.go", "internal/yamlpos"),
		file("matrix/b.go", "internal/house"),
		file("matrix/fine.go", "config"),
		file("app/hook/fine.go", "app/bot"),
	}),
		"changelog/a.go:2: changelog may not import config",
		"matrix may not import app/bot",
		"app/bot may not import app/ghapi",
		"package util belongs to no room",
		"internal/diag may not import internal/yamlpos",
		"matrix may not import internal/house",
	)
}

// outside are standard packages that reach out of the process, or make two
// runs on the same input differ.
var outside = []string{
	"net", "net/http", "net/rpc", "net/smtp", "os", "os/exec", "os/signal", "os/user", "plugin", "syscall", "unsafe",
	"math/rand", "math/rand/v2", "crypto/rand", "database/sql", "log", "log/slog", "expvar", "testing",
}

// clock are the functions of package time that look at the clock.
var clock = []string{
	"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker",
}

// environment are the functions of package os that read the environment.
var environment = []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}

// purityOffences finds what rooms below the app floor must not do: reach
// outside, look at the clock, or register themselves in init.
func purityOffences(sources []*source) []string {
	var offences []string
	for _, s := range code(sources) {
		r, ok := plan[roomOf(s.dir())]
		if !ok || r.floor >= appFloor {
			continue
		}
		for _, spec := range s.file.Imports {
			p := importOf(spec)
			if reaches(p) && !slices.Contains(r.tools, p) {
				offences = append(offences, fmt.Sprintf("%s: %s is below app and may not import %s", s.at(spec.Pos()), s.dir(), p))
			}
			if spec.Name != nil && spec.Name.Name == "." {
				offences = append(offences, fmt.Sprintf("%s: a dot import hides what is used", s.at(spec.Pos())))
			}
		}
		offences = append(offences, selectorOffences(s, "time", clock)...)
		if !slices.Contains(r.tools, "os/exec") { // a started process needs an environment
			offences = append(offences, selectorOffences(s, "os", environment)...)
		}
		offences = append(offences, initOffences(s)...)
	}
	return offences
}

func reaches(importPath string) bool {
	return slices.Contains(outside, importPath) ||
		strings.HasPrefix(importPath, "net/http/") || strings.HasPrefix(importPath, "database/sql/")
}

// selectorOffences finds uses of the named functions of a package.
func selectorOffences(s *source, importPath string, names []string) []string {
	local := s.calls(importPath)
	if local == "" {
		return nil
	}
	var offences []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || !slices.Contains(names, sel.Sel.Name) {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == local {
			offences = append(offences, fmt.Sprintf("%s: %s may not use %s.%s", s.at(sel.Pos()), s.dir(), importPath, sel.Sel.Name))
		}
		return true
	})
	return offences
}

func initOffences(s *source) []string {
	var offences []string
	for _, decl := range s.file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			offences = append(offences, fmt.Sprintf("%s: func init hides work from the reader", s.at(f.Pos())))
		}
	}
	return offences
}

func TestRoomsBelowAppArePure(t *testing.T) {
	report(t, purityOffences(tree(t)))
}

func TestPurityRuleCanFail(t *testing.T) {
	wants(t, purityOffences([]*source{
		mustParse(t, "matrix/a.go", "package matrix\nimport (\n\"net/http\"\n\"os\"\nclock \"time\"\n)\nfunc init() {}\n"+
			"var a, b = clock.Now, os.Getenv\nvar c clock.Duration\n"),
		mustParse(t, "internal/gitrepo/a.go", "package gitrepo\nimport (\n\"net\"\n\"os\"\n\"os/exec\"\n)\nvar a = os.Environ\n"),
		mustParse(t, "matrix/a_test.go", "package matrix\nimport \"os\"\n"),
		mustParse(t, "app/bot/a.go", "package bot\nimport \"os\"\n"),
	}),
		"may not import net/http", "may not import os", "may not use time.Now", "may not use os.Getenv", "func init",
		"internal/gitrepo is below app and may not import net",
	)
}
