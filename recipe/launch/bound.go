package launch

import (
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/srt"
)

// bound is what a row serves that names its recipe itself (spec/checks.md
// section 1.7, form A): the file over its shared blocks, the variant that is
// the row's, the row's values in it, and what the launcher adds.
func (r *Resolver) bound(ctx context.Context, row *matrix.Row, reference string, mode Mode) *recipe.Effective {
	v := r.visit(ctx, row, mode, row.Runner)
	name, selector, _ := strings.Cut(reference, ":")
	full := path.Join(r.project, name)
	file := v.composed(full)
	if file == nil {
		return v.done()
	}
	variants, q := file.Variants(selector)
	if q != nil {
		v.effective.Open = append(v.effective.Open, *q)
		return v.done()
	}
	chosen := v.choose(full, variants)
	if chosen == nil {
		return v.done()
	}
	variant, asked := chosen.Bind(v.rowValues(chosen))
	variant, used, unresolved := variant.Resolve(v.clusterFacts())
	v.effective.Open = append(append(v.effective.Open, asked...), unresolved...)
	if used {
		v.read(path.Join(r.project, r.settings.Layout.Runners))
	}
	v.lanes(variant)
	return v.done()
}

// composed reads a recipe file and lays it over its blocks: the telemetry of
// rows that measure power lies lowest.
func (v *visit) composed(full string) *srt.File {
	data, ok := v.read(full)
	if !ok {
		v.ask("recipe.file-missing", v.row.Entry.Place, "file", full)
		return nil
	}
	file, q := srt.Parse(full, data)
	if q != nil {
		v.effective.Open = append(v.effective.Open, *q)
		return nil
	}
	blocks := []string{v.r.sharedBlock(v.row)}
	if v.row.Entry.Power {
		blocks = append(blocks, v.r.settings.Launch.Telemetry)
	}
	for i, name := range blocks {
		if name == "" {
			continue
		}
		if block := v.block(path.Join(v.r.project, name), i+1); block != nil {
			file = file.Over(block)
		}
	}
	return file
}

// sharedBlock is the name of the block that the row's recipe lies over, ""
// without one.
func (r *Resolver) sharedBlock(row *matrix.Row) string {
	length, nodes := "fixed-sequence", "single"
	if row.Agentic() {
		length = "agentic"
	}
	if row.Multinode() {
		nodes = "multi"
	}
	return strings.NewReplacer("{length}", length, "{nodes}", nodes).Replace(r.settings.Launch.SharedRecipes)
}

// block reads a block, nil where it cannot be read.
func (v *visit) block(name string, number int) *srt.File {
	data, ok := v.read(name)
	if !ok {
		v.ask("recipe.block-missing", diag.Place{File: name}, "file", name)
		return nil
	}
	block, q := srt.ParseBlock(name, data, number)
	if q != nil {
		v.effective.Open = append(v.effective.Open, *q)
	}
	return block
}

// rowValues are the values that the row binds into a variant.
func (v *visit) rowValues(variant *srt.Recipe) srt.Row {
	c := v.row.Config
	out := srt.Row{Model: c.Model, Image: c.Image, Precision: c.Precision, Framework: c.Framework, Place: c.Place, Entry: v.row.Entry.Place}
	give := func(names ...string) {
		for _, name := range names {
			out.Client = append(out.Client, srt.Value{Name: name, Value: known(v.start[name])})
		}
	}
	switch {
	case v.row.Agentic():
		give("KV_OFFLOADING")
		if v.row.DRAM > 0 {
			give("TOTAL_CPU_DRAM_GB")
		}
	case v.row.Multinode():
		give("ISL", "OSL")
	default:
		give("ISL", "OSL", "MODEL", "CONC", "RANDOM_RANGE_RATIO")
		speculative := generation(variant.Effective(v.binding()))
		out.Client = append(out.Client, srt.Value{Name: "USE_CHAT_TEMPLATE", Value: strconv.FormatBool(speculates(speculative))})
	}
	l := v.r.settings.Launch
	for _, component := range [...][2]string{{l.RouterVersion, "router"}, {l.OffloadVersion, "kv-offload-backend"}} {
		if version := v.version(component[1]); version != "" && component[0] != "" {
			out.Environment = append(out.Environment, srt.Value{Name: component[0], Value: version})
		}
	}
	return out
}

