package sandbox

import (
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
)

// TestStaleReads: a changed answer is shown as before for a number of reads of
// the address, whatever the change was; other kinds are up to date.
func TestStaleReads(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat", false)
	walt := as(t, s, "walt-write")
	id := must(s.As("walt-write").Comment(t.Context(), n, "one"))(t)
	list, single, labels := "issues/"+itoa(int64(n))+"/comments", "issues/comments/"+itoa(id), "issues/"+itoa(int64(n))+"/labels"
	ok(t, s.SetFaults(Faults{Stale: map[string]int{"comments": 2}}))
	walt.get(list).is(200).has("0.body", "one")
	walt.get(single).is(200).has("body", "one")
	walt.get(labels).is(200)
	ok(t, s.As("walt-write").EditComment(t.Context(), id, "two"))
	ok(t, s.As("walt-write").AddLabel(t.Context(), n, "full-sweep-fail-fast"))
	walt.get(labels).is(200).has("0.name", "full-sweep-fail-fast")
	for _, want := range []string{"one", "one", "two", "two"} {
		walt.get(list).is(200).has("0.body", want)
		walt.get(single).is(200).has("body", want)
	}
	ok(t, s.As("walt-write").DeleteComment(t.Context(), id))
	walt.get(list).is(200).has("0.body", "two")
	walt.get(single).is(404) // by its id a thing that is gone is gone
}

// TestLostAnswer: the write is done, and its answer never comes.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat", false)
	token := must(s.Token("walt-write"))(t)
	ok(t, s.SetFaults(Faults{Requests: []Fault{{Kind: "lost", Method: "POST", Times: 1}}}))
	send := func() error {
		address := s.URL() + "/api/v3/repos/" + s.Repository() + "/issues/" + itoa(int64(n)) + "/comments"
		req := must(http.NewRequest(http.MethodPost, address, strings.NewReader(`{"body":"x"}`)))(t)
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			err = resp.Body.Close()
		}
		return err
	}
	if err := send(); err == nil {
		t.Error("an answer came")
	}
	if got := len(s.Comments(n)); got != 1 {
		t.Errorf("%d comments", got)
	}
	ok(t, send())
}

// TestRunNameWithInputs: the title of a dispatched run is there from its first
// moment on.
func TestRunNameWithInputs(t *testing.T) {
	t.Parallel()
	const file = `name: Manual
run-name: Sweep ${{ inputs.what }}
on:
  workflow_dispatch:
    inputs:
      what: {required: true}
jobs:
  all:
    runs-on: ubuntu-latest
`
	s := start(t, Options{Seed: fstest.MapFS{".github/workflows/manual.yml": {Data: []byte(file)}}})
	for _, what := range []string{"PR #7", "${{ inputs.what }}"} {
		must(s.As("walt-write").Dispatch(t.Context(), "manual.yml", "main", map[string]string{"what": what}))(t)
	}
	runs := s.Runs()
	if runs[0].Title != "Sweep PR #7" || runs[1].Title != "Manual" {
		t.Errorf("titles %q, %q", runs[0].Title, runs[1].Title)
	}
}
