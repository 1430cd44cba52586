package ghapi

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
)

// TestS29Permission: the endpoint for collaborators decides, whatever an event
// says of an author; what it does not know is an error, which denies.
func TestS29Permission(t *testing.T) {
	level := func(permission, role, login string) reply {
		return doc(fmt.Sprintf(`{"permission":%q,"role_name":%q,"user":{"login":%q,"id":1}}`, permission, role, login))
	}
	tests := []struct {
		name, login string
		reply       reply
		want, code  string
	}{
		{"admin", "ann", level("admin", "admin", "ann"), "admin", ""},
		{"maintainer", "ann", level("write", "maintain", "ann"), "maintain", ""},
		{"triage", "ann", level("read", "triage", "ann"), "triage", ""},
		{"private member who arrives as CONTRIBUTOR", "Ann", level("write", "write", "ann"), "write", ""},
		{"custom role", "ann", level("write", "release-manager", "ann"), "write", ""},
		{"outsider of a public repository", "ann", level("read", "read", "ann"), "read", ""},
		{"no access", "ann", level("none", "", "ann"), "none", ""},
		{"suspended, with a role left over", "ann", level("none", "admin", "ann"), "none", ""},
		{"bot", "sweepbot[bot]", level("write", "write", "sweepbot[bot]"), "write", ""},
		{"deleted account", "gone", status(404, `{"message":"Not Found"}`), "none", "ghapi.not-found"},
		{"answer about another", "ann", level("admin", "admin", "bob"), "none", "ghapi.bad-answer"},
		{"answer about nobody", "ann", doc(`{"permission":"admin","role_name":"admin","user":null}`), "none", "ghapi.bad-answer"},
		{"unknown word", "ann", level("owner", "owner", "ann"), "none", "ghapi.bad-answer"},
		{"null user", "", nil, "none", "ghapi.bad-login"},
		{"path", "../../x", nil, "none", "ghapi.bad-login"},
		{"look-alike", "аnn", nil, "none", "ghapi.bad-login"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := routes{}
			if tt.reply != nil {
				m["GET /repos/acme/bench/collaborators/"+tt.login+"/permission"] = tt.reply
			}
			repo, _ := newRepo(t, m.serve(t))
			got, err := repo.Permission(t.Context(), tt.login)
			if got != tt.want || codeOf(err) != tt.code {
				t.Errorf("%q, %v, want %q and code %q", got, err, tt.want, tt.code)
			}
		})
	}
}

