package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// piece is a part of a word after expansion.
type piece struct {
	v      Value
	quoted bool // no splitting, no patterns
}

// assignWord expands the right side of an assignment.
func (m *machine) assignWord(w *syntax.Word) Value { return m.word(w) }

// word expands a word to one value, without splitting.
func (m *machine) word(w *syntax.Word) Value {
	if w == nil {
		return Value{}
	}
	m.step(1)
	if len(w.Parts) == 1 {
		return m.joinPieces(m.part(w.Parts[0], true))
	}
	return m.joinPieces(m.pieces(w.Parts))
}

// defaultWord expands the word of ${x:-word}; inside double quotes a single
// quote is a character like any other.
func (m *machine) defaultWord(w *syntax.Word, quoted bool) Value {
	if w == nil || !quoted {
		return m.word(w)
	}
	vals := make([]Value, 0, len(w.Parts))
	for i, p := range w.Parts {
		if q, ok := p.(*syntax.SglQuoted); ok && !q.Dollar {
			vals = append(vals, Text("'"+q.Value+"'", m.origin(q.Pos())))
			continue
		}
		vals = append(vals, m.joinPieces(m.part(p, i == 0)))
	}
	return m.concat(vals...)
}

// pieces expands the parts of a word without splitting.
func (m *machine) pieces(parts []syntax.WordPart) []piece {
	var all []piece
	for i, p := range parts {
		all = append(all, m.part(p, i == 0)...)
	}
	return all
}

func (m *machine) joinPieces(list []piece) Value {
	if len(list) == 1 {
		return list[0].v
	}
	vals := make([]Value, len(list))
	for i := range list {
		vals[i] = list[i].v
	}
	return m.concat(vals...)
}

// part expands one part of a word to pieces, without splitting.
func (m *machine) part(p syntax.WordPart, first bool) []piece {
	m.step(1)
	switch x := p.(type) {
	case *syntax.Lit:
		return m.literal(x, first)
	case *syntax.SglQuoted:
		s := x.Value
		if x.Dollar {
			s = ansiQuoted(s)
		}
		return []piece{{m.filled(s, m.origin(x.Pos())), true}}
	case *syntax.DblQuoted:
		return []piece{{m.documentParts(x.Parts, false), true}}
	case *syntax.ExtGlob:
		return []piece{{Text(x.Op.String()+x.Pattern.Value+")", m.origin(x.Pos())), false}}
	case *syntax.BraceExp:
		return []piece{{m.unknown(ReasonUnsupported, "braces here"), true}}
	}
	return []piece{{m.expansion(p, false), false}}
}

// expansion evaluates $name, ${...}, $(...), $((...)) and <(...) to one value.
func (m *machine) expansion(p syntax.WordPart, quoted bool) Value {
	at := m.at
	defer func() { m.at = at }()
	m.at = m.origin(p.Pos())
	switch x := p.(type) {
	case *syntax.ParamExp:
		return m.param(x, quoted)
	case *syntax.CmdSubst:
		return m.cmdSubst(x)
	case *syntax.ArithmExp:
		return m.arith(x.X).asValue(m)
	case *syntax.ProcSubst:
		return m.procSubst(x)
	}
	return m.unknown(ReasonUnsupported, "this expansion")
}

