package checks

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/reuse"
)

// The commits of these stories, besides base and head.
const (
	sweptSHA  = "1a1a1a1a00000000000000000000000000000000"
	laterSHA  = "2b2b2b2b00000000000000000000000000000000"
	mergedSHA = "ba5e000000000000000000000000000000000000"
	goneSHA   = "77aa01bc00000000000000000000000000000000"
)

// commitOf is a commit of a story: what it changes against its first parent.
type commitOf struct {
	id      string
	parents []string
	files   map[string]string // "-" removes
}

// swept is a pull request with a history, runs and what is said of them.
type swept struct {
	base    map[string]string
	commits []commitOf // oldest first; the last is the head
	runs    []Run
	jobs    map[int64][]Job
	checks  map[string][]CheckRun
	cites   int64
	era     string
	adapt   func(*config.Settings)
	source  func(*givenSource)
	// plans are plan documents by run; those of partial runs say so by a mark.
	plans   map[int64]string
	partial []int64
}

// evidence tells the story: a commit without parents stands on the one before.
func (x swept) evidence(t testing.TB) *Evidence {
	t.Helper()
	s := situation{base: x.base, head: x.base, era: x.era, settings: x.adapt}
	if x.cites > 0 {
		s.body = fmt.Sprintf("As a PR reviewer and CODEOWNER\n- [x] sweep https://github.com/acme/bench/actions/runs/%d", x.cites)
	}
	s.source = givenSource{runs: make(map[int64]Run), jobs: x.jobs, checks: x.checks, pull: &Pull{Number: 12}, comments: []Comment{}}
	for _, run := range x.runs {
		s.source.runs[run.ID] = run
	}
	if x.source != nil {
		x.source(&s.source)
	}
	e := s.evidence(t)
	history := memoryHistory{trees: map[string]memoryTree{baseSHA: {baseSHA, x.base}, mergedSHA: {mergedSHA, x.base}}}
	files, before := x.base, baseSHA
	for i, c := range x.commits {
		files = maps.Clone(files)
		for name, text := range c.files {
			if files[name] = text; text == "-" {
				delete(files, name)
			}
		}
		if c.parents == nil {
			c.parents = []string{before}
		}
		history.trees[c.id] = memoryTree{c.id, files}
		history.commits = append(history.commits, gitrepo.Commit{ID: c.id, Parents: c.parents, Committer: gitrepo.Signature{When: time.Unix(int64(1000+i), 0)}})
		before = c.id
	}
	slices.Reverse(history.commits)
	e.history = history
	if x.plans != nil {
		e.source = plannedSource{e.source, x.plans, x.partial}
	}
	return e
}

// plannedSource has the plan documents of runs.
type plannedSource struct {
	Source
	plans   map[int64]string
	partial []int64
}

func (s plannedSource) Artifacts(_ context.Context, run int64) ([]Artifact, error) {
	out := []Artifact{{ID: run, Name: planArtifact, Expired: s.plans[run] == ""}}
	if slices.Contains(s.partial, run) {
		out = append(out, Artifact{ID: run + 1, Name: reuse.PartialMark, Expired: true})
	}
	return out, nil
}

func (s plannedSource) ArtifactFile(_ context.Context, artifact int64, _ string, _ int64) ([]byte, error) {
	return []byte(s.plans[artifact]), nil
}

