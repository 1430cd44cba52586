package shell

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

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
	o = o.fill()
	script := path.Clean(o.Script)
	data, ok, err := o.Files.ReadFile(script)
	switch {
	case err != nil:
		return Trace{}, fmt.Errorf("read %s: %w", script, err)
	case !ok:
		return Trace{Probed: []string{script}}, diag.New("shell.script-missing", diag.Place{File: script})
	}
	m := newMachine(ctx, &o)
	src := m.parseFile(data)
	if src.err != nil {
		return Trace{Files: []string{script}}, unparsable(script, src.err)
	}
	m.used[script] = struct{}{}
	m.file, m.src, m.args0 = script, src, Text(o.Name, Origin{})
	m.stack = []caller{{fn: "main", name: m.args0}}
	m.at = Origin{File: script, Line: 1}
	if err := m.evaluate(src); err != nil {
		return Trace{}, err
	}
	return m.trace(), nil
}

// fill takes the default of every option that is not set.
func (o Options) fill() Options {
	o.Limits = o.Limits.fill()
	if o.Dir == "" {
		o.Dir = "/workspace"
	}
	o.Dir = path.Clean(o.Dir)
	if o.Mounts == nil {
		o.Mounts = map[string]string{o.Dir: ""}
	}
	if o.Name == "" {
		o.Name = o.Script
	}
	if o.Models == nil {
		o.Models = standardModels()
	}
	if o.Wrappers == nil {
		o.Wrappers = standardWrappers()
	}
	return o
}

// unparsable makes a finding of a parser's error.
func unparsable(script string, err error) error {
	place := diag.Place{File: script}
	reason := err.Error()
	var at syntax.ParseError
	var lang syntax.LangError
	var quote syntax.QuoteError
	switch {
	case errors.As(err, &at):
		place.Line, place.Column, reason = int(at.Pos.Line()), int(at.Pos.Col()), at.Text
	case errors.As(err, &lang):
		place.Line, place.Column = int(lang.Pos.Line()), int(lang.Pos.Col())
	case errors.As(err, &quote):
		reason = quote.Message
	}
	return diag.New("shell.unparsable", place, "reason", short(reason))
}

func newMachine(ctx context.Context, o *Options) *machine {
	m := &machine{
		budget: budget{ctx: ctx, limits: o.Limits}, o: o, st: newState(nil), start: newGivens(o.Env),
		touched: make(map[string]struct{}), used: make(map[string]struct{}), probed: make(map[string]struct{}),
		written: make(map[string]Origin), evals: make(map[string]*source), patterns: make(map[string]*glob),
		blobs: make(map[string]blob), lists: make(map[string]struct{}),
	}
	m.st.start = m.start
	m.put(keyDir, &variable{set: true, val: Text(o.Dir, Origin{})})
	m.put(keyArgs, &variable{kind: indexed, set: true, elems: o.Args})
	m.put(keyOut(0), &variable{set: true})
	m.envFor, m.errSink = -1, -1
	return m
}

// evaluate runs the main script; a panic of a limit ends it in good order.
func (m *machine) evaluate(src *source) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s, ok := r.(stop)
			err = s.err
			if !ok {
				// A mistake of ours must not end a server that reads what
				// strangers wrote.
				err = fmt.Errorf("evaluate %s: at %s: %v", m.o.Script, m.at, r)
			}
		}
	}()
	m.push(&frame{kind: frameShell})
	if f := m.stmts(src.file.Stmts); f == flowExit && m.exit == nil {
		m.exit = &Exit{Origin: m.at}
	}
	m.finalEnv = m.environment()
	return nil
}

// trace collects what the run found.
func (m *machine) trace() Trace {
	t := Trace{
		Commands: m.commands, Exit: m.exit, Assumed: m.assumed, Unknowns: m.unknowns, Limits: m.hit, Steps: m.steps,
		Files: slices.Sorted(maps.Keys(m.used)), Probed: slices.Sorted(maps.Keys(m.probed)), Inputs: m.inputsUsed(),
	}
	for _, p := range slices.Sorted(maps.Keys(m.written)) {
		b := m.st.get(key{spaceFile, p})
		if b == nil || b.v == nil || strings.HasPrefix(p, "/dev/") {
			continue
		}
		t.Written = append(t.Written, Written{Path: p, Content: b.v.val, Origin: m.written[p], Certain: !b.v.partly})
	}
	if m.st.status.unknown == nil {
		t.Status, t.StatusKnown = m.st.status.code, true
	}
	t.Env = m.finalEnv
	t.Stdout, _ = m.entry(keyOut(0))
	return t
}

// exitWith ends the script; the status is that of the value.
func (m *machine) exitWith(status Value) flow {
	code, ok := 0, false
	if s, known := status.Known(); known {
		n, err := strconv.Atoi(s)
		code, ok = n&255, err == nil
	}
	if ok {
		m.setStatus(code)
	}
	if m.certainEnd() {
		if m.exit == nil {
			m.exit = &Exit{Origin: m.at, Status: code, Known: ok}
		}
		if m.o.PastExit {
			return flowNext
		}
	}
	return flowExit
}

// certainEnd reports whether an exit here ends the main script in every case.
func (m *machine) certainEnd() bool {
	if m.st.cond != nil {
		return false
	}
	for _, f := range m.frames {
		if f.open {
			return false
		}
	}
	return true
}
