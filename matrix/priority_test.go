package matrix

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// augustPolicy is the published policy of August 2026.
const augustPolicy = `version: 1
base-score: 1.0
adjustments:
  event: { push: 2.0 }
  multi-node: 1.25
  agentic: 1.0
  eval-only: 0.0
  precision: { fp4: 0.75 }
  spec-decoding: { mtp: 0.75, eagle: 0.75, eagle3: 0.75 }
  framework-prefix: { sglang: 0.5, vllm: 0.5, dynamo-sglang: 0.5, dynamo-vllm: 0.5 }
  model-prefix: { kimik3: 1.5, dsv4: 0.75 }
labels:
  skip-queue: { name: skip_queue }
  checklist-complete: { names: [ci-checklist-complete], adjustment: 0.25 }
  patchwork: { names: [ci-patchwork, engine-patch], score: 0.0, waived-by: [ci-patchwork-waived] }
`

// newestPolicy has the autumn values in the newest layout.
const newestPolicy = `version: 1
base-score: 1.0
patchwork-score: -1.5
adjustments:
  event: { push: 2.0 }
  additional-node: -0.001
  multi-node: 0.25
  agentic: 0.1
  checklist-complete: 0.125
  precision: { fp4: 0.1 }
  framework-prefix: { vllm: 1.5, dynamo: 0.2, dynamo-vllm: 9 }
  model-prefix: { kimik3: 0.05 }
`

func policy(t testing.TB, text string, s config.Settings) *Priority {
	t.Helper()
	p, list := LoadPriority(Source{"configs/ci-priority.yaml", []byte(text)}, s.Sweep)
	if list.Refused() {
		t.Fatal(list)
	}
	return p
}

func toyDocument(t testing.TB) ordjson.Value {
	t.Helper()
	return mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(`"toy-*"`))).Reference()
}

// at returns the value at a path of keys and indexes.
func at(t testing.TB, doc ordjson.Value, path string) ordjson.Value {
	t.Helper()
	for _, step := range strings.Split(path, "/") {
		if doc.Kind == ordjson.Array {
			doc = doc.Items[int(step[0]-'0')]
			continue
		}
		var ok bool
		if doc, ok = doc.Get(step); !ok {
			t.Fatalf("%s has no %s", path, step)
		}
	}
	return doc
}

func textAt(t testing.TB, doc ordjson.Value, path string) string {
	t.Helper()
	return at(t, doc, path).Text
}

