package config

import (
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// node is a field of Settings: one line of the settings file. The tree of
// nodes is the only description of the file; the decoder, Show, Explain, the
// reference in docs/config.md and the JSON Schema are walks over it.
type node struct {
	name  string // the spelling in the file
	key   string // the dotted path, "[]" after a list of mappings
	index int    // of the field in its struct
	typ   reflect.Type
	kids  []*node // the keys of a mapping, or of the mappings of a list
	rule  rule
}

// tree is the root node. It is built once and never written again.
var tree = sync.OnceValue(func() *node {
	root := &node{typ: reflect.TypeFor[Settings]()}
	root.grow()
	return root
})

// grow adds the children of n.
func (n *node) grow() {
	typ, prefix := n.typ, n.key
	if n.listOfMappings() {
		typ, prefix = typ.Elem(), prefix+"[]"
	}
	if typ.Kind() != reflect.Struct {
		return
	}
	for i := range typ.NumField() {
		field := typ.Field(i)
		kid := &node{name: field.Tag.Get("yaml"), index: i, typ: field.Type}
		kid.key = strings.TrimPrefix(prefix+"."+kid.name, ".")
		kid.rule = rules[kid.key]
		kid.grow()
		n.kids = append(n.kids, kid)
	}
}

// group reports whether n is a mapping that only holds further keys.
func (n *node) group() bool { return n.typ.Kind() == reflect.Struct }

func (n *node) listOfMappings() bool {
	return n.typ.Kind() == reflect.Slice && n.typ.Elem().Kind() == reflect.Struct
}

// kid returns the child of that name, or nil.
func (n *node) kid(name string) *node {
	for _, kid := range n.kids {
		if kid.name == name {
			return kid
		}
	}
	return nil
}

// walk calls visit for n's descendants in the order of the file.
func (n *node) walk(visit func(*node)) {
	for _, kid := range n.kids {
		visit(kid)
		kid.walk(visit)
	}
}

// find returns the node of a dotted key, or nil.
func find(key string) *node {
	var found *node
	tree().walk(func(n *node) {
		if n.key == key {
			found = n
		}
	})
	return found
}

// typeName says in a few words what n takes.
func (n *node) typeName() string {
	switch kind := n.typ.Kind(); {
	case n.group():
		return "mapping"
	case n.listOfMappings():
		return "list of mappings"
	case kind == reflect.Bool:
		return "boolean"
	case kind == reflect.Int:
		return fmt.Sprintf("integer, %d to %d", n.rule.min, n.rule.max)
	case kind == reflect.Slice:
		return "list of " + n.rule.text.plural
	case n.rule.values != nil:
		return "one of " + strings.Join(n.rule.values, ", ")
	default:
		return n.rule.text.name
	}
}

// docCode is the code of the catalogue's text about a key.
func docCode(key string) string {
	return "config.key-" + strings.NewReplacer("[].", "-", ".", "-").Replace(key)
}

// Key describes one key of the settings file.
type Key struct {
	// Name is the dotted key. Keys of the items of a list are written with
	// "[]", for example "labels.primaries[].canary".
	Name string
	// Type says in a few words what the key takes.
	Type string
	// Values are the only values allowed; nil when the type says it all.
	Values []string
	// Min and Max bound an integer; both are 0 for other types.
	Min, Max int
}

// Doc returns what the key means, one sentence without a final stop.
func (k Key) Doc(lang catalog.Language) string {
	return catalog.Message(lang, docCode(k.Name))
}

// Keys returns every key that holds a value, in the order of the file.
// Mappings that only hold further keys are left out.
func Keys() []Key {
	var keys []Key
	tree().walk(func(n *node) {
		if !n.group() {
			keys = append(keys, n.public())
		}
	})
	return keys
}

func (n *node) public() Key {
	return Key{Name: n.key, Type: n.typeName(), Values: n.rule.values, Min: n.rule.min, Max: n.rule.max}
}
