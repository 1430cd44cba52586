package conformance

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// planSchema compiles the published description of the plan document.
func planSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "docs", "schema", "plan.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validatePlan(t *testing.T, schema *jsonschema.Schema, p bot.Planned) {
	t.Helper()
	text := bot.PlanDocument(p).Append(nil, ordjson.Compact)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(doc); err != nil {
		t.Errorf("the plan breaks its schema: %v", err)
	}
}

// TestPlanSchemaOnCorpus holds every plan of the corpus against the published
// schema.
func TestPlanSchemaOnCorpus(t *testing.T) {
	dir := corpusDir(t)
	cases, err := Cases(dir)
	if err != nil {
		t.Fatal(err)
	}
	schema, w := planSchema(t), workspace(t, dir)
	for _, c := range cases {
		if c.Kind != "history" {
			continue
		}
		change, err := w.Change(context.Background(), c.Base, c.Head)
		if err != nil {
			t.Fatal(err)
		}
		planned, err := bot.PlanChange(bot.PlanRequest{Change: change, Preset: config.PresetAugust, PR: c.PR, Labels: []string{"full-sweep-enabled"}})
		if err != nil {
			t.Fatal(err)
		}
		if planned.Plan != nil {
			validatePlan(t, schema, planned)
		}
	}
}

// TestPlanSchemaOnSample does the same for the sample repository.
func TestPlanSchemaOnSample(t *testing.T) {
	dir := filepath.Join("..", "..", "testdata", "sample")
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
	w, err := bot.OpenWorkspace(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	change, err := w.Change(context.Background(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	planned, err := bot.PlanChange(bot.PlanRequest{Change: change})
	if err != nil || planned.Plan == nil {
		t.Fatalf("%v, %v", err, planned.Findings)
	}
	validatePlan(t, planSchema(t), planned)
}
