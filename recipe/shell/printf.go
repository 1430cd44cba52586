package shell

import (
	"strconv"
	"strings"
)

// printf runs printf with -v.
func (m *machine) printf(argv []Value) flow {
	args := argv[1:]
	into := ""
	if len(args) > 1 {
		if s, ok := args[0].Known(); ok && s == "-v" {
			into, _ = m.joined(args[1])
			args = args[2:]
		}
	}
	if len(args) > 0 {
		if s, ok := args[0].Known(); ok && s == "--" {
			args = args[1:]
		}
	}
	if len(args) == 0 {
		return fail(m, argv)
	}
	out := m.formatted(args[0], args[1:])
	m.setStatus(0)
	if into == "" {
		m.say(out)
		return flowNext
	}
	name, index, element := strings.Cut(strings.TrimSuffix(into, "]"), "[")
	if !validName(name) {
		return fail(m, argv)
	}
	if !element {
		m.assign(name, out)
		return flowNext
	}
	v := variable{kind: indexed, set: true}
	if old := m.variable(name); old != nil {
		v = *old
	}
	i, _ := strconv.Atoi(index)
	if i >= 0 && i < 1<<30 {
		m.setElement(&v, index, i, out)
		m.store(name, &v)
	}
	return flowNext
}

// formatted applies a format as often as there are arguments.
func (m *machine) formatted(format Value, args []Value) Value {
	f, ok := m.joined(format)
	if !ok || anyWords(args) {
		return m.derived("printf", append([]Value{format}, args...)...)
	}
	at := m.firstOrigin(format)
	var out []Value
	size := 0
	for {
		before := len(args)
		parts, stop := m.formatOnce(f, at, &args)
		for _, p := range parts {
			size += p.size
		}
		if size > m.limits.ValueBytes || len(out)+len(parts) > m.limits.Words {
			return m.limited("value bytes")
		}
		out = append(out, parts...)
		if stop || len(args) == 0 || len(args) == before {
			return m.concat(out...)
		}
	}
}

