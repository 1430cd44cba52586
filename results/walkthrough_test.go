package results

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
	"github.com/sweepbot/sweepbot/results/pareto"
)

const walkthroughImage = "rocm/atom-dev:nightly_202611080900"

// walkthrough is the nine-point recipe of spec/walkthrough.md part A, planned
// and measured: run 40578080205 with its four GSM8K lanes.
func walkthrough(t *testing.T) (planned []Planned, h Harvest) {
	t.Helper()
	data, err := os.ReadFile("testdata/walkthrough-a.json")
	if err != nil {
		t.Fatal(err)
	}
	r := newRun(t)
	for _, p := range at(jsonOf(t, string(data)), "points").Items {
		workers, dcp, conc := at(p, "decode", "num-worker").Text, at(p, "decode", "dcp-size").Text, at(p, "conc").Text
		plan := fmt.Sprintf(`{"image":%q,"model":"zai-org/GLM-5.2","model-prefix":"glm5.2","precision":"fp4","framework":"atom-disagg","spec-decoding":"mtp","runner":"cluster:mi355x-amds","prefill":{"num-worker":1,"tp":1,"pp":4,"dcp-size":1,"pcp-size":1,"ep":1,"dp-attn":false},"decode":{"num-worker":%s,"tp":4,"pp":1,"dcp-size":%s,"pcp-size":1,"ep":1,"dp-attn":false},"conc":[%s],"kv-offloading":"none","total-cpu-dram-gb":1499,"duration":3600,"exp-name":"glm5.2_agentic","disagg":true,"scenario-type":"agentic-coding"}`, walkthroughImage, workers, dcp, conc)
		points := planRow(t, plan, "sweep-multi-node-agentic", "multi-node agentic /")
		planned = append(planned, points...)
		layout := fmt.Sprintf(`"prefill_num_workers":1,"prefill_tp":1,"prefill_pp":4,"prefill_dcp_size":1,"prefill_pcp_size":1,"prefill_ep":1,"decode_num_workers":%s,"decode_tp":4,"decode_pp":1,"decode_dcp_size":%s,"decode_pcp_size":1,"decode_ep":1`, workers, dcp)
		row := fmt.Sprintf(`{"hw":"mi355x-amds","conc":%s,"image":%q,"recipe_fingerprint":"","model":"zai-org/GLM-5.2","infmax_model_prefix":"glm5.2","framework":"atom-disagg","precision":"fp4","spec_decoding":"mtp","disagg":true,"scenario_type":"agentic-coding","is_multinode":true,"num_gpus":8,"tp":5,"ep":1,"dp_attention":"false","kv_offloading":"none","kv_offload_backend":null,"allocated_cpu_dram_gb":1499,"num_requests_total":100,"num_requests_successful":100,"request_accounting":{"records_total":100,"records_profiled":100,"records_dropped_total":0,"records_warmup_dropped":0,"records_error_dropped":0,"error_categories":{}},%s,"prefill_dp_attention":"false","decode_dp_attention":"false","num_prefill_gpu":4,"num_decode_gpu":%d,"request_metrics":{"latency":{"ttft":{"p50":%s,"p90":%s}},"throughput":{"per_gpu":{"total_tput_tps":%s}}},"server_metrics":{},"kv_cache_pool_tokens":null}`,
			conc, walkthroughImage, layout, 4*points[0].Point.Decode.Workers, at(p, "p50_ttft").Text, at(p, "p90_ttft").Text, at(p, "tput_per_gpu").Text)
		r.add(points[0].Artifact+"mi355x-amds_03", files{"row.json": row})
		if score := at(p, "gsm8k").Text; score != "" {
			evalRow := strings.Replace(plan, `"scenario-type"`, `"run-eval":true,"eval-only":true,"eval-conc":`+conc+`,"scenario-type"`, 1)
			planned = append(planned, planRow(t, evalRow, "sweep-multi-node-agentic-evals", "multi-node agentic eval /")...)
			meta := fmt.Sprintf(`{"is_multinode":true,"framework":"atom-disagg","precision":"fp4","spec_decoding":"mtp","conc":%s,%s,"infmax_model_prefix":"glm5.2","hw":"mi355x-amds","isl":"0","osl":"0","image":%q}`, conc, layout, walkthroughImage)
			r.add("eval_glm5.2_"+workers+"d_c"+conc, files{"meta_env.json": meta, "results.json": strings.ReplaceAll(strings.ReplaceAll(gsm8kResult, "0.957", score), "0.961", score)})
		}
	}
	return planned, r.ingest(Newest())
}

