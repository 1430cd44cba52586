package matrix

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// divisible is rule R3: tp is a multiple of dcp-size.
func (d *decoder) divisible(tp, dcp, at *yamlpos.Value, where *path) {
	if tp == nil || dcp == nil {
		return
	}
	if n, ok, _ := asInt(tp, intLenient); ok && n%dcp.Int != 0 {
		d.add("matrix.r3-tp-divisible", at, where, "tp", strconv.FormatInt(n, 10), "dcp", dcp.Text)
	}
}

// agenticTopology holds rules R4, R4a, R4b and R16 of an agentic entry.
func (d *decoder) agenticTopology(e *Entry, v *yamlpos.Value, at *path) {
	shapes := 0
	for _, present := range [3]bool{e.TP != nil, e.Worker != nil, e.Prefill != nil || e.Decode != nil} {
		if present {
			shapes++
		}
	}
	switch {
	case shapes != 1 || (e.Prefill != nil) != (e.Decode != nil):
		d.add("matrix.r4-topology", v, at)
	case e.TP != nil:
		if e.KVOffloading == "" && !e.badOffload && !d.former {
			d.add("matrix.r4a-offloading-required", v, at)
		}
		if e.Power {
			d.add("matrix.r16-power", v, at)
		}
	default:
		for _, name := range [...]string{"pp", "dcp-size", "dcp_size", "pcp-size", "pcp_size"} {
			if v.Get(name) != nil {
				d.add("matrix.r4b-single-fields", v, at, "field", name)
				break
			}
		}
	}
}

// oneSided is rule R5: both roles name their hardware, or neither.
func (d *decoder) oneSided(e *Entry, v *yamlpos.Value, at *path) {
	if e.Prefill != nil && e.Decode != nil && (e.Prefill.Hardware == "") != (e.Decode.Hardware == "") {
		d.add("matrix.r5-hardware", v, at)
	}
}

// offloadRules are R7a and R7b.
func (d *decoder) offloadRules(e *Entry, v *yamlpos.Value, at *path) {
	switch {
	case e.Backend != nil && e.KVOffloading == "":
		d.add("matrix.r7a-backend-without-offloading", v, at)
	case e.Backend != nil && e.KVOffloading == offloadNone:
		d.add("matrix.r7a-backend-with-none", v, at)
	case e.Backend == nil && !d.former && (e.KVOffloading == offloadDRAM || e.KVOffloading == offloadTiered):
		d.add("matrix.r7b-backend-required", v, at)
	}
}

// agenticCrashes notes entries on which the reference's expansion fails: of
// the other topology than the config, or with a null kv-offloading.
func (d *decoder) agenticCrashes(c *Config, e *Entry, v *yamlpos.Value, at *path) {
	crash := func(code, category string) {
		e.crash = append(e.crash, d.find(code, v, at).In(category))
	}
	if !d.rules.TopologyScope {
		if !c.Multinode && e.TP == nil {
			crash("matrix.single-node-without-tp", "unhandled-KeyError")
		}
		if c.Multinode && e.Worker == nil && (e.Prefill == nil || e.Decode == nil) {
			crash("matrix.multi-node-without-workers", "unhandled-KeyError")
		}
	}
	if e.KVNull && !d.rules.NullAsAbsent {
		crash("matrix.null-offloading", "unhandled-TypeError")
	}
	if e.Prefill != nil && e.Decode != nil && (e.Prefill.hidden || e.Decode.hidden) {
		crash("matrix.hidden-worker-field", "unhandled-KeyError")
	}
}

// topRules are the rules over a whole config, R8 to R14.
func (d *decoder) topRules(c *Config, at *path) {
	refuse := func(code string, args ...string) {
		f := d.find(code, nil, at, args...).In("config-schema")
		f.Place = c.Place
		d.keep(f)
	}
	if len(c.Agentic) > 0 && !strings.HasPrefix(c.Runner, "cluster:") && !d.former {
		refuse("matrix.r13-runner-not-cluster", "runner", c.Runner)
	}
	entries, withRouter, withTransfer := 0, 0, 0
	for e := range c.entries() {
		entries++
		if e.Router != nil {
			withRouter++
		}
		if e.Transfer != "" {
			withTransfer++
		}
	}
	disagg := c.disaggregated()
	switch {
	case c.Router != nil && withRouter > 0:
		refuse("matrix.r8-both-levels", "field", "router")
	case c.Transfer != "" && withTransfer > 0:
		refuse("matrix.r8-both-levels", "field", "kv-p2p-transfer")
	case !c.Multinode && withTransfer > 0:
		refuse("matrix.r9-transfer-single-node")
	case disagg && !d.former && c.Transfer == "" && (entries == 0 || withTransfer < entries):
		refuse("matrix.r10-disagg-needs-transfer")
	}
	if d.rules.TopologyScope {
		d.topologyScope(c, at)
	}
	if d.rules.Recipes {
		d.recipeRules(c, at)
	}
}

// disaggregated reports whether the config separates prefill from decode.
func (c *Config) disaggregated() bool {
	if c.Disagg == nil {
		return false
	}
	b, _ := asBool(c.Disagg, true)
	return b
}

// entries iterates over the entries of all scenarios in expansion order.
func (c *Config) entries() func(yield func(*Entry) bool) {
	return func(yield func(*Entry) bool) {
		for _, block := range c.FixedSeqLen {
			for _, e := range block.Entries {
				if !yield(e) {
					return
				}
			}
		}
		for _, block := range c.Agentic {
			for _, e := range block.Entries {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// topologyScope holds rules R11 and R12.
func (d *decoder) topologyScope(c *Config, at *path) {
	for e := range c.entries() {
		roles := e.Prefill != nil || e.Decode != nil
		code := ""
		switch {
		case !c.Multinode && (roles || e.Worker != nil || e.NumNodes != 0):
			code = "matrix.r11-single-node"
		case c.Multinode && c.disaggregated() && (e.Prefill == nil || e.Decode == nil || e.Worker != nil || e.NumNodes != 0):
			code = "matrix.r12-disaggregated"
		case c.Multinode && !c.disaggregated() && (e.Worker == nil || e.NumNodes == 0 || roles):
			code = "matrix.r12-aggregate"
		}
		if code != "" {
			f := d.find(code, nil, at)
			f.Place = e.Place
			d.keep(f)
		}
	}
}
