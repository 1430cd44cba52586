package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var ctx = context.Background()

// post performs one comment effect and returns its state.
func post(t *testing.T, w *World, e *UpsertComment) State {
	t.Helper()
	r := perform(t, &Executor{World: w}, Intent{Effect: e})[0]
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r.State
}

func saying(body string) *UpsertComment {
	return &UpsertComment{Number: 1, Topic: "x", content: fixed{"x", body}}
}

// progressOf is the comment effect for one run.
func progressOf(r RunProgress) *UpsertComment {
	return newProgressComment(Progress{Number: 1, Head: shaA, Site: site, Runs: []RunProgress{r}})
}

// F49: the marker is found wherever it stands in the conversation.
func TestF49MarkerBeyondTheFirstPage(t *testing.T) {
	g := newFake(t)
	for i := range 250 {
		g.say(1, User{ID: 7, Login: "someone"}, fmt.Sprint("comment ", i))
	}
	g.say(1, User{ID: botID}, seal{}.write("x", "old", ""))
	g.say(1, User{ID: 7}, "later")
	if got := post(t, g.world(), saying("new")); got != StateDone {
		t.Error(got)
	}
	if bodies := g.bodies(1); len(bodies) != 1 || !strings.Contains(bodies[0], "new") {
		t.Errorf("%q", bodies)
	}
}

func TestCommentIsOursByAccountOnly(t *testing.T) {
	g := newFake(t)
	fake := seal{}.write("x", "not ours", "")
	g.say(1, User{ID: 7, Login: "github-actions[bot]", Bot: true}, fake)
	g.say(1, User{ID: 0, Login: "ghost"}, fake)
	post(t, g.world(), saying("ours"))
	if got := len(g.comments[1]); got != 3 {
		t.Errorf("%d comments", got)
	}
	w := g.world()
	w.Self = nil
	if r := perform(t, &Executor{World: w}, Intent{Effect: saying("y")})[0]; r.State != StateFailed {
		t.Errorf("without an account: %s", r.State)
	}
	// A former account's comment is still ours, another topic is not this one.
	w = g.world()
	w.Self = []int64{botID, 7}
	post(t, w, &UpsertComment{Number: 1, Topic: "y", content: fixed{"y", "other"}})
	if got := len(g.comments[1]); got != 4 {
		t.Errorf("%d comments", got)
	}
}

func TestCommentIsWrittenOnlyOnChange(t *testing.T) {
	g := newFake(t)
	got := []State{post(t, g.world(), saying("a")), post(t, g.world(), saying("a")), post(t, g.world(), saying("b"))}
	if diff := cmp.Diff([]State{StateDone, StateAlready, StateDone}, got); diff != "" {
		t.Error(diff)
	}
	if g.calls["CreateComment"] != 1 || g.calls["UpdateComment"] != 1 {
		t.Errorf("%v", g.calls)
	}
}

func TestCommentSurvivesPeople(t *testing.T) {
	g := newFake(t)
	post(t, g.world(), progressOf(finishedSweep(5, shaA, OutcomePassed, Tally{Passed: 3})))
	// Edited on the web: other line ends, a scribble in the text.
	c := &g.comments[1][0]
	c.Body = strings.ReplaceAll(strings.Replace(c.Body, "3 of 3", "9000 of 9000", 1), "\n", "\r\n")
	post(t, g.world(), progressOf(finishedSweep(6, shaA, OutcomeFailed, Tally{Failed: 1})))
	if body := g.bodies(1)[0]; strings.Contains(body, "9000") || !strings.Contains(body, "run 5") || !strings.Contains(body, "run 6") {
		t.Errorf("after an edit:\n%s", body)
	}
	// The hidden part destroyed: earlier runs are forgotten, the rest goes on.
	c = &g.comments[1][0]
	c.Body = strings.Replace(c.Body, `"v":1`, `"v":[[[`, 1)
	post(t, g.world(), progressOf(finishedSweep(7, shaA, OutcomePassed, Tally{Passed: 3})))
	if body := g.bodies(1)[0]; strings.Contains(body, "run 5") || !strings.Contains(body, "run 7") {
		t.Errorf("after a destroyed state:\n%s", body)
	}
	// Deleted: it comes again.
	g.remove(c.ID)
	post(t, g.world(), progressOf(finishedSweep(8, shaA, OutcomePassed, Tally{Passed: 3})))
	if len(g.bodies(1)) != 1 {
		t.Errorf("%d comments after a deletion", len(g.bodies(1)))
	}
}

