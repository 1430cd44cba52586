package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// A labelled change of real history is planned, its points run through a
// launcher on this machine, and their results are collected.
func TestSweepOfRealHistory(t *testing.T) {
	corpus := os.Getenv("SWEEPBOT_CORPUS")
	if corpus == "" {
		corpus = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	bundle := filepath.Join(corpus, "data.bundle")
	if _, err := os.Stat(bundle); err != nil {
		if os.Getenv("SWEEPBOT_REQUIRE_CORPUS") == "1" {
			t.Fatalf("the corpus is required and not found: %v", err)
		}
		t.Skip("no corpus found; set SWEEPBOT_CORPUS to its directory")
	}
	if testing.Short() {
		t.Skip("runs real processes for real history")
	}
	dir := t.TempDir()
	clone := exec.Command("git", "clone", "-q", "--bare", bundle, filepath.Join(dir, "bench"))
	if text, err := clone.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	launcher, err := filepath.Abs("../../testdata/sample/runners/launch_boreal-rack.sh")
	if err != nil {
		t.Fatal(err)
	}
	// Multi-node agentic points, one of them aggregate, and an eval.
	var out, report bytes.Buffer
	sweep := newSweepCommand(&streams{out: &out, err: &report, lang: catalog.English})
	sweep.SetArgs([]string{
		"--local", "--repo", filepath.Join(dir, "bench"), "--preset", "inferencex-2026-08", "--base", "case-0154-base", "--head", "case-0154-head",
		"--label", "full-sweep-fail-fast", "--launcher", launcher, "--jobs", "4", "--out", filepath.Join(dir, "out"),
	})
	if err := sweep.ExecuteContext(context.Background()); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out.String(), report.String())
	}
	if !strings.Contains(out.String(), "9 points planned: 9 passed, 0 failed") {
		t.Errorf("%s", out.String())
	}
	var table bytes.Buffer
	collect := newCollectCommand(&streams{out: &table, err: &report, lang: catalog.English})
	collect.SetArgs([]string{filepath.Join(dir, "out"), "--csv"})
	if err := collect.ExecuteContext(context.Background()); err != nil {
		t.Fatalf("%v\n%s", err, report.String())
	}
	if lines := strings.Count(table.String(), "\n"); lines != 10 {
		t.Errorf("%d lines:\n%s", lines, table.String())
	}
}
