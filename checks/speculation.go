package checks

import (
	"context"

	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/launch"
)

// speculative reports whether a row drafts tokens: its launch decides where it
// is fully known, whatever the row's label says; otherwise the label counts
// too (spec/checks.md section 1.7, speculation record).
func (e *Evidence) speculative(ctx context.Context, rev *Revision, row *matrix.Row) (bool, error) {
	effective, err := e.Launch(ctx, rev, row, launch.Throughput)
	if err != nil {
		return false, err
	}
	generating := generation(effective)
	for _, c := range generating {
		if s, ok := launch.SpeculationOf(c); ok && !(s.Tokens == 0 && zeroDraft(c)) {
			return true, nil
		}
	}
	if len(generating) > 0 && effective.Complete() {
		return false, nil
	}
	return row.Entry.SpecDecoding != "" && row.Entry.SpecDecoding != "none", nil
}

// generation are the commands that generate: the decode role, else the
// aggregate one.
func generation(effective *recipe.Effective) []*recipe.Command {
	var decode, aggregate []*recipe.Command
	for _, c := range effective.Serving() {
		switch c.Role {
		case recipe.RoleDecode:
			decode = append(decode, c)
		case recipe.RoleAggregate:
			aggregate = append(aggregate, c)
		}
	}
	if len(decode) > 0 {
		return decode
	}
	return aggregate
}

// draftLengths are the flags that hold the number of draft tokens.
var draftLengths = []string{
	"speculative-num-steps", "speculative-dspark-block-size", "num-speculative-tokens", "speculative-config.max-draft-len", "num-mtp",
}

// zeroDraft reports whether the number of draft tokens is a known zero.
func zeroDraft(c *recipe.Command) bool {
	for _, name := range draftLengths {
		if f := c.Flag(name); f != nil {
			value, ok := f.Value()
			return ok && value == "0"
		}
	}
	if f := c.Flag("speculative-config"); f != nil && f.JSON != nil {
		v, ok := f.JSON.Get("num_speculative_tokens")
		return ok && v.Text == "0"
	}
	return false
}
