package localrun

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// counts is the end of the name of a multi-node raw result: concurrency, GPUs,
// and the GPUs of both roles (spec/results.md section 2).
var counts = pattern.Lazy(`_(?:c|conc|concurrency_)(\d+)(?:_req_rate_[^_]+)?_gpus_(\d+)(?:_ctx_(\d+)_gen_(\d+))?$`)

// sidecar ends the names of files that stand beside a raw result.
const sidecar = ".pytorch.json"

// rawFile is one raw result of a multi-node point.
type rawFile struct {
	Name string
	Data []byte
}

// batchPoint is the outcome of one raw file.
type batchPoint struct {
	file string
	conc int64 // 0 until name, content and uniqueness agree
	row  ordjson.Value
	err  error
}

// batch processes the raw files of one multi-node point together
// (spec/results.md section 3.5). One bad file does not stop the others; the
// error is the first thing that makes the whole batch fail.
func batch(env rowEnv, files []rawFile) ([]batchPoint, error) {
	slices.SortFunc(files, func(a, b rawFile) int { return strings.Compare(a.Name, b.Name) })
	seen := make(map[int64]bool)
	var points []batchPoint
	for _, f := range files {
		if strings.HasSuffix(f.Name, sidecar) {
			continue
		}
		p := batchPoint{file: f.Name}
		p.read(env, f, seen)
		points = append(points, p)
	}
	return points, batchError(env, points)
}

// read checks name, content and uniqueness of a file and builds its row.
func (p *batchPoint) read(env rowEnv, f rawFile, seen map[int64]bool) {
	stem := strings.TrimSuffix(f.Name, ".json")
	m := counts().FindStringSubmatch(stem)
	if m == nil {
		p.err = diag.New("localrun.batch-name", diag.Place{File: f.Name})
		return
	}
	raw, err := parseDocument(f.Data)
	if err != nil {
		p.err = diag.New("localrun.result-json", diag.Place{File: f.Name}, "detail", err.Error())
		return
	}
	conc, _ := strconv.ParseInt(m[1], 10, 64)
	inside, ok := number(block(raw, "max_concurrency"))
	switch {
	case !ok || inside != float64(conc):
		p.err = diag.New("localrun.batch-conc", diag.Place{File: f.Name}, "name", m[1], "inside", shown(block(raw, "max_concurrency")))
		return
	case seen[conc]:
		p.err = diag.New("localrun.batch-twice", diag.Place{File: f.Name}, "conc", m[1])
		return
	}
	seen[conc], p.conc = true, conc
	roles, err := roleCounts(env, m[2:])
	if err != nil {
		p.err = placed(err, f.Name)
		return
	}
	p.row, err = fixedRow(merged(env, roles, rowEnv{"RESULT_FILENAME": stem}), raw, true)
	if err != nil {
		p.err = placed(err, f.Name)
	}
}

// roleCounts splits the GPUs of a file name on both roles. Where one worker
// does both, all of them are aggregate.
func roleCounts(env rowEnv, m []string) (rowEnv, error) {
	total, prefill, decode := m[0], m[1], m[2]
	aggregate := !strings.EqualFold(env["DISAGG"], "true") || atoi(env["DECODE_NUM_WORKERS"]) == 0
	switch {
	case aggregate && (prefill == "" || atoi(prefill) == atoi(total) && atoi(decode) == 0):
		return rowEnv{"DISAGG": "false", "AGGREGATE_GPUS": total, "PREFILL_GPUS": "0", "DECODE_GPUS": "0"}, nil
	case aggregate:
		return nil, diag.New("localrun.batch-aggregate", diag.Place{}, "prefill", prefill, "decode", decode, "total", total)
	case prefill == "":
		return nil, diag.New("localrun.batch-roles", diag.Place{})
	case atoi(prefill)+atoi(decode) != atoi(total):
		return nil, diag.New("localrun.batch-sum", diag.Place{}, "prefill", prefill, "decode", decode, "total", total)
	}
	return rowEnv{"PREFILL_GPUS": prefill, "DECODE_GPUS": decode}, nil
}

// oneByOne processes the files of a multi-node point one by one, by the older
// rules: without role counts all GPUs are prefill, and a file without a GPU
// count is skipped.
func oneByOne(env rowEnv, files []rawFile) ([]batchPoint, error) {
	var points []batchPoint
	for _, f := range files {
		stem := strings.TrimSuffix(f.Name, ".json")
		gpus, prefill, decode := after(stem, "_gpus_"), after(stem, "_ctx_"), after(stem, "_gen_")
		if gpus == "" {
			continue
		}
		if prefill == "" || decode == "" {
			prefill, decode = gpus, "0"
		}
		p := batchPoint{file: f.Name}
		raw, err := parseDocument(f.Data)
		if err != nil {
			return points, diag.New("localrun.result-json", diag.Place{File: f.Name}, "detail", err.Error())
		}
		own := rowEnv{"RESULT_FILENAME": stem, "IS_MULTINODE": "true", "PREFILL_GPUS": prefill, "DECODE_GPUS": decode}
		p.row, err = fixedRow(merged(env, own), raw, false)
		if err != nil {
			return points, placed(err, f.Name)
		}
		points = append(points, p)
	}
	return points, nil
}

// after returns the digits behind the last occurrence of a mark.
func after(text, mark string) string {
	at := strings.LastIndex(text, mark)
	if at < 0 {
		return ""
	}
	rest := text[at+len(mark):]
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	return rest[:end]
}

// batchError is the first reason for a batch to fail: a file, or a
// concurrency that is missing or was not asked for.
func batchError(env rowEnv, points []batchPoint) error {
	var got []int64
	for _, p := range points {
		if p.err != nil {
			return p.err
		}
		got = append(got, p.conc)
	}
	var want []int64
	for _, word := range strings.Fields(env["CONC_LIST"]) {
		want = append(want, int64(atoi(word)))
	}
	missing, unexpected := without(want, got), without(got, want)
	if len(missing)+len(unexpected) > 0 {
		return diag.New("localrun.batch-set", diag.Place{}, "missing", list(missing), "unexpected", list(unexpected))
	}
	return nil
}

// without returns the elements of a that b lacks.
func without(a, b []int64) []int64 {
	return slices.DeleteFunc(slices.Clone(a), func(n int64) bool { return slices.Contains(b, n) })
}

// list joins numbers for a message.
func list(numbers []int64) string {
	if len(numbers) == 0 {
		return "none"
	}
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(texts, ", ")
}

func merged(parts ...rowEnv) rowEnv {
	out := make(rowEnv)
	for _, part := range parts {
		for name, value := range part {
			out[name] = value
		}
	}
	return out
}

// atoi reads digits; anything else is 0.
func atoi(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// placed gives a finding without a place the name of its file.
func placed(err error, file string) error {
	if f, ok := err.(diag.Finding); ok && f.File == "" {
		f.File = file
		return f
	}
	return err
}