// TestS70ReadsLagWrites: what this client wrote a moment ago is waited for by
// its id, a bounded number of times.
func TestS70ReadsLagWrites(t *testing.T) {
	const list, one = "GET /repos/acme/bench/issues/5/comments", "POST /repos/acme/bench/issues/5/comments"
	t.Run("comment", func(t *testing.T) {
		repo, clock := newRepo(t, routes{one: doc(`{"id":9}`), list: script(t, doc(`[]`), doc(`[]`), doc(comments(9)))}.serve(t))
		if _, err := repo.CreateComment(t.Context(), 5, "x"); err != nil {
			t.Fatal(err)
		}
		all, err := repo.Comments(t.Context(), 5)
		if diff := cmp.Diff([]int{1, 2}, clock.sleeps()); err != nil || len(all) != 1 || diff != "" {
			t.Error(all, err, diff)
		}
	})
	t.Run("comment that somebody deleted", func(t *testing.T) {
		repo, clock := newRepo(t, routes{one: doc(`{"id":9}`), list: script(t, doc(`[]`), doc(`[]`), doc(`[]`), doc(`[]`), doc(`[]`))}.serve(t))
		if _, err := repo.CreateComment(t.Context(), 5, "x"); err != nil {
			t.Fatal(err)
		}
		all, err := repo.Comments(t.Context(), 5)
		if diff := cmp.Diff([]int{1, 2, 4, 8}, clock.sleeps()); err != nil || len(all) != 0 || diff != "" {
			t.Error(all, err, diff)
		}
	})
	t.Run("comment that we deleted, and one of long ago", func(t *testing.T) {
		created := 8
		repo, clock := newRepo(t, routes{
			one: func(w http.ResponseWriter, r *http.Request) {
				created++
				doc(fmt.Sprintf(`{"id":%d}`, created))(w, r)
			},
			"DELETE /repos/acme/bench/issues/comments/9": status(204, ``),
			list: script(t, doc(`[]`), doc(`[]`)),
		}.serve(t))
		ctx := t.Context()
		for _, step := range []func() error{
			func() error { _, err := repo.CreateComment(ctx, 5, "x"); return err },
			func() error { return repo.DeleteComment(ctx, 9) },
			func() error { _, err := repo.Comments(ctx, 5); return err },
			func() error { _, err := repo.CreateComment(ctx, 5, "x"); return err },
			func() error { return clock.Sleep(ctx, 3*time.Minute) },
			func() error { _, err := repo.Comments(ctx, 5); return err },
		} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Run("run", func(t *testing.T) {
		missing := status(404, `{"message":"Not Found"}`)
		repo, clock := newRepo(t, routes{
			"POST /repos/acme/bench/actions/workflows/w.yml/dispatches": doc(`{"workflow_run_id":3}`),
			"GET /repos/acme/bench/actions/runs/3":                      script(t, missing, missing, doc(`{"id":3}`)),
			"GET /repos/acme/bench/actions/runs/4":                      script(t, missing),
		}.serve(t))
		if _, err := repo.Dispatch(t.Context(), "w.yml", "main", nil); err != nil {
			t.Fatal(err)
		}
		run, err := repo.WorkflowRun(t.Context(), 3)
		if diff := cmp.Diff([]int{1, 2}, clock.sleeps()); err != nil || run.ID != 3 || diff != "" {
			t.Error(run, err, diff)
		}
		if _, err := repo.WorkflowRun(t.Context(), 4); !errors.Is(err, bot.ErrNotFound) {
			t.Error("a run of nobody:", err)
		}
	})
	t.Run("check run and status", func(t *testing.T) {
		repo, clock := newRepo(t, routes{
			"POST /repos/acme/bench/check-runs":                      doc(`{"id":6}`),
			"POST /repos/acme/bench/statuses/" + shaA:                doc(`{"id":7}`),
			"GET /repos/acme/bench/commits/" + shaA + "/check-runs":  script(t, doc(`{"total_count":0,"check_runs":[]}`), doc(`{"total_count":1,"check_runs":[{"id":6,"app":{"id":3}}]}`)),
			"GET /repos/acme/bench/commits/" + shaA + "/statuses":    script(t, doc(`[]`), doc(`[{"id":7,"state":"success","context":"c","creator":{"id":5,"login":"b","type":"Bot"}}]`)),
			"GET /repos/acme/bench/commits/" + shaB + "/check-runs":  doc(`{"total_count":0,"check_runs":[]}`),
			"GET /repos/acme/bench/commits/" + shaB + "/statuses":    doc(`[]`),
			"GET /repos/acme/bench/issues/comments/6":                doc(`{"id":6}`),
			"GET /repos/acme/bench/git/commits/" + shaA:              doc(`{"message":"fix: it\n\nbody"}`),
			"GET /repos/acme/bench/pulls/5/commits":                  doc(`[{"sha":"` + shaB + `"},{"sha":"` + shaA + `"}]`),
			"GET /repos/acme/bench/actions/runs/3/attempts/2/jobs":   doc(`{"total_count":1,"jobs":[{"id":1,"run_id":3,"run_attempt":2,"name":"j","status":"completed","conclusion":null,"labels":["h200"],"runner_name":"r"}]}`),
			"GET /repos/acme/bench/actions/runs/3/artifacts":         doc(`{"total_count":0,"artifacts":[]}`),
			"GET /repos/acme/bench/actions/workflows/sweep.yml/runs": doc(`{"total_count":0,"workflow_runs":[]}`),
		}.serve(t))
		ctx := t.Context()
		if _, err := repo.CreateCheckRun(ctx, bot.CheckRun{Name: "n", HeadSHA: shaA}); err != nil {
			t.Fatal(err)
		}
		if err := repo.SetStatus(ctx, shaA, bot.Status{State: "success"}); err != nil {
			t.Fatal(err)
		}
		runs, err := repo.CheckRuns(ctx, shaA, "n")
		if err != nil || len(runs) != 1 || runs[0].AppID != 3 {
			t.Error(runs, err)
		}
		statuses, err := repo.Statuses(ctx, shaA)
		want := []bot.Status{{Context: "c", State: "success", Creator: bot.User{ID: 5, Login: "b", Bot: true}}}
		if diff := cmp.Diff(want, statuses); diff != "" || err != nil {
			t.Error(diff, err)
		}
		if _, err := repo.CheckRuns(ctx, shaB, "n"); err != nil {
			t.Error(err)
		}
		if _, err := repo.Statuses(ctx, shaB); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]int{1, 1, 1}, clock.sleeps()); diff != "" { // the first is between the writes
			t.Error(diff)
		}
		message, err := repo.CommitMessage(ctx, shaA)
		if err != nil || message != "fix: it\n\nbody" {
			t.Error(message, err)
		}
		commits, err := repo.PullRequestCommits(ctx, 5)
		if diff := cmp.Diff([]string{shaB, shaA}, commits); diff != "" || err != nil {
			t.Error(diff, err)
		}
		jobs, err := repo.Jobs(ctx, 3, 2)
		if diff := cmp.Diff([]bot.Job{{ID: 1, RunID: 3, Attempt: 2, Name: "j", Status: "completed", RunnerName: "r", Labels: []string{"h200"}}}, jobs); diff != "" || err != nil {
			t.Error(diff, err)
		}
	})
}

