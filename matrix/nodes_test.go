package matrix

import (
	"fmt"
	"strings"
	"testing"
)

// disaggText is a disaggregated config with one entry, whose recipe is
// bundle.yaml with the given selector.
func disaggText(runner, prefill, decode, selector string) string {
	return fmt.Sprintf(`k:
  image: i
  model: m
  model-prefix: p
  precision: fp8
  framework: f
  runner: %s
  multinode: true
  disagg: true
  kv-p2p-transfer: nixl
  srt-recipe-dir: toy
  scenarios:
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - conc-list: [16]
        srt-recipe: bundle.yaml%s
        prefill: { num-worker: %s, ep: 1, dp-attn: false }
        decode: { num-worker: %s, ep: 1, dp-attn: false }
`, runner, selector, prefill, decode)
}

// nodesOf returns the node count of the config's one row.
func nodesOf(t testing.TB, text, runners, recipe string) (int64, []string) {
	t.Helper()
	files := memFiles{amdFile: text, nvidiaFile: "{}", runnersFile: runners, recipeBundle: recipe}
	s := newest(t)
	rows, list := Generate(s, files, Request{})
	if list.Refused() {
		return 0, codes(t, list)
	}
	return rows[0].NodeCount, nil
}

// A recipe that gives no count lets the roles be counted.
const noCount = "base: { roles: {} }\n"

// spec/matrix.md section 8: nodes of roles.
func TestNodeCountOfRoles(t *testing.T) {
	const many = `labels:
  cluster:nv4: [nv4_00]
  cluster:b2-a: [a]
  cluster:b2-b: [b]
  cluster:b3-a: [c]
  cluster:b3-b: [d]
clusters:
  nv4: { gpus-per-node: 4, arch: aarch64, scheduler: slurm, slurm: {} }
  b2-a: { gpus-per-node: 8, arch: x86_64, scheduler: slurm, slurm: {} }
  b2-b: { gpus-per-node: 8, arch: x86_64, scheduler: slurm, slurm: {} }
  b3-a: { gpus-per-node: 8, arch: x86_64, scheduler: slurm, slurm: {} }
  b3-b: { gpus-per-node: 4, arch: x86_64, scheduler: slurm, slurm: {} }
`
	for _, c := range []struct {
		name, runner, prefill, decode string
		want                          int64
		code                          string
	}{
		{"the example", "cluster:nv4", "2, tp: 4", "1, tp: 8", 4, ""},
		{"rounded up", "cluster:nv4", "1, tp: 1", "3, tp: 3", 4, ""},
		{"pp and pcp count, dcp does not", "cluster:nv4", "1, tp: 4, pp: 2, pcp-size: 3, dcp-size: 2", "1, tp: 4", 7, ""},
		{"exact label without its prefix", "nv4", "2, tp: 4", "1, tp: 8", 4, ""},
		{"family", "b2", "2, tp: 8", "1, tp: 16", 4, ""},
		{"family of a node pool", "b2-anything", "2, tp: 8", "1, tp: 16", 4, ""},
		{"hardware of a role", "cluster:nv4", "2, tp: 8, hardware: b2", "1, tp: 8, hardware: nv4", 4, ""},
		{"settings", "cluster:nv4", `9, tp: 4, additional-settings: [PREFILL_NODES=3]`, `9, tp: 4, additional-settings: ["DECODE_NODES=2", "PREFILL_NODES=7", "DECODE_NODES=2"]`, 5, ""},
		{"settings without digits", "cluster:nv4", `1, tp: 4, additional-settings: ["PREFILL_NODES=", "PREFILL_NODES=x"]`, "1, tp: 4", 2, ""},
		{"settings that differ", "cluster:nv4", `1, tp: 4, additional-settings: ["PREFILL_NODES=1", "PREFILL_NODES=2"]`, "1, tp: 4", 0, "20:18 matrix.role-nodes"},
		{"settings of zero", "cluster:nv4", "1, tp: 4", `1, tp: 4, additional-settings: ["DECODE_NODES=0"]`, 0, "21:17 matrix.role-nodes"},
		{"settings beyond all numbers", "cluster:nv4", "1, tp: 4", `1, tp: 4, additional-settings: ["DECODE_NODES=99999999999999999999"]`, 0, "21:17 matrix.role-nodes"},
		{"unknown family", "zz", "1, tp: 4", "1, tp: 4", 0, "20:18 matrix.gpus-per-node"},
		{"family of two sizes", "b3", "1, tp: 4", "1, tp: 4", 0, "20:18 matrix.gpus-per-node"},
		{"no worker at all", "cluster:nv4", "0, tp: 4", "0, tp: 4", 0, "18:9 matrix.node-count"},
		{"beyond all numbers", "cluster:nv4", "2147483647, tp: 2147483647, pp: 2147483647", "1, tp: 4", 1<<61 + 1, ""},
	} {
		text := strings.Replace(disaggText(c.runner, c.prefill, c.decode, ""), "      - conc", "      - # the entry\n        conc", 1)
		got, problems := nodesOf(t, text, many, noCount)
		if c.code != "" {
			same(t, c.name, []string{c.code}, problems)
			continue
		}
		same(t, c.name, []string(nil), problems)
		same(t, c.name, c.want, got)
	}
}