// A comment that is deleted between the look and the write is created again.
func TestCommentDeletedMeanwhile(t *testing.T) {
	g := newFake(t)
	post(t, g.world(), saying("a"))
	g.after = func(method string, _ int) {
		if method == "Comments" {
			g.after = nil
			g.remove(g.comments[1][0].ID)
		}
	}
	post(t, g.world(), saying("b"))
	if bodies := g.bodies(1); len(bodies) != 1 || !strings.Contains(bodies[0], "b") {
		t.Errorf("%q", bodies)
	}
}

// Two writers at once: the comment ends up with what both of them know.
func TestConcurrentWritersConverge(t *testing.T) {
	g := newFake(t)
	w := g.world()
	post(t, w, progressOf(finishedSweep(5, shaA, OutcomePassed, Tally{Passed: 3})))
	g.after = func(method string, n int) {
		if method != "UpdateComment" || n != 1 {
			return
		}
		// The other has read before us and writes after us.
		c := &g.comments[1][0]
		other := progressContent{Progress{Number: 1, Head: shaA, Site: site, Runs: []RunProgress{
			finishedSweep(5, shaA, OutcomePassed, Tally{Passed: 3}), finishedSweep(6, shaB, OutcomeFailed, Tally{Failed: 1})}}}
		c.Body = other.body(w.seal(1), nil)
	}
	post(t, w, progressOf(finishedSweep(7, shaA, OutcomePassed, Tally{Passed: 4})))
	body := g.bodies(1)[0]
	for _, run := range []string{"run 5", "run 6", "run 7"} {
		if !strings.Contains(body, run) {
			t.Errorf("%s is lost:\n%s", run, body)
		}
	}
}

// Somebody who rewrites the comment again and again is not fought forever.
func TestContendedCommentIsGivenUp(t *testing.T) {
	g := newFake(t)
	post(t, g.world(), saying("a"))
	g.after = func(method string, n int) {
		if method == "UpdateComment" {
			g.comments[1][0].Body = seal{}.write("x", fmt.Sprint("other ", n), "")
		}
	}
	r := perform(t, &Executor{World: g.world()}, Intent{Effect: saying("b"), Courtesy: true})[0]
	if r.State != StateFailed || g.calls["UpdateComment"] != maxWrites {
		t.Errorf("%s after %d writes: %v", r.State, g.calls["UpdateComment"], r.Err)
	}
}

// S70: reads that lag behind writes neither double a comment nor loop.
func TestS70LaggingReads(t *testing.T) {
	g := newFake(t)
	g.lag = 2
	waits := 0
	w := g.world()
	w.Wait = func(context.Context, time.Duration) error { waits++; return nil }
	post(t, w, saying("a"))
	if len(g.bodies(1)) != 1 || waits == 0 {
		t.Errorf("%d comments after %d waits", len(g.bodies(1)), waits)
	}
	g.lag = 1000
	post(t, w, &UpsertComment{Number: 2, Topic: "x", content: fixed{"x", "a"}})
	if waits > 20 {
		t.Errorf("%d waits", waits)
	}
}

