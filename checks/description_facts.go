package checks

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// length compares an acceptance length with those that the affected points
// simulate, whichever point it is said of.
func (d *description) length(ctx context.Context, c claim) error {
	said, err := strconv.ParseFloat(c.value, 64)
	if err != nil {
		return nil
	}
	other, unknown := "", false
	for _, key := range d.affected.Submitted() {
		list, incomplete, err := d.e.Draftings(ctx, key)
		if err != nil {
			return err
		}
		unknown = unknown || incomplete
		for _, draft := range list {
			switch {
			case draft.Simulated.Knob == "":
			case !draft.Simulated.Known:
				unknown = true
			case math.Abs(draft.Simulated.Length-said) < 0.005:
				d.agree(c)
				return nil
			case other == "":
				other = fmt.Sprintf("%s simulates %s (%s)", key.Key, trimmed(draft.Simulated.Length), draft.Simulated.Place)
			}
		}
	}
	if other != "" && !unknown {
		d.contradict(c, other)
	}
	return nil
}

// cache compares the precision of the KV cache with the flag of the affected
// points. One that nobody sets is what the engine takes, and contradicts
// nothing.
func (d *description) cache(ctx context.Context, c claim) error {
	if err := d.load(ctx); err != nil {
		return err
	}
	other, unknown := "", false
	for _, s := range d.launches {
		for i := range s.effective.Commands {
			value, place, known, set := settingOf(&s.effective.Commands[i], "kv-cache-dtype")
			switch {
			case !set || known && normal(value) == "auto":
			case !known:
				unknown = true
			case samePrecision(normal(value), c.value):
				d.agree(c)
				return nil
			case other == "":
				other = fmt.Sprintf("%s sets %s", place, value)
			}
		}
	}
	if other != "" && !unknown {
		d.contradict(c, other)
	}
	return nil
}

// samePrecision reports whether a value of a flag is the precision that is
// said: fp8_e4m3 is fp8, bfloat16 is bf16.
func samePrecision(value, said string) bool {
	value = strings.NewReplacer("bfloat16", "bf16", "float16", "fp16", "float8", "fp8", "float4", "fp4").Replace(value)
	return strings.HasPrefix(value, said) || said == "fp4" && strings.HasPrefix(value, "nvfp4")
}
