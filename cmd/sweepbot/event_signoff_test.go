package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// signOffGitHub knows one pull request with one sign-off, and nothing else.
func signOffGitHub(t *testing.T, e *eventScene, body string) {
	t.Helper()
	comment := fmt.Sprintf(`{"id":9,"body":%q,"author_association":"MEMBER","user":{"id":400,"login":"nia","type":"User"},"html_url":"https://github.com/example/sample-bench/pull/12#issuecomment-9"}`, body)
	pull := fmt.Sprintf(`{"number":12,"state":"open","user":{"id":5,"login":"ann","type":"User"},"base":{"ref":"main","sha":%q},"head":{"ref":"topic","sha":%q,"repo":{"full_name":"example/sample-bench"}}}`, e.base, e.head)
	const repo = "/repos/example/sample-bench/"
	answers := map[string]string{
		"GET " + repo + "issues/comments/9": comment, "GET " + repo + "pulls/12": pull, "GET " + repo + "issues/12/comments": "[" + comment + "]",
		"GET " + repo + "collaborators/nia/permission": `{"permission":"write","role_name":"write","user":{"id":400,"login":"nia"}}`,
		"POST " + repo + "issues/12/comments":          "",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.requests = append(e.requests, r.Method+" "+r.URL.Path)
		w.Header().Set("Content-Type", "application/json")
		text, ok := answers[r.Method+" "+r.URL.Path]
		if r.Method == http.MethodPost {
			var said struct{ Body string }
			_ = json.NewDecoder(r.Body).Decode(&said)
			text = fmt.Sprintf(`{"id":10,"body":%q,"user":{"id":7,"login":"bot","type":"Bot"}}`, said.Body)
			answers["GET "+r.URL.Path] = "[" + comment + "," + text + "]"
		}
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			text = `{"message":"Not Found"}`
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	t.Setenv("GITHUB_API_URL", server.URL)
	t.Setenv("GITHUB_EVENT_NAME", "issue_comment")
	e.write(t, "event.json", fmt.Sprintf(`{"action":"created","issue":{"number":12,"state":"open","pull_request":{"url":"u"}},"comment":%s,
		"sender":{"id":400,"login":"nia","type":"User"},"repository":{"full_name":"example/sample-bench"}}`, comment))
}

// A verdict that is no pass is no failure of its job: it is posted, shown in
// the summary, and its evidence kept.
func TestEventOfASignOffIsGreen(t *testing.T) {
	e := newEventScene(t)
	signOffGitHub(t, e, "As a PR reviewer and CODEOWNER, I have reviewed this and have:\n- [x] nothing\n")
	t.Setenv("GITHUB_EVENT_NAME", "workflow_dispatch") // asks for one whoever owns the files
	e.write(t, "event.json", `{"inputs":{"pr-number":"12","comment_url":"https://github.com/example/sample-bench/pull/12#issuecomment-9"},
		"sender":{"id":400,"login":"nia","type":"User"},"repository":{"full_name":"example/sample-bench"}}`)
	kept := filepath.Join(e.dir, "evidence.zip")
	if code := e.handle("--account", "7", "--bundle-out", kept); code != exitOK {
		t.Fatalf("code %d\n%s%s", code, &e.out, &e.err)
	}
	if summary := e.read(t, "summary"); !strings.Contains(summary, "WARN: sign-off of @nia") || !strings.Contains(summary, "警告") {
		t.Errorf("summary:\n%s\n%s%s", summary, &e.out, strings.Join(e.requests, "\n"))
	}
	if last := e.requests[len(e.requests)-1]; last != "POST /repos/example/sample-bench/issues/12/comments" {
		t.Errorf("no verdict was posted: %v", e.requests)
	}
	archive, err := zip.OpenReader(kept)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	if _, err := archive.Open("results.json"); err != nil {
		t.Error(err)
	}
}

// A request for a draft is answered in the same job, and has no evidence to
// keep.
func TestEventOfADraftRequest(t *testing.T) {
	e := newEventScene(t)
	signOffGitHub(t, e, "/signoff-draft")
	kept := filepath.Join(e.dir, "evidence.zip")
	if code := e.handle("--account", "7", "--bundle-out", kept); code != exitOK {
		t.Fatalf("code %d\n%s%s", code, &e.out, &e.err)
	}
	if all := strings.Join(e.requests, "\n"); !strings.Contains(all, "POST /repos/example/sample-bench/issues/12/comments") {
		t.Errorf("no answer:\n%s\n%s", all, &e.out)
	}
	if _, err := zip.OpenReader(kept); err == nil {
		t.Error("a draft left evidence of a verdict")
	}
}
