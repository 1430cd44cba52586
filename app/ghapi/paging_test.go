package ghapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/app/bot"
)

// pagedJobs is a GitHub that has so many jobs and fails now and then.
type pagedJobs struct {
	total int
	// fail returns the fault of the nth request for a page, or nil.
	fail func(page, n int) func() (*http.Response, error)
	// grow adds jobs before a request is answered.
	grow func(request int) int

	asked    map[int]int
	requests int
}

func (p *pagedJobs) answer(r *http.Request) (*http.Response, error) {
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
	if p.asked == nil {
		p.asked = make(map[int]int)
	}
	p.asked[number]++
	p.requests++
	if p.grow != nil {
		p.total += p.grow(p.requests)
	}
	if p.fail != nil {
		if fault := p.fail(number, p.asked[number]); fault != nil {
			return fault()
		}
	}
	var jobs []string
	for id := (number-1)*size + 1; id <= min(number*size, p.total); id++ {
		jobs = append(jobs, fmt.Sprintf(`{"id":%d}`, id))
	}
	resp := document(200, fmt.Sprintf(`{"total_count":%d,"jobs":[%s]}`, p.total, strings.Join(jobs, ",")))
	if number*size < p.total {
		next := *r.URL
		q := next.Query()
		q.Set("page", strconv.Itoa(number+1))
		next.RawQuery = q.Encode()
		resp.Header.Set("Link", `<`+next.String()+`>; rel="next"`)
	}
	return resp, nil
}

func (p *pagedJobs) repo(t *testing.T) bot.GitHub {
	repo, _ := newRepo(t, http.NotFoundHandler(), overWire(p.answer))
	return repo
}

// ids returns the ids of jobs in order.
func ids(jobs []bot.Job) []int64 {
	list := make([]int64, len(jobs))
	for i, j := range jobs {
		list[i] = j.ID
	}
	return list
}

func upTo(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i + 1)
	}
	return list
}

// faults are ways in which a page can fail for a moment.
var faults = []func() (*http.Response, error){
	func() (*http.Response, error) { return document(502, `oops`, "Content-Type", "text/html"), nil },
	func() (*http.Response, error) { return nil, errors.New("connection reset by peer") },
	func() (*http.Response, error) { return document(200, `{"total_count":3,"jobs":[{"id":1}`), nil },
	func() (*http.Response, error) { return document(200, `<html>`, "Content-Type", "text/html"), nil },
	func() (*http.Response, error) { return document(403, `{}`, "Retry-After", "3"), nil },
}

