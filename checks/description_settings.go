package checks

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/launch"
)

// setting compares a flag, variable or key with what the affected points would
// serve. It agrees when some point has the value, and contradicts only when
// points set it and every value is known.
func (d *description) setting(ctx context.Context, c claim) error {
	if err := d.load(ctx); err != nil {
		return err
	}
	want := normal(c.value)
	var other string
	unknown := false
	for _, s := range d.launches {
		for i := range s.effective.Commands {
			value, place, known, set := settingOf(&s.effective.Commands[i], c.name)
			switch {
			case !set:
			case !known:
				unknown = true
			case normal(value) == want:
				d.agree(c)
				return nil
			case other == "":
				other = fmt.Sprintf("%s sets %s", place, value)
			}
		}
	}
	for _, v := range d.masterSettings(c.name) {
		if normal(v.value) == want {
			d.agree(c)
			return nil
		}
		if other == "" {
			other = fmt.Sprintf("%s sets %s", v.place, v.value)
		}
	}
	if other != "" && !unknown {
		d.contradict(c, other)
	}
	return nil
}

// load interprets the affected rows once.
func (d *description) load(ctx context.Context) error {
	if d.loaded {
		return nil
	}
	d.loaded = true
	for _, key := range d.affected.Submitted() {
		for _, row := range key.Rows {
			effective, err := d.e.Launch(ctx, d.head, row, launch.Throughput)
			if err != nil {
				return err
			}
			d.launches = append(d.launches, served{row, effective})
		}
	}
	return nil
}

// settingOf finds a flag or variable of a command by either spelling.
func settingOf(c *recipe.Command, name string) (value, place string, known, set bool) {
	if f := c.Flag(recipe.FlagName("--" + strings.TrimLeft(name, "-"))); f != nil {
		value, known = f.Value()
		return value, f.Text.Place.String(), known, true
	}
	if text, ok := c.Variable(name); ok {
		return text.String(), text.Place.String(), text.Known(), true
	}
	return "", "", false, false
}

// entrySetting is a field of a master entry.
type entrySetting struct{ value, place string }

// masterSettings finds a field anywhere in the affected entries, such as
// dram-utilization. Only scalars say something.
func (d *description) masterSettings(name string) []entrySetting {
	var out []entrySetting
	for _, key := range d.affected.Submitted() {
		file := key.Config.Place.File
		walkFields(key.Config.Raw, func(f yamlpos.Field) {
			if f.Key.Text == name && f.Value.Kind != yamlpos.Mapping && f.Value.Kind != yamlpos.Sequence {
				out = append(out, entrySetting{f.Value.Text, fmt.Sprintf("%s:%d", file, f.Value.Line)})
			}
		})
	}
	return out
}

// walkFields visits every field below a value.
func walkFields(v *yamlpos.Value, visit func(yamlpos.Field)) {
	if v == nil {
		return
	}
	for _, f := range v.Fields {
		visit(f)
		walkFields(f.Value, visit)
	}
	for _, item := range v.Items {
		walkFields(item, visit)
	}
}

// normal is a value as it compares: numbers as numbers, without quotes and
// letter case.
func normal(value string) string {
	value = strings.ToLower(strings.Trim(value, `"' ,;.`))
	if f, err := strconv.ParseFloat(value, 64); err == nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return value
}
