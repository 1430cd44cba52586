package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

// whatChanged names what changed in a few words.
func whatChanged(c *currency) string {
	var fresh, fields, files []string
	for _, p := range c.changed {
		if p.isNew {
			fresh = append(fresh, concTexts(p.row.Conc))
		}
		if len(decidedOf(p.changes)) == 0 {
			for _, name := range p.fields {
				fields = append(fields, quoted(name))
			}
		}
		files = append(files, p.files...)
	}
	var words []string
	for _, f := range factsOf(c) {
		if text := f.name(); !slices.Contains(words, text) {
			words = append(words, text)
		}
	}
	words = append(words, unique(fields)...)
	if fresh = inOrder(fresh); len(fresh) > 0 {
		words = append(words, series(fresh, 4)+verb(len(fresh), " was not measured", " were not measured"))
	}
	for _, f := range unique(append(files, c.files...)) {
		words = append(words, quoted(f))
	}
	return joined(words, ", ", 4)
}

// inOrder drops what is there twice.
func inOrder(list []string) []string {
	var out []string
	for _, item := range list {
		if !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}

// details says which points changed and in what, unless the words before have
// said it all: one fact of every point.
func (s *sweepCheck) details(c *currency) string {
	var names []string
	points, known := 0, 0
	for _, p := range c.changed {
		if !isEvalRow(p.row) {
			points += len(p.row.Conc)
			names = append(names, s.pointName(p.row))
		}
		if !p.isNew && len(p.changes)+len(p.fields) > 0 {
			known++
		}
	}
	facts := factsOf(c)
	switch {
	case len(c.changed) == 0:
		return "Whether the points would be measured alike can't be told."
	case known == 0, len(facts) <= 1 && points == c.points:
		return ""
	}
	text := fmt.Sprintf("Of %s, %d changed", count(c.points, "point", "points"), points)
	switch {
	case points == 0:
		text = "Only evals changed"
	case points < c.points:
		text += " (" + joined(inOrder(names), ", ", 4) + ")"
	}
	var said []string
	for _, f := range facts {
		one := f.text()
		if f.n > 0 && f.n < points {
			one += fmt.Sprintf(" (%s)", joined(f.points, ", ", 3))
		}
		said = append(said, one)
	}
	if len(said) > 0 {
		text += ": " + joined(said, "; ", 3)
	}
	return text + "."
}

// pointName names a row within the pull request.
func (s *sweepCheck) pointName(row *matrix.Row) string {
	if len(s.affected.Keys) > 1 {
		return row.Config.Key + " " + concTexts(row.Conc)
	}
	return concTexts(row.Conc)
}

// isEvalRow reports whether a row only evaluates.
func isEvalRow(row *matrix.Row) bool { return row.EvalOnly }

// changedFact is a difference that roles and points share.
type changedFact struct {
	label, from, to string
	roles           []string
	points          []string // by concurrency, without evals
	rows            []*matrix.Row
	n               int // points, without evals
}

// factsOf are the differences of all changed points, alike ones joined, those of
// most points first.
func factsOf(c *currency) []*changedFact {
	var out []*changedFact
	for _, p := range c.changed {
		for _, ch := range decidedOf(p.changes) {
			f := changedFact{label: labelOf(ch), from: recipe.Display(ch.From), to: recipe.Display(ch.To)}
			f.from, f.to = onlyDifferent(f.from, f.to)
			i := slices.IndexFunc(out, func(o *changedFact) bool { return o.label == f.label && o.from == f.from && o.to == f.to })
			if i < 0 {
				i = len(out)
				out = append(out, &f)
			}
			if ch.Role != "" && ch.Role != recipe.RoleAggregate && !slices.Contains(out[i].roles, ch.Role) {
				out[i].roles = append(out[i].roles, ch.Role)
			}
			out[i].count(p.row)
		}
	}
	slices.SortStableFunc(out, func(a, b *changedFact) int { return b.n - a.n })
	return out
}

// count adds a point that the fact is about.
func (f *changedFact) count(row *matrix.Row) {
	if isEvalRow(row) || slices.Contains(f.rows, row) {
		return
	}
	f.rows, f.n = append(f.rows, row), f.n+len(row.Conc)
	if name := concTexts(row.Conc); !slices.Contains(f.points, name) {
		f.points = append(f.points, name)
	}
}

// decidedOf are the changes that are certain.
func decidedOf(list []recipe.Change) []recipe.Change {
	return slices.DeleteFunc(slices.Clone(list), func(ch recipe.Change) bool { return ch.Kind == recipe.Undecided })
}

// onlyDifferent leaves of two objects the members that differ.
func onlyDifferent(from, to string) (string, string) {
	a, errA := ordjson.Parse([]byte(from))
	b, errB := ordjson.Parse([]byte(to))
	if errA != nil || errB != nil || a.Kind != ordjson.Object || b.Kind != ordjson.Object {
		return from, to
	}
	var before, after []ordjson.Member
	for _, m := range a.Members {
		if other, ok := b.Get(m.Name); !ok || other.String() != m.Value.String() {
			before = append(before, m)
		}
	}
	for _, m := range b.Members {
		if other, ok := a.Get(m.Name); !ok || other.String() != m.Value.String() {
			after = append(after, m)
		}
	}
	if len(before) == 1 && len(after) == 1 && before[0].Name == after[0].Name {
		return plainText(before[0].Value), plainText(after[0].Value)
	}
	return ordjson.Map(before...).String(), ordjson.Map(after...).String()
}

func plainText(v ordjson.Value) string {
	if v.Kind == ordjson.String || v.Kind == ordjson.Literal {
		return v.Text
	}
	return v.String()
}

// factWords name facts as people do.
var factWords = map[string]string{
	"kv-transfer-config": "KV connector", "disaggregation-transfer-backend": "KV connector", "connector": "KV connector", "kv-connector": "KV connector",
	"kv-cache-dtype": "KV cache type", "kv-cache-config.dtype": "KV cache type", "tensor-parallel-size": "tensor parallelism",
	"speculative-config": "speculation", "quantization": "quantisation",
}

// labelOf names what differs.
func labelOf(ch recipe.Change) string {
	name, ok := factWords[ch.Name]
	switch {
	case ok:
		return name
	case ch.Of == recipe.KindImage:
		return "image"
	case ch.Name == "":
		return string(ch.Of)
	}
	return quoted(ch.Name)
}

// name is the fact with its roles.
func (f *changedFact) name() string {
	if len(f.roles) == 0 {
		return f.label
	}
	roles := slices.Clone(f.roles)
	slices.SortStableFunc(roles, func(a, b string) int { return roleRank(a) - roleRank(b) })
	return series(roles, 4) + " " + f.label
}

func roleRank(role string) int {
	if i := slices.Index([]string{recipe.RolePrefill, recipe.RoleDecode, recipe.RoleFrontend}, role); i >= 0 {
		return i
	}
	return 3
}

// text is the fact with both values.
func (f *changedFact) text() string {
	shown := func(value string) string {
		if value == "" {
			return "none"
		}
		return quoted(firstBytes(value, 60))
	}
	return fmt.Sprintf("%s %s -> %s", f.name(), shown(f.from), shown(f.to))
}

// firstBytes cuts a value at a character.
func firstBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

// quotedList are paths as a sentence lists them.
func quotedList(names []string, limit int) string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoted(name)
	}
	return joined(out, ", ", limit)
}
