package collect

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/report"
)

// platform is a Source in memory.
type platform struct {
	run       bot.Run
	jobs      []bot.Job
	artifacts []bot.Artifact
	archives  map[int64][]byte
	logs      map[int64]string
	// broken ids give an error in the middle.
	broken map[int64]error

	mu     sync.Mutex
	opened []int64
	after  func() // runs after every opened archive
}

func (p *platform) WorkflowRun(context.Context, int64) (bot.Run, error)      { return p.run, nil }
func (p *platform) Jobs(context.Context, int64, int) ([]bot.Job, error)      { return p.jobs, nil }
func (p *platform) Artifacts(context.Context, int64) ([]bot.Artifact, error) { return p.artifacts, nil }
func (p *platform) OpenArtifact(_ context.Context, id int64) (io.ReadCloser, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened = append(p.opened, id)
	if p.after != nil {
		p.after()
	}
	if err := p.broken[id]; err != nil {
		return io.NopCloser(io.MultiReader(bytes.NewReader(p.archives[id][:10]), failing{err})), nil
	}
	return io.NopCloser(bytes.NewReader(p.archives[id])), nil
}

// JobLog gives the log of every job, long ones first.
func (p *platform) JobLog(_ context.Context, job int64) (io.ReadCloser, error) {
	text, ok := p.logs[job]
	if !ok {
		return nil, io.ErrUnexpectedEOF
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func zipOf(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range files {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

var epoch = time.Date(2026, 9, 14, 10, 0, 0, 0, time.UTC)

// add uploads an artifact; later calls are later uploads.
func (p *platform) add(name string, data []byte) int64 {
	id := int64(len(p.artifacts) + 1)
	sum := sha256.Sum256(data)
	p.artifacts = append(p.artifacts, bot.Artifact{
		ID: id, Name: name, Size: int64(len(data)), Digest: "sha256:" + hex.EncodeToString(sum[:]), RunID: 7, CreatedAt: epoch.Add(time.Duration(id) * time.Minute),
	})
	p.archives[id] = data
	return id
}

func rowText(conc int) string {
	return fmt.Sprintf(`{"hw":"b200-dgxc","conc":%d,"image":"vllm/vllm-openai:v0.19.1","model":"deepseek-ai/DeepSeek-V4","infmax_model_prefix":"dsv4","framework":"vllm","precision":"fp8","spec_decoding":"none","disagg":false,"recipe_fingerprint":"","isl":8192,"osl":1024,"is_multinode":false,"tp":8,"pp":1,"dcp_size":1,"pcp_size":1,"ep":1,"dp_attention":"false","tput_per_gpu":%d,"output_tput_per_gpu":1,"input_tput_per_gpu":1,"median_ttft":0.2,"median_e2el":%d}`, conc, 100*conc, conc)
}

// sweep is a platform that holds a run of n points.
func sweep(t testing.TB, n int) *platform {
	p := &platform{archives: make(map[int64][]byte), broken: make(map[int64]error), run: bot.Run{ID: 7, Attempt: 2, URL: "https://github.com/acme/bench/actions/runs/7", HeadSHA: "ca89ac21"}}
	for i := range n {
		p.add(fmt.Sprintf("bmk_dsv4_conc%d_r1", i+1), zipOf(t, map[string]string{"agg.json": rowText(i + 1)}))
	}
	return p
}

func options(t testing.TB) Options {
	return Options{Repository: "acme/bench", Run: 7, Dir: filepath.Join(t.TempDir(), "run"), Parallel: 3}
}

func load(t testing.TB, dir string) report.Report {
	t.Helper()
	r, err := Load(t.Context(), dir, results.Newest(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDownload(t *testing.T) {
	p := sweep(t, 5)
	newest := p.add("bmk_dsv4_conc2_r1", zipOf(t, map[string]string{"agg.json": strings.Replace(rowText(2), `"tput_per_gpu":200`, `"tput_per_gpu":222`, 1)}))
	p.add("server_logs_x", []byte("never opened"))
	p.add("agentic_x", []byte("never opened"))
	o := options(t)
	progress, list, err := Download(t.Context(), p, o)
	if err != nil || list != nil || progress.Done != 5 || progress.Kept != 0 || progress.Bytes == 0 {
		t.Fatalf("%+v %v %v", progress, list, err)
	}
	r := load(t, o.Dir)
	if r.Run.ID != 7 || r.Coverage.Total.Passed != 5 || !r.Good() {
		t.Errorf("%+v %+v %v", r.Run, r.Coverage.Total, r.Findings)
	}
	for _, q := range r.Points {
		if q.Conc == 2 && q.Metrics["tput_per_gpu"] != 222 {
			t.Error("an older upload counted")
		}
	}
	// The second time nothing is downloaded, and the answer is the same.
	opened := len(p.opened)
	progress, _, err = Download(t.Context(), p, o)
	if err != nil || progress.Kept != 5 || len(p.opened) != opened {
		t.Errorf("%+v %v", progress, err)
	}
	if diff := cmp.Diff(r, load(t, o.Dir)); diff != "" {
		t.Error(diff)
	}
	// What is not what was uploaded is fetched again, and so is what was cut off.
	name := filepath.Join(o.Dir, packName)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{bytes.Replace(data, p.archives[newest][30:40], []byte("0123456789"), 1), data[:len(data)-3], append(bytes.Clone(data), "sbpack1\nrest"...)} {
		if err := os.WriteFile(name, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		want := 4
		if len(damaged) > len(data) {
			want = 5
		}
		if progress, _, err = Download(t.Context(), p, o); err != nil || progress.Kept != want {
			t.Errorf("%+v %v, want %d", progress, err, want)
		}
		if again := load(t, o.Dir); cmp.Diff(r, again) != "" {
			t.Error(cmp.Diff(r, again))
		}
	}
	o.Run = 8
	if _, _, err := Download(t.Context(), p, o); !is(err, "collect.other-run") {
		t.Errorf("another run: %v", err)
	}
}

func is(err error, code string) bool {
	var f diag.Finding
	return errors.As(err, &f) && f.Code == code
}

// TestDownloadGoesOn interrupts a download again and again.
func TestDownloadGoesOn(t *testing.T) {
	p, o := sweep(t, 20), options(t)
	o.Parallel = 1
	for round := 0; ; round++ {
		ctx, cancel := context.WithCancel(t.Context())
		left := 4
		p.after = func() {
			if left--; left == 0 {
				cancel()
			}
		}
		_, _, err := Download(ctx, p, o)
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || round > 20 {
			t.Fatal(round, err)
		}
	}
	if r := load(t, o.Dir); r.Coverage.Total.Passed != 20 {
		t.Errorf("%+v", r.Coverage.Total)
	}
	if len(p.opened) > 30 {
		t.Errorf("%d downloads for 20 archives", len(p.opened))
	}
}

// TestLargeArchive holds that archives beyond the pack get files of their own.
func TestLargeArchive(t *testing.T) {
	p, o := sweep(t, 1), options(t)
	var stored bytes.Buffer
	w := zip.NewWriter(&stored)
	for _, f := range []struct{ name, text string }{{"agg.json", rowText(2)}, {"raw.bin", strings.Repeat("0123456789", packLimit/8)}} {
		out, err := w.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Store})
		if err == nil {
			_, err = io.WriteString(out, f.text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	id := p.add("bmk_large", stored.Bytes())
	for round := range 2 {
		progress, list, err := Download(t.Context(), p, o)
		if err != nil || list != nil || progress.Kept != 2*round {
			t.Fatalf("%+v %v %v", progress, list, err)
		}
	}
	if _, err := os.Stat(filepath.Join(o.Dir, archiveName(id))); err != nil {
		t.Error(err)
	}
	if r := load(t, o.Dir); r.Coverage.Total.Passed != 2 {
		t.Errorf("%+v %v", r.Coverage.Total, r.Findings)
	}
}

// TestOneByOne holds that each bad archive is refused alone.
func TestOneByOne(t *testing.T) {
	p, o := sweep(t, 3), options(t)
	good := zipOf(t, map[string]string{"agg.json": rowText(9)})
	p.add("bmk_truncated", good[:len(good)/2])
	p.add("bmk_page", []byte("<html>sign in</html>"))
	p.add("bmk_nan", zipOf(t, map[string]string{"agg.json": strings.Replace(rowText(9), `"median_ttft":0.2`, `"median_ttft":NaN`, 1)}))
	p.add("bmk_negative", zipOf(t, map[string]string{"agg.json": strings.Replace(rowText(9), `"median_ttft":0.2`, `"median_ttft":-0.2`, 1)}))
	p.add("bmk_absurd", zipOf(t, map[string]string{"agg.json": strings.Replace(rowText(9), `"tput_per_gpu":900`, `"tput_per_gpu":1e300`, 1)}))
	p.add("bmk_bomb", zipOf(t, map[string]string{"agg.json": strings.Repeat(" ", 8<<20)}))
	p.add("bmk_traversal", zipOf(t, map[string]string{"../../agg.json": rowText(9)}))
	p.broken[p.add("bmk_lost", good)] = errors.New("connection reset")
	altered := p.add("bmk_altered", good)
	p.archives[altered] = zipOf(t, map[string]string{"agg.json": rowText(10)})
	p.artifacts = append(p.artifacts, bot.Artifact{ID: 99, Name: "bmk_expired", Expired: true, CreatedAt: epoch})

	_, list, err := Download(t.Context(), p, o)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v %v", list, err)
	}
	r := load(t, o.Dir)
	if r.Coverage.Total.Passed != 3 || r.Good() {
		t.Errorf("%+v", r.Coverage.Total)
	}
	codes := make(map[string]string)
	for _, f := range r.Findings {
		name, _, _ := strings.Cut(f.Place, "/")
		codes[name] = f.Code
	}
	want := map[string]string{
		"bmk_truncated": "results.archive-truncated", "bmk_page": "results.archive-not-zip", "bmk_nan": "results.row-rejected",
		"bmk_negative": "results.row-rejected", "bmk_absurd": "results.row-rejected", "bmk_bomb": "results.archive-bomb",
		"bmk_traversal": "results.archive-unsafe-path", "bmk_lost": "collect.artifact", "bmk_altered": "collect.artifact", "bmk_expired": "results.artifact-expired",
	}
	if diff := cmp.Diff(want, codes); diff != "" {
		t.Error(diff)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "..", "..", "agg.json")); err == nil {
		t.Error("a file was written outside")
	}
}

// TestPlanComesAlong has the plan of the run in its artifact: then coverage is
// counted, and jobs tell why points failed.
func TestPlanComesAlong(t *testing.T) {
	p, o := sweep(t, 0), options(t)
	plan, err := os.ReadFile("../localrun/testdata/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	p.add(planName, zipOf(t, map[string]string{"plan.json": string(plan)}))
	if _, list, err := Download(t.Context(), p, o); err != nil || list != nil {
		t.Fatal(list, err)
	}
	r := load(t, o.Dir)
	if !r.HasPlan || r.Coverage.Total.Planned == 0 || r.Coverage.Total.Missing != r.Coverage.Total.Planned || r.Good() {
		t.Errorf("%v %+v", r.HasPlan, r.Coverage.Total)
	}
}

// TestFolders has every form that Load takes.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("down/bmk_a/agg.json", rowText(1))
	write("local/artifacts/bmk_a/agg.json", rowText(1))
	rows := write("agg_bmk.json", "["+rowText(1)+","+rowText(2)+"]")
	for path, want := range map[string]int{filepath.Join(dir, "down"): 1, filepath.Join(dir, "local"): 1, rows: 2} {
		if r := load(t, path); r.Coverage.Total.Passed != want || !r.Good() {
			t.Errorf("%s: %+v %v", path, r.Coverage.Total, r.Findings)
		}
	}
	var text bytes.Buffer
	if err := load(t, rows).WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	saved := write("report.json", text.String())
	base, list, err := Baseline(t.Context(), saved, results.Newest())
	if err != nil || list != nil || len(base.Rows) != 2 {
		t.Fatal(err, list, len(base.Rows))
	}
	r, err := Load(t.Context(), saved, results.Newest(), func(in *report.Input) { in.Baseline = &base })
	if err != nil || r.Comparison == nil || len(r.Comparison.Points) != 2 || r.Comparison.Unclear != 2 {
		t.Errorf("%v %+v", err, r.Comparison)
	}
	for path, code := range map[string]string{
		filepath.Join(dir, "nowhere"): "collect.folder", write("empty.json", ""): "results.report-unreadable",
		write("odd.json", `{"version":9}`): "results.report-unreadable", write("odd/collection.json", "{"): "collect.index",
	} {
		if strings.HasSuffix(path, "collection.json") {
			path = filepath.Dir(path)
		}
		_, err := Load(t.Context(), path, results.Newest(), nil)
		var list diag.List
		if !is(err, code) && !(errors.As(err, &list) && list[0].Code == code) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(dir, "down", "plan.json")); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(t.Context(), filepath.Join(dir, "down"), results.Newest(), nil); !is(err, "collect.not-regular") {
		t.Errorf("a link: %v", err)
	}
}