// spec/matrix.md section 14, the example: exact scores and tokens.
func TestPriorityExample(t *testing.T) {
	p := policy(t, augustPolicy, august(t))
	doc := toyDocument(t)
	const single, multiRow = "single_node/1k1k/0", "multi_node/agentic/0"
	for _, c := range []struct {
		name          string
		s             Scoring
		single, multi string
	}{
		{"pull_request", Scoring{Event: "pull_request"}, "1.500", "4.500"},
		{"push", Scoring{Event: "push"}, "3.500", "6.500"},
		{"no criterion", Scoring{Event: "pull_request", Criteria: []string{}}, "1.000", "1.000"},
		{"engine-patch", Scoring{Event: "pull_request", Labels: []string{"engine-patch"}}, "0.000", "0.000"},
		{"waived", Scoring{Event: "pull_request", Labels: []string{"engine-patch", "ci-patchwork-waived"}}, "1.500", "4.500"},
		{"patchwork criterion", Scoring{Criteria: []string{"patchwork"}}, "0.000", "0.000"},
		{"patchwork criterion, waived", Scoring{Criteria: []string{"patchwork"}, Labels: []string{"ci-patchwork-waived"}}, "1.000", "1.000"},
		{"checklist", Scoring{Labels: []string{"ci-checklist-complete"}}, "1.750", "4.750"},
		{"checklist criterion", Scoring{Criteria: []string{"checklist-complete"}}, "1.250", "1.250"},
		{"multi-node", Scoring{Criteria: []string{"multi-node"}}, "1.000", "2.250"},
		{"agentic", Scoring{Criteria: []string{"agentic"}}, "1.000", "2.000"},
		{"fp4", Scoring{Criteria: []string{"fp4"}}, "1.000", "1.750"},
		{"framework", Scoring{Criteria: []string{"vllm"}}, "1.500", "1.000"},
		{"other framework", Scoring{Criteria: []string{"dynamo-vllm"}}, "1.000", "1.500"},
	} {
		c.s.Namespace = "123:1"
		out, list := p.Annotate(doc, c.s)
		if list != nil {
			t.Fatal(list)
		}
		same(t, c.name, c.single+" "+c.multi, textAt(t, out, single+"/priority")+" "+textAt(t, out, multiRow+"/priority"))
		same(t, "token", "8b4e6bcd671b4d4f0bfae56b5eb32271", textAt(t, out, single+"/queue-token"))
		same(t, "token", "f5367613a1397c15e1e2f948e7b9c4cb", textAt(t, out, multiRow+"/queue-token"))
	}
	// Rows lack nothing and come first; the metadata stay untouched.
	out, _ := p.Annotate(doc, Scoring{Namespace: "local"})
	row, was := at(t, out, single), at(t, doc, single)
	same(t, "row", was.Members, row.Members[:len(was.Members)])
	same(t, "metadata", compact(at(t, doc, "changelog_metadata")), compact(at(t, out, "changelog_metadata")))
}

// Queue skipping: only with a label, a number, and a policy that scores labels.
func TestSkipQueue(t *testing.T) {
	doc := toyDocument(t)
	for _, c := range []struct {
		name string
		s    config.Settings
		in   Scoring
		want bool
	}{
		{"label and number", august(t), Scoring{Labels: []string{"skip_queue"}, PR: 7}, true},
		{"no number", august(t), Scoring{Labels: []string{"skip_queue"}}, false},
		{"no label", august(t), Scoring{PR: 7}, false},
		{"newest", newest(t), Scoring{Labels: []string{"skip_queue"}, PR: 7}, false},
	} {
		out, list := policy(t, augustPolicy, c.s).Annotate(doc, c.in)
		if list != nil {
			t.Fatal(list)
		}
		n, written := at(t, out, "evals/0").Get("skip-queue-pr")
		if written != c.want || written && n.Text != "7" {
			t.Errorf("%s: %v %s", c.name, written, n.Text)
		}
		same(t, "score", "2.250", textAt(t, out, "evals/0/priority"))
	}
}

