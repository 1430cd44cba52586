package recipe

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// typed splits a line at blanks; it is for lines without quotes.
func typed(line string) []Text {
	var out []Text
	for _, w := range strings.Fields(line) {
		out = append(out, Literal(w, diag.Place{}))
	}
	return out
}

func TestRecognise(t *testing.T) {
	for _, test := range []struct {
		line, role, engine, program, positional string
	}{
		{"vllm serve m --port 1", RoleAggregate, EngineVLLM, "vllm serve", "m"},
		{"/opt/venv/bin/vllm serve m", RoleAggregate, EngineVLLM, "/opt/venv/bin/vllm serve", "m"},
		{"A=1 setsid python3 -m sglang.launch_server --model-path m", RoleAggregate, EngineSGLang, "python3 -m sglang.launch_server", ""},
		{"python3 -u -m sglang.launch_server --disaggregation-mode prefill", RolePrefill, EngineSGLang, "python3 -u -m sglang.launch_server", ""},
		{"numactl -m 0,1 mpirun -n 8 --oversubscribe trtllm-llmapi-launch trtllm-serve m --config c", RoleAggregate, EngineTRTLLM, "trtllm-serve", "m"},
		{"timeout -k 5 30 env -u B C=2 python -m atom.entrypoints.openai_server --model m -tp 8", RoleAggregate, EngineATOM, "python -m atom.entrypoints.openai_server", ""},
		{"vllm serve m --kv-transfer-config " + `{"kv_role":"kv_consumer"}`, RoleDecode, EngineVLLM, "vllm serve", "m"},
		{"python3 -m dynamo.frontend --http-port=8000", RoleFrontend, EngineRouter, "python3 -m dynamo.frontend", ""},
		{"vllm bench serve", "", "", "", ""},
		{"echo vllm serve m", "", "", "", ""},
		{"python3 sglang.launch_server", "", "", "", ""},
	} {
		t.Run(test.line, func(t *testing.T) {
			c, ok := Recognise(typed(test.line))
			if ok != (test.engine != "") {
				t.Fatalf("recognised: %v", ok)
			}
			got := []string{c.Role, c.Engine, joined(c.Program), joined(c.Positional)}
			if d := cmp.Diff([]string{test.role, test.engine, test.program, test.positional}, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func joined(words []Text) string {
	var out []string
	for _, w := range words {
		out = append(out, w.String())
	}
	return strings.Join(out, " ")
}

func TestFlagsAreNormalised(t *testing.T) {
	_, flags := ParseFlags(typed(`--tp_size=8 --ep 4 --max-num-seqs -1 --cuda-graph-bs 1 2 4 -O3 --speculative_config {"method":"mtp"} --switch --x=`))
	got := map[string]string{}
	for i := range flags {
		got[flags[i].Name], _ = flags[i].Value()
	}
	want := map[string]string{
		"tensor-parallel-size": "8", "expert-parallel-size": "4", "max-num-seqs": "-1", "cuda-graph-bs": "1 2 4", "O3": "true",
		"speculative-config": `{"method":"mtp"}`, "switch": "true", "x": "",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAnUnknownWordIsNeverOverlooked(t *testing.T) {
	unknown := UnknownText(Cause{Code: "shell.unknown-output", Detail: "x"}, diag.Place{})
	c, ok := Recognise(append(typed("vllm serve m --tensor-parallel-size"), unknown))
	e := &Effective{Commands: []Command{c}}
	if !ok || e.Complete() {
		t.Errorf("a recipe with an unknown tensor-parallel-size counts as complete")
	}
	c, _ = Recognise(append(typed("vllm serve m --port"), unknown))
	if e := (&Effective{Commands: []Command{c}}); !e.Complete() {
		t.Errorf("an unknown port makes the recipe incomplete: %+v", e.Gaps())
	}
}

func TestLastFlagWins(t *testing.T) {
	a, _ := Recognise(typed("vllm serve m --max-num-seqs 8 --max-num-seqs 16"))
	b, _ := Recognise(typed("vllm serve m --max-num-seqs=16"))
	if d := Diff(&Effective{Commands: []Command{a}}, &Effective{Commands: []Command{b}}); len(d) > 0 {
		t.Errorf("%+v", d)
	}
}

func TestDiffSaysWhatChanged(t *testing.T) {
	a, _ := Recognise(typed("A=1 B=x vllm serve m --tensor-parallel-size 8 --kv-cache-dtype fp8 --port 1"))
	b, _ := Recognise(typed("A=1 C=y vllm serve m -tp 4 --kv-cache-dtype fp8 --enforce-eager --port 2"))
	var got []string
	for _, c := range Diff(&Effective{Commands: []Command{a}}, &Effective{Commands: []Command{b}}) {
		got = append(got, strings.Join([]string{string(c.Kind), c.Role, string(c.Of), c.Name, c.From, c.To}, " "))
	}
	want := []string{
		"removed agg env B x ",
		"added agg env C  y",
		"added agg flag enforce-eager  true",
		"changed agg flag tensor-parallel-size 8 4",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCommandLinesReadLikeTyped(t *testing.T) {
	c, _ := Recognise(typed(`A=1 vllm serve m --speculative-config {"method":"mtp","num_speculative_tokens":3} --tensor-parallel-size 8 --max-num-batched-tokens 16384`))
	want := "A=1 \\\n  vllm serve m \\\n  --speculative-config '{\"method\":\"mtp\",\"num_speculative_tokens\":3}' \\\n  --tensor-parallel-size 8 \\\n  --max-num-batched-tokens 16384"
	lines := (&Effective{Commands: []Command{c, c}}).CommandLines()
	if d := cmp.Diff([]CommandLine{{Role: RoleAggregate, Count: 2, Text: want}}, lines); d != "" {
		t.Error(d)
	}
}
