package matrix

import (
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Family is a set of points that run in one kind of job and, with fail-fast,
// fail together (spec/labels-and-sweeps.md sections 7 and 8).
type Family struct {
	// Job is the job id and Prefix the display prefix of the jobs.
	Job, Prefix string
	// Bucket is the path of the rows in the reference document.
	Bucket string
	// Multinode selects the multi-node template.
	Multinode bool
	Agentic   bool
	EvalOnly  bool
	Rows      []*Row
}

// familyBuckets are the throughput buckets that every era has jobs for, in
// dispatch order.
var familyBuckets = []string{"1k1k", "8k1k", "agentic"}

// Families returns the job families of a plan that have rows, in dispatch
// order. Buckets without a job of their own are refused, ignored or given one,
// as the settings say.
func Families(p *Plan, sweep config.Sweep) ([]Family, diag.List) {
	out, list := throughputFamilies("single", p.SingleNode, sweep)
	multi, more := throughputFamilies("multi", p.MultiNode, sweep)
	out, list = append(out, multi...), append(list, more...)
	for _, f := range []Family{
		{Job: "sweep-evals", Prefix: "eval /", Bucket: "evals", EvalOnly: true, Rows: p.Evals},
		{Job: "sweep-agentic-evals", Prefix: "agentic eval /", Bucket: "agentic_evals", Agentic: true, EvalOnly: true, Rows: p.AgenticEvals},
		{Job: "sweep-multi-node-evals", Prefix: "multi-node eval /", Bucket: "multinode_evals", Multinode: true, EvalOnly: true, Rows: p.MultiEvals},
		{Job: "sweep-multi-node-agentic-evals", Prefix: "multi-node agentic eval /", Bucket: "multinode_agentic_evals", Multinode: true, Agentic: true, EvalOnly: true, Rows: p.MultiAgenticEvals},
	} {
		if len(f.Rows) > 0 {
			out = append(out, f)
		}
	}
	return out, list
}

// throughputFamilies returns the families of one kind of row: first those of
// familyBuckets, then what the settings make of the others.
func throughputFamilies(kind string, buckets []Bucket, sweep config.Sweep) ([]Family, diag.List) {
	var out []Family
	var list diag.List
	for _, name := range familyBuckets {
		for _, b := range buckets {
			if b.Name == name && len(b.Rows) > 0 {
				out = append(out, throughputFamily(kind, b))
			}
		}
	}
	for _, b := range buckets {
		if slices.Contains(familyBuckets, b.Name) || len(b.Rows) == 0 {
			continue
		}
		switch sweep.UndispatchedBuckets {
		case config.UndispatchedIgnore:
		case config.UndispatchedDispatch:
			out = append(out, throughputFamily(kind, b))
		default:
			r := b.Rows[0]
			list = append(list, diag.New("plan.bucket-without-job", r.Seq.Place, "bucket", kind+"_node."+b.Name, "rows", strconv.Itoa(len(b.Rows))).In("bucket-without-job").At(r.Config.Key))
		}
	}
	return out, list
}

func throughputFamily(kind string, b Bucket) Family {
	f := Family{
		Job:    "sweep-" + kind + "-node-" + b.Name,
		Prefix: kind + "-node " + b.Name + " /",
		Bucket: kind + "_node." + b.Name, Multinode: kind == "multi", Agentic: b.Name == "agentic", Rows: b.Rows,
	}
	if f.Agentic && !f.Multinode {
		f.Job, f.Prefix = "sweep-agentic", "agentic /"
	}
	return f
}

// Shard is a run of consecutive rows of a family that fits one job matrix.
type Shard struct {
	// Name is the family's job id, with -<n> from the second shard on, so that
	// the names of small plans stay those that branch rules know.
	Name string
	Rows []*Row
}

// Shards cuts a family into matrices of at most limits.MatrixRows rows and
// limits.OutputChars characters, in row order. A single row that is larger
// than a job output is a finding.
func (f Family) Shards(limits config.Limits) ([]Shard, diag.List) {
	var out []Shard
	var list diag.List
	size, start := 0, 0
	cut := func(end int) {
		if end == start {
			return
		}
		name := f.Job
		if len(out) > 0 {
			name += "-" + strconv.Itoa(len(out)+1)
		}
		out = append(out, Shard{Name: name, Rows: f.Rows[start:end]})
		start, size = end, 0
	}
	for i, r := range f.Rows {
		chars := r.chars()
		if chars > limits.OutputChars {
			list = append(list, diag.New("plan.row-too-large", r.Entry.Place, "chars", strconv.Itoa(chars), "limit", strconv.Itoa(limits.OutputChars)).In("row-too-large").At(r.Config.Key))
		}
		if i-start == limits.MatrixRows || size+chars > limits.OutputChars {
			cut(i)
		}
		size += chars
	}
	cut(len(f.Rows))
	return out, list
}

// annotationChars is what priority and queue token add to a row.
const annotationChars = 96

// chars estimates the characters of a row inside a matrix.
func (r *Row) chars() int {
	return len(r.Document().Append(nil, ordjson.ASCII)) + annotationChars
}
