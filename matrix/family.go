package matrix

import (
	"fmt"

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

// Families returns the job families of a plan that have rows, in dispatch
// order. Buckets without a job of their own are refused, ignored or given one,
// as the settings say.
func Families(p *Plan, sweep config.Sweep) ([]Family, diag.List) {
	var out []Family
	var list diag.List
	add := func(f Family) {
		if len(f.Rows) > 0 {
			out = append(out, f)
		}
	}
	for _, side := range []struct {
		kind    string
		buckets []Bucket
		multi   bool
	}{{"single", p.SingleNode, false}, {"multi", p.MultiNode, true}} {
		for _, name := range []string{"1k1k", "8k1k", "agentic"} {
			add(throughputFamily(side.kind, name, side.buckets, side.multi))
		}
		for _, b := range side.buckets {
			if b.Name == "1k1k" || b.Name == "8k1k" || b.Name == "agentic" || sweep.UndispatchedBuckets == config.UndispatchedIgnore {
				continue
			}
			if sweep.UndispatchedBuckets == config.UndispatchedDispatch {
				add(throughputFamily(side.kind, b.Name, side.buckets, side.multi))
				continue
			}
			r := b.Rows[0]
			list = append(list, diag.New("plan.bucket-without-job", r.Seq.Place, "bucket", side.kind+"_node."+b.Name, "rows", fmt.Sprint(len(b.Rows))).In("bucket-without-job").At(r.Config.Key))
		}
	}
	add(Family{Job: "sweep-evals", Prefix: "eval /", Bucket: "evals", EvalOnly: true, Rows: p.Evals})
	add(Family{Job: "sweep-agentic-evals", Prefix: "agentic eval /", Bucket: "agentic_evals", Agentic: true, EvalOnly: true, Rows: p.AgenticEvals})
	add(Family{Job: "sweep-multi-node-evals", Prefix: "multi-node eval /", Bucket: "multinode_evals", Multinode: true, EvalOnly: true, Rows: p.MultiEvals})
	add(Family{Job: "sweep-multi-node-agentic-evals", Prefix: "multi-node agentic eval /", Bucket: "multinode_agentic_evals", Multinode: true, Agentic: true, EvalOnly: true, Rows: p.MultiAgenticEvals})
	return out, list
}

func throughputFamily(kind, name string, buckets []Bucket, multi bool) Family {
	f := Family{
		Job:    "sweep-" + kind + "-node-" + name,
		Prefix: kind + "-node " + name + " /",
		Bucket: kind + "_node." + name, Multinode: multi, Agentic: name == "agentic",
	}
	if f.Agentic && !multi {
		f.Job, f.Prefix = "sweep-agentic", "agentic /"
	}
	for _, b := range buckets {
		if b.Name == name {
			f.Rows = b.Rows
		}
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
			name = fmt.Sprintf("%s-%d", f.Job, len(out)+1)
		}
		out = append(out, Shard{Name: name, Rows: f.Rows[start:end]})
		start, size = end, 0
	}
	for i, r := range f.Rows {
		chars := r.chars()
		if chars > limits.OutputChars {
			list = append(list, diag.New("plan.row-too-large", r.Entry.Place, "chars", fmt.Sprint(chars), "limit", fmt.Sprint(limits.OutputChars)).In("row-too-large").At(r.Config.Key))
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
	return len(r.Document().Append(nil, ordjson.Compact)) + annotationChars
}
