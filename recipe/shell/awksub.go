package shell

import (
	"regexp"
	"strings"
)

// substitute is sub(re, text [, target]) or gsub: it changes a variable, a
// field or the line, and returns how many matches there were.
func (r *awkRun) substitute(x *awkExpr) awkValue {
	if len(x.args) < 2 || len(x.args) > 3 || x.args[0].op != "re" {
		r.failed = true
		return awkValue{}
	}
	with := r.eval(x.args[1]).String()
	target := &awkExpr{op: "$", args: []*awkExpr{{op: "num"}}}
	if len(x.args) == 3 {
		target = x.args[2]
	}
	text := r.eval(target).String()
	out, n := replacedAwk(x.args[0].re, text, with, x.text == "gsub", r.limit)
	r.step(1 + len(text)/8 + len(out)/8)
	if n < 0 {
		r.failed = true
		return awkValue{}
	}
	if n > 0 {
		r.assign(target, out)
	}
	return awkNumber(float64(n))
}

// replacedAwk replaces matches by a text in which & is the match and \& an
// ampersand. n is negative where the result is longer than limit.
func replacedAwk(re *regexp.Regexp, text, with string, all bool, limit int) (out string, n int) {
	most := 1
	if all {
		most = -1
	}
	var b strings.Builder
	at := 0
	for _, m := range re.FindAllStringIndex(text, most) {
		b.WriteString(text[at:m[0]])
		match := text[m[0]:m[1]]
		b.WriteString(strings.NewReplacer(`\\&`, `\`+match, `\&`, "&", "&", match).Replace(with))
		at = m[1]
		n++
		if b.Len() > limit {
			return "", -1
		}
	}
	b.WriteString(text[at:])
	return b.String(), n
}

// assign sets a variable, a field, or the line.
func (r *awkRun) assign(target *awkExpr, text string) {
	switch target.op {
	case "var":
		r.vars[target.text] = awkInput(text)
	case "$":
		i := int(r.eval(target.args[0]).n)
		switch {
		case i == 0 && r.split != nil:
			r.fields = append([]string{text}, r.split(text)...)
		case i > 0 && i < len(r.fields):
			r.fields[i] = text
			r.fields[0] = strings.Join(r.fields[1:], " ")
		default:
			r.failed = true
		}
	default:
		r.failed = true
	}
}
