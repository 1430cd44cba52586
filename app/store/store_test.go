package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/report"
)

// reportOf is the report of a run with one point.
func reportOf(run int64, tput int) report.Report {
	row := fmt.Sprintf(`{"hw":"b200-dgxc","conc":4,"image":"i","model":"m","infmax_model_prefix":"dsv4","framework":"vllm","precision":"fp8","spec_decoding":"none","disagg":false,"recipe_fingerprint":"","isl":8192,"osl":1024,"is_multinode":false,"tp":8,"pp":1,"dcp_size":1,"pcp_size":1,"ep":1,"dp_attention":"false","tput_per_gpu":%d,"output_tput_per_gpu":1,"input_tput_per_gpu":1}`, tput)
	return report.Report{Version: 1, Run: &report.Run{Repository: "acme/bench", ID: run, Attempt: 1}, Points: []report.Point{
		{ID: "a", Kind: report.Throughput, State: results.Passed, Artifact: "bmk_a/agg.json", Row: []byte(row)},
		{ID: "b", Kind: report.Throughput, State: results.Failed, Artifact: "bmk_b/agg.json", Row: []byte(row)},
	}}
}

var day = time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)

func throughputs(b report.Baseline) []string {
	var out []string
	for _, r := range b.Rows {
		f, _ := r.Metric("tput_per_gpu")
		out = append(out, fmt.Sprint(f))
	}
	return out
}

func TestStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results file.db")
	s, err := Open(t.Context(), path, true)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		if err := s.Add(t.Context(), reportOf(int64(100+i), 1000+i), day.AddDate(0, 0, i)); err != nil {
			t.Fatal(err)
		}
	}
	// A run that is added again takes the place of itself.
	if err := s.Add(t.Context(), reportOf(106, 2000), day.AddDate(0, 0, 6)); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(t.Context(), report.Report{}, day); !is(err, "store.no-run") {
		t.Errorf("results of no run: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	base, list, err := Baseline(t.Context(), path)
	if err != nil || list != nil {
		t.Fatal(list, err)
	}
	if diff := cmp.Diff([]string{"1002", "1003", "1004", "1005", "2000"}, throughputs(base)); diff != "" {
		t.Error(diff)
	}
	if base.Source != "results file.db" {
		t.Error(base.Source)
	}
	if _, _, err := Baseline(t.Context(), path+"x"); !is(err, "store.missing") {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 100)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Baseline(t.Context(), path); !is(err, "store.failed") {
		t.Errorf("no database: %v", err)
	}
}

func is(err error, code string) bool {
	var f diag.Finding
	return errors.As(err, &f) && f.Code == code
}

// TestHostileRows holds that a store is believed no more than an artifact.
func TestHostileRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.db")
	s, err := Open(t.Context(), path, true)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r := reportOf(1, 10)
	r.Points[0].Row = []byte(strings.Replace(string(r.Points[0].Row), `"conc":4`, `"conc":-4`, 1))
	if err := s.Add(t.Context(), r, day); err != nil {
		t.Fatal(err)
	}
	base, list, err := s.Baseline(t.Context())
	if err != nil || len(base.Rows) != 0 || !list.Refused() {
		t.Errorf("%v %v %v", base.Rows, list, err)
	}
	if _, err := ordjson.Parse(r.Points[0].Row); err != nil {
		t.Fatal(err)
	}
}

// TestPostgresAddress holds what is said and sent about a server.
func TestPostgresAddress(t *testing.T) {
	const address = "postgres://reader:se%40cret@db.example.org:5432/bench?sslmode=require"
	if !Remote(address) || Remote("results.db") {
		t.Error("an address is taken for a file, or a file for an address")
	}
	if got := shown(address); got != "postgres db.example.org/bench" {
		t.Error(got)
	}
	if got := readOnly(address); !strings.Contains(got, "default_transaction_read_only=on") || !strings.Contains(got, "sslmode=require") {
		t.Error(got)
	}
	_, err := Open(t.Context(), "postgres://reader:se%40cret@127.0.0.1:1/bench?connect_timeout=1", false)
	if !is(err, "store.failed") || strings.Contains(err.Error(), "cret") {
		t.Errorf("a server that does not answer: %v", err)
	}
}

// TestPostgres reads from a real server, which SWEEPBOT_TEST_POSTGRES names. The
// tables are made by whoever owns the database; we can't write.
func TestPostgres(t *testing.T) {
	address := os.Getenv("SWEEPBOT_TEST_POSTGRES")
	if address == "" {
		t.Skip("SWEEPBOT_TEST_POSTGRES names no server")
	}
	s, err := Open(t.Context(), address, false)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Add(t.Context(), reportOf(1, 1), day); !is(err, "store.read-only") {
		t.Errorf("a write: %v", err)
	}
	if _, err := s.db.ExecContext(t.Context(), "DELETE FROM sweepbot_rows"); err == nil {
		t.Error("the server took a write")
	}
	base, list, err := s.Baseline(t.Context())
	if err != nil || list != nil || len(base.Rows) == 0 {
		t.Fatalf("%d rows, %v, %v", len(base.Rows), list, err)
	}
}
