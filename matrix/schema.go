package matrix

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// config validates one entry of a master file (spec/matrix.md section 4.1).
// The result is complete only when no finding was added.
func (d *decoder) config(key, value *yamlpos.Value) *Config {
	c := &Config{Key: key.Text, Place: key.Place(d.file)}
	at := (*path)(nil).key(key.Text)
	if value.Kind != yamlpos.Mapping {
		d.keep(d.find("matrix.config-not-mapping", value, at, "key", key.Text, "got", value.Kind.String()).In("unhandled-AttributeError"))
		return c
	}
	s, _ := d.open(value, at)
	before := d.found
	c.Image = s.text("image", s.need("image"))
	c.Model = s.text("model", s.need("model"))
	c.ModelPrefix = s.text("model-prefix", s.need("model-prefix"))
	c.Precision = s.text("precision", s.need("precision"))
	c.Framework = s.text("framework", s.need("framework"))
	c.Runner = s.text("runner", s.need("runner"))
	s.multinode(c)
	c.Router = s.component("router", optional(s.take("router")), true)
	if c.Multinode {
		c.Transfer = s.filled("kv-p2p-transfer", optional(s.take("kv-p2p-transfer")))
	}
	if d.rules.Recipes {
		c.RecipeDir = s.recipeDir(optional(s.take("srt-recipe-dir")))
	}
	s.scenarios(c)
	s.close()
	s.hideConfig(c)
	if d.found == before {
		d.topRules(c, at)
	}
	return c
}

// multinode reads the field that selects the schema, and disagg with it.
func (s *scope) multinode(c *Config) {
	v := s.need("multinode")
	c.Multinode = truthy(v)
	if v != nil && !literalBool(v, c.Multinode, s.rules.LenientTypes) {
		s.add("matrix.bad-value", v, s.at.key("multinode"), "field", "multinode", "value", v.Text, "allowed", "true, false")
	}
	disagg := s.take("disagg")
	switch {
	case disagg == nil:
	case c.Multinode:
		c.Disagg = detach(s.boolean("disagg", disagg, s.rules.LenientTypes))
	case !literalBool(disagg, false, s.rules.LenientTypes):
		s.add("matrix.disagg-single-node", disagg, s.at.key("disagg"))
	default:
		c.Disagg = detach(disagg)
	}
}

// hideConfig lets the expansion see what the reference's expansion sees of
// fields in underscore spelling: nothing.
func (s *scope) hideConfig(c *Config) {
	for _, name := range s.hidden {
		switch name {
		case "model-prefix":
			c.crash = append(c.crash, s.crash("matrix.hidden-field", s.v, name))
		case "kv-p2p-transfer":
			c.Transfer = ""
		}
	}
}

// crash is the finding for a value on which the reference's expansion fails
// although its schema accepts it.
func (s *scope) crash(code string, v *yamlpos.Value, name string) diag.Finding {
	return s.find(code, v, s.at.key(name), "field", name, "value", v.Text).In("unhandled-KeyError")
}

func (s *scope) scenarios(c *Config) {
	if s.formerLengths(c) {
		return
	}
	v := s.need("scenarios")
	if v == nil {
		return
	}
	in, ok := s.open(v, s.at.key("scenarios"))
	if !ok {
		return
	}
	fixed, agentic := in.scenario(c, FixedSeqLen), in.scenario(c, AgenticCoding)
	for i, item := range fixed {
		c.FixedSeqLen = append(c.FixedSeqLen, in.fixedSeq(c, item, in.at.key(FixedSeqLen).item(i)))
	}
	for i, item := range agentic {
		c.Agentic = append(c.Agentic, in.agentic(c, item, in.at.key(AgenticCoding).item(i)))
	}
	in.close()
	if len(fixed) == 0 && len(agentic) == 0 {
		s.add("matrix.r1-no-scenario", v, in.at)
	}
	for _, name := range in.hidden {
		if name == FixedSeqLen {
			c.FixedSeqLen = nil
		} else {
			c.Agentic = nil
		}
	}
}

