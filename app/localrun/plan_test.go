package localrun

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

func TestReadPlan(t *testing.T) {
	plan, err := ReadPlan(samplePlan(t))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(Points(plan, testSite(newestContract))); n != 20 {
		t.Errorf("%d points, want 20", n)
	}
	if got := block(plan.Metadata, "entries").Items[0].String(); strings.Contains(got, `"line"`) || !strings.Contains(got, `"config-keys"`) {
		t.Errorf("metadata entry %s", got)
	}
}

func TestPlansThatAreRefused(t *testing.T) {
	edit := func(f func(doc *ordjson.Value)) ordjson.Value {
		doc := samplePlan(t)
		f(&doc)
		return sealed(doc)
	}
	set := func(name, value string) func(*ordjson.Value) {
		return func(doc *ordjson.Value) { *doc = replaced(*doc, name, parse(t, value)) }
	}
	tests := []struct {
		name, want string
		doc        ordjson.Value
	}{
		{"other version", "localrun.plan-version", edit(set("version", "2"))},
		{"no document", "localrun.plan-version", ordjson.Null()},
		{"changed by hand", "localrun.plan-digest", replaced(samplePlan(t), "preset", ordjson.Str("x"))},
		{"no points", "localrun.empty-plan", edit(func(doc *ordjson.Value) {
			set("families", "[]")(doc)
			set("counts", `{"points":0}`)(doc)
		})},
		{"F12 a family was lost", "localrun.lost-rows", edit(func(doc *ordjson.Value) {
			*doc = replaced(*doc, "families", ordjson.List(block(*doc, "families").Items[1:]...))
		})},
		{"canary nowhere", "localrun.lost-rows", edit(set("canary", `{"point":"0000000000000000"}`))},
		{"a point twice", "localrun.lost-rows", edit(func(doc *ordjson.Value) {
			f := block(*doc, "families").Items[0]
			points := block(f, "points").Items
			points[1] = points[0]
		})},
		{"an id that is a path", "localrun.point-id", edit(func(doc *ordjson.Value) {
			p := &block(block(*doc, "families").Items[0], "points").Items[0]
			*p = replaced(*p, "id", ordjson.Str("../../etc"))
		})},
	}
	for _, tt := range tests {
		if _, err := ReadPlan(tt.doc); codeOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}
