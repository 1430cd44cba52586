package shell

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// awkValue is a text that may look like a number.
type awkValue struct {
	s     string
	n     float64
	isNum bool
}

// awkRun is one run of a program over known input.
type awkRun struct {
	vars   map[string]awkValue
	fields []string // $0, $1 ...
	split  func(string) []string
	nr     int
	out    strings.Builder
	status int
	done   bool // exit
	next   bool
	failed bool
	step   func(int)
	limit  int
}

// modelAwk runs small programs: arithmetic in BEGIN, picking fields.
func modelAwk(c *Call) Result {
	var program *Value
	sep := " "
	var files []string
	vars := map[string]awkValue{}
	for i := 1; i < len(c.Argv); i++ {
		s, ok := c.Argv[i].Known()
		switch {
		case program == nil && ok && strings.HasPrefix(s, "-F"):
			if sep = s[2:]; sep == "" && i+1 < len(c.Argv) {
				i++
				sep, _ = c.Argv[i].Known()
			}
		case program == nil && ok && s == "-v" && i+1 < len(c.Argv):
			i++
			set, known := c.Argv[i].Known()
			name, value, _ := strings.Cut(set, "=")
			if !known {
				return Result{Stdout: c.m.derived("awk", c.Argv[i])}
			}
			vars[name] = awkInput(value)
		case program == nil && ok && strings.HasPrefix(s, "-") && len(s) > 1:
			return unsupported(c, s)
		case program == nil:
			program = &c.Argv[i]
		default:
			files = append(files, s)
		}
	}
	if program == nil {
		return unsupported(c, "without a program")
	}
	text, ok := program.Known()
	if !ok || len(text) > 8192 {
		return Result{Stdout: c.m.derived("awk", *program)}
	}
	rules, ok := parseAwk(text, c.m.regex)
	if !ok {
		return unsupported(c, "program")
	}
	return runAwk(c, rules, vars, ansiQuoted(sep), files)
}

func runAwk(c *Call, rules []awkRule, vars map[string]awkValue, sep string, files []string) Result {
	r := awkRun{vars: vars, step: c.Step, limit: c.m.limits.ValueBytes, fields: []string{""}}
	reads := false
	for _, rule := range rules {
		reads = reads || !rule.begin
		if rule.begin && !r.done {
			r.stmts(rule.action)
		}
	}
	if reads && !r.done {
		in, ok := c.input(files).Known()
		if !ok {
			return Result{Stdout: c.m.derived("awk", c.input(files))}
		}
		for _, line := range lines(in) {
			r.line(rules, line, sep, c.m.regex)
			if r.done || r.failed {
				break
			}
		}
	}
	for _, rule := range rules {
		if rule.end && !r.failed {
			r.stmts(rule.action)
		}
	}
	if r.failed {
		return unsupported(c, "program")
	}
	c.Spend(r.out.Len())
	return Result{Stdout: c.Text(r.out.String()), Status: r.status, StatusKnown: true}
}

// line runs the rules on one line.
func (r *awkRun) line(rules []awkRule, line, sep string, regex func(string) *regexp.Regexp) {
	r.nr++
	r.next = false
	r.step(1 + len(line)/8)
	r.split = func(text string) []string { return splitFields(text, sep, regex) }
	r.fields = append([]string{line}, r.split(line)...)
	for _, rule := range rules {
		if rule.begin || rule.end || r.done || r.next || r.failed {
			continue
		}
		if rule.pattern != nil && !r.eval(rule.pattern).truthy() {
			continue
		}
		if rule.print {
			r.print(r.fields[0] + "\n")
			continue
		}
		r.stmts(rule.action)
	}
}

func splitFields(line, sep string, regex func(string) *regexp.Regexp) []string {
	switch {
	case sep == " ":
		return strings.Fields(line)
	case len(sep) == 1:
		return strings.Split(line, sep)
	}
	re := regex(sep)
	if re == nil || line == "" {
		return nil
	}
	return re.Split(line, -1)
}

func (r *awkRun) print(s string) {
	if r.out.Len()+len(s) > r.limit {
		r.failed = true
		return
	}
	r.out.WriteString(s)
}