// spec/matrix.md section 8: nodes of recipes.
func TestNodeCountOfRecipe(t *testing.T) {
	plain := func(more string) string {
		return "schema: 2\nroles: { prefill: { nodes: 1 }, decode: { nodes: 2 }, router: { nodes: colocate } }\n" + more
	}
	bundle := bundleRecipe
	for _, c := range []struct {
		name, selector, recipe string
		want                   int64
		code                   string
	}{
		{"plain", "", plain(""), 3, ""},
		{"services", "", plain("services: { a: { nodes: 2 }, b: { nodes: 4, enabled: false }, c: { enabled: true } }"), 5, ""},
		{"services in a list", "", plain("services: [{ type: x, nodes: 2 }]"), 5, ""},
		{"services without nodes of their own", "", plain("services: { a: { nodes: null } }"), 3, ""},
		{"discovery", "", plain("infra: { etcd_nats_dedicated_node: true }"), 4, ""},
		{"discovery by service", "", plain("services: { e: { type: etcd, placement: { node: dedicated } }, n: { type: nats, placement: { node: dedicated } } }"), 4, ""},
		{"services override infra", "", plain("infra: { etcd_nats_dedicated_node: true }\nservices: { e: { type: etcd, placement: { node: head } } }"), 3, ""},
		{"disabled services do not", "", plain("infra: { etcd_nats_dedicated_node: true }\nservices: { e: { type: etcd, enabled: false } }"), 4, ""},
		{"services disagree", "", plain("services: { e: { type: etcd, placement: { node: dedicated } }, n: { type: nats } }"), 0, "matrix.recipe-discovery"},
		{"frontend", "", plain("frontend: { placement: { node: dedicated } }"), 4, ""},
		{"frontend, older key", "", plain("frontend: { dedicated_node: true }"), 4, ""},
		{"client, older key", "", plain("benchmark: { client_dedicated_node: true }"), 4, ""},
		{"all share one node", "", plain("infra: { etcd_nats_dedicated_node: true }\nfrontend: { dedicated_node: true }\nbenchmark: { placement: { node: dedicated } }"), 4, ""},
		{"each its own", "", plain("infra: { etcd_nats_dedicated_node: true }\nfrontend: { dedicated_node: true }\nbenchmark: { placement: { node: dedicated }, colocate_with_frontend: false }"), 6, ""},
		{"role without nodes", "", "schema: 2\nroles: { a: {} }\n", 0, "matrix.recipe-nodes"},
		{"nodes in words", "", "schema: 2\nroles: { a: { nodes: two } }\n", 0, "matrix.recipe-nodes"},
		{"negative nodes", "", "schema: 2\nroles: { a: { nodes: -1 } }\n", 0, "matrix.recipe-nodes"},
		{"nodes beyond all clusters", "", "schema: 2\nroles: { a: { nodes: 9000000000 } }\n", 0, "matrix.recipe-nodes"},
		{"roles in a list", "", "schema: 2\nroles: [1]\n", 0, "matrix.recipe-nodes"},
		{"no schema", "", "roles: { a: { nodes: 1 } }\n", 0, "matrix.recipe-schema"},
		{"no roles", "", "schema: 2\n", 0, "matrix.recipe-schema"},
		{"base of a bundle", ":base", bundle, 3, ""},
		{"override merged over base", ":override_eval", bundle, 4, ""},
		{"override of a schema of its own", ":override_a", "schema: 1\nbase: { roles: { a: { nodes: 7 } } }\noverride_a: { schema: 2, roles: { b: { nodes: 1 } } }\n", 8, ""},
		{"null deletes a role", ":override_a", "schema: 2\nbase: { roles: { a: { nodes: 7 }, b: { nodes: 5 } } }\noverride_a: { roles: { a: null }, more: { x: null } }\n", 5, ""},
		// What follows gives no count: 2 + 2 nodes of the roles.
		{"zip", ":zip_override_sizes[1]", bundle, 4, ""},
		{"bundle without a selector", "", bundle, 4, ""},
		{"bundle of another schema", ":base", "schema: 1\nbase: { roles: { a: { nodes: 9 } } }\n", 4, ""},
	} {
		got, problems := nodesOf(t, disaggText("cluster:nv4", "2, tp: 4", "1, tp: 8", c.selector), toyLabels+toyClusters, c.recipe)
		if c.code != "" {
			same(t, c.name, []string{"18:21 " + c.code}, problems)
			continue
		}
		same(t, c.name, []string(nil), problems)
		same(t, c.name, c.want, got)
	}
}

// An aggregate row occupies num-nodes, whatever the recipe says.
func TestNodeCountOfAggregate(t *testing.T) {
	rows := mustRows(t, newest(t), recipeFiles(), Request{Keys: []string{"toy-fp8-gx100-agg"}})
	same(t, "node-count", int64(2), rows[0].NodeCount)
}

// Without the topology rules num-nodes can stand on a disaggregated entry; the
// row is refused.
func TestNumNodesOnDisaggregated(t *testing.T) {
	s := newest(t, withoutRecipes)
	s.Matrix.TopologyScope = false
	text := strings.NewReplacer("  srt-recipe-dir: toy\n", "", "        srt-recipe: bundle.yaml\n", "        num-nodes: 2\n").
		Replace(disaggText("cluster:nv4", "2, tp: 4", "1, tp: 8", ""))
	_, list := Generate(s, newestFiles().with(amdFile, text), Request{})
	same(t, "findings", []string{"16:9 matrix.r12-disaggregated"}, codes(t, list))
}
