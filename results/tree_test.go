package results

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/results/archive"
)

func checkFiles(t *testing.T, content files, rules Rules) TreeReport {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range content {
		if strings.HasSuffix(name, "/") {
			tree[path.Clean(name)] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
			continue
		}
		tree[name] = &fstest.MapFile{Data: []byte(text), ModTime: time.Unix(1780000000, 0)}
	}
	opened, list, err := OpenTree(tree, archive.DefaultLimits())
	if err != nil || list != nil {
		t.Fatal(err, list)
	}
	report, err := CheckTree(opened, rules)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func treeTexts(r TreeReport) []string {
	var out []string
	for _, e := range r.Errors {
		text := e.Code
		for _, a := range e.Args {
			text += " " + a.String()
		}
		out = append(out, text)
	}
	return out
}

// aggregateRow is the row that the collector makes of evalMeta's result.
func aggregateOf(t *testing.T, folder, file, change string) string {
	t.Helper()
	rows, _, err := EvalRows(evalTree(t, files{folder + "/meta_env.json": with(t, jsonOf(t, evalMeta), change).String(), folder + "/" + file: gsm8kResult}), Newest())
	if err != nil || len(rows) != 1 {
		t.Fatal(rows, err)
	}
	return rows[0].String()
}

func TestTreeEvals(t *testing.T) {
	meta := func(change string) string { return with(t, jsonOf(t, evalMeta), change).String() }
	result := func(change string) string { return with(t, jsonOf(t, gsm8kResult), change).String() }
	aggregate := "[" + aggregateOf(t, "eval_a", "results.json", `{}`) + "]"
	good := files{"eval_a/meta_env.json": evalMeta, "eval_a/results.json": gsm8kResult, "eval_results_all/agg_eval_all.json": aggregate}
	for name, c := range map[string]struct {
		content files
		want    []string
	}{
		"good":              {nil, nil},
		"suite":             {files{"eval_a/meta_env.json": meta(`{"eval_suite":1}`)}, []string{"eval-suite-invalid eval_a", "no-rows", "unexpected eval-aggregate 1"}},
		"conc":              {files{"eval_a/meta_env.json": meta(`{"conc":true}`)}, []string{"eval-legacy-conc-invalid eval_a", "no-rows", "unexpected eval-aggregate 1"}},
		"metadata missing":  {files{"eval_b/results.json": gsm8kResult}, []string{"eval-meta-missing eval_b"}},
		"metadata broken":   {files{"eval_b/meta_env.json": "{"}, []string{"eval-meta-unreadable eval_b"}},
		"metadata list":     {files{"eval_b/meta_env.json": "[]"}, []string{"eval-meta-not-object eval_b"}},
		"no list":           {files{"eval_b/meta_env.json": meta(`{"eval_concs":4}`)}, []string{"eval-batch-metadata-invalid eval_b"}},
		"no completed":      {files{"eval_b/meta_env.json": meta(`{"eval_concs":[4]}`)}, []string{"eval-batch-metadata-invalid eval_b"}},
		"members":           {files{"eval_b/meta_env.json": meta(`{"eval_concs":[4,"x"],"completed_eval_concs":[4,0],"failed_eval_concs":[null]}`)}, []string{"eval-batch-field-invalid eval_b completed_eval_concs", "eval-batch-field-invalid eval_b eval_concs", "eval-batch-field-invalid eval_b failed_eval_concs"}},
		"empty":             {files{"eval_b/meta_env.json": meta(`{"eval_concs":[],"completed_eval_concs":[]}`)}, []string{"eval-batch-empty eval_b", "eval-batch-none-completed eval_b"}},
		"sets":              {files{"eval_b/meta_env.json": meta(`{"eval_concs":[1,2,3],"completed_eval_concs":[2,8],"failed_eval_concs":[2,9]}`)}, []string{"eval-batch-completed-unexpected eval_b", "eval-batch-failed-unexpected eval_b", "eval-batch-has-failures eval_b", "eval-batch-overlap eval_b", "eval-batch-unaccounted eval_b"}},
		"strays":            {files{"eval_b/meta_env.json": meta(`{"eval_concs":[4],"completed_eval_concs":[4]}`), "eval_b/results.json": gsm8kResult, "eval_b/results_conc9.json": gsm8kResult}, []string{"eval-batch-result-unexpected-conc eval_b results_conc9.json 9", "eval-batch-result-unsuffixed eval_b results.json", "eval-no-result eval_b 4"}},
		"no result":         {files{"eval_b/meta_env.json": meta(`{"conc":4}`)}, []string{"eval-no-result eval_b"}},
		"bad result":        {files{"eval_a/results.json": result(`{"integration_error":null}`)}, []string{"eval-result-bad eval_a results.json integration-error", "no-rows", "unexpected eval-aggregate 1"}},
		"aggregate missing": {files{"eval_results_all/agg_eval_all.json": "-"}, []string{"eval-aggregate-missing"}},
		"aggregate empty":   {files{"eval_results_all/agg_eval_all.json": "[]"}, []string{"eval-aggregate-empty", "missing eval-aggregate 1"}},
		"aggregate object":  {files{"eval_results_all/agg_eval_all.json": "{}"}, []string{"eval-aggregate-empty", "eval-aggregate-not-list agg_eval_all.json", "missing eval-aggregate 1"}},
		"aggregate broken":  {files{"eval_results_all/b.json": "{"}, []string{"eval-aggregate-unreadable b.json"}},
		"aggregate member":  {files{"eval_results_all/b.json": "[1]"}, []string{"eval-aggregate-row-not-object b.json"}},
		"aggregate suite":   {files{"eval_results_all/b.json": `[{"eval_suite":""}]`}, []string{"eval-aggregate-row-suite-invalid b.json"}},
	} {
		content := files{}
		for _, part := range []files{good, c.content} {
			for name, text := range part {
				content[name] = text
				if text == "-" {
					delete(content, name)
				}
			}
		}
		report := checkFiles(t, content, Newest())
		if diff := cmp.Diff(c.want, treeTexts(report)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for _, f := range report.Findings() {
			if text := f.Message(catalog.Chinese) + f.Mend(catalog.English); strings.ContainsAny(text, "{}") || strings.Contains(text, "results.tree") || f.Category == "" {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

func TestUnsound(t *testing.T) {
	for change, want := range map[string]string{
		`{}`: "", `{"integration_error":null}`: reasonIntegration, `{"lm_eval_version":"-"}`: reasonNoMarker, `{"results":{}}`: reasonNoResults, `{"results":[]}`: reasonNoResults,
		`{"configs":[]}`: reasonConfigs, `{"configs":"-"}`: reasonConfigs, `{"n-samples":[]}`: reasonSamples, `{"n-samples":"-"}`: reasonCount,
		`{"results":{"":{"a":1}}}`: reasonTaskName, `{"results":{"gsm8k":{}}}`: reasonTask, `{"results":{"gsm8k":1}}`: reasonTask,
		`{"configs":{"gsm8k":1}}`: reasonTaskConfig, `{"configs":{"gsm8k":{"filter_list":1}}}`: reasonTaskConfig, `{"configs":{"gsm8k":{"metric_list":[1]}}}`: reasonMetric,
		`{"configs":{"gsm8k":{"filter_list":[{}]}}}`: reasonFilter, `{"configs":{"gsm8k":{"filter_list":[{"name":"strict-x"}]}}}`: reasonMetricAbsent,
		`{"results":{"gsm8k":{"exact_match,strict-match":2,"exact_match,flexible-extract":0.5}}}`: reasonScore,
		`{"results":{"gsm8k":{"exact_match,strict-match":0.5,"exact_match,flexible-extract":2}}}`: "",
		`{"n-samples":{"gsm8k":{"effective":0}}}`:                                                 reasonCount, `{"n-samples":{"gsm8k":{}}}`: reasonCount,
	} {
		if got := unsound(with(t, jsonOf(t, gsm8kResult), change), Newest()); got != want {
			t.Errorf("%s: %q, want %q", change, got, want)
		}
	}
	if got := unsound(jsonOf(t, "[]"), Newest()); got != reasonNoObject {
		t.Error(got)
	}
}

func TestTreeAgentic(t *testing.T) {
	content := files{"bmk_agentic_a/a.json": agenticRow, "agentic_a/": "", "bmk_agentic_b/deep/b.json": with(t, jsonOf(t, agenticRow), `{"conc":8}`).String(), "agentic_c/": "", "bmk_agentic_d/notes.txt": "x"}
	want := []string{"agentic-raw-missing agentic_b", "agentic-raw-unexpected agentic_c"}
	if diff := cmp.Diff(want, treeTexts(checkFiles(t, content, Newest()))); diff != "" {
		t.Error(diff)
	}
	content["results_bmk/agg_bmk.json"] = "[" + agenticRow + "," + agenticRow + "]"
	want = append([]string{}, want...)
	want = append(want, "duplicate agentic-aggregate 1", "missing agentic-aggregate 1")
	if diff := cmp.Diff(want, treeTexts(checkFiles(t, content, Newest()))); diff != "" {
		t.Error(diff)
	}
	broken := files{"results_bmk/agg_bmk.json": "[" + singleRow + ",", "run-stats/run_stats.json": "{}"}
	report := checkFiles(t, broken, Newest())
	if got := treeTexts(report); len(got) == 0 || got[0] != "benchmark-unreadable results_bmk/agg_bmk.json" {
		t.Error(got)
	}
}

// TestCollapseLeavesBroken holds that a broken newest attempt blocks instead of
// falling back, and that a containing name wins nothing.
func TestCollapse(t *testing.T) {
	old, fresh := "results_2026-09-14T06-05-00.json", "results_2026-09-14T17-05-00.json"
	content := files{
		"eval_x_10/meta_env.json": evalMeta, "eval_x_10/" + old: gsm8kResult, "eval_x_1/meta_env.json": evalMeta, "eval_x_1/" + fresh: gsm8kResult,
		"eval_results_all/agg_eval_all.json": fmt.Sprintf("[%s,%s]", aggregateOf(t, "eval_x_10", old, `{}`), aggregateOf(t, "eval_x_1", fresh, `{}`)),
	}
	for name, c := range map[string]struct {
		rules Rules
		kept  string
	}{"newest": {Newest(), "eval_x_1/"}, "august": {August(), "eval_x_1/"}, "reference": {Reference(), "eval_x_10/"}} {
		report := checkFiles(t, content, c.rules)
		if report.Errors != nil || len(report.Collapse.Folders) != 1 || report.Collapse.Folders[0] != "eval_x_10" {
			t.Errorf("%s: %v %+v", name, report.Errors, report.Collapse)
			continue
		}
		rows := report.Collapse.Changed["eval_results_all/agg_eval_all.json"]
		if len(rows.Items) != 1 || !strings.Contains(sourceOf(rows.Items[0]), c.kept) {
			t.Errorf("%s kept %s", name, rows)
		}
	}
	content["eval_x_1/"+fresh] = with(t, jsonOf(t, gsm8kResult), `{"integration_error":{}}`).String()
	report := checkFiles(t, content, Newest())
	if len(report.Collapse.Folders) != 0 || len(report.Errors) != 2 {
		t.Errorf("%v %+v", treeTexts(report), report.Collapse)
	}
}

// TestHarvestTree holds that unpacked artifacts give the same rows as uploaded
// ones.
func TestHarvestTree(t *testing.T) {
	content := map[string]files{
		"bmk_a": {"agg_a.json": singleRow}, "bmk_b": {"agg_b.json": "{"}, "eval_a": {"meta_env.json": evalMeta, "results.json": gsm8kResult}, "server_logs_a": {"server.log": "x"},
	}
	r := newRun(t)
	tree := fstest.MapFS{}
	for _, name := range []string{"bmk_a", "bmk_b", "eval_a", "server_logs_a"} {
		r.add(name, content[name])
		for file, text := range content[name] {
			tree[name+"/"+file] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	opened, list, err := OpenTree(tree, archive.DefaultLimits())
	if err != nil || list != nil {
		t.Fatal(err, list)
	}
	_, planned, _ := numbered(t, 16)
	if diff := cmp.Diff(shownHarvest(r.ingest(Newest()), planned), shownHarvest(HarvestTree(opened, Newest()), planned)); diff != "" {
		t.Error(diff)
	}
}

func TestOpenTreeRefuses(t *testing.T) {
	tree := fstest.MapFS{"bmk_a/agg.json": {Data: []byte(singleRow)}, "bmk_b/link": {Mode: fs.ModeSymlink | 0o777}, "readme": {Data: nil}}
	opened, list, err := OpenTree(tree, archive.DefaultLimits())
	if err != nil || len(opened.folders) != 1 {
		t.Fatal(err, opened.folders)
	}
	if diff := cmp.Diff([]string{"archive-not-regular bmk_b/link"}, codes(list)); diff != "" {
		t.Error(diff)
	}
}
