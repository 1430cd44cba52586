package results

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

func TestIngestEveryShape(t *testing.T) {
	h := newRun(t).
		point("bmk_dsv4_single", jsonOf(t, singleRow)).
		add("bmk_dsv4_multi", files{"agg_a_conc64.json": multiRow, "agg_a_conc4.json": with(t, jsonOf(t, multiRow), `{"conc":4}`).String()}).
		add("bmk_agentic_glm", files{"glm.json": agenticRow}).
		add("agentic_glm", files{"results/server.log": "x"}).
		add("eval_dsv4_single", files{"meta_env.json": evalMeta, "results_2026-09-14T10-05-00.json": gsm8kResult, "samples.jsonl": "{}"}).
		add("run-stats", files{"run_stats.json": `{"b200-dgxc":{"n_success":11,"total":14}}`}).
		add("changelog-metadata", files{"changelog_metadata.json": `{"base_ref":"3b1f","head_ref":"9c0d","entries":[{"config-keys":["a"],"pr-link":"https://github.com/acme/bench/pull/1","evals-only":true,"new":1}]}`}).
		add("job_event_x", files{"job_event.json": `{"outcome":"success"}`}).
		add("server_logs_x", files{"server.log": "not read"}).
		ingest(Newest())
	if list := h.Findings(); list != nil {
		t.Fatalf("findings: %v", list)
	}
	var points []string
	for _, r := range h.Rows() {
		points = append(points, r.Point.String())
	}
	want := []string{
		"glm5.2 fp4 mi355x-amds sglang agentic TP4/EP4 mtp dram hicache c48",
		"dsv4 fp8 h200-cw dynamo-vllm 8k1k 2P2D mtp c4", "dsv4 fp8 h200-cw dynamo-vllm 8k1k 2P2D mtp c64",
		"dsv4 fp8 b200-dgxc vllm 8k1k TP8 c16",
	}
	if diff := cmp.Diff(want, points); diff != "" {
		t.Error(diff)
	}
	evals := h.Evals()
	if len(evals) != 1 || evals[0].Score != 0.957 || evals[0].Samples != 1319 || evals[0].Task != "gsm8k" || evals[0].Result != "eval_results/eval_dsv4_single/results_2026-09-14T10-05-00.json" {
		t.Errorf("evals: %+v", evals)
	}
	if evalKey(evals[0].Point) != evalKey(h.Rows()[3].Point) {
		t.Errorf("the eval's point %v is not the row's %v", evals[0].Point, h.Rows()[3].Point)
	}
	stats, _ := h.Artifact("run-stats")
	if diff := cmp.Diff([]ClusterSuccess{{"b200-dgxc", Success{11, 14}}}, stats.Success); diff != "" {
		t.Error(diff)
	}
	metadata, _ := h.Artifact("changelog-metadata")
	if m := metadata.Metadata; m == nil || m.HeadRef != "9c0d" || len(m.Entries) != 1 || !m.Entries[0].EvalsOnly || m.Entries[0].ConfigKeys[0] != "a" {
		t.Errorf("metadata: %+v", metadata.Metadata)
	}
}

// TestS53S55OneByOne holds that every hostile artifact is refused by itself and
// costs no other its place.
func TestS53S55OneByOne(t *testing.T) {
	row := jsonOf(t, singleRow)
	bad := map[string]string{
		"nan":       `{"tput_per_gpu":NaN}`,
		"infinity":  `{"median_ttft":Infinity}`,
		"negative":  `{"tput_per_gpu":-1}`,
		"1e400":     `{"tput_per_gpu":1e400}`,
		"absurd":    `{"tput_per_gpu":1e30}`,
		"slow":      `{"p90_e2el":1e12}`,
		"no conc":   `{"conc":"-"}`,
		"text conc": `{"conc":"16"}`,
		"half conc": `{"conc":16.5}`,
		"huge conc": `{"conc":99999999999999999999}`,
		"zero isl":  `{"isl":0}`,
		"bool":      `{"disagg":"false"}`,
		"no hw":     `{"hw":"-"}`,
		"list":      `{"tput_per_gpu":[1]}`,
	}
	for name, change := range bad {
		r := newRun(t).point("bmk_bad", with(t, row, change)).point("bmk_good", row)
		checkOnlyGood(t, name, r.ingest(Newest()), "row-rejected bmk_bad/agg_bmk_bad.json")
	}
	for name, text := range map[string]string{
		"repeated":    strings.Replace(singleRow, `"conc":16`, `"conc":16,"conc":32`, 1),
		"cut off":     singleRow[:100],
		"web page":    "<html>",
		"not UTF-8":   strings.Replace(singleRow, "vllm", "\xff", 1),
		"deep":        strings.Repeat("[", 10_000),
		"too large":   `{"note":"` + varied(40<<10) + `"}`,
		"two objects": singleRow + singleRow,
	} {
		r := newRun(t).add("bmk_bad", files{"agg_bmk_bad.json": text}).point("bmk_good", row)
		rules := Newest()
		rules.RowBytes = 32 << 10
		checkOnlyGood(t, name, r.ingest(rules), "json-unreadable bmk_bad/agg_bmk_bad.json")
	}
	for name, c := range map[string]struct {
		data []byte
		code string
	}{
		"web page":  {[]byte("<html>busy</html>"), "archive-not-zip bmk_bad"},
		"truncated": {zipOf(t, files{"a.json": singleRow})[:300], "archive-truncated bmk_bad"},
		"traversal": {zipOf(t, files{"../a.json": singleRow}), "archive-unsafe-path bmk_bad/a.json"},
		"case":      {zipOf(t, files{"A.json": singleRow, "a.json": singleRow}), "archive-twice-named bmk_bad/a.json"},
		"bomb":      {zipOf(t, files{"a.json": strings.Repeat(" ", 5<<18)}), "archive-bomb bmk_bad/a.json"},
		"nested":    {zipOf(t, files{"a.zip": "x"}), "archive-nested bmk_bad/a.zip"},
		"no row":    {zipOf(t, files{"notes.txt": "x"}), "artifact-empty bmk_bad"},
	} {
		r := newRun(t).addRaw("bmk_bad", c.data).point("bmk_good", row)
		checkOnlyGood(t, name, r.ingest(Newest()), c.code)
	}
}

