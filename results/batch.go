package results

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// RawFile is one raw result: its name without folder, and its bytes.
type RawFile struct {
	Name string
	Data []byte
}

// BatchPoint is what became of one file of a multi-node batch.
type BatchPoint struct {
	Source string
	// Conc is 0 until name, content and uniqueness have passed.
	Conc int64
	// Failure is "" for a good point, else a short stable name such as
	// "roles-sum"; "requests" means that too many requests failed.
	Failure  string
	Findings diag.List
}

// Batch is a processed multi-node batch (spec/results.md section 3.5).
type Batch struct {
	Expected, Missing, Unexpected []int64
	Points                        []BatchPoint
	Ignored                       []string
	Rows                          []Built
	// Findings concern the batch as a whole.
	Findings diag.List
}

// Failed reports whether the batch may not be published.
func (b Batch) Failed() bool {
	bad := func(p BatchPoint) bool { return p.Failure != "" }
	return b.Findings.Refused() || len(b.Rows) == 0 || len(b.Missing)+len(b.Unexpected) > 0 || slices.ContainsFunc(b.Points, bad)
}

// Summary is the document result_processing_<RESULT_FILENAME>.json.
func (b Batch) Summary() ordjson.Value {
	out := ordjson.Map()
	out.Add("expected_concurrencies", ordjson.Ints(b.Expected))
	out.Add("missing_concurrencies", ordjson.Ints(b.Missing))
	out.Add("unexpected_concurrencies", ordjson.Ints(b.Unexpected))
	points := ordjson.List()
	for _, p := range b.Points {
		point := ordjson.Map()
		point.Add("source", ordjson.Str(p.Source))
		if p.Conc > 0 {
			point.Add("concurrency", ordjson.Int(p.Conc))
		}
		code := int64(0)
		if p.Failure != "" {
			code = 1
		}
		point.Add("exit_code", ordjson.Int(code))
		if p.Failure != "" {
			point.Add("error", ordjson.Str(p.Failure))
		}
		points.Items = append(points.Items, point)
	}
	out.Add("points", points)
	out.Add("ignored_sidecars", ordjson.Strs(b.Ignored))
	code := int64(0)
	if b.Failed() {
		code = 1
	}
	out.Add("exit_code", ordjson.Int(code))
	return out
}

// sidecar is the suffix of client files that are no results.
const sidecar = ".pytorch.json"

// BuildBatch makes the rows of a multi-node job from all its raw files; other
// files are passed over. One bad file does not stop the others.
func BuildBatch(env Environment, files []RawFile, rules Rules) Batch {
	b := batcher{env: env, rules: rules, seen: make(map[int64]bool)}
	b.out.Ignored = []string{}
	if rules.CheckedBatch {
		b.expected()
	}
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, c RawFile) int { return strings.Compare(path.Base(a.Name), path.Base(c.Name)) })
	for _, f := range files {
		switch name := path.Base(f.Name); {
		case !strings.HasPrefix(name, env["RESULT_FILENAME"]+"_") || !strings.HasSuffix(name, ".json"):
		case strings.HasSuffix(name, sidecar):
			b.out.Ignored = append(b.out.Ignored, name)
		case !rules.CheckedBatch && !strings.Contains(name, "_gpus_"):
		default:
			b.file(name, f.Data)
		}
	}
	b.differences()
	return b.out
}

type batcher struct {
	env   Environment
	rules Rules
	seen  map[int64]bool
	out   Batch
}

func (b *batcher) expected() {
	b.out.Expected = []int64{}
	for _, word := range strings.Fields(b.env["CONC_LIST"]) {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil || n <= 0 {
			b.out.Findings = append(b.out.Findings, diag.New("results.env-value", diag.Place{},
				"name", "CONC_LIST", "value", b.env["CONC_LIST"], "want", "whole numbers above 0, separated by blanks"))
			return
		}
		b.out.Expected = append(b.out.Expected, n)
	}
}

// file processes one raw file.
func (b *batcher) file(name string, data []byte) {
	point := BatchPoint{Source: name}
	info, ok := parseBatchName(name)
	raw, err := document.Parse(data, document.Options{NonFinite: true, LastWins: true})
	conc, _ := intMember(raw, "max_concurrency")
	switch {
	case !ok:
		point.Failure = "name-unparsable"
	case err != nil:
		point.Failure = "file-unreadable"
		point.Findings = diag.List{unreadable(name, err)}
	case b.rules.CheckedBatch && conc != info.conc:
		point.Failure = "conc-mismatch"
	case b.rules.CheckedBatch && b.seen[conc]:
		point.Failure = "conc-duplicate"
	default:
		point.Conc = info.conc
		b.seen[conc] = true
		b.row(&point, info, raw)
	}
	b.out.Points = append(b.out.Points, point)
}

func (b *batcher) row(point *BatchPoint, info batchFile, raw ordjson.Value) {
	env, failure := b.roles(info)
	if failure != "" {
		point.Failure = failure
		return
	}
	env["RESULT_FILENAME"] = strings.TrimSuffix(point.Source, ".json")
	built, list := BuildFixedRow(env, raw, b.rules)
	point.Findings = list
	switch {
	case list.Refused():
		point.Failure = "row-refused"
		return
	case built.Failed:
		point.Failure = "requests"
	}
	b.out.Rows = append(b.out.Rows, built)
}

// roles returns the environment of one point with its GPU counts, or why they
// contradict each other.
func (b *batcher) roles(info batchFile) (Environment, string) {
	env := make(Environment, len(b.env)+3)
	for name, value := range b.env {
		env[name] = value
	}
	p, d, hasRoles := info.prefill, info.decode, info.prefill >= 0
	if !b.rules.CheckedBatch {
		if !hasRoles {
			p, d = info.gpus, 0
		}
		return env.withGPUs(p, d), ""
	}
	workers, err := strconv.ParseInt(strings.TrimSpace(b.env["DECODE_NUM_WORKERS"]), 10, 64)
	if shared := !b.env.disagg() || err == nil && workers == 0; shared {
		if hasRoles && (p != info.gpus || d != 0) {
			return nil, "aggregate-with-roles"
		}
		env["DISAGG"] = "false"
		env["AGGREGATE_GPUS"] = strconv.FormatInt(info.gpus, 10)
		return env.withGPUs(0, 0), ""
	}
	switch {
	case !hasRoles:
		return nil, "roles-missing"
	case p+d != info.gpus:
		return nil, "roles-sum"
	}
	return env.withGPUs(p, d), ""
}

func (e Environment) withGPUs(prefill, decode int64) Environment {
	e["PREFILL_GPUS"], e["DECODE_GPUS"] = strconv.FormatInt(prefill, 10), strconv.FormatInt(decode, 10)
	return e
}

// differences compares what was measured with what was requested.
func (b *batcher) differences() {
	b.out.Missing, b.out.Unexpected = []int64{}, []int64{}
	if !b.rules.CheckedBatch {
		return
	}
	for _, n := range b.out.Expected {
		if !b.seen[n] && !slices.Contains(b.out.Missing, n) {
			b.out.Missing = append(b.out.Missing, n)
		}
	}
	for n := range b.seen {
		if !slices.Contains(b.out.Expected, n) {
			b.out.Unexpected = append(b.out.Unexpected, n)
		}
	}
	slices.Sort(b.out.Missing)
	slices.Sort(b.out.Unexpected)
}

// unreadable is the finding for a document that can't be read.
func unreadable(file string, err error) diag.Finding {
	return diag.New("results.json-unreadable", diag.Place{File: file}, "error", err.Error())
}