// TestWalkthrough holds the documented table, its coverage, its evals and its
// frontier. The table has no end-to-end latencies, so the frontier is counted
// over the time to first token: seven of the nine points at the median, as many
// as the sign-off of the recipe found on its curve.
func TestWalkthrough(t *testing.T) {
	planned, h := walkthrough(t)
	bars, _ := ReadThresholds("t.yaml", []byte("default: {gsm8k: 0.90}"))
	if list := h.Findings(); list != nil {
		t.Fatal(list)
	}
	c := Cover(planned, h, nil, bars)
	if c.Outcome() != Complete || c.Throughput.Planned != 9 || c.Evals.Passed != 4 {
		t.Fatalf("%s %+v %v", c.Outcome(), c.Total, states(c))
	}
	if list := append(SiblingFindings(SiblingGaps(h.Evals(), nil)), ImageFindings(c.Points)...); list != nil {
		t.Error(list)
	}
	golden(t, "walkthrough-a.table", []byte(walkthroughTable(c)))
	for metric, want := range map[string]int{"median_ttft": 7, "p90_ttft": 8} {
		curve := pareto.Curve{Key: metric}
		for _, r := range h.Rows() {
			x, _ := r.Metric(metric)
			y, _ := r.Metric("tput_per_gpu")
			p, valid := pareto.NewPoint(ordjson.Map(ordjson.Member{Name: "x", Value: document.Float(x)}, ordjson.Member{Name: "y", Value: document.Float(y)}))
			if !valid {
				t.Fatalf("%s: invalid", r.Point)
			}
			curve.Points = append(curve.Points, p)
		}
		if result := curve.Frontier(false); len(result.Frontier) != want || result.Status != pareto.Pass || result.Measured != 9 {
			t.Errorf("%s: %d of %d on the frontier, want %d", metric, len(result.Frontier), result.Measured, want)
		}
	}
	curves := Curves(h.Rows(), CurveOptions{Run: "run-40578080205"})
	if len(curves) != 1 || curves[0].Key != "glm5.2/agentic-coding/mi355x_atom-disagg/fp4/run-40578080205/p90" || curves[0].Invalid != 9 {
		t.Errorf("%+v", curves)
	}
}

// walkthroughTable prints the table as the walkthrough tells it.
func walkthroughTable(c Coverage) string {
	scores := map[Point]string{}
	for _, p := range c.Points {
		if p.Planned.Eval {
			scores[p.Planned.Point] = decimal(p.Evals[0].Score, 3)
		}
	}
	var out strings.Builder
	for _, p := range c.Points {
		if p.Row == nil {
			continue
		}
		y, _ := p.Row.Metric("tput_per_gpu")
		p50, _ := p.Row.Metric("median_ttft")
		p90, _ := p.Row.Metric("p90_ttft")
		line := fmt.Sprintf("%s C%d %v %.2f/%.2f %s", p.Planned.Point.Topology(), p.Planned.Point.Conc, y, p50, p90, scores[p.Planned.Point])
		out.WriteString(strings.TrimSpace(line) + "\n")
	}
	return out.String()
}

// TestF24 has twelve good points and one cancelled eval: the run still has
// results, and says which artifacts make it a source of reuse.
func TestF24(t *testing.T) {
	r := newRun(t)
	var planned []Planned
	for conc := 1; conc <= 12; conc++ {
		change := fmt.Sprintf(`{"conc":%d}`, conc)
		planned = append(planned, planRow(t, with(t, jsonOf(t, plannedAgentic), change).String(), "sweep-agentic", "agentic /")...)
		r.add(fmt.Sprintf("bmk_agentic_glm_c%d", conc), files{"row.json": with(t, jsonOf(t, agenticRow), change).String()})
	}
	eval := planRow(t, with(t, jsonOf(t, plannedAgentic), `{"eval-only":true,"run-eval":true}`).String(), "sweep-agentic-evals", "agentic eval /")
	h := r.ingest(Newest())
	c := Cover(append(planned, eval...), h, []Job{{Name: "agentic eval / / p5 | " + eval[0].Title, Conclusion: "cancelled"}}, Thresholds{})
	if c.Outcome() != Partial || c.Total.Passed != 12 || c.Total.Cancelled != 1 {
		t.Errorf("%s %+v", c.Outcome(), c.Total)
	}
	bearing := 0
	for _, a := range h.Artifacts() {
		if BearsResults(a.Upload.Name) {
			bearing++
		}
	}
	if diff := cmp.Diff(12, bearing); diff != "" {
		t.Error(diff)
	}
}
