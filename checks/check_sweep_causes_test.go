package checks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
)

// sweptThen is a key that was swept at a commit, and what later commits change.
// The plan has eight points and evals of the highest concurrencies.
func sweptThen(later ...map[string]string) swept {
	base, add := agentic(8, 16, 24, 32)
	x := swept{base: base, commits: []commitOf{{id: sweptSHA, files: add}}, runs: []Run{sweepRun(1001, sweptSHA)}}
	x.jobs = map[int64][]Job{1001: jobs(laneJobs("agentic", "success", 4), laneJobs("agentic eval", "success", 4))}
	for i, files := range later {
		id := headSHA
		if i+1 < len(later) {
			id = fmt.Sprintf("c%039d", i)
		}
		x.commits = append(x.commits, commitOf{id: id, files: files})
	}
	if len(later) == 0 {
		x.commits[0].id, x.runs[0].HeadSHA = headSHA, headSHA
	}
	return x
}

func (x swept) with(adapt func(*swept)) swept {
	adapt(&x)
	return x
}

// holds compares a row with texts that it must hold.
func (r Result) holds(t *testing.T, wants ...string) {
	t.Helper()
	text := row(r) + "\n" + strings.Join(r.Remarks, "\n")
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// The causes S1 to S7 of spec/verdict-causes.md, and threads of spec/checks.md
// section 3 that concern check 1.
func TestSweepCauses(t *testing.T) {
	docs := map[string]string{"README.md": "x", "docs/a.md": "y"}
	for name, c := range map[string]struct {
		story swept
		wants []string
	}{
		"S1 a commit that left the PR, #2763": {
			sweptThen().with(func(x *swept) { x.runs[0].HeadSHA, x.cites = goneSHA, 1001 }),
			[]string{"FAIL — No passing sweep/eval was found on any commit in this PR. Run 1001 ran on 77aa01bc"},
		},
		"S2 evals skipped": {
			sweptThen().with(func(x *swept) {
				x.jobs[1001] = jobs(laneJobs("agentic", "success", 4), laneJobs("agentic eval", "skipped", 1))
			}),
			[]string{"FAIL — No passing", "Run 1001 executed no agentic eval; the sweep asks for "},
		},
		"S3 an executed eval failed, the collector is green": {
			sweptThen().with(func(x *swept) {
				x.jobs[1001] = jobs(laneJobs("agentic", "success", 4), laneJobs("agentic eval", "failure", 1), laneJobs("collect-evals", "success", 1))
			}),
			[]string{"FAIL — No passing", "Run 1001 failed the agentic eval at c8."},
		},
		"S3 a second attempt mends the first": {
			sweptThen().with(func(x *swept) {
				again := laneJobs("agentic", "failure", 1)
				x.jobs[1001] = append(x.jobs[1001], again...)
				for i := range x.jobs[1001][:8] {
					x.jobs[1001][i].Attempt = 2
				}
			}),
			[]string{"PASS — run [1001]"},
		},
		"S4 only lint ran, #2016 #2026 #2159": {
			sweptThen(docs).with(func(x *swept) {
				x.runs = nil
				x.checks = map[string][]CheckRun{headSHA: {{ID: 1, Name: "lint", Conclusion: "success", DetailsURL: "https://github.com/acme/bench/actions/runs/5/job/6"}}}
			}),
			[]string{"FAIL — No passing sweep/eval was found on any commit in this PR."},
		},
		"S5 client code changed": {
			sweptThen(map[string]string{clientPath: "print('other')\n"}),
			[]string{"FAIL — The passing sweep [1001]", "on 1a1a1a1a predates a material change in 4ead0000 (`" + clientPath + "`). Rerun the sweep"},
		},
		"S5 what the points serve changed, and for which": {
			sweptThen(map[string]string{scriptPath: strings.Replace(serveScript("NixlConnector"), "vllm serve", "[ \"$CONC\" -lt 32 ] || export KV_POOL=shared\nvllm serve", 1)}),
			[]string{"predates a material change in 4ead0000 (`KV_POOL`). Rerun the sweep on the current recipe. Of 4 points, 1 changed (c32): `KV_POOL` none -> `shared`."},
		},
		"S5 later runs do not help": {
			sweptThen(map[string]string{scriptPath: serveScript("LarderConnector")}, map[string]string{clientPath: "print('other')\n"}).with(func(x *swept) {
				green, red := sweepRun(1002, x.commits[1].id), sweepRun(1003, headSHA)
				red.Conclusion, x.cites = "failure", 1001
				x.runs = append(x.runs, green, red)
				x.jobs[1003] = jobs(laneJobs("agentic", "success", 3), laneJobs("agentic", "failure", 4)[3:])
			}),
			[]string{"FAIL — The passing sweep [1001]", "(KV connector)", "Run 1002 on c0000000 succeeded but is not current either (`" + clientPath + "`).", "Run 1003 failed the agentic point at c32."},
		},
		"S5 a point that was not measured": {
			sweptThen(map[string]string{"configs/nvidia-master.yaml": entryDefaults(entry{key: "keep"}).String() + entryDefaults(entry{key: "orion2", scenario: "agentic", conc: []int{8, 16, 24, 32, 64}}).String()}),
			[]string{"FAIL — The passing sweep", "(c64 was not measured). Rerun the sweep on the current recipe."},
		},
		"S5 another image": {
			sweptThen(map[string]string{"configs/nvidia-master.yaml": entryDefaults(entry{key: "keep"}).String() + entryDefaults(entry{key: "orion2", image: "vllm/vllm-openai:v2", scenario: "agentic", conc: []int{8, 16, 24, 32}}).String()}),
			[]string{"FAIL — The passing sweep", "(image)"},
		},
		"S6 only documents": {sweptThen(docs), []string{
			"PASS — run [1001](https://github.com/acme/bench/actions/runs/1001) on 1a1a1a1a: 4/4 agentic and 4/4 agentic eval; head differs only by 1 later commit; none of the affected points uses `README.md`, `docs/a.md`.",
		}},
		"S6 comments, branches of others and other launchers": {
			sweptThen(map[string]string{
				launcherPath:           "#!/usr/bin/env bash\n# another machine\nif [ \"$MODEL_PREFIX\" = vega ]; then exit 3; fi\n" + strings.TrimPrefix(sweptThen().base[launcherPath], "#!/usr/bin/env bash\n"),
				clientPath:             "import sys\n\nprint('#')  # shown\n",
				"runners/launch_x.sh":  "#!/bin/sh\n",
				libraryPath:            "# what scripts share\nwait_ready() { sleep 5; }\nnever_called() { vllm serve other; }\n",
				"configs/runners.yaml": runnersFile + "\n# more\n",
			}),
			[]string{"PASS — run [1001]", "head differs only by 1 later commit; the 4 points serve the same although files that they use changed (`" +
				libraryPath + "`, `" + launcherPath + "`, `" + clientPath + "`); none of the 4 points uses `configs/runners.yaml`, `runners/launch_x.sh`."},
		},
		"S7 lanes without configs, #3105": {
			sweptThen().with(func(x *swept) {
				x.jobs[1001] = jobs(x.jobs[1001], laneJobs("single-node 8k1k", "skipped", 1), laneJobs("eval", "skipped", 1), laneJobs("multi-node 1k1k", "failure", 1))
			}),
			[]string{"PASS — run [1001]", "on head 4ead0000: 4/4 agentic and 4/4 agentic eval checks succeeded."},
		},
		"#2228 no eval is planned": {
			sweptThen().with(func(x *swept) {
				x.adapt = func(s *config.Settings) { s.Changelog.NoEvals = true }
				x.commits[0].files["perf-changelog.yaml"] += "  no-evals: true\n"
				x.jobs[1001] = jobs(laneJobs("agentic", "success", 4))
			}),
			[]string{"PASS — run [1001]", "4/4 agentic checks succeeded.", "no eval is asked for"},
		},
		"#2710 a dispatched end-to-end run": {
			sweptThen().with(func(x *swept) {
				x.cites, x.runs[0].Path, x.runs[0].Event = 1001, ".github/workflows/e2e-tests.yml", "workflow_dispatch"
			}),
			[]string{"FAIL — No passing", "Run 1001 is one of `e2e-tests.yml`, not of `run-sweep.yml`."},
		},
		"a sweep that somebody dispatched by hand": {
			sweptThen().with(func(x *swept) { x.cites, x.runs[0].Event = 1001, "workflow_dispatch" }),
			[]string{"FAIL — No passing", "Run 1001 was dispatched and is no sweep of this PR."},
		},
		"the canary counts for its lane": {
			sweptThen().with(func(x *swept) {
				x.jobs[1001] = jobs(laneJobs("canary", "success", 1), laneJobs("agentic", "success", 3), laneJobs("agentic eval", "success", 4))
			}),
			[]string{"4/4 agentic and 4/4 agentic eval checks succeeded."},
		},
		"a point is missing": {
			sweptThen().with(func(x *swept) {
				x.jobs[1001] = jobs(laneJobs("agentic", "success", 3), laneJobs("agentic eval", "success", 4))
			}),
			[]string{"FAIL — No passing", "Run 1001 has 3 of 4 agentic successes."},
		},
		"a run that goes on": {
			sweptThen().with(func(x *swept) { x.runs[0].Status, x.runs[0].Conclusion = "in_progress", "" }),
			[]string{"FAIL — No passing", "Run 1001 has not ended."},
		},
		"2026-08: no currency": {
			sweptThen(map[string]string{scriptPath: serveScript("LarderConnector")}).with(func(x *swept) { x.era = "2026-08" }),
			[]string{"PASS — run [1001](https://github.com/acme/bench/actions/runs/1001) on in-PR commit 1a1a1a1a: 4/4 agentic, 4/4 agentic eval success."},
		},
		"result code, a remark": {
			sweptThen(map[string]string{"utils/process_result.py": "print(2)\n"}),
			[]string{"PASS — run [1001]", "code of the results changed since: `utils/process_result.py`"},
		},
		"result code, by the settings": {
			sweptThen(map[string]string{"utils/process_result.py": "print(2)\n"}).with(func(x *swept) { x.adapt = func(s *config.Settings) { s.Checks.ResultCodeMaterial = true } }),
			[]string{"FAIL — The passing sweep", "(`utils/process_result.py`)"},
		},
		"step 5: the old plan is refused": {
			sweptThen().with(func(x *swept) {
				x.commits[0].files["perf-changelog.yaml"] = old + logged("orion2") + logged("nothing-of-that-name")
				x.jobs[1001] = jobs(laneJobs("agentic", "success", 1), laneJobs("agentic eval", "success", 1))
			}),
			[]string{"PASS — run [1001]", "1/1 agentic and 1/1 agentic eval", "can't be planned again"},
		},
		"step 5: no eval": {
			sweptThen().with(func(x *swept) {
				x.commits[0].files["perf-changelog.yaml"] = old + logged("orion2") + logged("nothing-of-that-name")
				x.jobs[1001] = jobs(laneJobs("agentic", "success", 4))
			}),
			[]string{"FAIL — No passing", "Run 1001 executed no eval."},
		},
	} {
		t.Run(name, func(t *testing.T) { c.story.decide(t).holds(t, c.wants...) })
	}
}

// What evidence is there decides what can be said.
func TestSweepEvidence(t *testing.T) {
	const plan = `{"head": {"commit": "%s"}, "policy": {"reusable": %s}}`
	workflow := ".github/workflows/run-sweep.yml"
	for name, c := range map[string]struct {
		story swept
		wants []string
	}{
		"nothing was given":   {sweptThen().with(func(x *swept) { x.source = func(s *givenSource) { s.runs, s.comments, s.jobs = nil, nil, nil } }), []string{"UNAVAILABLE — which sweeps ran on commits of this PR was not given."}},
		"the run has no jobs": {sweptThen().with(func(x *swept) { x.jobs = nil }), []string{"UNAVAILABLE — what became of run 1001 was not given."}},
		"only check runs":     {sweptThen().with(func(x *swept) { x.source = func(s *givenSource) { s.runs = nil }; x.checks = greenChecks() }), []string{"UNAVAILABLE — what became of run 1001 was not given."}},
		"check runs of a run": {sweptThen().with(func(x *swept) { x.jobs, x.checks = nil, greenChecks() }), []string{"PASS — run [1001]"}},
		"check runs of others": {sweptThen().with(func(x *swept) {
			x.jobs, x.checks = nil, greenChecks()
			for i := range x.checks[headSHA] {
				x.checks[headSHA][i].App.Slug = "somebody"
			}
		}), []string{"FAIL — No passing"}},
		"documents only, by the settings": {
			swept{base: repo(old), commits: []commitOf{{id: headSHA, files: map[string]string{"README.md": "x"}}}, adapt: func(s *config.Settings) { s.Checks.DocsOnlyNotApplicable = true }},
			[]string{"N/A — no config key is affected and no changelog entry is added."},
		},
		"documents only": {
			swept{base: repo(old), commits: []commitOf{{id: headSHA, files: map[string]string{"README.md": "x"}}}},
			[]string{"FAIL — No passing sweep/eval was found on any commit in this PR."},
		},
		"the workflow is not the base's": {
			sweptThen().with(func(x *swept) { x.base[workflow] = "a"; x.commits[0].files[workflow] = "b" }),
			[]string{"WARN — needs human review: run [1001]", "is green, but its `" + workflow + "` is not the base branch's"},
		},
		"a workflow that it calls is not the base's": {
			sweptThen().with(func(x *swept) {
				text := "jobs:\n  a:\n    uses: ./.github/workflows/point.yml\n"
				x.base[workflow], x.commits[0].files[workflow] = text, text
				x.commits[0].files[".github/workflows/point.yml"] = "changed"
			}),
			[]string{"WARN — needs human review", "`.github/workflows/point.yml`"},
		},
		"the workflow is that of another commit of the base": {
			sweptThen().with(func(x *swept) {
				x.base[workflow] = "a"
				x.commits[0].files[workflow] = "a"
				x.commits = append(x.commits, commitOf{id: laterSHA, files: map[string]string{workflow: "a"}})
				x.commits[0].id, x.commits[1].id, x.runs[0].HeadSHA = sweptSHA, headSHA, sweptSHA
			}),
			[]string{"PASS — run [1001]"},
		},
		"a sweep that can't be reused": {
			sweptThen().with(func(x *swept) { x.plans = map[int64]string{1001: fmt.Sprintf(plan, headSHA, "false")} }),
			[]string{"FAIL — No passing", "Run 1001 measured only a part of the sweep and can't be reused."},
		},
		"a partial sweep, whose plan has expired": {
			sweptThen().with(func(x *swept) { x.plans, x.partial = map[int64]string{}, []int64{1001} }),
			[]string{"FAIL — No passing", "Run 1001 is partial: it left out points that an earlier run stands for, and can't be reused."},
		},
		"the merge that was measured is not here": {
			sweptThen().with(func(x *swept) { x.plans = map[int64]string{1001: fmt.Sprintf(plan, goneSHA, "true")} }),
			[]string{"PASS — run [1001]", "the tree that run 1001 measured, 77aa01bc, is not in this clone; 4ead0000 is compared instead"},
		},
		"the measured tree decides": {
			sweptThen(map[string]string{"README.md": "x"}).with(func(x *swept) {
				// The head took from the base what the measured merge had not yet.
				merge := commitOf{id: laterSHA, parents: []string{sweptSHA, mergedSHA}, files: map[string]string{scriptPath: serveScript("LarderConnector")}}
				x.commits = []commitOf{x.commits[0], merge, {id: headSHA, parents: []string{sweptSHA}, files: map[string]string{scriptPath: serveScript("NixlConnector")}}}
				x.plans = map[int64]string{1001: fmt.Sprintf(plan, laterSHA, "true")}
			}),
			[]string{"FAIL — The passing sweep", "(KV connector)", "run 1001 measured 2b2b2b2b, the merge of 1a1a1a1a with the base"},
		},
		"a dispatched sweep of ours": {
			sweptThen().with(func(x *swept) {
				run := &x.runs[0]
				run.Event, run.HeadBranch, run.HeadSHA, run.Title = "workflow_dispatch", "main", mergedSHA, "Sweep PR #12 @ 4ead00000000 [0a.1b]"
				x.cites = 1001
			}),
			[]string{"PASS — run [1001]", "on head 4ead0000"},
		},
		"a dispatched sweep of another PR": {
			sweptThen().with(func(x *swept) {
				run := &x.runs[0]
				run.Event, run.HeadBranch, run.HeadSHA, run.Title = "workflow_dispatch", "main", mergedSHA, "Sweep PR #13 @ 4ead00000000 [0a.1b]"
				x.cites = 1001
			}),
			[]string{"FAIL — No passing", "is no sweep of this PR."},
		},
		"a dispatched sweep that a check run follows": {
			sweptThen().with(func(x *swept) {
				run := &x.runs[0]
				run.Event, run.HeadBranch, run.HeadSHA, run.Title = "workflow_dispatch", "main", mergedSHA, "Sweep PR #12 @ 4ead00000000"
				x.checks = map[string][]CheckRun{headSHA: {{ID: 3, Name: "sweepbot / sweep", Conclusion: "success", DetailsURL: "https://github.com/acme/bench/actions/runs/1001"}}}
			}),
			[]string{"PASS — run [1001]"},
		},
	} {
		t.Run(name, func(t *testing.T) { c.story.decide(t).holds(t, c.wants...) })
	}
}

// greenChecks are the check runs that GitHub makes of the jobs of a run.
func greenChecks() map[string][]CheckRun {
	var list []CheckRun
	for _, job := range jobs(laneJobs("agentic", "success", 4), laneJobs("agentic eval", "success", 4)) {
		list = append(list, CheckRun{ID: job.ID, Name: job.Name, Conclusion: job.Conclusion, DetailsURL: "https://github.com/acme/bench/actions/runs/1001/job/7"})
	}
	return map[string][]CheckRun{headSHA: list}
}

func TestWithoutComments(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"x.py", "a = 1  # one\n", "a = 1\n", true},
		{"x.py", "a = '# one'\n", "a = '# two'\n", false},
		{"x.py", "a = \"\"\"\n# kept\n\"\"\"\n", "a = \"\"\"\n# other\n\"\"\"\n", false},
		{"x.py", "a = 'it\\'s'  # b\n", "a = 'it\\'s'\n", true},
		{"x.py", "# only\n\n\nb()\n", "b()\n", true},
		{"x.py", "'''", "'''", true},
		{"x.sh", "# one\nrun\n", "run\n", true},
		{"x.sh", "run # one\n", "run\n", false},
		{"x.sh", "#SBATCH -N 1\n", "#SBATCH -N 2\n", false},
		{"x.json", "# a", "", false},
	} {
		if got := withoutComments(c.name, c.a) == withoutComments(c.name, c.b); got != c.same {
			t.Errorf("%s: %q and %q: %v", c.name, c.a, c.b, got)
		}
	}
}
