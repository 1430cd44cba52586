package actrun

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// environment is that of act. Jobs inherit it.
func (e *Engine) environment() []string {
	return append(append([]string{}, e.options.Environment...),
		"HOME="+filepath.Join(e.options.Dir, "home"), "XDG_CACHE_HOME="+filepath.Join(e.options.Dir, "cache"),
		"XDG_CONFIG_HOME="+filepath.Join(e.options.Dir, "config"), "ACT_DISABLE_VERSION_CHECK=1")
}

// arguments are those of act. Values go through files, so that no secret is on
// a command line, nor in the environment of jobs that are not given it.
func (r *run) arguments(repo string, w *workflows) ([]string, error) {
	req := r.req
	secrets := map[string]string{"GITHUB_TOKEN": req.Handle.Token(w.permissions)}
	for name, value := range req.Secrets {
		secrets[name] = value
	}
	args := []string{
		req.Event, "--directory", repo, "--workflows", req.WorkflowPath, "--actor", req.Actor, "--json", "--no-skip-checkout", "--no-cache-server",
		// The map of local repositories of act is not for several jobs at once.
		"--concurrent-jobs", "1",
	}
	for _, file := range []struct {
		flag, name string
		content    any
	}{
		{"--eventpath", "event.json", req.Payload},
		{"--env-file", "environment.yaml", r.variables()},
		{"--secret-file", "secrets.yaml", secrets},
		{"--var-file", "variables.yaml", orEmpty(req.Variables)},
		{"--input-file", "inputs.yaml", map[string]string{}},
	} {
		data, err := json.Marshal(file.content) // every JSON text is YAML
		if err != nil {
			return nil, err
		}
		name := filepath.Join(r.dir, file.name)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			return nil, folderError(err)
		}
		args = append(args, file.flag, name)
	}
	for _, label := range append([]string{"ubuntu-latest"}, r.engine.options.Labels...) {
		args = append(args, "--platform", label+"=-self-hosted")
	}
	return r.withStandins(args, w)
}

func orEmpty(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// variables are those of all jobs.
func (r *run) variables() map[string]string {
	req := r.req
	owner, _, _ := strings.Cut(req.Repository, "/")
	server, _ := strings.CutSuffix(req.APIURL, "/api/v3")
	return map[string]string{
		"GITHUB_API_URL": req.APIURL, "GITHUB_SERVER_URL": server, "GITHUB_REPOSITORY": req.Repository, "GITHUB_REPOSITORY_OWNER": owner,
		"GITHUB_RUN_ID": strconv.FormatInt(req.RunID, 10), "GITHUB_RUN_NUMBER": strconv.Itoa(req.RunNumber),
		"GITHUB_RUN_ATTEMPT": strconv.Itoa(req.Attempt), "GITHUB_REF": req.Ref, "SHA_REF": req.SHA, // act's name for GITHUB_SHA
		"GITHUB_HEAD_REF": req.HeadRef, "GITHUB_BASE_REF": req.BaseRef,
		"RUNNER_NAME": r.engine.options.RunnerName, "STANDIN_ARTIFACTS": r.artifacts,
	}
}

// withStandins maps every third-party action of the workflows to its stand-in.
// One without a stand-in is refused: act would fetch and run it.
func (r *run) withStandins(args []string, w *workflows) ([]string, error) {
	for _, action := range w.actions {
		name, _, _ := strings.Cut(action, "@")
		folder := filepath.Join(r.engine.options.Dir, "standins", strings.TrimPrefix(name, "actions/"))
		if _, err := os.Stat(filepath.Join(folder, "action.yml")); err != nil || !strings.HasPrefix(name, "actions/") {
			return nil, diag.New("actrun.no-standin", diag.Place{}, "action", diag.Printable(action)).In("unreadable")
		}
		args = append(args, "--local-repository", action+"="+folder)
	}
	return args, nil
}
