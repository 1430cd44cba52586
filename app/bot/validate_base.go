package bot

import (
	"slices"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

// side is the base of a change, read when it is first asked for.
type side struct {
	settings config.Settings
	files    matrix.Files

	read      bool
	masters   *matrix.Masters // nil where the base cannot be read
	generator *matrix.Generator
}

// known turns problems of a config that the base has too into warnings: they
// refuse only changes that sweep this config, and those are refused by
// planning. So an old problem does not stand in the way of everybody.
func (b *side) known(key string, list diag.List) diag.List {
	if !list.Refused() || b.files == nil {
		return list
	}
	b.load()
	if b.masters == nil || b.masters.Get(key) == nil {
		return list
	}
	_, old := expandParts(b.generator, b.masters.Get(key))
	out := slices.Clone(list)
	for i, f := range out {
		same := func(g diag.Finding) bool { return f.Code == g.Code && slices.Equal(f.Args, g.Args) }
		if slices.ContainsFunc(old, same) {
			out[i].Severity = diag.Warning
		}
	}
	return out
}

func (b *side) load() {
	if b.read {
		return
	}
	b.read = true
	inventory, list := matrix.ReadRunners(b.settings, b.files)
	if list.Refused() {
		return
	}
	masters, list := matrix.ReadMasters(b.settings, b.files, false)
	if list.Refused() {
		return
	}
	b.masters, b.generator = masters, newExpander(b.settings, inventory, b.files)
}
