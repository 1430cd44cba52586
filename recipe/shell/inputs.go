package shell

import (
	"strings"
)

// line takes one line off the input. end is yes when there is none left.
func (m *machine) line(delim string) (text Value, end truth) {
	in, ok := m.stdin()
	if !ok {
		return m.unknown(ReasonHost, "standard input"), unsure
	}
	if len(in.segs) == 0 {
		return Value{}, yes
	}
	s, known := m.joined(in)
	if !known {
		return m.partLine(in, delim)
	}
	if delim == "" {
		m.setStdin(Value{})
		return in, yes // read -d '' reads all and then fails
	}
	i := strings.Index(s, delim)
	if i < 0 {
		m.setStdin(Value{})
		return in, yes
	}
	m.step(1 + i/64)
	m.setStdin(slice(in, i+1, len(s)))
	return slice(in, 0, i), no
}

// partLine takes a line off input that is partly unknown: known lines before
// the first unknown are lines, the rest is one unknown line that may repeat.
func (m *machine) partLine(in Value, delim string) (Value, truth) {
	size := 0
	for k, s := range in.segs {
		if s.Unknown != nil {
			break
		}
		i := strings.Index(s.Text, delim)
		if delim == "" || i < 0 {
			size += len(s.Text)
			continue
		}
		line := Value{segs: append(append([]Segment(nil), in.segs[:k]...), Segment{Text: s.Text[:i], Origin: s.Origin}), size: size + i}
		rest := Value{segs: append([]Segment{{Text: s.Text[i+1:], Origin: s.Origin}}, in.segs[k+1:]...), size: in.size - size - i - 1}
		m.setStdin(rest)
		return line, no
	}
	return m.derived("line of input", in), unsure
}