// TestS57Pages: whatever the length of a list, and whichever of its pages fail
// for a while, it is complete, in order and without doubles. A page that fails
// for good fails the list: there is never a part of it.
func TestS57Pages(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := &pagedJobs{total: rapid.OneOf(rapid.IntRange(0, 900), rapid.SampledFrom([]int{0, 99, 100, 101, 200})).Draw(rt, "total")}
		pages := max(1, (p.total+99)/100)
		bad := make(map[int]int)
		for range rapid.IntRange(0, 3).Draw(rt, "faulty pages") {
			bad[rapid.IntRange(1, pages).Draw(rt, "page")] = rapid.IntRange(1, 3).Draw(rt, "times")
		}
		dead := 0
		if rapid.IntRange(0, 3).Draw(rt, "dead") == 0 {
			dead = rapid.IntRange(1, pages).Draw(rt, "dead page")
		}
		kind := rapid.IntRange(0, len(faults)-1)
		p.fail = func(page, n int) func() (*http.Response, error) {
			if page == dead || n <= bad[page] {
				return faults[kind.Draw(rt, "fault")]
			}
			return nil
		}
		jobs, err := p.repo(t).Jobs(t.Context(), 1, 0)
		if dead != 0 {
			if err == nil || jobs != nil {
				rt.Fatalf("%d jobs, error %v, though page %d is dead", len(jobs), err, dead)
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(upTo(p.total), ids(jobs)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// TestS57ThreeThousandJobs is the case of the specification: 30 pages, of which
// the 17th fails twice.
func TestS57ThreeThousandJobs(t *testing.T) {
	p := &pagedJobs{total: 3000, fail: func(page, n int) func() (*http.Response, error) {
		if page == 17 && n <= 2 {
			return faults[n]
		}
		return nil
	}}
	jobs, err := p.repo(t).Jobs(t.Context(), 1, 0)
	if diff := cmp.Diff(upTo(3000), ids(jobs)); diff != "" || err != nil || p.requests != 32 {
		t.Error(diff, err, p.requests)
	}
}

// TestListThatChanges: a list that says how long it is, and changes while it
// is read, is read again; one that never rests is an error.
func TestListThatChanges(t *testing.T) {
	once := &pagedJobs{total: 150, grow: func(n int) int {
		if n == 2 {
			return 30
		}
		return 0
	}}
	jobs, err := once.repo(t).Jobs(t.Context(), 1, 2)
	if err != nil || len(jobs) != 180 || once.requests != 4 {
		t.Errorf("%d jobs after %d requests, %v", len(jobs), once.requests, err)
	}
	always := &pagedJobs{total: 150, grow: func(int) int { return 1 }}
	if jobs, err := always.repo(t).Jobs(t.Context(), 1, 0); jobs != nil || codeOf(err) != "ghapi.list-incomplete" {
		t.Errorf("%d jobs, %v", len(jobs), err)
	}
}

// TestFullLastPage: whether there is a next page is not part of what a page's
// validator stands for; a full page without a successor is not believed.
func TestFullLastPage(t *testing.T) {
	full := make([]int, 100)
	for i := range full {
		full[i] = i + 1
	}
	repo, _ := newRepo(t, script(t,
		status(200, comments(full...), "ETag", `"one"`), doc(`[]`),
		status(304, ``), doc(comments(101)),
	))
	for _, want := range []int{100, 101} {
		all, err := repo.Comments(t.Context(), 5)
		if err != nil || len(all) != want {
			t.Errorf("%d comments, %v, want %d", len(all), err, want)
		}
	}
}

// TestPagesThatGoInCircles: a next page that is none ends the list.
func TestPagesThatGoInCircles(t *testing.T) {
	circle := `<http://x/?page=1>; rel="next"`
	repo, _ := newRepo(t, script(t, status(200, comments(1, 2), "Link", circle)))
	if all, err := repo.Comments(t.Context(), 5); err != nil || len(all) != 2 {
		t.Errorf("%d comments, %v", len(all), err)
	}
	same := make([]int, 100)
	for i := range same {
		same[i] = i + 1
	}
	repo, _ = newRepo(t, script(t, doc(comments(same...)), doc(comments(same...))))
	if all, err := repo.Comments(t.Context(), 5); err != nil || len(all) != 100 {
		t.Errorf("a server without pages: %d comments, %v", len(all), err)
	}
	endless := listing[int, int]{
		id: func(n int) int { return n },
		fetch: func(_ context.Context, n int) (page[int], error) {
			return page[int]{items: []int{n}, total: -1, next: n + 1}, nil
		},
		pause: func(context.Context, int) error { return nil },
	}
	if _, err := endless.all(t.Context()); codeOf(err) != "ghapi.list-incomplete" {
		t.Error(err)
	}
}

// TestRunLimit: a limit ends the listing, and asks for no more than it needs.
func TestRunLimit(t *testing.T) {
	runs := func(n, total int) string {
		var b []string
		for i := range n {
			b = append(b, fmt.Sprintf(`{"id":%d,"path":".github/workflows/sweep.yml@main"}`, i+1))
		}
		return fmt.Sprintf(`{"total_count":%d,"workflow_runs":[%s]}`, total, strings.Join(b, ","))
	}
	repo, clock := newRepo(t, script(t, func(w http.ResponseWriter, r *http.Request) {
		want := "branch=feature%2Fx&created=%3E%3D2100-01-01T11%3A00%3A00Z&event=pull_request&head_sha=" + shaA + "&page=1&per_page=5&status=success"
		if r.URL.RawQuery != want || r.URL.Path != "/repos/acme/bench/actions/workflows/sweep.yml/runs" {
			t.Errorf("address %s", r.URL)
		}
		doc(runs(5, 4000))(w, r)
	}))
	got, err := repo.WorkflowRuns(t.Context(), ".github/workflows/sweep.yml", bot.RunFilter{
		Branch: "feature/x", Event: "pull_request", HeadSHA: shaA, Status: "success", Since: newClock().now.Add(-3600e9), Limit: 5,
	})
	if err != nil || len(got) != 5 || got[4].ID != 5 || got[0].Workflow != ".github/workflows/sweep.yml" || len(clock.sleeps()) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
