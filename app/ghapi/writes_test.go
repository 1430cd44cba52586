package ghapi

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
)

// write is one of the calls that change something.
type write struct {
	name string
	do   func(context.Context, bot.GitHub) error
	// repeats says that it may be sent again when the answer was lost.
	repeats bool
	good    string // a successful answer
}

var writes = []write{
	{"create comment", func(ctx context.Context, g bot.GitHub) error { _, err := g.CreateComment(ctx, 5, "hi"); return err }, false, `{"id":1}`},
	{"update comment", func(ctx context.Context, g bot.GitHub) error { return g.UpdateComment(ctx, 1, "hi") }, true, `{"id":1}`},
	{"delete comment", func(ctx context.Context, g bot.GitHub) error { return g.DeleteComment(ctx, 1) }, true, `{}`},
	{"react", func(ctx context.Context, g bot.GitHub) error { return g.React(ctx, 1, "eyes") }, true, `{"id":1}`},
	{"create check run", func(ctx context.Context, g bot.GitHub) error {
		_, err := g.CreateCheckRun(ctx, bot.CheckRun{Name: "sweep", HeadSHA: shaA})
		return err
	}, false, `{"id":1}`},
	{"update check run", func(ctx context.Context, g bot.GitHub) error { return g.UpdateCheckRun(ctx, bot.CheckRun{ID: 1}) }, true, `{"id":1}`},
	{"update check run with annotations", func(ctx context.Context, g bot.GitHub) error {
		return g.UpdateCheckRun(ctx, bot.CheckRun{ID: 1, Annotations: []bot.CheckAnnotation{{Path: "a"}}})
	}, false, `{"id":1}`},
	{"set status", func(ctx context.Context, g bot.GitHub) error {
		return g.SetStatus(ctx, shaA, bot.Status{State: "success"})
	}, true, `{"id":1}`},
	{"dispatch", func(ctx context.Context, g bot.GitHub) error {
		_, err := g.Dispatch(ctx, "w.yml", "main", nil)
		return err
	}, false, `{}`},
	{"cancel", func(ctx context.Context, g bot.GitHub) error { return g.CancelRun(ctx, 1) }, true, `{}`},
	{"rerun failed", func(ctx context.Context, g bot.GitHub) error { return g.RerunFailed(ctx, 1) }, false, `{}`},
}

// TestLostAnswers: a write whose answer is lost is repeated only where that
// cannot do it twice; else the caller learns that the outcome is unknown.
func TestLostAnswers(t *testing.T) {
	for _, w := range writes {
		for kind, lost := range map[string]reply{"502": html(502), "reset": cutOff("{"), "200 page": html(200)} {
			t.Run(w.name+"/"+kind, func(t *testing.T) {
				replies := []reply{lost}
				if w.repeats {
					replies = append(replies, doc(w.good))
				}
				repo, _ := newRepo(t, script(t, replies...))
				err := w.do(t.Context(), repo)
				if w.repeats && err != nil {
					t.Error(err)
				}
				if !w.repeats && (!errors.Is(err, ErrOutcomeUnknown) || codeOf(err) != "ghapi.outcome-unknown") {
					t.Errorf("error %v", err)
				}
			})
		}
	}
}

// TestRefusedWrites: what GitHub certainly did not do is done again, whatever
// it is: a limit, or a connection that never came about.
func TestRefusedWrites(t *testing.T) {
	for _, w := range writes {
		t.Run(w.name, func(t *testing.T) {
			repo, _ := newRepo(t, script(t, status(403, `{}`, "Retry-After", "5"), doc(w.good)))
			if err := w.do(t.Context(), repo); err != nil {
				t.Error("after a limit:", err)
			}
			calls := 0
			repo, _ = newRepo(t, http.NotFoundHandler(), overWire(func(r *http.Request) (*http.Response, error) {
				if calls++; calls < 3 {
					return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
				}
				return document(200, w.good), nil
			}))
			if err := w.do(t.Context(), repo); err != nil || calls != 3 {
				t.Errorf("without a connection: %v after %d calls", err, calls)
			}
		})
	}
}

// TestInterruptedWrite: a write whose context ends may have been done.
func TestInterruptedWrite(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	repo, _ := newRepo(t, script(t, func(w http.ResponseWriter, r *http.Request) {
		body(t, r) // the server notices the end of a connection only then
		cancel()
		<-r.Context().Done()
	}))
	_, err := repo.CreateComment(ctx, 1, "x")
	if !errors.Is(err, context.Canceled) || !errors.Is(err, ErrOutcomeUnknown) {
		t.Error(err)
	}
}

// TestWritesSendTheirBodyAgain: the second try carries what the first did.
func TestWritesSendTheirBodyAgain(t *testing.T) {
	var bodies []string
	keep := func(next reply) reply {
		return func(w http.ResponseWriter, r *http.Request) {
			bodies = append(bodies, body(t, r))
			next(w, r)
		}
	}
	repo, _ := newRepo(t, script(t, keep(html(502)), keep(doc(`{"id":1}`))))
	if err := repo.UpdateComment(t.Context(), 1, "<b>&</b>"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`{"body":"<b>&</b>"}`, `{"body":"<b>&</b>"}`}, bodies); diff != "" {
		t.Error(diff)
	}
}

