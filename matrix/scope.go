package matrix

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/spelling"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// path is where a value stands inside its config; it becomes text only when a
// finding needs it.
type path struct {
	up    *path
	name  string
	index int
}

func (p *path) key(name string) *path { return &path{up: p, name: name, index: -1} }
func (p *path) item(i int) *path      { return &path{up: p, index: i} }

func (p *path) String() string {
	if p == nil {
		return ""
	}
	last := p.name
	if p.index >= 0 {
		last = strconv.Itoa(p.index)
	}
	if up := p.up.String(); up != "" {
		return up + "." + last
	}
	return last
}

// decoder validates one document and collects every finding.
type decoder struct {
	rules    config.Matrix
	limits   config.Limits
	former   bool
	file     string
	category string // of schema findings
	list     diag.List
	// found counts all findings; list ends at most.
	found, most int

	// used and known are stacks that the open scopes share: whether each field
	// of their mappings was read, and the names asked for.
	used  []bool
	known []string
}

// Of the findings about one config, or about a runner file, no more than
// maxFindings are kept, and fewer where a file has very many configs. Hostile
// files would otherwise produce them by the million.
const (
	maxFindings     = 200
	maxFileFindings = 100_000
)

func newDecoder(file, category string, rules Rules) *decoder {
	return &decoder{rules: rules.Matrix, limits: rules.Limits, former: rules.former, file: file, category: category, most: maxFindings}
}

func (d *decoder) intForm() intForm {
	if d.rules.LenientTypes {
		return intLenient
	}
	return intStrict
}

func (d *decoder) find(code string, v *yamlpos.Value, at *path, args ...string) diag.Finding {
	return diag.New(code, v.Place(d.file), args...).In(d.category).At(at.String())
}

func (d *decoder) add(code string, v *yamlpos.Value, at *path, args ...string) {
	if d.full() {
		d.found++
		return
	}
	d.keep(d.find(code, v, at, args...))
}

func (d *decoder) full() bool { return len(d.list) >= d.most }

func (d *decoder) keep(f diag.Finding) {
	d.found++
	if !d.full() {
		d.list = append(d.list, f)
	}
}

// scope reads the fields of one mapping and knows which ones were read, so
// that the rest can be refused.
type scope struct {
	*decoder
	v  *yamlpos.Value
	at *path
	// firstUsed and firstKnown are where this scope's part of the decoder's
	// stacks begins.
	firstUsed, firstKnown int
	// hidden are the names found only in their underscore spelling.
	hidden []string
}

// open starts reading a mapping; ok is false, with a finding, for any other
// kind.
func (d *decoder) open(v *yamlpos.Value, at *path) (s *scope, ok bool) {
	if v.Kind != yamlpos.Mapping {
		d.add("matrix.wrong-type", v, at, "want", "mapping", "got", v.Kind.String())
		return nil, false
	}
	s = &scope{decoder: d, v: v, at: at, firstUsed: len(d.used), firstKnown: len(d.known)}
	for range v.Fields {
		d.used = append(d.used, false)
	}
	return s, true
}

// take returns the value under name, nil when absent. With underscore keys
// allowed it also finds that spelling, and marks the name as hidden from the
// expansion.
func (s *scope) take(name string) *yamlpos.Value {
	s.known = append(s.known, name)
	if v := s.lookup(name); v != nil {
		return v
	}
	if s.rules.UnderscoreKeys && strings.Contains(name, "-") {
		if v := s.lookup(strings.ReplaceAll(name, "-", "_")); v != nil {
			s.hidden = append(s.hidden, name)
			return v
		}
	}
	return nil
}

func (s *scope) lookup(name string) *yamlpos.Value {
	for i := range s.v.Fields {
		if key := s.v.Fields[i].Key; key.Kind == yamlpos.String && key.Text == name {
			s.used[s.firstUsed+i] = true
			return s.v.Fields[i].Value
		}
	}
	return nil
}

// need returns the value under name; absence is a finding.
func (s *scope) need(name string) *yamlpos.Value {
	v := s.take(name)
	if v == nil {
		s.add("matrix.missing-field", s.v, s.at.key(name), "field", name)
	}
	return v
}

