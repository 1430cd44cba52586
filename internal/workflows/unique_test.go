package workflows

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var usesLine = regexp.MustCompile(`uses:\s+(?:&\w+\s+)?([\w.-]+/[\w./-]+)@([0-9a-f]{40})\s+#\s*(\S+)`)

// TestOneCommitOfEachAction: an action that is raised in one file is raised in
// all, the project's own included.
func TestOneCommitOfEachAction(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	pins := make(map[string]string)
	for _, name := range append(names, filepath.Join(root, "action.yml")) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range usesLine.FindAllStringSubmatch(string(data), -1) {
			if pin := m[2] + " " + m[3]; pins[m[1]] == "" {
				pins[m[1]] = pin
			} else if pins[m[1]] != pin {
				t.Errorf("%s uses %s at %s, others at %s", filepath.Base(name), m[1], pin, pins[m[1]])
			}
		}
	}
	if len(pins) < 4 {
		t.Errorf("only %v were found", slices.Sorted(maps.Keys(pins)))
	}
}

// TestArtifactNamesAreUnique: of the names that are written here, each is
// uploaded by one job that runs once. The names of points come from the rows,
// which are unique (localrun), through outputs of their own step; an upload
// replaces what an earlier attempt left.
func TestArtifactNamesAreUnique(t *testing.T) {
	written := make(map[string]string)
	note := func(name, by string) {
		if written[name] != "" {
			t.Errorf("%s is uploaded by %s and by %s", name, written[name], by)
		}
		written[name] = by
	}
	sweep := load(t, sweepFile)
	for name := range sweep.jobs() {
		if artifact := text(child(sweep.job(name), "with")["artifact"]); artifact != "" {
			note(artifact, name)
			if sweep.job(name)["strategy"] != nil {
				t.Errorf("%s uploads %s once for each element of its matrix", name, artifact)
			}
		}
	}
	for _, w := range ours(t) {
		for job := range w.jobs() {
			for _, step := range steps(w.job(job)) {
				if !strings.HasPrefix(text(step["uses"]), "actions/upload-artifact@") {
					continue
				}
				with := child(step, "with")
				if with["overwrite"] != true {
					t.Errorf("%s %s: the job cannot be run again", w.name, job)
				}
				if name := text(with["name"]); !strings.Contains(name, "${{") {
					note(name, w.name+" "+job)
				} else if name != "${{ inputs.artifact }}" && !strings.HasPrefix(name, "${{ steps.gather.outputs.") {
					t.Errorf("%s %s uploads %s", w.name, job, name)
				}
			}
		}
	}
	for _, want := range []string{"sweepbot-program", "sweepbot-plan", "results_bmk", "eval_results_all", "changelog-metadata", "run-stats", "sweep-report"} {
		if written[want] == "" {
			t.Errorf("nobody uploads %s", want)
		}
	}
}
