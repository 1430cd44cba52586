package ghapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/bot"
)

// review is a review in a timeline.
func review(id int, state, updated string) string {
	if updated != "" {
		updated = fmt.Sprintf(`,"updated_at":"2026-11-18T%s:00Z"`, updated)
	}
	return fmt.Sprintf(`{"event":"reviewed","id":%d,"state":%q,"body":"b","user":{"id":4,"login":"nia","type":"User"},
		"author_association":"MEMBER","html_url":"u","submitted_at":"2026-11-18T10:00:00Z"%s}`, id, state, updated)
}

// The newest events of a timeline are read, wherever they are: at most three
// pages and the first, which tells how many there are.
func TestReviewSummaries(t *testing.T) {
	for name, c := range map[string]struct {
		pages  []string // each a page's reviews
		want   string
		visits string
	}{
		"none":        {[]string{""}, "", "1"},
		"one page":    {[]string{review(1, "commented", "10:30") + "," + review(2, "dismissed", "10:30") + "," + review(3, "pending", "") + "," + review(4, "APPROVED", "")}, "1@10:30 4@10:00", "1"},
		"three pages": {[]string{review(1, "commented", "10:00"), `{"event":"labeled","id":9}`, review(3, "commented", "12:00")}, "1@10:00 3@12:00", "1 2 3"},
		"five pages":  {[]string{review(1, "commented", ""), review(2, "commented", ""), review(3, "commented", ""), review(4, "commented", ""), review(5, "commented", "")}, "3@10:00 4@10:00 5@10:00", "1 3 4 5"},
	} {
		var visits []string
		repo, _ := newRepo(t, routes{"GET /repos/acme/bench/issues/5/timeline": func(w http.ResponseWriter, r *http.Request) {
			n := 0
			_, _ = fmt.Sscan(r.URL.Query().Get("page"), &n)
			visits = append(visits, fmt.Sprint(n))
			if n < len(c.pages) {
				w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?page=%d>; rel="next", <http://%s%s?page=%d>; rel="last"`, r.Host, r.URL.Path, n+1, r.Host, r.URL.Path, len(c.pages)))
			}
			doc("["+c.pages[n-1]+"]")(w, r)
		}}.serve(t))
		all, err := repo.(bot.Reviews).ReviewSummaries(t.Context(), 5)
		if err != nil {
			t.Fatal(name, err)
		}
		var got []string
		for _, r := range all {
			got = append(got, fmt.Sprintf("%d@%s", r.ID, r.UpdatedAt.Format("15:04")))
		}
		if diff := cmp.Diff([]string{c.want, c.visits}, []string{strings.Join(got, " "), strings.Join(visits, " ")}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Inline comments come in one request, the last change first.
func TestReviewComments(t *testing.T) {
	repo, _ := newRepo(t, routes{"GET /repos/acme/bench/pulls/5/comments": script(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.URL.Query().Encode(); got != "direction=desc&per_page=100&sort=updated" {
			t.Error(got)
		}
		doc(`[{"id":7,"body":"b","user":{"id":4,"login":"nia"},"created_at":"2026-11-18T10:00:00Z","updated_at":"2026-11-18T11:00:00Z"}]`)(w, r)
	})}.serve(t))
	all, err := repo.(bot.Reviews).ReviewComments(t.Context(), 5)
	if err != nil || len(all) != 1 || all[0].ID != 7 || all[0].UpdatedAt.Hour() != 11 || all[0].Author.ID != 4 {
		t.Error(all, err)
	}
}
