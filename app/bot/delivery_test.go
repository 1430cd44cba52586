package bot

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
)

func TestParseDelivery(t *testing.T) {
	for name, want := range map[string]Delivery{
		"pull_request": {
			Name: "pull_request", Action: "labeled", ID: "d-1", Repository: repoName, Sender: maintainer, Label: failFast,
			PR: &PullRequest{
				Number: 12, Title: "Update vLLM", URL: site + "/pull/12", State: "open", Draft: true, Author: author, AuthorAssociation: "CONTRIBUTOR",
				Labels: []string{failFast, "bug"}, BaseBranch: "main", BaseSHA: shaC, HeadBranch: "topic", HeadSHA: shaA, ChangedFiles: 2,
				CreatedAt: epoch, UpdatedAt: epoch,
			},
		},
		"workflow_run": {
			Name: "workflow_run", Action: "completed", ID: "d-1", Repository: repoName, Sender: maintainer,
			Run: &Run{
				ID: 5, Attempt: 2, Name: "Run Sweep", Title: "Run Sweep - Update vLLM", URL: site + "/actions/runs/5",
				Workflow: ".github/workflows/run-sweep.yml", Event: "pull_request", Status: "completed", Conclusion: "success",
				HeadRepo: "author/sample-bench", HeadBranch: "topic", HeadSHA: shaA, Actor: author, Trigger: maintainer, PullRequests: []int{12},
				CreatedAt: epoch, UpdatedAt: epoch,
			},
		},
		"push": {
			Name: "push", ID: "d-1", Repository: repoName, Sender: maintainer,
			Push: &Push{Ref: "refs/heads/main", Branch: "main", Before: shaA, After: shaB, Message: "Update vLLM (#12)"},
		},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "payloads", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseDelivery(name, "d-1", "", data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestParseDeliveryRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"S14 broken": `{"action":`, "S15 deep": strings.Repeat("[", 100_000), "list": `[]`, "empty": "", "text for a number": `{"pull_request":{"number":"12"}}`,
		"too large": strings.Repeat(" ", MaxPayload+1),
	} {
		_, err := ParseDelivery("pull_request", "", "", []byte(data))
		var f diag.Finding
		if !errors.As(err, &f) || f.Category != "unreadable" {
			t.Errorf("%s: %v", name, err)
		}
	}
	// S13: what is not known is taken, and asks for nothing.
	s := newStage(t, AsApp)
	for _, event := range []string{"star", "", "check_run"} {
		d, err := ParseDelivery(event, "1", "", []byte(`{"action":"x","repository":{"full_name":"example/sample-bench"}}`))
		if err != nil {
			t.Fatal(err)
		}
		if decided, results := s.handle(d); len(results) != 0 {
			t.Errorf("%s: %s %s", event, decided.Story, kinds(results))
		}
	}
	if s.total() != 0 {
		t.Errorf("%d requests: %v", s.total(), s.log)
	}
}

func FuzzParseDelivery(f *testing.F) {
	for _, name := range []string{"pull_request", "workflow_run", "push"} {
		data, err := os.ReadFile(filepath.Join("testdata", "payloads", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		d, err := ParseDelivery(name, "1", repoName, data)
		if err != nil {
			return
		}
		// Whatever came, both settings take it without a panic.
		for _, setting := range []Setting{InActions, AsApp} {
			s := newStage(quiet{}, setting)
			d.Repository = repoName
			_, _ = s.bot.Decide(ctx, d)
		}
	})
}

// quiet is a tester that is content with everything.
type quiet struct{}

func (quiet) Helper()               {}
func (quiet) Error(...any)          {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatal(...any)          {}
func (quiet) Fatalf(string, ...any) {}
