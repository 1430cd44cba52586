package results

import (
	"math"
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// percentiles are those of every statistics block, in its order.
var percentiles = []struct {
	name string
	p    float64
}{{"p50", 50}, {"p75", 75}, {"p90", 90}, {"p95", 95}}

// Percentile returns the p-th percentile of sorted values by linear
// interpolation between neighbours; NaN for no values.
func Percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	k := float64(len(sorted)-1) * p / 100
	low := math.Floor(k)
	i := int(low)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (sorted[i+1]-sorted[i])*(k-low)
}

func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// deviation is the population deviation.
func deviation(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	m := mean(values)
	var sum float64
	for _, v := range values {
		sum += (v - m) * (v - m)
	}
	return math.Sqrt(sum / float64(len(values)))
}

// block are the statistics of a metric (spec/results.md section 4.3).
type block struct {
	mean, std float64
	at        []float64 // in the order of percentiles
}

func blockOf(values []float64) (block, bool) {
	if len(values) == 0 {
		return block{}, false
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	b := block{mean: mean(values), std: deviation(values)}
	for _, p := range percentiles {
		b.at = append(b.at, Percentile(sorted, p.p))
	}
	return b, true
}

// members are the statistics as row fields.
func (b block) members(out *ordjson.Value) {
	out.Add("mean", rounded(b.mean))
	for i, p := range percentiles {
		out.Add(p.name, rounded(b.at[i]))
	}
	out.Add("std", rounded(b.std))
}

// statistics is the block of values, an empty object for none.
func statistics(values []float64) ordjson.Value {
	out := ordjson.Map()
	if b, ok := blockOf(values); ok {
		b.members(&out)
	}
	return out
}

// inverted is the block of values whose mean and percentiles are inverted after
// they were taken, so that p90 stays that of the slow requests; its deviation is
// that of the single reciprocals.
func inverted(values []float64) ordjson.Value {
	out := ordjson.Map()
	b, ok := blockOf(values)
	if !ok {
		return out
	}
	add := func(name string, v float64) {
		if v > 0 {
			out.Add(name, rounded(1/v))
		}
	}
	add("mean", b.mean)
	for i, p := range percentiles {
		add(p.name, b.at[i])
	}
	reciprocals := make([]float64, len(values))
	for i, v := range values {
		reciprocals[i] = 1 / v
	}
	out.Add("std", rounded(deviation(reciprocals)))
	return out
}

const decimals = 5

// rounded is a number of a row: five decimals, and an integer where the result
// is whole and not below 1.
func rounded(f float64) ordjson.Value {
	text := strconv.FormatFloat(f, 'f', decimals, 64)
	g, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(g) || math.IsInf(g, 0) {
		return ordjson.Null()
	}
	if math.Abs(g) >= 1 && g == math.Trunc(g) && math.Abs(g) < 1<<62 {
		return ordjson.Int(int64(g))
	}
	return document.Float(g)
}