// TestDispatch: the run that GitHub names, by either form of its answer.
func TestDispatch(t *testing.T) {
	tests := []struct {
		name  string
		reply reply
		want  int64
	}{
		{"named", doc(`{"workflow_run_id":40578080205,"run_url":"u","html_url":"h"}`), 40578080205},
		{"not named", status(204, ``), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			repo, _ := newRepo(t, routes{"POST /repos/acme/bench/actions/workflows/sweep.yml/dispatches": func(w http.ResponseWriter, r *http.Request) {
				want := `{"ref":"main","inputs":{"a":"1"},"return_run_details":true}`
				if got := body(t, r); got != want {
					t.Errorf("body %s, want %s", got, want)
				}
				tt.reply(w, r)
			}}.serve(t))
			id, err := repo.Dispatch(t.Context(), ".github/workflows/sweep.yml", "main", map[string]string{"a": "1"})
			if err != nil || id != tt.want {
				t.Errorf("run %d, %v", id, err)
			}
		})
	}
}

// TestRunControl: GitHub's answers to cancelling and re-running.
func TestRunControl(t *testing.T) {
	repo, _ := newRepo(t, routes{
		"POST /repos/acme/bench/actions/runs/1/cancel":            status(202, `{}`),
		"POST /repos/acme/bench/actions/runs/2/cancel":            status(409, `{"message":"Cannot cancel a workflow run that is completed."}`),
		"POST /repos/acme/bench/actions/runs/1/rerun-failed-jobs": status(201, `{}`),
		"POST /repos/acme/bench/actions/runs/2/rerun-failed-jobs": status(403, `{"message":"This workflow is already running"}`),
		"POST /repos/acme/bench/actions/runs/3/rerun-failed-jobs": status(403, `{"message":"Must have admin rights"}`),
		"DELETE /repos/acme/bench/issues/comments/9":              status(404, `{"message":"Not Found"}`),
	}.serve(t))
	ctx := t.Context()
	tests := []struct {
		name string
		err  error
		is   error
	}{
		{"cancel", repo.CancelRun(ctx, 1), nil},
		{"cancel what has ended", repo.CancelRun(ctx, 2), bot.ErrConflict},
		{"rerun", repo.RerunFailed(ctx, 1), nil},
		{"rerun what runs", repo.RerunFailed(ctx, 2), bot.ErrConflict},
		{"rerun without permission", repo.RerunFailed(ctx, 3), bot.ErrForbidden},
		{"delete what is gone", repo.DeleteComment(ctx, 9), nil},
	}
	for _, tt := range tests {
		if !errors.Is(tt.err, tt.is) {
			t.Errorf("%s: %v, want %v", tt.name, tt.err, tt.is)
		}
	}
}

// TestCheckRunBatches: 50 annotations a request, worst first, 200 in all, and
// texts within GitHub's limits.
func TestCheckRunBatches(t *testing.T) {
	type sent struct {
		Method string
		Levels map[string]int
		First  string
	}
	var requests []sent
	serve := func(w http.ResponseWriter, r *http.Request) {
		var b struct {
			Output struct {
				Summary, Text string
				Annotations   []struct {
					Level   string `json:"annotation_level"`
					Message string
				}
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&b); err != nil {
			t.Error(err)
		}
		if len(b.Output.Summary) > 65535 || !strings.HasSuffix(b.Output.Summary, "(shortened: GitHub shows no more than this)") {
			t.Errorf("summary of %d bytes", len(b.Output.Summary))
		}
		s := sent{Method: r.Method, Levels: map[string]int{}, First: b.Output.Annotations[0].Message}
		for _, a := range b.Output.Annotations {
			s.Levels[a.Level]++
		}
		requests = append(requests, s)
		doc(`{"id":77}`)(w, r)
	}
	repo, _ := newRepo(t, reply(serve))
	run := bot.CheckRun{Name: "sweep", HeadSHA: shaA, Title: "t", Summary: strings.Repeat("line\n", 20000)}
	for i := range 260 {
		level := []string{"notice", "notice", "warning", "failure"}[i%4]
		run.Annotations = append(run.Annotations, bot.CheckAnnotation{Path: "f", StartLine: i + 1, EndLine: i + 1, Level: level, Message: level})
	}
	created, err := repo.CreateCheckRun(t.Context(), run)
	if err != nil || created.ID != 77 {
		t.Fatal(created, err)
	}
	want := []sent{
		{"POST", map[string]int{"failure": 50}, "failure"},
		{"PATCH", map[string]int{"failure": 15, "warning": 35}, "failure"},
		{"PATCH", map[string]int{"warning": 30, "notice": 20}, "warning"},
		{"PATCH", map[string]int{"notice": 50}, "notice"},
	}
	if diff := cmp.Diff(want, requests); diff != "" {
		t.Error(diff)
	}
}

// TestStatusDescription is cut to the 140 characters that GitHub takes.
func TestStatusDescription(t *testing.T) {
	repo, _ := newRepo(t, reply(func(w http.ResponseWriter, r *http.Request) {
		var s struct{ Description, State, Context string }
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
			t.Error(err)
		}
		if runes := []rune(s.Description); len(runes) != 140 || runes[139] != '…' || s.Context != "sweepbot" || s.State != "pending" {
			t.Errorf("%d characters: %+v", len(runes), s)
		}
		doc(`{"id":1}`)(w, r)
	}))
	err := repo.SetStatus(t.Context(), shaA, bot.Status{Context: "sweepbot", State: "pending", Description: strings.Repeat("点", 200)})
	if err != nil {
		t.Error(err)
	}
}

// TestCut: texts are cut by GitHub's count and end in a note.
func TestCut(t *testing.T) {
	if got := cut("short", 100); got != "short" {
		t.Errorf("cut(short) = %q", got)
	}
	got := cut(strings.Repeat("😀", 60), 100) // 120 units
	if n := len([]rune(got)); n > 100 || !strings.HasPrefix(got, "😀") || !strings.HasSuffix(got, "this)") {
		t.Errorf("%d runes: %q", n, got)
	}
}