// TestReadFile: small and large files, and what is no file.
func TestReadFile(t *testing.T) {
	const root = "GET /repos/acme/bench/contents/"
	small := base64.StdEncoding.EncodeToString([]byte("a: 1\n"))
	repo, _ := newRepo(t, routes{
		root + "configs/a b%.yaml": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RawQuery != "ref="+shaA || r.URL.EscapedPath() != "/repos/acme/bench/contents/configs/a%20b%25.yaml" || r.Header.Get("Accept") != acceptObject {
				t.Errorf("request %s, Accept %s", r.URL, r.Header.Get("Accept"))
			}
			doc(`{"type":"file","encoding":"base64","size":5,"content":"`+small[:4]+`\n`+small[4:]+`\n","sha":"`+shaB+`"}`)(w, r)
		},
		root + "empty":  doc(`{"type":"file","encoding":"base64","size":0,"content":""}`),
		root + "folder": doc(`{"type":"dir","entries":[]}`),
		root + "module": doc(`{"type":"submodule","size":0}`),
		root + "none":   status(404, `{"message":"Not Found"}`),
		root + "secret": status(403, `{"message":"no"}`),
		root + "large":  doc(`{"type":"file","encoding":"none","size":9,"content":"","sha":"` + shaB + `"}`),
		root + "short":  doc(`{"type":"file","encoding":"base64","size":9,"content":"` + small + `"}`),
		root + "broken": doc(`{"type":"file","encoding":"base64","size":9,"content":"!!"}`),
		root + "page":   doc(`{"type":"file","encoding":"none","size":9,"sha":"../../x"}`),
		"GET /repos/acme/bench/git/blobs/" + shaB: script(t, html(200), status(200, "nine byte", "Content-Type", "application/vnd.github.raw")),
	}.serve(t))
	tests := []struct {
		path, want string
		code       string
		absent     bool
	}{
		{"configs/a b%.yaml", "a: 1\n", "", false},
		{"empty", "", "", false},
		{"large", "nine byte", "", false},
		{"folder", "", "ghapi.no-file", true},
		{"module", "", "ghapi.no-file", true},
		{"none", "", "ghapi.no-file", true},
		{"../x", "", "ghapi.no-file", true},
		{"", "", "ghapi.no-file", true},
		{".", "", "ghapi.no-file", true},
		{"secret", "", "ghapi.forbidden", false},
		{"short", "", "ghapi.bad-answer", false},
		{"broken", "", "ghapi.bad-answer", false},
		{"page", "", "ghapi.bad-sha", false},
	}
	for _, tt := range tests {
		got, err := repo.ReadFile(t.Context(), shaA, tt.path)
		if string(got) != tt.want || codeOf(err) != tt.code || errors.Is(err, fs.ErrNotExist) != tt.absent {
			t.Errorf("%q: %q, %v", tt.path, got, err)
		}
	}
}