// varied is a text that does not compress well.
func varied(n int) string {
	var out strings.Builder
	for x := uint32(1); out.Len() < n; x = x*1664525 + 1013904223 {
		out.WriteByte('a' + byte(x>>24)%26)
	}
	return out.String()
}

func checkOnlyGood(t *testing.T, name string, h Harvest, code string) {
	t.Helper()
	rows := h.Rows()
	if len(rows) != 1 || !strings.HasPrefix(rows[0].Source, "bmk_good/") {
		t.Errorf("%s: rows %v", name, rows)
	}
	if got := codes(h.Findings()); !slices.Equal(got, []string{code}) {
		t.Errorf("%s: findings %q, want %s", name, got, code)
	}
	for _, f := range h.Findings() {
		for _, lang := range []catalog.Language{catalog.English, catalog.Chinese} {
			if text := f.Message(lang) + f.Mend(lang); strings.ContainsAny(text, "{}") && !strings.Contains(text, "JSON") {
				t.Errorf("%s: text with holes: %s", name, text)
			}
		}
	}
}

// TestS54 has uploads that expired, are gone, are not what they were, or were
// made twice.
func TestS54(t *testing.T) {
	row := jsonOf(t, singleRow)
	r := newRun(t).
		point("bmk_a", with(t, row, `{"conc":1}`)).
		point("bmk_a", with(t, row, `{"conc":2}`)).
		point("bmk_b", with(t, row, `{"conc":3}`)).
		point("bmk_b", with(t, row, `{"conc":4}`)).
		point("bmk_c", with(t, row, `{"conc":5}`)).
		point("bmk_d", with(t, row, `{"conc":6}`)).
		point("bmk_e", with(t, row, `{"conc":7}`)).
		addRaw("bmk_f", nil)
	r.uploads[3].Expired = true
	r.uploads[4].Expired = true
	delete(r.store, 6)
	r.uploads[6].Digest = "sha256:" + strings.Repeat("0", 64)
	h := r.ingest(Newest())
	var concs []int64
	for _, row := range h.Rows() {
		concs = append(concs, row.Point.Conc)
	}
	if fmt.Sprint(concs) != "[2 3]" {
		t.Errorf("concurrencies %v", concs)
	}
	want := []string{
		"artifact-superseded bmk_a", "artifact-superseded bmk_b", "artifact-expired bmk_c",
		"artifact-gone bmk_d", "archive-wrong-digest bmk_e", "archive-truncated bmk_f",
	}
	if diff := cmp.Diff(want, codes(h.Findings())); diff != "" {
		t.Error(diff)
	}
}

func TestChooseTies(t *testing.T) {
	same := epoch
	uploads := []Upload{{ID: 5, Name: "a", Created: same}, {ID: 9, Name: "a", Created: same}, {ID: 9, Name: "a", Created: same}, {ID: 7, Name: "a", Created: same.Add(-time.Hour)}, {ID: 1, Name: "A", Created: same}}
	chosen, list := Choose(uploads)
	if len(chosen) != 2 || chosen[1].ID != 9 {
		t.Errorf("%+v", chosen)
	}
	if diff := cmp.Diff([]string{"artifact-superseded a", "artifact-superseded a", "artifact-case a"}, codes(list)); diff != "" {
		t.Error(diff)
	}
}

