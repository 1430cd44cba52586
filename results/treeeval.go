package results

import (
	"path"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// rawEval is a raw eval folder of a tree, as collapsing leaves it.
type rawEval struct {
	evalFolder
	// files are the names results*.json, recognised or not.
	files []string
	// problems are the errors of the metadata; a folder with any contributes
	// nothing.
	problems []TreeError
	// concs are the concurrencies that contribute, 0 for an unbatched folder.
	concs   []int64
	removed bool
}

// aggregateFile is a file of the eval aggregate, as collapsing leaves it.
type aggregateFile struct {
	name string
	// readable and isList say what the file is; members counts all list members
	// before collapsing.
	readable, isList bool
	rows             []ordjson.Value
}

// configuration is the identity of what a folder ran at a concurrency.
func (r rawEval) configuration(conc int64, rules Rules) Identity {
	return EvalConfiguration(r.at(conc), rules)
}

// at is the metadata with one concurrency.
func (r rawEval) at(conc int64) ordjson.Value {
	if conc == 0 {
		return r.meta
	}
	return withMember(r.meta, "conc", ordjson.Int(conc))
}

// withMember returns a copy of an object with one member replaced or appended.
func withMember(v ordjson.Value, name string, value ordjson.Value) ordjson.Value {
	out := ordjson.Map(append([]ordjson.Member(nil), v.Members...)...)
	set(&out, name, value)
	return out
}

// loadEvals reads the raw folders and the aggregate.
func (c *treeChecker) loadEvals() error {
	for _, folder := range c.tree.folders {
		if KindOf(folder.Name) != RawEval {
			continue
		}
		loaded, err := loadEvalFolder(folder.Content, "", folder.Name, c.rules)
		if err != nil {
			return err
		}
		raw := rawEval{evalFolder: loaded}
		for _, file := range folder.jsonFiles(false) {
			if ok, _ := path.Match("results*.json", file.Name); ok {
				raw.files = append(raw.files, file.Name)
			}
		}
		raw.examine(c.rules)
		c.raw = append(c.raw, raw)
	}
	folder, _ := c.tree.folder("eval_results_all")
	for _, file := range folder.jsonFiles(false) {
		data, err := readFile(folder.Content, file, c.rules.FileBytes)
		if err != nil {
			return err
		}
		doc, err := document.Parse(data, document.Options{NonFinite: true, LastWins: true})
		c.rows = append(c.rows, aggregateFile{
			name: path.Base(file.Name), readable: err == nil, isList: err == nil && doc.Kind == ordjson.Array, rows: doc.Items,
		})
	}
	return nil
}

// examine finds the errors of the metadata and what the folder contributes.
func (r *rawEval) examine(rules Rules) {
	fail := func(code string, args ...any) {
		r.problems = append(r.problems, treeError(code, append([]any{r.name}, args...)...))
	}
	switch r.state {
	case metaAbsent:
		fail("eval-meta-missing")
		return
	case metaBroken:
		fail("eval-meta-unreadable")
		return
	case metaNoObject:
		fail("eval-meta-not-object")
		return
	}
	if rules.SoundEvals {
		r.examineStrictly(fail)
	} else {
		r.examineLeniently(fail)
	}
	if r.problems != nil {
		r.concs = nil
	}
}

// examineLeniently takes the completed concurrencies as they are.
func (r *rawEval) examineLeniently(fail func(code string, args ...any)) {
	if !r.batched() {
		r.concs = []int64{0}
		return
	}
	completed, _ := r.meta.Get("completed_eval_concs")
	if completed.Kind != ordjson.Array {
		fail("eval-batch-metadata-invalid")
		return
	}
	for _, v := range completed.Items {
		r.concs = append(r.concs, looseInt(v, 0))
	}
}

func (r *rawEval) examineStrictly(fail func(code string, args ...any)) {
	if suite, ok := r.meta.Get("eval_suite"); ok && (suite.Kind != ordjson.String || suite.Text == "") {
		fail("eval-suite-invalid")
	}
	if _, ok := r.meta.Get("eval_concs"); ok {
		r.examineBatch(fail)
		return
	}
	if conc, ok := intMember(r.meta, "conc"); !ok || conc <= 0 {
		fail("eval-legacy-conc-invalid")
	}
	r.concs = []int64{0}
}

// examineBatch holds the three lists of a batch against each other.
func (r *rawEval) examineBatch(fail func(code string, args ...any)) {
	names := []string{"eval_concs", "completed_eval_concs", "failed_eval_concs"}
	var concs [3][]int64
	lists := make([]ordjson.Value, len(names))
	for i, name := range names {
		v, ok := r.meta.Get(name)
		if !ok && i == 2 {
			v = ordjson.List()
		}
		if v.Kind != ordjson.Array {
			fail("eval-batch-metadata-invalid")
			return
		}
		lists[i] = v
	}
	sound := true
	for i, name := range names {
		list, ok := concList(lists[i])
		switch {
		case !ok:
			fail("eval-batch-field-invalid", name)
			sound = false
		case len(unique(list)) != len(list):
			fail("eval-batch-field-duplicate", name)
			sound = false
		}
		concs[i] = list
	}
	if sound {
		r.examineSets(concs[0], concs[1], concs[2], fail)
		r.concs = unique(concs[1])
	}
}

func (r *rawEval) examineSets(requested, completed, failed []int64, fail func(code string, args ...any)) {
	both := append(append([]int64(nil), completed...), failed...)
	for _, rule := range []struct {
		broken bool
		code   string
	}{
		{len(requested) == 0, "eval-batch-empty"},
		{len(completed) == 0, "eval-batch-none-completed"},
		{len(without(completed, requested)) > 0, "eval-batch-completed-unexpected"},
		{len(without(failed, requested)) > 0, "eval-batch-failed-unexpected"},
		{len(unique(both)) != len(both), "eval-batch-overlap"},
		{len(without(requested, both)) > 0, "eval-batch-unaccounted"},
		{len(failed) > 0, "eval-batch-has-failures"},
	} {
		if rule.broken {
			fail(rule.code)
		}
	}
}

// evals compares the raw results with the aggregate.
func (c *treeChecker) evals() error {
	raw := make(tally)
	for i := range c.raw {
		if !c.raw[i].removed {
			c.contribute(&c.raw[i], raw)
		}
	}
	c.duplicates("raw-eval", raw)
	c.report.Evals = len(raw)
	_, folder := c.tree.folder("eval_results_all")
	switch {
	case len(c.rows) > 0:
	case len(raw) > 0 || folder:
		c.fail("eval-aggregate-missing")
		return nil
	default:
		return nil
	}
	aggregate := c.aggregate()
	c.duplicates("eval-aggregate", aggregate)
	c.compare("eval-aggregate", raw, aggregate)
	return nil
}

// contribute adds the identities of a raw folder, or the errors that keep it
// from having any.
func (c *treeChecker) contribute(r *rawEval, into tally) {
	c.report.Errors = append(c.report.Errors, r.problems...)
	if c.rules.SoundEvals && r.problems == nil {
		c.strayResults(r)
	}
	for _, conc := range r.concs {
		if !c.rules.SoundEvals {
			into.add(EvalIdentity(r.at(conc), c.rules))
			continue
		}
		c.contributeResult(r, conc, into)
	}
}

// contributeResult adds one identity for each task of the newest result.
func (c *treeChecker) contributeResult(r *rawEval, conc int64, into tally) {
	result, ok := r.newest(conc)
	if !ok {
		if conc == 0 {
			c.fail("eval-no-result", r.name)
		} else {
			c.fail("eval-no-result", r.name, conc)
		}
		return
	}
	if reason := unsound(result.doc, c.rules); reason != "" {
		c.fail("eval-result-bad", r.name, result.name, reason)
		return
	}
	tasks, _ := result.doc.Get("results")
	for _, task := range tasks.Members {
		into.add(EvalIdentity(withMember(r.at(conc), "task", ordjson.Str(task.Name)), c.rules))
	}
}

// strayResults reports results of a batch that belong to no requested
// concurrency.
func (c *treeChecker) strayResults(r *rawEval) {
	if !r.batched() {
		return
	}
	requested, _ := r.meta.Get("eval_concs")
	for _, result := range r.results {
		switch {
		case result.conc == 0:
			c.fail("eval-batch-result-unsuffixed", r.name, result.name)
		case !containsInt(requested, result.conc):
			c.fail("eval-batch-result-unexpected-conc", r.name, result.name, result.conc)
		}
	}
}

// aggregate counts the identities of the aggregate and reports bad files and
// rows.
func (c *treeChecker) aggregate() tally {
	out := make(tally)
	members := 0
	for _, file := range c.rows {
		switch {
		case !file.readable:
			c.fail("eval-aggregate-unreadable", file.name)
		case !file.isList && c.rules.SoundEvals:
			c.fail("eval-aggregate-not-list", file.name)
		}
		if !file.isList {
			continue
		}
		members += len(file.rows)
		for _, row := range file.rows {
			c.aggregateRow(file.name, row, out)
		}
	}
	if members == 0 {
		c.fail("eval-aggregate-empty")
	}
	return out
}

func (c *treeChecker) aggregateRow(file string, row ordjson.Value, into tally) {
	if row.Kind != ordjson.Object {
		if c.rules.SoundEvals {
			c.fail("eval-aggregate-row-not-object", file)
		}
		return
	}
	if suite, ok := row.Get("eval_suite"); ok && c.rules.SoundEvals && (suite.Kind != ordjson.String || suite.Text == "") {
		c.fail("eval-aggregate-row-suite-invalid", file)
		return
	}
	into.add(EvalIdentity(row, c.rules))
}
