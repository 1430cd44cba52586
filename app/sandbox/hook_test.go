package sandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

type sampleFS = fstest.MapFS

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// got is one delivery as a receiver saw it.
type got struct {
	event, guid, signature, contentType string
	body                                []byte
	payload                             map[string]any
}

// receiver is a server that takes deliveries.
type receiver struct {
	url    string
	mu     sync.Mutex
	all    []got
	answer int
}

func newReceiver(t testing.TB) *receiver {
	r := &receiver{answer: 200}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		g := got{req.Header.Get("X-GitHub-Event"), req.Header.Get("X-GitHub-Delivery"), req.Header.Get("X-Hub-Signature-256"), req.Header.Get("Content-Type"), body, nil}
		_ = json.Unmarshal(body, &g.payload)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.all = append(r.all, g)
		w.WriteHeader(r.answer)
	}))
	t.Cleanup(srv.Close)
	r.url = srv.URL
	return r
}

func (r *receiver) deliveries(event string) []got {
	r.mu.Lock()
	defer r.mu.Unlock()
	return filter(r.all, func(g got) bool { return event == "" || g.event == event })
}

func (r *receiver) count(event string) int { return len(r.deliveries(event)) }

func TestDeliveriesAreSigned(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t)
	form := newReceiver(t)
	s := start(t, Options{Hooks: []Hook{
		{URL: hook.url, Secret: "topsecret"}, {URL: form.url, Secret: "other", Form: true, Events: []string{"issue_comment"}},
	}})
	n := openPR(t, s, "walt-write", "feat", false)
	must(s.As("priya-private").Comment(t.Context(), n, "hi"))(t)
	settle(t, s)
	sum := func(secret string, body []byte) string {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		return "sha256=" + hex.EncodeToString(mac.Sum(nil))
	}
	ids := make(map[string]bool)
	for _, g := range hook.deliveries("") {
		if g.signature != sum("topsecret", g.body) || g.contentType != "application/json" {
			t.Errorf("%s: signature %s", g.event, g.signature)
		}
		if ids[g.guid] || len(g.guid) != 36 {
			t.Errorf("delivery id %s", g.guid)
		}
		ids[g.guid] = true
	}
	var events []string
	for _, g := range hook.deliveries("") {
		events = append(events, g.event)
	}
	if want := []string{"push", "pull_request", "issue_comment", "workflow_run"}; !slices.Equal(events, want) {
		t.Errorf("events %v, want %v", events, want)
	}
	if g := form.deliveries(""); len(g) != 1 || g[0].signature != sum("other", g[0].body) {
		t.Errorf("form deliveries: %+v", g)
	} else if v, err := url.ParseQuery(string(g[0].body)); err != nil || !strings.Contains(v.Get("payload"), `"action":"created"`) {
		t.Errorf("form body: %s", g[0].body)
	}
	comment := hook.deliveries("issue_comment")[0].payload
	if got := comment["comment"].(map[string]any)["author_association"]; got != "CONTRIBUTOR" {
		t.Errorf("a private member is %v in a webhook", got)
	}
	as(t, s, "ada-admin").get("issues/1/comments").is(200).has("0.author_association", "MEMBER")
}

func TestAuthorAssociations(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	for login, want := range map[string][2]string{
		"ada-admin": {"MEMBER", "MEMBER"}, "priya-private": {"MEMBER", "CONTRIBUTOR"}, "walt-write": {"COLLABORATOR", "COLLABORATOR"},
		"otto-outside": {"NONE", "NONE"},
	} {
		s.mu.Lock()
		u := s.user(login)
		got := [2]string{s.association(s.main, u, false), s.association(s.main, u, true)}
		s.mu.Unlock()
		if got != want {
			t.Errorf("%s is %v, want %v", login, got, want)
		}
	}
	n := openPR(t, s, "otto-outside", "feat", true)
	must(s.As("mina-maintain").Merge(t.Context(), n, "squash"))(t)
	as(t, s, "").get("pulls/1").is(200).has("author_association", "CONTRIBUTOR")
}

