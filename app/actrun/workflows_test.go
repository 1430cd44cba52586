package actrun

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// The names are those of act's log; GitHub's are those of
// spec/labels-and-sweeps.md section 8, joined as GitHub joins them.
func TestJobNames(t *testing.T) {
	t.Parallel()
	w := &workflows{
		names: []string{"sweep-collect", "sweep-family", "sweep-point", "Run Sweep", "sweep"}, top: "Run Sweep",
		direct: map[string]bool{"sweep": true}, caller: "sweep",
	}
	matrix := map[string]any{"point": map[string]any{"id": "0123", "title": "p1 | x c16"}}
	for _, c := range []struct {
		key    string
		matrix map[string]any
		want   string
	}{
		{"sweep/sweep/setup", nil, "sweep / setup"},
		{"Run Sweep/alone", nil, "alone"},
		{"canary //sweep-point/p1 | x 1P (TP1/PP4) c4", nil, "sweep / canary / / p1 | x 1P (TP1/PP4) c4"},
		{"eval //sweep-family/0123 / p1 | x c16-2", matrix, "sweep / eval / / 0123 / p1 | x c16"},
		{"eval //sweep-family/0123 / p1 | x c16", matrix, "sweep / eval / / 0123 / p1 | x c16"},
		{"collect-results/sweep-collect/collect results", nil, "sweep / collect-results / collect results"},
		{"other/name-3", nil, "other/name-3"},
	} {
		if got := w.jobName(c.key, c.matrix); got != c.want {
			t.Errorf("%q is %q, want %q", c.key, got, c.want)
		}
	}
}

func TestInstalledFiles(t *testing.T) {
	t.Parallel()
	files, err := installed(strings.Repeat("a", 40), "perf-changelog.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if _, err := yamlpos.Parse(name, []byte(text), yamlpos.Options{}); err != nil {
			t.Error(err)
		}
		if strings.Contains(text, "sweepbot/sweepbot/.github") || strings.Contains(text, "inferencex-e2e") {
			t.Errorf("%s names files of other repositories", name)
		}
	}
	if len(files) < 6 || !strings.Contains(files[CallerPath], "sweepbot-ref: "+strings.Repeat("a", 40)) {
		t.Errorf("%d files; the caller is:\n%s", len(files), files[CallerPath])
	}
	family := files[workflowsDir+"/sweep-family.yml"]
	if strings.Contains(family, "sweep-point.yml") || strings.Contains(family, "inputs.point)") || !strings.Contains(family, "fromJSON(toJSON(matrix.point)).runs-on") {
		t.Errorf("the point is not in place:\n%s", family)
	}
	if _, err := inPlace(family, "jobs: {}\n"); err == nil {
		t.Error("a point of another form is taken")
	}
	if _, err := replaced("aa", [2]string{"a", "b"}); err == nil {
		t.Error("a text that is there twice is replaced")
	}
}

func TestReadRecords(t *testing.T) {
	t.Parallel()
	var got, stray []string
	in := `{"job":"a"}` + "\n\nplain\n" + `{"job":"` + strings.Repeat("x", maxLine) + `"}` + "\n" +
		`{"job":"` + strings.Repeat("y", 200_000) + `"}` + "\n" + `{"job":"last","matrix":{"n":1}}`
	readRecords(strings.NewReader(in), func(r record) { got = append(got, r.Job[:1]) }, func(line string) { stray = append(stray, line) })
	if d := cmp.Diff([]string{"a", "y", "l"}, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"plain"}, stray); d != "" {
		t.Error(d)
	}
}

func TestPermissionsOfTheOneToken(t *testing.T) {
	t.Parallel()
	w := &workflows{permissions: make(map[string]string), direct: make(map[string]bool)}
	root, err := yamlpos.Parse("x", []byte("permissions: { contents: read }\njobs:\n  a:\n    permissions: { contents: write, issues: read }\n  b:\n    permissions: { contents: read }\n"), yamlpos.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.readJobs(root, nil)
	if _, err := readWorkflows(t.TempDir(), CallerPath); err == nil {
		t.Error("a workflow that is not there is read")
	}
	if d := cmp.Diff(map[string]string{"contents": "write", "issues": "read"}, w.permissions); d != "" {
		t.Error(d)
	}
}
