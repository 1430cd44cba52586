package workflows

import (
	"fmt"
	"maps"
	"testing"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/jobs"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/labels"
)

// sweep is a simulated run of sweep.yml.
type sweep struct {
	event labels.Event
	// families is the output of setup; results are those of jobs that do not
	// succeed.
	families  jobs.Families
	results   map[string]string
	canary    string // kind of the canary, "" for none
	failFast  bool
	cancelled bool
	// august plays by the policy of August, with the inputs that its caller
	// gives.
	august bool
	// dispatch says that a server dispatched the event.
	dispatch bool
}

// policy is the policy of the base.
func (s sweep) policy(t *testing.T) config.Settings {
	if !s.august {
		return newest(t)
	}
	settings, ok := config.Preset("inferencex-2026-08")
	if !ok {
		t.Fatal("no preset")
	}
	return settings
}

// inputs are those of the call: the defaults, or what the caller of the era
// gives.
func (s sweep) inputs(t *testing.T) map[string]any {
	in := make(map[string]any)
	for name := range child(child(child(load(t, sweepFile).data, "on"), "workflow_call"), "inputs") {
		in[name] = child(child(child(child(load(t, sweepFile).data, "on"), "workflow_call"), "inputs"), name)["default"]
	}
	if s.august {
		maps.Copy(in, child(load(t, augustFile).job("sweep"), "with"))
	}
	return in
}

// github is the context of the event.
func (s sweep) github() map[string]any {
	names := make([]any, len(s.event.Labels))
	for i, l := range s.event.Labels {
		names[i] = map[string]any{"name": l}
	}
	headRepo := "o/r"
	if !s.event.SameRepo {
		headRepo = "fork/r"
	}
	payload := map[string]any{
		"action": s.event.Action, "label": map[string]any{"name": s.event.Label},
		"pull_request": map[string]any{"number": 7.0, "labels": names, "draft": s.event.Draft,
			"head": map[string]any{"repo": map[string]any{"full_name": headRepo}}},
	}
	name := s.event.Name
	switch {
	case s.dispatch:
		name, payload = "workflow_dispatch", map[string]any{"inputs": map[string]any{"pull-request": "7"}}
	case name == labels.Push:
		payload = map[string]any{"ref": "refs/heads/main"}
	}
	return map[string]any{"event_name": name, "repository": "o/r", "run_id": "77", "event": payload}
}

// everyFamily are families of one point each, and one of two shards.
func everyFamily() jobs.Families {
	all := make(jobs.Families)
	for job := range familyPrefixes {
		all[job] = []jobs.Shard{{Points: []jobs.Ref{{ID: job, Title: job, RunsOn: `["x"]`, Timeout: 5}}}}
	}
	all["sweep-agentic"] = append(all["sweep-agentic"], jobs.Shard{Suffix: " 2", Points: []jobs.Ref{{ID: "more"}}})
	return all
}

// simulate plays the event. Jobs put out what their commands would.
func (s sweep) simulate(t *testing.T) (map[string]string, *simulation) {
	t.Helper()
	policy := s.policy(t)
	first := s.event
	first.Reuse = "" // the check does not know
	checked := labels.Decide(policy.Labels, policy.Layout.BaseBranch, first)
	sim := &simulation{workflow: load(t, sweepFile), cancelled: s.cancelled, inputs: s.inputs(t), github: s.github()}
	sim.play = func(job string) done {
		d := done{result: "success", steps: s.stepOutputs(job, checked)}
		switch {
		case s.results[job] != "":
			d.result = s.results[job]
		case job == "check-changelog" && checked.Validate.Outcome == labels.Fail:
			d.result = "failure"
		case job == "reuse-sweep-gate" && s.event.Reuse != labels.ReuseNone && s.event.Reuse != labels.ReuseValid:
			d.result = "failure"
		}
		if d.result != "success" && job != "check-changelog" {
			d.steps = nil
		}
		return d
	}
	return sim.run(t), sim
}

// stepOutputs are the outputs of the steps of a job.
func (s sweep) stepOutputs(job string, checked labels.Decision) map[string]map[string]string {
	switch job {
	case "check-changelog":
		return map[string]map[string]string{"check": outputs(jobs.CheckOutputs(checked, "base", "commit")), "sweepbot": {"digest": "d"}}
	case "reuse-sweep-gate":
		return map[string]map[string]string{"gate": {"skip-pr-sweep": fmt.Sprint(s.event.Reuse == labels.ReuseValid)}}
	case "setup":
		planned := bot.Planned{Selection: labels.Selection{FailFast: s.failFast}}
		out := outputs(jobs.PlanOutputs(planned, s.families, jobs.Sweep{}))
		out["canary"] = fmt.Sprint(s.canary != "")
		return map[string]map[string]string{"plan": out}
	case "canary-select":
		id := map[string]string{"single": "sweep-single-node-1k1k", "multi": "sweep-multi-node-agentic"}[s.canary]
		out, err := jobs.CanaryOutputs(s.families, id)
		if err != nil {
			return nil
		}
		return map[string]map[string]string{"canary": outputs(out)}
	}
	return nil
}

func outputs(list []bot.Output) map[string]string {
	out := make(map[string]string)
	for _, o := range list {
		out[o.Name] = o.Value
	}
	return out
}

func newest(t *testing.T) config.Settings {
	t.Helper()
	s, ok := config.Preset(config.PresetNewest)
	if !ok {
		t.Fatal("no preset")
	}
	return s
}
