package yamlpos

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Options says how strictly a document is read.
type Options struct {
	// LastKeyWins accepts a repeated mapping key and keeps the last value at
	// the first position, as the reference does silently. Default: refuse,
	// naming both lines.
	LastKeyWins bool
	// NoMerge refuses the merge key "<<", as the strict changelog gate does.
	// Default: apply it.
	NoMerge bool
	// FirstLine is the line number of the first line of data, for text that
	// was cut out of a file. Default: 1.
	FirstLine int
}

// Bounds on what a document may unfold to. An alias bomb of a few hundred
// bytes would otherwise cost minutes (spec/security.md S41).
const (
	maxDepth     = 128
	maxExpansion = 1 << 20 // values reached through aliases
)

// Parse reads one document. An empty document is a null value. The error is a
// diag.Finding of category "yaml-invalid".
func Parse(file string, data []byte, opt Options) (*Value, error) {
	v, _, err := parse(file, data, opt)
	return v, err
}

// parse also returns the names of the anchors that the document defines.
func parse(file string, data []byte, opt Options) (v *Value, anchors []string, err error) {
	if v, ok := readFast(data, opt); ok {
		return v, nil, nil
	}
	return parseFull(file, data, opt)
}

// parseFull reads every form of YAML, and finds what is wrong with a text.
func parseFull(file string, data []byte, opt Options) (v *Value, anchors []string, err error) {
	if f := checkCharacters(file, data); f != nil {
		return nil, nil, shift(f, opt)
	}
	if f := checkDialect(file, data); f != nil {
		return nil, nil, shift(f, opt)
	}
	root, bad := decode(file, data)
	if bad != nil {
		return nil, nil, shift(bad, opt)
	}
	if root == nil {
		return &Value{Pos: Pos{Line: max(1, opt.FirstLine), Column: 1}}, nil, nil
	}
	b := builder{file: file, opt: opt, budget: maxExpansion}
	if v, bad = b.value(root, 0); bad != nil {
		return nil, nil, *bad
	}
	for name := range b.names {
		anchors = append(anchors, name)
	}
	return v, anchors, nil
}

func shift(f *diag.Finding, opt Options) diag.Finding {
	if opt.FirstLine > 1 && f.Line > 0 {
		f.Line += opt.FirstLine - 1
	}
	return *f
}

// decode runs the underlying parser and makes sure that there is no second
// document. A nil node means an empty document.
func decode(file string, data []byte) (root *yaml.Node, f *diag.Finding) {
	defer func() {
		// The parser reports its own errors by panic and recovers them; one
		// that escapes is a fault of the parser on hostile input, and must
		// refuse this input instead of ending the program.
		if p := recover(); p != nil {
			root, f = nil, refuse("yaml.syntax", file, 0, 0, "detail", fmt.Sprint(p))
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, syntax(file, err)
	}
	switch err := dec.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, syntax(file, err)
	default:
		return nil, refuse("yaml.second-document", file, second.Line, second.Column)
	}
	if doc.Kind == yaml.DocumentNode && len(doc.Content) == 1 {
		return doc.Content[0], nil
	}
	return nil, nil
}

