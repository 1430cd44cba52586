package act

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// github answers the few questions that jobs ask of the API: comments of the
// pull request, and the jobs of the run. It keeps what was asked.
type github struct {
	server      *httptest.Server
	certificate string
	asked       []string
}

func newGitHub(t *testing.T, comments string) *github {
	t.Helper()
	g := &github{certificate: filepath.Join(t.TempDir(), "ca.pem")}
	g.server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.asked = append(g.asked, r.Method+" "+r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/issues/7/comments"):
			_, _ = w.Write([]byte(comments))
		case strings.Contains(r.URL.Path, "/actions/runs/"):
			_, _ = w.Write([]byte(`{"total_count":2,"jobs":[` +
				`{"id":1,"run_id":1,"name":"eval / p1.500 | orchid fp8 cluster:aurora vllm TP1 c16 | eval-only","status":"completed","conclusion":"success"},` +
				`{"id":2,"run_id":1,"name":"setup","status":"completed","conclusion":"success"}]}`))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(g.server.Close)
	block := &pem.Block{Type: "CERTIFICATE", Bytes: g.server.Certificate().Raw}
	if err := os.WriteFile(g.certificate, pem.EncodeToMemory(block), 0o644); err != nil {
		t.Fatal(err)
	}
	return g
}

// host is the name of the server for act, which adds https:// and /api/v3.
func (g *github) host() string { return strings.TrimPrefix(g.server.URL, "https://") }
