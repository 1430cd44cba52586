package results

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Identity is what makes two rows the same point for the consumers of results
// (spec/results.md section 7).
type Identity struct {
	parts []ordjson.Value
	key   string
}

func identityOf(parts []ordjson.Value) Identity {
	return Identity{parts: parts, key: string(ordjson.List(parts...).Append(nil, ordjson.Canonical))}
}

// Parts returns the elements in the order of the specification.
func (i Identity) Parts() []ordjson.Value { return slices.Clone(i.parts) }

// Key is a text that is equal exactly for equal identities.
func (i Identity) Key() string { return i.key }

// String returns the key.
func (i Identity) String() string { return i.key }

func sortValues(values []ordjson.Value, by func(ordjson.Value) string) {
	slices.SortStableFunc(values, func(a, b ordjson.Value) int { return strings.Compare(by(a), by(b)) })
}

// identifier collects the parts of one identity.
type identifier struct {
	row   ordjson.Value
	parts []ordjson.Value
}

func (d *identifier) add(values ...ordjson.Value) { d.parts = append(d.parts, values...) }

func (d *identifier) text(names ...string) {
	for _, name := range names {
		d.add(orNullValue(d.row, name))
	}
}

func (d *identifier) integer(name string, missing, unusable int64) {
	v, ok := d.row.Get(name)
	if !ok {
		d.add(ordjson.Int(missing))
		return
	}
	d.add(ordjson.Int(looseInt(v, unusable)))
}

func (d *identifier) boolean(name string) {
	v, _ := d.row.Get(name)
	d.add(ordjson.Bool(looseBool(v)))
}

// spec appends the speculative method; a missing one is none.
func (d *identifier) spec() {
	if _, ok := d.row.Get("spec_decoding"); !ok {
		d.add(ordjson.Str("none"))
		return
	}
	d.text("spec_decoding")
}

// layout appends the six sizes of a role in the order of the specification.
func (d *identifier) layout(prefix string) {
	d.integer(prefix+"tp", 0, 0)
	d.integer(prefix+"pp", 1, 1)
	d.integer(prefix+"dcp_size", 1, 1)
	d.integer(prefix+"pcp_size", 1, 1)
	d.integer(prefix+"ep", 1, 0)
	d.boolean(prefix + "dp_attention")
}

func (d *identifier) roles() {
	for _, prefix := range []string{"prefill_", "decode_"} {
		d.layout(prefix)
		d.integer(prefix+"num_workers", 0, 0)
	}
}

func (d *identifier) multi() bool {
	v, _ := d.row.Get("is_multinode")
	return looseBool(v)
}

func (d *identifier) shape(multi bool) {
	if multi {
		d.add(ordjson.Str("multi"))
		return
	}
	d.add(ordjson.Str("single"))
}

// FixedIdentity is the identity of a fixed-sequence row.
func FixedIdentity(row ordjson.Value) Identity {
	d := identifier{row: row}
	multi := d.multi()
	d.shape(multi)
	d.text("hw", "infmax_model_prefix", "framework", "precision")
	d.spec()
	d.boolean("disagg")
	d.integer("isl", 0, 0)
	d.integer("osl", 0, 0)
	if multi {
		d.roles()
	} else {
		d.layout("")
	}
	d.integer("conc", 0, 0)
	return identityOf(d.parts)
}

// AgenticIdentity is the identity of an agentic row. Single-node points that
// differ only in the speculative method collide.
func AgenticIdentity(row ordjson.Value) Identity {
	d := identifier{row: row}
	multi := d.multi()
	d.shape(multi)
	d.text("hw", "infmax_model_prefix", "framework", "precision")
	if multi {
		d.spec()
		d.boolean("disagg")
		d.roles()
	} else {
		d.layout("")
	}
	d.integer("conc", 0, 0)
	_, mode := row.Get("kv_offloading")
	_, legacy := row.Get("offloading")
	if !multi || mode || legacy {
		d.add(offload(row))
	}
	return identityOf(d.parts)
}

// offload is the one element for the offload settings: a pair of mode and back
// end, or the plain text of the older key. The two never equal each other.
func offload(row ordjson.Value) ordjson.Value {
	mode, ok := row.Get("kv_offloading")
	if !ok {
		if legacy, ok := row.Get("offloading"); ok {
			return frozen(legacy)
		}
		return ordjson.Str("none")
	}
	if !truthy(mode) {
		mode = ordjson.Str("none")
	}
	backend := ordjson.Str("")
	if v, ok := row.Get("kv_offload_backend"); ok && mode.Text != "none" && truthy(v) {
		backend = frozen(v)
	}
	return ordjson.List(frozen(mode), backend)
}

// Markers that stand for what older eval results did not record.
const (
	legacySuite   = "<legacy-eval-suite>"
	legacyOffload = "<legacy-eval-kv-offloading>"
	legacyImage   = "<legacy-eval-image>"
)

// EvalIdentity is the identity of an eval row or of eval metadata: with
// rules.ResultIdentity that of one result, task included, else that of the
// configuration.
func EvalIdentity(row ordjson.Value, rules Rules) Identity {
	d := evalConfiguration(row, rules)
	if rules.ResultIdentity {
		d.text("task")
	}
	return identityOf(d.parts)
}

// EvalConfiguration is the identity without the task.
func EvalConfiguration(row ordjson.Value, rules Rules) Identity {
	return identityOf(evalConfiguration(row, rules).parts)
}

func evalConfiguration(row ordjson.Value, rules Rules) identifier {
	d := identifier{row: row}
	multi := d.multi()
	d.shape(multi)
	d.add(lowerLabel(at(row, "hw")))
	if _, ok := row.Get("model_prefix"); ok {
		d.text("model_prefix")
	} else {
		d.text("infmax_model_prefix")
	}
	d.text("framework", "precision")
	if rules.ResultIdentity {
		d.recorded("eval_suite", legacySuite)
	}
	d.spec()
	if rules.ResultIdentity {
		d.recordedOffload()
	}
	d.integer("isl", 8192, 8192)
	d.integer("osl", 1024, 1024)
	if multi {
		d.roles()
	} else {
		d.layout("")
	}
	d.integer("conc", 0, 0)
	if rules.ResultIdentity {
		d.recorded("image", legacyImage)
	}
	return d
}

// lowerLabel is a runner label in lower case; what is not given is empty.
func lowerLabel(v ordjson.Value) ordjson.Value {
	if !truthy(v) {
		return ordjson.Str("")
	}
	return ordjson.Str(strings.ToLower(plainText(v)))
}

func (d *identifier) recorded(name, marker string) {
	if _, ok := d.row.Get(name); ok {
		d.text(name)
		return
	}
	d.add(ordjson.Str(marker))
}

func (d *identifier) recordedOffload() {
	if _, ok := d.row.Get("kv_offloading"); ok {
		d.add(offload(d.row))
		return
	}
	d.add(ordjson.Str(legacyOffload))
}

// truthy reports whether a value counts as given: not null, false, zero or
// empty.
func truthy(v ordjson.Value) bool {
	switch v.Kind {
	case ordjson.String:
		return v.Text != ""
	case ordjson.Array:
		return len(v.Items) > 0
	case ordjson.Object:
		return len(v.Members) > 0
	}
	switch v.Text {
	case "", "null", "false", "0", "-0", "0.0":
		return false
	}
	return true
}
