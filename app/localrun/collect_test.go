package localrun

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// rowText is the row of fixedPoint("a", conc).
func rowText(conc int) string {
	return fmt.Sprintf(`{"hw":"cluster:aurora","conc":%d,"image":"i","model":"m","infmax_model_prefix":"a","framework":"vllm","precision":"fp8",`+
		`"spec_decoding":"none","disagg":false,"recipe_fingerprint":"","isl":1024,"osl":1024,"is_multinode":false,"tp":1,"pp":1,"dcp_size":1,"pcp_size":1,`+
		`"ep":1,"dp_attention":"false","tput_per_gpu":100.5,"median_ttft":0.25,"median_e2el":1.5}`, conc)
}

const agenticText = `{"hw":"aurora","conc":2,"image":"i","model":"m","infmax_model_prefix":"orchid","framework":"vllm","precision":"fp8",` +
	`"scenario_type":"agentic-coding","is_multinode":false,"tp":2,"ep":1,"dp_attention":"false","disagg":false,"num_requests_total":6,"num_requests_successful":5,"kv_offloading":"none","kv_offload_backend":null,` +
	`"request_metrics":{"latency":{"ttft":{"p50":0.5},"e2el":{"mean":9}},"throughput":{"per_gpu":{"total_tput_tps":77}}}}`