func (x swept) decide(t testing.TB) Result {
	t.Helper()
	r, err := PassingSweep().Decide(t.Context(), x.evidence(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sweepRun(id int64, sha string) Run {
	return Run{
		ID: id, Path: ".github/workflows/run-sweep.yml", Event: "pull_request", HeadSHA: sha, Status: "completed", Conclusion: "success",
		URL: fmt.Sprintf("https://github.com/acme/bench/actions/runs/%d", id), Created: time.Unix(id, 0),
	}
}

// laneJobs are n jobs of a lane, at concurrencies 8, 16, 24 ...
func laneJobs(lane, conclusion string, n int) []Job {
	var out []Job
	for i := range n {
		out = append(out, Job{ID: int64(1000*len(lane) + i), Name: fmt.Sprintf("%s / / p4 | orion2 fp8 b200 vllm TP1 c%d", lane, 8*(i+1)), Status: "completed", Conclusion: conclusion, Attempt: 1})
	}
	return out
}

func jobs(lists ...[]Job) []Job {
	out := slices.Concat(lists...)
	for i := range out {
		out[i].ID = int64(i + 1)
	}
	return out
}

// serveScript is the recipe of the made-up key: it serves through a connector.
func serveScript(connector string) string {
	return `#!/usr/bin/env bash
source "$(dirname "$0")/../../benchmark_lib.sh"
vllm serve "$MODEL" --tensor-parallel-size "$TP" --kv-transfer-config '{"kv_connector": "` + connector + `"}' >server.log 2>&1 &
python3 utils/bench_serving/replay_agentic.py --concurrency "$CONC"
`
}

const (
	scriptPath   = "benchmarks/single_node/agentic/orion2_fp8_b200_vllm.sh"
	launcherPath = "runners/launch_b200-x.sh"
	libraryPath  = "benchmarks/benchmark_lib.sh"
	clientPath   = "utils/bench_serving/replay_agentic.py"
)

// agentic is the base of most stories, and the commit that adds a key.
func agentic(concs ...int) (base map[string]string, add map[string]string) {
	base = repo(old, entry{key: "keep"})
	base[launcherPath] = `#!/usr/bin/env bash
srun --container-image="$IMAGE" --container-mounts="$GITHUB_WORKSPACE:/workspace" --container-workdir=/workspace bash benchmarks/single_node/agentic/orion2_fp8_b200_vllm.sh
`
	base[libraryPath] = "# what scripts share\nwait_ready() { sleep 5; }\n"
	base[clientPath] = "import sys  # arguments\nprint('#')\n"
	base["utils/process_result.py"] = "print(1)\n"
	add = repo(old+logged("orion2"), entry{key: "keep"}, entry{key: "orion2", scenario: "agentic", conc: concs})
	add[scriptPath] = serveScript("NixlConnector")
	return base, add
}

// TestSweepExamples has every row of the example table of spec/checks.md,
// check 1.
func TestSweepExamples(t *testing.T) {
	base, add := agentic(8, 16, 24, 32, 40, 48, 56, 64)
	multi, addMulti := multiNode()
	green := func(lane string, n, evals int) []Job {
		return jobs(laneJobs(lane, "success", n), laneJobs(lane+" eval", "success", evals), laneJobs("single-node 8k1k", "skipped", 1), laneJobs("collect-evals", "success", 1))
	}
	for name, c := range map[string]struct {
		story swept
		want  string
	}{
		"green on the head": {
			story: swept{base: multi, commits: []commitOf{{id: headSHA, files: addMulti}}, runs: []Run{sweepRun(48100200300, headSHA)},
				jobs: map[int64][]Job{48100200300: green("multi-node agentic", 6, 4)}},
			want: "PASS — run [48100200300](https://github.com/acme/bench/actions/runs/48100200300) on head 4ead0000: 6/6 multi-node agentic and 4/4 multi-node agentic eval checks succeeded.",
		},
		"#2763: only skipped lanes, green on a commit that left": {
			story: swept{base: base, commits: []commitOf{{id: headSHA, files: add}}, runs: []Run{sweepRun(48100100100, goneSHA)}, cites: 48100100100,
				checks: map[string][]CheckRun{headSHA: {{ID: 1, Name: "agentic / / x c8", Conclusion: "skipped"}}},
				jobs:   map[int64][]Job{48100100100: green("agentic", 8, 8)}},
			want: "FAIL — No passing sweep/eval was found on any commit in this PR. Run 48100100100 ran on 77aa01bc, which is no longer in the PR.",
		},
		"a later commit changes the KV connector": {
			story: swept{base: base, commits: []commitOf{{id: sweptSHA, files: add}, {id: laterSHA, files: map[string]string{scriptPath: serveScript("LarderConnector")}}, {id: headSHA, files: map[string]string{"README.md": "x"}}},
				runs: []Run{sweepRun(48100300111, sweptSHA)}, cites: 48100300111, jobs: map[int64][]Job{48100300111: green("agentic", 8, 8)}},
			want: "FAIL — The passing sweep [48100300111](https://github.com/acme/bench/actions/runs/48100300111) on 1a1a1a1a predates a material change in 2b2b2b2b (KV connector). Rerun the sweep on the current recipe.",
		},
		"#2852: the head is a merge of the base": {
			story: swept{base: base, commits: []commitOf{{id: sweptSHA, files: add}, {id: headSHA, parents: []string{sweptSHA, mergedSHA}, files: map[string]string{"runners/launch_h100.sh": "#!/bin/sh\n"}}},
				runs: []Run{sweepRun(48100400222, sweptSHA)}, jobs: map[int64][]Job{48100400222: green("agentic", 11, 2)}},
			want: "PASS — run [48100400222](https://github.com/acme/bench/actions/runs/48100400222) on 1a1a1a1a: 11/11 agentic and 2/2 agentic eval; head differs only by a base merge that leaves the affected launch unchanged.",
		},
		"one eval failed": {
			story: swept{base: base, commits: []commitOf{{id: headSHA, files: add}}, runs: []Run{sweepRun(48100500333, headSHA)},
				jobs: map[int64][]Job{48100500333: jobs(laneJobs("agentic", "success", 8), []Job{{Name: "agentic eval / / p4 | orion2 fp8 b200 vllm TP1 c64 | eval-only", Conclusion: "failure"}}, laneJobs("collect-evals", "success", 1))}},
			want: "FAIL — No passing sweep/eval was found on any commit in this PR. Run 48100500333 failed the agentic eval at c64.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := row(c.story.decide(t)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// multiNode is a base and the commit that adds a disaggregated agentic key of
// six points.
func multiNode() (base, add map[string]string) {
	base, _ = agentic()
	add = repo(old+logged("orion2-disagg"), entry{key: "keep"})
	add["configs/nvidia-master.yaml"] += `orion2-disagg:
  image: vllm/vllm-openai:v1
  model: acme/orion2
  model-prefix: orion2
  precision: fp8
  framework: dynamo-vllm
  runner: cluster:b200-x
  multinode: true
  disagg: true
  scenarios:
    agentic-coding:
      - search-space:
          - conc-list: [8, 16, 24, 32, 40, 48]
            kv-offloading: none
            prefill: {num-worker: 1, tp: 8, ep: 1, dp-attn: false}
            decode: {num-worker: 1, tp: 8, ep: 1, dp-attn: false}
`
	return base, add
}
