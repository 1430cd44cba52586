package bot

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
)

// Output is one output of an Actions job.
type Output struct{ Name, Value string }

// PlanOutputs are the outputs of a job that plans: small numbers and flags,
// and one matrix per shard whose elements name a point, its runner and the
// title of its job. The canary, which runs by itself, is in canary-matrix and
// in no shard; without a canary there is no such output.
func PlanOutputs(p Planned) []Output {
	rows := 0
	for _, f := range p.Families {
		rows += len(f.Rows)
	}
	out := []Output{
		{"rows", strconv.Itoa(rows)},
		{"families", strconv.Itoa(len(p.Families))},
		{"canary", strconv.FormatBool(p.Canary != nil)},
		{"fail-fast", strconv.FormatBool(p.Selection.FailFast)},
	}
	points := pointIDs(p.Families)
	var canary *matrix.Row
	if p.Canary != nil {
		canary = p.Canary.Row
		out = append(out, Output{"canary-matrix", matrixOf([]*matrix.Row{canary}, nil, points)})
	}
	for _, f := range p.Families {
		shards, _ := f.Shards(p.Settings.Limits)
		for _, s := range shards {
			if value := matrixOf(s.Rows, canary, points); value != "[]" {
				out = append(out, Output{"matrix-" + s.Name, value})
			}
		}
	}
	return out
}

// matrixOf is the JSON array of references to rows, without the one left out.
func matrixOf(rows []*matrix.Row, without *matrix.Row, points map[*matrix.Row]string) string {
	list := ordjson.List()
	for _, r := range rows {
		if r == without {
			continue
		}
		list.Items = append(list.Items, ordjson.Map(
			ordjson.Member{Name: "point", Value: ordjson.Str(points[r])},
			ordjson.Member{Name: "runner", Value: ordjson.Str(r.Runner)},
			ordjson.Member{Name: "title", Value: ordjson.Str(JobTitle(r))}))
	}
	return string(list.Append(nil, ordjson.Compact))
}

// OutputChars counts the characters of outputs as GitHub does, in UTF-16
// units; each of them costs two bytes of the limit (spec/github-limits.md).
func OutputChars(outputs []Output) int {
	n := 0
	for _, o := range outputs {
		n += len(o.Name) + utf16Units(o.Value)
	}
	return n
}

func utf16Units(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// FitOutputs adds the plan itself to its outputs: as the value of plan where
// everything fits one job, else as too-large with the name of the file that
// holds it. file is "" when there is none, which is refused where it is
// needed.
func FitOutputs(p Planned, doc []byte, file string) ([]Output, diag.List) {
	small := PlanOutputs(p)
	if file != "" {
		small = append(small, Output{"plan-file", file})
	}
	limit := p.Settings.Limits.OutputChars
	whole := append(small[:len(small):len(small)], Output{"plan", string(doc)}, Output{"too-large", "false"})
	if OutputChars(whole) <= limit {
		return whole, nil
	}
	cut := append(small, Output{"too-large", "true"})
	switch chars := OutputChars(cut); {
	case chars > limit:
		return nil, diag.List{outputFinding("cli.outputs-too-large", chars, limit)}
	case file == "":
		return nil, diag.List{outputFinding("cli.plan-too-large", OutputChars(whole), limit)}
	}
	return cut, nil
}

func outputFinding(code string, chars, limit int) diag.Finding {
	return diag.New(code, diag.Place{}, "chars", strconv.Itoa(chars), "limit", strconv.Itoa(limit)).In("usage")
}