// scenario returns the blocks of one scenario; null counts as absent for the
// schema, while the reference's expansion fails on it.
func (s *scope) scenario(c *Config, name string) []*yamlpos.Value {
	v := s.take(name)
	if v != nil && v.Kind == yamlpos.Null {
		if !s.rules.NullAsAbsent {
			c.crash = append(c.crash, s.crash("matrix.null-scenario", v, name).In("unhandled-TypeError"))
		}
		return nil
	}
	return s.list(name, v)
}

// fixedSeq reads one block of section 4.3.
func (d *decoder) fixedSeq(c *Config, v *yamlpos.Value, at *path) *FixedSeq {
	block := &FixedSeq{Place: v.Place(d.file)}
	s, ok := d.open(v, at)
	if !ok {
		return block
	}
	block.ISL = s.integer("isl", s.need("isl"), d.intForm())
	block.OSL = s.integer("osl", s.need("osl"), d.intForm())
	for _, length := range []*yamlpos.Value{block.ISL, block.OSL} {
		if length != nil && length.Kind == yamlpos.String {
			block.crash = append(block.crash, s.crash("matrix.length-as-text", length, "isl").In("unhandled-TypeError"))
		}
	}
	block.ISL, block.OSL = detach(block.ISL), detach(block.OSL)
	if c.Multinode && d.rules.Power {
		b := s.boolean("require-power", s.take("require-power"), false)
		block.RequirePower = b != nil && b.Int == 1
	}
	entries := s.list("search-space", s.need("search-space"))
	for i, item := range entries {
		entryAt := at.key("search-space").item(i)
		if c.Multinode {
			block.Entries = append(block.Entries, d.fixedMulti(item, entryAt))
		} else {
			block.Entries = append(block.Entries, d.fixedSingle(item, entryAt))
		}
	}
	s.close()
	for _, name := range s.hidden {
		block.crash = append(block.crash, s.crash("matrix.hidden-field", s.v, name))
	}
	return block
}

// agentic reads one block of section 4.5.
func (d *decoder) agentic(c *Config, v *yamlpos.Value, at *path) *Agentic {
	block := &Agentic{Place: v.Place(d.file)}
	s, ok := d.open(v, at)
	if !ok {
		return block
	}
	utilization := optional(s.take("dram-utilization"))
	if utilization != nil {
		text, number, ok := asDecimal(utilization, d.rules.LenientTypes)
		switch {
		case !ok:
			s.wrong(utilization, "dram-utilization", "number")
		case !(number > 0 && number <= 1):
			s.add("matrix.utilization-range", utilization, at.key("dram-utilization"), "value", utilization.Text)
		default:
			block.DRAMUtilization = text
		}
	}
	for i, item := range s.list("search-space", s.need("search-space")) {
		block.Entries = append(block.Entries, d.agenticEntry(c, item, at.key("search-space").item(i)))
	}
	s.formerDuration(block)
	s.close()
	if utilization == nil && !d.former {
		for i, e := range block.Entries {
			if e.KVOffloading == offloadDRAM || e.KVOffloading == offloadTiered {
				f := d.find("matrix.r7-dram-needs-utilization", v, at.key("search-space").item(i))
				f.Place = e.Place
				d.keep(f)
			}
		}
	}
	for _, name := range s.hidden {
		block.crash = append(block.crash, s.crash("matrix.hidden-field", s.v, name))
	}
	return block
}

// component reads a router or an offload backend (section 4.6).
func (s *scope) component(name string, v *yamlpos.Value, versionRequired bool) *Component {
	if v == nil {
		return nil
	}
	if s.former && v.Kind == yamlpos.String {
		return &Component{Name: s.filled(name, v)}
	}
	in, ok := s.open(v, s.at.key(name))
	if !ok {
		return nil
	}
	c := &Component{Name: in.filled("name", in.need("name"))}
	version := in.take("version")
	switch {
	case version == nil && versionRequired:
		in.need("version")
	case version != nil && version.Kind == yamlpos.Null && !versionRequired:
		c.NullVersion = true
	default:
		c.Version = in.filled("version", version)
	}
	if strings.HasPrefix(c.Version, "image:") {
		in.add("matrix.component-version-is-image", version, in.at.key("version"), "value", c.Version)
	}
	in.close()
	return c
}
