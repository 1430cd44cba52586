package localrun

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// launcherMode makes the test program a launcher: see TestMain.
const launcherMode = "LOCALRUN_TEST_LAUNCHER"

// TestMain lets the test program play the launcher, so that tests start real
// processes without a shell.
func TestMain(m *testing.M) {
	switch mode := os.Getenv(launcherMode); mode {
	case "":
		os.Exit(m.Run())
	case "sweep":
		os.Exit(playSweep())
	default:
		os.Exit(playLauncher(mode))
	}
}

// golden compares text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// parse reads JSON that the test itself wrote.
func parse(t testing.TB, text string) ordjson.Value {
	t.Helper()
	v, err := ordjson.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// sealed gives a plan document its digest.
func sealed(doc ordjson.Value) ordjson.Value {
	doc = withoutMember(doc, "digest")
	sum := sha256.Sum256(doc.Append(nil, ordjson.Canonical))
	doc.Add("digest", ordjson.Str("sha256:"+hex.EncodeToString(sum[:])))
	return doc
}

// samplePlan is the plan of the sample repository: every job family but one.
func samplePlan(t testing.TB) ordjson.Value {
	t.Helper()
	data, err := os.ReadFile("testdata/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	return sealed(parse(t, string(data)))
}

// families describes a plan for planOf: the number of points by family, such as
// "1k1k:3 8k1k:2 eval:1". The first point of the first family is the canary if
// canary is set. Families that are named in failFast fail fast.
type families struct {
	spec     string
	canary   bool
	failFast bool
}

// planOf builds a plan of single-node rows.
func planOf(t testing.TB, f families) *Plan {
	t.Helper()
	doc := ordjson.Map(ordjson.Member{Name: "version", Value: ordjson.Int(1)})
	list, total, first := ordjson.List(), 0, ""
	for i, word := range strings.Fields(f.spec) {
		name, count, _ := strings.Cut(word, ":")
		points := ordjson.List()
		for n := range atoi(count) {
			id := fmt.Sprintf("%08x%08x", i+1, n+1)
			if first == "" {
				first = id
			}
			points.Items = append(points.Items, parse(t, fmt.Sprintf(`{"id":%q,"key":"key-%s","row":%s}`, id, name, fixedPoint(name, n+1))))
			total++
		}
		family := parse(t, fmt.Sprintf(`{"job":"sweep-%s","prefix":"%s /","bucket":"%s","agentic":false,"eval-only":%t,"fail-fast":%t}`,
			name, name, name, name == "eval", f.failFast))
		family.Add("points", points)
		list.Items = append(list.Items, family)
	}
	doc.Add("counts", parse(t, fmt.Sprintf(`{"points":%d}`, total)))
	if f.canary {
		doc.Add("canary", parse(t, fmt.Sprintf(`{"point":%q}`, first)))
	}
	doc.Add("families", list)
	plan, err := ReadPlan(sealed(doc))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func fixedPoint(name string, conc int) string {
	return fmt.Sprintf(`{"image":"i","model":"m","model-prefix":%q,"precision":"fp8","framework":"vllm","spec-decoding":"none",`+
		`"runner":"cluster:aurora","isl":1024,"osl":1024,"tp":1,"conc":%d,"max-model-len":2304,"exp-name":"x_%s"}`, name, conc, name)
}

// testSite is a site whose runners are called after their label.
func testSite(c Contract) Site {
	return Site{Repo: "/repo", Contract: c, Runner: func(label string) string {
		return strings.TrimPrefix(label, "cluster:") + "-rack_00"
	}}
}

// The two published contracts.
var (
	newestContract = Contract{SRTRecipe: true, Constants: true, Suites: true, Batch: true}
	augustContract = Contract{}
)

// codeOf is the code of an error that is a finding, else its text.
func codeOf(err error) string {
	if err == nil {
		return ""
	}
	if list, ok := err.(diag.List); ok && len(list) > 0 {
		return list[0].Code
	}
	f := finding(err)
	if f.Code == "localrun.trouble" {
		return err.Error()
	}
	return f.Code
}

// root opens a temporary folder with some files.
func rootWith(t testing.TB, files map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// options are those of a sweep whose launcher is the test program in a mode.
func testOptions(t testing.TB, plan *Plan, mode string) Options {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Plan: plan, Site: testSite(newestContract), Launcher: Launcher{Command: []string{program}},
		Out: filepath.Join(t.TempDir(), "out"), Jobs: 2, Grace: 100 * time.Millisecond, Timeout: time.Minute,
		// Under the race detector a program waits a second before it ends.
		Environment: []string{launcherMode + "=" + mode, "GORACE=atexit_sleep_ms=0"},
	}
}

// runSweep runs a sweep to its end.
func runSweep(t testing.TB, o Options) Counts {
	t.Helper()
	counts, err := tryS(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// tryS runs a sweep.
func tryS(ctx context.Context, o Options) (Counts, error) {
	s, err := Open(o)
	if err != nil {
		return Counts{}, err
	}
	defer s.Close()
	return s.Run(ctx)
}

// playLauncher is what the test program does as a launcher.
func playLauncher(mode string) int {
	name := os.Getenv("RESULT_FILENAME")
	mode, argument, _ := strings.Cut(mode, " ")
	if at := os.Getenv("LOCALRUN_TEST_ONLY"); at != "" && !strings.Contains(name, at) {
		mode = "good"
	}
	switch mode {
	case "good":
		return writeGood(name)
	case "exit":
		return atoi(argument)
	case "nothing":
		return 0
	case "environment":
		_ = os.WriteFile("server.log", []byte(strings.Join(os.Environ(), "\n")), 0o644)
		return writeGood(name)
	case "flood":
		_, _ = io.Copy(os.Stdout, io.LimitReader(endless{}, int64(atoi(argument))))
		fmt.Println("\nlast words")
		return writeGood(name)
	case "link":
		_ = os.Symlink(argument, name+".json")
		return 0
	case "raw":
		_ = os.WriteFile(name+".json", []byte(argument), 0o644)
		return 0
	case "block", "family":
		return playBlocked(mode, argument)
	}
	return 99
}

// endless gives bytes without end.
type endless struct{}

// Read fills p.
func (endless) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte("x"), len(p))), nil }

// writeGood writes what a single-node point must leave.
func writeGood(name string) int {
	if os.Getenv("EVAL_ONLY") == "true" {
		_ = os.WriteFile("meta_env.json", []byte(metaText("1024", os.Getenv("CONC"))), 0o644)
		_ = os.WriteFile("results_gsm8k.json", []byte(`{"lm_eval_version":"1","results":{"gsm8k":{"exact_match,strict-match":0.9}}}`), 0o644)
		return 0
	}
	raw := fmt.Sprintf(`{"model_id":"m","max_concurrency":%s,"completed":10,"total_token_throughput":2000,"output_throughput":1000,`+
		`"median_ttft_ms":100,"median_tpot_ms":10,"median_e2el_ms":1500}`, os.Getenv("CONC"))
	if err := os.WriteFile(name+".json", []byte(raw), 0o644); err != nil {
		return 98
	}
	return 0
}

// metaText is the metadata of an eval of fixedPoint("eval", ...).
func metaText(length, conc string) string {
	return fmt.Sprintf(`{"hw":"aurora","infmax_model_prefix":"eval","framework":"vllm","precision":"fp8","spec_decoding":"none",`+
		`"is_multinode":false,"tp":1,"ep":1,"dp_attention":false,"conc":%s,"isl":%q,"osl":%q}`, conc, length, length)
}