// readCmd runs read.
func (m *machine) readCmd(argv []Value) flow {
	delim, raw, array := "\n", false, ""
	var names []string
	for i := 1; i < len(argv); i++ {
		s, ok := m.joined(argv[i])
		if !ok {
			m.note(ReasonUnsupported, "read into an unknown name")
			continue
		}
		if len(names) > 0 || len(s) < 2 || s[0] != '-' {
			names = append(names, s)
			continue
		}
		for j := 1; j < len(s); j++ {
			if s[j] == 'r' {
				raw = true
			}
			if !strings.Contains("adnNptiu", s[j:j+1]) {
				continue
			}
			value := s[j+1:]
			if value == "" && i+1 < len(argv) {
				i++
				value, _ = m.joined(argv[i])
			}
			switch s[j] {
			case 'a':
				array = value
			case 'd':
				delim = value[:min(1, len(value))]
			}
			break
		}
	}
	text, end := m.line(delim)
	if !raw {
		if s, ok := m.joined(text); ok && strings.Contains(s, `\`) {
			text = m.text(strings.NewReplacer("\\\n", "", `\\`, `\`, `\`, "").Replace(s))
		}
	}
	m.readInto(names, array, text)
	switch end {
	case no:
		m.setStatus(0)
	case yes:
		m.setStatus(1)
	default:
		m.unknownStatus("read")
	}
	return flowNext
}

// readInto splits a line into the named variables.
func (m *machine) readInto(names []string, array string, text Value) {
	ifs := " \t\n"
	if sep, ok := m.scalarOf(m.variable("IFS")); ok {
		if s, known := sep.Known(); known {
			ifs = s
		}
	}
	if array != "" && validName(array) {
		l := fieldList{m: m}
		l.split(text)
		l.close()
		m.store(array, &variable{kind: indexed, set: true, elems: l.fields})
		return
	}
	if len(names) == 0 {
		m.assign("REPLY", text)
		return
	}
	s, ok := m.joined(text)
	for i, name := range names {
		if !validName(name) {
			continue
		}
		if !ok {
			m.assign(name, m.derived("field of a line", text))
			continue
		}
		var head string
		head, s = cutField(s, ifs, i == len(names)-1)
		m.assign(name, Text(head, m.firstOrigin(text)))
	}
}

// cutField takes the first field off a line; the last name gets all the rest.
func cutField(s, ifs string, last bool) (head, rest string) {
	white := ""
	for _, c := range " \t\n" {
		if strings.ContainsRune(ifs, c) {
			white += string(c)
		}
	}
	s = strings.TrimLeft(s, white)
	if last || ifs == "" {
		return strings.TrimRight(s, white), ""
	}
	i := strings.IndexAny(s, ifs)
	if i < 0 {
		return s, ""
	}
	head, rest = s[:i], s[i:]
	rest = strings.TrimLeft(rest, white)
	if rest != "" && strings.IndexByte(ifs, rest[0]) >= 0 && strings.IndexByte(white, s[i]) >= 0 {
		rest = rest[1:]
	} else if strings.IndexByte(white, s[i]) < 0 {
		rest = s[i+1:]
	}
	return head, rest
}

// mapfile reads all lines into an array.
func (m *machine) mapfile(argv []Value) flow {
	name, strip, delim := "MAPFILE", false, "\n"
	for i := 1; i < len(argv); i++ {
		s, _ := m.joined(argv[i])
		switch {
		case s == "-t":
			strip = true
		case s == "-d" && i+1 < len(argv):
			i++
			delim, _ = m.joined(argv[i])
		case len(s) == 2 && s[0] == '-':
			i++
		default:
			name = s
		}
	}
	if !validName(name) {
		return uncertain(m, argv)
	}
	v := &variable{kind: indexed, set: true}
	in, ok := m.stdin()
	switch s, known := m.joined(in); {
	case !ok || !known || delim != "\n":
		u := m.derived("lines", in).segs[0].Unknown
		w := *u
		w.Shape = ShapeWords
		v.elems = []Value{Unknowable(w)}
	default:
		at := m.firstOrigin(in)
		n := strings.Count(s, "\n") + 1
		if n > m.limits.Words {
			v.elems = []Value{m.limited("words")}
			break
		}
		m.spend(32 * n)
		m.step(n)
		for s != "" {
			line, rest, found := strings.Cut(s, "\n")
			if found && !strip {
				line += "\n"
			}
			v.elems = append(v.elems, Text(line, at))
			s = rest
		}
		m.setStdin(Value{})
	}
	m.store(name, v)
	m.setStatus(0)
	return flowNext
}

// keyOptPos keeps the place within a word of grouped options.
var keyOptPos = key{spaceShell, "optpos"}

// getopts takes the next option off the arguments.
func (m *machine) getopts(argv []Value) flow {
	if len(argv) < 3 {
		return fail(m, argv)
	}
	spec, _ := m.joined(argv[1])
	name, _ := m.joined(argv[2])
	args := m.args()
	if len(argv) > 3 {
		args = argv[3:]
	}
	index := m.numberOf("OPTIND")
	if index.n == 0 {
		index = known(1)
	}
	if !index.known || anyWords(args) || !validName(name) {
		m.unknownStatus("getopts")
		m.assign("OPTARG", m.unknown(ReasonDerived, "getopts"))
		return flowNext
	}
	within, _ := m.entry(keyOptPos)
	pos := m.number64(within)
	i, j := int(min(index.n, 1<<20)), int(pos.n)
	word := ""
	if i >= 1 && i <= len(args) {
		word, _ = m.joined(args[i-1])
	}
	if word == "--" {
		i++
	}
	if len(word) < 2 || word[0] != '-' || word == "--" {
		m.assign("OPTIND", m.text(itoa(i)))
		m.assign(name, m.text("?"))
		return fail(m, argv)
	}
	m.option(args, word, spec, name, i, max(j, 1))
	m.setStatus(0)
	return flowNext
}

// option handles the option letter at word[j].
func (m *machine) option(args []Value, word, spec, name string, i, j int) {
	letter := word[j : j+1]
	j++
	rest := word[j:]
	where := strings.Index(spec, letter)
	m.store("OPTARG", nil)
	switch {
	case where < 0 || letter == ":":
		m.assign("OPTARG", m.text(letter))
		letter = "?"
	case where+1 < len(spec) && spec[where+1] == ':':
		j = len(word)
		if rest != "" {
			m.assign("OPTARG", m.text(rest))
		} else if i < len(args) {
			m.assign("OPTARG", args[i])
			i++
		}
	}
	if j >= len(word) {
		i, j = i+1, 0
	}
	m.put(keyOptPos, &variable{set: true, val: m.text(itoa(j))})
	m.assign("OPTIND", m.text(itoa(i)))
	m.assign(name, m.text(letter))
}
