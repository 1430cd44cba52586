package localrun

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestResultAndArtifactNames(t *testing.T) {
	var b strings.Builder
	for _, c := range contracts {
		for _, p := range onePerFamily(t, c.Contract) {
			fmt.Fprintf(&b, "== %s %s\nRF = %s\n", c.name, p.Label(), p.ResultName)
			for _, a := range p.artifacts(c.Contract, true, 1) {
				line := fmt.Sprintf("%s: %s", a.name, strings.Join(a.patterns, " "))
				b.WriteString(strings.ReplaceAll(line, p.ResultName, "<RF>") + "\n")
			}
		}
	}
	golden(t, "names.golden", b.String())
}

func TestResultNameWithFingerprintIsThatOfTheSpec(t *testing.T) {
	p := &Point{Row: parse(t, `{"exp-name":"dsv4_8k1k","precision":"fp8","framework":"vllm","tp":8,"spec-decoding":"none",
		"recipe-fingerprint":"3f3f3f3f3f3f3f3fffff"}`), Concurrencies: []string{"16"}, Runner: "b200-dgxc_07"}
	const want = "dsv4_8k1k_fp8_vllm_tp8-pp1-dcp1-pcp1-ep1-dpafalse_disagg-false_spec-none_conc16_b200-dgxc_07_recipe-3f3f3f3f3f3f3f3f"
	if got := p.resultName(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestUsableNames(t *testing.T) {
	for name, want := range map[string]string{
		"a_b-c.d": "", "": "localrun.result-name", "../x": "localrun.result-name", "a/b": "localrun.result-name", `a\b`: "localrun.result-name",
		"a:b": "localrun.result-name", "-a": "localrun.result-name", "a\nb": "localrun.result-name", strings.Repeat("x", 231): "localrun.result-name-long",
	} {
		if got := codeOf(usableName(name)); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestUsableNamesStayInTheirFolder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		if usableName(name) != nil {
			return
		}
		if !filepath.IsLocal(name) || filepath.Base(name) != name {
			t.Fatalf("%q leaves its folder", name)
		}
	})
}

func TestPointsOfOneNameAreRefused(t *testing.T) {
	doc := samplePlan(t)
	families := block(doc, "families").Items
	points := block(families[0], "points").Items
	for i, m := range points[1].Members {
		if m.Name == "row" {
			points[1].Members[i].Value = block(points[0], "row")
		}
	}
	plan, err := ReadPlan(sealed(doc))
	if err != nil {
		t.Fatal(err)
	}
	all := Points(plan, testSite(newestContract))
	if all[0].Fault != nil || all[1].Fault == nil || all[1].Fault.Code != "localrun.same-name" {
		t.Errorf("faults: %v, %v", all[0].Fault, all[1].Fault)
	}
}

func TestF43RowsWithoutIdentityDoNotRun(t *testing.T) {
	for _, p := range onePerFamily(t, newestContract) {
		for _, name := range append(p.needs(), "conc") {
			q := newPoint(&Plan{}, Family{Job: p.Family, Agentic: p.Agentic, EvalOnly: p.EvalOnly},
				PlanRow{ID: p.ID, Row: withoutMember(p.Row, name)}, testSite(newestContract))
			if q.Fault == nil || q.Fault.Code != "localrun.row-field" {
				// Without prefill a row is one of a single node, which then lacks tp.
				t.Errorf("%s without %s: %v", p.Family, name, q.Fault)
			}
		}
	}
}
