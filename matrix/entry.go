package matrix

import (
	"strconv"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// The values of kv-offloading and the default of spec-decoding.
const (
	offloadNone = "none"
	offloadDRAM = "dram"
	// offloadTiered is the text of the list [dram, nvme].
	offloadTiered = "dram+nvme"
	specNone      = "none"
)

// entry opens one search-space element and reads what all four row types
// share.
func (d *decoder) entry(v *yamlpos.Value, at *path) (*Entry, *scope) {
	e := &Entry{Place: v.Place(d.file), SpecDecoding: specNone}
	s, ok := d.open(v, at)
	if !ok {
		return e, nil
	}
	if spec := s.take("spec-decoding"); spec != nil {
		e.SpecDecoding = s.choice("spec-decoding", spec, "mtp", "draft_model", specNone)
	}
	router := s.take("router")
	e.RouterSet = router != nil
	e.Router = s.component("router", optional(router), true)
	s.concurrency(e)
	return e, s
}

// fixedSingle reads an element of a single-node fixed-seq-len search space.
func (d *decoder) fixedSingle(v *yamlpos.Value, at *path) *Entry {
	e, s := d.entry(v, at)
	if s == nil {
		return e
	}
	e.TP = s.integer("tp", s.need("tp"), d.intForm())
	s.sizes(e)
	e.EP = s.integer("ep", optional(s.take("ep")), d.intForm())
	e.DPAttn = s.boolean("dp-attn", optional(s.take("dp-attn")), d.rules.LenientTypes)
	if d.rules.Recipes {
		e.Recipe = s.recipe("srt-recipe")
	}
	s.finish(e)
	d.divisible(e.TP, e.DCP, v, at)
	return e
}

// fixedMulti reads an element of a multi-node fixed-seq-len search space.
func (d *decoder) fixedMulti(v *yamlpos.Value, at *path) *Entry {
	e, s := d.entry(v, at)
	if s == nil {
		return e
	}
	s.workers(e)
	if !d.rules.AggregateWorker {
		for _, role := range [2]string{"prefill", "decode"} {
			if v.Get(role) == nil {
				s.need(role)
			}
		}
	}
	s.transfer(e)
	if d.rules.Recipes {
		e.Recipe, e.EvalRecipe = s.recipe("srt-recipe"), s.recipe("eval-srt-recipe")
	}
	if d.rules.Power {
		s.power(e)
	}
	s.finish(e)
	both, any := e.Prefill != nil && e.Decode != nil, e.Prefill != nil || e.Decode != nil
	switch unfit := (e.Worker != nil) == any || any && !both; {
	case unfit && d.rules.TopologyScope:
		d.add("matrix.r6-topology", v, at)
	case d.rules.AggregateWorker && e.Worker == nil && !both:
		e.crash = append(e.crash, d.find("matrix.multi-node-without-workers", v, at).In("unhandled-KeyError"))
	}
	d.oneSided(e, v, at)
	return e
}

// agenticEntry reads an element of an agentic-coding search space, of either
// kind of config.
func (d *decoder) agenticEntry(c *Config, v *yamlpos.Value, at *path) *Entry {
	e, s := d.entry(v, at)
	if s == nil {
		return e
	}
	e.TP = s.integer("tp", optional(s.take("tp")), d.intForm())
	s.sizes(e)
	e.EP = s.integer("ep", optional(s.take("ep")), d.intForm())
	e.DPAttn = s.boolean("dp-attn", optional(s.take("dp-attn")), d.rules.LenientTypes)
	s.workers(e)
	s.offloading(e)
	s.formerOffloading(e)
	s.transfer(e)
	if d.rules.Recipes {
		e.Recipe, e.EvalRecipe = s.recipe("srt-recipe"), s.recipe("eval-srt-recipe")
	}
	if d.rules.Power {
		s.power(e)
	}
	s.finish(e)
	if e.TP != nil {
		d.divisible(e.TP, e.DCP, v, at)
	}
	if !e.badOffload {
		d.offloadRules(e, v, at)
	}
	d.agenticTopology(e, v, at)
	d.oneSided(e, v, at)
	d.agenticCrashes(c, e, v, at)
	return e
}

func (s *scope) sizes(e *Entry) {
	e.PP, e.DCP, e.PCP = s.size("pp"), s.size("dcp-size"), s.size("pcp-size")
}

func (s *scope) workers(e *Entry) {
	e.Prefill = s.worker("prefill", optional(s.take("prefill")), false)
	e.Decode = s.worker("decode", optional(s.take("decode")), false)
	if !s.rules.AggregateWorker {
		return
	}
	e.Worker = s.worker("worker", optional(s.take("worker")), true)
	if v := optional(s.take("num-nodes")); v != nil {
		if n := s.integer("num-nodes", v, intStrict); n != nil && n.Int <= 0 {
			s.add("matrix.not-positive", v, s.at.key("num-nodes"), "field", "num-nodes", "value", v.Text)
		} else if n != nil {
			e.NumNodes = n.Int
		}
	}
}

func (s *scope) transfer(e *Entry) {
	v := s.take("kv-p2p-transfer")
	e.TransferSet = v != nil
	e.Transfer = s.filled("kv-p2p-transfer", optional(v))
}

func (s *scope) power(e *Entry) {
	b := s.boolean("power", s.take("power"), false)
	e.Power = b != nil && b.Int == 1
}

func (s *scope) offloading(e *Entry) {
	switch v := s.take("kv-offloading"); {
	case v == nil:
	case v.Kind == yamlpos.Null:
		e.KVNull = true
	case s.rules.TieredOffload && v.Kind == yamlpos.Sequence:
		if e.badOffload = !isTiered(v); e.badOffload {
			s.add("matrix.bad-value", v, s.at.key("kv-offloading"), "field", "kv-offloading", "value", "list", "allowed", "none, dram, [dram, nvme]")
		}
		e.KVOffloading = offloadTiered
	default:
		e.KVOffloading = s.choice("kv-offloading", v, offloadNone, offloadDRAM)
		e.badOffload = e.KVOffloading == ""
	}
	e.Backend = s.component("kv-offload-backend", optional(s.take("kv-offload-backend")), false)
}

// isTiered reports whether a list is [dram, nvme].
func isTiered(v *yamlpos.Value) bool {
	want := [...]string{offloadDRAM, "nvme"}
	if len(v.Items) != len(want) {
		return false
	}
	for i, item := range v.Items {
		if item.Kind != yamlpos.String || item.Text != want[i] {
			return false
		}
	}
	return true
}

// concurrency reads and checks the concurrencies of an entry (R2).
func (s *scope) concurrency(e *Entry) {
	before := s.found
	list := s.take("conc-list")
	e.ConcListSet = list != nil
	if list != nil && list.Kind == yamlpos.Null {
		e.ConcListNull = true
	} else {
		e.ConcList = s.list("conc-list", list)
	}
	for i, item := range e.ConcList {
		s.concValue(item, s.at.key("conc-list").item(i))
	}
	e.ConcStart = s.integer("conc-start", optional(s.take("conc-start")), s.intForm())
	e.ConcEnd = s.integer("conc-end", optional(s.take("conc-end")), s.intForm())
	if s.found == before {
		s.concRules(e)
	}
}

func (s *scope) concValue(item *yamlpos.Value, at *path) {
	if _, ok, whole := asInt(item, s.intForm()); !ok {
		if !whole && s.rules.LenientTypes {
			s.add("matrix.fraction", item, at, "field", "conc-list", "value", item.Text)
			return
		}
		s.add("matrix.wrong-type", item, at, "want", "integer", "got", item.Kind.String())
	}
}

// concRules is rule R2, with the bounds of spec/security.md S45.
func (s *scope) concRules(e *Entry) {
	hasRange, hasList := e.ConcStart != nil && e.ConcEnd != nil, len(e.ConcList) > 0
	refuse := func(code string, v *yamlpos.Value, args ...string) { s.add(code, v, s.at, args...) }
	switch {
	case hasRange && hasList:
		refuse("matrix.r2-list-and-range", s.v)
	case !hasRange && !hasList:
		refuse("matrix.r2-missing", s.v)
	case hasRange:
		start, _, _ := asInt(e.ConcStart, intLenient)
		end, _, _ := asInt(e.ConcEnd, intLenient)
		switch {
		case start <= 0 || end <= 0:
			refuse("matrix.r2-not-positive", e.ConcStart, "value", strconv.FormatInt(min(start, end), 10))
		case start > end:
			refuse("matrix.r2-start-above-end", e.ConcStart, "start", strconv.FormatInt(start, 10), "end", strconv.FormatInt(end, 10))
		case end > int64(s.limits.Conc):
			refuse("matrix.conc-limit", e.ConcEnd, "value", e.ConcEnd.Text, "limit", strconv.Itoa(s.limits.Conc))
		}
	default:
		s.concListRules(e)
	}
	if e.ConcListSet && !hasList && hasRange && !s.rules.EmptyConcList {
		refuse("matrix.empty-conc-list", s.v)
	}
}

func (s *scope) concListRules(e *Entry) {
	if len(e.ConcList) > s.limits.ConcPoints {
		s.add("matrix.conc-count", s.v, s.at.key("conc-list"), "count", strconv.Itoa(len(e.ConcList)), "limit", strconv.Itoa(s.limits.ConcPoints))
		return
	}
	for i, item := range e.ConcList {
		at := s.at.key("conc-list").item(i)
		switch n, _, _ := asInt(item, intLenient); {
		case n <= 0:
			s.add("matrix.r2-not-positive", item, at, "value", item.Text)
		case n > int64(s.limits.Conc):
			s.add("matrix.conc-limit", item, at, "value", item.Text, "limit", strconv.Itoa(s.limits.Conc))
		}
	}
}

// finish refuses unknown fields, then takes back what the expansion does not
// see because of its underscore spelling, and notes what it fails on.
func (s *scope) finish(e *Entry) {
	s.close()
	for _, name := range s.hidden {
		s.hideEntry(e, name)
	}
	for _, v := range append([]*yamlpos.Value{e.ConcStart, e.ConcEnd}, e.ConcList...) {
		if v != nil && v.Kind == yamlpos.String {
			e.crash = append(e.crash, s.crash("matrix.conc-as-text", v, "conc-list").In("unhandled-TypeError"))
			break
		}
	}
	e.detach()
}

func (s *scope) hideEntry(e *Entry, name string) {
	switch name {
	case "dcp-size":
		e.DCP = nil
	case "pcp-size":
		e.PCP = nil
	case "dp-attn":
		e.DPAttn = nil
	case "spec-decoding":
		e.SpecDecoding = specNone
	case "kv-p2p-transfer":
		e.Transfer, e.TransferSet = "", false
	case "conc-list":
		if e.ConcList, e.ConcListSet = nil, false; e.ConcStart == nil {
			e.crash = append(e.crash, s.crash("matrix.hidden-field", s.v, name))
		}
	case "conc-start", "conc-end":
		if len(e.ConcList) == 0 {
			e.crash = append(e.crash, s.crash("matrix.hidden-field", s.v, name))
		}
	case "kv-offloading", "kv-offload-backend":
		e.crash = append(e.crash, s.crash("matrix.hidden-field", s.v, name))
	}
}
