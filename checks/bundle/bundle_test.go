package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/draft"
	"github.com/sweepbot/sweepbot/checks/given"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// clone makes a repository of two commits and returns its history and their
// ids.
func clone(t *testing.T) (history checks.History, base, head string) {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A\xff", "GIT_AUTHOR_EMAIL=secret@example.com",
			"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=secret@example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write(".github/CODEOWNERS", "* @acme/core\nconfigs/ @nia @acme/amd\n")
	write("configs/amd-master.yaml", "{}\n")
	write("docs/PR_REVIEW_CHECKLIST.md", "# Template\n```\nAs a PR reviewer and CODEOWNER, I have reviewed this and have:\n- [ ] Verified that the sweep passed\n```\n")
	git("add", "-A")
	git("commit", "-q", "-m", "base")
	base = git("rev-parse", "HEAD")
	write("configs/amd-master.yaml", "{}\n# more\n")
	write("odd\xff.txt", "x")
	git("add", "-A")
	git("commit", "-q", "-m", "change")
	repo, err := gitrepo.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = repo.Close() })
	return checks.GitHistory{Repo: repo}, base, git("rev-parse", "HEAD")
}

func documents() *given.Documents {
	at := func(minute int) time.Time { return time.Date(2026, 11, 1, 10, minute, 0, 0, time.UTC) }
	d := &given.Documents{
		Teams: map[string]checks.Membership{"acme/amd": checks.NotMember, "acme/core": checks.Unreadable},
		Runs:  map[int64]checks.Run{7: {ID: 7, Name: "Run Sweep", HeadSHA: strings.Repeat("a", 40)}},
		Jobs:  map[int64][]checks.Job{7: {}}, Artifacts: map[int64][]checks.Artifact{7: {}},
		CheckRuns: map[string][]checks.CheckRun{strings.Repeat("a", 40): {}},
		Pages:     map[string]string{"https://docs.example/x": "page\xff"},
		Images:    map[string]checks.Image{"a/b:c": {Reference: "a/b:c", Exists: true}},
		Files:     map[int64]map[string][]byte{3: {"dir/agg.json": []byte("[1]"), "../up": {0, 255}}},
		Absent:    []string{"runs/8"}, Unreadable: []string{"pull"},
	}
	for i := range 12 {
		d.Comments = append(d.Comments, checks.Comment{
			ID: int64(100 + i), User: checks.Account{Login: fmt.Sprint("user", i)}, Association: "MEMBER", Body: fmt.Sprintf("/use %d", 7+i), Created: at(i / 2),
		})
		d.Jobs[7] = append(d.Jobs[7], checks.Job{ID: int64(i + 1), RunID: 7, Name: fmt.Sprint("job ", i)})
		d.Artifacts[7] = append(d.Artifacts[7], checks.Artifact{ID: int64(i + 1), Name: fmt.Sprint("art", i)})
		sha := strings.Repeat("a", 40)
		d.CheckRuns[sha] = append(d.CheckRuns[sha], checks.CheckRun{ID: int64(i + 1), HeadSHA: sha})
	}
	return d
}

// asker is a check that asks for everything, in any order, from many
// goroutines at once.
func asker() checks.Check {
	return checks.Check{Topic: checks.TopicSweep, Needs: []checks.Need{checks.NeedRuns}, Decide: func(ctx context.Context, e *checks.Evidence) (checks.Result, error) {
		sha := strings.Repeat("a", 40)
		parts := make([]string, 13)
		asks := []func() string{
			func() string { v, err := e.Pull(ctx); return fmt.Sprint(v.Number, kind(err)) },
			func() string { v, err := e.CheckRuns(ctx, sha); return fmt.Sprint(v, kind(err)) },
			func() string { v, err := e.Run(ctx, 7); return fmt.Sprint(v.HeadSHA, kind(err)) },
			func() string { v, err := e.Run(ctx, 8); return fmt.Sprint(v.HeadSHA, kind(err)) },
			func() string { v, err := e.Run(ctx, 9); return fmt.Sprint(v.HeadSHA, kind(err)) },
			func() string { v, err := e.SweepRuns(ctx); return fmt.Sprint(v, kind(err)) },
			func() string { v, err := e.Jobs(ctx, 7); return fmt.Sprint(v, kind(err)) },
			func() string { v, err := e.Artifacts(ctx, 7); return fmt.Sprint(v, kind(err)) },
			func() string { v, err := e.ArtifactFile(ctx, 3, "dir/agg.json", 10); return fmt.Sprint(v, kind(err)) },
			func() string { v, err := e.ArtifactFile(ctx, 3, "../up", 10); return fmt.Sprint(v, kind(err)) },
			func() string {
				v, err := e.Page(ctx, "https://docs.example/x")
				return fmt.Sprint(string(v), kind(err))
			},
			func() string { v, err := e.Image(ctx, "a/b:c"); return fmt.Sprint(v, kind(err)) },
			func() string { v, err := e.UpstreamPull(ctx, "A/b", 1); return fmt.Sprint(v.Number, kind(err)) },
		}
		var group sync.WaitGroup
		for _, i := range rand.Perm(len(asks)) {
			group.Go(func() { parts[i] = asks[i]() })
		}
		group.Wait()
		return checks.Result{Status: checks.Pass, Reason: strings.Join(parts, " ")}, nil
	}}
}

