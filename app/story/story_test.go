package story

import (
	"strings"
	"sync"
	"testing"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// play tells a story and returns what does not hold, and its steps.
func play(t *testing.T, scenario string, environment ...string) (failed diag.List, steps []string) {
	t.Helper()
	var mu sync.Mutex
	s, err := Open(t.Context(), Options{
		Scenario:    scenario,
		Environment: append([]string{"PATH=/usr/local/bin:/usr/bin:/bin", "SAMPLE_SLEEP=0"}, environment...),
		Tell: func(f diag.Finding) {
			mu.Lock()
			defer mu.Unlock()
			steps = append(steps, f.Message(catalog.English))
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	failed, err = s.Play(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return failed, steps
}

// TestStories tells every story and holds it against its expectations.
func TestStories(t *testing.T) {
	for _, name := range Names() {
		if name == "A" {
			continue // TestSupersededVerdicts tells it
		}
		t.Run(name, func(t *testing.T) {
			failed, steps := play(t, name)
			for _, f := range failed {
				t.Error(f.Message(catalog.English))
			}
			if t.Failed() || testing.Verbose() {
				t.Log(strings.Join(steps, "\n"))
			}
		})
	}
}
