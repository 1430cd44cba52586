package localrun

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// playSweep is what the test program does as a sweep of its own: it runs the
// plan of the folder that LOCALRUN_TEST_DIR names, with a launcher in the mode
// of LOCALRUN_TEST_MODE at points of LOCALRUN_TEST_ONLY.
func playSweep() int {
	dir := os.Getenv("LOCALRUN_TEST_DIR")
	data, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		return 95
	}
	doc, err := ordjson.Parse(data)
	if err != nil {
		return 94
	}
	plan, err := ReadPlan(doc)
	if err != nil {
		return 93
	}
	program, _ := os.Executable()
	o := Options{
		Plan: plan, Site: testSite(newestContract), Launcher: Launcher{Command: []string{program}}, Out: filepath.Join(dir, "out"), Jobs: 1,
		Environment: []string{launcherMode + "=" + os.Getenv("LOCALRUN_TEST_MODE"), "GORACE=atexit_sleep_ms=0", "LOCALRUN_TEST_ONLY=" + os.Getenv("LOCALRUN_TEST_ONLY")},
	}
	if _, err := tryS(context.Background(), o); err != nil {
		return 1
	}
	return 0
}

// starts counts the attempts that the journal has, by point.
func starts(t *testing.T, out string) map[string]int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(out, journalName))
	if err != nil {
		t.Fatal(err)
	}
	records, _, err := parseJournal(data)
	if err != nil {
		t.Fatal(err)
	}
	n := make(map[string]int)
	for _, r := range records {
		if r.Kind == "start" {
			n[r.Point]++
		}
	}
	return n
}