// collected collects a folder of files.
func collected(t *testing.T, files map[string]string) *Collection {
	t.Helper()
	c, err := Collect(rootWith(t, files).Name(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func codes(c *Collection) []string {
	var out []string
	for _, f := range c.Findings {
		out = append(out, strings.TrimPrefix(f.Code, "localrun.")+" "+f.Path)
	}
	slices.Sort(out)
	return out
}

func TestNothingIsNeverGreen(t *testing.T) {
	tests := map[string]map[string]string{
		"an empty folder":         {"x": ""},
		"no result":               {"artifacts/server_logs_x/server.log": "x", "artifacts/changelog-metadata/changelog_metadata.json": "{}"},
		"an empty aggregate":      {"results_bmk/agg_bmk.json": "[]"},
		"an empty list of evals":  {"eval_results_all/agg_eval_all.json": "[]"},
		"a point without a file":  {"bmk_x/readme.txt": "x"},
		"a plan without a result": {"plan.json": string(planOf(t, families{spec: "a:2"}).Document.Append(nil, ordjson.Compact))},
	}
	for name, files := range tests {
		c := collected(t, files)
		if c.Usable() || !slices.ContainsFunc(codes(c), func(s string) bool { return strings.HasPrefix(s, "nothing-collected") }) {
			t.Errorf("%s: usable %t, %v", name, c.Usable(), codes(c))
		}
	}
}

func TestCollectWithoutAPlan(t *testing.T) {
	c := collected(t, map[string]string{
		"bmk_a/agg_a.json": rowText(1), "bmk_agentic_b/b.json": agenticText,
		"results_bmk/agg_bmk.json": "[" + rowText(1) + "]", // the same once more
	})
	if !c.Usable() || c.Counts != (Counts{Planned: 2, Passed: 2}) {
		t.Errorf("%+v %v", c.Counts, codes(c))
	}
	got := []string{}
	for _, l := range c.Lines {
		got = append(got, fmt.Sprintf("%s %v %v %v", l.Label, *l.Throughput, *l.TTFT, *l.E2EL))
	}
	want := []string{"a fp8 aurora vllm 1k1k TP1 c1 100.5 0.25 1.5", "orchid fp8 aurora vllm agentic TP2 c2 77 0.5 9"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCollectTheAggregateOfActions(t *testing.T) {
	c := collected(t, map[string]string{"results_bmk/agg_bmk.json": "[" + rowText(1) + "," + rowText(2) + "]"})
	if !c.Usable() || c.Counts.Passed != 2 {
		t.Errorf("%+v %v", c.Counts, codes(c))
	}
}

func TestCollectOneArtifactUnpackedFlat(t *testing.T) {
	c := collected(t, map[string]string{"agg_a.json": rowText(1)})
	if !c.Usable() || c.Counts.Passed != 1 {
		t.Errorf("%+v %v", c.Counts, codes(c))
	}
}

func TestCollectAgainstAPlan(t *testing.T) {
	plan := planOf(t, families{spec: "a:4 eval:1"})
	files := map[string]string{
		"plan.json":        string(plan.Document.Append(nil, ordjson.Compact)),
		"bmk_1/agg_1.json": rowText(1), "bmk_2/agg_2.json": strings.Replace(rowText(2), "0.25", "NaN", 1),
		"bmk_9/agg_9.json":       rowText(9),
		"eval_1/meta_env.json":   metaText("1024", "1"),
		"eval_1/results_1.json":  `{"lm_eval_version":"1","results":{"gsm8k":{"exact_match,strict-match":0.9}}}`,
		"eval_server_logs_x/x.x": "x",
	}
	c := collected(t, files)
	if want := (Counts{Planned: 5, Passed: 2, Failed: 1, Pending: 2}); c.Counts != want {
		t.Errorf("%+v, want %+v", c.Counts, want)
	}
	if want := []string{"not-planned ", "results.row-rejected "}; !slices.Equal(codes(c), want) {
		t.Errorf("%v, want %v", codes(c), want)
	}
	if c.Usable() {
		t.Error("usable although points are missing")
	}
}

func TestTheJournalCountsMoreThanResults(t *testing.T) {
	plan := planOf(t, families{spec: "a:3"})
	id := plan.Families[0].Rows
	files := map[string]string{
		"plan.json": string(plan.Document.Append(nil, ordjson.Compact)),
		"state.jsonl": `{"kind":"plan","version":1}` + "\n" +
			`{"kind":"end","point":"` + id[0].ID + `","attempt":1,"status":"failed","code":"localrun.exit","args":["code","3"]}` + "\n" +
			`{"kind":"end","point":"` + id[1].ID + `","attempt":1,"status":"passed"}` + "\n" +
			`{"kind":"end","point":"` + id[2].ID + `","attempt":1,"status":"cancelled"}` + "\n",
		"artifacts/bmk_1/agg_1.json": rowText(1), // left by the failed point
	}
	c := collected(t, files)
	want := Counts{Planned: 3, Failed: 1, Cancelled: 1, Pending: 1} // the passed one lost its result
	if c.Counts != want {
		t.Errorf("%+v, want %+v", c.Counts, want)
	}
}

func TestS55RowsOneByOne(t *testing.T) {
	edit := func(old, now string) string { return strings.Replace(rowText(4), old, now, 1) }
	tests := []struct {
		name, row string
		want      []string
	}{
		{"good", rowText(4), nil},
		{"NaN", edit("100.5", "NaN"), []string{"results.row-rejected "}},
		{"Infinity", edit("0.25", "Infinity"), []string{"results.row-rejected "}},
		{"1e400", edit("0.25", "1e400"), []string{"results.row-rejected "}},
		{"negative", edit("100.5", "-1"), []string{"results.row-rejected "}},
		{"several", edit(`100.5,"median_ttft":0.25`, `-1,"median_ttft":NaN`), []string{"results.row-rejected "}},
		{"zero throughput", edit("100.5", "0"), []string{"row-zero "}},
		{"no throughput", edit("tput_per_gpu", "x"), []string{"results.row-rejected "}},
		{"throughput as text", edit("100.5", `"100.5"`), []string{"results.row-rejected "}},
		{"no concurrency", edit(`"conc":4,`, ""), []string{"results.row-rejected "}},
		{"huge concurrency", edit(`"conc":4`, `"conc":99999999999999999999`), []string{"results.row-rejected "}},
		{"half a concurrency", edit(`"conc":4`, `"conc":4.5`), []string{"results.row-rejected "}},
		{"F43 no lengths", edit(`"isl":1024,"osl":1024,`, ""), []string{"results.row-rejected "}},
		{"F43 zero lengths", edit(`"isl":1024,"osl":1024,`, `"isl":0,"osl":0,`), []string{"results.row-rejected "}},
		{"no hardware", edit(`"hw":"cluster:aurora"`, `"hw":""`), []string{"row-text "}},
		{"boolean as text", edit(`"is_multinode":false`, `"is_multinode":"false"`), []string{"results.row-rejected "}},
		{"repeated member", edit(`"conc":4`, `"conc":4,"conc":5`), []string{"result-json "}},
		{"no object", `"x"`, []string{"results.row-rejected "}},
		{"no JSON", `{`, []string{"result-json "}},
		{"F45 agentic without success", strings.Replace(agenticText, `successful":5`, `successful":0`, 1), []string{"no-successes "}},
		{"negative deep inside", strings.Replace(agenticText, "0.5", "-0.5", 1), []string{"results.row-rejected "}},
	}
	for _, tt := range tests {
		c := collected(t, map[string]string{"bmk_x/x.json": tt.row, "bmk_good/y.json": rowText(7)})
		if diff := cmp.Diff(tt.want, codes(c)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if c.Usable() != (tt.want == nil) {
			t.Errorf("%s: usable is %t", tt.name, c.Usable())
		}
		if !slices.ContainsFunc(c.Lines, func(l Line) bool { return l.id.conc == "7" }) {
			t.Errorf("%s: the good row beside it is gone", tt.name)
		}
	}
}

func TestF43EvalMetadata(t *testing.T) {
	good := map[string]string{"eval_x/meta_env.json": metaText("1024", "1"), "eval_x/results.json": `{"results":{"gsm8k":{"exact_match,strict-match":0.9}}}`}
	if c := collected(t, good); !c.Usable() || c.Lines[0].Task != "gsm8k" || *c.Lines[0].Score != 0.9 {
		t.Errorf("%+v %v", c.Lines, codes(c))
	}
	for name, tt := range map[string]struct{ file, text, want string }{
		"no lengths":      {"meta_env.json", strings.Replace(metaText("1024", "1"), `"isl"`, `"x"`, 1), "row-text isl"},
		"no metadata":     {"meta_env.json", "", "result-json "},
		"unknown machine": {"meta_env.json", strings.Replace(metaText("1024", "1"), `"aurora"`, `"unknown"`, 1), "row-text hw"},
		"no score":        {"results.json", `{"results":{}}`, "eval-nothing "},
		"score above one": {"results.json", `{"results":{"gsm8k":{"exact_match,strict-match":90}}}`, "eval-range "},
		"score NaN":       {"results.json", `{"results":{"gsm8k":{"exact_match,strict-match":NaN}}}`, "eval-range "},
	} {
		files := map[string]string{"bmk_good/y.json": rowText(7)}
		for file, text := range good {
			files[file] = text
		}
		files["eval_x/"+tt.file] = tt.text
		if c := collected(t, files); c.Usable() || !slices.Equal(codes(c), []string{tt.want}) {
			t.Errorf("%s: %v, want %s", name, codes(c), tt.want)
		}
	}
}

func TestS53HostileArtifacts(t *testing.T) {
	outside := rootWith(t, map[string]string{"agg.json": rowText(1)}).Name()
	dir := rootWith(t, map[string]string{"bmk_good/agg.json": rowText(7), "bmk_file": "x", "bmk_deep/" + strings.Repeat("d/", 12) + "x.json": rowText(3)}).Name()
	for link, target := range map[string]string{"bmk_link": outside, "bmk_good/link.json": filepath.Join(outside, "agg.json"), "eval_link": outside} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Collect(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"not-a-folder ", "not-a-folder ", "not-a-folder ", "not-regular ", "too-deep "}
	if diff := cmp.Diff(want, codes(c)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(c.Lines) != 1 || c.Lines[0].id.conc != "7" || c.Usable() {
		t.Errorf("%+v", c.Lines)
	}
}

func TestTwoResultsOfOneRowAreNotMerged(t *testing.T) {
	c := collected(t, map[string]string{"bmk_a/x.json": rowText(1), "bmk_b/x.json": rowText(1)})
	if c.Usable() || !slices.Equal(codes(c), []string{"result-twice "}) {
		t.Errorf("%v", codes(c))
	}
}

func TestCollectFormats(t *testing.T) {
	plan := planOf(t, families{spec: "a:2 eval:1", canary: true})
	c := collected(t, map[string]string{
		"plan.json":            string(plan.Document.Append(nil, ordjson.Compact)),
		"bmk_1/agg_1.json":     rowText(1),
		"eval_1/meta_env.json": metaText("1024", "1"), "eval_1/results.json": `{"results":{"gsm8k":{"exact_match,strict-match":0.9}}}`,
	})
	var table, values, doc strings.Builder
	if err := c.WriteTable(&table, catalog.English); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteCSV(&values); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteJSON(&doc); err != nil {
		t.Fatal(err)
	}
	golden(t, "collect.golden", table.String()+"\n"+values.String()+"\n"+doc.String())
	if !json.Valid([]byte(doc.String())) {
		t.Error("no JSON")
	}
	if records, err := csv.NewReader(strings.NewReader(values.String())).ReadAll(); err != nil || len(records) != 4 {
		t.Errorf("%v, %d records", err, len(records))
	}
}

func TestHostileNamesInOutput(t *testing.T) {
	c := collected(t, map[string]string{"bmk_1/agg_1.json": strings.Replace(rowText(1), `prefix":"a"`, `prefix":"=cmd()\u001b[2J"`, 1)})
	var table, values strings.Builder
	if err := c.WriteTable(&table, catalog.English); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteCSV(&values); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(table.String(), "\x1b") {
		t.Errorf("the table draws: %q", table.String())
	}
	if !strings.Contains(values.String(), "'=cmd()") {
		t.Errorf("a spreadsheet would run it: %q", values.String())
	}
}

func TestEvalsThatDifferInOffloadOnly(t *testing.T) {
	meta := strings.Replace(metaText("0", "8"), `"is_multinode"`, `"x":1,"is_multinode"`, 1)
	files := map[string]string{}
	for name, score := range map[string]string{
		"eval_a_tp4_conc8_kvnone_fp8": "0.5", "eval_a_tp4_conc8_kvdram-larder_fp8_1": "0.6", "eval_a_tp4_conc8_kvdram-larder_fp8_2": "0.7",
	} {
		files[name+"/meta_env.json"] = meta
		if strings.HasSuffix(name, "_2") { // later launchers say the mode, but not the back end
			files[name+"/meta_env.json"] = strings.Replace(meta, `"x":1`, `"kv_offloading":"dram"`, 1)
		}
		files[name+"/results.json"] = `{"results":{"swebench_lite":{"exact_match,resolved":` + score + `}}}`
	}
	c := collected(t, files)
	got := []string{}
	for _, l := range c.Lines {
		got = append(got, fmt.Sprint(l.id.offload, " ", *l.Score))
	}
	slices.Sort(got)
	if want := []string{"dram-larder 0.7", "none 0.5"}; !slices.Equal(got, want) || !c.Usable() {
		t.Errorf("%v, want %v; %v", got, want, codes(c))
	}
	for name, want := range map[string]string{"eval_x_kvnone-_specnone_1": "none", "eval_p1x4_conc4_fp8": "none", "eval_x_kvdram+nvme-a_y": "dram+nvme-a"} {
		if got := offloadOf(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
