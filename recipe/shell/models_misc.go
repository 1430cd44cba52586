package shell

import (
	"path"
	"strconv"
	"strings"
)

func modelSeq(c *Call) Result {
	var nums []string
	sep := "\n"
	for i := 1; i < len(c.Argv); i++ {
		s, ok := c.Argv[i].Known()
		switch {
		case !ok:
			u := c.m.derived("seq", c.Argv[i]).segs[0].Unknown
			w := *u
			w.Shape = ShapeWords
			return done(Unknowable(w))
		case s == "-s" && i+1 < len(c.Argv):
			i++
			sep, _ = c.Argv[i].Known()
		case strings.HasPrefix(s, "-s"):
			sep = s[2:]
		case s == "-w", strings.HasPrefix(s, "-f"), strings.HasPrefix(s, "--"):
			return unsupported(c, s)
		default:
			nums = append(nums, s)
		}
	}
	from, step, to := "1", "1", ""
	switch len(nums) {
	case 1:
		to = nums[0]
	case 2:
		from, to = nums[0], nums[1]
	case 3:
		from, step, to = nums[0], nums[1], nums[2]
	default:
		return unsupported(c, "operands")
	}
	a, errA := strconv.ParseInt(from, 10, 64)
	s, errS := strconv.ParseInt(step, 10, 64)
	b, errB := strconv.ParseInt(to, 10, 64)
	if errA != nil || errS != nil || errB != nil || s == 0 {
		return unsupported(c, "fractions")
	}
	if s > 0 && a > b || s < 0 && a < b {
		return done(Value{})
	}
	list, ok := sequence(from, to, step, c.m.limits.Words)
	if !ok {
		return done(c.m.limited("words"))
	}
	c.Step(len(list))
	c.Spend(len(list) * 8)
	return done(c.Text(strings.Join(list, sep) + "\n"))
}

func modelBasename(c *Call) Result {
	args := c.Argv[1:]
	if len(args) > 0 {
		if s, ok := args[0].Known(); ok && s == "--" {
			args = args[1:]
		}
	}
	if len(args) == 0 || len(args) > 2 {
		return unsupported(c, "options")
	}
	suffix := ""
	if len(args) == 2 {
		suffix, _ = args[1].Known()
	}
	if name := lastComponent(args[0]); name != "" && !args[0].IsKnown() {
		return done(c.Text(strings.TrimSuffix(name, suffix) + "\n"))
	}
	return done(c.Apply(args[0], func(s string) string {
		if s == "" {
			return "\n"
		}
		b := path.Base(s)
		if b != suffix {
			b = strings.TrimSuffix(b, suffix)
		}
		return b + "\n"
	}))
}

// lastComponent returns the known last component of a partly unknown path.
func lastComponent(v Value) string {
	if len(v.segs) == 0 {
		return ""
	}
	s := v.segs[len(v.segs)-1]
	if s.Unknown != nil {
		return ""
	}
	i := strings.LastIndexByte(strings.TrimRight(s.Text, "/"), '/')
	if i < 0 {
		return ""
	}
	return strings.TrimRight(s.Text[i+1:], "/")
}

func modelDirname(c *Call) Result {
	args := c.Argv[1:]
	if len(args) > 0 {
		if s, ok := args[0].Known(); ok && s == "--" {
			args = args[1:]
		}
	}
	if len(args) != 1 {
		return unsupported(c, "options")
	}
	v := args[0]
	if name := lastComponent(v); name != "" && !v.IsKnown() {
		segs := append([]Segment(nil), v.segs...)
		last := &segs[len(segs)-1]
		cut := len(last.Text) - strings.LastIndexByte(strings.TrimRight(last.Text, "/"), '/')
		last.Text = last.Text[:len(last.Text)-cut] + "\n"
		return done(Value{segs: segs, size: v.size - cut + 1})
	}
	return done(c.Apply(v, func(s string) string {
		if s == "" {
			return ".\n"
		}
		t := strings.TrimRight(s, "/")
		if t == "" {
			return "/\n"
		}
		i := strings.LastIndexByte(t, '/')
		if i < 0 {
			return ".\n"
		}
		if t = strings.TrimRight(t[:i], "/"); t == "" {
			t = "/"
		}
		return t + "\n"
	}))
}

func modelRealpath(c *Call) Result {
	var file *Value
	for i := 1; i < len(c.Argv); i++ {
		if s, ok := c.Argv[i].Known(); ok && strings.HasPrefix(s, "-") {
			continue
		}
		file = &c.Argv[i]
	}
	if file == nil {
		return unsupported(c, "options")
	}
	abs, ok := c.m.absolute(*file)
	if !ok {
		return done(c.m.concat(c.m.within(c.Dir, *file), c.Text("\n")))
	}
	return done(Text(abs+"\n", c.m.firstOrigin(*file)))
}

