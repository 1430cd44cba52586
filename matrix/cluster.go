package matrix

import (
	slashpath "path"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// cluster reads one cluster record (spec/matrix.md section 3, newest layout).
func (s *scope) cluster(own owners, nodes []string) NodeFacts {
	facts := NodeFacts{
		GPUsPerNode: s.positive("gpus-per-node", s.need("gpus-per-node")),
		DRAMMiB:     s.positive("available-cpu-dram-mib", optional(s.take("available-cpu-dram-mib"))),
	}
	s.choice("arch", s.need("arch"), "x86_64", "aarch64")
	facts.Env = s.env(optional(s.take("env")))
	s.models(optional(s.take("models")))
	s.choice("scheduler", s.need("scheduler"), "slurm")
	s.slurm(own, s.need("slurm"), nodes)
	s.close()
	return facts
}

// env reads environment variables; values must not contain a comma, since the
// launcher passes them as one comma list.
func (s *scope) env(v *yamlpos.Value) [][2]string {
	if v == nil {
		return nil
	}
	if v.Kind != yamlpos.Mapping {
		s.wrong(v, "env", "mapping")
		return nil
	}
	var out [][2]string
	for _, f := range v.Fields {
		at := s.at.key("env").key(f.Key.Text)
		switch {
		case f.Key.Kind != yamlpos.String:
			s.add("matrix.wrong-type", f.Key, at, "want", "string", "got", f.Key.Kind.String())
		case f.Value.Kind != yamlpos.String:
			s.add("matrix.wrong-type", f.Value, at, "want", "string", "got", f.Value.Kind.String())
		case strings.Contains(f.Value.Text, ","):
			s.add("matrix.env-comma", f.Value, at, "field", f.Key.Text)
		default:
			out = append(out, [2]string{f.Key.Text, f.Value.Text})
		}
	}
	return out
}

// models checks where a cluster keeps model weights. Volumes are the paths
// that the scheduler record names; here only the shape of the entries and the
// directories is checked.
func (s *scope) models(v *yamlpos.Value) {
	if v == nil {
		return
	}
	in, ok := s.open(v, s.at.key("models"))
	if !ok {
		return
	}
	in.text("download-root", optional(in.take("download-root")))
	entries := in.take("entries")
	if entries != nil && entries.Kind != yamlpos.Mapping {
		in.wrong(entries, "entries", "mapping")
		entries = nil
	}
	if entries != nil {
		for _, f := range entries.Fields {
			in.model(f)
		}
	}
	in.close()
}

func (s *scope) model(f yamlpos.Field) {
	in, ok := s.open(f.Value, s.at.key("entries").key(f.Key.Text))
	if !ok {
		return
	}
	in.filled("root", in.need("root"))
	dir := in.need("dir")
	if text := in.filled("dir", dir); text != "" && !relative(text) {
		in.add("matrix.unsafe-path", dir, in.at.key("dir"), "value", text)
	}
	in.close()
}

// relative reports whether a path is relative, normalised and stays inside.
func relative(text string) bool {
	return text != "" && text == slashpath.Clean(text) && !slashpath.IsAbs(text) && text != ".." && !strings.HasPrefix(text, "../") && !strings.Contains(text, "\\")
}

// slurm reads the scheduler record. Of its many settings only the partitions
// concern the inventory; the others are the launcher's, and kept open.
func (s *scope) slurm(own owners, v *yamlpos.Value, nodes []string) {
	if v == nil {
		return
	}
	in, ok := s.open(v, s.at.key("slurm"))
	if !ok {
		return
	}
	partitions := in.list("partitions", optional(in.take("partitions")))
	if len(partitions) == 0 {
		return
	}
	names := make(map[string]bool)
	for i, item := range partitions {
		if item.Kind != yamlpos.String {
			in.add("matrix.wrong-type", item, in.at.key("partitions").item(i), "want", "string", "got", item.Kind.String())
		}
		names[item.Text] = true
	}
	partition := in.need("partition")
	if text := in.text("partition", partition); partition != nil && partition.Kind == yamlpos.String && !names[text] {
		in.add("matrix.partition-unknown", partition, in.at.key("partition"), "value", text)
	}
	told := make(map[string]bool)
	for _, node := range nodes {
		n := 0
		for _, name := range own.partitions[node] {
			if names[name] {
				n++
			}
		}
		if n != 1 && !told[node] {
			told[node] = true
			in.add("matrix.runner-partition", v, in.at, "runner", node, "count", strconv.Itoa(n))
		}
	}
}
