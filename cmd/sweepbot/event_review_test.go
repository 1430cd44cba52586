package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/checks/signoff"
	"github.com/sweepbot/sweepbot/testdata"
)

// The people of the reviews.
const (
	reviewAuthor = "nora-author"
	reviewOwner  = "boreal-owner"
	reviewOther  = "milo-maintains"
)

// reviewScene is a GitHub with the two files that install sweepbot for reviews.
// Their jobs are run by the command, one at a time, each on a clone of the
// default branch as the checkout leaves it.
type reviewScene struct {
	*testing.T
	github  *sandbox.Server
	clock   *sandbox.Clock
	jobs    chan reviewJob
	account string
	dir     string
	pull    int
}

// reviewJob is a run of sweepbot.yml that waits for the test.
type reviewJob struct {
	sandbox.RunRequest
	done chan struct{}
}

const relayFile, callerFile = ".github/workflows/sweepbot-relay.yml", ".github/workflows/sweepbot.yml"

func newReviewScene(t *testing.T, fork bool) *reviewScene {
	t.Helper()
	s := &reviewScene{T: t, jobs: make(chan reviewJob, 100), dir: t.TempDir(), clock: sandbox.NewClock(time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC), 0)}
	files, err := testdata.Sample()
	s.must(err)
	read := func(path ...string) []byte {
		data, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
		s.must(err)
		return data
	}
	files[relayFile] = &fstest.MapFile{Data: read("docs", "examples", "sweepbot-relay.yml"), Mode: 0o644}
	files[callerFile] = &fstest.MapFile{Data: read("docs", "examples", "sweepbot.yml"), Mode: 0o644}
	files["docs/PR_REVIEW_CHECKLIST.md"] = &fstest.MapFile{Data: read("app", "story", "files", "PR_REVIEW_CHECKLIST.md"), Mode: 0o644}
	s.github, err = sandbox.Start(context.Background(), sandbox.Options{
		Repository: "example/sample-bench", Seed: files, Clock: s.clock.Now, Random: 1, Engine: sandbox.EngineFunc(s.work),
		People: []sandbox.Account{{Login: reviewAuthor, Role: map[bool]string{true: "none", false: "write"}[fork]}, {Login: reviewOwner, Role: "write", Member: "public"}, {Login: reviewOther, Role: "maintain"}},
	})
	s.must(err)
	t.Cleanup(func() { s.must(s.github.Close()) })
	master, ok := files["configs/boreal-master.yaml"]
	if !ok {
		t.Fatal("the sample has no configs/boreal-master.yaml")
	}
	s.pull, err = s.github.As(reviewAuthor).OpenPR(t.Context(), sandbox.PullSpec{
		Title: "More", Branch: "more", Fork: fork, Edit: sandbox.Edit{Files: map[string]string{"configs/boreal-master.yaml": string(master.Data) + "# more\n"}},
	})
	s.must(err)
	s.serve()
	return s
}

