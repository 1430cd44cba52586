package shell

import (
	"regexp"
	"strconv"
	"strings"
)

// sedCommand is one command of a sed script.
type sedCommand struct {
	from, to sedAddress
	ranged   bool
	not      bool
	c        byte // 's', 'd', 'p' or 'q'
	re       *regexp.Regexp
	with     string
	all      bool
	printed  bool
	nth      int
}

// sedAddress selects lines: by number (-1 is the last), or by expression.
type sedAddress struct {
	line int
	re   *regexp.Regexp
}

// sedOptions are the options of one call.
type sedOptions struct {
	quiet, extended, inPlace bool
	scripts                  []string
	files                    []string
}

func readSed(args []string) (sedOptions, bool) {
	var o sedOptions
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-e" && i+1 < len(args), a == "--expression" && i+1 < len(args):
			i++
			o.scripts = append(o.scripts, args[i])
		case strings.HasPrefix(a, "--"):
			switch a {
			case "--quiet", "--silent":
				o.quiet = true
			case "--regexp-extended":
				o.extended = true
			case "--in-place":
				o.inPlace = true
			default:
				return o, false
			}
		case strings.HasPrefix(a, "-i"):
			o.inPlace = true
		case len(a) > 1 && a[0] == '-':
			if strings.Trim(a[1:], "nErui") != "" {
				return o, false
			}
			o.quiet = o.quiet || strings.Contains(a, "n")
			o.extended = o.extended || strings.ContainsAny(a, "Er")
			o.inPlace = o.inPlace || strings.Contains(a, "i")
		case len(o.scripts) == 0:
			o.scripts = append(o.scripts, a)
		default:
			o.files = append(o.files, a)
		}
	}
	return o, len(o.scripts) > 0
}

// modelSed runs s, d, p and q with addresses; a script with anything else
// gives an unknown.
func modelSed(c *Call) Result {
	args, ok := c.words()
	if !ok {
		return Result{Stdout: c.m.derived("sed", c.Argv...)}
	}
	o, ok := readSed(args)
	var commands []sedCommand
	for _, s := range o.scripts {
		list, fine := parseSed(s, o.extended, c.m.regex)
		ok = ok && fine
		commands = append(commands, list...)
	}
	if !ok || len(commands) > 50 {
		if o.inPlace {
			return sedUnknown(c, o.files)
		}
		return unsupported(c, "script")
	}
	run := func(s string) string { return runSed(c, s, commands, o.quiet) }
	if !o.inPlace {
		return done(c.Apply(c.input(o.files), run))
	}
	var r Result
	for _, f := range o.files {
		in := c.ReadFile(c.Text(f))
		r.Writes = append(r.Writes, FileWrite{c.Text(f), c.Apply(in, run)})
	}
	return r
}

// sedUnknown says that files are changed in a way that is not known.
func sedUnknown(c *Call, files []string) Result {
	var r Result
	for _, f := range files {
		r.Writes = append(r.Writes, FileWrite{c.Text(f), c.Unknown(ReasonUnsupported, "sed -i")})
	}
	return r
}

// parseSed reads a script of simple commands.
func parseSed(s string, extended bool, regex func(string) *regexp.Regexp) ([]sedCommand, bool) {
	var list []sedCommand
	compile := func(expr string) *regexp.Regexp {
		if !extended {
			expr = fromBasic(expr)
		}
		return regex(expr)
	}
	for len(list) < 100 {
		s = strings.TrimLeft(s, " \t\n;")
		if s == "" {
			return list, true
		}
		var x sedCommand
		var ok bool
		if x.from, s, ok = readAddress(s, compile); !ok {
			return nil, false
		}
		if strings.HasPrefix(s, ",") {
			if x.to, s, ok = readAddress(s[1:], compile); !ok {
				return nil, false
			}
			x.ranged = true
		}
		s = strings.TrimLeft(s, " ")
		if strings.HasPrefix(s, "!") {
			x.not, s = true, strings.TrimLeft(s[1:], " ")
		}
		if s == "" {
			return nil, false
		}
		x.c, s = s[0], s[1:]
		switch x.c {
		case 'd', 'p', 'q':
		case 's':
			if s, ok = x.readSubstitution(s, compile); !ok {
				return nil, false
			}
		default:
			return nil, false
		}
		if t := strings.TrimLeft(s, " "); t != "" && t[0] != ';' && t[0] != '\n' {
			return nil, false
		}
		list = append(list, x)
	}
	return nil, false
}

func readAddress(s string, compile func(string) *regexp.Regexp) (sedAddress, string, bool) {
	switch {
	case strings.HasPrefix(s, "$"):
		return sedAddress{line: -1}, s[1:], true
	case strings.HasPrefix(s, "/"):
		body, rest, ok := delimited(s[1:], '/')
		if !ok {
			return sedAddress{}, s, false
		}
		re := compile(body)
		return sedAddress{re: re}, rest, re != nil
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n == 0 {
		return sedAddress{}, s, true
	}
	line, err := strconv.Atoi(s[:n])
	return sedAddress{line: line}, s[n:], err == nil && line > 0
}

// delimited cuts off a text that ends at an unescaped delimiter.
func delimited(s string, d byte) (body, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			if s[i+1] != d {
				b.WriteByte('\\')
			} else if strings.IndexByte(`.*[]^$+?(){}|`, d) >= 0 {
				b.WriteByte('\\')
			}
			i++
			b.WriteByte(s[i])
		case s[i] == d:
			return b.String(), s[i+1:], true
		default:
			b.WriteByte(s[i])
		}
	}
	return "", s, false
}