func parsed(t testing.TB, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The parts of the score one by one, newest layout.
func TestPriorityScore(t *testing.T) {
	p := policy(t, newestPolicy, newest(t))
	for _, c := range []struct{ row, want string }{
		{`"framework": "x"`, "1.000"},
		{`"framework": "vllm"`, "2.500"},
		{`"framework": "vllm-x"`, "2.500"},
		{`"framework": "vllmx"`, "1.000"},
		{`"framework": "dynamo-vllm"`, "1.200"}, // the first key that fits, in file order
		{`"framework": "x", "model-prefix": "kimik3"`, "1.050"},
		{`"framework": "x", "model-prefix": "kimik3-x"`, "1.000"}, // exact, despite its name
		{`"framework": "x", "precision": "fp4"`, "1.100"},
		{`"framework": "x", "precision": "fp4-x"`, "1.000"},
		{`"framework": "x", "prefill": {}`, "1.250"},
		{`"framework": "x", "prefill": null`, "1.000"},
		{`"framework": "x", "scenario-type": "agentic-coding"`, "1.100"},
		{`"framework": "x", "node-count": 1`, "1.000"},
		{`"framework": "x", "node-count": 501`, "0.500"},
		{`"framework": "x", "node-count": 3001`, "-2.000"},
		{`"framework": "x", "eval-only": true`, "1.000"},
	} {
		out, list := p.Annotate(parsed(t, `{"runner": "r", `+c.row+`}`), Scoring{})
		if list != nil {
			t.Fatal(list)
		}
		same(t, c.row, c.want, textAt(t, out, "priority"))
	}
	score := func(s Scoring) string {
		out, list := p.Annotate(parsed(t, `{"runner": "r", "framework": "dynamo-vllm", "node-count": 3}`), s)
		if list != nil {
			t.Fatal(list)
		}
		return textAt(t, out, "priority")
	}
	same(t, "node count counts under criteria", "0.998", score(Scoring{Criteria: []string{}}))
	same(t, "a prefix lets the framework count", "1.198", score(Scoring{Criteria: []string{"dynamo"}}))
	same(t, "checklist", "1.123", score(Scoring{Criteria: []string{"checklist-complete"}}))
	same(t, "patchwork", "-1.500", score(Scoring{Criteria: []string{"patchwork"}}))
	same(t, "labels are no input", "1.198", score(Scoring{Labels: []string{"ci-patchwork"}}))
}

// eval-only counts when it is exactly true.
func TestPriorityEvalOnly(t *testing.T) {
	p := policy(t, "version: 1\nbase-score: 0\nadjustments: { eval-only: 1 }\n", newest(t))
	for value, want := range map[string]string{"true": "1.000", "false": "0.000", `"true"`: "0.000", "1": "0.000", "null": "0.000"} {
		out, _ := p.Annotate(parsed(t, `{"runner": "r", "framework": "f", "eval-only": `+value+`}`), Scoring{})
		same(t, value, want, textAt(t, out, "priority"))
	}
}

// Rounding: three decimals, half away from zero.
func TestPriorityRounding(t *testing.T) {
	for _, c := range []struct{ base, want string }{
		{"0.0005", "0.001"}, {"0.00049", "0.000"}, {"-0.0005", "-0.001"}, {"-0.00049", "0.000"},
		{"1.2345", "1.235"}, {"2.675", "2.675"}, {"1.0005", "1.001"}, {"-1.0005", "-1.001"}, {"12", "12.000"}, {"0.1", "0.100"},
	} {
		p := policy(t, "version: 1\nbase-score: "+c.base+"\n", newest(t))
		out, _ := p.Annotate(parsed(t, `{"runner": "r", "framework": "f"}`), Scoring{})
		same(t, c.base, c.want, textAt(t, out, "priority"))
	}
}

// Section 14 in the two layouts, told apart by their keys, and a file that has
// both, as the published one does.
func TestPolicyLayouts(t *testing.T) {
	both := strings.Replace(augustPolicy, "base-score: 1.0\n", "base-score: 1.0\npatchwork-score: -2\n", 1)
	both = strings.Replace(both, "  agentic: 1.0\n", "  agentic: 1.0\n  checklist-complete: 0.5\n", 1)
	for _, c := range []struct {
		name, text           string
		s                    config.Settings
		patchwork, checklist string
	}{
		{"older, labels count", augustPolicy, august(t), "0.000", "1.250"},
		{"older, labels do not count", augustPolicy, newest(t), "0.000", "1.250"},
		{"newest", newestPolicy, newest(t), "-1.500", "1.125"},
		{"newest, labels would count", newestPolicy, august(t), "-1.500", "1.125"},
		{"both, labels count", both, august(t), "0.000", "1.250"},
		{"both, labels do not count", both, newest(t), "-2.000", "1.500"},
		{"neither", "version: 1\nbase-score: 1\n", newest(t), "0.000", "1.000"},
	} {
		p := policy(t, c.text, c.s)
		score := func(word string) string {
			out, list := p.Annotate(parsed(t, `{"runner": "r", "framework": "f"}`), Scoring{Criteria: []string{word}})
			if list != nil {
				t.Fatal(list)
			}
			return textAt(t, out, "priority")
		}
		same(t, c.name, c.patchwork+" "+c.checklist, score("patchwork")+" "+score("checklist-complete"))
	}
}

// What is wrong with a policy, a criterion or a row.
func TestPriorityRefusals(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "1:1 priority.version"},
		{"§version: 2", "priority.version"},
		{"§base-score: 1", "priority.version"},
		{"version: 1\nbase-score: §x", "priority.number"},
		{"version: 1\nbase-score: §.nan", "priority.number"},
		{"version: 1\nbase-score: §.inf", "priority.number"},
		{"version: 1\nbase-score: §10_000_000", "priority.number"},
		{"version: 1\nbase-score: §[1]", "priority.number"},
		{"version: 1\nadjustments: §[1]", "matrix.wrong-type"},
		{"version: 1\nadjustments:\n  event: §1", "matrix.wrong-type"},
		{"version: 1\nadjustments:\n  precision: { fp4: §a }", "priority.number"},
		{"version: 1\nlabels: §x", "matrix.wrong-type"},
		{"version: 1\nlabels: { patchwork: { names: §x } }", "matrix.wrong-type"},
		{"version: 1\nlabels: { patchwork: { names: [§[1]] } }", "matrix.wrong-type"},
		{"version: 1\na: &x\n  b: 1\n§a: 2", "yaml.duplicate-key"},
		{strings.Repeat("# \n", 400_000), "0:0 matrix.file-too-large"},
	} {
		text, places := marked(c.text)
		if c.text == "§version: 2" {
			places[0] = "1:10" // of the value
		}
		p, list := LoadPriority(Source{"p.yaml", []byte(text)}, august(t).Sweep)
		if p != nil || !list.Refused() {
			t.Errorf("accepted: %.60q", text)
			continue
		}
		want := c.want
		if places != nil {
			want = places[0] + " " + want
		}
		same(t, "finding", want, codes(t, list)[0])
	}
	p := policy(t, newestPolicy, newest(t))
	refused := func(doc string, s Scoring) diag.List {
		_, list := p.Annotate(parsed(t, doc), s)
		codes(t, list)
		return list
	}
	for _, n := range []string{"0", "-1", "true", "null", `"2"`, "1.0", "1e3", "[1]", "99999999999999999999"} {
		list := refused(`{"a": [{"runner": "r", "framework": "f", "node-count": `+n+`}]}`, Scoring{})
		if f := list.First(); f == nil || f.Code != "priority.node-count" || f.Path != "a/0" {
			t.Errorf("node-count %s: %v", n, list)
		}
	}
	for _, word := range []string{"nothing", "fp8", "", "push"} {
		if f := refused(`{}`, Scoring{Criteria: []string{"fp4", word}}).First(); f == nil || f.Code != "priority.criterion" {
			t.Errorf("criterion %q is accepted", word)
		}
	}
}

// F36: tokens are never empty, and equal rows in different places, other
// attempts and other plans have different ones.
func TestQueueTokens(t *testing.T) {
	row := `{"runner": "r", "framework": "f"}`
	doc := parsed(t, `{"a": [`+row+`, `+row+`], "b": {"c": `+row+`}, "d": [[`+row+`]]}`)
	seen := make(map[string]string)
	for _, namespace := range []string{"1:1", "1:2", "2:1", ""} {
		out, list := policy(t, newestPolicy, newest(t)).Annotate(doc, Scoring{Namespace: namespace})
		if list != nil {
			t.Fatal(list)
		}
		for _, path := range []string{"a/0", "a/1", "b/c", "d/0/0"} {
			token := textAt(t, out, path+"/queue-token")
			if len(token) != 32 || seen[token] != "" {
				t.Errorf("%s %s: token %q, also of %s", namespace, path, token, seen[token])
			}
			seen[token] = namespace + path
		}
	}
}
