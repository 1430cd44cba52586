package report

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"archive/zip"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/results"
)

// memory is a platform that holds archives.
type memory map[int64][]byte

type archived struct{ *bytes.Reader }

func (archived) Close() error { return nil }

func (m memory) open(_ context.Context, u results.Upload) (results.Blob, error) {
	data, ok := m[u.ID]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return archived{bytes.NewReader(data)}, nil
}

func zipped(t fatal, name, text string) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	f, err := w.Create(name)
	if err == nil {
		_, err = f.Write([]byte(text))
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// anyRun draws a run of several attempts: some points measured again, some
// archives broken, some expired.
func anyRun(t *rapid.T) (plan []PlannedPoint, uploads []results.Upload, store memory) {
	store = memory{}
	start := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)
	for i, conc := range []int{1, 2, 4, 8, 16} {
		row := jsonOf(t, fmt.Sprintf(`{"image":"i","model":"m","model-prefix":"dsv4","precision":"fp8","framework":"vllm","spec-decoding":"none","runner":"cluster:b200-dgxc","isl":8192,"osl":1024,"tp":8,"pp":1,"dcp-size":1,"pcp-size":1,"ep":1,"dp-attn":false,"conc":%d,"max-model-len":9416,"exp-name":"dsv4_8k1k","disagg":false,"run-eval":false,"eval-only":false}`, conc))
		planned, _ := results.PlannedRow(row, "sweep-single-node-8k1k", "single-node 8k1k /")
		plan = append(plan, PlannedPoint{Planned: planned[0], PlanID: fmt.Sprint("p", i), Row: row})
		for attempt := range rapid.IntRange(0, 3).Draw(t, "uploads") {
			id := int64(10*i + attempt + 1)
			text := fixedRow(conc, rapid.Float64Range(0.5, 2).Draw(t, "speed"))
			store[id] = zipped(t, "agg.json", text)
			if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
				store[id] = store[id][:len(store[id])/2]
			}
			uploads = append(uploads, results.Upload{
				ID: id, Name: planned[0].Artifact + "r", Created: start.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "time")) * time.Hour),
				Attempt: attempt + 1, Expired: rapid.IntRange(0, 9).Draw(t, "expired") == 0,
			})
		}
	}
	return plan, uploads, store
}

func reportOf(t *rapid.T, plan []PlannedPoint, uploads []results.Upload, store memory) Report {
	h, err := results.Ingest(context.Background(), uploads, store.open, results.Newest())
	if err != nil {
		t.Fatal(err)
	}
	return Build(Input{Harvest: h, Plan: plan, HasPlan: true})
}

func textOf(t fatal, r Report) string {
	var out bytes.Buffer
	if err := r.WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestOrderNeverMatters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, uploads, store := anyRun(t)
		want := textOf(t, reportOf(t, plan, uploads, store))
		shuffled := rapid.Permutation(uploads).Draw(t, "order")
		if diff := cmp.Diff(want, textOf(t, reportOf(t, plan, shuffled, store))); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestDroppingAnArtifact holds that a report without one artifact says the same
// of every other point, and counts no more as passed.
func TestDroppingAnArtifact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, uploads, store := anyRun(t)
		if len(uploads) == 0 {
			return
		}
		dropped := rapid.SampledFrom(uploads).Draw(t, "dropped")
		var rest []results.Upload
		for _, u := range uploads {
			if u.Name != dropped.Name {
				rest = append(rest, u)
			}
		}
		whole, less := reportOf(t, plan, uploads, store), reportOf(t, plan, rest, store)
		for i, p := range whole.Points {
			q := less.Points[i]
			if strings.HasPrefix(dropped.Name, plan[i].Artifact) {
				if q.State != results.Missing || q.Metrics != nil {
					t.Fatalf("%s is %s without its artifact", q.Label, q.State)
				}
				continue
			}
			if diff := cmp.Diff(p, q); diff != "" {
				t.Fatal(diff)
			}
		}
		if less.Coverage.Total.Passed > whole.Coverage.Total.Passed || less.Coverage.Total.Planned != whole.Coverage.Total.Planned {
			t.Fatalf("%+v, with it %+v", less.Coverage.Total, whole.Coverage.Total)
		}
	})
}

