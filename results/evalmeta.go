package results

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// meta reads the metadata of an eval job (spec/results.md section 6.1).
type meta struct{ doc ordjson.Value }

func (m meta) text(name, fallback string) string {
	if text, ok := document.Text(at(m.doc, name)); ok {
		return text
	}
	return fallback
}

func (m meta) integer(name string, fallback int64) int64 {
	v, ok := m.doc.Get(name)
	if !ok {
		return fallback
	}
	return looseInt(v, fallback)
}

// first reads the first field that is there; fallback stands for what is absent
// or no number.
func (m meta) first(fallback int64, names ...string) int64 {
	for _, name := range names {
		if v, ok := m.doc.Get(name); ok {
			return looseInt(v, fallback)
		}
	}
	return fallback
}

// roleSize is a size of a role in eval rows: its own, else the unprefixed one,
// else 1.
func (m meta) roleSize(prefix, name string) int64 { return m.first(1, prefix+name, name) }

// flag is a boolean as eval rows spell it.
func (m meta) flag(name string) (string, bool) {
	v := at(m.doc, name)
	if absent(v) {
		return "none", false
	}
	return strings.ToLower(plainText(v)), true
}

// attention appends the three attention flags. A multi-node row whose roles
// differ names both.
func (m meta) attention(row *ordjson.Value, multi bool) {
	whole, _ := m.flag("dp_attention")
	role := func(name string) string {
		if flag, ok := m.flag(name); ok {
			return flag
		}
		return whole
	}
	prefill, decode := role("prefill_dp_attention"), role("decode_dp_attention")
	switch {
	case multi && prefill != decode:
		whole = "prefill=" + prefill + ",decode=" + decode
	case multi:
		whole = prefill
	}
	row.Add("dp_attention", ordjson.Str(whole))
	row.Add("prefill_dp_attention", ordjson.Str(prefill))
	row.Add("decode_dp_attention", ordjson.Str(decode))
}

// layout appends the physical layout, which metadata with the field disagg
// determines; rows of older metadata have none.
func (m meta) layout(row *ordjson.Value, multi bool) {
	disagg, ok := document.Bool(at(m.doc, "disagg"))
	if !ok {
		return
	}
	var prefill, decode Role
	var prefillGPUs, decodeGPUs int64
	switch {
	case disagg:
		prefill, decode = m.role("prefill_"), m.role("decode_")
		prefillGPUs, decodeGPUs = prefill.perWorker()*prefill.Workers, decode.perWorker()*decode.Workers
	case multi:
		prefill = m.role("prefill_")
		prefillGPUs = prefill.perWorker() * prefill.Workers
		decode = Role{PP: 1, DCP: 1, PCP: 1}
	default:
		prefill = m.role("")
		prefill.Workers = 0
		decode = prefill
		prefillGPUs = prefill.perWorker()
	}
	set(row, "disagg", ordjson.Bool(disagg))
	set(row, "num_gpus", ordjson.Int(prefillGPUs+decodeGPUs))
	for _, name := range []string{"pp", "dcp_size", "pcp_size"} {
		set(row, name, ordjson.Int(m.integer(name, 1)))
	}
	m.setRole(row, "prefill_", prefill)
	m.setRole(row, "decode_", decode)
	if multi {
		set(row, "num_prefill_gpu", ordjson.Int(prefillGPUs))
		set(row, "num_decode_gpu", ordjson.Int(decodeGPUs))
	}
}

// role reads the layout of a role; what is not given comes from the unprefixed
// field, else it is 1.
func (m meta) role(prefix string) Role {
	size := func(name string) int64 { return m.roleSize(prefix, name) }
	return Role{
		TP: size("tp"), PP: size("pp"), DCP: size("dcp_size"), PCP: size("pcp_size"), EP: size("ep"),
		DPAttention: looseBool(at(m.doc, prefix+"dp_attention")), Workers: m.integer(prefix+"num_workers", 1),
	}
}

// setRole writes a role's layout over what the metadata said.
func (m meta) setRole(row *ordjson.Value, prefix string, role Role) {
	for _, size := range []struct {
		name string
		n    int64
	}{{"tp", role.TP}, {"pp", role.PP}, {"dcp_size", role.DCP}, {"pcp_size", role.PCP}, {"ep", role.EP}, {"num_workers", role.Workers}} {
		set(row, prefix+size.name, ordjson.Int(size.n))
	}
}
