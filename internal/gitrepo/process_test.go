package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func removeFile(t testing.TB, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

const fakeMessage = "answered"

// fakeAnswer is a whole answer of a batch process: a commit.
func fakeAnswer() string {
	body := "tree " + strings.Repeat("b", 40) + "\nauthor A <a@b> 1 +0000\n\n" + fakeMessage
	return fmt.Sprintf("%s commit %d\n%s\n", strings.Repeat("a", 40), len(body), body)
}

// fakeGit plays a git that misbehaves, in a process of its own. The file in
// GITREPO_STARTS gets a byte for every start.
func fakeGit(mode string) int {
	starts := os.Getenv("GITREPO_STARTS")
	before, _ := os.ReadFile(starts)
	if err := os.WriteFile(starts, append(before, '.'), 0o600); err != nil {
		return 3
	}
	asked := bufio.NewScanner(os.Stdin)
	asked.Scan()
	switch mode {
	case "dies":
		fmt.Fprintln(os.Stderr, "a warning\nfatal: out of \x1b[31mluck")
		return 128
	case "dies once":
		if len(before) == 0 {
			fmt.Print(fakeAnswer()) // then leaves the rest unanswered
			return 1
		}
		for fmt.Print(fakeAnswer()); asked.Scan(); {
			fmt.Print(fakeAnswer())
		}
	case "hangs":
		for asked.Scan() {
		}
	case "endless":
		for block := strings.Repeat("x", 1<<16); ; {
			if _, err := fmt.Print(block); err != nil {
				return 1
			}
		}
	case "promisor":
		fmt.Fprintln(os.Stderr, "fatal: could not fetch "+strings.Repeat("c", 40)+" from promisor remote")
		return 128
	default:
		fmt.Print(mode)
	}
	return 0
}

// openFake opens a repository whose git is fakeGit. The function tells how
// often that was started.
func openFake(t *testing.T, mode string) (*Repo, func() int) {
	dir, _ := oneCommit(t, "a", "1")
	r := open(t, dir)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	starts := filepath.Join(t.TempDir(), "starts")
	r.program = self
	r.environ = append(slices.Clone(r.environ), "GITREPO_FAKE="+mode, "GITREPO_STARTS="+starts, "GOCOVERDIR="+t.TempDir())
	return r, func() int {
		data, _ := os.ReadFile(starts)
		return len(data)
	}
}

func TestProcessFaults(t *testing.T) {
	a := strings.Repeat("a", 40)
	for _, c := range []struct{ name, mode, words string }{
		{"dies with a reason", "dies", `fatal: out of \x1b[31mluck`},
		{"closes", "", "EOF"},
		{"garbage", "hello world\n", "hello world"},
		{"line without end", "endless", "buffer full"},
		{"unknown kind", a + " blub 3\nabc\n", "blub"},
		{"no size", a + " commit x\n", "no size"},
		{"negative size", a + " commit -5\n", "no size"},
		{"short body", a + " commit 100\nabc\n", "EOF"},
		{"body too long", a + " commit 3\nabcd\n", "line end"},
		{"answer to another name", "other missing\n", "other missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			mode := c.mode
			if mode == "" {
				mode = "\x01" // an empty mode would run the tests
			}
			r, starts := openFake(t, mode)
			_, err := r.Commit(t.Context(), "main")
			wantCode(t, err, "gitrepo.git-failed")
			if mode != "\x01" && !strings.Contains(err.Error(), c.words) {
				t.Errorf("%v does not say %q", err, c.words)
			}
			if strings.ContainsAny(err.Error(), "\x1b\n") {
				t.Errorf("control characters reach the user: %q", err)
			}
			if starts() != 2 {
				t.Errorf("started %d times, want twice", starts())
			}
		})
	}
}

