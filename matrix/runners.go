package matrix

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// Inventory is the runner file: which runners a label stands for, and the
// facts of their nodes (spec/matrix.md section 3).
type Inventory struct {
	Labels []Label
	// Facts are keyed by the value of a config's runner field.
	Facts map[string]NodeFacts
}

// Label is one runner label with its runner names, in source order.
type Label struct {
	Name  string
	Nodes []string
}

// NodeFacts describes the nodes behind a label.
type NodeFacts struct {
	GPUsPerNode int64
	// DRAMMiB is the memory that points may use, 0 when not given.
	DRAMMiB int64
	// Env are the cluster's environment variables, name and value.
	Env [][2]string
}

// Nodes returns the runners of a label, and whether the label exists.
func (inv *Inventory) Nodes(label string) ([]string, bool) {
	for _, l := range inv.Labels {
		if l.Name == label {
			return l.Nodes, true
		}
	}
	return nil, false
}

// LoadRunners reads and validates a runner file. Findings are of category
// "runner-config", or "yaml-invalid" where it is not YAML.
func LoadRunners(source Source, rules Rules) (*Inventory, diag.List) {
	root, err := yamlpos.Parse(source.Name, source.Data, yamlpos.Options{LastKeyWins: rules.Matrix.LastKeyWins})
	if err != nil {
		return nil, diag.List{asFinding(err)}
	}
	d := &decoder{rules: rules.Matrix, limits: rules.Limits, file: source.Name, category: "runner-config"}
	inv := &Inventory{Facts: make(map[string]NodeFacts)}
	s, ok := d.open(root, nil)
	if !ok {
		return nil, d.list
	}
	s.labels(inv)
	if d.rules.Clusters {
		s.clusters(inv)
	} else {
		s.hardware(inv)
	}
	s.close()
	return inv, d.list
}

func (s *scope) labels(inv *Inventory) {
	v := s.need("labels")
	if v == nil {
		return
	}
	if v.Kind != yamlpos.Mapping {
		s.wrong(v, "labels", "mapping")
		return
	}
	for _, f := range v.Fields {
		at := s.at.key("labels").key(f.Key.Text)
		label := Label{Name: f.Key.Text}
		switch {
		case f.Key.Kind != yamlpos.String:
			s.add("matrix.wrong-type", f.Key, at, "want", "string", "got", f.Key.Kind.String())
		case f.Value.Kind != yamlpos.Sequence:
			s.add("matrix.wrong-type", f.Value, at, "want", "list", "got", f.Value.Kind.String())
		case len(f.Value.Items) == 0:
			s.add("matrix.label-empty", f.Value, at, "label", f.Key.Text)
		}
		for i, item := range f.Value.Items {
			if item.Kind != yamlpos.String {
				s.add("matrix.wrong-type", item, at.item(i), "want", "string", "got", item.Kind.String())
			}
			label.Nodes = append(label.Nodes, item.Text)
		}
		inv.Labels = append(inv.Labels, label)
	}
}

// hardware reads the table of the 2026-08 layout.
func (s *scope) hardware(inv *Inventory) {
	v := s.take("hardware")
	if v == nil {
		return
	}
	if v.Kind != yamlpos.Mapping {
		s.wrong(v, "hardware", "mapping")
		return
	}
	for _, f := range v.Fields {
		at := s.at.key("hardware").key(f.Key.Text)
		if f.Key.Kind != yamlpos.String {
			s.add("matrix.wrong-type", f.Key, at, "want", "string", "got", f.Key.Kind.String())
			continue
		}
		in, ok := s.open(f.Value, at)
		if !ok {
			continue
		}
		inv.Facts[f.Key.Text] = NodeFacts{
			DRAMMiB:     in.positive("available-cpu-dram-mib", in.need("available-cpu-dram-mib")),
			GPUsPerNode: in.positive("gpus-per-node", in.need("gpus-per-node")),
		}
		in.close()
	}
}

// positive reads an integer greater than zero; 0 stands for absent or wrong.
func (s *scope) positive(name string, v *yamlpos.Value) int64 {
	checked := s.integer(name, v, s.intForm())
	if checked == nil {
		return 0
	}
	n, _, _ := asInt(checked, intLenient)
	if n <= 0 {
		s.add("matrix.not-positive", v, s.at.key(name), "field", name, "value", v.Text)
		return 0
	}
	return n
}

// clusters reads the records of the newest layout and checks that labels and
// clusters name each other.
func (s *scope) clusters(inv *Inventory) {
	v := s.need("clusters")
	if v == nil {
		return
	}
	if v.Kind != yamlpos.Mapping {
		s.wrong(v, "clusters", "mapping")
		return
	}
	owners := s.clusterLabels(inv, v)
	for _, f := range v.Fields {
		at := s.at.key("clusters").key(f.Key.Text)
		label := "cluster:" + f.Key.Text
		nodes, known := inv.Nodes(label)
		if !known {
			s.add("matrix.cluster-without-label", f.Key, at, "label", label)
		}
		in, ok := s.open(f.Value, at)
		if !ok {
			continue
		}
		inv.Facts[label] = in.cluster(inv, nodes)
	}
	for _, l := range inv.Labels {
		for _, node := range l.Nodes {
			if n := owners[node]; n != 1 {
				s.add("matrix.runner-owner", v, s.at.key("labels").key(l.Name), "runner", node, "count", strconv.Itoa(n))
			}
		}
	}
}

// clusterLabels checks that every cluster: label has its record, and counts
// the cluster labels that each runner stands in.
func (s *scope) clusterLabels(inv *Inventory, clusters *yamlpos.Value) map[string]int {
	owners := make(map[string]int)
	for _, l := range inv.Labels {
		id, isCluster := strings.CutPrefix(l.Name, "cluster:")
		if !isCluster {
			continue
		}
		if clusters.Get(id) == nil {
			s.add("matrix.label-without-cluster", clusters, s.at.key("labels").key(l.Name), "label", l.Name)
		}
		for _, node := range l.Nodes {
			owners[node]++
		}
	}
	return owners
}
