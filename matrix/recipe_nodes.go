package matrix

import (
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// recipeSchema is the version of srt-slurm recipes whose nodes are counted.
const recipeSchema = 2

// maxRecipeNodes bounds one node count of a recipe, far above any cluster.
const maxRecipeNodes = 1 << 20

// recipeNodes is what a recipe says about its nodes. known is false where it
// gives no count; code is the problem with one that should.
type recipeNodes struct {
	total int64
	known bool
	code  string
}

// nodes counts the nodes that a recipe asks for (spec/matrix.md section 8).
// known is false where the recipe gives no count: it is missing, a bundle
// without or with a zip selector, or a bundle of another schema.
func (b *recipeBook) nodes(c *Config, ref *RecipeRef) (n int64, known bool, f *diag.Finding) {
	name := b.path(c, ref)
	id := name + ":" + ref.Selector
	count, done := b.counts[id]
	if !done {
		file := b.open(name)
		if file.err != nil {
			return 0, false, file.err
		}
		count = file.nodes(ref.Selector)
		b.counts[id] = count
	}
	if count.code != "" {
		refused := diag.New(count.code, ref.Place, "path", name).In("matrix-row-schema").At(c.Key)
		return 0, false, &refused
	}
	return count.total, count.known, nil
}

func (f *recipeFile) nodes(selector string) recipeNodes {
	recipe := f.root
	switch {
	case recipe == nil:
		return recipeNodes{}
	case f.groups["base"] != nil:
		if recipe = variant(f.root, selector); recipe == nil || !hasSchema(recipe) {
			return recipeNodes{}
		}
	case !hasSchema(recipe) || recipe.Get("roles") == nil:
		return recipeNodes{code: "matrix.recipe-schema"}
	}
	count := nodeCounter{}
	count.roles(recipe.Get("roles"))
	count.services(recipe.Get("services"))
	count.dedicated(recipe)
	return recipeNodes{total: count.total, known: true, code: count.code}
}

func hasSchema(recipe *yamlpos.Value) bool {
	v := recipe.Get("schema")
	return v != nil && isNumber(v, recipeSchema)
}

// nodeCounter adds up the nodes of one recipe. code is the first problem.
type nodeCounter struct {
	total int64
	code  string
	// discovery is where services of type etcd and nats are placed.
	discovery struct{ known, dedicated bool }
}

func (n *nodeCounter) refuse(code string) {
	if n.code == "" {
		n.code = code
	}
}

func (n *nodeCounter) add(nodes *yamlpos.Value) {
	if nodes.Kind != yamlpos.Int || nodes.Int < 0 || nodes.Int > maxRecipeNodes {
		n.refuse("matrix.recipe-nodes")
		return
	}
	n.total += nodes.Int
}

// roles adds the nodes of every role; a role that is colocated with another
// has none of its own.
func (n *nodeCounter) roles(roles *yamlpos.Value) {
	if roles == nil || roles.Kind != yamlpos.Mapping {
		n.refuse("matrix.recipe-nodes")
		return
	}
	for _, role := range roles.Fields {
		switch nodes := role.Value.Get("nodes"); {
		case nodes == nil:
			n.refuse("matrix.recipe-nodes")
		case nodes.Kind == yamlpos.String && nodes.Text == "colocate":
		default:
			n.add(nodes)
		}
	}
}

// services adds the nodes of enabled services. Those for discovery must agree
// on whether discovery has a node of its own.
func (n *nodeCounter) services(services *yamlpos.Value) {
	if services == nil {
		return
	}
	for _, f := range services.Fields {
		n.service(f.Value)
	}
	for _, item := range services.Items {
		n.service(item)
	}
}

func (n *nodeCounter) service(v *yamlpos.Value) {
	if enabled := v.Get("enabled"); enabled != nil && !truthy(enabled) {
		return
	}
	if nodes := v.Get("nodes"); !nodes.IsNull() {
		n.add(nodes)
	}
	if kind := v.Get("type"); kind == nil || kind.Text != "etcd" && kind.Text != "nats" {
		return
	}
	alone := placedAlone(v)
	if n.discovery.known && n.discovery.dedicated != alone {
		n.refuse("matrix.recipe-discovery")
	}
	n.discovery.known, n.discovery.dedicated = true, alone
}

func placedAlone(v *yamlpos.Value) bool {
	node := v.Get("placement").Get("node")
	return node != nil && node.Kind == yamlpos.String && node.Text == "dedicated"
}

// dedicated adds the nodes for discovery, frontend and benchmark client. By
// default all of them share one.
func (n *nodeCounter) dedicated(recipe *yamlpos.Value) {
	if !n.discovery.known {
		n.discovery.dedicated = truthy(recipe.Get("infra").Get("etcd_nats_dedicated_node"))
	}
	alone := int64(0)
	if n.discovery.dedicated {
		alone++
	}
	for _, role := range [...][2]string{{"frontend", "dedicated_node"}, {"benchmark", "client_dedicated_node"}} {
		if v := recipe.Get(role[0]); placedAlone(v) || truthy(v.Get(role[1])) {
			alone++
		}
	}
	if shared := recipe.Get("benchmark").Get("colocate_with_frontend"); shared == nil || truthy(shared) {
		alone = min(alone, 1)
	}
	n.total += alone
}