func (s *reviewScene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// work leaves the jobs that hear of reviews to the test: the condition of
// signoff.yml lets no other run.
func (s *reviewScene) work(ctx context.Context, r sandbox.RunRequest) {
	var payload struct {
		Action string
		Run    struct{ Event string } `json:"workflow_run"`
	}
	if r.WorkflowPath != callerFile || json.Unmarshal(r.Payload, &payload) != nil || payload.Action != "completed" || !strings.HasPrefix(payload.Run.Event, "pull_request_review") {
		r.Handle.StartJob(sandbox.JobSpec{Name: "happened"}).Finish("success")
		return
	}
	j := reviewJob{r, make(chan struct{})}
	s.jobs <- j
	select {
	case <-j.done:
	case <-ctx.Done():
	}
}

// serve runs the jobs until there are none, and returns how many there were.
func (s *reviewScene) serve() int {
	s.Helper()
	for n := 0; ; n++ {
		open := slices.ContainsFunc(s.github.Runs(), func(r sandbox.RunState) bool { return r.Status != "completed" })
		if !open {
			return n
		}
		select {
		case j := <-s.jobs:
			s.run(j)
			close(j.done)
		case <-time.After(50 * time.Millisecond): // a run that is about to start or to end
			n--
		}
	}
}

// run runs the command of signoff.yml with what that job has.
func (s *reviewScene) run(j reviewJob) {
	s.Helper()
	clone := filepath.Join(s.dir, "clone-"+strconv.FormatInt(j.RunID, 10)+"-"+strconv.Itoa(j.Attempt))
	if said, err := exec.Command("git", "clone", "--quiet", j.CloneURL, clone).CombinedOutput(); err != nil {
		s.Fatal(string(said))
	}
	token := j.Handle.Token(map[string]string{
		"actions": "read", "checks": "read", "contents": "read", "issues": "write", "pull-requests": "write", "statuses": "write",
	})
	event := filepath.Join(s.dir, "event.json")
	s.must(os.WriteFile(event, j.Payload, 0o600))
	for _, name := range []string{"output", "summary"} {
		s.must(os.WriteFile(filepath.Join(s.dir, name), nil, 0o600))
	}
	for name, value := range map[string]string{
		"GITHUB_API_URL": s.github.URL() + "/api/v3", "GITHUB_TOKEN": token, "GITHUB_REPOSITORY": j.Repository, "GITHUB_EVENT_NAME": j.Event,
		"GITHUB_EVENT_PATH": event, "GITHUB_RUN_ID": strconv.FormatInt(j.RunID, 10), "GITHUB_ACTIONS": "true",
		"GITHUB_OUTPUT": filepath.Join(s.dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(s.dir, "summary"),
	} {
		s.Setenv(name, value)
	}
	if s.account == "" {
		s.account = s.accountOf(token)
	}
	var out, err bytes.Buffer
	if code := run([]string{"event", "--repo", clone, "--account", s.account, "--bundle-out", filepath.Join(s.dir, "bundle.zip")}, strings.NewReader(""), &out, &err); code != exitOK {
		s.Errorf("the job is red, %d:\n%s%s", code, &out, &err)
	}
	j.Handle.StartJob(sandbox.JobSpec{Name: "event"}).Finish("success")
}

// accountOf is the numeric id of the account of jobs.
func (s *reviewScene) accountOf(token string) string {
	req, err := http.NewRequestWithContext(s.Context(), http.MethodGet, s.github.URL()+"/api/v3/users/github-actions%5Bbot%5D", nil)
	s.must(err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	s.must(err)
	defer resp.Body.Close()
	var user struct{ ID int64 }
	s.must(json.NewDecoder(resp.Body).Decode(&user))
	return strconv.FormatInt(user.ID, 10)
}

// verdicts are the comments of verdicts by their keys.
func (s *reviewScene) verdicts() map[string]string {
	out := make(map[string]string)
	for _, c := range s.github.Comments(s.pull) {
		if rest, ok := strings.CutPrefix(c.Body, "<!-- codeowner-signoff-verify signoff="); ok && c.Author == "github-actions[bot]" {
			key, _, _ := strings.Cut(rest, " ")
			out[key] = c.Body
		}
	}
	return out
}

// A sign-off by review summary and one by inline comment are answered in
// Actions, on a pull request of the repository and on one of a fork: once each,
// again when their author edits them, never for an edit of somebody else or for
// a run that is repeated.
func TestStoryOfReviewsInActions(t *testing.T) {
	for name, fork := range map[string]bool{"same repository": false, "fork": true} {
		t.Run(name, func(t *testing.T) {
			s := newReviewScene(t, fork)
			ctx, owner := t.Context(), s.github.As(reviewOwner)
			body := "As a PR reviewer and CODEOWNER, I have reviewed this and have:\n- [x] nothing\n"
			review, err := owner.Review(ctx, s.pull, "COMMENT", body)
			s.must(err)
			line, err := owner.CommentOnLine(ctx, s.pull, "configs/boreal-master.yaml", 1, body)
			s.must(err)
			s.serve()
			keys := []string{"pullrequestreview-" + strconv.FormatInt(review, 10), "discussion_r" + strconv.FormatInt(line, 10)}
			first := s.verdicts()
			for _, key := range keys {
				if !strings.Contains(first[key], "Check 0 (CODEOWNER): PASS") || !strings.Contains(first[key], "Check 5 (Checklist template): FAIL") {
					t.Errorf("%s:\n%s", key, first[key])
				}
			}
			s.clock.Advance(time.Hour)
			s.must(s.github.As(reviewOther).EditLineComment(ctx, s.pull, line, body+"\n/x\n"))
			s.serve()
			for _, r := range s.github.Runs() {
				if r.Path == relayFile {
					s.must(s.github.As(reviewOther).Rerun(ctx, r.ID, false))
				}
			}
			if s.serve() == 0 {
				t.Error("nothing ran")
			}
			if diff := cmp.Diff(first, s.verdicts()); diff != "" {
				t.Errorf("an edit by another, or a repeated run, changed a verdict:\n%s", diff)
			}
			s.clock.Advance(time.Hour)
			checklist, err := os.ReadFile(filepath.Join("..", "..", "app", "story", "files", "PR_REVIEW_CHECKLIST.md"))
			s.must(err)
			whole := strings.ReplaceAll(signoff.Template(string(checklist)), "- [ ]", "- [x]")
			s.must(owner.EditReview(ctx, s.pull, review, whole))
			s.must(owner.EditLineComment(ctx, s.pull, line, whole))
			s.serve()
			second := s.verdicts()
			for _, key := range keys {
				if len(second) != 2 || !strings.Contains(second[key], "Check 5 (Checklist template): PASS") {
					t.Errorf("%s:\n%s", key, second[key])
				}
			}
		})
	}
}