func (r *awkRun) stmts(list []awkStmt) {
	for _, s := range list {
		if r.done || r.next || r.failed {
			return
		}
		r.step(1)
		r.stmt(s)
	}
}

func (r *awkRun) stmt(s awkStmt) {
	switch s.kind {
	case 'p':
		parts := make([]string, len(s.args))
		for i, a := range s.args {
			parts[i] = r.eval(a).String()
		}
		if len(parts) == 0 {
			parts = r.fields[:1]
		}
		r.print(strings.Join(parts, " ") + "\n")
	case 'f':
		r.printf(s.args)
	case 'i':
		if r.eval(s.args[0]).truthy() {
			r.stmts(s.then)
		} else {
			r.stmts(s.otherly)
		}
	case 'x':
		r.done = true
		if len(s.args) > 0 {
			r.status = int(r.eval(s.args[0]).n) & 255
		}
	case 'n':
		r.next = true
	default:
		r.eval(s.args[0])
	}
}

func (r *awkRun) printf(args []*awkExpr) {
	if len(args) == 0 {
		r.failed = true
		return
	}
	f := r.eval(args[0]).String()
	args = args[1:]
	for f != "" && !r.failed {
		i := strings.IndexByte(f, '%')
		if i < 0 {
			r.print(f)
			return
		}
		r.print(f[:i])
		var v verb
		v, f = readVerb(f[i+1:])
		if v.c == '%' {
			r.print("%")
			continue
		}
		if len(args) == 0 || v.width > 1000 || v.prec > 100 || v.width == starred || v.prec == starred {
			r.failed = true
			return
		}
		x := r.eval(args[0])
		args = args[1:]
		switch v.c {
		case 'd', 'i':
			r.print(pad(v, strconv.FormatInt(int64(x.n), 10)))
		case 's', 'c':
			r.print(pad(v, x.String()))
		case 'f', 'F', 'e', 'E', 'g', 'G':
			r.print(pad(v, formatFloat(v, strconv.FormatFloat(x.n, 'g', -1, 64))))
		default:
			r.failed = true
		}
	}
}

// awkInput is a value from outside: a number when it looks like one.
func awkInput(s string) awkValue {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return awkValue{s: s, n: leadingNumber(s)}
	}
	return awkValue{s: s, n: n, isNum: true}
}

func awkNumber(n float64) awkValue {
	s := ""
	if n == math.Trunc(n) && math.Abs(n) < 1e16 {
		s = strconv.FormatInt(int64(n), 10)
	} else {
		s = formatFloat(verb{c: 'g', prec: 6}, strconv.FormatFloat(n, 'g', -1, 64))
	}
	return awkValue{s: s, n: n, isNum: true}
}

// String is how the value prints.
func (v awkValue) String() string { return v.s }

func (v awkValue) truthy() bool {
	if v.isNum {
		return v.n != 0
	}
	return v.s != ""
}

func (r *awkRun) eval(x *awkExpr) awkValue {
	r.step(1)
	switch x.op {
	case "num":
		return awkNumber(x.num)
	case "str":
		return awkValue{s: x.text, n: leadingNumber(x.text)}
	case "re":
		return awkBool(x.re.MatchString(r.fields[0]))
	case "var":
		return r.variable(x.text)
	case "()":
		return r.eval(x.args[0])
	case "$":
		i := int(r.eval(x.args[0]).n)
		if i < 0 || i >= len(r.fields) {
			return awkValue{}
		}
		return awkInput(r.fields[i])
	case "?:":
		if r.eval(x.args[0]).truthy() {
			return r.eval(x.args[1])
		}
		return r.eval(x.args[2])
	case "=":
		r.vars[x.text] = r.eval(x.args[0])
		return r.vars[x.text]
	case "+=", "-=", "*=", "/=", "%=":
		r.vars[x.text] = r.calculate(x.op[:1], r.variable(x.text), r.eval(x.args[0]))
		return r.vars[x.text]
	case "++", "--":
		old := r.variable(x.text)
		r.vars[x.text] = r.calculate(x.op[:1], old, awkNumber(1))
		return awkNumber(old.n)
	case "call":
		return r.call(x)
	case "u!":
		return awkBool(!r.eval(x.args[0]).truthy())
	case "u-":
		return awkNumber(-r.eval(x.args[0]).n)
	case "u+":
		return awkNumber(r.eval(x.args[0]).n)
	case "&&":
		return awkBool(r.eval(x.args[0]).truthy() && r.eval(x.args[1]).truthy())
	case "||":
		return awkBool(r.eval(x.args[0]).truthy() || r.eval(x.args[1]).truthy())
	case "~", "!~":
		if x.args[1].op != "re" {
			r.failed = true
			return awkValue{}
		}
		return awkBool(x.args[1].re.MatchString(r.eval(x.args[0]).s) == (x.op == "~"))
	}
	return r.calculate(x.op, r.eval(x.args[0]), r.eval(x.args[1]))
}

