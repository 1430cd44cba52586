package results

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// scene is a run drawn by a property test: uploads of several attempts, sound
// and broken ones, some of them repeated or expired.
type scene struct {
	store   store
	uploads []Upload
	planned []Planned
}

func drawScene(t *rapid.T, tb testing.TB) scene {
	s := scene{store: store{}}
	seen := map[int]bool{}
	for i := range rapid.IntRange(0, 8).Draw(t, "uploads") {
		conc := rapid.IntRange(1, 5).Draw(t, fmt.Sprint("conc", i))
		row, planned, name := numbered(tb, conc)
		if !seen[conc] {
			s.planned = append(s.planned, planned...)
			seen[conc] = true
		}
		data := zipOf(tb, files{"agg.json": row.String()})
		switch rapid.SampledFrom([]string{"good", "good", "good", "nan", "cut", "other runner"}).Draw(t, fmt.Sprint("kind", i)) {
		case "nan":
			data = zipOf(tb, files{"agg.json": strings.Replace(row.String(), "2469.0", "NaN", 1)})
		case "cut":
			data = data[:len(data)/2]
		case "other runner":
			name = strings.Replace(name, "_07", "_11", 1)
		}
		id := int64(i + 1)
		s.store[id] = data
		s.uploads = append(s.uploads, Upload{
			ID: id, Name: name, Size: int64(len(data)), Created: epoch.Add(ordinal(rapid.IntRange(0, 3).Draw(t, fmt.Sprint("time", i)))),
			Expired: rapid.IntRange(0, 5).Draw(t, fmt.Sprint("expired", i)) == 0,
		})
	}
	return s
}

func (s scene) ingest(tb testing.TB, uploads []Upload) Harvest {
	tb.Helper()
	h, err := Ingest(context.Background(), uploads, s.store.open, Newest())
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// shownHarvest is everything that a harvest says.
func shownHarvest(h Harvest, planned []Planned) string {
	var out strings.Builder
	for _, r := range h.Rows() {
		fmt.Fprintln(&out, r.Source, r.Point, r.Document())
	}
	for _, f := range h.Findings() {
		fmt.Fprintln(&out, f.Code, f.File, f.Args)
	}
	c := Cover(planned, h, nil, Thresholds{})
	fmt.Fprintln(&out, c.Total, c.ByFamily, c.ByHardware, states(c), codes(c.Findings))
	return out.String()
}

// TestOrderNeverMatters holds that uploads may come in any order.
func TestOrderNeverMatters(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawScene(rt, t)
		want := shownHarvest(s.ingest(t, s.uploads), s.planned)
		got := shownHarvest(s.ingest(t, rapid.Permutation(s.uploads).Draw(rt, "order")), s.planned)
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// TestMergingIsAssociative holds that attempts can be read in any grouping and
// order, and twice.
func TestMergingIsAssociative(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawScene(rt, t)
		var parts [3][]Upload
		for i, u := range s.uploads {
			part := rapid.IntRange(0, 2).Draw(rt, fmt.Sprint("part", i))
			parts[part] = append(parts[part], u)
		}
		a, b, c := s.ingest(t, parts[0]), s.ingest(t, parts[1]), s.ingest(t, parts[2])
		want := shownHarvest(s.ingest(t, s.uploads), s.planned)
		for name, h := range map[string]Harvest{
			"left": a.Merge(b).Merge(c), "right": a.Merge(b.Merge(c)), "exchanged": c.Merge(a).Merge(b), "twice": a.Merge(b).Merge(c).Merge(b), "empty": Harvest{}.Merge(a).Merge(b).Merge(c).Merge(Harvest{}),
		} {
			if diff := cmp.Diff(want, shownHarvest(h, s.planned)); diff != "" {
				rt.Fatalf("%s: %s", name, diff)
			}
		}
	})
}

