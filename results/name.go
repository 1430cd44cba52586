package results

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Kind says what an artifact holds, by its name (spec/results.md section 1).
type Kind uint8

// The kinds. Other artifacts (logs, metrics, audits) are never opened here.
const (
	OtherKind Kind = iota
	FixedPoint
	AgenticPoint
	RawAgentic
	RawEval
	BenchmarkAggregate
	EvalAggregate
	RunStatistics
	ChangelogMetadata
	JobEvent
)

var kindNames = [...]string{"other", "fixed-point", "agentic-point", "agentic-raw", "eval", "benchmark-aggregate", "eval-aggregate", "run-statistics", "changelog-metadata", "job-event"}

// String returns the word for the kind.
func (k Kind) String() string { return kindNames[k] }

// KindOf returns the kind of an artifact name.
func KindOf(name string) Kind {
	switch name {
	case "results_bmk":
		return BenchmarkAggregate
	case "eval_results_all":
		return EvalAggregate
	case "run-stats":
		return RunStatistics
	case "changelog-metadata":
		return ChangelogMetadata
	}
	switch {
	case strings.HasPrefix(name, "bmk_agentic_"):
		return AgenticPoint
	case strings.HasPrefix(name, "bmk_"):
		return FixedPoint
	case strings.HasPrefix(name, "agentic_"):
		return RawAgentic
	case strings.HasPrefix(name, "eval_server_logs_"), strings.HasPrefix(name, "eval_gpu_metrics_"):
		return OtherKind
	case strings.HasPrefix(name, "eval_"):
		return RawEval
	case strings.HasPrefix(name, "job_event_"):
		return JobEvent
	}
	return OtherKind
}

// BearsResults reports whether an artifact of this name makes a run a source of
// reuse: aggregates and agentic points do, plain points do not (spec/results.md
// section 1 rule 3).
func BearsResults(name string) bool {
	return name == "results_bmk" || name == "eval_results_all" || strings.HasPrefix(name, "bmk_agentic_")
}

// RawName returns the name of the raw folder that belongs to an agentic point.
func RawName(point string) string { return strings.TrimPrefix(point, "bmk_") }

var batchName = pattern.Lazy(`_(?:c|conc|concurrency_)(\d+)(?:_req_rate_[^_]+)?_gpus_(\d+)(?:_ctx_(\d+)_gen_(\d+))?$`)

// batchFile is what the name of a raw multi-node result says. Prefill and
// Decode are -1 when the name has no role counts.
type batchFile struct{ conc, gpus, prefill, decode int64 }

// parseBatchName reads the name of a raw multi-node result file, without its
// folder (spec/results.md section 2).
func parseBatchName(name string) (batchFile, bool) {
	m := batchName().FindStringSubmatch(strings.TrimSuffix(name, ".json"))
	if m == nil || !strings.HasSuffix(name, ".json") {
		return batchFile{}, false
	}
	out := batchFile{prefill: -1, decode: -1}
	for i, field := range []*int64{&out.conc, &out.gpus, &out.prefill, &out.decode} {
		if m[i+1] == "" {
			continue
		}
		n, err := strconv.ParseInt(m[i+1], 10, 64)
		if err != nil {
			return batchFile{}, false
		}
		*field = n
	}
	return out, true
}

var concSuffix = pattern.Lazy(`_conc(\d+)(?:_\d+)?\.json$`)

// concOf returns the concurrency that the name of an eval result carries.
func concOf(name string) (int64, bool) {
	m := concSuffix().FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	return n, err == nil
}

var nameTime = pattern.Lazy(`(\d{4})-(\d{2})-(\d{2})T(\d{2})-(\d{2})-(\d{2})(?:\.(\d+))?`)

// stampOf returns the first time stamp in a name, "" when there is none.
func stampOf(name string) string { return nameTime().FindString(name) }

// timeOf returns the time that the first stamp of a name means, in UTC
// nanoseconds. Impossible dates are no time.
func timeOf(name string) (int64, bool) {
	m := nameTime().FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	fraction := (m[7] + "000000000")[:9]
	text := fmt.Sprintf("%s-%s-%sT%s:%s:%s.%sZ", m[1], m[2], m[3], m[4], m[5], m[6], fraction)
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return 0, false
	}
	return t.UnixNano(), true
}

// PointName is what RESULT_FILENAME is made of (spec/results.md section 2).
type PointName struct {
	Experiment, Precision, Framework, Spec, Runner, Fingerprint string
	Multinode, Disagg                                           bool
	Layout, Prefill, Decode                                     Role
	Conc                                                        []int64
}

const fingerprintDigits = 16

// String returns RESULT_FILENAME.
func (n PointName) String() string {
	head := n.Experiment + "_" + n.Precision + "_" + n.Framework + "_"
	if n.Multinode {
		head += "prefill-" + n.Prefill.nameAs("dp", true) + "_decode-" + n.Decode.nameAs("dp", true)
	} else {
		head += n.Layout.nameAs("dpa", false)
	}
	out := fmt.Sprintf("%s_disagg-%t_spec-%s_conc%s_%s", head, n.Disagg, n.Spec, joinInts(n.Conc, "x"), n.Runner)
	if n.Fingerprint != "" {
		out += "_recipe-" + n.Fingerprint[:min(len(n.Fingerprint), fingerprintDigits)]
	}
	return out
}

func joinInts(numbers []int64, separator string) string {
	var out strings.Builder
	for i, n := range numbers {
		if i > 0 {
			out.WriteString(separator)
		}
		out.WriteString(strconv.FormatInt(n, 10))
	}
	return out.String()
}
