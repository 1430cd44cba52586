package bot

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/catalog"
)

// The rows of a verdict stand in the summary of its job, in both languages.
func TestSignOffSummary(t *testing.T) {
	s := signing(t, "preset: inferencex\nchecks:\n  profile: 2026-08\n")
	s.bot.SignOffs.Summary = true
	said := s.say(12, signer, checklistText)
	s.comments[12][0].URL = site + "/pull/12#issuecomment-1"
	_, results := s.handle(s.commentEvent("created", said, signer))
	if kinds(results) != "verdict summary" || results.Err() != nil {
		t.Fatal(kinds(results), results.Err())
	}
	got := strings.Join(s.host.summaries, "\n---\n")
	golden(t, "signoff/summary.md", got)
	for _, want := range []string{"REJECTED: sign-off of @signer", "| ❌ | 4 | Reuse command | FAIL |", "<summary>中文</summary>", "| ❌ | 4 | 复用命令 | 未通过 |"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// Every check of every profile has its name in the catalogue, the English one
// being that of rows.
func TestChecksHaveNames(t *testing.T) {
	for _, era := range checks.Eras() {
		profile, ok := checks.NewProfile(era)
		if !ok {
			t.Fatal(era)
		}
		for _, slot := range profile.Slots {
			code := "bot.check-" + string(slot.Topic)
			if got := catalog.Message(catalog.English, code); got != slot.Name {
				t.Errorf("%s is %q, and rows say %q", code, got, slot.Name)
			}
		}
	}
	for _, status := range []checks.Status{checks.Pass, checks.Fail, checks.Warn, checks.NotApplicable} {
		if got := catalog.Message(catalog.English, "bot.status-"+statusWord(status)); got != status.String() {
			t.Errorf("%s is called %q", status, got)
		}
	}
	for _, overall := range slices.Sorted(maps.Keys(overallEmojis)) {
		if got := catalog.Message(catalog.English, "bot.overall-"+strings.ToLower(string(overall))); got != string(overall) {
			t.Errorf("%s is called %q", overall, got)
		}
	}
}
