package report

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sweepbot/sweepbot/results"
)

// renderings are all texts of a report.
func renderings(r Report) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"json": r.WriteJSON, "csv": r.WriteCSV, "html": r.WriteHTML,
		"comment.md": func(w io.Writer) error {
			return r.WriteMarkdown(w, ForComment(NamedLink{"report", "https://github.com/acme/bench/actions/runs/7/artifacts/1"}))
		},
		"summary.md": func(w io.Writer) error { return r.WriteMarkdown(w, ForSummary()) },
	}
}

// TestGolden holds every text of both fixtures byte for byte, and that a second
// writing gives the same bytes.
func TestGolden(t *testing.T) {
	for name, in := range map[string]Input{"walkthrough-a": walkthrough(t), "mixed": mixed(t)} {
		for ending, write := range renderings(Build(in)) {
			var first, second bytes.Buffer
			if err := write(&first); err != nil {
				t.Fatal(name, ending, err)
			}
			if err := renderings(Build(in))[ending](&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
				t.Errorf("%s.%s: two writings differ (%v)", name, ending, err)
			}
			golden(t, name+"."+ending, first.Bytes())
		}
	}
}

// TestWalkthroughFigures holds the documented table, and the frontier by the
// rule: the run has no end-to-end latency, so nothing counts for coverage; over
// the time to first token eight of nine points are kept.
func TestWalkthroughFigures(t *testing.T) {
	r := Build(walkthrough(t))
	if r.Outcome != results.Complete || r.Coverage.Throughput.Passed != 9 || r.Coverage.Evals.Passed != 4 || !r.Good() {
		t.Errorf("%s %+v", r.Outcome, r.Coverage)
	}
	var lines []string
	for _, p := range r.Points {
		if p.Kind == Throughput {
			lines = append(lines, p.Topology+" C"+itoa(p.Conc)+" "+number(p.Metrics["tput_per_gpu"])+" "+number(p.Metrics["median_ttft"])+"/"+number(p.Metrics["p90_ttft"]))
		}
	}
	want := []string{
		"1P1D C56 31450 1.180/2.380", "1P1D C72 38639 1.560/3.680", "1P1D C96 44039 2.640/7.450", "1P1D C112 45196 6.110/13.47", "1P1D C128 40032 15.31/36.43",
		"1P2D C56 24323 1.050/2.180", "1P3D C12 3958 0.790/1.570", "1P3D C16 6535 0.760/1.750", "1P3D C24 10213 0.800/1.810",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	var curves []string
	for _, c := range r.Curves {
		curves = append(curves, c.View+" "+c.X+" "+itoa(int64(c.Frontier))+"/"+itoa(int64(c.Measured))+" invalid "+itoa(int64(c.Invalid))+" "+c.Status)
	}
	if diff := cmp.Diff([]string{"latency p90_e2el 0/9 invalid 9 WARN", "first-token p90_ttft 8/9 invalid 0 PASS"}, curves); diff != "" {
		t.Error(diff)
	}
	if p := r.Points[0]; p.Place == nil || *p.Place != (Place{"configs/amd-master.yaml", 100}) || !p.Canary || p.Key == "" {
		t.Errorf("%+v", p.Place)
	}
}

func TestMixed(t *testing.T) {
	r := Build(mixed(t))
	var got []string
	for _, p := range r.Points {
		text := p.Kind + " c" + itoa(p.Conc) + " " + string(p.State) + " " + p.Reason
		if p.Failure != nil {
			text += " " + string(p.Failure.Class)
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{
		"throughput c4 passed row", "throughput c8 passed row", "throughput c16 passed row", "eval c16 failed below-bar",
		"throughput c32 missing no-row", "throughput c64 failed failure out-of-memory", "throughput c128 cancelled cancelled cancelled-by-sibling",
		"throughput c2 passed row",
	}, got); diff != "" {
		t.Error(diff)
	}
	if r.Outcome != results.Partial || r.Good() || r.Coverage.Unplanned != 1 {
		t.Errorf("%s %+v", r.Outcome, r.Coverage)
	}
	// Measured once on both sides: nobody can tell. Beyond the spread: a verdict.
	verdicts := make(map[string]results.Verdict)
	for _, c := range r.Comparison.Points {
		verdicts[c.Label[strings.LastIndex(c.Label, " ")+1:]] = c.Verdict
	}
	if diff := cmp.Diff(map[string]results.Verdict{"c2": "unclear", "c4": "unclear", "c8": "regressed", "c16": "within-noise"}, verdicts); diff != "" {
		t.Error(diff)
	}
}

// TestSchema holds every report against its published schema.
func TestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../docs/schema/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	empty := Build(Input{})
	for name, r := range map[string]Report{"walkthrough": Build(walkthrough(t)), "mixed": Build(mixed(t)), "empty": empty, "found": Build(Input{Harvest: mixed(t).Harvest})} {
		var text bytes.Buffer
		if err := r.WriteJSON(&text); err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(&text)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s breaks its schema: %v", name, err)
		}
	}
	if empty.Good() || empty.Outcome != results.Nothing {
		t.Errorf("nothing is %s", empty.Outcome)
	}
}

// TestReadBack holds that report.json gives the report back, and as a baseline
// the same comparison as the rows themselves.
func TestReadBack(t *testing.T) {
	in := mixed(t)
	r := Build(in)
	var text bytes.Buffer
	if err := r.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	back, list := Read("report.json", text.Bytes())
	if list != nil {
		t.Fatal(list)
	}
	var again bytes.Buffer
	if err := back.WriteJSON(&again); err != nil {
		t.Fatal(err)
	}
	if again.String() != text.String() {
		t.Error(cmp.Diff(text.String(), again.String()))
	}
	base, list := back.Baseline("report", results.Newest())
	if list.Refused() || len(base.Rows) != 4 || len(base.Evals) != 1 {
		t.Fatalf("%v, %d rows, %d evals", list, len(base.Rows), len(base.Evals))
	}
	in.Baseline = &base
	for _, c := range Build(in).Comparison.Points {
		for _, ch := range c.Changes {
			if ch.Delta == nil || *ch.Delta != 0 {
				t.Errorf("%s %s: %v against itself", c.Label, ch.Metric, ch.Delta)
			}
		}
	}
	for _, text := range []string{"", "[]", "{}", `{"version":2}`, `{"version":"1"}`, `{"version":1,"points":3}`} {
		if _, list := Read("r", []byte(text)); !list.Refused() {
			t.Errorf("%q is read", text)
		}
	}
}