func TestDeliveryLogAndRedelivery(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t)
	hook.answer = 500
	s := start(t, Options{App: App{WebhookURL: hook.url, Secret: "s"}})
	openPR(t, s, "walt-write", "feat", false)
	settle(t, s)
	app := asAppJWT(t, s)
	list := app.get("/app/hook/deliveries?per_page=1").is(200).has("0.event", "pull_request", "0.status_code", 500, "0.redelivery", false, "0.action", "opened")
	next := list.header.Get("Link")
	if !strings.Contains(next, "cursor=") || !strings.Contains(next, `rel="next"`) {
		t.Errorf("Link: %q", next)
	}
	id := itoa(int64(list.at("0.id").(float64)))
	full := app.get("/app/hook/deliveries/"+id).is(200).has("request.payload.pull_request.number", 1, "installation_id", s.app.installation)
	if full.at("request.headers.X-Hub-Signature-256") == nil {
		t.Errorf("headers: %v", full.at("request.headers"))
	}
	hook.mu.Lock()
	hook.answer = 202
	hook.mu.Unlock()
	app.do("POST", "/app/hook/deliveries/"+id+"/attempts", nil).is(202)
	settle(t, s)
	again := app.get("/app/hook/deliveries").is(200).has("0.redelivery", true, "0.status_code", 202)
	if again.at("0.guid") != list.at("0.guid") || again.at("0.id") == list.at("0.id") {
		t.Error("a redelivery keeps the delivery id and gets a new id of its own")
	}
	deliveries := hook.deliveries("pull_request")
	if len(deliveries) != 2 || deliveries[0].guid != deliveries[1].guid || string(deliveries[0].body) != string(deliveries[1].body) {
		t.Errorf("the receiver saw %d deliveries", len(deliveries))
	}
	if got := app.get("/app/hook/deliveries?status=failure").is(200).count(""); got != 2 {
		t.Errorf("%d failed deliveries, want 2", got)
	}
	app.get("/app/hook/config").is(200).has("url", hook.url, "secret", "********")
}

func TestRepositoryHooks(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t)
	s := start(t, Options{})
	admin := as(t, s, "ada-admin")
	body := doc{"name": "web", "events": []string{"status"}, "config": doc{"url": hook.url, "secret": "s", "content_type": "json"}}
	as(t, s, "mina-maintain").do("POST", "hooks", body).is(404)
	made := admin.do("POST", "hooks", body).is(201)
	admin.do("POST", "hooks", doc{"config": doc{"url": "http://192.0.2.1/"}}).is(422)
	settle(t, s)
	if hook.count("ping") != 1 {
		t.Error("a new hook gets no ping")
	}
	path := "hooks/" + itoa(int64(made.at("id").(float64)))
	admin.do("POST", "statuses/"+s.Tip("main"), doc{"state": "success"}).is(201)
	admin.do("POST", path+"/pings", nil).is(204)
	settle(t, s)
	if hook.count("ping") != 2 || hook.count("status") != 1 {
		t.Errorf("%d pings, %d statuses", hook.count("ping"), hook.count("status"))
	}
	if got := admin.get(path+"/deliveries").is(200).texts("", "event"); !slices.Equal(got, []string{"ping", "status", "ping"}) {
		t.Errorf("deliveries: %v", got)
	}
	admin.do("DELETE", path, nil).is(204)
	admin.get(path).is(404)
}

func TestDuplicateLostAndReordered(t *testing.T) {
	t.Parallel()
	hook := newReceiver(t)
	s := start(t, Options{Hooks: []Hook{{URL: hook.url}}})
	n := openPR(t, s, "walt-write", "feat", false)
	settle(t, s)
	say := func(count int) []got {
		before := hook.count("issue_comment")
		for i := range count {
			must(s.As("walt-write").Comment(t.Context(), n, strconv.Itoa(i)))(t)
		}
		settle(t, s)
		return hook.deliveries("issue_comment")[before:]
	}
	ok(t, s.SetFaults(Faults{Duplicate: 1}))
	if list := say(1); len(list) != 2 || list[0].guid != list[1].guid {
		t.Errorf("duplicates: %d", len(list))
	}
	ok(t, s.SetFaults(Faults{Lose: 1}))
	if list := say(2); len(list) != 0 {
		t.Errorf("lost ones arrived: %d", len(list))
	}
	ok(t, s.SetFaults(Faults{Reorder: 8}))
	var order []string
	for _, g := range say(6) {
		order = append(order, g.payload["comment"].(map[string]any)["body"].(string))
	}
	if slices.IsSorted(order) || len(order) != 6 {
		t.Errorf("order %v", order)
	}
}
