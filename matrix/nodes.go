package matrix

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// nodeCount is the number of nodes that a multi-node row occupies
// (spec/matrix.md section 8).
func (g *Generator) nodeCount(r *Row) (int64, *diag.Finding) {
	if !r.Config.disaggregated() {
		return r.Entry.NumNodes, nil
	}
	if r.Entry.Recipe != nil && g.recipes.files != nil {
		n, known, f := g.recipes.nodes(r.Config, r.Entry.Recipe)
		if f != nil || known {
			return n, f
		}
	}
	prefill, f := g.roleNodes(r, r.Entry.Prefill, "PREFILL_NODES")
	if f != nil {
		return 0, f
	}
	decode, f := g.roleNodes(r, r.Entry.Decode, "DECODE_NODES")
	return prefill + decode, f
}

// roleNodes is the number of nodes of one role: what its settings say, or as
// many as its GPUs fill.
func (g *Generator) roleNodes(r *Row, w *Worker, setting string) (int64, *diag.Finding) {
	refuse := func(code string, args ...string) (int64, *diag.Finding) {
		f := diag.New(code, w.Place, args...).In("matrix-row-schema").At(r.Config.Key)
		return 0, &f
	}
	declared := int64(0)
	for _, text := range w.Settings {
		value, ok := strings.CutPrefix(text, setting+"=")
		if !ok || strings.Trim(value, "0123456789") != "" {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n <= 0 || declared != 0 && declared != n {
			return refuse("matrix.role-nodes", "setting", setting, "value", value)
		}
		declared = n
	}
	if declared != 0 {
		return declared, nil
	}
	label := r.Config.Runner
	if w.Hardware != "" {
		label = w.Hardware
	}
	perNode, candidates := g.inventory.gpusPerNode(label)
	if perNode == 0 {
		return refuse("matrix.gpus-per-node", "runner", label, "count", strconv.Itoa(candidates))
	}
	workers, _, _ := asInt(w.NumWorker, intLenient)
	tp, _, _ := asInt(w.TP, intLenient)
	gpus := workers * tp * orElse(w.PP, one).Int * orElse(w.PCP, one).Int
	return (gpus + perNode - 1) / perNode, nil
}

// gpusPerNode resolves a label: its own record, or the one value that all
// clusters of its family share. candidates counts the distinct values.
func (inv *Inventory) gpusPerNode(label string) (gpus int64, candidates int) {
	if facts, ok := inv.Facts[label]; ok {
		return facts.GPUsPerNode, 1
	}
	if facts, ok := inv.Facts["cluster:"+label]; ok {
		return facts.GPUsPerNode, 1
	}
	distinct := make(map[int64]bool)
	for name, facts := range inv.Facts {
		if family(name) == family(label) {
			distinct[facts.GPUsPerNode] = true
			gpus = facts.GPUsPerNode
		}
	}
	if len(distinct) != 1 {
		return 0, len(distinct)
	}
	return gpus, 1
}

func family(label string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(label, "cluster:"), "-")
	return name
}

// nodes counts the nodes that a recipe asks for. known is false where the
// recipe gives no count: it is missing, a zip variant, or of another schema.
func (b *recipeBook) nodes(c *Config, ref *RecipeRef) (n int64, known bool, f *diag.Finding) {
	name := b.path(c, ref)
	file := b.open(name)
	if file.err != nil || file.root == nil {
		return 0, false, file.err
	}
	root := file.root
	refuse := func(code string) (int64, bool, *diag.Finding) {
		f := diag.New(code, ref.Place, "path", name).In("matrix-row-schema").At(c.Key)
		return 0, false, &f
	}
	if base := root.Get("base"); base != nil {
		variant := base
		if ref.Selector != "" && ref.Selector != "base" {
			override := root.Get(ref.Selector)
			if !strings.HasPrefix(ref.Selector, "override_") || override == nil {
				return 0, false, nil
			}
			variant = deepMerge(base, override)
		}
		schema := variant.Get("schema")
		if schema == nil {
			schema = root.Get("schema")
		}
		if schema == nil || !isNumber(schema, 2) {
			return 0, false, nil
		}
		root = variant
	} else if schema := root.Get("schema"); schema == nil || !isNumber(schema, 2) || root.Get("roles") == nil {
		return refuse("matrix.recipe-schema")
	}
	n, ok := countNodes(root)
	if !ok {
		return refuse("matrix.recipe-nodes")
	}
	return n, true, nil
}

