package matrix

import (
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Mark is a row field of three states.
type Mark uint8

// Unset means that the row does not carry the field.
const (
	Unset Mark = iota
	No
	Yes
)

// Row is one element of the generated matrix. It points into the config it
// comes from; its two JSON forms are Generator and Document.
type Row struct {
	Config *Config
	Seq    *FixedSeq // nil for agentic rows
	Entry  *Entry
	Runner string // label, or a node under a runner filter
	EP     *yamlpos.Value
	// Conc are concurrent requests: exactly one value on a single-node row.
	Conc    []int64
	ExpName string
	// DRAM is total-cpu-dram-gb in 10^9 bytes, agentic rows only.
	DRAM int64
	// DRAMUnknown says that DRAM cannot be computed; only rows of a Reading
	// have it.
	DRAMUnknown bool
	// NodeCount is 0 where rows carry no node-count.
	NodeCount int64

	RunEval       Mark
	EvalOnly      bool
	EvalConc      int64 // 0 when absent
	EvalAllConcs  Mark
	HasSuite      bool // eval-framework and eval-suite are set
	EvalFramework string
	EvalSuite     string
	// NoPower drops require-power, as eval-only rows do.
	NoPower bool

	// Fingerprint is the recipe fingerprint, 64 hex digits, once assigned.
	Fingerprint string

	recipe, evalRecipe string
	// key is the recipe key, "" until somebody asks for it.
	key string
	// powerFields says that the layout knows power and require-power.
	powerFields bool
}

// Agentic reports whether the row belongs to the agentic-coding scenario.
func (r *Row) Agentic() bool { return r.Seq == nil }

// Multinode reports whether the row spans prefill and decode workers.
func (r *Row) Multinode() bool { return r.Config.Multinode }

// Is8k1k reports whether the row has the lengths that evals run on.
func (r *Row) Is8k1k() bool {
	return r.Seq != nil && isNumber(r.Seq.ISL, seq8k) && isNumber(r.Seq.OSL, seq1k)
}

// requiresPower reports whether the row measures power; eval-only rows do not.
func (r *Row) requiresPower() bool { return r.Seq != nil && r.Seq.RequirePower && !r.NoPower }

// Bucket is the name under which the plan files the row: agentic, 1k1k, 8k1k
// or <isl>_<osl>.
func (r *Row) Bucket() string {
	if r.Agentic() {
		return "agentic"
	}
	return seqName(r.Seq)
}

// seqName names a pair of lengths (spec/matrix.md section 6.2).
func seqName(seq *FixedSeq) string {
	if isNumber(seq.OSL, seq1k) {
		switch {
		case isNumber(seq.ISL, seq1k):
			return "1k1k"
		case isNumber(seq.ISL, seq8k):
			return "8k1k"
		}
	}
	return display(seq.ISL) + "_" + display(seq.OSL)
}

// Router is the effective router: an entry's own, even null, over the
// config's.
func (r *Row) Router() *Component {
	if r.Entry.RouterSet {
		return r.Entry.Router
	}
	return r.Config.Router
}

// Transfer is the effective kv-p2p-transfer, "" for none.
func (r *Row) Transfer() string {
	if r.Entry.TransferSet {
		return r.Entry.Transfer
	}
	return r.Config.Transfer
}

// maxModelLen is isl + osl + 256, a number of the kind that the reference's
// arithmetic gives.
func (r *Row) maxModelLen() *yamlpos.Value {
	isl, osl := r.Seq.ISL, r.Seq.OSL
	if isl.Kind == yamlpos.Float || osl.Kind == yamlpos.Float {
		sum := 256.0
		for _, v := range []*yamlpos.Value{isl, osl} {
			if v.Kind == yamlpos.Float {
				sum += v.Float
			} else {
				sum += float64(v.Int)
			}
		}
		return &yamlpos.Value{Kind: yamlpos.Float, Float: sum}
	}
	return yamlpos.NewInt(isl.Int + osl.Int + 256)
}

// raw is the JSON form of a source value.
func raw(v *yamlpos.Value) ordjson.Value {
	switch v.Kind {
	case yamlpos.Null:
		return ordjson.Null()
	case yamlpos.Bool:
		return ordjson.Bool(v.Int == 1)
	case yamlpos.Int:
		return ordjson.Int(v.Int)
	case yamlpos.Float:
		return ordjson.Value{Text: displayFloat(v.Float)}
	case yamlpos.Sequence:
		items := make([]ordjson.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = raw(item)
		}
		return ordjson.List(items...)
	case yamlpos.Mapping:
		out := ordjson.Map()
		for _, f := range v.Fields {
			out.Add(f.Key.Text, raw(f.Value))
		}
		return out
	}
	return ordjson.Str(v.Text)
}

// number is the JSON form of a value coerced to an integer.
func number(v *yamlpos.Value) ordjson.Value {
	n, _, _ := asInt(v, intLenient)
	return ordjson.Int(n)
}

// boolean is the JSON form of a value coerced to a boolean.
func boolean(v *yamlpos.Value) ordjson.Value {
	b, _ := asBool(v, true)
	return ordjson.Bool(b)
}