func awkBool(b bool) awkValue {
	if b {
		return awkNumber(1)
	}
	return awkNumber(0)
}

func (r *awkRun) variable(name string) awkValue {
	switch name {
	case "NR", "FNR":
		return awkNumber(float64(r.nr))
	case "NF":
		return awkNumber(float64(len(r.fields) - 1))
	}
	return r.vars[name]
}

func (r *awkRun) call(x *awkExpr) awkValue {
	if x.text == "sub" || x.text == "gsub" {
		return r.substitute(x)
	}
	var a awkValue
	if len(x.args) > 0 {
		a = r.eval(x.args[0])
	}
	switch x.text {
	case "int":
		return awkNumber(math.Trunc(a.n))
	case "sqrt":
		return awkNumber(math.Sqrt(a.n))
	case "log":
		return awkNumber(math.Log(a.n))
	case "exp":
		return awkNumber(math.Exp(a.n))
	case "length":
		if len(x.args) == 0 {
			a.s = r.fields[0]
		}
		return awkNumber(float64(len([]rune(a.s))))
	case "tolower":
		return awkValue{s: strings.ToLower(a.s)}
	case "toupper":
		return awkValue{s: strings.ToUpper(a.s)}
	}
	r.failed = true
	return awkValue{}
}

// calculate applies an operator to two values.
func (r *awkRun) calculate(op string, a, b awkValue) awkValue {
	switch op {
	case "+":
		return awkNumber(a.n + b.n)
	case "-":
		return awkNumber(a.n - b.n)
	case "*":
		return awkNumber(a.n * b.n)
	case "/", "%":
		if b.n == 0 {
			r.failed = true
			return awkValue{}
		}
		if op == "/" {
			return awkNumber(a.n / b.n)
		}
		return awkNumber(math.Mod(a.n, b.n))
	case "^":
		return awkNumber(math.Pow(a.n, b.n))
	case "cat":
		if len(a.s)+len(b.s) > r.limit {
			r.failed = true
			return awkValue{}
		}
		return awkValue{s: a.s + b.s, n: leadingNumber(a.s + b.s)}
	}
	less, equal := a.s < b.s, a.s == b.s
	if a.isNum && b.isNum || a.isNum && b.s == "" || b.isNum && a.s == "" {
		less, equal = a.n < b.n, a.n == b.n
	}
	switch op {
	case "<":
		return awkBool(less)
	case "<=":
		return awkBool(less || equal)
	case ">":
		return awkBool(!less && !equal)
	case ">=":
		return awkBool(!less)
	case "==":
		return awkBool(equal)
	case "!=":
		return awkBool(!equal)
	}
	r.failed = true
	return awkValue{}
}

// calculate evaluates an arithmetic expression with the usual operators.
func calculate(expr string, step func(int)) (float64, bool) {
	if len(expr) > 1000 {
		return 0, false
	}
	if step == nil {
		step = func(int) {}
	}
	p := awkParser{tokens: awkTokens(expr), regex: func(string) *regexp.Regexp { return nil }}
	if len(p.tokens) == 0 {
		return 0, false
	}
	x := p.expr()
	if p.failed || p.i < len(p.tokens) {
		return 0, false
	}
	r := awkRun{vars: map[string]awkValue{}, fields: []string{""}, step: step, limit: 1000}
	v := r.eval(x)
	return v.n, !r.failed && v.isNum
}
