package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"sweepbot": main,
		"code":     expectCode,
	})
}

// expectCode runs "code N sweepbot ARGS" and succeeds when the exit code is N.
func expectCode() {
	want, _ := strconv.Atoi(os.Args[1])
	got := run(os.Args[3:], os.Stdin, os.Stdout, os.Stderr)
	if got != want {
		_, _ = os.Stderr.WriteString("exit code " + strconv.Itoa(got) + ", not " + strconv.Itoa(want) + "\n")
		os.Exit(1)
	}
}

// The stories are the program as a user types it. Each gets a clone of the toy
// repository in "repo", with the tag base.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup:               setUpStory,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"toy":    makeToy,
			"commit": makeCommit,
			"append": appendFile,
		},
	})
}

func setUpStory(env *testscript.Env) error {
	toy, err := filepath.Abs(filepath.Join("testdata", "toy"))
	if err != nil {
		return err
	}
	env.Setenv("TOY", toy)
	for name, value := range map[string]string{
		"HOME": env.WorkDir, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull,
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
		"GITHUB_ACTIONS": "", "NO_COLOR": "", "GOGC": "400",
	} {
		env.Setenv(name, value)
	}
	return nil
}

// makeToy is the command "toy": it makes the repository and goes there.
func makeToy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: toy")
	}
	repo := ts.MkAbs("repo")
	ts.Check(os.CopyFS(repo, os.DirFS(ts.Getenv("TOY"))))
	ts.Check(ts.Chdir(repo))
	ts.Check(ts.Exec("git", "init", "-q", "-b", "main"))
	makeCommit(ts, false, []string{"base"})
	ts.Check(ts.Exec("git", "checkout", "-q", "-b", "change"))
}

// makeCommit is the command "commit TAG": it commits everything and tags it.
func makeCommit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: commit TAG")
	}
	ts.Check(ts.Exec("git", "add", "-A"))
	ts.Check(ts.Exec("git", "commit", "-q", "-m", args[0]))
	ts.Check(ts.Exec("git", "tag", args[0]))
}

// appendFile is the command "append TO FROM": it appends one file to another.
func appendFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: append TO FROM")
	}
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_WRONLY|os.O_APPEND, 0)
	ts.Check(err)
	_, err = f.WriteString(ts.ReadFile(args[1]))
	ts.Check(err)
	ts.Check(f.Close())
}
