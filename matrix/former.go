package matrix

import (
	"errors"
	"io/fs"
	slashpath "path"

	"github.com/sweepbot/sweepbot/config"
)

// What a recipe is judged at may be older than the rules of today. A reading
// "of former times" takes the forms that configs had before, and does not ask
// for what they did not say yet, as long as it is known what their rows were
// launched with:
//
//   - master files and runner file below .github/;
//   - a runner file that is nothing but its labels;
//   - seq-len-configs beside the entry's other fields, for what is now
//     scenarios.fixed-seq-len;
//   - offloading: none, cpu or the name of a backend, for kv-offloading and
//     kv-offload-backend;
//   - the name of a router or a backend alone, for a mapping with its name;
//   - the length of an agentic measurement at its block (duration);
//   - no kv-p2p-transfer, no dram-utilization, no backend, no kv-offloading,
//     a runner that is no cluster.
//
// Nothing that a sweep is planned from is read so.

// formerFolder is where the configuration files lay.
const formerFolder = ".github"

// formerLayout is the layout of a revision: that of today, or the one of former
// times where only that has its probe.
func formerLayout(l config.Layout, files Files) config.Layout {
	if _, err := l.Root(files); !errors.Is(err, fs.ErrNotExist) {
		return l
	}
	was := l
	was.Probe, was.Runners = slashpath.Join(formerFolder, l.Probe), slashpath.Join(formerFolder, l.Runners)
	was.Masters = nil
	for _, name := range l.Masters {
		was.Masters = append(was.Masters, slashpath.Join(formerFolder, name))
	}
	if _, err := was.Root(files); err != nil {
		return l
	}
	return was
}

// formerDRAM is the memory for offloading, in 10^9 bytes, before it was
// computed: the default of the benchmark workflow.
const formerDRAM = 600

// formerLabels reads a runner file that is a mapping of labels.
func (s *scope) formerLabels(inv *Inventory) { s.labelsOf(inv, s.v, s.at) }

// formerLengths reads fixed-sequence blocks that stand in the config itself.
// It reports whether there are any.
func (s *scope) formerLengths(c *Config) bool {
	if !s.former || s.v.Get("scenarios") != nil || s.v.Get("seq-len-configs") == nil {
		return false
	}
	for i, item := range s.list("seq-len-configs", s.take("seq-len-configs")) {
		c.FixedSeqLen = append(c.FixedSeqLen, s.fixedSeq(c, item, s.at.key("seq-len-configs").item(i)))
	}
	return true
}

// formerOffloading reads the field that kv-offloading and kv-offload-backend
// have replaced.
func (s *scope) formerOffloading(e *Entry) {
	if !s.former || s.v.Get("offloading") == nil {
		return
	}
	text := s.filled("offloading", optional(s.take("offloading")))
	switch {
	case text == "":
	case text == offloadNone:
		e.FormerOffloading, e.KVOffloading = text, offloadNone
	default:
		e.FormerOffloading, e.KVOffloading = text, offloadDRAM
		e.Backend = &Component{Name: text}
	}
}

// formerDuration reads the length of a block's measurement, in seconds.
func (s *scope) formerDuration(block *Agentic) {
	if !s.former || s.v.Get("duration") == nil {
		return
	}
	v := s.integer("duration", s.take("duration"), intStrict)
	if v == nil {
		return
	}
	for _, e := range block.Entries {
		e.FormerDuration = v.Int
	}
}

// formerShare is the memory of a row where it cannot be computed. It is known
// where the entry has the former field; else the row says that it is not.
func (g *Generator) formerShare(e *Entry) (gb int64, unknown, ok bool) {
	if !g.former {
		return 0, false, false
	}
	if e.FormerOffloading != "" {
		return formerDRAM, false, true
	}
	return 0, true, true
}
