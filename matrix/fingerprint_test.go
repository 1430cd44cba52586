package matrix

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// spec/matrix.md section 12, worked examples 1 and 2: text and hash.
func TestFingerprintExamples(t *testing.T) {
	rows := mustRows(t, august(t), augustFiles(), Request{Evals: EvalNone})
	for _, c := range []struct {
		row        *Row
		text, hash string
	}{
		{
			rows[5],
			`{"dcp-size":1,"disagg":false,"dp-attn":false,"ep":1,"framework":"vllm","image":"example/vllm:v1","isl":1024,"max-model-len":2304,"model":"acme/Toy-7B","model-prefix":"toy","osl":1024,"pcp-size":1,"pp":1,"precision":"fp8","run-eval":false,"runner":"gx100","spec-decoding":"none","tp":4}`,
			"3ec251d0e266a87fb57fdb6bd7ab1ba6e13341fcca52b5be38ab127ee653cfe5",
		},
		{
			rows[len(rows)-2],
			`{"decode":{"dcp-size":1,"dp-attn":true,"ep":4,"num-worker":3,"pcp-size":1,"pp":1,"tp":4},"disagg":true,"duration":3600,"framework":"dynamo-vllm","image":"example/dyn:v2","kv-offload-backend":{"name":"mooncake","version":"0.3.13"},"kv-offloading":"dram","kv-p2p-transfer":"nixl","model":"acme/Toy-7B","model-prefix":"toy","precision":"fp4","prefill":{"dcp-size":1,"dp-attn":false,"ep":1,"num-worker":1,"pcp-size":1,"pp":1,"tp":2},"router":{"name":"dyn","version":"1.0.0"},"runner":"cluster:nv4","scenario-type":"agentic-coding","spec-decoding":"none","total-cpu-dram-gb":1124}`,
			"40b4e0b39d8da982e1402e38ba95c50e843fcc84a299cfea13199a891c0e8578",
		},
	} {
		same(t, "canonical text", c.text, string(fingerprinted(c.row.Generator()).Append(nil, ordjson.Canonical)))
		same(t, "hash", c.hash, fingerprint(c.row.Generator()))
	}
}

// spec/matrix.md section 12, the escape check.
func TestFingerprintEscapes(t *testing.T) {
	image := ordjson.Map(ordjson.Member{Name: "image", Value: ordjson.Str("é")})
	same(t, "text", `{"image":"\u00e9"}`, string(image.Append(nil, ordjson.Canonical)))
	row := ordjson.Map(ordjson.Member{Name: "image", Value: ordjson.Str("img")}, ordjson.Member{Name: "model", Value: ordjson.Str("m")})
	same(t, "hash", "adfebb88b80b867b258d2e9f972eb51f9f8c8bb2ae2bef10ab80ca8226913878", fingerprint(row))
}

// Every throughput row carries a fingerprint, no eval row does.
func TestFingerprintsInPlan(t *testing.T) {
	p := mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(`"toy-*"`)))
	for _, r := range allRows(p) {
		if (len(r.Fingerprint) == 64) == r.EvalOnly || strings.Trim(r.Fingerprint, "0123456789abcdef") != "" {
			t.Errorf("eval-only %v: fingerprint %q", r.EvalOnly, r.Fingerprint)
		}
	}
	// All points of a curve share one.
	same(t, "curve", p.SingleNode[1].Rows[0].Fingerprint, p.SingleNode[1].Rows[4].Fingerprint)
}

