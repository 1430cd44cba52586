package config

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// labelUse is one label with the meaning it has.
type labelUse struct {
	key  string // of Settings
	path string // in the document
	name string
}

// uses lists every label that has a meaning of its own. Reuse-blocking labels
// are not among them: they point at labels.
func (l Labels) uses() []labelUse {
	var all []labelUse
	for i, primary := range l.Primaries {
		at := strconv.Itoa(i)
		all = append(all, labelUse{"labels.primaries", "labels.primaries." + at + ".name", primary.Name})
	}
	one := func(key, name string) {
		all = append(all, labelUse{"labels." + key, "labels." + key, name})
	}
	many := func(key string, names []string) {
		for i, name := range names {
			all = append(all, labelUse{"labels." + key, "labels." + key + "." + strconv.Itoa(i), name})
		}
	}
	one("all-evals", l.AllEvals)
	one("evals-only", l.EvalsOnly)
	one("agentx-fast", l.AgentXFast)
	one("only-stale", l.OnlyStale)
	one("skip-queue", l.SkipQueue)
	many("patchwork", l.Patchwork)
	many("patchwork-waived", l.PatchworkWaived)
	many("checklist-complete", l.ChecklistComplete)
	return all
}

// labels refuses one label with two meanings. GitHub does not tell label names
// apart by case.
func (d *decoder) labels(s Settings) {
	first := map[string]labelUse{}
	for _, use := range s.Labels.uses() {
		name := strings.ToLower(use.name)
		if name == "" {
			continue // already refused, or not in use
		}
		earlier, taken := first[name]
		if !taken {
			first[name] = use
			continue
		}
		at, other := use, earlier
		if !d.writes(use) && d.writes(earlier) {
			at, other = earlier, use
		}
		f := diag.New("config.duplicate-label", d.place(at), "label", at.name, "key", other.path)
		f.Related = []diag.Place{d.place(other)}
		d.add(f.At(at.path))
	}
}

func (d *decoder) writes(use labelUse) bool {
	_, ok := d.set[use.key]
	return ok
}

// place finds the position of a use, or of the list it stands in. The file as
// a whole stands for a label of the preset.
func (d *decoder) place(use labelUse) diag.Place {
	if place, ok := d.items[strings.TrimSuffix(use.path, ".name")]; ok {
		return place
	}
	if place, ok := d.set[use.key]; ok {
		return place
	}
	return diag.Place{File: d.file}
}

// suites refuses two vendor suites for one model: only one could run.
func (d *decoder) suites(s Settings) {
	first := map[string]int{}
	for i, suite := range s.Matrix.VendorSuites {
		earlier, taken := first[suite.ModelPrefix]
		if !taken {
			first[suite.ModelPrefix] = i
			continue
		}
		path := "matrix.vendor-suites."
		at, other := d.items[path+strconv.Itoa(i)], d.items[path+strconv.Itoa(earlier)]
		f := diag.New("config.repeated-item", at, "value", clip(suite.ModelPrefix), "first", strconv.Itoa(other.Line))
		f.Related = []diag.Place{other}
		d.add(f.At(path + strconv.Itoa(i) + ".model-prefix"))
	}
}

// need is a value that makes no sense without another one.
type need struct {
	broken     bool
	key, other string
	want       string // of the other key
}

// needs lists the dependencies between the keys. The presets satisfy all of
// them, so that only a file can break one.
func (s Settings) needs() []need {
	m := s.Matrix
	suites := len(m.VendorSuites) > 0
	return []need{
		{m.NodeCount && !m.Clusters, "matrix.node-count", "matrix.clusters", "true"},
		{m.NodeCount && !m.AggregateWorker, "matrix.node-count", "matrix.aggregate-worker", "true"},
		{m.TopologyScope && !m.AggregateWorker, "matrix.topology-scope", "matrix.aggregate-worker", "true"},
		{m.EvalIdentity && !m.EvalSuites, "matrix.eval-identity", "matrix.eval-suites", "true"},
		{suites && !m.EvalSuites, "matrix.vendor-suites", "matrix.eval-suites", "true"},
		{suites && !m.AgenticEvals, "matrix.vendor-suites", "matrix.agentic-evals", "true"},
		{m.Fingerprint == FingerprintRowRecipe && !m.Recipes, "matrix.fingerprint", "matrix.recipes", "true"},
		{
			s.Workflows.ForkDispatch != "" && s.Workflows.Manual == "",
			"workflows.fork-dispatch", "workflows.manual", kindWorkflow.name,
		},
		{
			s.Workflows.MergeIngest == s.Workflows.Sweep && !s.Labels.PushSweeps,
			"workflows.merge-ingest", "labels.push-sweeps", "true",
		},
	}
}

// conflicts refuses values that contradict each other, at the one that the
// file sets.
func (d *decoder) conflicts(s Settings) {
	for _, need := range s.needs() {
		if !need.broken {
			continue
		}
		at := need.key
		if _, ok := d.set[at]; !ok {
			at = need.other
		}
		place, ok := d.set[at]
		if !ok {
			place = diag.Place{File: d.file}
		}
		d.add(diag.New("config.conflict", place,
			"key", need.key, "value", clip(valueAt(s, need.key)), "other", need.other, "want", need.want).At(at))
	}
}

// valueAt prints the value of a key.
func valueAt(s Settings, key string) string {
	return flow(lookup(reflect.ValueOf(s), tree(), key))
}