// A process that died is started again, and only what is left is asked again.
func TestProcessRestart(t *testing.T) {
	r, starts := openFake(t, "dies once")
	commits, err := r.Commits(t.Context(), "one", "two")
	if err != nil || len(commits) != 2 || commits[1].Message != fakeMessage {
		t.Fatalf("%v, %v", commits, err)
	}
	if starts() != 2 {
		t.Errorf("started %d times, want twice", starts())
	}
}

// A size is believed before it is allocated, and refused.
func TestProcessHugeSize(t *testing.T) {
	r, _ := openFake(t, strings.Repeat("a", 40)+" commit 9000000000000000000\n")
	_, err := r.Commit(t.Context(), "main")
	wantCode(t, err, "gitrepo.too-large")
}

func TestProcessOldGitDiesFetching(t *testing.T) {
	r, _ := openFake(t, "promisor")
	_, err := r.Commit(t.Context(), strings.Repeat("c", 40))
	wantCode(t, err, "gitrepo.commit-missing")
}

func TestProcessNoGit(t *testing.T) {
	dir, _ := oneCommit(t, "a", "1")
	r := open(t, dir)
	r.program = "git-of-no-such-name"
	_, err := r.Commit(t.Context(), "HEAD")
	wantCode(t, err, "gitrepo.git-absent")
	if !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("%v does not wrap the cause", err)
	}
}

// A cancelled read returns, and the repository goes on serving others.
func TestCancelledRead(t *testing.T) {
	r, _ := openFake(t, "hangs")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := r.Commit(ctx, "main")
		done <- err
	}()
	waiting, giveUp := context.WithCancel(t.Context())
	go func() {
		_, err := r.Commit(waiting, "main") // hangs, or waits for its turn
		done <- err
	}()
	giveUp()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("waiting read: %v", err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled read: %v", err)
	}
	if _, ok := AsFinding(stopped(context.Canceled)); ok {
		t.Error("cancellation is reported as a finding about the repository")
	}
	r.program = "git"
	if _, err := r.Commit(t.Context(), "main"); err != nil {
		t.Fatalf("after cancellation: %v", err)
	}
}

// A context that is over stops even what the cache could answer.
func TestCancelledBefore(t *testing.T) {
	dir, id := oneCommit(t, "a", "1")
	r := open(t, dir)
	tree, err := r.Tree(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tree.ReadFile("a"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, inCommit := r.Commit(ctx, id)
	_, inTree := tree.With(ctx).ReadFile("a")
	_, inBase := r.MergeBase(ctx, id, "HEAD")
	_, inRun, _ := r.run(ctx, 1, "version")
	for _, err := range []error{inCommit, inTree, inBase} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want a cancellation", err)
		}
	}
	if inRun != 0 {
		t.Error(inRun)
	}
	if _, err := tree.ReadFile("a"); err != nil {
		t.Errorf("under a live context: %v", err)
	}
}

func TestRunBoundsOutput(t *testing.T) {
	dir, _ := oneCommit(t, "a", "1")
	_, _, err := open(t, dir).run(t.Context(), 10, "rev-list", "HEAD")
	if wantCode(t, err, "gitrepo.git-failed"); !errors.Is(err, errOutput) {
		t.Errorf("%v does not wrap the cause", err)
	}
}

// However many names there are, no more is written ahead than a pipe takes.
func TestPackNeverExceedsAPipe(t *testing.T) {
	names := slices.Repeat([]string{strings.Repeat("a", 64), "b", strings.Repeat("c", 1034)}, 500)
	var joined strings.Builder
	for len(names) > 0 {
		count, lines := pack(names)
		if count < 1 || len(lines) > maxRequest {
			t.Fatalf("%d names, %d bytes", count, len(lines))
		}
		joined.Write(lines)
		names = names[count:]
	}
	if got := strings.Count(joined.String(), "\n"); got != 1500 {
		t.Errorf("%d names written", got)
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	kept := &tail{max: 5}
	for _, s := range []string{"abc", "defgh", "", "ij"} {
		if n, err := kept.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatal(n, err)
		}
	}
	if kept.String() != "fghij" {
		t.Errorf("kept %q", kept)
	}
}