// formatOnce applies a format once and takes its arguments off the list.
func (m *machine) formatOnce(f string, at Origin, args *[]Value) (out []Value, stop bool) {
	for f != "" {
		m.step(1)
		i := strings.IndexAny(f, `%\`)
		if i < 0 {
			return append(out, Text(f, at)), false
		}
		out = append(out, Text(f[:i], at))
		if f[i] == '\\' {
			end := i + 2
			if i+1 < len(f) {
				if n, _ := escapeDigits(f[i+1:]); n > 0 {
					end = i + 1 + n
				}
			}
			end = min(end, len(f))
			out = append(out, Text(ansiQuoted(f[i:end]), at))
			f = f[end:]
			continue
		}
		var spec verb
		spec, f = readVerb(f[i+1:])
		if spec.c == '%' {
			out = append(out, Text("%", at))
			continue
		}
		for _, star := range []*int{&spec.width, &spec.prec} {
			if *star == starred {
				*star = int(max(-1, min(m.number64(take(args)).n, 1<<30)))
			}
		}
		v, end := m.formatVerb(spec, take(args))
		out = append(out, v)
		if end {
			return out, true
		}
	}
	return out, false
}

func take(args *[]Value) Value {
	if len(*args) == 0 {
		return Value{}
	}
	v := (*args)[0]
	*args = (*args)[1:]
	return v
}

// verb is one % of a format.
type verb struct {
	flags       string
	width, prec int // -1 when missing, starred when taken from an argument
	c           byte
}

const starred = -2

// readVerb reads what follows a %.
func readVerb(f string) (verb, string) {
	v := verb{width: -1, prec: -1}
	n := 0
	for n < len(f) && strings.IndexByte("-+ #0", f[n]) >= 0 {
		n++
	}
	v.flags, f = f[:n], f[n:]
	v.width, f = readCount(f)
	if strings.HasPrefix(f, ".") {
		v.prec, f = readCount(f[1:])
		if v.prec == -1 {
			v.prec = 0
		}
	}
	if strings.HasPrefix(f, "(") { // %(format)T
		if end := strings.IndexByte(f, ')'); end >= 0 {
			f = f[end+1:]
		}
	}
	if f == "" {
		return verb{c: '%'}, ""
	}
	v.c = f[0]
	return v, f[1:]
}

func readCount(f string) (int, string) {
	if strings.HasPrefix(f, "*") {
		return starred, f[1:]
	}
	n := 0
	for n < len(f) && f[n] >= '0' && f[n] <= '9' {
		n++
	}
	if n == 0 {
		return -1, f
	}
	c, err := strconv.Atoi(f[:n])
	if err != nil {
		c = 1 << 20
	}
	return c, f[n:]
}

// formatVerb renders one argument; end says that output stops here (\c).
func (m *machine) formatVerb(v verb, arg Value) (out Value, end bool) {
	if v.width > m.limits.ValueBytes || v.prec > 1000 && v.c != 's' {
		return m.limited("value bytes"), false
	}
	if (v.c == 's' || v.c == 'b') && v.width < 1 && v.prec < 0 && v.c == 's' {
		return arg, false
	}
	return m.apply(arg, "printf", func(s string) string {
		text := ""
		switch v.c {
		case 's':
			text = s
		case 'b':
			text = ansiQuoted(s)
			if head, _, stop := strings.Cut(s, `\c`); stop {
				text, end = ansiQuoted(head), true
			}
		case 'q':
			text = escapeText(s)
		case 'c':
			text = s[:min(1, len(s))]
		case 'd', 'i', 'u', 'x', 'X', 'o':
			text = m.formatInteger(v, s)
		case 'f', 'F', 'e', 'E', 'g', 'G':
			text = formatFloat(v, s)
		default:
			text = s
		}
		if v.prec >= 0 && (v.c == 's' || v.c == 'b') {
			text = text[:min(v.prec, len(text))]
		}
		return pad(v, text)
	}), end
}

// escapeText quotes a text the way printf %q does.
func escapeText(s string) string {
	if s == "" {
		return "''"
	}
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c == 0x7f {
			return "$" + strings.NewReplacer("\n", `\n`, "\t", `\t`, "\x1b", `\E`, "\r", `\r`).Replace(quoteText(strings.ReplaceAll(s, `\`, `\\`)))
		}
		if strings.IndexByte(" !\"#$&'()*,;<>?[\\]^`{|}~", c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

func (m *machine) formatInteger(v verb, s string) string {
	n, ok := parseNumber(strings.TrimSpace(s))
	if !ok {
		if len(s) == 2 && (s[0] == '\'' || s[0] == '"') {
			n = int64(s[1])
		}
	}
	text := ""
	switch v.c {
	case 'x':
		text = strconv.FormatUint(uint64(n), 16)
	case 'X':
		text = strings.ToUpper(strconv.FormatUint(uint64(n), 16))
	case 'o':
		text = strconv.FormatUint(uint64(n), 8)
	case 'u':
		text = strconv.FormatUint(uint64(n), 10)
	default:
		text = strconv.FormatInt(n, 10)
		if n >= 0 && strings.Contains(v.flags, "+") {
			text = "+" + text
		}
	}
	if v.prec > len(text) {
		text = strings.Repeat("0", v.prec-len(text)) + text
	}
	return text
}

func formatFloat(v verb, s string) string {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		f = 0
	}
	prec := v.prec
	if prec < 0 {
		prec = 6
	}
	c := v.c
	if c == 'F' {
		c = 'f'
	}
	if c == 'g' || c == 'G' {
		return compactFloat(strconv.FormatFloat(f, c, max(prec, 1), 64))
	}
	text := strconv.FormatFloat(f, c, prec, 64)
	if f >= 0 && strings.Contains(v.flags, "+") {
		text = "+" + text
	}
	return text
}

// compactFloat removes zeros behind the point, as %g does.
func compactFloat(s string) string {
	head, exp := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		head, exp = s[:i], s[i:]
	}
	if strings.Contains(head, ".") {
		head = strings.TrimRight(strings.TrimRight(head, "0"), ".")
	}
	return head + exp
}

// pad widens a text to the width of a verb.
func pad(v verb, s string) string {
	n := v.width - len(s)
	switch {
	case n <= 0:
		return s
	case strings.Contains(v.flags, "-"):
		return s + strings.Repeat(" ", n)
	case strings.Contains(v.flags, "0") && v.c != 's' && v.c != 'b':
		if s != "" && (s[0] == '-' || s[0] == '+') {
			return s[:1] + strings.Repeat("0", n) + s[1:]
		}
		return strings.Repeat("0", n) + s
	}
	return strings.Repeat(" ", n) + s
}
