package sandbox

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"sync"
	"testing"
	"time"
)

// jwt signs claims with a key.
func jwt(t testing.TB, key *rsa.PrivateKey, algorithm string, c map[string]any) string {
	t.Helper()
	part := func(v any) string {
		b, err := json.Marshal(v)
		ok(t, err)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	text := part(map[string]string{"alg": algorithm, "typ": "JWT"}) + "." + part(c)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	ok(t, err)
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// testKey is made once: making a key is slow.
var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func appKey(t testing.TB, s *Server) *rsa.PrivateKey {
	t.Helper()
	s.mu.Lock()
	if s.app.key == nil {
		s.app.key = testKey()
	}
	s.mu.Unlock()
	block, _ := pem.Decode(must(s.AppKey())(t))
	return must(x509.ParsePKCS1PrivateKey(block.Bytes))(t)
}

// asAppJWT returns a client that is the App itself.
func asAppJWT(t testing.TB, s *Server) api {
	t.Helper()
	id, _ := s.AppID()
	now := time.Now()
	return api{t, s, jwt(t, appKey(t, s), "RS256", map[string]any{"iss": fmt.Sprint(id), "iat": now.Add(-time.Minute).Unix(), "exp": now.Add(5 * time.Minute).Unix()})}
}

// asInstallation returns a client with an installation token; body narrows it.
func asInstallation(t testing.TB, s *Server, body any) api {
	t.Helper()
	_, installation := s.AppID()
	answer := asAppJWT(t, s).do("POST", fmt.Sprintf("/app/installations/%d/access_tokens", installation), body).is(201)
	return api{t, s, answer.at("token").(string)}
}

func TestJWT(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	key := appKey(t, s)
	id, _ := s.AppID()
	now := time.Now()
	valid := func() map[string]any {
		return map[string]any{"iss": id, "iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix()}
	}
	with := func(name string, value any) map[string]any {
		c := valid()
		c[name] = value
		return c
	}
	other := must(rsa.GenerateKey(rand.Reader, 2048))(t)
	for name, c := range map[string]struct {
		token string
		want  int
	}{
		"valid":            {jwt(t, key, "RS256", valid()), 200},
		"issuer as text":   {jwt(t, key, "RS256", with("iss", fmt.Sprint(id))), 200},
		"client id":        {jwt(t, key, "RS256", with("iss", s.app.clientID())), 200},
		"another key":      {jwt(t, other, "RS256", valid()), 401},
		"no algorithm":     {jwt(t, key, "none", valid()), 401},
		"expired":          {jwt(t, key, "RS256", with("exp", now.Add(-time.Second).Unix())), 401},
		"too long":         {jwt(t, key, "RS256", with("exp", now.Add(11*time.Minute).Unix())), 401},
		"from the future":  {jwt(t, key, "RS256", with("iat", now.Add(5*time.Minute).Unix())), 401},
		"another app":      {jwt(t, key, "RS256", with("iss", "1")), 404},
		"no token at all":  {"", 401},
		"broken":           {"a.b.c", 401},
		"a person's token": {must(s.Token("ada-admin"))(t), 401},
	} {
		if got := (api{t, s, c.token}).get("/app").status; got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	api{t, s, jwt(t, key, "RS256", valid())}.get("pulls").is(403)
}

func TestAppKeyIsMadeAtStart(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	block, _ := pem.Decode(must(s.AppKey())(t))
	key := must(x509.ParsePKCS1PrivateKey(block.Bytes))(t)
	if again, _ := pem.Decode(must(s.AppKey())(t)); string(again.Bytes) != string(block.Bytes) || key.N.BitLen() != 2048 {
		t.Error("the App's key changes, or is short")
	}
}

func TestInstallationTokens(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	ok(t, s.AddRepository("app", nil))
	openPR(t, s, "walt-write", "feat", false)
	app := asAppJWT(t, s)
	_, installation := s.AppID()
	app.get("installation").is(200).has("id", installation, "account.login", "acme-bench")
	app.get("/app/installations").is(200).has("0.id", installation)
	tokens := fmt.Sprintf("/app/installations/%d/access_tokens", installation)

	all := asInstallation(t, s, nil)
	all.do("POST", "issues/1/comments", words{"hi"}).is(201).has("user.login", "sweepbot[bot]", "user.type", "Bot", "performed_via_github_app.slug", "sweepbot")
	all.get("/installation/repositories").is(200).has("total_count", 2)
	all.get("/user").is(403)

	narrow := asInstallation(t, s, doc{"repositories": []string{"app"}, "permissions": doc{"contents": "read"}})
	narrow.get("/repos/acme-bench/app/contents/README.md").is(200)
	narrow.get("/repos/acme-bench/app/issues").is(403)
	narrow.get("pulls/1").is(403)
	app.do("POST", tokens, doc{"permissions": doc{"administration": "write"}}).is(422)
	app.do("POST", tokens, doc{"repositories": []string{"none"}}).is(422)
	app.do("POST", "/app/installations/1/access_tokens", nil).is(404)

	all.do("DELETE", "/installation/token", nil).is(204)
	all.get("pulls/1").is(401).has("message", "Bad credentials")
	late := asInstallation(t, s, nil)
	s.ExpireTokens()
	late.get("pulls/1").is(401)
}

func TestTokensExpire(t *testing.T) {
	t.Parallel()
	clock := time.Now()
	s := start(t, Options{AuthClock: func() time.Time { return clock }})
	a := asInstallation(t, s, nil)
	a.get("").is(200)
	clock = clock.Add(time.Hour)
	a.get("").is(401)
}

// The permission matrix: who may do what. Rows are operations, columns are
// callers; a cell is the status of the answer.
func TestPermissionMatrix(t *testing.T) {
	t.Parallel()
	callers := []string{"", "otto-outside", "remy-read", "tess-triage", "walt-write", "mina-maintain", "ada-admin", "app: read", "app: write"}
	rows := []struct {
		method, path string
		body         any
		want         []int
	}{
		{"GET", "", nil, []int{200, 200, 200, 200, 200, 200, 200, 200, 200}},
		{"GET", "pulls/1", nil, []int{200, 200, 200, 200, 200, 200, 200, 200, 200}},
		{"GET", "actions/runs", nil, []int{200, 200, 200, 200, 200, 200, 200, 200, 200}},
		{"GET", "collaborators/walt-write/permission", nil, []int{401, 200, 200, 200, 200, 200, 200, 200, 200}},
		{"GET", "collaborators", nil, []int{200, 403, 403, 403, 200, 200, 200, 200, 200}},
		{"POST", "issues/1/comments", words{"x"}, []int{401, 201, 201, 201, 201, 201, 201, 403, 201}},
		{"POST", "issues/1/labels", []string{"x"}, []int{401, 403, 403, 200, 200, 200, 200, 403, 200}},
		{"POST", "labels", doc{"name": ""}, []int{401, 403, 403, 422, 422, 422, 422, 403, 422}},
		{"PATCH", "pulls/1", doc{"title": "x"}, []int{401, 403, 403, 200, 200, 200, 200, 403, 200}},
		{"POST", "statuses/nope", doc{"state": "success"}, []int{401, 403, 403, 403, 422, 422, 422, 403, 422}},
		{"POST", "check-runs", doc{"name": "x"}, []int{401, 403, 403, 403, 403, 403, 403, 403, 422}},
		{"POST", "actions/workflows/e2e-tests.yml/dispatches", doc{"ref": "gone"}, []int{401, 403, 403, 403, 422, 422, 422, 403, 422}},
		{"POST", "dispatches", doc{}, []int{401, 403, 403, 403, 422, 422, 422, 403, 422}},
		{"PUT", "pulls/1/merge", doc{"sha": "x"}, []int{401, 403, 403, 403, 409, 409, 409, 403, 409}},
		{"POST", "git/refs", doc{"ref": "refs/heads/main"}, []int{401, 403, 403, 403, 422, 422, 422, 403, 422}},
		{"GET", "hooks", nil, []int{404, 404, 404, 404, 404, 404, 200, 404, 404}},
	}
	s := start(t, Options{})
	openPR(t, s, "walt-write", "feat", false)
	words := appPermissions()
	readOnly := make(map[string]string)
	for scope := range words {
		readOnly[scope] = "read"
	}
	for i, who := range callers {
		var a api
		switch who {
		case "app: read":
			a = asInstallation(t, s, doc{"permissions": readOnly})
		case "app: write":
			a = asInstallation(t, s, nil)
		default:
			a = as(t, s, who)
		}
		for _, row := range rows {
			if got := a.do(row.method, row.path, row.body); got.status != row.want[i] {
				t.Errorf("%s %s by %q: %d, want %d: %s", row.method, row.path, who, got.status, row.want[i], got.body)
			}
		}
	}
}

func TestPermissionEndpoint(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	a := as(t, s, "walt-write")
	for login, want := range map[string][2]string{
		"ada-admin": {"admin", "admin"}, "mina-maintain": {"write", "maintain"}, "walt-write": {"write", "write"},
		"tess-triage": {"read", "triage"}, "remy-read": {"read", "read"}, "otto-outside": {"read", "read"},
	} {
		a.get("collaborators/"+login+"/permission").is(200).has("permission", want[0], "role_name", want[1], "user.login", login)
	}
	a.get("collaborators/nobody-here/permission").is(404)
	ok(t, s.SetRole("walt-write", "read"))
	a.get("collaborators/walt-write/permission").is(200).has("permission", "read")
	ok(t, s.DeleteUser("remy-read"))
	a.get("collaborators/remy-read/permission").is(404)
	ok(t, s.Suspend("walt-write"))
	a.get("").is(403)
	as(t, s, "ada-admin").get("collaborators/otto-outside").is(404)
	as(t, s, "ada-admin").get("collaborators/tess-triage").is(204)
}

func TestMembersAndTeams(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Teams: map[string][]string{"core": {"ada-admin", "priya-private"}}})
	inside, outside := as(t, s, "ada-admin"), as(t, s, "otto-outside")
	inside.get("/orgs/acme-bench/members/priya-private").is(204)
	outside.get("/orgs/acme-bench/members/priya-private").is(404)
	outside.get("/orgs/acme-bench/members/ada-admin").is(204)
	inside.get("/orgs/acme-bench/teams/core/members").is(200).has("1.login", "priya-private")
	inside.get("/orgs/acme-bench/teams/core/memberships/priya-private").is(200).has("state", "active")
	inside.get("/orgs/acme-bench/teams/core/memberships/walt-write").is(404)
	inside.get("/orgs/acme-bench/teams/none/members").is(404)
	inside.get("/orgs/acme-bench/memberships/ada-admin").is(200).has("state", "active")
	outside.get("/orgs/acme-bench/teams/core/members").is(403)
	asInstallation(t, s, nil).get("/orgs/acme-bench/teams/core/members").is(200)
	asInstallation(t, s, doc{"permissions": doc{"contents": "read"}}).get("/orgs/acme-bench/teams/core/members").is(403)
}