// version is the version of a component that the row names, "" without one.
func (v *visit) version(field string) string {
	component, _ := v.row.Document().Get(field)
	if component.Kind != ordjson.Object {
		return ""
	}
	version, _ := component.Get("version")
	if version.Kind != ordjson.String {
		return ""
	}
	return version.Text
}

// clusterFacts are what @dram and @fabric values stand for: the row's share of
// its nodes' memory, and the variables of its cluster by name.
func (v *visit) clusterFacts() map[string]string {
	out := make(map[string]string)
	if gpus := v.sharingGPUs(); v.row.DRAM > 0 && gpus > 0 {
		const gb = 1_000_000_000
		for name, n := range map[string]int64{
			"total-gb": v.row.DRAM, "total-bytes": v.row.DRAM * gb, "per-gpu-gb": v.row.DRAM / gpus, "per-gpu-bytes": v.row.DRAM * gb / gpus,
		} {
			out["dram."+name] = strconv.FormatInt(n, 10)
		}
	}
	_, facts := v.r.cluster(v.row)
	for _, x := range facts.Env {
		out["fabric."+x[0]] = x[1]
	}
	return out
}

// sharingGPUs is the number of GPUs of a node that share the row's memory
// (spec/matrix.md section 7).
func (v *visit) sharingGPUs() int64 {
	doc := v.row.Document()
	if v.row.Multinode() {
		for _, side := range []string{"prefill", "worker"} {
			if block, ok := doc.Get(side); ok && block.Kind == ordjson.Object {
				doc = block
				break
			}
		}
	}
	gpus := int64(1)
	for _, name := range []string{"tp", "pp", "pcp-size"} {
		if n, err := strconv.ParseInt(memberText(doc, name), 10, 32); err == nil && n > 0 {
			gpus *= n
		}
	}
	if _, facts := v.r.cluster(v.row); facts.GPUsPerNode > 0 {
		gpus = min(gpus, facts.GPUsPerNode)
	}
	return gpus
}

func memberText(v ordjson.Value, name string) string { m, _ := v.Get(name); return m.Text }

// cluster is the id of the cluster that a row runs on, with its facts; "" where
// its label stands for none, or for several.
func (r *Resolver) cluster(row *matrix.Row) (id string, facts matrix.NodeFacts) {
	label := row.Config.Runner
	if facts, ok := r.inventory.Facts[label]; ok {
		return strings.TrimPrefix(label, "cluster:"), facts
	}
	nodes, _ := r.inventory.Nodes(label)
	for _, l := range r.inventory.Labels {
		name, isCluster := strings.CutPrefix(l.Name, "cluster:")
		if !isCluster || !meet(l.Nodes, nodes) {
			continue
		}
		if id != "" {
			return "", matrix.NodeFacts{}
		}
		id, facts = name, r.inventory.Facts[l.Name]
	}
	return id, facts
}

func meet(a, b []string) bool {
	for _, name := range a {
		if in(b, name) {
			return true
		}
	}
	return false
}

// lanes serves a bound recipe with what launchers add to the row's recipes.
func (v *visit) lanes(variant *srt.Recipe) {
	script := variant.SetupScript()
	var unset []string
	id, _ := v.r.cluster(v.row)
	for _, l := range v.r.settings.Launch.Lanes {
		if l.Cluster != "" && l.Cluster != id || l.Framework != "" && l.Framework != v.row.Config.Framework || l.Path != config.LaneAny && (l.Path == config.LaneMulti) != v.row.Multinode() {
			continue
		}
		if script.Lit == "" && l.SetupScript != "" {
			script = recipe.Literal(l.SetupScript, diag.Place{})
		}
		if l.Mount != "" {
			v.mounted(recipe.Literal(l.Mount, diag.Place{}))
		}
		if l.EvalUnset != "" && v.mode == Eval {
			unset = append(unset, l.EvalUnset)
		}
	}
	if script.Lit != "" {
		v.submodules()
	}
	folders := make([]string, len(v.r.settings.Launch.SetupFolders))
	for i, folder := range v.r.settings.Launch.SetupFolders {
		folders[i] = path.Join(Workspace, folder)
	}
	v.serve(variant.Without(unset...), script, folders)
}

// reference is the recipe that a row names itself, with its selector; "" where
// a launch script chooses.
func reference(row *matrix.Row, eval bool) string {
	doc := row.Document()
	for _, name := range []string{"eval-srt-recipe", "srt-recipe"} {
		if v, ok := doc.Get(name); ok && v.Text != "" && (eval || name == "srt-recipe") {
			return v.Text
		}
	}
	return ""
}
