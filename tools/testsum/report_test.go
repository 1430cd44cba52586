package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	stream := strings.Join([]string{
		`{"Action":"start","Package":"p"}`,
		`{"Action":"output","Package":"p","Test":"TestQuiet","Output":"noise\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestQuiet"}`,
		`{"Action":"output","Package":"p","Test":"TestBad","Output":"    a_test.go:3: got 1, want 2\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestBad"}`,
		`{"Action":"output","Package":"p","Test":"TestCorpus","Output":"=== RUN   TestCorpus\n"}`,
		`{"Action":"output","Package":"p","Test":"TestCorpus","Output":"    a_test.go:9: no corpus\n"}`,
		`{"Action":"skip","Package":"p","Test":"TestCorpus"}`,
		`{"Action":"output","Package":"p","Test":"TestCrash","Output":"panic: boom\n"}`,
		`{"Action":"output","Package":"p","Output":"FAIL\n"}`,
		`{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}`,
		`{"Action":"fail","Package":"p"}`,
		`{"Action":"build-output","ImportPath":"q","Output":"q.go:1: undefined: x\n"}`,
		`not json`,
	}, "\n")
	var out strings.Builder
	r := newReport(&out)
	if err := r.read(strings.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	want := "    a_test.go:3: got 1, want 2\nFAIL\tp\t0.1s\npanic: boom\nq.go:1: undefined: x\nnot json\n"
	if out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
	want = "skipped: TestCorpus: a_test.go:9: no corpus\n" +
		"go test ./...: 1 tests passed, 1 failed, 1 skipped; packages: 0 ok, 1 failed\n"
	if got := r.totals("go test ./..."); got != want {
		t.Errorf("totals %q, want %q", got, want)
	}
	if err := r.err(); err != nil {
		t.Errorf("a run with a passed test is an error: %v", err)
	}
}

func TestReportOfNothing(t *testing.T) {
	if newReport(&strings.Builder{}).err() == nil {
		t.Error("a run without tests must be an error")
	}
}
