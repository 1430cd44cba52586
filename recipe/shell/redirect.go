package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirection is what the redirections of one statement come to.
type redirection struct {
	list     []Redirect
	stdin    Value
	hasStdin bool
	out, err stream
}

// stream is where one descriptor goes.
type stream struct {
	kind   byte // 'o' as standard output before, 'e' as standard error before, 'f' a file, '-' nowhere we look
	target Value
	add    bool // >>
}

// redirected runs a statement with its redirections.
func (m *machine) redirected(s *syntax.Stmt) flow {
	if len(s.Redirs) == 0 {
		return m.command(s.Cmd, nil)
	}
	at := m.at
	r := m.redirections(s.Redirs)
	m.at = at
	run := func() flow { return m.command(s.Cmd, r.list) }
	if r.hasStdin {
		inner := run
		run = func() flow { return m.from(r.stdin, inner) }
	}
	sink, errSink := m.sink, m.errSink
	f := m.through(r.out, func() flow {
		out := m.sink
		m.sink = sink // what "2>&1" may mean by standard output
		run := func() flow {
			m.sink = out
			return run()
		}
		if r.err.kind == 'f' && r.out.kind == 'f' && r.err.target.Equal(r.out.target) {
			m.errSink = out
			return run()
		}
		return m.errThrough(r.err, run)
	})
	m.sink, m.errSink = sink, errSink
	return f
}

// through runs something with standard output going to a stream.
func (m *machine) through(to stream, run func() flow) flow {
	switch to.kind {
	case 'o':
		return run()
	case 'e':
		m.sink = m.errSink
		return run()
	case '-':
		m.sink = -1
		return run()
	}
	out, f := m.into(run)
	if f != flowDead {
		m.write(to.target, out, to.add)
	}
	return f
}

// errThrough runs something with standard error going to a stream. What
// programs write there is not modelled, only what the script itself sends.
func (m *machine) errThrough(to stream, run func() flow) flow {
	switch to.kind {
	case 'o':
		m.errSink = m.sink
	case 'f', '-':
		m.errSink = -1
	}
	return run()
}

func (m *machine) redirections(list []*syntax.Redirect) redirection {
	r := redirection{out: stream{kind: 'o'}, err: stream{kind: 'e'}}
	for _, d := range list {
		m.step(1)
		fd := ""
		if d.N != nil {
			fd = d.N.Value
		}
		op := d.Op.String()
		switch d.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if fd == "" || fd == "0" {
				r.stdin, r.hasStdin = m.heredoc(d), true
			}
			continue
		case syntax.WordHdoc:
			r.stdin, r.hasStdin = m.concat(m.word(d.Word), m.text("\n")), true
			continue
		}
		target := m.word(d.Word)
		r.list = append(r.list, Redirect{FD: descriptor(fd, d.Op), Op: op, Target: target})
		m.redirect(&r, d.Op, fd, target)
	}
	return r
}

func descriptor(fd string, op syntax.RedirOperator) int {
	switch {
	case len(fd) == 1 && fd[0] >= '0' && fd[0] <= '9':
		return int(fd[0] - '0')
	case op == syntax.RdrIn || op == syntax.DplIn || op == syntax.RdrInOut:
		return 0
	case op == syntax.RdrAll || op == syntax.AppAll:
		return -1
	}
	return 1
}

// redirect applies one redirection to a file or descriptor.
func (m *machine) redirect(r *redirection, op syntax.RedirOperator, fd string, target Value) {
	file := stream{'f', target, op == syntax.AppOut || op == syntax.AppAll}
	stdout := fd == "" || fd == "1"
	switch op {
	case syntax.RdrIn, syntax.RdrInOut:
		if fd == "" || fd == "0" {
			r.stdin, r.hasStdin = m.content(target), true
		}
	case syntax.RdrAll, syntax.AppAll:
		r.out, r.err = file, file
	case syntax.RdrOut, syntax.RdrClob, syntax.AppOut:
		if stdout {
			r.out = file
		} else if fd == "2" {
			r.err = file
		}
	case syntax.DplOut:
		to, known := target.Known()
		from := stream{kind: '-'}
		switch {
		case to == "1":
			from = r.out
		case to == "2":
			from = r.err
		case known && to != "-" && !isDigits(to) && stdout:
			r.out, r.err = file, file // ">& file"
			return
		}
		if stdout {
			r.out = from
		} else if fd == "2" {
			r.err = from
		}
	}
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// heredoc returns the text of a here-document.
func (m *machine) heredoc(d *syntax.Redirect) Value {
	if d.Hdoc == nil {
		return Value{}
	}
	quoted := false
	for _, p := range d.Word.Parts {
		lit, ok := p.(*syntax.Lit)
		quoted = quoted || !ok || strings.Contains(lit.Value, `\`)
	}
	v := m.documentParts(d.Hdoc.Parts, quoted)
	if d.Op == syntax.DashHdoc {
		v = m.stripTabs(v)
	}
	return v
}

// stripTabs removes the tabs at the start of every line, in known text.
func (m *machine) stripTabs(v Value) Value {
	out := Value{}
	start := true
	for _, s := range v.segs {
		if s.Unknown != nil {
			out.segs = append(out.segs, s)
			start = false
			continue
		}
		m.spend(len(s.Text))
		lines := strings.SplitAfter(s.Text, "\n")
		for i, line := range lines {
			if i > 0 || start {
				lines[i] = strings.TrimLeft(line, "\t")
			}
		}
		text := strings.Join(lines, "")
		start = strings.HasSuffix(s.Text, "\n")
		out.segs = append(out.segs, Segment{Text: text, Origin: s.Origin})
		out.size += len(text)
	}
	return out
}

// write records that a file gets a content.
func (m *machine) write(target, content Value, add bool) {
	path, ok := m.absolute(target)
	if !ok || path == "/dev/null" || strings.HasPrefix(path, "/dev/") {
		return
	}
	k := key{spaceFile, path}
	if _, seen := m.written[path]; !seen {
		if len(m.written) >= m.limits.Written {
			m.reached("written", m.at)
			return
		}
		m.written[path] = m.at
	}
	if add {
		before, known := m.entry(k)
		if !known {
			if data, ok := m.repositoryFile(path); ok {
				before = m.fileText(path, data)
			} else {
				before = m.unknown(ReasonFile, path)
			}
		}
		content = m.concat(before, content)
	}
	m.writeStamp++
	m.put(k, &variable{set: true, val: content})
}
