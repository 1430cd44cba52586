package matrix

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// spec/matrix.md section 16.
func TestEndToEnd(t *testing.T) {
	p := mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText("toy-fp8-gx100-vllm")))
	same(t, "plan", lines(`
		single_node.1k1k: 4 8 16 32 50
		single_node.8k1k: 4 16 64
		evals: 64
	`), summary(p))
	want := `{"image":"example/vllm:v1","model":"acme/Toy-7B","model-prefix":"toy","precision":"fp8","framework":"vllm","spec-decoding":"none","runner":"gx100","isl":1024,"osl":1024,"tp":4,"pp":1,"dcp-size":1,"pcp-size":1,"ep":1,"dp-attn":false,"conc":4,"max-model-len":2304,"exp-name":"toy_1k1k","disagg":false,"run-eval":false,"eval-only":false,"recipe-fingerprint":"3ec251d0e266a87fb57fdb6bd7ab1ba6e13341fcca52b5be38ab127ee653cfe5"}`
	same(t, "first row", want, compact(p.SingleNode[0].Rows[0].Document()))
	for _, r := range p.SingleNode[1].Rows {
		same(t, "max-model-len", int64(9472), r.maxModelLen().Int)
		same(t, "exp-name", "toy_8k1k", r.ExpName)
	}
}

// The node filter of section 16.
func TestEndToEndNodeFilter(t *testing.T) {
	key := []string{"toy-fp8-gx100-vllm"}
	runners := func(r Request) string {
		var out []string
		for _, row := range mustRows(t, august(t), augustFiles(), r) {
			out = append(out, row.Runner)
		}
		return strings.Join(out, " ")
	}
	block := "gx100 gx100-a_00 gx100-a_01 gx100-b_00"
	same(t, "test-config", block+" "+block, runners(Request{Keys: key, Filter: Filter{Node: "gx100", Conc: []int64{4}}}))
	same(t, "full-sweep", strings.TrimSpace(strings.Repeat("gx100-b_00 ", 8)),
		runners(Request{Keys: key, Filter: Filter{Node: "gx100-b", FullSweep: true}}))
}

// spec/changelog.md section 8, the example.
func TestPlanDocumentExample(t *testing.T) {
	p := mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(`"toy-*"`)))
	same(t, "plan", lines(`
		single_node.agentic: 1 4 8 16 20
		single_node.1k1k: 4 8 16 32 50
		single_node.8k1k: 4 16 64
		multi_node.8k1k: [8,64,32]
		multi_node.agentic: [2] [16]
		evals: 64
		agentic_evals: 20
		multinode_evals: [8,64,32]@64
		multinode_agentic_evals: [16]@16
	`), summary(p))
	doc := p.Reference()
	var keys []string
	for _, m := range doc.Members {
		keys = append(keys, m.Name)
	}
	same(t, "keys", []string{"single_node", "multi_node", "evals", "agentic_evals", "multinode_evals", "multinode_agentic_evals", "changelog_metadata"}, keys)
	metadata, _ := doc.Get("changelog_metadata")
	same(t, "metadata", `{"base_ref":"base","head_ref":"head","entries":[{"config-keys":["toy-*"],"description":["x"],"pr-link":"XXX","evals-only":false,"all-evals":false,"append-only":false}]}`, compact(metadata))
	text := compact(doc)
	for _, name := range []string{"single_node", "multi_node"} {
		if strings.Count(text, `"`+name+`":{`) != 1 {
			t.Errorf("%s is not an object", name)
		}
	}
}

// The newest entries print no-evals, and empty parts are {} and [].
func TestPlanDocumentNewest(t *testing.T) {
	p := mustPlan(t, newest(t, withoutRecipes), changeOf(newestFiles(), newestFiles(), entryText("toy-fp8-gx100-vllm", "no-evals: true", "scenario-type: [agentic-coding]")))
	want := `{"single_node":{},"multi_node":{},"evals":[],"agentic_evals":[],"multinode_evals":[],"multinode_agentic_evals":[],"changelog_metadata":{"base_ref":"base","head_ref":"head","entries":[{"config-keys":["toy-fp8-gx100-vllm"],"description":["x"],"pr-link":"XXX","evals-only":false,"all-evals":false,"no-evals":true,"append-only":false,"scenario-type":["agentic-coding"]}]}}`
	same(t, "document", want, compact(p.Reference()))
}

// The whole documents of both eras, golden.
func TestPlanDocumentGolden(t *testing.T) {
	for _, era := range []struct {
		name  string
		s     config.Settings
		files memFiles
	}{
		{"august", august(t), augustFiles()},
		{"newest", newest(t), recipeFiles()},
	} {
		p := mustPlan(t, era.s, changeOf(era.files, era.files, entryText(`"toy-*"`, "all-evals: true"), entryText(`"toy-*"`)))
		golden(t, "plan-"+era.name+".json", pretty(p.Reference()))
		var out bytes.Buffer
		if err := WriteRows(&out, mustRows(t, era.s, era.files, Request{Evals: EvalDefault})); err != nil {
			t.Fatal(err)
		}
		golden(t, "rows-"+era.name+".json", strings.ReplaceAll(out.String(), "}, {\"image\"", "},\n {\"image\""))
	}
}

// pretty prints a document with one row a line.
func pretty(doc ordjson.Value) string {
	text := compact(doc)
	for _, cut := range []string{`{"image"`, `"single_node"`, `"multi_node"`, `"evals"`, `"agentic_evals"`, `"multinode_evals"`, `"multinode_agentic_evals"`, `"changelog_metadata"`} {
		text = strings.ReplaceAll(text, cut, "\n"+cut)
	}
	return text + "\n"
}