func (x *sedCommand) readSubstitution(s string, compile func(string) *regexp.Regexp) (string, bool) {
	if s == "" {
		return s, false
	}
	d := s[0]
	expr, rest, ok := delimited(s[1:], d)
	if !ok {
		return s, false
	}
	with, rest, ok := delimited(rest, d)
	if !ok {
		return s, false
	}
	for rest != "" && strings.IndexByte("gpIi0123456789", rest[0]) >= 0 {
		switch {
		case rest[0] == 'g':
			x.all = true
		case rest[0] == 'p':
			x.printed = true
		case rest[0] == 'I' || rest[0] == 'i':
			return rest, false
		default:
			x.nth = x.nth*10 + int(rest[0]-'0')
			if x.nth > 1000 {
				return rest, false
			}
		}
		rest = rest[1:]
	}
	x.re = compile(expr)
	x.with = sedTemplate(with)
	return rest, x.re != nil
}

// fromBasic turns a basic regular expression into an extended one.
func fromBasic(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '[':
			end := classEnd(s[i:])
			if end == 0 {
				b.WriteString(`\[`)
				continue
			}
			b.WriteString(s[i : i+end])
			i += end - 1
		case c == '\\' && i+1 < len(s):
			i++
			if strings.IndexByte("(){}|+?", s[i]) >= 0 {
				b.WriteByte(s[i])
			} else {
				b.WriteByte('\\')
				b.WriteByte(s[i])
			}
		case strings.IndexByte("(){}|+?", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '*' && (i == 0 || s[i-1] == '^' && i == 1):
			b.WriteString(`\*`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func runSed(c *Call, s string, commands []sedCommand, quiet bool) string {
	list := lines(s)
	var b strings.Builder
	active := make([]bool, len(commands))
	for i, line := range list {
		c.Step(1 + len(line)*len(commands)/16)
		deleted, quit := false, false
		for k := range commands {
			x := &commands[k]
			if x.selects(&active[k], i+1, len(list), line) == x.not {
				continue
			}
			switch x.c {
			case 'd':
				deleted = true
			case 'p':
				b.WriteString(line + "\n")
			case 'q':
				quit = true
			case 's':
				// The result is bounded before it is made: every byte of the
				// line could be a match.
				c.Step(1 + len(line)/4)
				if n := len(line) + (len(line)+1)*len(x.with); !c.Fits(n) && x.all {
					c.Spend(n / 8)
				}
				changed, ok := x.substitute(line)
				if !c.Fits(b.Len() + len(changed)) {
					c.m.end("value bytes")
				}
				c.Spend(len(changed))
				line = changed
				if ok && x.printed {
					b.WriteString(line + "\n")
				}
			}
			if deleted || quit {
				break
			}
		}
		if !deleted && !quiet {
			b.WriteString(line + "\n")
		}
		if quit {
			break
		}
	}
	out := b.String()
	if !strings.HasSuffix(s, "\n") {
		out = strings.TrimSuffix(out, "\n")
	}
	return out
}

func (a sedAddress) matches(n, last int, line string) bool {
	switch {
	case a.re != nil:
		return a.re.MatchString(line)
	case a.line == -1:
		return n == last
	}
	return n == a.line
}

func (x *sedCommand) selects(active *bool, n, last int, line string) bool {
	switch {
	case x.from.re == nil && x.from.line == 0:
		return true
	case !x.ranged:
		return x.from.matches(n, last, line)
	case *active:
		*active = !x.to.matches(n, last, line)
		return true
	case x.from.matches(n, last, line):
		*active = x.to.re != nil || x.to.line == -1 || x.to.line > n
		return true
	}
	return false
}

// substitute replaces matches.
func (x *sedCommand) substitute(line string) (string, bool) {
	if x.all && x.nth == 0 {
		out := x.re.ReplaceAllString(line, x.with)
		return out, out != line || x.re.MatchString(line)
	}
	nth := max(x.nth, 1)
	found := x.re.FindAllStringSubmatchIndex(line, nth)
	if len(found) < nth {
		return line, false
	}
	m := found[nth-1]
	out := []byte(line[:m[0]])
	out = x.re.ExpandString(out, x.with, line, m)
	return string(out) + line[m[1]:], true
}

// sedTemplate turns a replacement (& and \1 stand for what was matched) into
// the form of the regexp package.
func sedTemplate(with string) string {
	var b strings.Builder
	for i := 0; i < len(with); i++ {
		c := with[i]
		switch {
		case c == '&':
			b.WriteString("${0}")
		case c == '$':
			b.WriteString("$$")
		case c == '\\' && i+1 < len(with):
			i++
			switch d := with[i]; {
			case d >= '0' && d <= '9':
				b.WriteString("${" + string(d) + "}")
			case d == 'n':
				b.WriteByte('\n')
			case d == 't':
				b.WriteByte('\t')
			default:
				b.WriteByte(d)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
