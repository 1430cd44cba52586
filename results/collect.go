package results

import (
	"io"
	"math"
	"path"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/results/document"
)

// Rejected is a row that breaks the contract, and where it came from.
type Rejected struct {
	Source   string
	Problems []Problem
	Row      ordjson.Value
}

// Collection is the outcome of collecting benchmark rows (spec/results.md
// sections 8.1 to 8.3).
type Collection struct {
	// Accepted are the sources of the rows that were published, in their order.
	Accepted []string
	Rejected []Rejected
	// Findings hold one error for each rejected row or unreadable file, and one
	// when nothing was collected.
	Findings diag.List
}

// Failed reports whether the collecting job must be red although it published.
func (c Collection) Failed() bool { return c.Findings.Refused() }

// CollectBenchmarks reads every JSON file of a downloaded tree, at any depth,
// and writes agg_bmk.json: one row for each file, in the order of the paths,
// byte for byte as existing consumers get it. Rows that break the contract are
// set aside; unreadable files are findings and stop nothing. An empty collection
// fails unless the rules allow it: a collector that found nothing says nothing
// about the points. The error is only about writing.
func CollectBenchmarks(content archive.Content, out io.Writer, rules Rules) (Collection, error) {
	c := collector{out: out, rules: rules}
	for _, file := range content.Files() {
		if path.Ext(file.Name) != ".json" {
			continue
		}
		if err := c.file(content, file); err != nil {
			return c.result, err
		}
	}
	return c.finish()
}

type collector struct {
	out    io.Writer
	rules  Rules
	buf    []byte
	result Collection
}

func (c *collector) refuse(f diag.Finding) { c.result.Findings = append(c.result.Findings, f) }

func (c *collector) file(content archive.Content, file archive.File) error {
	data, err := readFile(content, file, c.rules.RowBytes)
	if err != nil {
		c.refuse(unreadable(file.Name, err))
		return nil
	}
	row, err := document.Parse(data, document.Options{NonFinite: true})
	if err != nil {
		c.refuse(unreadable(file.Name, err))
		return nil
	}
	if problems := c.rules.problems(row); len(problems) > 0 {
		c.reject(file.Name, row, problems)
		return nil
	}
	if c.rules.RowContract {
		row = stamped(row)
	}
	return c.accept(file.Name, row)
}

// problems are what keeps a row from being published: any offence against the
// contract, or without it what concerns identity and metrics, where values are
// held against bounds at all.
func (r Rules) problems(row ordjson.Value) []Problem {
	switch {
	case r.RowContract:
		return CheckRow(row, r.Bounds)
	case r.Bounds != (Bounds{}):
		return tolerated(row, CheckRow(row, r.Bounds))
	}
	return nil
}

func (c *collector) reject(source string, row ordjson.Value, problems []Problem) {
	c.result.Rejected = append(c.result.Rejected, Rejected{Source: source, Problems: problems, Row: row})
	c.refuse(problemFinding(source, problems))
}

func (c *collector) accept(source string, row ordjson.Value) error {
	c.result.Accepted = append(c.result.Accepted, source)
	return c.write(row)
}

// CollectEvals makes the rows of agg_eval_all.json from a downloaded tree and
// writes them, by the rules of CollectBenchmarks. The sources are those of the
// rows: the chosen result files.
func CollectEvals(content archive.Content, out io.Writer, rules Rules) (Collection, error) {
	c := collector{out: out, rules: rules}
	rows, list, err := EvalRows(content, rules)
	c.result.Findings = list
	if err != nil {
		return c.result, err
	}
	for _, row := range rows {
		source := sourceOf(row)
		if problems := CheckEvalRow(row); rules.RowContract && len(problems) > 0 {
			c.reject(source, row, problems)
			continue
		}
		if err := c.accept(source, row); err != nil {
			return c.result, err
		}
	}
	return c.finish()
}

// finish judges an empty collection and ends the file.
func (c *collector) finish() (Collection, error) {
	if len(c.result.Accepted) == 0 && !c.rules.EmptyCollection {
		c.refuse(diag.New("results.collection-empty", diag.Place{}))
	}
	return c.result, c.close()
}

// stamped puts the version of the contract before the other fields.
func stamped(row ordjson.Value) ordjson.Value {
	const name = "result_schema_version"
	if _, ok := row.Get(name); ok {
		return row
	}
	return ordjson.Map(append([]ordjson.Member{{Name: name, Value: ordjson.Int(contractVersion)}}, row.Members...)...)
}

func (c *collector) write(row ordjson.Value) error {
	open := ",\n  "
	if len(c.result.Accepted) == 1 {
		open = "[\n  "
	}
	c.buf = document.AppendIndented(append(c.buf[:0], open...), row, 1)
	_, err := c.out.Write(c.buf)
	return err
}

func (c *collector) close() error {
	end := "\n]"
	if len(c.result.Accepted) == 0 {
		end = "[]"
	}
	_, err := io.WriteString(c.out, end)
	return err
}

// problemFinding is the annotation of a rejected row: all its problems in one
// line.
func problemFinding(source string, problems []Problem) diag.Finding {
	text := ""
	for i, p := range problems {
		if i > 0 {
			text += "; "
		}
		text += p.Field + ": " + p.Text
	}
	return diag.New("results.row-rejected", diag.Place{File: source}, "problems", text)
}

// RejectedDocument is the file rejected_rows.json. Numbers that are not finite
// are spelled as texts there.
func (c Collection) RejectedDocument() ordjson.Value {
	out := ordjson.List()
	for _, r := range c.Rejected {
		problems := ordjson.List()
		for _, p := range r.Problems {
			problems.Items = append(problems.Items, ordjson.Map(
				ordjson.Member{Name: "type", Value: ordjson.Str(p.Type)},
				ordjson.Member{Name: "loc", Value: ordjson.Strs([]string{p.Field})},
				ordjson.Member{Name: "msg", Value: ordjson.Str(p.Text)}))
		}
		out.Items = append(out.Items, ordjson.Map(
			ordjson.Member{Name: "source", Value: ordjson.Str(r.Source)},
			ordjson.Member{Name: "errors", Value: problems},
			ordjson.Member{Name: "row", Value: finiteOnly(r.Row)}))
	}
	return out
}

// finiteOnly spells numbers that are not finite as texts.
func finiteOnly(v ordjson.Value) ordjson.Value {
	switch v.Kind {
	case ordjson.Array:
		items := make([]ordjson.Value, len(v.Items))
		for i := range v.Items {
			items[i] = finiteOnly(v.Items[i])
		}
		return ordjson.List(items...)
	case ordjson.Object:
		members := make([]ordjson.Member, len(v.Members))
		for i, m := range v.Members {
			members[i] = ordjson.Member{Name: m.Name, Value: finiteOnly(m.Value)}
		}
		return ordjson.Map(members...)
	}
	if f, ok := document.Number(v); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return ordjson.Str(document.Float(f).Text)
	}
	return v
}