// close refuses every field that was not read.
func (s *scope) close() {
	for i, f := range s.v.Fields {
		if s.used[s.firstUsed+i] {
			continue
		}
		if s.full() {
			s.found++
			continue
		}
		code, suggestion := "matrix.unknown-field", nearest(f.Key.Text, s.known[s.firstKnown:])
		if suggestion != "" {
			code = "matrix.unknown-field-near"
		}
		s.add(code, f.Key, s.at.key(f.Key.Text), "field", f.Key.Text, "suggestion", suggestion)
	}
	s.decoder.used, s.decoder.known = s.used[:s.firstUsed], s.known[:s.firstKnown]
}

// nearest returns the known name closest to text, or "" when none is close.
func nearest(text string, known []string) string {
	text = strings.ReplaceAll(strings.ToLower(text), "_", "-")
	if len(text) > 40 {
		return ""
	}
	return spelling.Nearest(text, known, 2)
}

func (s *scope) wrong(v *yamlpos.Value, name, want string) {
	s.add("matrix.wrong-type", v, s.at.key(name), "want", want, "got", v.Kind.String())
}

// text reads a string field. Numbers are never taken for strings.
func (s *scope) text(name string, v *yamlpos.Value) string {
	if v == nil {
		return ""
	}
	if v.Kind != yamlpos.String {
		s.wrong(v, name, "string")
		return ""
	}
	return v.Text
}

// filled reads a string field that must not be empty.
func (s *scope) filled(name string, v *yamlpos.Value) string {
	text := s.text(name, v)
	if v != nil && v.Kind == yamlpos.String && text == "" {
		s.add("matrix.empty-string", v, s.at.key(name), "field", name)
	}
	return text
}

// optional returns nil for null as well as for absence.
func optional(v *yamlpos.Value) *yamlpos.Value {
	if v.IsNull() {
		return nil
	}
	return v
}

// maxInteger bounds every integer of a config, so that sums and products of
// lengths and sizes stay numbers.
const maxInteger = 1<<31 - 1

// integer checks an integer field and returns its source value, or nil when
// it is absent or wrong.
func (s *scope) integer(name string, v *yamlpos.Value, form intForm) *yamlpos.Value {
	if v == nil {
		return nil
	}
	n, ok, whole := asInt(v, form)
	switch {
	case ok && (n > maxInteger || n < -maxInteger):
		s.add("matrix.number-too-large", v, s.at.key(name), "field", name, "value", v.Text, "limit", strconv.Itoa(maxInteger))
		return nil
	case ok:
		return v
	case !whole && form == intLenient:
		s.add("matrix.fraction", v, s.at.key(name), "field", name, "value", v.Text)
	default:
		s.wrong(v, name, "integer")
	}
	return nil
}

// size checks a strict integer greater than zero, absent meaning the default.
func (s *scope) size(name string) *yamlpos.Value {
	v := s.integer(name, s.take(name), intStrict)
	if v != nil && v.Int <= 0 {
		s.add("matrix.not-positive", v, s.at.key(name), "field", name, "value", v.Text)
		return nil
	}
	return v
}

// boolean checks a boolean field and returns its source value, or nil.
func (s *scope) boolean(name string, v *yamlpos.Value, lenient bool) *yamlpos.Value {
	if v == nil {
		return nil
	}
	if _, ok := asBool(v, lenient); !ok {
		s.wrong(v, name, "boolean")
		return nil
	}
	return v
}

// choice checks a string field against its allowed words.
func (s *scope) choice(name string, v *yamlpos.Value, allowed ...string) string {
	if v == nil {
		return ""
	}
	if v.Kind == yamlpos.String {
		for _, word := range allowed {
			if v.Text == word {
				return word
			}
		}
	}
	s.add("matrix.bad-value", v, s.at.key(name), "field", name, "value", v.Text, "allowed", strings.Join(allowed, ", "))
	return ""
}

// list checks that a field is a list and returns its items.
func (s *scope) list(name string, v *yamlpos.Value) []*yamlpos.Value {
	if v == nil {
		return nil
	}
	if v.Kind != yamlpos.Sequence {
		s.wrong(v, name, "list")
		return nil
	}
	return v.Items
}