// TestMergingIsAssociative holds that the attempts of a run may be read in any
// grouping.
func TestMergingIsAssociative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan, uploads, store := anyRun(t)
		parts := make([]results.Harvest, 3)
		for i := range parts {
			of := slices.DeleteFunc(slices.Clone(uploads), func(u results.Upload) bool { return u.Attempt != i+1 })
			h, err := results.Ingest(context.Background(), of, store.open, results.Newest())
			if err != nil {
				t.Fatal(err)
			}
			parts[i] = h
		}
		build := func(h results.Harvest) string { return textOf(t, Build(Input{Harvest: h, Plan: plan, HasPlan: true})) }
		left, right := build(parts[0].Merge(parts[1]).Merge(parts[2])), build(parts[0].Merge(parts[1].Merge(parts[2])))
		if diff := cmp.Diff(left, right); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(textOf(t, reportOf(t, plan, uploads, store)), left); diff != "" {
			t.Fatal(diff)
		}
	})
}

// large is a report of so many points.
func large(n int) Report {
	r := Report{Version: Version, HasPlan: true, Outcome: results.Partial}
	for i := range n {
		p := Point{ID: fmt.Sprint("p", i), Kind: Throughput, Label: fmt.Sprintf("point %d %s", i, hostile), Model: fmt.Sprint("m", i%7), Conc: int64(i), State: results.Passed, Metrics: map[string]float64{"tput_per_gpu": float64(i + 1), "median_ttft": 0.1}}
		if i%2 == 1 {
			p.State, p.Metrics, p.Failure = results.Failed, nil, &Failure{Class: "runtime", Line: strings.Repeat(hostile, 4)}
		}
		r.Points = append(r.Points, p)
	}
	return r
}

// TestLimits holds that no text grows beyond what GitHub takes, and that what
// was left out is named.
func TestLimits(t *testing.T) {
	for _, n := range []int{0, 1, 10, 300, 5000} {
		r := large(n)
		comment, summary := r.Markdown(ForComment()), r.Markdown(ForSummary())
		if size := utf8.RuneCountInString(comment); size > 65_536 {
			t.Errorf("%d points: a comment of %d characters", n, size)
		}
		if len(summary) > 1_000_000 {
			t.Errorf("%d points: a summary of %d bytes", n, len(summary))
		}
		if n >= 300 && !strings.Contains(comment, "more lines are in the report") {
			t.Errorf("%d points: nothing says that lines were left out", n)
		}
		tiny := r.Markdown(MarkdownOptions{Limit: 3000})
		if n >= 300 && (!strings.Contains(tiny, "Left out for length: Points that did not pass") || len(tiny) > 4000) {
			t.Errorf("%d bytes: %s", len(tiny), tiny)
		}
		for _, text := range []string{comment, summary, tiny} {
			if strings.Count(text, "<details>") != strings.Count(text, "</details>") {
				t.Errorf("%d points: a block is open", n)
			}
		}
	}
}

// TestHostileTexts holds that nothing of an artifact ends a script, a tag, a
// cell, or an HTML comment, and that nobody is mentioned.
func TestHostileTexts(t *testing.T) {
	r := large(40)
	r.Points[0].Served, r.Points[0].Image = hostile, hostile
	r.Findings = []Finding{{Severity: "error", Place: hostile, Message: hostile, Chinese: hostile}}
	r.Run = &Run{Repository: hostile, ID: 3, URL: "javascript:alert(1)", Label: hostile, Head: hostile}
	var page bytes.Buffer
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page.String(), "<script"); n != 2 {
		t.Errorf("%d scripts", n)
	}
	for _, bad := range []string{"href=\"javascript", "<script>alert", "src=", "http-equiv=\"refresh", "url("} {
		if strings.Contains(page.String(), bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
	for _, line := range strings.Split(r.Markdown(ForSummary()), "\n") {
		plain := outsideCode(line)
		for _, bad := range []string{"@everyone", "<script", "<!--", "](javascript", "\u202e"} {
			if strings.Contains(plain, bad) {
				t.Errorf("%s: %s", bad, line)
			}
		}
		if strings.HasPrefix(line, "| `point") && strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") != strings.Count("| a | b | c | d | e |", "|") {
			t.Errorf("cells: %s", line)
		}
	}
	var csv bytes.Buffer
	if err := r.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(csv.String(), "\n") {
		if strings.HasPrefix(line, "=") || strings.Contains(line, ",=") {
			t.Errorf("a formula: %s", line)
		}
	}
}

// outsideCode drops code spans.
func outsideCode(line string) string {
	var out strings.Builder
	for len(line) > 0 {
		start := strings.IndexByte(line, '`')
		if start < 0 {
			break
		}
		out.WriteString(line[:start])
		n := len(line[start:]) - len(strings.TrimLeft(line[start:], "`"))
		fence, rest := line[start:start+n], line[start+n:]
		end := strings.Index(rest, fence)
		if end < 0 {
			break
		}
		line = rest[end+n:]
	}
	return out.String() + line
}
