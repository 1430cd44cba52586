package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// bare is one bare repository. Files, trees and commits are read through
// gitrepo; what writes or compares starts git.
type bare struct {
	dir  string
	read *gitrepo.Repo
	env  []string
}

// gitConfig lets clients fetch any commit by its id, as GitHub does and
// checkout actions need, and keeps them from writing refs of pull requests.
const gitConfig = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[uploadpack]
	allowAnySHA1InWant = true
	allowFilter = true
[receive]
	hideRefs = refs/pull
	autogc = false
	denyDeleteCurrent = true
[http]
	receivepack = true
[gc]
	auto = 0
`

// newBare makes a bare repository. Objects that it does not have are looked up
// in parent, if that is not nil.
func newBare(ctx context.Context, dir, defaultBranch string, parent *bare) (*bare, error) {
	for _, sub := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			return nil, err
		}
	}
	files := map[string]string{"HEAD": "ref: refs/heads/" + defaultBranch + "\n", "config": gitConfig}
	if parent != nil {
		files["objects/info/alternates"] = filepath.Join(parent.dir, "objects") + "\n"
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	read, err := gitrepo.Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	return &bare{dir: dir, read: read, env: gitEnvironment(dir)}, nil
}

// gitEnvironment is the whole environment of a git child: nothing of the
// user's configuration may change what a story does.
func gitEnvironment(dir string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C", "GIT_DIR=" + dir,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_TERMINAL_PROMPT=0",
	}
}

// gitError is a git command that ended with an error.
type gitError struct {
	args  []string
	code  int
	words string
}

// Error names the command and what git said.
func (e *gitError) Error() string {
	return fmt.Sprintf("git %s: exit %d: %s", strings.Join(e.args, " "), e.code, strings.TrimSpace(e.words))
}

// exitCode returns the exit code of a failed git command, or -1.
func exitCode(err error) int {
	var failed *gitError
	if errors.As(err, &failed) {
		return failed.code
	}
	return -1
}

// git runs one git command and returns what it printed.
func (b *bare) git(ctx context.Context, args ...string) (string, error) {
	return b.pipe(ctx, nil, nil, args...)
}

// pipe is git with an input and additional environment.
func (b *bare) pipe(ctx context.Context, in io.Reader, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Env = append(b.env[:len(b.env):len(b.env)], env...)
	cmd.Stdin = in
	var out, words bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &words
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return out.String(), &gitError{args, exit.ExitCode(), words.String()}
	}
	return "", err
}

// refs returns every ref and the object it names.
func (b *bare) refs(ctx context.Context) (map[string]string, error) {
	out, err := b.git(ctx, "for-each-ref", "--format=%(objectname) %(refname)")
	if err != nil {
		return nil, err
	}
	all := make(map[string]string)
	for line := range strings.Lines(out) {
		oid, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		all[name] = oid
	}
	return all, nil
}

// setRef moves a ref; an empty oid deletes it.
func (b *bare) setRef(ctx context.Context, ref, oid string) error {
	args := []string{"update-ref", ref, oid}
	if oid == "" {
		args = []string{"update-ref", "-d", ref}
	}
	_, err := b.git(ctx, args...)
	return err
}

// resolve returns the commit that a revision names, or "".
func (b *bare) resolve(ctx context.Context, rev string) string {
	if rev == "" || strings.HasPrefix(rev, "-") {
		return ""
	}
	out, err := b.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

// fetch copies a branch of another repository into a ref of this one.
func (b *bare) fetch(ctx context.Context, from *bare, branch, into string) error {
	_, err := b.git(ctx, "fetch", "--quiet", "--no-tags", from.dir, "+refs/heads/"+branch+":"+into)
	return err
}
