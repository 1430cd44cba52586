package bot

import (
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/labels"
)

// A delivery that comes again, late or before the history shows its label asks
// for what the first one asked for; a label that is put on again does not.
func TestWishIsOfTheWorldNotOfTheDelivery(t *testing.T) {
	s := newStage(t, AsApp)
	at := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	history := []LabelEvent{
		{ID: 1, Label: failFast, Added: true, CreatedAt: at},
		{ID: 2, Label: "docs", Added: true, CreatedAt: at.Add(time.Minute)},
	}
	settings, err := s.bot.Planner.Settings(t.Context(), shaC)
	if err != nil {
		t.Fatal(err)
	}
	wish := func(seen []LabelEvent, action, label string, when time.Time) string {
		t.Helper()
		s.labelEvents[12] = seen
		d := &Delivery{Name: labels.PullRequest, Action: action, Label: label, PR: &PullRequest{Number: 12, UpdatedAt: when}}
		got, err := s.bot.wish(t.Context(), &sweepFacts{pr: d.PR, settings: settings}, d)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := wish(history, labels.Labeled, failFast, at)
	for name, got := range map[string]string{
		"a push":                       wish(history, "synchronize", "", at.Add(time.Hour)),
		"another label":                wish(history, labels.Labeled, "docs", at.Add(time.Minute)),
		"a history that lags":          wish(nil, labels.Labeled, failFast, at),
		"a time that differs a little": wish(history, labels.Labeled, failFast, at.Add(2*time.Second)),
	} {
		if got != first || got == "" {
			t.Errorf("%s: wish %q, the first was %q", name, got, first)
		}
	}
	again := append(history, LabelEvent{ID: 3, Label: failFast, CreatedAt: at.Add(2 * time.Minute)},
		LabelEvent{ID: 4, Label: failFast, Added: true, CreatedAt: at.Add(3 * time.Minute)})
	second := wish(again, labels.Labeled, failFast, at.Add(3*time.Minute))
	if second == first {
		t.Error("a label that was put on again is no new wish")
	}
	for name, got := range map[string]string{
		"the first delivery again": wish(again, labels.Labeled, failFast, at),
		"the removal, late":        wish(again, labels.Unlabeled, failFast, at.Add(2*time.Minute)),
		"a history that lags":      wish(history, labels.Labeled, failFast, at.Add(3*time.Minute)),
	} {
		if got != second {
			t.Errorf("%s: wish %q, now it is %q", name, got, second)
		}
	}
}
