package main

import (
	"io"
	"sort"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/stale"
)

// printer writes lines until one fails.
type printer struct {
	s   *streams
	err error
}

// line writes one line; nothing in it is obeyed by a terminal.
func (p *printer) line(text string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.s.out, diag.Printable(text)+"\n")
	}
}

// text is a text of the catalogue.
func (p *printer) text(code string, args ...string) string {
	return catalog.Message(p.s.lang, code, args...)
}

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// pointName names a row for people.
func pointName(p stale.Point) string {
	concs := make([]string, len(p.Row.Conc))
	for i, c := range p.Row.Conc {
		concs[i] = strconv.FormatInt(c, 10)
	}
	name := p.Row.Config.Key + " " + p.Row.Bucket() + " " + p.Row.ExpName + " c" + strings.Join(concs, "x")
	if p.Row.EvalOnly {
		name += " eval"
	}
	return name
}

// changeLine is one difference as a line, like a diff.
func changeLine(c recipe.Change) string {
	name := strings.TrimSpace(c.Role + " " + string(c.Of) + " " + c.Name)
	switch c.Kind {
	case recipe.Added:
		return "+ " + name + valueOf(c.To) + at(c.ToPlace)
	case recipe.Removed:
		return "- " + name + valueOf(c.From) + at(c.FromPlace)
	case recipe.Changed:
		return "~ " + name + ": " + recipe.Display(c.From) + " -> " + recipe.Display(c.To) + at(c.ToPlace)
	}
	return "? " + name + at(c.ToPlace)
}

func valueOf(text string) string {
	if text == "" || text == "true" {
		return ""
	}
	return " = " + recipe.Display(text)
}

func at(p diag.Place) string {
	if p.File == "" {
		return ""
	}
	p.Column = 0
	return "  (" + p.String() + ")"
}

// renderDiff prints changed rows, those with equal differences together, then
// how many there are of each kind.
func renderDiff(p *printer, points []stale.Point) {
	s := p.s
	groups, order := make(map[string][]stale.Point), []string{}
	counts := make(map[stale.Verdict]int)
	for _, point := range points {
		counts[point.Verdict]++
		if point.Verdict == stale.Same || point.Verdict == stale.Closure {
			continue
		}
		key := string(point.Verdict) + "\n" + changesText(s, point)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], point)
	}
	for _, key := range order {
		list := groups[key]
		for i, point := range list {
			if i == maxNamed && len(list) > maxNamed+1 {
				p.line(p.text("recipe.more-rows", "count", strconv.Itoa(len(list)-i)))
				break
			}
			p.line(pointName(point))
		}
		for _, text := range strings.Split(key, "\n") {
			if text != "" {
				p.line("  " + text)
			}
		}
		p.line("")
	}
	p.line(countsText(p, counts))
}

// maxNamed is up to how many rows of equal differences are named.
const maxNamed = 6

// changesText is what became of a row.
func changesText(s *streams, point stale.Point) string {
	var lines []string
	for _, c := range point.Changes {
		lines = append(lines, changeLine(c))
	}
	for _, q := range point.Why {
		lines = append(lines, "! "+catalog.Message(s.lang, q.Code, q.Args...)+at(q.Place))
	}
	return strings.Join(lines, "\n")
}

// verdictCodes are the texts that count verdicts, in the order of a summary.
var verdictCodes = []struct {
	verdict stale.Verdict
	code    string
}{
	{stale.Same, "recipe.count-same"}, {stale.Closure, "recipe.count-closure"}, {stale.Changed, "recipe.count-changed"},
	{stale.Unknown, "recipe.count-unknown"}, {stale.New, "recipe.count-new"}, {stale.Gone, "recipe.count-gone"},
}

func countsText(p *printer, counts map[stale.Verdict]int) string {
	var parts []string
	for _, v := range verdictCodes {
		if n := counts[v.verdict]; n > 0 {
			parts = append(parts, p.text(v.code, "count", strconv.Itoa(n)))
		}
	}
	if len(parts) == 0 {
		return p.text("recipe.no-rows")
	}
	return strings.Join(parts, ", ")
}

// pointDocument is the verdict on a row as machines read it.
type pointDocument struct {
	Key     string            `json:"key"`
	Row     string            `json:"row"`
	Conc    []int64           `json:"conc"`
	Eval    bool              `json:"eval"`
	Verdict stale.Verdict     `json:"verdict"`
	Changes []changeDocument  `json:"changes"`
	Files   []recipe.File     `json:"files"`
	Why     []questionPrinted `json:"why"`
}

type changeDocument struct {
	Kind  recipe.ChangeKind `json:"kind"`
	Role  string            `json:"role"`
	Of    recipe.Kind       `json:"of"`
	Name  string            `json:"name"`
	From  string            `json:"from"`
	To    string            `json:"to"`
	Place string            `json:"place"`
}

type questionPrinted struct {
	Code  string `json:"code"`
	Text  string `json:"text"`
	Place string `json:"place"`
}

// documentOf has one element for every row, then one without a row for every
// config that cannot be read.
func documentOf(c comparison, lang catalog.Language) []pointDocument {
	out := make([]pointDocument, len(c.points), len(c.points)+len(c.unread))
	for i, p := range c.points {
		d := pointDocument{Key: p.Row.Config.Key, Row: p.Row.ExpName, Conc: p.Row.Conc, Eval: p.Row.EvalOnly, Verdict: p.Verdict,
			Changes: []changeDocument{}, Files: append([]recipe.File{}, p.Files...), Why: questionsOf(p.Why, lang)}
		for _, c := range p.Changes {
			place := c.ToPlace
			if place.File == "" {
				place = c.FromPlace
			}
			d.Changes = append(d.Changes, changeDocument{c.Kind, c.Role, c.Of, c.Name, recipe.Display(c.From), recipe.Display(c.To), place.String()})
		}
		out[i] = d
	}
	for _, u := range c.unread {
		out = append(out, pointDocument{Key: u.Key, Conc: []int64{}, Verdict: stale.Unknown, Changes: []changeDocument{}, Files: []recipe.File{},
			Why: questionsOf(stale.QuestionsOf(u), lang)})
	}
	return out
}

func questionsOf(list []recipe.Question, lang catalog.Language) []questionPrinted {
	out := []questionPrinted{}
	for _, q := range list {
		out = append(out, questionPrinted{q.Code, catalog.Message(lang, q.Code, q.Args...), q.Place.String()})
	}
	return out
}