// deepMerge lays override over base: null deletes a key, mappings merge, other
// values replace.
func deepMerge(base, override *yamlpos.Value) *yamlpos.Value {
	if base == nil || base.Kind != yamlpos.Mapping || override.Kind != yamlpos.Mapping {
		return override
	}
	out := &yamlpos.Value{Pos: base.Pos, Kind: yamlpos.Mapping}
	for _, f := range base.Fields {
		if !hasKey(override, f.Key) {
			out.Fields = append(out.Fields, f)
		}
	}
	for _, f := range override.Fields {
		if f.Value.Kind == yamlpos.Null {
			continue
		}
		out.Fields = append(out.Fields, yamlpos.Field{Key: f.Key, Value: deepMerge(base.Get(f.Key.Text), f.Value)})
	}
	return out
}

func hasKey(v, key *yamlpos.Value) bool {
	for _, f := range v.Fields {
		if f.Key.Equal(key) {
			return true
		}
	}
	return false
}

// countNodes adds the nodes of roles, of enabled services and of dedicated
// infrastructure. ok is false when a role names no count.
func countNodes(recipe *yamlpos.Value) (total int64, ok bool) {
	roles := recipe.Get("roles")
	if roles == nil {
		return 0, false
	}
	for _, role := range roles.Fields {
		nodes := role.Value.Get("nodes")
		switch {
		case nodes == nil:
			return 0, false
		case nodes.Kind == yamlpos.Int:
			total += nodes.Int
		case nodes.Text != "colocate":
			return 0, false
		}
	}
	etcd, service := dedicatedDiscovery(recipe)
	services := recipe.Get("services")
	if services != nil {
		for _, f := range services.Fields {
			if nodes := f.Value.Get("nodes"); nodes != nil && enabled(f.Value) {
				total += nodes.Int
			}
		}
	}
	if service != nil {
		etcd = *service
	}
	return total + dedicatedRoles(recipe, etcd), true
}

func enabled(service *yamlpos.Value) bool {
	v := service.Get("enabled")
	return v == nil || truthy(v)
}

// dedicatedDiscovery says whether discovery has a node of its own: by the
// infra setting, and by services of type etcd or nats where any exist.
func dedicatedDiscovery(recipe *yamlpos.Value) (infra bool, service *bool) {
	if v := recipe.Get("infra").Get("etcd_nats_dedicated_node"); v != nil {
		infra = truthy(v)
	}
	services := recipe.Get("services")
	if services == nil {
		return infra, nil
	}
	for _, f := range services.Fields {
		kind := f.Value.Get("type")
		if kind == nil || kind.Text != "etcd" && kind.Text != "nats" || !enabled(f.Value) {
			continue
		}
		dedicated := placedAlone(f.Value)
		service = &dedicated
	}
	return infra, service
}

func placedAlone(v *yamlpos.Value) bool {
	node := v.Get("placement").Get("node")
	return node != nil && node.Text == "dedicated"
}

// dedicatedRoles counts the nodes for discovery, frontend and benchmark
// client. By default the client and the frontend share one.
func dedicatedRoles(recipe *yamlpos.Value, discovery bool) int64 {
	var n int64
	if discovery {
		n++
	}
	for _, role := range [...][2]string{{"frontend", "dedicated_node"}, {"benchmark", "client_dedicated_node"}} {
		v := recipe.Get(role[0])
		if v != nil && (placedAlone(v) || v.Get(role[1]) != nil && truthy(v.Get(role[1]))) {
			n++
		}
	}
	shared := recipe.Get("benchmark").Get("colocate_with_frontend")
	if n > 0 && (shared == nil || truthy(shared)) {
		return 1
	}
	return n
}
