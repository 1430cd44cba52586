package localrun

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// kept stores artifacts of some files and lists what was stored.
func kept(t *testing.T, files map[string]string, artifacts []artifact) ([]string, []string) {
	t.Helper()
	from, to := rootWith(t, files), rootWith(t, map[string]string{"artifacts/old/gone": "x"})
	if err := from.Symlink("/etc/hostname", "results_link.json"); err != nil {
		t.Fatal(err)
	}
	var refused []string
	k := keeper{from: from, to: to, refuse: func(f diag.Finding) { refused = append(refused, f.File) }}
	for _, a := range artifacts {
		if err := k.keep(a); err != nil {
			t.Fatal(err)
		}
	}
	var stored []string
	err := fs.WalkDir(to.FS(), "artifacts", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			stored = append(stored, strings.TrimPrefix(name, "artifacts/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(refused)
	return stored, slices.Compact(refused)
}

func TestArtifacts(t *testing.T) {
	files := map[string]string{
		"server.log": "x", "results/a.log": "x", "results/deep/b.log": "x", "results/x_config.json": "{}", "other.txt": "x",
		"results/aiperf_artifacts/inputs.json": "x", "results/aiperf_artifacts/profile_export_raw.jsonl": "x", "results/aiperf_artifacts/profile_export.jsonl": "x",
		"results_1.json": "{}", "meta_env.json": "{}", "sample_1.jsonl": "x", "results[1].json": "{}",
	}
	stored, refused := kept(t, files, []artifact{
		{name: "old"},
		{name: "logs", patterns: []string{"server.log", "results/*.log", "results/*_config.json"}},
		{name: "raw", patterns: []string{"results/**"}},
		{name: "eval", patterns: []string{"meta_env.json", "results*.json"}, durable: true},
		{name: "escaped", patterns: []string{literally("results[1]") + ".json"}},
		{name: "none", patterns: []string{"absent.json", "no/such/**"}},
	})
	want := []string{
		"escaped/results[1].json", "eval/meta_env.json", "eval/results[1].json", "eval/results_1.json",
		"logs/results/a.log", "logs/results/x_config.json", "logs/server.log",
		"raw/results/a.log", "raw/results/aiperf_artifacts/profile_export.jsonl", "raw/results/deep/b.log", "raw/results/x_config.json",
	}
	if diff := cmp.Diff(want, stored); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"results_link.json"}, refused); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
}

func TestFoldersOfArtifactsThatAreTooDeep(t *testing.T) {
	deep := strings.Repeat("d/", maxDepth+2)
	stored, refused := kept(t, map[string]string{"results/" + deep + "x": "x", "results/y": "y"}, []artifact{{name: "raw", patterns: []string{"results/**"}}})
	if !slices.Equal(stored, []string{"artifacts/old/gone"[len("artifacts/"):], "raw/results/y"}) || len(refused) != 1 {
		t.Errorf("stored %v, refused %v", stored, refused)
	}
}

func TestWhichResultsAreUploaded(t *testing.T) {
	tests := []struct {
		family string
		c      Contract
		passed bool
		want   string
	}{
		{singleFixed, newestContract, true, "bmk_"}, {singleFixed, newestContract, false, ""},
		{singleAgentic, newestContract, false, "bmk_agentic_"}, {singleAgentic, augustContract, false, "bmk_agentic_"},
		{multiFixed, newestContract, true, "bmk_"}, {multiFixed, newestContract, false, ""},
		{multiAgentic, newestContract, false, "bmk_agentic_"}, {multiAgentic, augustContract, false, ""}, {multiAgentic, augustContract, true, "bmk_agentic_"},
		{singleEval, newestContract, true, ""}, {"sweep-agentic-evals", newestContract, true, "bmk_agentic_"}, {"sweep-multi-node-agentic-evals", newestContract, true, ""},
	}
	for _, tt := range tests {
		for _, p := range onePerFamily(t, tt.c) {
			if p.Family != tt.family {
				continue
			}
			got := ""
			for _, a := range p.results(tt.c, tt.passed) {
				got += strings.TrimSuffix(a.name, p.ResultName)
			}
			if got != tt.want {
				t.Errorf("%s passed %t suites %t: %q, want %q", tt.family, tt.passed, tt.c.Suites, got, tt.want)
			}
		}
	}
}