// S74: doubles of an earlier crash are removed, the oldest stays, and nothing
// that any of them knew is lost.
func TestS74DoublesAreRemoved(t *testing.T) {
	g := newFake(t)
	first := g.say(1, User{ID: botID}, progressOf(finishedSweep(5, shaA, OutcomePassed, Tally{Passed: 3})).content.body(g.world().seal(1), nil))
	g.say(1, User{ID: botID}, progressOf(finishedSweep(6, shaA, OutcomePassed, Tally{Passed: 3})).content.body(g.world().seal(1), nil))
	g.say(1, User{ID: 9}, "a person")
	g.say(1, User{ID: botID}, progressOf(finishedSweep(7, shaA, OutcomePassed, Tally{Passed: 3})).content.body(g.world().seal(1), nil))
	post(t, g.world(), progressOf(finishedSweep(6, shaA, OutcomePassed, Tally{Passed: 3})))
	if len(g.comments[1]) != 2 || g.comments[1][0].ID != first.ID {
		t.Fatalf("%d comments", len(g.comments[1]))
	}
	for _, run := range []string{"run 5", "run 6", "run 7"} {
		if !strings.Contains(g.bodies(1)[0], run) {
			t.Errorf("%s is lost:\n%s", run, g.bodies(1)[0])
		}
	}
	// Once-comments too.
	for range 3 {
		g.say(2, User{ID: botID}, seal{}.write("w", "welcome", ""))
	}
	post(t, g.world(), &UpsertComment{Number: 2, Topic: "w", Once: true, content: fixed{"w", "newer text"}})
	if bodies := g.bodies(2); len(bodies) != 1 || !strings.Contains(bodies[0], "welcome") {
		t.Errorf("%q", bodies)
	}
}

// The answer to a creation is lost, but the comment is there.
func TestLostAnswerDoublesNothing(t *testing.T) {
	g := newFake(t)
	lost := errors.New("connection reset")
	created := false
	g.fail = func(method string, _ int) error {
		if method == "CreateComment" && !created {
			created = true
			g.say(1, User{ID: botID}, seal{}.write("x", "a", ""))
			return lost
		}
		return nil
	}
	if got := post(t, g.world(), saying("a")); got != StateDone || len(g.bodies(1)) != 1 {
		t.Errorf("%s, %d comments", got, len(g.bodies(1)))
	}
}

func TestLegacyCommentIsTakenOver(t *testing.T) {
	legacy := func(id int) string {
		return fmt.Sprintf("<!-- inferencex-unofficial-run-visualizer -->\n\nView unofficial run (performance): https://x.example/inference?unofficialRun=%d", id)
	}
	g := newFake(t)
	g.say(1, User{ID: 7}, legacy(3))
	g.say(1, User{ID: botID}, "see unofficial run visualizer at https://x.example/inference?unofficialRun=2")
	newest := g.say(1, User{ID: botID}, legacy(3))
	post(t, g.world(), progressOf(finishedSweep(5, shaA, OutcomePassed, Tally{Passed: 3})))
	if got := g.comment(newest.ID).Body; !strings.HasPrefix(got, "<!-- sweepbot:progress") || len(g.comments[1]) != 3 {
		t.Errorf("%d comments, the newest of the former tool is\n%s", len(g.comments[1]), got)
	}
	// One of a newer run stays.
	g = newFake(t)
	g.say(1, User{ID: botID}, legacy(9))
	if got := post(t, g.world(), progressOf(finishedSweep(5, shaA, OutcomePassed, Tally{Passed: 3}))); got != StateAlready || len(g.comments[1]) != 1 {
		t.Errorf("%s, %d comments", got, len(g.comments[1]))
	}
}

// A re-run of an older run never replaces what is shown of a newer one.
func TestOlderRunStaysBelow(t *testing.T) {
	g := newFake(t)
	for _, id := range []int64{8, 5, 8, 6} {
		post(t, g.world(), progressOf(finishedSweep(id, shaA, OutcomePassed, Tally{Passed: 3})))
	}
	body := g.bodies(1)[0]
	first := strings.Index(body, "run 8")
	if first < 0 || !slices.IsSorted([]int{first, strings.Index(body, "run 6"), strings.Index(body, "run 5")}) {
		t.Errorf("not newest first:\n%s", body)
	}
}

func TestKeysTellContentsApart(t *testing.T) {
	one, same, other := saying("a").Key(), saying("a").Key(), saying("b").Key()
	if one == other || one != same {
		t.Error("keys do not follow the content")
	}
}