// spec/matrix.md section 12, newest: an edit of the recipe file changes the
// fingerprint of the rows that name it, except for what names a run, what a
// concurrency sets, and the port of a monitor.
func TestFingerprintCoversRecipe(t *testing.T) {
	prints := func(s config.Settings, files memFiles) string {
		p := mustPlan(t, s, changeOf(files, files, entryText(`"toy-*"`)))
		rows := []*Row{p.SingleNode[0].Rows[0], p.MultiNode[0].Rows[0], p.MultiNode[1].Rows[0]}
		var out []string
		for _, r := range rows {
			out = append(out, r.Fingerprint[:8])
		}
		return strings.Join(out, " ")
	}
	changed := func(files memFiles) string {
		was, is := strings.Fields(prints(newest(t), recipeFiles())), strings.Fields(prints(newest(t), files))
		var out []string
		for i, name := range []string{"single", "base", "zip"} {
			if was[i] != is[i] {
				out = append(out, name)
			}
		}
		return strings.Join(out, " ")
	}
	edit := func(file, old, new string) memFiles { return recipeFiles().edited(t, file, old, new) }
	for _, c := range []struct {
		name  string
		files memFiles
		want  string
	}{
		{"nothing", recipeFiles(), ""},
		{"a field", edit(recipeSingle, "SEED: 1", "SEED: 2"), "single"},
		{"a new field", edit(recipeSingle, "schema: 2", "schema: 2\nnew: 1"), "single"},
		{"the name", edit(recipeSingle, "name: single", "name: other"), ""},
		{"a comment", edit(recipeSingle, "schema: 2", "schema: 2 # two"), ""},
		{"the order of keys", edit(recipeSingle, "{ CONC: 4, SEED: 1 }", "{ SEED: 1, CONC: 4 }"), ""},
		{"the concurrencies", edit(recipeSingle, "[4, 16]", "[1]"), ""},
		{"the concurrency", edit(recipeSingle, "CONC: 4", "CONC: 8"), ""},
		{"the port of the monitor", edit(recipeSingle, "schema: 2", "schema: 2\ntelemetry: { dcgm_exporter: { port: 9 } }").edited(t, recipeSingle, "port: 9", "port: 8"), "single"},
		{"the base", edit(recipeBundle, "decode: { nodes: 2 }", "decode: { nodes: 4 }"), "base zip"},
		{"the variant of an eval only", edit(recipeBundle, "decode: { nodes: 3 }", "decode: { nodes: 5 }"), ""},
		{"the chosen element", edit(recipeBundle, "[1, 2]", "[1, 3]"), "zip"},
		{"another element", edit(recipeBundle, "[1, 2]", "[9, 2]"), ""},
	} {
		same(t, c.name, c.want, changed(c.files))
	}
	withPort := func(port string) memFiles {
		return edit(recipeSingle, "schema: 2", "schema: 2\ntelemetry: { dcgm_exporter: { port: "+port+", on: true } }")
	}
	same(t, "only the port", prints(newest(t), withPort("1")), prints(newest(t), withPort("2")))

	// With the algorithm of rows alone the file does not count.
	rowsOnly := newest(t, func(s *config.Settings) { s.Matrix.Fingerprint = config.FingerprintRow })
	same(t, "row", prints(rowsOnly, recipeFiles()), prints(rowsOnly, edit(recipeSingle, "SEED: 1", "SEED: 2")))
}

// The exact form of section 12: {"recipe": [recipe], "row": row}.
func TestFingerprintRecipeForm(t *testing.T) {
	p := mustPlan(t, newest(t), changeOf(recipeFiles(), recipeFiles(), entryText("toy-fp8-gx100-vllm")))
	r := p.SingleNode[0].Rows[0]
	bare := *r
	bare.Fingerprint = ""
	row := string(fingerprinted(bare.Generator()).Append(nil, ordjson.Canonical))
	recipe := `{"benchmark":{"env":{"SEED":1}},"roles":{"serve":{"nodes":1}},"schema":2}`
	want, err := ordjson.Parse([]byte(`{"recipe":[` + recipe + `],"row":` + row + `}`))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "hash", digest(want), r.Fingerprint)
	// What is left of an override: merged over its base, without its name.
	root := newRecipeBook(recipeFiles(), config.Recipes{}).open(recipeBundle).root
	merged := concrete(root, "override_eval")
	same(t, "override", `{"roles":{"prefill":{"nodes":1},"decode":{"nodes":3}},"schema":2}`, compact(*merged))
	same(t, "zip", `{"roles":{"decode":{"nodes":2},"prefill":{"nodes":2}},"schema":2}`, compact(*concrete(root, "zip_override_sizes[1]")))
	if concrete(root, "override_none") != nil || concrete(root, "zip_override_none[0]") != nil || concrete(nil, "") != nil {
		t.Error("a variant that does not exist gives a recipe")
	}
}

// A recipe that cannot be bound is a finding that names it.
func TestFingerprintUnbound(t *testing.T) {
	s := newest(t)
	inv, _ := LoadRunners(Source{runnersFile, []byte(toyLabels + toyClusters)}, rulesOf(s))
	masters, list := Load([]Source{{nvidiaFile, []byte(nextSingle)}}, rulesOf(s), false)
	if list.Refused() {
		t.Fatal(list)
	}
	for _, files := range []Files{nil, memFiles{}} {
		g := NewGenerator(s.Matrix, inv, files, s.Layout.Recipes)
		rows, list := g.Expand(masters.Configs, Filter{})
		if list.Refused() {
			t.Fatal(list)
		}
		_, f := g.fingerprint(rows[0])
		if f == nil {
			t.Fatal("no finding")
		}
		checkTexts(t, *f)
		same(t, "finding", nvidiaFile+":16:54: toy-fp8-gx100-vllm: recipe "+recipeSingle+" of row toy_8k1k (concurrency 4) gives no recipe to fingerprint [matrix.recipe-unbound] - add the file or the variant that the entry names", f.Error())
	}
}
