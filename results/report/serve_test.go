package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/recipe"
)

func typedWords(text string) []recipe.Text {
	var out []recipe.Text
	for i, word := range strings.Fields(text) {
		out = append(out, recipe.Literal(word, diag.Place{File: "benchmarks/x.sh", Line: 10 + i}))
	}
	return out
}

// TestServeOf takes over what a recipe would start, without the client.
func TestServeOf(t *testing.T) {
	server, ok := recipe.Recognise(typedWords(`VLLM_USE_V1=1 vllm serve acme/model-of-a-long-name --tensor-parallel-size 8 --seed -1 --hf-overrides {"a":"it's"}`))
	if !ok {
		t.Fatal("no server")
	}
	client := recipe.Command{Role: recipe.RoleClient, Program: typedWords("bench")}
	got := ServeOf(&recipe.Effective{Commands: []recipe.Command{server, server, client}})
	want := []Command{{
		Role: recipe.RoleAggregate, Count: 2, File: "benchmarks/x.sh", Line: 11,
		Argv: []string{"vllm", "serve", "acme/model-of-a-long-name", "--tensor-parallel-size", "8", "--seed", "-1", "--hf-overrides", `{"a":"it's"}`},
		Env:  []Setting{{"VLLM_USE_V1", "1"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	typed := "VLLM_USE_V1=1 \\\n  vllm serve acme/model-of-a-long-name \\\n  --tensor-parallel-size 8 \\\n  --seed -1 \\\n  --hf-overrides '{\"a\":\"it'\\''s\"}'"
	if diff := cmp.Diff(typed, got[0].Typed()); diff != "" {
		t.Error(diff)
	}
	if ServeOf(nil) != nil {
		t.Error("no recipe serves something")
	}
}
