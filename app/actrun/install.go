package actrun

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/sweepbot/sweepbot"
	"github.com/sweepbot/sweepbot/app/sandbox"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Installation is sweepbot in a sandbox, as its workflows need it.
type Installation struct {
	// Admin is the login of who installs it.
	Admin string
	// Program is sweepbot for this machine.
	Program string
	// Dir is a folder for the release, which has to stay while workflows run.
	Dir string
	// Changelog is the path of the changelog in the sample repository.
	Changelog string
}

// toolRepository is where workflows look for sweepbot.
const toolRepository = "sweepbot/sweepbot"

// CallerPath is the workflow file of a repository that uses sweepbot.
const CallerPath = workflowsDir + "/run-sweep.yml"

const workflowsDir = ".github/workflows"

// Install makes the repository sweepbot/sweepbot, with the Action at a commit
// that lists a release of the program, and commits the sweep workflows and a
// caller to the default branch of the sample repository.
func Install(ctx context.Context, s *sandbox.Server, in Installation) error {
	tool, err := release(in.Program, filepath.Join(in.Dir, "release"))
	if err != nil {
		return err
	}
	if err := s.AddRepository(toolRepository, tool); err != nil {
		return err
	}
	files, err := installed(s.TipOf(toolRepository, "main"), in.Changelog)
	if err != nil {
		return err
	}
	_, err = s.As(in.Admin).PushBranch(ctx, "main", sandbox.Edit{Message: "Install the sweep workflows", Files: files})
	return err
}

// release puts the program where the Action downloads it from and returns the
// files of a commit that lists it. Nothing here runs on the other platform, so
// that its program is none.
func release(program, dir string) (map[string]string, error) {
	action, err := fs.ReadFile(sweepbot.Files(), "action.yml")
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, folderError(err)
	}
	manifest := "url file://" + dir + "\n"
	for _, arch := range []string{"amd64", "arm64"} {
		content := io.NopCloser(strings.NewReader("not for this machine\n"))
		if arch == runtime.GOARCH {
			if content, err = os.Open(program); err != nil {
				return nil, folderError(err)
			}
		}
		name := "sweepbot-linux-" + arch
		digest, err := store(filepath.Join(dir, name), content)
		if err != nil {
			return nil, folderError(err)
		}
		manifest += digest + "  " + name + "\n"
	}
	return map[string]string{"action.yml": string(action), "release/manifest": manifest}, nil
}

// store copies to a file and returns the SHA-256 of what it holds.
func store(name string, content io.ReadCloser) (digest string, err error) {
	defer content.Close()
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o700)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if _, err = io.Copy(io.MultiWriter(f, sum), content); err != nil {
		_ = f.Close() // the first error counts
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), f.Close()
}

// installed are the workflow files of the sample repository. Three things are
// not as they are released: act takes called workflows from the checkout only,
// so that the caller names files beside it; it names the commit of sweepbot,
// which act does not tell; and the workflow of a family has its point in place.
func installed(ref, changelog string) (map[string]string, error) {
	names, err := fs.Glob(sweepbot.Files(), workflowsDir+"/sweep*.yml")
	if err != nil {
		return nil, err
	}
	files := make(map[string]string)
	for _, name := range names {
		data, err := fs.ReadFile(sweepbot.Files(), name)
		if err != nil {
			return nil, err
		}
		files[name] = string(data)
	}
	family := path.Join(workflowsDir, "sweep-family.yml")
	if files[family], err = inPlace(files[family], files[path.Join(workflowsDir, "sweep-point.yml")]); err != nil {
		return nil, err
	}
	example, err := fs.ReadFile(sweepbot.Files(), "docs/examples/run-sweep.yml")
	if err != nil {
		return nil, err
	}
	files[CallerPath], err = replaced(string(example),
		[2]string{"    uses: sweepbot/sweepbot/.github/workflows/sweep.yml@SHA # v1.0.0\n", "    uses: ./.github/workflows/sweep.yml\n    with: { sweepbot-ref: " + ref + " }\n"},
		[2]string{"inferencex-e2e/perf-changelog.yaml", changelog})
	return files, err
}

// inPlace is the workflow of a family with the job of a point in the place of
// the call to it: act tells the result of a job to the workflow that calls it,
// but not to the one that calls that one in turn.
func inPlace(family, point string) (string, error) {
	_, body, found := strings.Cut(point, "  benchmark:\n    name: ${{ fromJSON(inputs.point).title }}\n")
	head, _, found2 := strings.Cut(family, "    uses: ./.github/workflows/sweep-point.yml\n")
	if !found || !found2 {
		return "", changed("sweep-family.yml")
	}
	return replaced(head+strings.ReplaceAll(body, "inputs.point", "toJSON(matrix.point)"),
		[2]string{"    name: ${{ matrix.point.id }}\n", "    name: ${{ matrix.point.id }} / ${{ matrix.point.title }}\n"})
}

// replaced replaces texts, each of which must be there once.
func replaced(text string, changes ...[2]string) (string, error) {
	for _, c := range changes {
		if strings.Count(text, c[0]) != 1 {
			return "", changed(strings.TrimSpace(c[0]))
		}
		text = strings.Replace(text, c[0], c[1], 1)
	}
	return text, nil
}

// changed says that a file of sweepbot is not what this package knows.
func changed(what string) error {
	return diag.New("actrun.changed", diag.Place{}, "what", fmt.Sprintf("%.80s", what)).In("unreadable")
}
