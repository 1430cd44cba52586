package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// jqRun evaluates a filter.
type jqRun struct {
	vars   map[string]ordjson.Value
	step   func(int)
	failed bool
}

// eval returns the outputs of a node for one input.
func (r *jqRun) eval(n *jqNode, in ordjson.Value) []ordjson.Value {
	r.step(1)
	if r.failed {
		return nil
	}
	switch n.op {
	case ".":
		return []ordjson.Value{in}
	case "lit":
		return []ordjson.Value{n.lit}
	case "var":
		v, ok := r.vars[n.text]
		r.failed = r.failed || !ok
		return []ordjson.Value{v}
	case "|":
		var out []ordjson.Value
		for _, v := range r.eval(n.args[0], in) {
			out = append(out, r.eval(n.args[1], v)...)
		}
		return out
	case "//":
		var out []ordjson.Value
		for _, v := range r.eval(n.args[0], in) {
			if jqTruthy(v) {
				out = append(out, v)
			}
		}
		if len(out) == 0 {
			return r.eval(n.args[1], in)
		}
		return out
	case "each":
		var out []ordjson.Value
		for _, v := range r.eval(n.args[0], in) {
			out = append(out, r.each(v)...)
		}
		return out
	case "index":
		var out []ordjson.Value
		i := r.one(n.args[1], in)
		for _, v := range r.eval(n.args[0], in) {
			out = append(out, r.index(v, i))
		}
		return out
	case "[]":
		var items []ordjson.Value
		for _, a := range n.args {
			items = append(items, r.eval(a, in)...)
		}
		return []ordjson.Value{ordjson.List(items...)}
	}
	return []ordjson.Value{r.single(n, in)}
}

// one returns the only output of a node.
func (r *jqRun) one(n *jqNode, in ordjson.Value) ordjson.Value {
	out := r.eval(n, in)
	if len(out) != 1 {
		r.failed = true
		return ordjson.Null()
	}
	return out[0]
}

func (r *jqRun) each(v ordjson.Value) []ordjson.Value {
	if v.Kind == ordjson.Array {
		return v.Items
	}
	var out []ordjson.Value
	for _, m := range v.Members {
		out = append(out, m.Value)
	}
	r.failed = r.failed || v.Kind != ordjson.Object
	return out
}

// single evaluates the nodes with one output.
func (r *jqRun) single(n *jqNode, in ordjson.Value) ordjson.Value {
	switch n.op {
	case "{}":
		v := ordjson.Map()
		for i, k := range n.keys {
			name := r.one(k, in)
			r.failed = r.failed || name.Kind != ordjson.String
			v = withMember(v, name.Text, r.one(n.args[i], in))
		}
		return v
	case "+":
		return r.plus(r.one(n.args[0], in), r.one(n.args[1], in))
	}
	return r.call(n.text, in)
}

func withMember(v ordjson.Value, name string, value ordjson.Value) ordjson.Value {
	members := slices.Clone(v.Members)
	for i := range members {
		if members[i].Name == name {
			members[i].Value = value
			return ordjson.Map(members...)
		}
	}
	return ordjson.Map(append(members, ordjson.Member{Name: name, Value: value})...)
}

func (r *jqRun) index(v, i ordjson.Value) ordjson.Value {
	switch {
	case v.Kind == ordjson.Object && i.Kind == ordjson.String:
		if m, ok := v.Get(i.Text); ok {
			return m
		}
		return ordjson.Null()
	case v.Kind == ordjson.Array && i.Kind == ordjson.Literal:
		item, ok := itemAt(v, i.Text)
		r.failed = r.failed || !ok
		return item
	case v.Kind == ordjson.Literal && v.Text == "null":
		return v
	}
	r.failed = true
	return v
}

func (r *jqRun) plus(a, b ordjson.Value) ordjson.Value {
	r.step(1 + (len(a.Text)+len(b.Text))/16 + len(a.Items) + len(a.Members))
	switch {
	case a.Kind == ordjson.Literal && a.Text == "null":
		return b
	case b.Kind == ordjson.Literal && b.Text == "null":
		return a
	case a.Kind == ordjson.String && b.Kind == ordjson.String:
		return ordjson.Str(a.Text + b.Text)
	case a.Kind == ordjson.Array && b.Kind == ordjson.Array:
		return ordjson.List(append(slices.Clone(a.Items), b.Items...)...)
	case a.Kind == ordjson.Object && b.Kind == ordjson.Object:
		for _, m := range b.Members {
			a = withMember(a, m.Name, m.Value)
		}
		return a
	}
	x, errX := strconv.ParseInt(a.Text, 10, 64)
	y, errY := strconv.ParseInt(b.Text, 10, 64)
	if a.Kind != ordjson.Literal || b.Kind != ordjson.Literal || errX != nil || errY != nil {
		r.failed = true
	}
	return ordjson.Int(x + y)
}

func (r *jqRun) call(name string, in ordjson.Value) ordjson.Value {
	switch {
	case name == "length" && in.Kind == ordjson.String:
		return ordjson.Int(int64(len([]rune(in.Text))))
	case name == "length" && in.Kind != ordjson.Literal:
		return ordjson.Int(int64(len(in.Items) + len(in.Members)))
	case name == "keys" && in.Kind == ordjson.Object:
		names := make([]string, 0, len(in.Members))
		for _, m := range in.Members {
			names = append(names, m.Name)
		}
		slices.Sort(names)
		return ordjson.Strs(names)
	case name == "tonumber":
		v, err := ordjson.Parse([]byte(strings.TrimSpace(in.Text)))
		r.failed = r.failed || err != nil || v.Kind != ordjson.Literal
		return v
	case name == "tostring" && in.Kind == ordjson.String:
		return in
	case name == "tostring" || name == "tojson":
		return ordjson.Str(in.String())
	case name == "fromjson" && in.Kind == ordjson.String:
		v, err := ordjson.Parse([]byte(in.Text))
		r.failed = r.failed || err != nil
		return v
	case name == "ascii_downcase" && in.Kind == ordjson.String:
		return ordjson.Str(strings.ToLower(in.Text))
	case name == "ascii_upcase" && in.Kind == ordjson.String:
		return ordjson.Str(strings.ToUpper(in.Text))
	case name == "not":
		return ordjson.Bool(!jqTruthy(in))
	}
	r.failed = true
	return in
}