// TestDroppingChangesCoverageOnly holds that losing an artifact makes its point
// missing and changes no other row and no other point.
func TestDroppingChangesCoverageOnly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		concs := rapid.SliceOfNDistinct(rapid.IntRange(1, 30), 1, 6, rapid.ID[int]).Draw(rt, "concs")
		r := newRun(t)
		var planned []Planned
		for _, conc := range concs {
			row, points, name := numbered(t, conc)
			planned = append(planned, points...)
			r.point(name, row)
		}
		whole := r.ingest(Newest())
		lost := rapid.IntRange(0, len(concs)-1).Draw(rt, "lost")
		rest := slices.Delete(slices.Clone(r.uploads), lost, lost+1)
		h, err := Ingest(context.Background(), rest, r.store.open, Newest())
		if err != nil {
			rt.Fatal(err)
		}
		var want []string
		for _, row := range whole.Rows() {
			if row.Point.Conc != int64(concs[lost]) {
				want = append(want, row.Source+row.Document().String())
			}
		}
		var got []string
		for _, row := range h.Rows() {
			got = append(got, row.Source+row.Document().String())
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("another row changed: %s", diff)
		}
		before, after := Cover(planned, whole, nil, Thresholds{}), Cover(planned, h, nil, Thresholds{})
		if before.Outcome() != Complete || after.Total.Passed != len(concs)-1 || after.Total.Missing != 1 {
			rt.Fatalf("coverage %+v", after.Total)
		}
		for i := range before.Points {
			if i != lost && after.Points[i].State != before.Points[i].State {
				rt.Fatalf("point %d changed", i)
			}
		}
	})
}

// TestCollectedFileIsReadBack holds that what the collector writes is read as
// the same rows.
func TestCollectedFileIsReadBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		content := files{}
		for i := range rapid.IntRange(0, 5).Draw(rt, "rows") {
			row := with(t, jsonOf(t, singleRow), fmt.Sprintf(`{"conc":%d}`, i+1))
			set(&row, "image", ordjson.Str(rapid.String().Draw(rt, fmt.Sprint("image", i))))
			content[fmt.Sprintf("bmk_%d/agg.json", i)] = row.String()
		}
		var out bytes.Buffer
		c, err := CollectBenchmarks(evalTree(t, content), &out, Newest())
		if err != nil || len(c.Rejected) != 0 {
			rt.Fatal(err, c.Rejected)
		}
		h := newRun(t).add("results_bmk", files{"agg_bmk.json": out.String()}).ingest(Newest())
		if len(h.Rows()) != len(content) {
			rt.Fatalf("%d rows of %d: %v", len(h.Rows()), len(content), h.Findings())
		}
	})
}

// FuzzArtifact holds that no bytes make reading an artifact fail as a whole, or
// give a row that is not sound.
func FuzzArtifact(f *testing.F) {
	f.Add([]byte(singleRow))
	f.Add([]byte("[" + multiRow + "," + agenticRow + "]"))
	f.Add([]byte(evalMeta))
	f.Add([]byte(gsm8kResult))
	f.Add([]byte(`{"b200":{"n_success":1,"total":1}}`))
	rules := Newest()
	f.Fuzz(func(t *testing.T, data []byte) {
		h := Harvest{artifacts: map[string]Artifact{}, seen: map[Upload]bool{}}
		for name, content := range map[string]files{
			"bmk_a": {"x.json": string(data)}, "results_bmk": {"x.json": string(data)}, "eval_results_all": {"x.json": string(data)},
			"run-stats": {"x.json": string(data)}, "changelog-metadata": {"x.json": string(data)}, "job_event_a": {"x.json": string(data)},
			"eval_a": {"meta_env.json": string(data), "results.json": string(data)}, "eval_b": {"meta_env.json": evalMeta, "results.json": string(data)},
		} {
			a := Artifact{Upload: Upload{Name: name}, Kind: KindOf(name)}
			a.readContent(evalTree(t, content), rules)
			h.artifacts[name] = a
		}
		for _, row := range h.Rows() {
			if tput, ok := row.Metric("tput_per_gpu"); ok && tput < 0 || row.Point.Conc <= 0 {
				t.Fatalf("unsound row %s", row.Document())
			}
		}
		for _, e := range h.Evals() {
			if e.Scored() && (e.Score < 0 || e.Score > 1) {
				t.Fatalf("unsound score %s", e.Document())
			}
		}
		Cover(nil, h, nil, Thresholds{})
		Curves(h.Rows(), CurveOptions{})
		SiblingGaps(h.Evals(), nil)
	})
}
