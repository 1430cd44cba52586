package localrun

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Collection is what a folder of artifacts holds: its first table. It is not the
// table of results/report, which collected runs have: this one tells a folder
// of artifacts without a plan from a sweep by its journal while it still runs,
// and its JSON and CSV, with one line for a point and its status, are published.
type Collection struct {
	// HasPlan says that the folder names what was planned. Without it the
	// counts are of what is there.
	HasPlan bool
	Counts  Counts
	Lines   []Line
	// Findings are what is wrong with single files and rows. Nothing that
	// cannot be used is dropped without one.
	Findings diag.List
}

// Line is one line of the table: a measured concurrency or an eval, or a
// planned point that has neither.
type Line struct {
	Point, Family, Label string
	Artifact             string // where the numbers come from
	Canary               bool
	Status               Status
	// Throughput is in tokens per second and GPU, TTFT and E2EL are in
	// seconds, median where the row has one, else mean. Nil means not known.
	Throughput, TTFT, E2EL *float64
	// Task and Score are of evals.
	Task  string
	Score *float64
	Why   *diag.Finding
	id    identity
}

// Usable reports whether the collection may stand for a finished sweep: it
// holds results, nothing in it is refused, and every planned point passed. A
// collection of nothing is never green (known failure F45).
func (c *Collection) Usable() bool { return c.Counts.Green() && !c.Findings.Refused() }

// collector reads one folder.
type collector struct {
	root *os.Root
	base string // the folder of artifacts, "." or "artifacts"
	out  *Collection
	// results by identity; the line of an invalid row is not among them.
	results map[string]*Line
	order   []*Line
	invalid map[string]*diag.Finding // identities that have an unusable row
}

// Collect reads the artifacts below a folder, as a download of an Actions run
// or a local sweep leaves them (spec/results.md section 1). Everything in it is
// untrusted: sizes and numbers are bounded, links are not followed, and values
// that cannot be are refused one by one. keep, if not nil, limits the planned
// points. The error is for what cannot be read at all.
func Collect(dir string, keep map[string]bool) (*Collection, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, outside(err)
	}
	defer root.Close()
	c := &collector{root: root, base: ".", out: &Collection{}, results: make(map[string]*Line), invalid: make(map[string]*diag.Finding)}
	if info, err := root.Lstat("artifacts"); err == nil && info.IsDir() {
		c.base = "artifacts"
	}
	plan, err := c.plan()
	if err != nil {
		return nil, err
	}
	if err := c.artifacts(); err != nil {
		return nil, outside(err)
	}
	if plan == nil {
		c.withoutPlan()
	} else if err := c.withPlan(plan, keep); err != nil {
		return nil, err
	}
	if len(c.order) == 0 {
		c.refuse(diag.New("localrun.nothing-collected", diag.Place{File: dir}).In("empty"))
	}
	return c.out, nil
}

func (c *collector) refuse(f diag.Finding) { c.out.Findings = append(c.out.Findings, f) }

// plan reads plan.json, if there is one.
func (c *collector) plan() (*Plan, error) {
	data, err := readRegular(c.root, "plan.json", maxResultBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, outside(err)
	}
	doc, err := ordjson.Parse(data)
	if err != nil {
		return nil, diag.New("localrun.result-json", diag.Place{File: "plan.json"}, "detail", cut(diag.Printable(err.Error()), 200)).In("plan-document")
	}
	plan, err := ReadPlan(doc)
	if err != nil {
		return nil, placed(err, "plan.json")
	}
	return plan, nil
}

// kind says what an artifact holds, by its name.
func kind(name string) string {
	switch {
	case name == "results_bmk":
		return "aggregate"
	case strings.HasPrefix(name, "bmk_"):
		return "rows"
	case name == "eval_results_all" || strings.HasPrefix(name, "eval_server_logs_") || strings.HasPrefix(name, "eval_gpu_metrics_"):
		return ""
	case strings.HasPrefix(name, "eval_"):
		return "eval"
	}
	return ""
}

// artifacts reads every artifact that holds results. The rows of the aggregate
// are those of the points once more: it counts only where there are no points.
func (c *collector) artifacts() error {
	entries, err := readFolder(c.root, c.base)
	if err != nil {
		return err
	}
	points := false
	for _, e := range entries {
		points = points || e.IsDir() && kind(e.Name()) == "rows"
	}
	for _, e := range entries {
		name := path.Join(c.base, e.Name())
		what := kind(e.Name())
		switch {
		case what == "" || what == "aggregate" && points:
			continue
		case e.Type()&fs.ModeSymlink != 0 || !e.IsDir():
			c.refuse(diag.New("localrun.not-a-folder", diag.Place{File: name}))
			continue
		case what == "eval":
			err = c.eval(name, e.Name())
		default:
			err = c.rows(name, e.Name())
		}
		if err != nil {
			var f diag.Finding
			if !errors.As(err, &f) {
				return err
			}
			c.refuse(f)
		}
	}
	return c.flat()
}

// flat reads rows that lie directly in the folder: a single artifact is often
// unpacked that way.
func (c *collector) flat() error {
	if c.base != "." {
		return nil
	}
	names, err := glob(c.root, "agg_*.json")
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := c.file(name, name); err != nil {
			return err
		}
	}
	return nil
}

// rows reads every JSON file of an artifact.
func (c *collector) rows(folder, artifact string) error {
	t := &tree{root: c.root, refuse: c.refuse, visit: func(name string, _ int64) error {
		if path.Ext(name) != ".json" {
			return nil
		}
		return c.file(name, artifact)
	}}
	return t.walk(folder, 0)
}

// file reads one file of rows: an object, or a list of them.
func (c *collector) file(name, artifact string) error {
	data, err := readRegular(c.root, name, maxResultBytes)
	if err != nil {
		return c.orRefuse(err)
	}
	v, err := parseDocument(data)
	if err != nil {
		c.refuse(diag.New("localrun.result-json", diag.Place{File: name}, "detail", cut(diag.Printable(err.Error()), 200)))
		return nil
	}
	if v.Kind == ordjson.Array {
		for i, row := range v.Items {
			c.row(row, name, artifact, "["+itoa(i)+"]")
		}
		return nil
	}
	c.row(v, name, artifact, "")
	return nil
}

// orRefuse keeps findings and returns other errors.
func (c *collector) orRefuse(err error) error {
	var f diag.Finding
	if !errors.As(err, &f) {
		return err
	}
	c.refuse(f)
	return nil
}

// row takes one row, or refuses it with everything that is wrong.
func (c *collector) row(row ordjson.Value, name, artifact, at string) {
	findings := checkRow(row, name)
	for i, f := range findings {
		f.Path = at
		findings[i] = f
		c.refuse(f)
	}
	line := measured(row)
	line.Artifact = artifact
	if len(findings) > 0 {
		c.invalid[line.id.key()] = &findings[0]
		c.order = append(c.order, nil) // there was something
		return
	}
	c.add(line, name)
}

// add takes a valid line. Two results of one identity are never merged.
func (c *collector) add(line *Line, name string) {
	key := line.id.key()
	if other := c.results[key]; other != nil {
		f := diag.New("localrun.result-twice", diag.Place{File: name}, "row", line.id.label(), "other", other.Artifact)
		c.refuse(f)
		c.invalid[key] = &f
		return
	}
	c.results[key] = line
	c.order = append(c.order, line)
}