// TestChangedFiles: what head changes since it left base, by the comparison
// where it is whole, else by the trees.
func TestChangedFiles(t *testing.T) {
	const compare = "GET /repos/acme/bench/compare/" + shaA + "..." + shaB
	tree := func(truncated bool, entries ...string) reply {
		var b []string
		for _, e := range entries {
			path, sha, _ := strings.Cut(e, "=")
			b = append(b, fmt.Sprintf(`{"path":%q,"mode":"100644","type":"blob","sha":%q}`, path, sha))
		}
		return doc(fmt.Sprintf(`{"truncated":%v,"tree":[{"path":"d","type":"tree","sha":"x"},%s]}`, truncated, strings.Join(b, ",")))
	}
	trees := func(t *testing.T, comparison string, truncated bool) bot.GitHub {
		repo, _ := newRepo(t, routes{
			compare: doc(comparison),
			"GET /repos/acme/bench/git/trees/" + shaA: tree(false, "kept=1", "edited=1", "removed=1"),
			"GET /repos/acme/bench/git/trees/" + shaB: tree(truncated, "kept=1", "edited=2", "added=1"),
		}.serve(t))
		return repo
	}
	at := func(base string, files ...string) string {
		return `{"merge_base_commit":{"sha":"` + base + `"},"files":[` + strings.Join(files, ",") + `]}`
	}
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprintf(`{"filename":"f%d"}`, i)
	}
	tests := []struct {
		name, comparison string
		truncated        bool
		want             []string
		whole            bool
	}{
		{"comparison", at(shaA, `{"filename":"b"}`, `{"filename":"a","status":"renamed","previous_filename":"c"}`), false, []string{"a", "b", "c"}, true},
		{"copy", at(shaA, `{"filename":"a","status":"copied","previous_filename":"c"}`), false, []string{"a"}, true},
		{"nothing", at(shaA), false, nil, true},
		{"base has moved on", at(shaB[:39]+"c", `{"filename":"a"}`), false, []string{"a"}, true},
		{"comparison cut", at(shaA, many...), false, []string{"added", "edited", "removed"}, true},
		{"tree cut", at(shaA, many...), true, []string{"added", "edited", "removed"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files, whole, err := trees(t, tt.comparison, tt.truncated).ChangedFiles(t.Context(), shaA, shaB)
			if diff := cmp.Diff(tt.want, files); diff != "" || whole != tt.whole || err != nil {
				t.Error(diff, whole, err)
			}
		})
	}
}

