package matrix

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

func fixedRow(concs ...int64) *Row {
	return &Row{
		Config: &Config{Key: "k", Model: "m", ModelPrefix: "p", Framework: "f", Precision: "fp8", Runner: "r"},
		Seq:    &FixedSeq{ISL: yamlpos.NewInt(8192), OSL: yamlpos.NewInt(1024)},
		Entry:  &Entry{TP: yamlpos.NewInt(4), SpecDecoding: "none"},
		Runner: "r", Conc: concs, ExpName: "n", RunEval: No,
	}
}

func agenticRow(conc int64) *Row {
	r := fixedRow(conc)
	r.Seq, r.RunEval = nil, Unset
	return r
}

// multi turns a row into one of a multi-node config.
func multi(r *Row) *Row {
	r.Config.Multinode = true
	w := &Worker{NumWorker: yamlpos.NewInt(1), TP: yamlpos.NewInt(4), EP: yamlpos.NewInt(1), DPAttn: yamlpos.NewBool(false)}
	r.Entry = &Entry{SpecDecoding: "none", Prefill: w, Decode: w}
	return r
}

func (r *Row) withTP(n int64) *Row {
	r.Entry.TP = yamlpos.NewInt(n)
	return r
}

// selected shows the rows that are evaluated.
func selected(rows []*Row) string {
	var out []*Row
	for _, r := range rows {
		if r.RunEval == Yes {
			out = append(out, r)
		}
	}
	return briefs(out)
}

func augustMatrix() config.Matrix {
	s, _ := config.Preset(config.PresetAugust)
	return s.Matrix
}

func newestMatrix() config.Matrix {
	s, _ := config.Preset(config.PresetNewest)
	return s.Matrix
}

// bothEras runs a test under the rules of both.
func bothEras(t *testing.T, test func(t *testing.T, rules config.Matrix)) {
	t.Run("august", func(t *testing.T) { test(t, augustMatrix()) })
	t.Run("newest", func(t *testing.T) { test(t, newestMatrix()) })
}

// spec/matrix.md section 9.2, the examples of the median.
func TestEvalMedian(t *testing.T) {
	bothEras(t, func(t *testing.T, rules config.Matrix) {
		for _, c := range []struct {
			concs []int64
			want  string
		}{
			{[]int64{16}, "16"},
			{[]int64{16, 32}, "32"},
			{[]int64{16, 32, 64}, "32 64"},
			{[]int64{16, 32, 64, 128}, "64 128"},
			{[]int64{4, 8, 16, 32, 64, 128, 256}, "64 256"},
			{[]int64{4, 8}, ""},
			{[]int64{128, 16, 64, 32}, "128 64"},
			{[]int64{64, 64}, "64 64"},
		} {
			var rows []*Row
			for _, conc := range c.concs {
				rows = append(rows, fixedRow(conc))
			}
			got := selected(SelectEvals(rows, EvalDefault, rules))
			if rules.EvalIdentity && c.want == "64 64" {
				c.want = "64" // one eval for each app identity
			}
			same(t, fmt.Sprint(c.concs), c.want, got)
		}
	})
}

// Two tensor-parallel sizes share the targets of their union.
func TestEvalTargetsOverUnion(t *testing.T) {
	bothEras(t, func(t *testing.T, rules config.Matrix) {
		var rows []*Row
		for _, conc := range []int64{16, 32, 64} {
			rows = append(rows, fixedRow(conc))
		}
		for _, conc := range []int64{16, 32, 64, 128} {
			rows = append(rows, fixedRow(conc).withTP(8))
		}
		var got []string
		for _, r := range SelectEvals(rows, EvalSubset, rules) {
			got = append(got, fmt.Sprintf("tp%d/%d", r.Entry.TP.Int, r.Conc[0]))
		}
		same(t, "selected", "tp4/64 tp8/64 tp8/128", strings.Join(got, " "))
	})
}