func kind(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, checks.ErrNotGiven):
		return "not given"
	case errors.Is(err, checks.ErrUnreadable):
		return "unreadable"
	case errors.Is(err, fs.ErrNotExist):
		return "absent"
	}
	return err.Error()
}

func registry(t *testing.T) *checks.Registry {
	t.Helper()
	r, err := checks.NewRegistry(checks.CodeOwner(), checks.ReuseCommand(), checks.Template(), asker(), lister())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lister is a check that asks git for everything.
func lister() checks.Check {
	return checks.Check{Topic: checks.TopicEvals, Needs: []checks.Need{checks.NeedGit}, Decide: func(ctx context.Context, e *checks.Evidence) (checks.Result, error) {
		tree, err := e.HeadTree(ctx)
		if err != nil {
			return checks.Result{}, err
		}
		_, absent := tree.ReadFile("nothing/here")
		_, folder := tree.ReadFile("configs")
		list, err := tree.List("")
		entry, statErr := tree.Stat("configs/amd-master.yaml")
		commits, commitsErr := e.Commits(ctx)
		if err := errors.Join(err, statErr, commitsErr); err != nil {
			return checks.Result{}, err
		}
		return checks.Result{Status: checks.Pass, Reason: fmt.Sprint(absent, folder, list, entry, commits, tree.Commit())}, nil
	}}
}

func verify(t *testing.T, history checks.History, base, head string, d *given.Documents) *Verification {
	t.Helper()
	c := checks.Case{
		PR: 12, Base: base, Target: base, Head: head, Signer: "nia", Association: "MEMBER", Date: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC),
		SignOff: &checks.SignOff{Key: "issuecomment-1", Body: "As a PR reviewer and CODEOWNER, I have reviewed this and have:\n- [x] Verified that the sweep passed\n"},
	}
	v, err := Verify(t.Context(), registry(t), c, "2026-09", given.Source{Documents: d}, history)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func archive(t *testing.T, v *Verification) []byte {
	t.Helper()
	data, err := v.Archive()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestReplay(t *testing.T) {
	history, base, head := clone(t)
	v := verify(t, history, base, head, documents())
	data := archive(t, v)
	again, err := Replay(t.Context(), registry(t), "bundle.zip", data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(v.Results, again.Results); diff != "" {
		t.Errorf("results differ:\n%s", diff)
	}
	if !bytes.Equal(data, archive(t, again)) {
		t.Error("the replay has other bytes")
	}
	if v.Results[0].Status != checks.Pass || v.Results[4].Status != checks.Pass || v.Results[5].Status != checks.Pass {
		t.Errorf("%+v", v.Results)
	}
	entries, err := given.Unzip("bundle.zip", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if bytes.Contains(e.Data, []byte("secret@example.com")) {
			t.Errorf("%s holds a mail address", e.Name)
		}
	}
}

// A replay never asks for more than was recorded: another version that does
// says so instead of guessing.
func TestReplayOfAnotherQuestion(t *testing.T) {
	history, base, head := clone(t)
	data := archive(t, verify(t, history, base, head, documents()))
	more, err := checks.NewRegistry(checks.Check{Topic: checks.TopicSweep, Decide: func(ctx context.Context, e *checks.Evidence) (checks.Result, error) {
		tree, err := e.HeadTree(ctx)
		if err != nil {
			return checks.Result{}, err
		}
		_, err = tree.ReadFile("another")
		return checks.Result{}, err
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Replay(t.Context(), more, "b.zip", data); err == nil || !strings.Contains(err.Error(), "does not hold") {
		t.Errorf("got %v", err)
	}
}

// The same evidence in any order, asked in any order, gives the same bytes.
func TestSameEvidenceSameBytes(t *testing.T) {
	history, base, head := clone(t)
	d := documents()
	want := archive(t, verify(t, history, base, head, d))
	recorded, err := Replay(t.Context(), registry(t), "b.zip", want)
	if err != nil {
		t.Fatal(err)
	}
	for n := range shuffles() {
		shuffle(d.Comments)
		shuffle(d.Jobs[7])
		shuffle(d.Artifacts[7])
		shuffle(d.CheckRuns[strings.Repeat("a", 40)])
		v := verify(t, archived{recorded.history}, base, head, d)
		if got := archive(t, v); !bytes.Equal(got, want) {
			t.Fatalf("run %d has other bytes", n)
		}
	}
}

func shuffle[T any](list []T) {
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

func TestReplayRefuses(t *testing.T) {
	good, err := zipped(map[string][]byte{"case.json": []byte(`{"format":2,"date":"2026-11-18"}`)})
	if err != nil {
		t.Fatal(err)
	}
	none, err := zipped(map[string][]byte{"x.json": []byte(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	broken, err := zipped(map[string][]byte{"case.json": []byte(`{"format":`)})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		data []byte
		code string
	}{
		"format": {good, "checks.bundle-file"}, "none": {none, "checks.bundle-none"}, "broken": {broken, "checks.bundle-file"},
		"cut": {good[:len(good)-9], "checks.bundle-zip"}, "text": {[]byte("hello"), "checks.bundle-zip"},
	} {
		_, err := Replay(t.Context(), registry(t), "b.zip", c.data)
		var f diag.Finding
		if !errors.As(err, &f) || f.Code != c.code || f.Category != "unreadable" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFactsAreReplayed holds that a draft's facts go into the bundle and come
// out of it again, offline.
func TestFactsAreReplayed(t *testing.T) {
	history, base, head := clone(t)
	d := documents()
	d.Unreadable = nil
	d.Pull = &checks.Pull{Number: 12, Head: checks.Ref{Ref: "topic", SHA: head}}
	d.Runs = map[int64]checks.Run{
		7: {ID: 7, HeadSHA: head, HeadBranch: "topic", Event: "pull_request", Conclusion: "success", Path: ".github/workflows/run-sweep.yml"},
		8: {ID: 8, HeadSHA: head, HeadBranch: "other", Event: "pull_request", Path: ".github/workflows/run-sweep.yml"},
	}
	d.Jobs[7] = append(d.Jobs[7], checks.Job{ID: 99, RunID: 7, Name: "agentic / / p1 | a", Conclusion: "success"})
	c := checks.Case{Repository: "acme/bench", PR: 12, Base: base, Target: base, Head: head, Signer: "nia", Date: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC)}
	v, err := Verify(t.Context(), registry(t), c, "2026-11", given.Source{Documents: d}, history)
	if err != nil {
		t.Fatal(err)
	}
	first, err := draft.Of(t.Context(), v.Evidence(), v.Results)
	if err != nil || !strings.Contains(first, "run 7 on head "+head[:8]+": success; jobs 1/1 agentic.") {
		t.Fatalf("%v\n%s", err, first)
	}
	data, err := v.Archive()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Replay(t.Context(), registry(t), "bundle.zip", data)
	if err != nil {
		t.Fatal(err)
	}
	second, err := draft.Of(t.Context(), again.Evidence(), again.Results)
	if diff := cmp.Diff(first, second); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
	if more, err := again.Archive(); err != nil || !bytes.Equal(more, data) {
		t.Errorf("the bundle of the replay differs, %v", err)
	}
}

// shuffles is how often evidence is shuffled. The race detector, which runs the
// short tests, does not need all of them: the whole number has been run before.
func shuffles() int {
	if testing.Short() {
		return 200
	}
	return 1000
}