// TestPullRequests: one, and those of a branch.
func TestPullRequests(t *testing.T) {
	pull := func(number int, repo, branch, sha string) string {
		head := `null`
		if repo != "" {
			head = `{"full_name":"` + repo + `"}`
		}
		return fmt.Sprintf(`{"id":%d,"number":%d,"state":"open","head":{"ref":%q,"sha":%q,"repo":%s},"base":{"ref":"main","sha":%q},
			"labels":[{"name":"full-sweep"}],"user":{"id":3,"login":"ann"},"mergeable":false,"merge_commit_sha":%q}`, number, number, branch, sha, head, shaB, shaB)
	}
	var heads []string
	repo, _ := newRepo(t, routes{
		"GET /repos/acme/bench/pulls/5": doc(pull(5, "ann/bench", "x", shaA)),
		"GET /repos/acme/bench/pulls": func(w http.ResponseWriter, r *http.Request) {
			heads = append(heads, r.URL.Query().Get("head"))
			doc("["+pull(5, "ann/bench", "x", shaA)+","+pull(6, "ann/bench-2", "x", shaA)+","+pull(7, "ann/bench", "x", shaB)+","+pull(8, "", "x", shaA)+"]")(w, r)
		},
	}.serve(t))
	pr, err := repo.PullRequest(t.Context(), 5)
	no := false
	want := bot.PullRequest{Number: 5, State: "open", HeadRepo: "ann/bench", HeadBranch: "x", HeadSHA: shaA, BaseBranch: "main", BaseSHA: shaB,
		Labels: []string{"full-sweep"}, Author: bot.User{ID: 3, Login: "ann"}, Mergeable: &no, MergeSHA: shaB}
	if diff := cmp.Diff(want, pr); diff != "" || err != nil {
		t.Error(diff, err)
	}
	tests := []struct {
		repo, branch, sha string
		want              []int
	}{
		{"Ann/bench", "x", shaA, []int{5}},
		{"ann/bench", "x", "", []int{5, 7}},
		{"ann/bench", "", shaB, []int{7}},
		{"", "x", shaA, []int{8}},
		{"bob/bench", "x", shaA, nil},
	}
	for _, tt := range tests {
		found, err := repo.PullRequestsFor(t.Context(), tt.repo, tt.branch, tt.sha)
		var numbers []int
		for _, p := range found {
			numbers = append(numbers, p.Number)
		}
		if diff := cmp.Diff(tt.want, numbers); diff != "" || err != nil {
			t.Error(tt, diff, err)
		}
	}
	if diff := cmp.Diff([]string{"Ann:x", "ann:x", "", "", "bob:x"}, heads); diff != "" {
		t.Error(diff)
	}
}

// TestLabelEvents: labels only, oldest first; a deleted actor is nobody.
func TestLabelEvents(t *testing.T) {
	repo, _ := newRepo(t, routes{"GET /repos/acme/bench/issues/5/events": doc(`[
		{"id":3,"event":"unlabeled","label":{"name":"full-sweep"},"actor":null,"created_at":"2026-11-02T00:00:00Z"},
		{"id":2,"event":"closed","actor":{"id":1,"login":"ann"},"created_at":"2026-11-01T12:00:00Z"},
		{"id":1,"event":"labeled","label":{"name":"full-sweep"},"actor":{"id":1,"login":"ann","type":"User"},"created_at":"2026-11-01T00:00:00Z"}]`)}.serve(t))
	got, err := repo.LabelEvents(t.Context(), 5)
	want := []bot.LabelEvent{
		{ID: 1, Label: "full-sweep", Added: true, Actor: bot.User{ID: 1, Login: "ann"}, CreatedAt: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)},
		{ID: 3, Label: "full-sweep", CreatedAt: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestRun: a run as GitHub describes it.
func TestRun(t *testing.T) {
	repo, _ := newRepo(t, routes{"GET /repos/acme/bench/actions/runs/3": doc(`{"id":3,"run_attempt":2,"name":"Sweep","display_title":"PR 5","html_url":"u",
		"path":".github/workflows/sweep.yml","event":"pull_request","status":"completed","conclusion":"success","head_branch":"x","head_sha":"` + shaA + `",
		"head_repository":{"full_name":"ann/bench"},"pull_requests":[{"number":5}],"actor":{"id":1,"login":"ann"},"triggering_actor":{"id":2,"login":"bob"},
		"created_at":"2026-11-01T00:00:00Z","updated_at":"2026-11-02T00:00:00Z"}`)}.serve(t))
	got, err := repo.WorkflowRun(t.Context(), 3)
	want := bot.Run{ID: 3, Attempt: 2, Name: "Sweep", Title: "PR 5", URL: "u", Workflow: ".github/workflows/sweep.yml", Event: "pull_request",
		Status: "completed", Conclusion: "success", HeadRepo: "ann/bench", HeadBranch: "x", HeadSHA: shaA, PullRequests: []int{5},
		Actor: bot.User{ID: 1, Login: "ann"}, Trigger: bot.User{ID: 2, Login: "bob"},
		CreatedAt: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), UpdatedAt: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}