// The fields that separate groups of single-node fixed-sequence rows.
func TestEvalGroups(t *testing.T) {
	for name, change := range map[string]func(*Row){
		"model":     func(r *Row) { r.Config.Model = "x" },
		"runner":    func(r *Row) { r.Runner = "x" },
		"framework": func(r *Row) { r.Config.Framework = "x" },
		"precision": func(r *Row) { r.Config.Precision = "x" },
		"spec":      func(r *Row) { r.Entry.SpecDecoding = "mtp" },
		"dp-attn":   func(r *Row) { r.Entry.DPAttn = yamlpos.NewBool(true) },
	} {
		other := fixedRow(16)
		change(other)
		same(t, name, "64 16", selected(SelectEvals([]*Row{fixedRow(64), other, fixedRow(16)}, EvalDefault, augustMatrix())))
	}
	for name, change := range map[string]func(*Row){
		"image": func(r *Row) { r.Config.Image = "x" },
		"tp":    func(r *Row) { r.withTP(2) },
		"false": func(r *Row) { r.Entry.DPAttn = yamlpos.NewBool(false) },
	} {
		other := fixedRow(16)
		change(other)
		same(t, name+" does not separate", "64", selected(SelectEvals([]*Row{fixedRow(64), other}, EvalDefault, augustMatrix())))
	}
	for name, change := range map[string]func(*Row){
		"isl": func(r *Row) { r.Seq.ISL = yamlpos.NewInt(1024) },
		"osl": func(r *Row) { r.Seq.OSL = yamlpos.NewInt(2048) },
	} {
		other := fixedRow(64)
		change(other)
		same(t, name+" is not evaluated", "", selected(SelectEvals([]*Row{other}, EvalDefault, augustMatrix())))
	}
}

// Multi-node rows: the first row that offers the largest eligible value.
func TestEvalMultiNode(t *testing.T) {
	bothEras(t, func(t *testing.T, rules config.Matrix) {
		rows := []*Row{multi(fixedRow(8, 64, 32)), multi(fixedRow(64, 1)), multi(fixedRow(8))}
		same(t, "selected", "[8,64,32]@64", selected(SelectEvals(rows, EvalDefault, rules)))

		same(t, "nothing eligible", "", selected(SelectEvals([]*Row{multi(fixedRow(8, 15))}, EvalDefault, rules)))

		// Absent and empty settings are different topologies.
		written := multi(fixedRow(16))
		list := &yamlpos.Value{Kind: yamlpos.Sequence}
		written.Entry.Prefill = &Worker{NumWorker: yamlpos.NewInt(2), TP: yamlpos.NewInt(4), EP: yamlpos.NewInt(1), DPAttn: yamlpos.NewBool(false),
			Source: []yamlpos.Field{{Key: yamlpos.NewString("additional-settings"), Value: list}}}
		same(t, "two topologies", "[32]@32 [16]@16", selected(SelectEvals([]*Row{multi(fixedRow(32)), written}, EvalDefault, rules)))
	})
}

// spec/matrix.md section 9.7: one set of rows under both versions and all
// modes.
func TestEvalExampleBothVersions(t *testing.T) {
	// The toy repository with one framework and precision for all of its
	// agentic single-node rows has exactly the rows of the example.
	show := func(rows []*Row) string {
		bucket := make(map[string][]*Row)
		for _, r := range rows {
			if r.RunEval == Yes {
				name := shape(r)
				bucket[name] = append(bucket[name], r)
			}
		}
		return fmt.Sprintf("agentic %s; fixed %s; multi %s; multi agentic %s",
			briefs(bucket["C"]), briefs(bucket["A"]), briefs(bucket["B"]), briefs(bucket["D"]))
	}
	for _, c := range []struct {
		name  string
		s     config.Settings
		files memFiles
		mode  EvalMode
		want  string
	}{
		{"august default", august(t), augustFiles(), EvalDefault, "agentic ; fixed 64; multi [8,64,32]@64; multi agentic "},
		{"august subset", august(t), augustFiles(), EvalSubset, "agentic 20; fixed 64; multi [8,64,32]@64; multi agentic [16]@16"},
		{"august all", august(t), augustFiles(), EvalAll, "agentic 1 4 8 16 20; fixed 4 16 64; multi [8,32,64] all; multi agentic [2,16]@16"},
		{"newest default", newest(t, withoutRecipes), newestFiles(), EvalDefault, "agentic 4 20; fixed 64; multi [8,64,32]@64; multi agentic [16]@16"},
		{"newest subset", newest(t, withoutRecipes), newestFiles(), EvalSubset, "agentic 4 20; fixed 64; multi [8,64,32]@64; multi agentic [16]@16"},
		{"newest all", newest(t, withoutRecipes), newestFiles(), EvalAll, "agentic 1 4 8 16 20; fixed 4 16 64; multi [8,32,64] all; multi agentic [2,16]@16"},
		{"none", newest(t, withoutRecipes), newestFiles(), EvalNone, "agentic ; fixed ; multi ; multi agentic "},
	} {
		same(t, c.name, c.want, show(mustRows(t, c.s, c.files, Request{Evals: c.mode})))
	}
}

