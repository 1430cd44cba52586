package workflows

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"
)

const root = "../.."

// workflow is a workflow file, with its anchors resolved.
type workflow struct {
	name string
	data map[string]any
}

func load(t *testing.T, name string) workflow {
	t.Helper()
	if w, ok := loaded.Load(name); ok {
		return w.(workflow)
	}
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	w := workflow{name: name}
	if err := yaml.Unmarshal(text, &w.data); err != nil {
		t.Fatal(name, err)
	}
	loaded.Store(name, w)
	return w
}

// loaded are the workflows that were read. Tests change none of them.
var loaded sync.Map

// child is a member of a mapping as a mapping, never nil.
func child(m map[string]any, name string) map[string]any {
	c, _ := m[name].(map[string]any)
	return c
}

func (w workflow) jobs() map[string]any { return child(w.data, "jobs") }

func (w workflow) job(name string) map[string]any { return child(w.jobs(), name) }

// steps are the steps of a job.
func steps(job map[string]any) []map[string]any {
	var out []map[string]any
	list, _ := job["steps"].([]any)
	for _, s := range list {
		step, _ := s.(map[string]any)
		out = append(out, step)
	}
	return out
}

// needs are the jobs that a job waits for.
func needs(job map[string]any) []string {
	switch x := job["needs"].(type) {
	case string:
		return []string{x}
	case []any:
		var out []string
		for _, one := range x {
			out = append(out, text(one))
		}
		return out
	}
	return nil
}

// done is what became of a job.
type done struct {
	result string
	// steps are the outputs of its steps.
	steps map[string]map[string]string
}

// simulation runs a workflow without running anything: play says what becomes
// of the jobs that run.
type simulation struct {
	workflow  workflow
	github    map[string]any
	inputs    map[string]any
	cancelled bool
	play      func(job string) done
	// with is filled with the inputs of every call, one for each element of a
	// matrix.
	with map[string][]map[string]any
}

// run returns the result of every job.
func (s *simulation) run(t *testing.T) map[string]string {
	t.Helper()
	results := make(map[string]any)
	out := make(map[string]string)
	s.with = make(map[string][]map[string]any)
	for len(out) < len(s.workflow.jobs()) {
		before := len(out)
		for _, name := range slices.Sorted(maps.Keys(s.workflow.jobs())) {
			if _, ok := out[name]; ok || !all(needs(s.workflow.job(name)), out) {
				continue
			}
			d, outputs := s.one(t, name, results, out)
			out[name] = d
			results[name] = map[string]any{"result": d, "outputs": outputs}
		}
		if len(out) == before {
			t.Fatal("the jobs need each other in a circle")
		}
	}
	return out
}

func all(names []string, in map[string]string) bool {
	return !slices.ContainsFunc(names, func(n string) bool { _, ok := in[n]; return !ok })
}

// one decides and plays one job.
func (s *simulation) one(t *testing.T, name string, results map[string]any, out map[string]string) (string, map[string]any) {
	t.Helper()
	job := s.workflow.job(name)
	seen := make(map[string]any)
	for _, n := range needs(job) {
		seen[n] = results[n]
	}
	sc := scope{cancelled: s.cancelled, succeeds: !s.cancelled && s.succeeded(name, out), contexts: map[string]any{
		"needs": seen, "github": s.github, "inputs": s.inputs, "vars": map[string]any{},
	}}
	if !condition(t, text(job["if"]), sc) {
		return "skipped", nil
	}
	s.call(t, name, job, sc)
	d := s.play(name)
	sc.contexts["steps"] = stepContext(d.steps)
	outputs := make(map[string]any)
	for key, from := range child(job, "outputs") {
		outputs[key] = text(interpolate(t, text(from), sc))
	}
	return d.result, outputs
}

func stepContext(outputs map[string]map[string]string) map[string]any {
	out := make(map[string]any)
	for id, values := range outputs {
		out[id] = map[string]any{"outputs": values}
	}
	return out
}

// succeeded reports whether all ancestors succeeded: a skipped one counts as
// not (known failure F09).
func (s *simulation) succeeded(name string, out map[string]string) bool {
	for _, n := range needs(s.workflow.job(name)) {
		if out[n] != "success" || !s.succeeded(n, out) {
			return false
		}
	}
	return true
}

// call evaluates matrix and inputs of a job that calls a workflow.
func (s *simulation) call(t *testing.T, name string, job map[string]any, sc scope) {
	t.Helper()
	if job["uses"] == nil {
		return
	}
	elements := []any{nil}
	matrix := child(child(job, "strategy"), "matrix")
	for key, from := range matrix {
		list, ok := interpolate(t, text(from), sc).([]any)
		if !ok || len(list) == 0 {
			t.Fatalf("%s: the matrix %s is empty, which is an error of the run", name, key)
		}
		elements = list
	}
	for _, e := range elements {
		in := sc
		in.contexts = maps.Clone(sc.contexts)
		for key := range matrix {
			in.contexts["matrix"] = map[string]any{key: e}
		}
		with := make(map[string]any)
		for key, from := range child(job, "with") {
			with[key] = from
			if f, ok := from.(string); ok {
				with[key] = interpolate(t, f, in)
			}
		}
		s.with[name] = append(s.with[name], with)
	}
}
