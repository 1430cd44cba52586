package results

import (
	"slices"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// Accounting is the field request_accounting (spec/results.md section 4.2).
func (r *Requests) Accounting() ordjson.Value {
	out := ordjson.Map()
	out.Add("records_total", ordjson.Int(r.total))
	out.Add("records_profiled", ordjson.Int(r.used))
	out.Add("records_dropped_total", ordjson.Int(r.total-r.used))
	out.Add("records_warmup_dropped", ordjson.Int(r.warmup))
	out.Add("records_error_dropped", ordjson.Int(r.failed))
	out.Add("error_categories", r.categories)
	return out
}

// Total and Used are the numbers of all records and of those that enter the
// metrics.
func (r *Requests) Total() int64 { return r.total }

// Used is the number of records that enter the metrics.
func (r *Requests) Used() int64 { return r.used }

// Metrics is the field request_metrics (spec/results.md section 4.3). Gpus is
// the number of devices, 0 when it is not known; aggregate is the generator's
// own summary.
func (r *Requests) Metrics(gpus int64, aggregate ordjson.Value) ordjson.Value {
	latency := ordjson.Map()
	latency.Add("ttft", statistics(r.ttft))
	latency.Add("e2el", statistics(r.latency))
	latency.Add("itl", statistics(r.itl))
	latency.Add("tpot", statistics(r.itl))
	latency.Add("intvty", inverted(r.itl))
	latency.Add("e2e_norm_intvty", inverted(r.perToken))
	latency.Add("full_response_itl", statistics(r.fullITL))
	latency.Add("full_response_intvty", inverted(r.fullITL))
	tokens := ordjson.Map()
	tokens.Add("input", statistics(r.input))
	tokens.Add("output_actual", statistics(r.output))
	tokens.Add("output_expected", ordjson.Map())
	out := ordjson.Map()
	out.Add("qps", r.qps())
	out.Add("latency", latency)
	out.Add("tokens", tokens)
	out.Add("throughput", r.throughput(gpus))
	out.Add("cache", cacheRate(aggregate))
	return out
}

const (
	nsPerSecond = 1_000_000_000
	// maxWindows bounds the windows of a point: twelve days.
	maxWindows = 1_000_000
)

// qps counts how many requests ended in each second.
func (r *Requests) qps() ordjson.Value {
	out := ordjson.Map()
	ends := slices.Clone(r.ends)
	slices.Sort(ends)
	if len(ends) < 2 {
		return out
	}
	first, last := ends[0], ends[len(ends)-1]
	span := float64(last-first) / nsPerSecond
	if span <= 0 || span > maxWindows {
		return out
	}
	var counts []float64
	next := 0
	for start := first; start+nsPerSecond <= last; start += nsPerSecond {
		n := 0
		for next < len(ends) && ends[next] < start+nsPerSecond {
			n++
			next++
		}
		counts = append(counts, float64(n))
	}
	b, ok := blockOf(counts)
	if !ok {
		out.Add("mean", rounded(float64(len(ends))/span))
		return out
	}
	out.Add("window_seconds", ordjson.Int(1))
	out.Add("samples", ordjson.Int(int64(len(counts))))
	b.members(&out)
	return out
}

func (r *Requests) throughput(gpus int64) ordjson.Value {
	out := ordjson.Map()
	duration := float64(r.last-r.first) / nsPerSecond
	if len(r.ends) == 0 || r.last <= r.first {
		return out
	}
	in, decoded := r.inputSum/duration, r.outputSum/duration
	for _, m := range []struct {
		name string
		rate float64
	}{{"input", in}, {"output", decoded}, {"total", in + decoded}} {
		out.Add(m.name, ordjson.Map(ordjson.Member{Name: "tokens_per_second", Value: rounded(m.rate)}))
	}
	out.Add("duration_seconds", rounded(duration))
	each := ordjson.Map()
	if n := float64(gpus); gpus > 0 {
		each.Add("total_tput_tps", rounded((in+decoded)/n))
		each.Add("output_tput_tps", rounded(decoded/n))
		each.Add("input_tput_tps", rounded(in/n))
	}
	out.Add("per_gpu", each)
	return out
}

// cacheRate is the theoretical hit rate of the prefix cache, a share of 1.
func cacheRate(aggregate ordjson.Value) ordjson.Value {
	out := ordjson.Map()
	hit, _ := aggregate.Get("theoretical_prefix_cache_hit")
	sum, okSum := document.Finite(at(hit, "sum"))
	count, okCount := document.Finite(at(hit, "count"))
	rate, ok := sum/count, okSum && okCount && count > 0
	if !ok {
		if rate, ok = document.Finite(at(hit, "avg")); ok && at(hit, "unit").Text == "%" {
			rate /= 100
		}
	}
	if ok {
		out.Add("theoretical_cache_hit_rate", rounded(rate))
	}
	return out
}