func modelPrintenv(c *Call) Result {
	if len(c.Argv) != 2 {
		return Result{Stdout: c.Unknown(ReasonHost, "environment"), StatusKnown: true}
	}
	name, ok := c.Argv[1].Known()
	if !ok {
		return unsupported(c, "operand")
	}
	v, set := c.Lookup(name)
	if !set {
		return Result{Status: 1, StatusKnown: true}
	}
	return done(c.m.concat(v, c.Text("\n")))
}

// modelEnv lists the environment, which holds more than the script knows.
func modelEnv(c *Call) Result {
	return Result{Stdout: c.Unknown(ReasonHost, "environment"), StatusKnown: true}
}

// modelXargs joins its input to one line when it starts nothing.
func modelXargs(c *Call) Result {
	if len(c.Argv) > 1 {
		if s, ok := c.Argv[1].Known(); !ok || s != "echo" || len(c.Argv) > 2 {
			return Result{Stdout: c.Unknown(ReasonOutput, "xargs")}
		}
	}
	return done(c.Apply(c.input(nil), func(s string) string { return strings.Join(strings.Fields(s), " ") + "\n" }))
}

// listing is what ls prints, a name a line.
const listing = "listing of ls"

func modelLs(c *Call) Result {
	return Result{Stdout: Unknowable(Unknown{Reason: ReasonFile, Detail: listing, Origin: c.Origin, Shape: ShapeWords})}
}

// modelCopy copies one file to another name.
func modelCopy(c *Call) Result {
	var names []Value
	for _, v := range c.Argv[1:] {
		if s, ok := v.Known(); ok && strings.HasPrefix(s, "-") {
			continue
		}
		names = append(names, v)
	}
	if len(names) != 2 {
		return Result{}
	}
	to, ok := names[1].Known()
	from, okFrom := names[0].Known()
	if !ok || !okFrom {
		return Result{}
	}
	if abs, ok := c.m.absolute(names[1]); strings.HasSuffix(to, "/") || ok && c.m.isDir(abs) {
		to = strings.TrimSuffix(to, "/") + "/" + path.Base(from)
	}
	content := c.ReadFile(names[0])
	if !content.IsKnown() {
		return Result{}
	}
	return Result{Writes: []FileWrite{{c.Text(to), content}}, StatusKnown: true}
}

// modelMktemp gives a name that only the machine knows.
func modelMktemp(c *Call) Result {
	u := Unknown{Reason: ReasonClock, Detail: "mktemp", Origin: c.Origin, Alternatives: nil}
	return done(c.m.concat(c.Text("/tmp/"), Unknowable(u), c.Text("\n")))
}

func modelExpr(c *Call) Result {
	var b strings.Builder
	for _, v := range c.Argv[1:] {
		s, ok := v.Known()
		if !ok {
			return Result{Stdout: c.m.derived("expr", v)}
		}
		if s != "+" && s != "-" && s != "*" && s != "/" && s != "%" && s != "(" && s != ")" && !isDigits(strings.TrimPrefix(s, "-")) {
			return unsupported(c, "operands")
		}
		b.WriteString(s + " ")
		if b.Len() > 1000 {
			return unsupported(c, "operands")
		}
	}
	x, err := parseArithmetic(b.String())
	if err != nil {
		return unsupported(c, "expression")
	}
	n := c.m.arith(x)
	r := Result{Stdout: c.m.concat(n.asValue(c.m), c.Text("\n")), StatusKnown: n.known}
	if n.known && n.n == 0 {
		r.Status = 1
	}
	return r
}

func modelBc(c *Call) Result {
	in, ok := c.input(nil).Known()
	if !ok || len(in) > 1000 {
		return Result{Stdout: c.m.derived("bc", c.input(nil))}
	}
	scale := 0
	for _, v := range c.Argv[1:] {
		if s, _ := v.Known(); s == "-l" {
			scale = 20
		}
	}
	var out strings.Builder
	for _, stmt := range strings.FieldsFunc(in, func(r rune) bool { return r == ';' || r == '\n' }) {
		stmt = strings.TrimSpace(stmt)
		if n, isScale := strings.CutPrefix(strings.ReplaceAll(stmt, " ", ""), "scale="); isScale {
			scale, _ = strconv.Atoi(n)
			continue
		}
		f, ok := calculate(stmt, nil)
		if !ok {
			return unsupported(c, "expression")
		}
		if strings.Contains(stmt, "/") || f != float64(int64(f)) {
			out.WriteString(truncated(f, min(scale, 12)) + "\n")
			continue
		}
		out.WriteString(strconv.FormatInt(int64(f), 10) + "\n")
	}
	return done(c.Text(out.String()))
}

// truncated prints a number with so many digits behind the point, cut off as
// bc does, without a zero before the point.
func truncated(f float64, scale int) string {
	s := strconv.FormatFloat(f, 'f', scale+3, 64)
	s = s[:len(s)-3]
	if scale == 0 {
		s = strings.TrimSuffix(s, ".")
	}
	if strings.HasPrefix(s, "0.") {
		return s[1:]
	}
	return strings.Replace(s, "-0.", "-.", 1)
}
