package results

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/results/document"
)

// Tree is a set of downloaded artifacts: one folder for each, named like it
// (spec/reuse.md section 8).
type Tree struct{ folders []TreeFolder }

// TreeFolder is one artifact of a tree.
type TreeFolder struct {
	Name    string
	Content archive.Content
}

// NewTree returns a tree of folders with distinct names.
func NewTree(folders ...TreeFolder) Tree {
	folders = slices.Clone(folders)
	slices.SortFunc(folders, func(a, b TreeFolder) int { return strings.Compare(a.Name, b.Name) })
	return Tree{folders}
}

// OpenTree opens the folders directly below the root of fsys. A folder that
// breaks a limit, or holds links, is a finding and left out; files beside the
// folders are passed over.
func OpenTree(fsys fs.FS, limits archive.Limits) (Tree, diag.List, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return Tree{}, nil, err
	}
	var folders []TreeFolder
	var list diag.List
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		content, err := archive.OpenFolder(fsys, e.Name(), limits)
		if err != nil {
			list = append(list, refusal(e.Name(), err))
			continue
		}
		folders = append(folders, TreeFolder{e.Name(), content})
	}
	return NewTree(folders...), list, nil
}

func (t Tree) folder(name string) (TreeFolder, bool) {
	i, ok := slices.BinarySearchFunc(t.folders, name, func(f TreeFolder, name string) int { return strings.Compare(f.Name, name) })
	if !ok {
		return TreeFolder{}, false
	}
	return t.folders[i], true
}

// jsonFiles lists the JSON files of a folder: all of them, or those at its top.
func (f TreeFolder) jsonFiles(deep bool) []archive.File {
	if f.Content == nil {
		return nil
	}
	var out []archive.File
	for _, file := range f.Content.Files() {
		if path.Ext(file.Name) == ".json" && (deep || !strings.Contains(file.Name, "/")) {
			out = append(out, file)
		}
	}
	return out
}

// TreeError is one reason why a tree can't be reused. Code is that of spec/
// reuse.md section 8; Args follow the code there, texts and numbers as text.
type TreeError struct {
	Code string
	Args []TreeArg
}

// TreeArg is one argument: a text, or a number.
type TreeArg struct {
	Text     string
	Number   int64
	IsNumber bool
}

// String returns the argument as text.
func (a TreeArg) String() string {
	if a.IsNumber {
		return strconv.FormatInt(a.Number, 10)
	}
	return a.Text
}

func treeError(code string, args ...any) TreeError {
	e := TreeError{Code: code}
	for _, arg := range args {
		switch v := arg.(type) {
		case string:
			e.Args = append(e.Args, TreeArg{Text: v})
		case int64:
			e.Args = append(e.Args, TreeArg{Number: v, IsNumber: true})
		}
	}
	return e
}

// Finding is the error as a finding.
func (e TreeError) Finding() diag.Finding {
	var args []string
	place := diag.Place{}
	for i, a := range e.Args {
		args = append(args, "arg"+strconv.Itoa(i+1), a.String())
	}
	if len(e.Args) > 0 && strings.HasPrefix(e.Code, "eval-") {
		place.File = e.Args[0].Text
	}
	return diag.New("results.tree-"+e.Code, place, args...).In(e.Code)
}

// TreeReport is the outcome of checking a tree.
type TreeReport struct {
	// Errors are sorted; none means that the tree can be reused.
	Errors []TreeError
	// Fixed, Agentic and Evals count distinct identities after collapsing.
	Fixed, Agentic, Evals int
	Collapse              Collapse
}

// Findings are the errors as findings.
func (r TreeReport) Findings() diag.List {
	var list diag.List
	for _, e := range r.Errors {
		list = append(list, e.Finding())
	}
	return list
}

// CheckTree holds a downloaded tree against the rules of reuse: repeated evals
// are collapsed first, then all errors are collected (spec/reuse.md section 8).
// The tree itself is not changed; the report says what has to be. The error is
// about reading.
func CheckTree(t Tree, rules Rules) (TreeReport, error) {
	c := treeChecker{tree: t, rules: rules}
	for _, step := range []func() error{c.loadEvals, c.collapse, c.fixed, c.agentic, c.evals} {
		if err := step(); err != nil {
			return c.report, err
		}
	}
	if c.report.Fixed+c.report.Agentic+c.report.Evals == 0 {
		c.fail("no-rows")
	}
	slices.SortFunc(c.report.Errors, compareTreeErrors)
	return c.report, nil
}

