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

	byLabel map[string]int // index in Labels
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
	i, known := inv.byLabel[label]
	if !known {
		return nil, false
	}
	return inv.Labels[i].Nodes, true
}

// LoadRunners reads and validates a runner file. Findings are of category
// "runner-config", or "yaml-invalid" where it is not YAML.
func LoadRunners(source Source, rules Rules) (*Inventory, diag.List) {
	if f := fileTooLarge(source, rules.Limits.FileBytes); f != nil {
		return nil, diag.List{*f}
	}
	root, err := yamlpos.Parse(source.Name, source.Data, yamlpos.Options{LastKeyWins: rules.Matrix.LastKeyWins})
	if err != nil {
		return nil, diag.List{asFinding(err)}
	}
	d := newDecoder(source.Name, "runner-config", rules)
	inv := &Inventory{Facts: make(map[string]NodeFacts), byLabel: make(map[string]int)}
	s, ok := d.open(root, nil)
	if !ok {
		return nil, d.list
	}
	if d.former && root.Get("labels") == nil {
		s.formerLabels(inv)
		return inv, d.list
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
	s.labelsOf(inv, v, s.at.key("labels"))
}

// labelsOf reads a mapping of labels.
func (s *scope) labelsOf(inv *Inventory, v *yamlpos.Value, where *path) {
	for _, f := range v.Fields {
		at := where.key(f.Key.Text)
		switch {
		case f.Key.Kind != yamlpos.String:
			s.add("matrix.wrong-type", f.Key, at, "want", "string", "got", f.Key.Kind.String())
		case f.Value.Kind != yamlpos.Sequence:
			s.add("matrix.wrong-type", f.Value, at, "want", "list", "got", f.Value.Kind.String())
		case len(f.Value.Items) == 0:
			s.add("matrix.label-empty", f.Value, at, "label", f.Key.Text)
		}
		inv.byLabel[f.Key.Text] = len(inv.Labels)
		inv.Labels = append(inv.Labels, Label{Name: f.Key.Text, Nodes: s.texts(f.Value, at)})
	}
}

// texts reads the strings of a list; anything else in it is a finding.
func (s *scope) texts(list *yamlpos.Value, at *path) []string {
	var out []string
	for i, item := range list.Items {
		if item.Kind != yamlpos.String {
			s.add("matrix.wrong-type", item, at.item(i), "want", "string", "got", item.Kind.String())
		}
		out = append(out, item.Text)
	}
	return out
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
		if in := s.record("hardware", f); in != nil {
			inv.Facts[f.Key.Text] = NodeFacts{
				DRAMMiB:     in.positive("available-cpu-dram-mib", in.need("available-cpu-dram-mib")),
				GPUsPerNode: in.positive("gpus-per-node", in.need("gpus-per-node")),
			}
			in.close()
		}
	}
}

// record opens one record of a table; nil means that there is none to read.
func (s *scope) record(table string, f yamlpos.Field) *scope {
	at := s.at.key(table).key(f.Key.Text)
	if f.Key.Kind != yamlpos.String {
		s.add("matrix.wrong-type", f.Key, at, "want", "string", "got", f.Key.Kind.String())
		return nil
	}
	in, _ := s.open(f.Value, at)
	return in
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
	own := owners{cluster: make(map[string]int), partitions: make(map[string][]string)}
	for _, l := range inv.Labels {
		own.add(l)
	}
	known := make(map[string]bool)
	for _, f := range v.Fields {
		known[f.Key.Text] = true
		label := "cluster:" + f.Key.Text
		nodes, labelled := inv.Nodes(label)
		if !labelled {
			s.add("matrix.cluster-without-label", f.Key, s.at.key("clusters").key(f.Key.Text), "label", label)
		}
		if in := s.record("clusters", f); in != nil {
			inv.Facts[label] = in.cluster(own, nodes)
		}
	}
	s.clusterLabels(inv, v, known, own)
}

// clusterLabels checks that every cluster: label has its record, and that
// every runner belongs to exactly one cluster.
func (s *scope) clusterLabels(inv *Inventory, clusters *yamlpos.Value, known map[string]bool, own owners) {
	told := make(map[string]bool)
	for _, l := range inv.Labels {
		at := s.at.key("labels").key(l.Name)
		if id, isCluster := strings.CutPrefix(l.Name, "cluster:"); isCluster && !known[id] {
			s.add("matrix.label-without-cluster", clusters, at, "label", l.Name)
		}
		for _, node := range l.Nodes {
			if n := own.cluster[node]; n != 1 && !told[node] {
				told[node] = true
				s.add("matrix.runner-owner", clusters, at, "runner", node, "count", strconv.Itoa(n))
			}
		}
	}
}

// owners counts, for every runner, the cluster labels that it stands in, and
// lists its partition labels.
type owners struct {
	cluster    map[string]int
	partitions map[string][]string
}

func (o owners) add(l Label) {
	_, isCluster := strings.CutPrefix(l.Name, "cluster:")
	partition, isPartition := strings.CutPrefix(l.Name, "partition:")
	if !isCluster && !isPartition {
		return
	}
	once := make(map[string]bool, len(l.Nodes))
	for _, node := range l.Nodes {
		if once[node] {
			continue
		}
		once[node] = true
		if isCluster {
			o.cluster[node]++
		} else {
			o.partitions[node] = append(o.partitions[node], partition)
		}
	}
}
