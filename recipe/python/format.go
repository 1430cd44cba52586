package python

import "strings"

// strings reads adjacent string literals as one.
func (p *parser) strings(first token) expr {
	parts := p.format(first)
	for p.peek().kind == str {
		parts = append(parts, p.format(p.take())...)
	}
	if len(parts) == 1 {
		if c, ok := parts[0].(constant); ok {
			return c
		}
	}
	return formatted{parts}
}

// format splits a string with replacement fields.
func (p *parser) format(t token) []expr {
	if strings.Contains(t.prefix, "b") {
		p.fail()
	}
	if !strings.Contains(t.prefix, "f") {
		return []expr{constant{t.text}}
	}
	var parts []expr
	rest := t.text
	for {
		at := strings.IndexAny(rest, "{}")
		if at < 0 {
			return append(parts, constant{rest})
		}
		parts = append(parts, constant{rest[:at]})
		if at+1 < len(rest) && rest[at+1] == rest[at] {
			parts = append(parts, constant{rest[at : at+1]})
			rest = rest[at+2:]
			continue
		}
		if rest[at] == '}' {
			p.fail()
		}
		field, after := p.field(rest[at+1:])
		parts = append(parts, field)
		rest = after
	}
}

// field reads one replacement field up to its closing brace.
func (p *parser) field(text string) (expr, string) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case (c == ')' || c == ']') || c == '}' && depth > 0:
			depth--
		case c == '}':
			return p.fieldOf(text[:i]), text[i+1:]
		}
	}
	p.fail()
	return nil, ""
}

func (p *parser) fieldOf(text string) expr {
	s := spec{}
	if head, ok := strings.CutSuffix(text, "!r"); ok {
		s.repr, text = true, head
	}
	if at := formatAt(text); at >= 0 {
		s.format, text = text[at+1:], text[:at]
	}
	body, err := parse(strings.TrimSpace(text) + "\n")
	if err != nil || len(body) != 1 {
		p.fail()
	}
	b, ok := body[0].(bare)
	if !ok {
		p.fail()
	}
	s.x = b.x
	return s
}

// formatAt is where the format of a field begins: at a colon outside of
// brackets and quotes.
func formatAt(text string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		case c == ':' && depth == 0:
			return i
		}
	}
	return -1
}
