package serve

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// clone is a bare copy of what handlers read of one repository. Nothing of it
// is ever checked out or executed.
type clone struct {
	dir, address string
	// token returns what git proves its identity with.
	token func(context.Context) (string, error)
}

// cloneURL is the address from which git fetches, by that of the API.
func cloneURL(api, repository string) (string, error) {
	if api == "" {
		return "https://github.com/" + repository + ".git", nil
	}
	u, err := url.Parse(api)
	if err != nil {
		return "", err
	}
	return u.Scheme + "://" + strings.TrimPrefix(u.Host, "api.") + "/" + repository + ".git", nil
}

// open makes the repository unless it is there.
func (c *clone) open(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(c.dir, "HEAD")); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(c.dir), 0o700); err != nil {
		return diag.New("serve.folder", diag.Place{}, "detail", err.Error()).In("unreadable")
	}
	return c.git(ctx, "", "init", "--quiet", "--bare", c.dir)
}

// fetch brings the default branch, which becomes HEAD, another branch, and the
// heads of pull requests.
func (c *clone) fetch(ctx context.Context, defaultBranch, branch string, pulls []int) error {
	var specs []string
	for _, name := range []string{defaultBranch, branch} {
		if name != "" && plainRef(name) {
			specs = append(specs, "+refs/heads/"+name+":refs/heads/"+name)
		}
	}
	for _, n := range pulls {
		head := "refs/pull/" + strconv.Itoa(n) + "/head"
		specs = append(specs, "+"+head+":"+head)
	}
	if err := c.open(ctx); err != nil || len(specs) == 0 {
		return err
	}
	token, err := c.token(ctx)
	if err != nil {
		return err
	}
	if err := c.git(ctx, token, append([]string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", c.address}, specs...)...); err != nil {
		return err
	}
	head := "refs/heads/" + defaultBranch
	if defaultBranch == "" || !plainRef(defaultBranch) || c.headIs(head) {
		return nil
	}
	return c.git(ctx, "", "symbolic-ref", "HEAD", head)
}

// FetchCommit brings a commit of a repository, or of a fork of it, into a clone
// in dir. api is the root of GitHub's API, "" that of github.com. Errors are
// findings.
func FetchCommit(ctx context.Context, dir, api, repository, token, sha string) error {
	address, err := cloneURL(api, repository)
	if err != nil {
		return err
	}
	c := clone{dir: dir, address: address}
	return c.git(ctx, token, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", address, sha)
}

// headIs reports whether HEAD names a ref already, which saves a process for
// every delivery.
func (c *clone) headIs(ref string) bool {
	data, err := os.ReadFile(filepath.Join(c.dir, "HEAD"))
	return err == nil && string(data) == "ref: "+ref+"\n"
}

// plainRef reports whether a branch name means itself in a refspec. Git allows
// no name with the characters that do not.
func plainRef(name string) bool { return !strings.ContainsAny(name, ":*?[\\^~ \t\r\n\x00") }

// maxGitError bounds how much of what git says is kept.
const maxGitError = 300

// git runs one command on the clone. The token goes through the environment:
// arguments of processes can be read by others.
func (c *clone) git(ctx context.Context, token string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", args...)
	if args[0] != "init" {
		cmd.Dir = c.dir
	}
	cmd.Env = gitEnvironment(token)
	var said bytes.Buffer
	cmd.Stderr = &said
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &exit):
		text := diag.Printable(strings.TrimSpace(said.String()))
		return diag.New("serve.git", diag.Place{}, "command", args[0], "detail", text[:min(len(text), maxGitError)]).In("unreadable")
	}
	return diag.New("serve.no-git", diag.Place{}, "detail", err.Error()).In("unreadable")
}

// gitEnvironment lets git see no settings of the user or the machine, ask
// nobody, and speak HTTP only.
func gitEnvironment(token string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=http:https", "LC_ALL=C",
	}
	settings := [][2]string{{"fetch.fsckObjects", "true"}, {"gc.auto", "0"}, {"http.followRedirects", "false"}, {"credential.helper", ""}}
	if token != "" {
		basic := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
		settings = append(settings, [2]string{"http.extraHeader", "Authorization: Basic " + basic})
	}
	env = append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(len(settings)))
	for i, s := range settings {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+s[0], "GIT_CONFIG_VALUE_"+n+"="+s[1])
	}
	return env
}
