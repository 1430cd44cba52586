package shell

import (
	"path"
	"regexp"
	"sort"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/pattern"
	"mvdan.cc/sh/v3/syntax"
)

// glob is a compiled shell pattern.
type glob struct {
	isLit   bool // no wildcard: compare with lit
	lit     string
	tokens  []globToken
	re      *regexp.Regexp // extended patterns
	not     *glob          // matches what this one does not
	unknown *Value         // the pattern is not known
}

// globToken is one step of a pattern.
type globToken struct {
	kind byte // 'c' a character, '?' any, '*' any number, '[' a class
	r    rune
	set  string // of a class, with its brackets
}

// maxPattern bounds the bytes of one pattern.
const maxPattern = 4096

// pattern expands and compiles the pattern of a case arm or a test.
func (m *machine) pattern(w *syntax.Word) *glob {
	if w == nil {
		return &glob{isLit: true}
	}
	return m.globOf(m.pieces(w.Parts))
}

// globOf compiles the pieces of a pattern; quoted ones stand for themselves.
func (m *machine) globOf(list []piece) *glob {
	var b strings.Builder
	plain := true
	for _, p := range list {
		s, ok := m.joined(p.v)
		if !ok {
			v := p.v
			return &glob{unknown: &v}
		}
		if b.Len()+len(s) > maxPattern {
			v := m.limited("pattern")
			return &glob{unknown: &v}
		}
		if p.quoted {
			for i := range len(s) {
				if strings.IndexByte(`*?[]\()|@!+`, s[i]) >= 0 {
					b.WriteByte('\\')
				}
				b.WriteByte(s[i])
			}
			continue
		}
		plain = plain && !strings.ContainsAny(s, `*?[\`)
		for _, mark := range []string{"@(", "!(", "+("} {
			plain = plain && !strings.Contains(s, mark)
		}
		b.WriteString(s)
	}
	return m.compile(b.String(), plain, list)
}

func (m *machine) compile(pat string, plain bool, list []piece) *glob {
	if plain {
		s, _ := m.joined(m.joinPieces(list))
		return &glob{isLit: true, lit: s}
	}
	if g, ok := m.patterns[pat]; ok {
		return g
	}
	m.step(len(pat))
	g := compileGlob(pat)
	if len(m.patterns) < 500 {
		m.patterns[pat] = g
	}
	return g
}

// compileGlob reads a pattern with backslashes as quotes.
func compileGlob(pat string) *glob {
	for _, mark := range []string{"@(", "!(", "+(", "*(", "?("} {
		if i := strings.Index(pat, mark); i >= 0 && (i == 0 || pat[i-1] != '\\') {
			return extendedGlob(pat)
		}
	}
	g := &glob{}
	for i := 0; i < len(pat); {
		r, n := utf8.DecodeRuneInString(pat[i:])
		switch {
		case r == '\\' && i+1 < len(pat):
			r, n = utf8.DecodeRuneInString(pat[i+1:])
			n++
			g.tokens = append(g.tokens, globToken{kind: 'c', r: r})
		case r == '*':
			if k := len(g.tokens); k == 0 || g.tokens[k-1].kind != '*' {
				g.tokens = append(g.tokens, globToken{kind: '*'})
			}
		case r == '?':
			g.tokens = append(g.tokens, globToken{kind: '?'})
		case r == '[':
			if end := classEnd(pat[i:]); end > 0 {
				g.tokens = append(g.tokens, globToken{kind: '[', set: pat[i : i+end]})
				n = end
				break
			}
			fallthrough
		default:
			g.tokens = append(g.tokens, globToken{kind: 'c', r: r})
		}
		i += n
	}
	return g.plain()
}

// plain turns a pattern without wildcards into a text.
func (g *glob) plain() *glob {
	var b strings.Builder
	for _, t := range g.tokens {
		if t.kind != 'c' {
			return g
		}
		b.WriteRune(t.r)
	}
	return &glob{isLit: true, lit: b.String()}
}

// extendedGlob turns a pattern with @(a|b) into a regular expression, which
// takes linear time.
func extendedGlob(pat string) *glob {
	if inner, ok := strings.CutPrefix(pat, "!("); ok && strings.IndexByte(pat, ')') == len(pat)-1 {
		return &glob{not: extendedGlob("@(" + inner)}
	}
	expr, err := pattern.Regexp(pat, pattern.EntireString|pattern.ExtendedOperators)
	if err == nil {
		if re, err := regexp.Compile(expr); err == nil {
			return &glob{re: re}
		}
	}
	v := Unknowable(Unknown{Reason: ReasonUnsupported, Detail: "pattern " + short(pat)})
	return &glob{unknown: &v}
}

// classEnd returns the length of a bracket expression at the start of s, or 0.
func classEnd(s string) int {
	i := 1
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for i < len(s) {
		switch {
		case s[i] == ']':
			return i + 1
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], "[:"):
			if end := strings.Index(s[i:], ":]"); end > 0 {
				i += end + 1
			}
		}
		i++
	}
	return 0
}

// globMatch reports whether a pattern matches all of s. The cost is bounded by
// the product of both lengths and is paid in steps.
func (m *machine) globMatch(g *glob, s string) bool {
	switch {
	case g.isLit:
		return s == g.lit
	case g.not != nil:
		return g.not.unknown == nil && !m.globMatch(g.not, s)
	case g.re != nil:
		m.step(1 + len(s)/4)
		return g.re.MatchString(s)
	}
	m.step(1 + len(s)/32)
	t, i := 0, 0
	starT, starI := -1, 0
	for i < len(s) {
		if t < len(g.tokens) && g.tokens[t].kind == '*' {
			starT, starI = t, i
			t++
			continue
		}
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		if t < len(g.tokens) && g.tokens[t].matches(r) {
			t, i = t+1, i+n
			continue
		}
		if starT < 0 {
			return false
		}
		m.step((i - starI) / 32)
		_, n = utf8.DecodeRuneInString(s[starI:])
		starI += n
		t, i = starT+1, starI
	}
	for t < len(g.tokens) && g.tokens[t].kind == '*' {
		t++
	}
	return t == len(g.tokens)
}

func (t globToken) matches(r rune) bool {
	switch t.kind {
	case 'c':
		return t.r == r
	case '?':
		return true
	}
	return inClass(t.set, r)
}

var classTests = map[string]func(rune) bool{
	"alpha": func(r rune) bool { return r|32 >= 'a' && r|32 <= 'z' },
	"digit": func(r rune) bool { return r >= '0' && r <= '9' },
	"alnum": func(r rune) bool { return r|32 >= 'a' && r|32 <= 'z' || r >= '0' && r <= '9' },
	"upper": func(r rune) bool { return r >= 'A' && r <= 'Z' },
	"lower": func(r rune) bool { return r >= 'a' && r <= 'z' },
	"space": func(r rune) bool { return r == ' ' || r >= '\t' && r <= '\r' },
	"blank": func(r rune) bool { return r == ' ' || r == '\t' },
	"punct": func(r rune) bool {
		return r > ' ' && r < 0x7f && !(r|32 >= 'a' && r|32 <= 'z') && !(r >= '0' && r <= '9')
	},
	"xdigit": func(r rune) bool { return r >= '0' && r <= '9' || r|32 >= 'a' && r|32 <= 'f' },
}

// inClass tests a bracket expression.
func inClass(set string, r rune) bool {
	body := []rune(set[1 : len(set)-1])
	negate := len(body) > 0 && (body[0] == '!' || body[0] == '^')
	if negate {
		body = body[1:]
	}
	found := false
	for i := 0; i < len(body); i++ {
		c := body[i]
		if c == '[' && i+1 < len(body) && body[i+1] == ':' {
			rest := string(body[i+2:])
			if name, _, ok := strings.Cut(rest, ":]"); ok {
				if test := classTests[name]; test != nil && test(r) {
					found = true
				}
				i += len([]rune(name)) + 3
				continue
			}
		}
		if c == '\\' && i+1 < len(body) {
			i++
			c = body[i]
		}
		if i+2 < len(body) && body[i+1] == '-' {
			found = found || c <= r && r <= body[i+2]
			i += 2
			continue
		}
		found = found || c == r
	}
	return found != negate
}

// matches says whether a value matches a pattern.
func (m *machine) matches(v Value, g *glob) truth {
	if g.unknown != nil {
		return unsure
	}
	options, ok := m.options(v)
	if !ok {
		return m.matchesPart(v, g)
	}
	t := m.globMatch(g, options[0])
	for _, o := range options[1:] {
		if m.globMatch(g, o) != t {
			return unsure
		}
	}
	return truthOf(t)
}

// matchesPart decides what the known start and end of a partly unknown value
// decide.
func (m *machine) matchesPart(v Value, g *glob) truth {
	if g.re != nil || g.not != nil || len(v.segs) == 0 {
		return unsure
	}
	if !g.isLit && len(g.tokens) == 1 && g.tokens[0].kind == '*' {
		return yes
	}
	head, tail := "", ""
	if s := v.segs[0]; s.Unknown == nil {
		head = s.Text
	}
	if s := v.segs[len(v.segs)-1]; s.Unknown == nil {
		tail = s.Text
	}
	if g.isLit {
		if len(g.lit) < v.size || !strings.HasPrefix(g.lit, head) || !strings.HasSuffix(g.lit, tail) {
			return no
		}
		return unsure
	}
	for i, r := range head {
		if i >= len(g.tokens) || g.tokens[i].kind == '*' {
			break
		}
		if r >= utf8.RuneSelf || !g.tokens[i].matches(r) {
			return no
		}
		if i+2 == len(g.tokens) && g.tokens[i+1].kind == '*' {
			return yes // a known start, then anything
		}
	}
	return unsure
}

// globPaths expands a pattern of file names against the repository. ok is
// false when the pattern stands for itself.
func (m *machine) globPaths(list []piece) ([]Value, bool) {
	text := m.joinPieces(list)
	g := m.globOf(list)
	if g.unknown != nil || g.isLit || m.flag("f") {
		return nil, false
	}
	s, _ := m.joined(text)
	abs, ok := m.absolute(text)
	if !ok {
		return nil, false
	}
	dir, base := path.Split(abs)
	outside := Unknowable(Unknown{Reason: ReasonFile, Detail: short(s), Origin: m.firstOrigin(text), Shape: ShapeWords})
	rdir, inside := m.repositoryPath(path.Clean(dir))
	if !strings.Contains(s, "/") && dir == "/" || strings.ContainsAny(dir, "*?[") || !inside {
		if !strings.HasPrefix(s, "/") && !strings.Contains(s, "/") && !strings.ContainsAny(s, "*") {
			return nil, false
		}
		return []Value{outside}, true
	}
	names, found := m.list(rdir)
	if !found {
		return []Value{outside}, true
	}
	return m.globNames(s, base, names, outside), true
}

// globNames returns the names that match, as written in the script.
func (m *machine) globNames(s, base string, names []string, outside Value) []Value {
	pat := compileGlob(base)
	prefix := s[:strings.LastIndexByte(s, '/')+1]
	var out []string
	for _, n := range names {
		n = strings.TrimSuffix(n, "/")
		if (n == "" || n[0] == '.') && base[0] != '.' {
			continue
		}
		if pat.unknown == nil && m.globMatch(pat, n) && len(out) < m.limits.Words {
			m.spend(len(prefix) + len(n))
			out = append(out, prefix+n)
		}
	}
	if len(out) == 0 {
		return []Value{outside}
	}
	sort.Strings(out)
	vals := make([]Value, len(out))
	for i := range out {
		vals[i] = m.text(out[i])
	}
	return vals
}
