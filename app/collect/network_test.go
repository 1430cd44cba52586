package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/report"
)

const workflow = "name: e2e Test\non:\n  workflow_dispatch:\n    inputs:\n      test-name: {required: true}\njobs:\n  all:\n    runs-on: ubuntu-latest\n"

// hosted is a sandbox that holds a run of n points; each archive has about so
// many bytes.
func hosted(t testing.TB, n, bytesEach int) (s *sandbox.Server, run int64, token string) {
	t.Helper()
	none := sandbox.Limits{AnonymousHour: -1, UserHour: -1, AppHour: -1, RunHour: -1, WritesMinute: -1, WritesHour: -1, PointsMinute: -1}
	s, err := sandbox.Start(t.Context(), sandbox.Options{
		Limits: none, Seed: fstest.MapFS{".github/workflows/e2e-tests.yml": {Data: []byte(workflow)}, "README.md": {Data: []byte("# x\n")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if run, err = s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}); err != nil {
		t.Fatal(err)
	}
	handle, _ := s.Run(run)
	for i := range n {
		noise := make([]byte, bytesEach)
		for k := range noise {
			noise[k] = "0123456789abcdef"[(i*7919+k*k*31+k>>3)%16]
		}
		data := zipOf(t, map[string]string{"agg.json": rowText(i + 1), "raw.txt": string(noise)})
		if _, err := handle.UploadArtifact(fmt.Sprintf("bmk_dsv4_conc%d_r1", i+1), bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	handle.Finish()
	if token, err = s.Token("walt-write"); err != nil {
		t.Fatal(err)
	}
	return s, run, token
}

// TestFromSandbox downloads a run through the real client.
func TestFromSandbox(t *testing.T) {
	s, run, token := hosted(t, 20, 100)
	client, err := ghapi.New(t.Context(), ghapi.Options{Token: token, BaseURL: s.URL() + "/api/v3"})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Repository: "acme-bench/inference", Run: run, Dir: t.TempDir()}
	progress, list, err := Download(t.Context(), client.Repository("acme-bench", "inference"), o)
	if err != nil || list != nil || progress.Done != 20 {
		t.Fatalf("%+v %v %v", progress, list, err)
	}
	if r := load(t, o.Dir); r.Coverage.Total.Passed != 20 || r.Run.ID != run || r.Run.URL == "" {
		t.Errorf("%+v %+v", r.Coverage.Total, r.Run)
	}
}

// plain is the platform through nothing but HTTP, without the budgets that our
// client keeps for GitHub's sake.
type plain struct {
	base, token string
	client      *http.Client
}

func (p plain) get(ctx context.Context, path string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+"/api/v3/repos/acme-bench/inference/"+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+p.token)
	resp, err := p.client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, fmt.Errorf("%s: %s", path, resp.Status)
	}
	return resp.Body, nil
}

func (p plain) WorkflowRun(_ context.Context, id int64) (bot.Run, error) {
	return bot.Run{ID: id, Attempt: 1}, nil
}

func (p plain) Jobs(context.Context, int64, int) ([]bot.Job, error) { return nil, nil }

func (p plain) Artifacts(ctx context.Context, run int64) ([]bot.Artifact, error) {
	var out []bot.Artifact
	for page := 1; ; page++ {
		body, err := p.get(ctx, fmt.Sprintf("actions/runs/%d/artifacts?per_page=100&page=%d", run, page))
		if err != nil {
			return nil, err
		}
		var answer struct {
			Artifacts []struct {
				ID      int64     `json:"id"`
				Name    string    `json:"name"`
				Size    int64     `json:"size_in_bytes"`
				Digest  string    `json:"digest"`
				Created time.Time `json:"created_at"`
			} `json:"artifacts"`
		}
		err = json.NewDecoder(body).Decode(&answer)
		body.Close()
		if err != nil || len(answer.Artifacts) == 0 {
			return out, err
		}
		for _, a := range answer.Artifacts {
			out = append(out, bot.Artifact{ID: a.ID, Name: a.Name, Size: a.Size, Digest: a.Digest, RunID: run, CreatedAt: a.Created})
		}
	}
}

func (p plain) OpenArtifact(ctx context.Context, id int64) (io.ReadCloser, error) {
	return p.get(ctx, fmt.Sprintf("actions/artifacts/%d/zip", id))
}

// bare downloads the same bytes with the same parallelism and drops them.
func bare(ctx context.Context, p plain, run int64, parallel int) error {
	artifacts, err := p.Artifacts(ctx, run)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	for _, a := range artifacts {
		group.Go(func() error {
			body, err := p.OpenArtifact(ctx, a.ID)
			if err != nil {
				return err
			}
			defer body.Close()
			_, err = io.Copy(io.Discard, body)
			return err
		})
	}
	return group.Wait()
}

// peak samples the memory of this process until it is stopped.
func peak() (stop func() uint64) {
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		var m runtime.MemStats
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			select {
			case <-done:
				return
			case <-tick.C:
				runtime.ReadMemStats(&m)
				most.Store(max(most.Load(), m.HeapInuse+m.StackInuse))
			}
		}
	}()
	return func() uint64 { close(done); <-ended; return most.Load() }
}

// processor reports the processor time of this process, which other processes
// of the machine do not change.
func processor(b *testing.B) func() {
	spent := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := spent()
	return func() { b.ReportMetric(float64((spent()-before).Milliseconds())/float64(b.N), "cpu-ms/op") }
}

// BenchmarkCollect downloads a run from a sandbox in this process and builds its
// report; bare downloads the same bytes and drops them. SWEEPBOT_POINTS is the
// number of points, 500 by default. Memory includes the sandbox, whose own is
// given apart.
func BenchmarkCollect(b *testing.B) {
	points := 500
	if n, err := strconv.Atoi(os.Getenv("SWEEPBOT_POINTS")); err == nil {
		points = n
	}
	s, run, token := hosted(b, points, 4000)
	p := plain{s.URL(), token, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	b.Run("bare", func(b *testing.B) {
		defer processor(b)()
		for b.Loop() {
			if err := bare(b.Context(), p, run, defaultParallel); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("collect", func(b *testing.B) {
		defer processor(b)()
		stop := peak()
		for b.Loop() {
			dir := b.TempDir()
			if _, list, err := Download(b.Context(), p, Options{Run: run, Dir: dir}); err != nil || list != nil {
				b.Fatal(list, err)
			}
			in, err := Read(b.Context(), dir, results.Newest())
			if err != nil {
				b.Fatal(err)
			}
			if r := report.Build(in); r.Coverage.Total.Passed != points {
				b.Fatalf("%+v", r.Coverage.Total)
			}
		}
		b.ReportMetric(float64(stop())/1e6, "peak-MB")
		b.ReportMetric(float64(before.HeapInuse)/1e6, "sandbox-MB")
	})
}
