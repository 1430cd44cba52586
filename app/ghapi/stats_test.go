package ghapi

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestRecord counts what one event costs, apart from the whole.
func TestRecord(t *testing.T) {
	client, _ := newClientOn(t, script(t,
		doc(`{"id":1}`), html(502), doc(`{"id":2}`), status(403, `{}`, "Retry-After", "9"), doc(`{"id":3}`), doc(`{"id":4}`)))
	repo := client.Repository("acme", "bench")
	ctx, event := Record(t.Context())
	inner, part := Record(ctx)
	if _, err := repo.Comment(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Comment(ctx, 2); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.CreateComment(ctx, 3, "x"); err != nil {
		t.Fatal(err)
	}
	if _, err := repo.Comment(inner, 4); err != nil {
		t.Fatal(err)
	}
	want := Stats{
		Requests: 5, Writes: 2, Retries: 1, Waits: 1, Waited: 9 * time.Second, Bytes: 60,
		Endpoints: []EndpointStats{{"GET repos/{owner}/{repo}/issues/comments/{number}", 3}, {"POST repos/{owner}/{repo}/issues/{number}/comments", 2}},
	}
	if diff := cmp.Diff(want, event.Stats()); diff != "" {
		t.Error(diff)
	}
	if s := client.Stats(); s.Requests != 6 || s.Endpoints[0].Requests != 4 {
		t.Errorf("totals %+v", s)
	}
	if s := part.Stats(); s.Requests != 1 {
		t.Errorf("part %+v", s)
	}
}

// TestQuota is GitHub's limit as last seen.
func TestQuota(t *testing.T) {
	client, clock := newClientOn(t, script(t, status(200, `{"id":1}`, "X-RateLimit-Limit", "1000", "X-RateLimit-Remaining", "990", "X-RateLimit-Reset", "4102489800", "Date", "Fri, 01 Jan 2100 12:00:00 GMT")))
	if _, err := client.Repository("acme", "bench").Comment(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	want := Quota{Limit: 1000, Remaining: 990, Reset: clock.now.Add(30*time.Minute + time.Second)}
	if diff := cmp.Diff(want, client.Quota()); diff != "" {
		t.Error(diff)
	}
}

// TestEndpoint: addresses by their form.
func TestEndpoint(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "x", Path: "/api/v3/"}
	for path, want := range map[string]string{
		"repos/a/b/pulls/5":                            "repos/{owner}/{repo}/pulls/{number}",
		"repos/commits/trees/contents/a/b/c.yaml":      "repos/{owner}/{repo}/contents/{path}",
		"repos/a/b/compare/x...y":                      "repos/{owner}/{repo}/compare/{basehead}",
		"repos/a/b/commits/0123/check-runs":            "repos/{owner}/{repo}/commits/{ref}/check-runs",
		"repos/a/b/actions/workflows/w.yml/dispatches": "repos/{owner}/{repo}/actions/workflows/{workflow}/dispatches",
		"repos/a/b/actions/runs/1/attempts/2/jobs":     "repos/{owner}/{repo}/actions/runs/{number}/attempts/{number}/jobs",
		"repos/a/b/collaborators/12/permission":        "repos/{owner}/{repo}/collaborators/{login}/permission",
		"app/installations/7/access_tokens":            "app/installations/{id}/access_tokens",
		"app/hook/deliveries/8/attempts":               "app/hook/deliveries/{number}/attempts",
	} {
		if got := endpoint(base, &url.URL{Path: base.Path + path}); got != want {
			t.Errorf("endpoint(%s) = %s, want %s", path, got, want)
		}
	}
}

// TestDeliveries reads GitHub's log by its cursors until it is old enough.
func TestDeliveries(t *testing.T) {
	at := func(id, hour, code string) string {
		return `{"id":` + id + `,"guid":"g` + id + `","delivered_at":"2026-11-30T` + hour + `:00:00Z","status_code":` + code + `,"event":"pull_request","action":"labeled","installation_id":7,"repository_id":1,"redelivery":true}`
	}
	next := func(cursor string) string { return `<http://x/app/hook/deliveries?cursor=` + cursor + `>; rel="next"` }
	client, _ := newClientOn(t, routes{
		"GET /app/hook/deliveries": script(t,
			status(200, `[`+at("9", "12", "502")+`,`+at("8", "11", "200")+`]`, "Link", next("c1")),
			func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Query().Get("cursor") != "c1" {
					t.Errorf("address %s", r.URL)
				}
				status(200, `[`+at("8", "11", "200")+`,`+at("7", "10", "0")+`,`+at("6", "03", "200")+`]`, "Link", next("c2"))(w, r)
			}),
		"POST /app/hook/deliveries/9/attempts": script(t, html(502), status(202, `{}`)),
	}.serve(t), asApp(App{}))
	log, err := client.Deliveries()
	if err != nil {
		t.Fatal(err)
	}
	got, err := log.Since(t.Context(), time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC))
	want := []Delivery{delivery(9, 12, 502), delivery(8, 11, 200), delivery(7, 10, 0)}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got[0].OK() || !got[1].OK() || got[2].OK() {
		t.Error("which ones our server took is told wrong")
	}
	if err := log.Redeliver(t.Context(), 9); err != nil {
		t.Error(err)
	}
	plain, _ := newClientOn(t, routes{}.serve(t))
	if _, err := plain.Deliveries(); codeOf(err) != "ghapi.no-app" {
		t.Error(err)
	}
}

func delivery(id int64, hour, code int) Delivery {
	return Delivery{ID: id, GUID: "g" + string(rune('0'+id)), Event: "pull_request", Action: "labeled", At: time.Date(2026, 11, 30, hour, 0, 0, 0, time.UTC),
		StatusCode: code, Redelivery: true, InstallationID: 7, RepositoryID: 1}
}
