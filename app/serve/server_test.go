package serve

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/hook"
)

var testKey = sync.OnceValue(func() []byte {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
})

const testSecret = "s3cr3t"

// start returns a server whose GitHub is a test server.
func start(t *testing.T, github http.Handler, change func(*Options)) *Server {
	t.Helper()
	api := httptest.NewServer(github)
	t.Cleanup(api.Close)
	o := Options{AppID: 1, PrivateKey: testKey(), APIURL: api.URL, Secrets: []hook.Secret{hook.Secret(testSecret)}, Dir: t.TempDir()}
	o.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	change(&o)
	s, err := New(t.Context(), o)
	check(t, err)
	t.Cleanup(func() { check(t, s.Close()) })
	return s
}

// deliver sends a signed webhook and returns the status of the answer.
func deliver(s *Server, id string) int {
	const body = `{"action":"opened","repository":{"full_name":"o/r","default_branch":"main"},"sender":{"id":1,"login":"a"},
		"pull_request":{"number":1,"state":"open","user":{"id":1,"login":"a"},
			"base":{"ref":"main","sha":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","repo":{"full_name":"o/r"}},
			"head":{"ref":"topic","sha":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","repo":{"full_name":"o/r"}}}}`
	mac := hmac.New(sha256.New, []byte(testSecret))
	mac.Write([]byte(body))
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-GitHub-Event": "pull_request", "X-GitHub-Delivery": id,
		"X-Hub-Signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil)),
	} {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w.Code
}

// TestOverload: a delivery that finds no place is answered with 5xx, is not
// remembered, and is taken when it comes again.
func TestOverload(t *testing.T) {
	hold, asked := make(chan struct{}), make(chan struct{}, 10)
	github := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked <- struct{}{}; <-hold; w.WriteHeader(404) })
	var handled []Handled
	s := start(t, github, func(o *Options) { o.Queue = 1; o.Handled = func(h Handled) { handled = append(handled, h) } })
	if code := deliver(s, "1"); code != 202 {
		t.Fatal(code)
	}
	<-asked
	if code := deliver(s, "2"); code != 500 {
		t.Errorf("a full queue answers %d", code)
	}
	close(hold)
	_, err := s.Idle(t.Context())
	check(t, err)
	if code := deliver(s, "2"); code != 202 {
		t.Errorf("the redelivery is answered with %d", code)
	}
	taken, err := s.Idle(t.Context())
	check(t, err)
	if taken != 2 || len(handled) != 2 || handled[0].Err == nil {
		t.Errorf("%d taken, handled %+v", taken, handled)
	}
}

// TestFailedDelivery: what failed outside is tried again after a pause, and at
// last forgotten, so that sending it again from the log has it handled.
func TestFailedDelivery(t *testing.T) {
	tries := 0
	github := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { tries++; w.WriteHeader(404) })
	var handled []Handled
	s := start(t, github, func(o *Options) { o.Handled = func(h Handled) { handled = append(handled, h) } })
	for n := 1; n <= 2; n++ {
		if code := deliver(s, "1"); code != 202 {
			t.Fatalf("answered with %d", code)
		}
		_, err := s.Idle(t.Context())
		check(t, err)
		if len(handled) != n || handled[n-1].Err == nil || tries != n*(1+len(pauses)) {
			t.Errorf("delivery %d: handled %+v in %d tries", n, handled, tries)
		}
	}
}

// TestUnfinished: a refusal is an answer; a failure is none, also one of an
// effect that only informs.
func TestUnfinished(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		handled Handled
		want    bool
	}{
		"nothing to do":           {Handled{}, false},
		"facts cannot be read":    {Handled{Err: broken}, true},
		"done":                    {Handled{Results: bot.Results{{State: bot.StateDone}, {State: bot.StateAlready}}}, false},
		"refused, one held":       {Handled{Err: broken, Results: bot.Results{{State: bot.StateRefused, Err: broken}, {State: bot.StateHeld, Err: broken}}}, false},
		"a courtesy failed":       {Handled{Results: bot.Results{{Intent: bot.Intent{Courtesy: true}, State: bot.StateFailed, Err: broken}}}, true},
		"a limit":                 {Handled{Results: bot.Results{{State: bot.StatePostponed, Err: broken}}}, true},
		"done, but doubles there": {Handled{Results: bot.Results{{State: bot.StateDone, Err: broken}}}, true},
	} {
		if got := c.handled.unfinished(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestHealth(t *testing.T) {
	s := start(t, http.NotFoundHandler(), func(*Options) {})
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
	if w.Code != 200 {
		t.Error(w.Code)
	}
}

func TestWithoutSecretNothingStarts(t *testing.T) {
	for _, secrets := range [][]hook.Secret{nil, {hook.Secret("")}} {
		if _, err := New(context.Background(), Options{AppID: 1, PrivateKey: testKey(), Secrets: secrets}); err == nil {
			t.Errorf("started with secrets %q", secrets)
		}
	}
}

func TestCloneURL(t *testing.T) {
	for api, want := range map[string]string{
		"":                                  "https://github.com/o/r.git",
		"https://api.github.com/":           "https://github.com/o/r.git",
		"https://github.example.com/api/v3": "https://github.example.com/o/r.git",
	} {
		if got, err := cloneURL(api, "o/r"); got != want || err != nil {
			t.Errorf("%q: %q, %v", api, got, err)
		}
	}
}

// TestGitGetsTheTokenByItsEnvironment: others can read the arguments of a
// process, and nothing of our own environment may reach git.
func TestGitGetsTheTokenByItsEnvironment(t *testing.T) {
	t.Setenv("SWEEPBOT_TEST_PRIVATE", "x")
	env := gitEnvironment("ghs_1")
	if !slices.ContainsFunc(env, func(line string) bool { return strings.HasPrefix(line, "GIT_CONFIG_VALUE_4=Authorization: Basic ") }) {
		t.Errorf("no header in %q", env)
	}
	if slices.ContainsFunc(env, func(line string) bool { return strings.Contains(line, "PRIVATE") }) {
		t.Errorf("our environment leaks: %q", env)
	}
	if slices.ContainsFunc(gitEnvironment(""), func(line string) bool { return strings.Contains(line, "Authorization") }) {
		t.Error("a header without a token")
	}
}

func TestHostileBranchNames(t *testing.T) {
	for name, plain := range map[string]bool{
		"main": true, "feature/x": true, "main:refs/heads/x": false, "*": false, "a b": false, "a^": false, "a\nb": false,
	} {
		if plainRef(name) != plain {
			t.Errorf("%q: %v", name, !plain)
		}
	}
}

// TestGoingDown: what was taken before the end is worked on, and what comes
// after it is refused.
func TestGoingDown(t *testing.T) {
	asked, hold := make(chan struct{}, 10), make(chan struct{})
	github := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked <- struct{}{}; <-hold; w.WriteHeader(404) })
	handled := 0
	s := start(t, github, func(o *Options) { o.Handled = func(Handled) { handled++ } })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	if code := deliver(s, "1"); code != 202 {
		t.Fatal(code)
	}
	<-asked
	cancel()
	close(hold)
	check(t, <-ended)
	if handled != 1 {
		t.Errorf("%d deliveries were worked on", handled)
	}
	if code := deliver(s, "2"); code != 500 {
		t.Errorf("after the end: %d", code)
	}
}
