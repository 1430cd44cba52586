package results

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// requestedConcs reads what the workflow asked for: unique positive integers.
// nil means that it asked for nothing.
func requestedConcs(text *string) (concs []int64, ok bool) {
	if text == nil {
		return nil, true
	}
	for _, word := range strings.Fields(*text) {
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil || n <= 0 || slices.Contains(concs, n) {
			return nil, false
		}
		concs = append(concs, n)
	}
	return concs, len(concs) > 0
}

// manifest holds the metadata of a batch and the names of its results against
// what was requested (the table of spec/results.md section 6.5).
func (j *judge) manifest(requested []int64) {
	suffixed := slices.ContainsFunc(j.results, func(r evalResult) bool { return r.conc != 0 })
	concs, batched := j.meta.Get("eval_concs")
	switch {
	case !j.readable && (requested != nil || suffixed):
		j.fail("batch-metadata-unreadable", nil, metaFile)
	case !j.readable:
	case batched:
		j.batch(concs, requested)
	case len(requested) > 1:
		j.fail("batch-metadata-missing", nil, metaFile)
	case len(requested) == 1:
		j.unbatched(requested[0])
	}
}

func (j *judge) unbatched(requested int64) {
	if conc, ok := document.Int(at(j.meta, "conc")); !ok || conc != requested {
		j.fail("conc-mismatch", nil, metaFile)
	}
	if len(j.results) != 1 {
		j.fail("result-count", nil, "")
	}
}

func (j *judge) batch(concs ordjson.Value, requested []int64) {
	completedList, _ := j.meta.Get("completed_eval_concs")
	failedList, _ := j.meta.Get("failed_eval_concs")
	lists := []ordjson.Value{concs, completedList, failedList}
	if slices.ContainsFunc(lists, func(v ordjson.Value) bool { return v.Kind != ordjson.Array }) {
		j.fail("batch-lists-malformed", nil, metaFile)
		return
	}
	known, ok1 := concList(concs)
	completed, ok2 := concList(completedList)
	failed, ok3 := concList(failedList)
	if !ok1 || !ok2 || !ok3 {
		j.fail("batch-conc-invalid", nil, metaFile)
		return
	}
	expected := unique(known)
	if len(expected) != len(known) {
		j.fail("batch-duplicate-expected", nil, metaFile)
	}
	if len(unique(completed)) != len(completed) {
		j.fail("batch-duplicate-completed", nil, metaFile)
	}
	if requested != nil {
		if !slices.Equal(unique(requested), expected) {
			j.fail("batch-workflow-mismatch", nil, metaFile)
		}
		expected = unique(requested)
	}
	j.failConcs("batch-failed", unique(failed))
	j.compare("completed", expected, unique(completed))
	j.batchFiles(expected)
}

func (j *judge) batchFiles(expected []int64) {
	var present []int64
	for _, r := range j.results {
		if r.conc == 0 {
			j.fail("batch-result-unsuffixed", nil, r.name)
			continue
		}
		present = append(present, r.conc)
	}
	j.compare("results", expected, unique(present))
}

// compare reports what is missing from, and what is beyond, the expected set.
func (j *judge) compare(what string, expected, present []int64) {
	j.failConcs("batch-missing-"+what, without(expected, present))
	j.failConcs("batch-unexpected-"+what, without(present, expected))
}

func (j *judge) failConcs(code string, concs []int64) {
	if len(concs) > 0 {
		j.fail(code, concs, "")
	}
}

// concList reads a list of positive integers.
func concList(list ordjson.Value) ([]int64, bool) {
	out := make([]int64, 0, len(list.Items))
	for _, v := range list.Items {
		n, ok := document.Int(v)
		if !ok || n <= 0 {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}

// unique returns the sorted distinct numbers.
func unique(numbers []int64) []int64 {
	out := slices.Clone(numbers)
	slices.Sort(out)
	return slices.Compact(out)
}

func without(numbers, others []int64) []int64 {
	var out []int64
	for _, n := range numbers {
		if !slices.Contains(others, n) {
			out = append(out, n)
		}
	}
	return out
}
