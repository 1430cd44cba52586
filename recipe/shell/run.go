package shell

import (
	"context"
	"path"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Run evaluates a script of the repository and returns what it would do. The
// error is a finding when the script is missing or cannot be parsed, the
// store's error when a read fails, or the context's when it ends. Everything
// else that goes wrong inside the script is in the trace.
func Run(ctx context.Context, o Options) (Trace, error) {
	if err := ctx.Err(); err != nil {
		return Trace{}, err
	}
	script := path.Clean(o.Script)
	data, ok, err := o.Files.ReadFile(script)
	switch {
	case err != nil:
		return Trace{}, err
	case !ok:
		return Trace{Probed: []string{script}}, diag.New("shell.script-missing", diag.Place{File: script})
	}
	src, ok := o.Cache.lookup(data)
	if !ok {
		src = parse(data, DefaultLimits().FileBytes)
		o.Cache.keep(data, src)
	}
	if src.err != nil {
		return Trace{Files: []string{script}}, diag.New("shell.unparsable", diag.Place{File: script}, "reason", src.err.Error())
	}
	return Trace{Files: []string{script}}, nil
}