var parserError = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^yaml: (?:line ([0-9]+): )?(.*)$`)
})

func syntax(file string, err error) *diag.Finding {
	line, detail := 0, err.Error()
	if m := parserError().FindStringSubmatch(strings.TrimSpace(detail)); m != nil {
		line, _ = strconv.Atoi(m[1])
		detail = m[2]
	}
	// The parser names no column; the line is meant as a whole.
	return refuse("yaml.syntax", file, line, min(line, 1), "detail", detail)
}

// builder turns parser nodes into values.
type builder struct {
	file   string
	opt    Options
	budget int
	// anchors holds the finished value of every anchored node and how many
	// values it unfolds to; a nil value marks a node still being built.
	anchors map[*yaml.Node]anchored
	names   map[string]*yaml.Node
}

type anchored struct {
	value *Value
	size  int
}

func (b *builder) pos(n *yaml.Node) Pos {
	if b.opt.FirstLine > 1 {
		return Pos{Line: n.Line + b.opt.FirstLine - 1, Column: n.Column}
	}
	return Pos{Line: n.Line, Column: n.Column}
}

func (b *builder) refuse(code string, n *yaml.Node, args ...string) *diag.Finding {
	p := b.pos(n)
	return refuse(code, b.file, p.Line, p.Column, args...)
}

func (b *builder) value(n *yaml.Node, depth int) (*Value, *diag.Finding) {
	if depth > maxDepth {
		return nil, b.refuse("yaml.depth", n, "limit", strconv.Itoa(maxDepth))
	}
	if n.Kind == yaml.AliasNode {
		return b.alias(n)
	}
	if n.Anchor == "" {
		return b.node(n, depth)
	}
	if first := b.names[n.Anchor]; first != nil {
		f := b.refuse("yaml.duplicate-anchor", n, "name", n.Anchor)
		p := b.pos(first)
		f.Related = []diag.Place{{File: b.file, Line: p.Line, Column: p.Column}}
		return nil, f
	}
	if b.anchors == nil {
		b.anchors, b.names = make(map[*yaml.Node]anchored), make(map[string]*yaml.Node)
	}
	b.names[n.Anchor] = n
	b.anchors[n] = anchored{}
	v, f := b.node(n, depth)
	if f != nil {
		return nil, f
	}
	b.anchors[n] = anchored{v, expansion(v)}
	return v, nil
}

func (b *builder) alias(n *yaml.Node) (*Value, *diag.Finding) {
	target := b.anchors[n.Alias]
	if target.value == nil {
		return nil, b.refuse("yaml.recursive-alias", n, "name", n.Value)
	}
	if b.budget -= target.size; b.budget < 0 {
		return nil, b.refuse("yaml.alias-bomb", n, "limit", strconv.Itoa(maxExpansion))
	}
	return target.value, nil
}

// expansion counts the values below v, shared ones once for each use. It is
// bounded: every alias inside v was charged to the budget before.
func expansion(v *Value) int {
	size := 1
	for _, item := range v.Items {
		size += expansion(item)
	}
	for _, f := range v.Fields {
		size += 1 + expansion(f.Value)
	}
	return size
}

func (b *builder) node(n *yaml.Node, depth int) (*Value, *diag.Finding) {
	switch n.Kind {
	case yaml.ScalarNode:
		return b.scalar(n)
	case yaml.SequenceNode:
		return b.sequence(n, depth)
	default:
		return b.mapping(n, depth)
	}
}

func (b *builder) scalar(n *yaml.Node) (*Value, *diag.Finding) {
	v := &Value{Pos: b.pos(n), Kind: String, Text: n.Value}
	if n.Style&yaml.TaggedStyle != 0 {
		return b.tagged(n, v)
	}
	if n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return v, nil
	}
	if !resolvePlain(v) {
		return nil, b.refuse("yaml.no-value", n, "text", n.Value)
	}
	return v, nil
}

// tagged honours the explicit tags of the core types and refuses all others.
func (b *builder) tagged(n *yaml.Node, v *Value) (*Value, *diag.Finding) {
	if n.Tag == "!!str" {
		return v, nil
	}
	want, known := map[string]Kind{"!!int": Int, "!!float": Float, "!!bool": Bool, "!!null": Null}[n.Tag]
	if !known {
		return nil, b.refuse("yaml.tag", n, "tag", n.Tag)
	}
	if !resolvePlain(v) || v.Kind != want {
		return nil, b.refuse("yaml.tag-mismatch", n, "tag", n.Tag, "text", n.Value)
	}
	return v, nil
}

func (b *builder) sequence(n *yaml.Node, depth int) (*Value, *diag.Finding) {
	if n.Style&yaml.TaggedStyle != 0 && n.Tag != "!!seq" {
		return nil, b.refuse("yaml.tag", n, "tag", n.Tag)
	}
	v := &Value{Pos: b.pos(n), Kind: Sequence}
	if len(n.Content) > 0 {
		v.Items = make([]*Value, len(n.Content))
	}
	for i, child := range n.Content {
		item, f := b.value(child, depth+1)
		if f != nil {
			return nil, f
		}
		v.Items[i] = item
	}
	return v, nil
}

func (b *builder) mapping(n *yaml.Node, depth int) (*Value, *diag.Finding) {
	if n.Style&yaml.TaggedStyle != 0 && n.Tag != "!!map" {
		return nil, b.refuse("yaml.tag", n, "tag", n.Tag)
	}
	v := &Value{Pos: b.pos(n), Kind: Mapping, Fields: make([]Field, 0, len(n.Content)/2)}
	var merged []Field
	var seen keySet
	for i := 0; i+1 < len(n.Content); i += 2 {
		if isMergeKey(n.Content[i]) {
			more, f := b.merge(n.Content[i], n.Content[i+1], depth)
			if f != nil {
				return nil, f
			}
			merged = append(merged, more...)
			continue
		}
		if f := b.field(v, &seen, n.Content[i], n.Content[i+1], depth); f != nil {
			return nil, f
		}
	}
	if merged != nil {
		v.Fields = mergeFields(merged, v.Fields)
	}
	return v, nil
}

func isMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && key.Style&^yaml.TaggedStyle == 0 &&
		(key.Tag == "!!merge" || key.Style == 0)
}

func (b *builder) field(v *Value, seen *keySet, keyNode, valueNode *yaml.Node, depth int) *diag.Finding {
	key, f := b.value(keyNode, depth+1)
	if f != nil {
		return f
	}
	if key.Kind == Sequence || key.Kind == Mapping {
		return b.refuse("yaml.key-kind", keyNode, "kind", key.Kind.String())
	}
	value, f := b.value(valueNode, depth+1)
	if f != nil {
		return f
	}
	i := seen.find(v.Fields, key)
	switch {
	case i < 0:
		seen.add(key, len(v.Fields))
		v.Fields = append(v.Fields, Field{key, value})
	case b.opt.LastKeyWins:
		v.Fields[i].Value = value
	default:
		return duplicateKey(b.file, v.Fields[i].Key, key)
	}
	return nil
}

// duplicateKey is the finding for a key that stands twice in one mapping.
func duplicateKey(file string, first, second *Value) *diag.Finding {
	f := refuse("yaml.duplicate-key", file, second.Line, second.Column,
		"key", second.Text, "first", strconv.Itoa(first.Line), "second", strconv.Itoa(second.Line))
	f.Category = "duplicate-key"
	f.Related = []diag.Place{first.Place(file)}
	return f
}

// merge returns the fields that a merge key brings, later ones winning.
func (b *builder) merge(key, source *yaml.Node, depth int) ([]Field, *diag.Finding) {
	if b.opt.NoMerge {
		return nil, b.refuse("yaml.merge-refused", key)
	}
	v, f := b.value(source, depth+1)
	if f != nil {
		return nil, f
	}
	switch v.Kind {
	case Mapping:
		return v.Fields, nil
	case Sequence:
		var fields []Field
		// Of several merged mappings the earlier wins, so it comes last.
		for i := len(v.Items) - 1; i >= 0; i-- {
			if v.Items[i].Kind != Mapping {
				return nil, b.refuse("yaml.merge-source", source)
			}
			if b.budget -= len(v.Items[i].Fields); b.budget < 0 {
				return nil, b.refuse("yaml.alias-bomb", source, "limit", strconv.Itoa(maxExpansion))
			}
			fields = append(fields, v.Items[i].Fields...)
		}
		return fields, nil
	}
	return nil, b.refuse("yaml.merge-source", source)
}

// mergeFields puts merged fields first and lets later values win at the place
// of the first occurrence, own fields over merged ones.
func mergeFields(merged, own []Field) []Field {
	out := make([]Field, 0, len(merged)+len(own))
	var seen keySet
	for _, group := range [2][]Field{merged, own} {
		for _, f := range group {
			if i := seen.find(out, f.Key); i >= 0 {
				out[i].Value = f.Value
				continue
			}
			seen.add(f.Key, len(out))
			out = append(out, f)
		}
	}
	return out
}
