package launch

import (
	"path"

	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/shell"
	"github.com/sweepbot/sweepbot/recipe/srt"
)

// config reads the file that a command names for its engine: one that a script
// has written, or one of the repository.
func (v *visit) config(c *recipe.Command, s stage, command *shell.Command, t *shell.Trace) {
	f := c.Flag("config")
	if f == nil || len(f.Values) != 1 || c.Engine != recipe.EngineTRTLLM && c.Engine != recipe.EngineVLLM {
		return
	}
	name := f.Values[0]
	c.Config = &recipe.Config{Name: name}
	full := name.Lit
	if name.Known() && !path.IsAbs(full) {
		full = path.Join(known(command.Dir), full)
	}
	for _, w := range t.Written {
		if name.Known() && w.Path == full {
			v.written(c.Config, w)
			return
		}
	}
	if at, ours := repositoryPath(s.mounts, path.Clean(full)); name.Known() && ours {
		if data, ok := v.read(at); ok {
			c.Config.Values, _ = srt.ConfigValues(at, 1, data)
			return
		}
	}
	c.Config.Unknown = &recipe.Cause{Code: string(shell.ReasonFile), Detail: name.String()}
}

// written takes the content of a file that a script writes. Unknown parts of
// it make the values unknown that they stand in.
func (v *visit) written(c *recipe.Config, w shell.Written) {
	at := v.placeOf(w.Content)
	data, unknown := v.render(w.Content)
	values, err := srt.ConfigValues(at.File, at.Line, data)
	if err != nil || !w.Certain {
		c.Unknown = &recipe.Cause{Code: string(shell.ReasonFile), Detail: w.Path}
		return
	}
	for i := range values {
		for j, value := range values[i].Values {
			if parts, ok := unrendered(value.Lit, unknown); ok {
				values[i].Values[j] = recipe.FromParts(parts, value.Place)
				values[i].JSON = nil
			}
		}
	}
	c.Values = values
}

// unrendered splits a rendered text at the variables that stand for unknowns.
func unrendered(lit string, unknown map[string]shell.Value) ([]recipe.Part, bool) {
	var parts []recipe.Part
	found := false
	rest := shell.Text(lit, shell.Origin{})
	for {
		head, tail, ok := cut(rest, "${"+unknownPrefix)
		if !ok {
			return append(parts, recipe.Part{Text: known(rest)}), found
		}
		number, after, closed := cut(tail, "}")
		value, isOne := unknown[unknownPrefix+known(number)]
		if !closed || !isOne {
			return append(parts, recipe.Part{Text: known(rest)}), found
		}
		found = true
		parts = append(parts, recipe.Part{Text: known(head)})
		for _, u := range value.Unknowns() {
			parts = append(parts, recipe.Part{Unknown: cause(&u)})
		}
		rest = after
	}
}
