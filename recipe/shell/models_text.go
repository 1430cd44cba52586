package shell

import (
	"strconv"
	"strings"
)

// unsupported is the result of a model that does not know an option.
func unsupported(c *Call, what string) Result {
	name := programName(c.Argv[0])
	return Result{Stdout: c.Unknown(ReasonUnsupported, name+" "+what)}
}

// done is a success with an output.
func done(out Value) Result { return Result{Stdout: out, StatusKnown: true} }

// words returns the arguments as texts; ok is false when one is not known.
func (c *Call) words() ([]string, bool) {
	out := make([]string, 0, len(c.Argv))
	for _, v := range c.Argv[1:] {
		s, ok := v.Known()
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// input returns what the program reads: the named files, else standard input.
func (c *Call) input(files []string) Value {
	if len(files) == 0 {
		if !c.HasStdin {
			return c.Unknown(ReasonHost, "standard input")
		}
		return c.Stdin
	}
	parts := make([]Value, len(files))
	for i, f := range files {
		if f == "-" {
			parts[i] = c.Stdin
			continue
		}
		parts[i] = c.ReadFile(c.Text(f))
	}
	return c.m.concat(parts...)
}

// lines splits a text into lines, the last one also without its end.
func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

func unlines(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\n") + "\n"
}

func modelCat(c *Call) Result {
	var parts []Value
	for _, v := range c.Argv[1:] {
		s, ok := v.Known()
		switch {
		case ok && s == "-":
			parts = append(parts, c.Stdin)
		case ok && strings.HasPrefix(s, "-"):
			if s != "-u" && s != "--" {
				return unsupported(c, s)
			}
		default:
			parts = append(parts, c.ReadFile(v))
		}
	}
	if len(parts) == 0 {
		return done(c.input(nil))
	}
	return Result{Stdout: c.m.concat(parts...), StatusKnown: c.m.concat(parts...).IsKnown()}
}

// modelTee passes its input on; the files get it too.
func modelTee(c *Call) Result {
	in := c.input(nil)
	r := Result{Stdout: in, StatusKnown: true}
	for _, v := range c.Argv[1:] {
		if s, ok := v.Known(); ok && strings.HasPrefix(s, "-") {
			if s == "-a" || s == "--append" {
				in = c.Unknown(ReasonFile, "appended file")
			}
			continue
		}
		r.Writes = append(r.Writes, FileWrite{v, in})
	}
	return r
}

// count reads -n N, -N and -nN; rest are the other words.
func count(args []string, letter string) (n string, rest []string, ok bool) {
	n = "10"
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-"+letter && i+1 < len(args):
			i++
			n = args[i]
		case strings.HasPrefix(a, "-"+letter) && len(a) > 2:
			n = a[2:]
		case len(a) > 1 && a[0] == '-' && isDigits(a[1:]):
			n = a[1:]
		case a == "-q":
		case len(a) > 1 && a[0] == '-':
			return "", nil, false
		default:
			rest = append(rest, a)
		}
	}
	return n, rest, true
}

func modelHead(c *Call) Result {
	args, ok := c.words()
	n, files, fine := count(args, "n")
	k, err := strconv.Atoi(n)
	if !ok || !fine || err != nil {
		return unsupported(c, "options")
	}
	in := c.input(files)
	if s := firstLines(in, k); s != nil {
		return done(*s)
	}
	if len(in.segs) == 1 && in.segs[0].Unknown != nil && in.segs[0].Unknown.Detail == listing && k == 1 {
		u := *in.segs[0].Unknown
		u.Shape = ShapeMaybeWord
		return done(Unknowable(u))
	}
	return done(c.Apply(in, func(s string) string {
		list := lines(s)
		if k < 0 {
			return unlines(list[:max(0, len(list)+k)])
		}
		return unlines(list[:min(k, len(list))])
	}))
}

// firstLines returns the first k lines of a partly unknown text when they are
// known.
func firstLines(v Value, k int) *Value {
	if v.IsKnown() || len(v.segs) == 0 || v.segs[0].Unknown != nil || k <= 0 {
		return nil
	}
	head := v.segs[0].Text
	at := 0
	for ; k > 0; k-- {
		i := strings.IndexByte(head[at:], '\n')
		if i < 0 {
			return nil
		}
		at += i + 1
	}
	out := Text(head[:at], v.segs[0].Origin)
	return &out
}

func modelTail(c *Call) Result {
	args, ok := c.words()
	n, files, fine := count(args, "n")
	from := strings.HasPrefix(n, "+")
	k, err := strconv.Atoi(strings.TrimPrefix(n, "+"))
	if !ok || !fine || err != nil || k < 0 {
		return unsupported(c, "options")
	}
	return done(c.Apply(c.input(files), func(s string) string {
		list := lines(s)
		if from {
			return unlines(list[min(len(list), max(0, k-1)):])
		}
		return unlines(list[max(0, len(list)-k):])
	}))
}

func modelTac(c *Call) Result {
	args, _ := c.words()
	return done(c.Apply(c.input(args), func(s string) string {
		list := lines(s)
		for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
			list[i], list[j] = list[j], list[i]
		}
		return unlines(list)
	}))
}

