package results

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// memoryBudget is what reading a run may take, in bytes.
const memoryBudget = 200 << 20

// crowd is a run of many artifacts that exist only while they are read.
type crowd struct {
	tb      testing.TB
	parts   [2]string // of a row, around its concurrency
	uploads []Upload
	peak    uint64
	opened  int
}

func newCrowd(tb testing.TB, n int) *crowd {
	before, after, _ := strings.Cut(singleRow, `"conc":16`)
	c := &crowd{tb: tb, parts: [2]string{before + `"conc":`, after}}
	for i := range n {
		c.uploads = append(c.uploads, Upload{ID: int64(i + 1), Name: fmt.Sprintf("bmk_dsv4_8k1k_conc%d_b200-dgxc_07", i+1), Created: epoch})
	}
	return c
}

func (c *crowd) open(_ context.Context, u Upload) (Blob, error) {
	row := c.parts[0] + ordjson.Int(u.ID).Text + c.parts[1]
	var data bytes.Buffer
	w := zip.NewWriter(&data)
	f, err := w.CreateHeader(&zip.FileHeader{Name: "agg_x.json", Method: zip.Store})
	if err == nil {
		_, err = io.WriteString(f, row)
	}
	if err != nil || w.Close() != nil {
		return nil, err
	}
	if c.opened++; c.opened%1000 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		c.peak = max(c.peak, m.HeapInuse+m.StackInuse)
	}
	return bytesBlob{bytes.NewReader(data.Bytes())}, nil
}

// TestTenThousandArtifacts holds the memory budget for a very large run.
func TestTenThousandArtifacts(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 archives")
	}
	c := newCrowd(t, 10_000)
	h, err := Ingest(context.Background(), c.uploads, c.open, Newest())
	if err != nil {
		t.Fatal(err)
	}
	if rows := h.Rows(); len(rows) != 10_000 || rows[9_999].Document().Kind != ordjson.Object {
		t.Fatalf("%d rows", len(rows))
	}
	t.Logf("peak %d MiB", c.peak>>20)
	if c.peak > memoryBudget {
		t.Errorf("%d MiB of memory", c.peak>>20)
	}
}

// sparse stores what is written to it, runs of the shared zeros as their length
// only.
type sparse struct {
	parts []part
	size  int64
}

type part struct {
	at   int64
	data []byte
}

var zeros = make([]byte, 1<<20)

func (s *sparse) Write(p []byte) (int, error) {
	if len(p) > 0 && &p[0] != &zeros[0] {
		s.parts = append(s.parts, part{s.size, bytes.Clone(p)})
	}
	s.size += int64(len(p))
	return len(p), nil
}

func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	n := int(min(int64(len(p)), max(s.size-off, 0)))
	clear(p[:n])
	for _, part := range s.parts {
		from, to := max(part.at, off), min(part.at+int64(len(part.data)), off+int64(n))
		if from < to {
			copy(p[from-off:to-off], part.data[from-part.at:])
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (s *sparse) Size() int64  { return s.size }
func (s *sparse) Close() error { return nil }

// TestTwoGigabytes reads a row that lies behind a raw trace of 2 GiB.
func TestTwoGigabytes(t *testing.T) {
	if testing.Short() {
		t.Skip("an archive of 2 GiB")
	}
	var s sparse
	w := zip.NewWriter(&s)
	const large = 2 << 30
	trace, err := w.CreateRaw(&zip.FileHeader{Name: "trace.bin", Method: zip.Store, CompressedSize64: large, UncompressedSize64: large})
	for range large / len(zeros) {
		if err == nil {
			_, err = trace.Write(zeros)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.Create("agg_x.json")
	if err == nil {
		_, err = io.WriteString(f, singleRow)
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	if s.size < large || len(s.parts) > 1000 {
		t.Fatalf("%d bytes in %d parts", s.size, len(s.parts))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h, err := Ingest(context.Background(), []Upload{{ID: 1, Name: "bmk_x", Size: s.size}}, func(context.Context, Upload) (Blob, error) { return &s, nil }, Newest())
	runtime.ReadMemStats(&after)
	if err != nil || len(h.Rows()) != 1 {
		t.Fatal(err, h.Findings())
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
		t.Errorf("%d bytes of memory for a row", took)
	}
}

// TestLargeAggregate reads an aggregate that is far larger than what may be read
// as a whole.
func TestLargeAggregate(t *testing.T) {
	if testing.Short() {
		t.Skip("an aggregate of 20,000 rows")
	}
	rules := Newest()
	rules.Archive.Ratio, rules.FileBytes = 1000, 1<<20
	var text strings.Builder
	c := newCrowd(t, 0)
	for i := range 20_000 {
		text.WriteString(map[bool]string{true: "[", false: ","}[i == 0])
		text.WriteString(c.parts[0] + ordjson.Int(int64(i+1)).Text + c.parts[1])
	}
	text.WriteString("]")
	r := newRun(t).add("results_bmk", files{"agg_bmk.json": text.String()})
	if h := r.ingest(rules); len(h.Rows()) != 20_000 {
		t.Fatalf("%d rows, %v", len(h.Rows()), h.Findings())
	}
}

// BenchmarkIngest reads 5,000 artifacts, archives included.
func BenchmarkIngest(b *testing.B) {
	c := newCrowd(b, 5_000)
	archives := make(store, len(c.uploads))
	for _, u := range c.uploads {
		archives[u.ID] = zipOf(b, files{"agg_x.json": c.parts[0] + ordjson.Int(u.ID).Text + c.parts[1]})
	}
	b.ReportAllocs()
	for b.Loop() {
		h, err := Ingest(context.Background(), c.uploads, archives.open, Newest())
		if err != nil || len(h.Rows()) != len(c.uploads) {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(c.uploads))*float64(b.N)/b.Elapsed().Seconds(), "artifacts/s")
}

// BenchmarkCover covers a plan of 5,000 points with jobs.
func BenchmarkCover(b *testing.B) {
	c := newCrowd(b, 5_000)
	h, err := Ingest(context.Background(), c.uploads, c.open, Newest())
	if err != nil {
		b.Fatal(err)
	}
	var planned []Planned
	var jobs []Job
	for i := range c.uploads {
		_, points, _ := numbered(b, i+1)
		planned = append(planned, points...)
		jobs = append(jobs, job(i+1, "success", 1))
	}
	for b.Loop() {
		if out := Cover(planned, h, jobs, Thresholds{}); out.Outcome() != Complete {
			b.Fatal(out.Outcome())
		}
	}
}
