package checks

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestProfiles(t *testing.T) {
	counts := map[string]int{"2026-07": 11, "2026-08": 13, "2026-09": 15, "2026-10": 16, "2026-11": 19}
	for _, era := range Eras() {
		p, ok := NewProfile(era)
		if !ok || len(p.Slots) != counts[era] {
			t.Errorf("profile %s has %d checks, want %d", era, len(p.Slots), counts[era])
		}
		for i, slot := range p.Slots {
			if slot.Name == "" {
				t.Errorf("%s: check %d has no name", era, i)
			}
			if n, ok := p.Number(slot.Topic); !ok || n != i {
				t.Errorf("%s: Number(%s) = %d, %v, want %d", era, slot.Topic, n, ok, i)
			}
		}
	}
	july, _ := NewProfile("2026-07")
	for topic, want := range map[Topic]int{TopicArchitecture: 7, TopicChatTemplate: 8, TopicEnginePatches: 9, TopicGoldenAL: 10} {
		if n, _ := july.Number(topic); n != want {
			t.Errorf("July numbers %s %d, want %d", topic, n, want)
		}
	}
	if _, ok := NewProfile("2026-12"); ok {
		t.Error("a profile that does not exist was found")
	}
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		points []Status
		want   Status
	}{
		{nil, NotApplicable},
		{[]Status{NotApplicable, Pass}, Pass},
		{[]Status{Pass, Warn, NotApplicable}, Warn},
		{[]Status{Warn, Fail, Unavailable}, Fail},
		{[]Status{Pass, Unavailable}, Unavailable},
	} {
		if got := Fold(c.points...); got != c.want {
			t.Errorf("Fold(%v) = %v, want %v", c.points, got, c.want)
		}
	}
}

func TestStatusText(t *testing.T) {
	data, err := json.Marshal([]Status{Pass, Fail, NotApplicable, Warn, Unavailable})
	if err != nil || string(data) != `["PASS","FAIL","N/A","WARN","UNAVAILABLE"]` {
		t.Fatalf("%s, %v", data, err)
	}
	var back []Status
	if err := json.Unmarshal(data, &back); err != nil || len(back) != 5 || back[4] != Unavailable {
		t.Errorf("%v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`["pass"]`), &back); err == nil || !strings.Contains(err.Error(), "no status") {
		t.Errorf("a lower-case status was read: %v", err)
	}
}

func TestMemoAsksOnce(t *testing.T) {
	var asked atomic.Int32
	var m memo[string, int]
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			v, err := m.get(t.Context(), "a", func(context.Context) (int, error) { asked.Add(1); return 7, ErrUnreadable })
			if v != 7 || !errors.Is(err, ErrUnreadable) {
				t.Errorf("got %d, %v", v, err)
			}
		})
	}
	group.Wait()
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestMemoForgetsACancelledAnswer(t *testing.T) {
	var m memo[string, int]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.get(ctx, "a", func(ctx context.Context) (int, error) { return 0, ctx.Err() }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	v, err := m.get(t.Context(), "a", func(context.Context) (int, error) { return 5, nil })
	if v != 5 || err != nil {
		t.Errorf("got %d, %v", v, err)
	}
}

func TestRegistryNeverPassesWhatItCannotDecide(t *testing.T) {
	profile, _ := NewProfile("2026-08")
	r, err := NewRegistry(Check{Topic: TopicEvals, Decide: func(context.Context, *Evidence) (Result, error) {
		return Result{Status: Pass, Reason: "fine"}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	results, err := r.Decide(t.Context(), NewEvidence(Case{Profile: profile}, nil, nil))
	if err != nil || len(results) != 13 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for i, got := range results {
		want := Unavailable
		if i == 2 {
			want = Pass
		}
		if got.Status != want || got.Number != i || got.Name == "" {
			t.Errorf("check %d: %+v", i, got)
		}
	}
	if _, err := NewRegistry(Check{Topic: TopicEvals}, Check{Topic: TopicEvals}); err == nil {
		t.Error("two checks of one topic were accepted")
	}
}
