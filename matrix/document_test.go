package matrix

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// documentShapes are the keys of plan document rows in order, spec/matrix.md
// section 13: "?" may be absent, "+" belongs to the newest layout only.
var documentShapes = map[string]string{
	"A": "image srt-recipe+ model model-prefix precision framework spec-decoding runner isl osl tp pp dcp-size pcp-size ep dp-attn conc max-model-len exp-name disagg run-eval eval-only eval-framework+? eval-suite+? router? recipe-fingerprint?",
	"B": "image model model-prefix precision framework spec-decoding runner srt-recipe+ eval-srt-recipe+? node-count+ isl osl require-power+ power+ prefill decode conc max-model-len exp-name disagg run-eval eval-only eval-conc? eval-all-concs eval-framework+? eval-suite+? router? kv-p2p-transfer? recipe-fingerprint?",
	"C": "image srt-recipe+ model model-prefix precision framework runner tp pp dcp-size pcp-size ep dp-attn spec-decoding conc kv-offloading kv-offload-backend? router? total-cpu-dram-gb duration exp-name scenario-type run-eval? eval-only? eval-framework+? eval-suite+? recipe-fingerprint?",
	"D": "image model model-prefix precision framework spec-decoding runner srt-recipe+ eval-srt-recipe+? node-count+ power+ prefill decode conc kv-offloading kv-offload-backend? router? kv-p2p-transfer? total-cpu-dram-gb duration exp-name disagg scenario-type run-eval? eval-only? eval-conc? eval-framework+? eval-suite+? recipe-fingerprint?",
}

// checkOrder compares the keys of an object with a shape.
func checkOrder(t testing.TB, shape string, newest bool, row ordjson.Value) {
	t.Helper()
	rest := row.Members
	for _, word := range strings.Fields(shape) {
		name := strings.TrimRight(word, "+?")
		switch {
		case len(rest) > 0 && rest[0].Name == name:
			if strings.Contains(word, "+") && !newest {
				t.Errorf("%s belongs to the newest layout only: %s", name, compact(row))
			}
			rest = rest[1:]
		case !strings.Contains(word, "?") && (newest || !strings.Contains(word, "+")):
			t.Errorf("%s is missing or not in its place: %s", name, compact(row))
			return
		}
	}
	if len(rest) > 0 {
		t.Errorf("%s is not expected there: %s", rest[0].Name, compact(row))
	}
}

// allRows plans every kind of row that the toy files have.
func allRows(p *Plan) []*Row {
	rows := slices.Concat(p.Evals, p.AgenticEvals, p.MultiEvals, p.MultiAgenticEvals)
	for _, b := range slices.Concat(p.SingleNode, p.MultiNode) {
		rows = append(rows, b.Rows...)
	}
	return rows
}

func TestDocumentFieldOrder(t *testing.T) {
	seen := make(map[string]bool)
	for _, era := range []struct {
		newest bool
		s      config.Settings
		files  memFiles
	}{{false, august(t), augustFiles()}, {true, newest(t), recipeFiles()}} {
		p := mustPlan(t, era.s, changeOf(era.files, era.files, entryText(`"toy-*"`)))
		for _, r := range allRows(p) {
			seen[fmt.Sprint(shape(r), era.newest, r.EvalOnly)] = true
			checkOrder(t, documentShapes[shape(r)], era.newest, r.Document())
		}
	}
	if len(seen) != 16 {
		t.Errorf("the toy files cover only %v", seen)
	}
}

// F11: a boolean or number that a template asks for is never absent or an
// empty string. Defaults of spec/matrix.md section 13.
func TestDocumentDefaults(t *testing.T) {
	p := mustPlan(t, newest(t), changeOf(recipeFiles(), recipeFiles(), entryText(`"toy-*"`)))
	for _, r := range allRows(p) {
		checkValues(t, r)
	}
	// Throughput rows of the agentic shapes carry no eval field.
	for _, r := range p.MultiNode[1].Rows {
		for _, name := range []string{"run-eval", "eval-only", "eval-conc"} {
			if _, written := r.Document().Get(name); written {
				t.Errorf("%s on a throughput row", name)
			}
		}
	}
}

// F11 once more: power fields depend on the layout, not on the node count.
func TestPowerFieldsFollowTheLayout(t *testing.T) {
	for _, power := range []bool{true, false} {
		for _, nodes := range []bool{true, false} {
			s := newest(t, func(s *config.Settings) { s.Matrix.Power, s.Matrix.NodeCount = power, nodes })
			files := recipeFiles()
			if !power {
				files = files.with(amdFile, strings.NewReplacer("      require-power: true\n", "", "        power: true\n", "").Replace(nextAggregate),
					nvidiaFile, nextSingle+strings.Replace(nextMulti, "        power: true\n", "", 1))
			}
			p := mustPlan(t, s, changeOf(files, files, entryText(`"toy-*"`)))
			for _, b := range p.MultiNode {
				for _, name := range []string{"power", "require-power"} {
					_, written := b.Rows[0].Document().Get(name)
					if want := power && (name == "power" || b.Name != "agentic"); written != want {
						t.Errorf("power %v, node count %v: %s of %s: %v", power, nodes, name, b.Name, written)
					}
				}
				if _, written := b.Rows[0].Document().Get("node-count"); written != nodes {
					t.Errorf("node-count %v: %v", nodes, written)
				}
			}
		}
	}
}

// checkValues holds that the values of a row have the types that templates
// read, none of them null.
func checkValues(t testing.TB, r *Row) {
	t.Helper()
	doc := r.Document()
	for _, word := range strings.Fields(documentShapes[shape(r)]) {
		name := strings.TrimRight(word, "+?")
		v, written := doc.Get(name)
		if !written {
			if !strings.ContainsAny(word, "+?") {
				t.Fatalf("%s is missing: %s", name, compact(doc))
			}
			continue
		}
		switch name {
		case "disagg", "run-eval", "eval-only", "eval-all-concs", "require-power", "power", "dp-attn":
			if v.Kind != ordjson.Literal || v.Text != "true" && v.Text != "false" {
				t.Fatalf("%s is %s", name, compact(v))
			}
		case "isl", "osl", "tp", "pp", "dcp-size", "pcp-size", "ep", "max-model-len", "eval-conc", "node-count", "total-cpu-dram-gb", "duration":
			if v.Kind != ordjson.Literal || strings.Trim(v.Text, "-0123456789") != "" || v.Text == "" {
				t.Fatalf("%s is %s", name, compact(v))
			}
		case "prefill", "decode", "router", "kv-offload-backend":
			if v.Kind != ordjson.Object || strings.Contains(compact(v), "null") {
				t.Fatalf("%s is %s", name, compact(v))
			}
		case "conc":
			if (v.Kind == ordjson.Array) != r.Multinode() {
				t.Fatalf("conc is %s", compact(v))
			}
		case "kv-offloading": // a word, or the list of the tiered extension
		default:
			if v.Kind != ordjson.String || v.Text == "" && name != "eval-suite" && name != "image" {
				t.Fatalf("%s is %s", name, compact(v))
			}
		}
	}
}
