package shell

import (
	"regexp"
	"strconv"
	"strings"
)

// grepOptions are the options of one call.
type grepOptions struct {
	quiet, count, only, invert, fixed, extended, noCase, word, line bool
	most                                                            int
	patterns                                                        []string
	files                                                           []string
}

func readGrep(name string, args []string) (grepOptions, bool) {
	o := grepOptions{fixed: name == "fgrep", extended: name == "egrep"}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			o.files = append(o.files, args[i+1:]...)
			i = len(args)
		case a == "-e" && i+1 < len(args):
			i++
			o.patterns = append(o.patterns, args[i])
		case a == "-m" && i+1 < len(args):
			i++
			o.most, _ = strconv.Atoi(args[i])
		case len(a) > 2 && strings.HasPrefix(a, "-m") && isDigits(a[2:]):
			o.most, _ = strconv.Atoi(a[2:])
		case strings.HasPrefix(a, "--"):
			if a != "--color=never" && a != "--quiet" && a != "--line-buffered" {
				return o, false
			}
			o.quiet = o.quiet || a == "--quiet"
		case len(a) > 1 && a[0] == '-':
			if !o.letters(a[1:]) {
				return o, false
			}
		default:
			o.files = append(o.files, a)
		}
	}
	if len(o.patterns) == 0 && len(o.files) > 0 {
		o.patterns, o.files = o.files[:1], o.files[1:]
	}
	return o, len(o.patterns) > 0 && len(o.files) <= 1
}

func (o *grepOptions) letters(s string) bool {
	for _, c := range s {
		switch c {
		case 'q':
			o.quiet = true
		case 'c':
			o.count = true
		case 'o':
			o.only = true
		case 'v':
			o.invert = true
		case 'F':
			o.fixed = true
		case 'E', 'P':
			o.extended = true
		case 'i':
			o.noCase = true
		case 'w':
			o.word = true
		case 'x':
			o.line = true
		case 's', 'h', 'a':
		default:
			return false
		}
	}
	return true
}

// expression joins the patterns to one expression.
func (o *grepOptions) expression() string {
	var parts []string
	for _, p := range o.patterns {
		for _, line := range strings.Split(p, "\n") {
			switch {
			case o.fixed:
				line = regexp.QuoteMeta(line)
			case !o.extended:
				line = fromBasic(line)
			}
			parts = append(parts, "(?:"+line+")")
		}
	}
	expr := strings.Join(parts, "|")
	if o.word {
		expr = `\b(?:` + expr + `)\b`
	}
	if o.line {
		expr = `^(?:` + expr + `)$`
	}
	if o.noCase {
		expr = "(?i)" + expr
	}
	return expr
}

func modelGrep(c *Call) Result {
	args, ok := c.words()
	if !ok {
		return Result{Stdout: c.m.derived("grep", c.Argv...)}
	}
	o, ok := readGrep(programName(c.Argv[0]), args)
	if !ok {
		return unsupported(c, "options")
	}
	re := c.m.regex(o.expression())
	if re == nil {
		return unsupported(c, "pattern")
	}
	in := c.input(o.files)
	text, known := in.Known()
	if !known {
		r := Result{}
		if !o.quiet {
			r.Stdout = c.m.derived("grep", in)
			if o.count {
				r.Stdout = c.m.number(ReasonDerived, "grep -c")
			}
		}
		return r
	}
	return o.run(c, re, text)
}

func (o *grepOptions) run(c *Call, re *regexp.Regexp, text string) Result {
	c.Step(1 + len(text)/4)
	n := 0
	var b strings.Builder
	for _, line := range lines(text) {
		if re.MatchString(line) == o.invert {
			continue
		}
		n++
		switch {
		case o.quiet || o.count:
		case o.only:
			for _, f := range re.FindAllString(line, -1) {
				if f != "" {
					b.WriteString(f + "\n")
				}
			}
		default:
			b.WriteString(line + "\n")
		}
		if o.most > 0 && n == o.most {
			break
		}
	}
	if o.count && !o.quiet {
		b.WriteString(strconv.Itoa(n) + "\n")
	}
	r := Result{Stdout: c.Text(b.String()), StatusKnown: true}
	if n == 0 {
		r.Status = 1
	}
	return r
}