// TestF48 holds that the bundle of one attempt is never shown for another.
func TestF48(t *testing.T) {
	uploads := []Upload{{ID: 1, Name: "logs", Attempt: 1, Created: epoch}, {ID: 2, Name: "logs-2", Attempt: 2, Created: epoch}, {ID: 3, Name: "old", Created: epoch}}
	if u, list := OfAttempt(uploads, "logs", 1); u.ID != 1 || list != nil {
		t.Errorf("%+v %v", u, list)
	}
	for name, attempt := range map[string]int{"logs": 2, "old": 0, "none": 1} {
		if u, list := OfAttempt(uploads, name, attempt); u.ID != 0 || !list.Refused() {
			t.Errorf("%s of attempt %d: %+v", name, attempt, u)
		}
	}
}

// TestF47 takes the newest of uploads with one logical name.
func TestF47(t *testing.T) {
	chosen, list := Choose([]Upload{{ID: 1, Name: "logs-ubuntu", Attempt: 1, Created: epoch}, {ID: 2, Name: "logs-ubuntu", Attempt: 2, Created: epoch.Add(time.Hour)}})
	if len(chosen) != 1 || chosen[0].Attempt != 2 || list.Refused() {
		t.Errorf("%+v %v", chosen, list)
	}
}

func TestIngestStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := newRun(t).point("bmk_a", jsonOf(t, singleRow)).point("bmk_b", jsonOf(t, singleRow))
	_, err := Ingest(ctx, r.uploads, func(ctx context.Context, u Upload) (Blob, error) {
		cancel()
		return nil, fs.ErrNotExist
	}, Newest())
	if err == nil {
		t.Error("a cancelled reading has no error")
	}
}

// TestRepeatedPoints holds that two artifacts of one point are reported and
// both kept (a re-run on another runner).
func TestRepeatedPoints(t *testing.T) {
	row := jsonOf(t, singleRow)
	h := newRun(t).point("bmk_x_07", row).point("bmk_x_11", row).ingest(Newest())
	if got := codes(h.Findings()); !slices.Equal(got, []string{"point-twice bmk_x_07/agg_bmk_x_07.json"}) || len(h.Rows()) != 2 {
		t.Error(got)
	}
	h = newRun(t).point("bmk_x_07", row).point("bmk_x_11", with(t, row, `{"image":"other:1"}`)).ingest(Newest())
	if got := codes(h.Findings()); !slices.Equal(got, []string{"point-contradiction bmk_x_07/agg_bmk_x_07.json"}) {
		t.Error(got)
	}
}

func TestAggregateAgainstPoints(t *testing.T) {
	row := jsonOf(t, singleRow)
	other := with(t, row, `{"conc":32}`)
	aggregate := files{"agg_bmk.json": "[" + row.String() + "]"}
	for name, c := range map[string]struct {
		run  *run
		want []string
	}{
		"agrees":  {newRun(t).point("bmk_a", row).add("results_bmk", aggregate), nil},
		"differs": {newRun(t).point("bmk_b", other).add("results_bmk", aggregate), []string{"aggregate-differs results_bmk"}},
		"stale":   {newRun(t).add("results_bmk", aggregate).point("bmk_a", row), []string{"aggregate-stale results_bmk"}},
		"alone":   {newRun(t).add("results_bmk", aggregate), nil},
		"object":  {newRun(t).point("bmk_a", row).add("results_bmk", files{"agg_bmk.json": row.String()}), []string{"wrong-shape results_bmk/agg_bmk.json"}},
	} {
		h := c.run.ingest(Newest())
		if diff := cmp.Diff(c.want, codes(h.Findings())); diff != "" || len(h.Rows()) != 1 {
			t.Errorf("%s: %s, %d rows", name, diff, len(h.Rows()))
		}
	}
}

// TestTolerance holds that fields that are not known, and rows of older shape,
// are read.
func TestTolerance(t *testing.T) {
	for name, v := range map[string]string{
		"unknown field": with(t, jsonOf(t, singleRow), `{"note":"x","telemetry":{"a":[1]}}`).String(),
		"old sizes":     with(t, jsonOf(t, singleRow), `{"pp":"-","dcp_size":"-","pcp_size":"-","recipe_fingerprint":"-"}`).String(),
		"version 2":     with(t, jsonOf(t, singleRow), `{"result_schema_version":2}`).String(),
		"old agentic":   with(t, jsonOf(t, agenticRow), `{"num_gpus":"-","kv_cache_pool_tokens":"-"}`).String(),
		"old multi":     with(t, jsonOf(t, multiRow), `{"prefill_pp":"-","decode_pcp_size":"-"}`).String(),
	} {
		if _, list := ReadRow("s", jsonOf(t, v), Newest()); list != nil {
			t.Errorf("%s: %v", name, list)
		}
	}
}