func TestResumeAfterKill(t *testing.T) {
	dir, pipe := t.TempDir(), newPipe(t)
	plan := planOf(t, families{spec: "a:3", canary: true})
	if err := os.WriteFile(filepath.Join(dir, "plan.json"), plan.Document.Append(nil, ordjson.Compact), 0o644); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	first := exec.Command(program)
	first.Env = append(os.Environ(), launcherMode+"=sweep", "LOCALRUN_TEST_DIR="+dir,
		"LOCALRUN_TEST_MODE=block "+pipe, "LOCALRUN_TEST_ONLY=_conc2_") // the second point hangs
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	gone := untilRunning(t, pipe)

	o := testOptions(t, plan, "good")
	o.Out, o.Resume = filepath.Join(dir, "out"), true
	if _, err := Open(o); codeOf(err) != "localrun.in-use" {
		t.Errorf("a folder in use: %v", err)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	if _, err := io.ReadAll(gone); err != nil { // the launcher dies with its sweep
		t.Error(err)
	}
	if counts := runSweep(t, o); counts != (Counts{Planned: 3, Passed: 3}) {
		t.Errorf("%+v", counts)
	}
	got := starts(t, o.Out)
	for _, f := range plan.Families {
		for i, want := range []int{1, 2, 1} {
			if got[f.Rows[i].ID] != want {
				t.Errorf("point %d was started %d times, want %d", i, got[f.Rows[i].ID], want)
			}
		}
	}
	if table, err := Collect(o.Out, nil); err != nil || !table.Usable() {
		t.Errorf("%v %+v", err, table)
	}
}

func TestResumeTriesWhatFailedOnlyWithTriesLeft(t *testing.T) {
	o := testOptions(t, planOf(t, families{spec: "a:3 b:1", failFast: true}), "exit 1")
	o.Environment = append(o.Environment, "LOCALRUN_TEST_ONLY=_conc1_")
	o.Jobs = 1
	o.Only = []string{"sweep-a"}
	if counts := runSweep(t, o); counts != (Counts{Planned: 3, Failed: 1, Cancelled: 2}) {
		t.Fatalf("%+v", counts)
	}
	o.Resume = true
	o.Environment[0] = launcherMode + "=good"
	if counts := runSweep(t, o); counts.Failed != 1 || counts.Cancelled != 2 {
		t.Errorf("without a try left: %+v", counts)
	}
	o.Retries = 1
	if counts := runSweep(t, o); counts != (Counts{Planned: 3, Passed: 3}) {
		t.Errorf("with a try left: %+v", counts)
	}
	o.Only = nil
	if counts := runSweep(t, o); counts != (Counts{Planned: 4, Passed: 4}) {
		t.Errorf("with all points: %+v", counts)
	}
}

func TestFoldersThatAreRefused(t *testing.T) {
	o := testOptions(t, planOf(t, families{spec: "a:1"}), "good")
	resume := o
	resume.Resume = true
	if _, err := Open(resume); codeOf(err) != "localrun.nothing-to-resume" {
		t.Errorf("nothing there: %v", err)
	}
	runSweep(t, o)
	if _, err := Open(o); codeOf(err) != "localrun.folder-in-use" {
		t.Errorf("a sweep is there: %v", err)
	}
	for name, change := range map[string]func(*Options){
		"other plan":     func(o *Options) { o.Plan = planOf(t, families{spec: "a:2"}) },
		"other launcher": func(o *Options) { o.Launcher.Command = append(slices.Clone(o.Launcher.Command), "x") },
		"other mode":     func(o *Options) { o.Site.Fast = true },
	} {
		other := resume
		change(&other)
		if _, err := Open(other); codeOf(err) != "localrun.other-plan" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if counts := runSweep(t, resume); counts.Passed != 1 {
		t.Errorf("%+v", counts)
	}
}

func TestOnly(t *testing.T) {
	o := testOptions(t, planOf(t, families{spec: "a:2 b:1"}), "good")
	o.Only = []string{"nobody"}
	if _, err := Open(o); codeOf(err) != "localrun.nothing-selected" {
		t.Errorf("an empty selection: %v", err)
	}
	for word, want := range map[string]int{"sweep-a": 2, "b": 1, "key-a": 2, "0000000100000002": 1} {
		got := selected(o.Plan, Points(o.Plan, o.Site), []string{word})
		if len(got) != want {
			t.Errorf("--only %s: %d points, want %d", word, len(got), want)
		}
	}
}

func TestJournals(t *testing.T) {
	const plan = `{"kind":"plan","version":1,"plan":"x"}` + "\n"
	const end = `{"kind":"end","point":"p","attempt":2,"status":"failed","code":"localrun.exit","args":["code","3"]}` + "\n"
	tests := []struct {
		name, text string
		records    int
		good       int
		wrong      bool
	}{
		{"empty", "", 0, 0, false},
		{"whole", plan + end, 2, len(plan + end), false},
		{"torn", plan + end[:20], 1, len(plan), false},
		{"torn at the start", plan[:9], 0, 0, false},
		{"damaged", plan + "x\n" + end, 0, 0, true},
		{"not ours", end + plan, 0, 0, true},
		{"other version", strings.Replace(plan, "1", "9", 1), 0, 0, true},
		{"odd arguments", plan + strings.Replace(end, `,"3"`, "", 1), 0, 0, true},
	}
	for _, tt := range tests {
		records, good, err := parseJournal([]byte(tt.text))
		if (err != nil) != tt.wrong || len(records) != tt.records || int(good) != tt.good {
			t.Errorf("%s: %d records, %d bytes, %v", tt.name, len(records), good, err)
		}
	}
	records, _, _ := parseJournal([]byte(plan + end))
	if p := history(records)["p"]; p.status != Failed || p.attempts != 2 || p.why.Code != "localrun.exit" {
		t.Errorf("%+v", p)
	}
}

func TestFailuresOfTheJournalEndTheSweep(t *testing.T) {
	o := testOptions(t, planOf(t, families{spec: "a:3"}), "good")
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.journal.file.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("%v", err)
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	name := func(resume bool) string {
		full, err := Folder("", resume)
		rel, _ := filepath.Rel(dir, full)
		return rel + codeOf(err)
	}
	if got := name(true); !strings.HasSuffix(got, "localrun.nothing-to-resume") {
		t.Error(got)
	}
	for _, want := range []string{".sweepbot/sweep-1", ".sweepbot/sweep-2"} {
		if got := name(false); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		if err := os.MkdirAll(want, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if got := name(true); got != ".sweepbot/sweep-2" {
		t.Errorf("newest is %s", got)
	}
	if got, err := Folder("x", false); err != nil || got != filepath.Join(dir, "x") {
		t.Error(got, err)
	}
}