func compareTreeErrors(a, b TreeError) int {
	return cmp.Or(strings.Compare(a.Code, b.Code), slices.CompareFunc(a.Args, b.Args, func(x, y TreeArg) int {
		return cmp.Or(cmp.Compare(x.Number, y.Number), strings.Compare(x.Text, y.Text))
	}))
}

type treeChecker struct {
	tree   Tree
	rules  Rules
	raw    []rawEval
	rows   []aggregateFile
	report TreeReport
}

func (c *treeChecker) fail(code string, args ...any) {
	c.report.Errors = append(c.report.Errors, treeError(code, args...))
}

// benchmarkRows gives the rows of a benchmark file: one object, or the objects
// of a list. A file that can't be read is an error of the report.
func (c *treeChecker) benchmarkRows(f TreeFolder, file archive.File, yield func(row ordjson.Value)) error {
	in, err := f.Content.Open(file.Name)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = document.Stream(in, c.rules.RowBytes, func(data []byte) error {
		row, err := document.Parse(data, document.Options{NonFinite: true, LastWins: true})
		if err == nil && row.Kind == ordjson.Object {
			yield(row)
		}
		return err
	})
	if err != nil {
		c.fail("benchmark-unreadable", path.Join(f.Name, file.Name))
	}
	return nil
}

func isAgenticRow(row ordjson.Value) bool {
	v, _ := row.Get("scenario_type")
	return v.Kind == ordjson.String && v.Text == string(Agentic)
}

// fixed checks the fixed-sequence rows of the aggregate.
func (c *treeChecker) fixed() error {
	folder, _ := c.tree.folder("results_bmk")
	found := make(tally)
	for _, file := range folder.jsonFiles(false) {
		err := c.benchmarkRows(folder, file, func(row ordjson.Value) {
			if !isAgenticRow(row) {
				found.add(FixedIdentity(row))
			}
		})
		if err != nil {
			return err
		}
	}
	c.duplicates("fixed-sequence", found)
	if stats, _ := c.tree.folder("run-stats"); len(found) > 0 && len(stats.jsonFiles(false)) == 0 {
		c.fail("run-stats-missing")
	}
	c.report.Fixed = len(found)
	return nil
}

// agentic checks the agentic points against the aggregate and their raw data.
func (c *treeChecker) agentic() error {
	points, aggregate := make(tally), make(tally)
	named := make(map[string]bool)
	for _, folder := range c.tree.folders {
		if KindOf(folder.Name) != AgenticPoint {
			continue
		}
		files := folder.jsonFiles(true)
		if len(files) > 0 {
			named[RawName(folder.Name)] = true
		}
		for _, file := range files {
			if err := c.agenticRows(folder, file, points); err != nil {
				return err
			}
		}
	}
	c.duplicates("agentic-point", points)
	if folder, ok := c.tree.folder("results_bmk"); ok {
		for _, file := range folder.jsonFiles(false) {
			if err := c.agenticRows(folder, file, aggregate); err != nil {
				return err
			}
		}
		c.duplicates("agentic-aggregate", aggregate)
		c.compare("agentic-aggregate", points, aggregate)
	}
	c.rawFolders(named)
	c.report.Agentic = len(points)
	return nil
}

func (c *treeChecker) agenticRows(f TreeFolder, file archive.File, into tally) error {
	return c.benchmarkRows(f, file, func(row ordjson.Value) {
		if isAgenticRow(row) {
			into.add(AgenticIdentity(row))
		}
	})
}

// rawFolders pairs the points with the folders of their raw data.
func (c *treeChecker) rawFolders(points map[string]bool) {
	for name := range points {
		if _, ok := c.tree.folder(name); !ok {
			c.fail("agentic-raw-missing", name)
		}
	}
	for _, folder := range c.tree.folders {
		if strings.HasPrefix(folder.Name, "agentic_") && !points[folder.Name] {
			c.fail("agentic-raw-unexpected", folder.Name)
		}
	}
}

// tally counts identities by key.
type tally map[string]int64

func (t tally) add(i Identity) { t[i.Key()]++ }

// duplicates reports the surplus of identities that occur more than once.
func (c *treeChecker) duplicates(kind string, found tally) {
	var surplus int64
	for _, n := range found {
		surplus += n - 1
	}
	if surplus > 0 {
		c.fail("duplicate", kind, surplus)
	}
}

// compare reports how many identities lack, and how many are beyond what is
// expected.
func (c *treeChecker) compare(kind string, expected, present tally) {
	count := func(these, others tally) (n int64) {
		for key := range these {
			if others[key] == 0 {
				n++
			}
		}
		return n
	}
	if n := count(expected, present); n > 0 {
		c.fail("missing", kind, n)
	}
	if n := count(present, expected); n > 0 {
		c.fail("unexpected", kind, n)
	}
}