// literal returns an unquoted literal; escaped characters are quoted pieces.
func (m *machine) literal(x *syntax.Lit, first bool) []piece {
	at := m.origin(x.Pos())
	s := x.Value
	var out []piece
	if first && strings.HasPrefix(s, "~") {
		name, rest, _ := strings.Cut(s[1:], "/")
		if name == "" {
			home, ok := m.scalarOf(m.variable("HOME"))
			if !ok {
				home = m.unknown(ReasonHost, "HOME")
			}
			out = append(out, piece{home, true})
			s = s[1:]
		} else if validName(name) && rest != "" {
			out = append(out, piece{m.unknown(ReasonHost, "home of "+name), true})
			s = s[1+len(name):]
		}
	}
	if !strings.Contains(s, `\`) {
		return append(out, piece{Text(s, at), false})
	}
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			out = append(out, piece{Text(s, at), false})
			break
		}
		if i > 0 {
			out = append(out, piece{Text(s[:i], at), false})
		}
		if s[i+1] != '\n' {
			out = append(out, piece{Text(s[i+1:i+2], at), true})
		}
		s = s[i+2:]
		m.step(1)
	}
	return out
}

// documentParts expands the inside of double quotes or of a here-document; raw
// takes backslashes as they are.
func (m *machine) documentParts(parts []syntax.WordPart, raw bool) Value {
	if len(parts) == 1 {
		return m.documentPart(parts[0], raw)
	}
	vals := make([]Value, 0, len(parts))
	for _, p := range parts {
		m.step(1)
		vals = append(vals, m.documentPart(p, raw))
	}
	return m.concat(vals...)
}

func (m *machine) documentPart(p syntax.WordPart, raw bool) Value {
	lit, ok := p.(*syntax.Lit)
	if !ok {
		return m.expansion(p, true)
	}
	s := lit.Value
	if !raw && strings.Contains(s, `\`) {
		s = unescapeQuoted(s)
	}
	if raw {
		return m.filled(s, m.origin(lit.Pos()))
	}
	return Text(s, m.origin(lit.Pos()))
}

// unescapeQuoted removes the backslashes that count inside double quotes.
func unescapeQuoted(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case '"', '\\', '$', '`':
				i++
			case '\n':
				i++
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// ansiQuoted decodes the inside of $'...'.
func ansiQuoted(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if j := strings.IndexByte("abefnrtvE\\'\"?", s[i]); j >= 0 {
			b.WriteByte("\a\b\x1b\f\n\r\t\v\x1b\\'\"?"[j])
			continue
		}
		n, r := escapeDigits(s[i:])
		if n == 0 {
			b.WriteByte('\\')
			b.WriteByte(s[i])
			continue
		}
		b.WriteString(r)
		i += n - 1
	}
	return b.String()
}

// escapeDigits decodes \nnn, \xHH, \uHHHH and \UHHHHHHHH behind the backslash.
func escapeDigits(s string) (used int, text string) {
	base, start, most := 16, 1, 0
	switch {
	case s[0] == 'x':
		most = 2
	case s[0] == 'u':
		most = 4
	case s[0] == 'U':
		most = 8
	case s[0] >= '0' && s[0] <= '7':
		base, start, most = 8, 0, 3
	default:
		return 0, ""
	}
	end := start
	for end < len(s) && end < start+most {
		if _, err := strconv.ParseUint(s[end:end+1], base, 8); err != nil {
			break
		}
		end++
	}
	n, err := strconv.ParseUint(s[start:end], base, 32)
	if err != nil {
		return 0, ""
	}
	if most > 3 {
		return end, string(rune(n))
	}
	return end, string([]byte{byte(n)})
}

// cmdSubst evaluates $(...).
func (m *machine) cmdSubst(x *syntax.CmdSubst) Value {
	if !m.enter() {
		return m.limited("depth")
	}
	defer m.leave()
	defer func() { m.substRan = true }()
	if len(x.Stmts) == 1 && x.Stmts[0].Cmd == nil && len(x.Stmts[0].Redirs) == 1 && x.Stmts[0].Redirs[0].Op == syntax.RdrIn {
		return trimLines(m.content(m.word(x.Stmts[0].Redirs[0].Word)))
	}
	return trimLines(m.subshell(true, func() flow { return m.stmts(x.Stmts) }))
}

// procSubst evaluates <(...): the path is unknown to everyone, its content is
// what the commands print.
func (m *machine) procSubst(x *syntax.ProcSubst) Value {
	if !m.enter() {
		return m.limited("depth")
	}
	defer m.leave()
	st := m.st.status
	out := m.subshell(x.Op == syntax.CmdIn, func() flow { return m.stmts(x.Stmts) })
	m.st.status = st
	m.procs++
	path := "/dev/fd/" + strconv.Itoa(63+m.procs)
	if x.Op == syntax.CmdIn {
		m.put(key{spaceFile, path}, &variable{set: true, val: out})
	}
	return m.text(path)
}