// spec/matrix.md section 9.1: which rows stay, and what their fields are.
func TestEvalModes(t *testing.T) {
	bothEras(t, func(t *testing.T, rules config.Matrix) {
		rows := func() []*Row { return []*Row{fixedRow(4), fixedRow(16), agenticRow(1)} }
		fields := func(rows []*Row) string {
			var out []string
			for _, r := range rows {
				out = append(out, fmt.Sprintf("%s:%v:%v:%v", brief(r), r.RunEval, r.EvalOnly, r.HasSuite))
			}
			return strings.Join(out, " ")
		}
		suites := rules.EvalSuites
		same(t, "none", "4:1:false:false 16:1:false:false 1:0:false:false", fields(SelectEvals(rows(), EvalNone, rules)))
		agentic := Mark(No)
		if rules.AgenticEvals {
			agentic = Yes
		}
		same(t, "default", fmt.Sprintf("4:1:false:false 16:2:false:%v 1:%v:false:%v", suites, agentic, suites), fields(SelectEvals(rows(), EvalDefault, rules)))
		same(t, "subset", fmt.Sprintf("16:2:true:%v 1:2:true:%v", suites, suites), fields(SelectEvals(rows(), EvalSubset, rules)))
		same(t, "all", fmt.Sprintf("4:2:true:%v 16:2:true:%v 1:2:true:%v", suites, suites, suites), fields(SelectEvals(rows(), EvalAll, rules)))
	})
}

// spec/matrix.md section 9.1: the flags, their combinations and usage errors.
func TestEvalFlags(t *testing.T) {
	for _, c := range []struct {
		words string
		want  EvalMode
		code  string
	}{
		{"", EvalDefault, ""},
		{"--no-evals", EvalNone, ""},
		{"--evals-only", EvalSubset, ""},
		{"--all-evals", EvalAll, ""},
		{"--all-evals --evals-only", EvalAll, ""},
		{"--smoke", EvalSmoke, ""},
		{"--no-evals --evals-only", 0, "usage.no-evals-excludes"},
		{"--no-evals --all-evals", 0, "usage.no-evals-excludes"},
		{"--smoke --no-evals", 0, "usage.smoke-excludes"},
		{"--smoke --evals-only", 0, "usage.smoke-excludes"},
		{"--smoke --all-evals", 0, "usage.smoke-excludes"},
		{"--smoke --trim-conc", 0, "usage.smoke-excludes"},
	} {
		r, list := request(t, newestMatrix(), CommandFullSweep, c.words)
		if c.code != "" {
			if f := list.First(); f == nil || f.Code != c.code || f.Category != "usage" {
				t.Errorf("%s: %v", c.words, list)
			}
			continue
		}
		same(t, c.words, c.want, r.Evals)
	}
	if _, list := request(t, augustMatrix(), CommandFullSweep, "--smoke"); !list.Refused() {
		t.Error("the rules of August know no --smoke")
	}
}