func modelCut(c *Call) Result {
	args, ok := c.words()
	if !ok {
		return unsupported(c, "options")
	}
	delim, list, chars := "\t", "", false
	only := false
	var files []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		value := func() string {
			if len(a) > 2 {
				return a[2:]
			}
			if i+1 < len(args) {
				i++
				return args[i]
			}
			return ""
		}
		switch {
		case strings.HasPrefix(a, "-d"):
			delim = value()
		case strings.HasPrefix(a, "-f"):
			list = value()
		case strings.HasPrefix(a, "-c"), strings.HasPrefix(a, "-b"):
			list, chars = value(), true
		case a == "-s":
			only = true
		case strings.HasPrefix(a, "--delimiter="):
			delim = a[12:]
		case strings.HasPrefix(a, "--fields="):
			list = a[9:]
		case strings.HasPrefix(a, "-") && a != "-":
			return unsupported(c, a)
		default:
			files = append(files, a)
		}
	}
	ranges, ok := cutRanges(list)
	if !ok || delim == "" {
		return unsupported(c, "list")
	}
	return done(c.Apply(c.input(files), func(s string) string {
		c.Step(1 + len(s)/16)
		out := lines(s)
		kept := out[:0]
		for _, line := range out {
			if !chars && !strings.Contains(line, delim) {
				if !only {
					kept = append(kept, line)
				}
				continue
			}
			if chars {
				kept = append(kept, strings.Join(pick(strings.Split(line, ""), ranges), ""))
			} else {
				kept = append(kept, strings.Join(pick(strings.Split(line, delim), ranges), delim))
			}
		}
		return unlines(kept)
	}))
}

// cutRanges reads 1,3-5,7- as pairs; an open end is a large number.
func cutRanges(list string) ([][2]int, bool) {
	var out [][2]int
	for _, p := range strings.Split(list, ",") {
		a, b, isRange := strings.Cut(p, "-")
		from, errA := strconv.Atoi(a)
		to := from
		if isRange {
			if a == "" {
				from, errA = 1, nil
			}
			to = 1 << 30
			if b != "" {
				n, err := strconv.Atoi(b)
				if err != nil {
					return nil, false
				}
				to = n
			}
		}
		if errA != nil || from < 1 || len(out) > 100 {
			return nil, false
		}
		out = append(out, [2]int{from, to})
	}
	return out, true
}

func pick(list []string, ranges [][2]int) []string {
	var out []string
	for i, s := range list {
		for _, r := range ranges {
			if i+1 >= r[0] && i+1 <= r[1] {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

func modelTr(c *Call) Result {
	args, ok := c.words()
	if !ok {
		return unsupported(c, "options")
	}
	del, squeeze, complement := false, false, false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && strings.Trim(args[0][1:], "dscC") == "" {
		del = del || strings.Contains(args[0], "d")
		squeeze = squeeze || strings.Contains(args[0], "s")
		complement = complement || strings.ContainsAny(args[0], "cC")
		args = args[1:]
	}
	if len(args) == 0 || len(args) > 2 {
		return unsupported(c, "operands")
	}
	t := translation{set: trSet(args[0]), complement: complement, delete: del, squeeze: squeeze}
	if len(args) == 2 {
		t.to = trSet(args[1])
	}
	return done(c.Apply(c.input(nil), func(s string) string {
		c.Step(1 + len(s)/8)
		return t.apply(s)
	}))
}

// translation is what tr does to each byte.
type translation struct {
	set, to                     string
	complement, delete, squeeze bool
}

func (t translation) apply(s string) string {
	var b strings.Builder
	last := -1
	for i := range len(s) {
		k := strings.IndexByte(t.set, s[i])
		in := (k >= 0) != t.complement
		out := s[i]
		if in && t.delete {
			continue
		}
		if in && t.to != "" {
			if t.complement || k >= len(t.to) {
				k = len(t.to) - 1
			}
			out = t.to[k]
		}
		squeezed := in
		if t.to != "" {
			squeezed = strings.IndexByte(t.to, out) >= 0
		}
		if t.squeeze && squeezed && last == int(out) {
			continue
		}
		last = int(out)
		b.WriteByte(out)
	}
	return b.String()
}

// trSet expands a set of tr: ranges, classes, escapes.
func trSet(s string) string {
	for name, set := range map[string]string{
		"[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "[:lower:]": "abcdefghijklmnopqrstuvwxyz", "[:digit:]": "0123456789",
		"[:space:]": " \t\n\v\f\r", "[:blank:]": " \t", "[:punct:]": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
		"[:alpha:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
		"[:alnum:]": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
	} {
		s = strings.ReplaceAll(s, name, set)
	}
	s = ansiQuoted(s)
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if i+2 < len(s) && s[i+1] == '-' && s[i] <= s[i+2] {
			for ch := int(s[i]); ch <= int(s[i+2]); ch++ {
				b.WriteByte(byte(ch))
			}
			i += 2
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
