package verdict

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/config"
)

var update = flag.Bool("update", false, "write the golden files")

const headSHA = "5a1c0de77b1e4f0c9d8e7f6a5b4c3d2e1f0a9b8c"

// golden compares with testdata/name, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
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

// story is a case with its results: the checks of a profile, all passed but
// for those that are named.
type story struct {
	era, mode, key, moved string
	rows                  map[int]checks.Result
}

func (s story) make(t *testing.T) (checks.Case, []checks.Result) {
	t.Helper()
	if s.era == "" {
		s.era = "2026-11"
	}
	profile, ok := checks.NewProfile(s.era)
	if !ok {
		t.Fatal("no profile " + s.era)
	}
	settings, _ := config.Preset(config.PresetNewest)
	settings.Checks.Verdict.Mentions = []string{"ruth", "sol"}
	if s.mode != "" {
		settings.Checks.Verdict.Mode = s.mode
	}
	if s.key == "" {
		s.key = "issuecomment-9120045511"
	}
	c := checks.Case{
		Repository: "acme/bench", PR: 12, Head: headSHA, MovedTo: s.moved, Signer: "nia", Date: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC),
		Profile: profile, Settings: settings, SignOff: &checks.SignOff{Key: s.key},
	}
	var results []checks.Result
	for n, slot := range profile.Slots {
		r, ok := s.rows[n]
		if !ok {
			r = checks.Result{Status: checks.Pass, Reason: "all 6 points of orion2-fp4-b300-sglang were looked at."}
		}
		r.Number, r.Name, r.Topic = n, slot.Name, slot.Topic
		results = append(results, r)
	}
	return c, results
}

func fail(reason string) checks.Result { return checks.Result{Status: checks.Fail, Reason: reason} }
func warn(reason string) checks.Result { return checks.Result{Status: checks.Warn, Reason: reason} }
func na(reason string) checks.Result {
	return checks.Result{Status: checks.NotApplicable, Reason: reason}
}
