package python

import (
	"errors"
	"strings"
)

// kind is the kind of a token.
type kind uint8

const (
	name kind = iota
	number
	str
	op
	newline
	indent
	dedent
	end
)

// token is one token; text is its source, for strings the content.
type token struct {
	kind   kind
	text   string
	prefix string // of a string, lower case
}

// errUnsupported ends the reading of a program that is beyond this package.
var errUnsupported = errors.New("not supported")

// operators, longest first.
var operators = []string{"**=", "//=", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "//", "**", "->", ":=", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "+", "-", "*", "/", "%", "<", ">", ";"}

// scan splits a program into tokens.
func scan(src string) ([]token, error) {
	s := &scanner{src: strings.ReplaceAll(src, "\r\n", "\n"), indents: []int{0}, start: true}
	for s.at < len(s.src) {
		if err := s.next(); err != nil {
			return nil, err
		}
		if len(s.out) > maxTokens {
			return nil, errUnsupported
		}
	}
	if n := len(s.out); n > 0 && s.out[n-1].kind != newline {
		s.add(newline, "")
	}
	for len(s.indents) > 1 {
		s.indents = s.indents[:len(s.indents)-1]
		s.add(dedent, "")
	}
	s.add(end, "")
	return s.out, nil
}

const maxTokens = 20_000

type scanner struct {
	src     string
	at      int
	out     []token
	indents []int
	open    int  // brackets
	start   bool // of a line
}

func (s *scanner) add(k kind, text string) { s.out = append(s.out, token{kind: k, text: text}) }

func (s *scanner) next() error {
	if s.start && s.open == 0 {
		s.start = false
		return s.margin()
	}
	c := s.src[s.at]
	switch {
	case c == '\n':
		s.at++
		if s.open == 0 {
			if n := len(s.out); n > 0 && s.out[n-1].kind != newline && s.out[n-1].kind != indent && s.out[n-1].kind != dedent {
				s.add(newline, "")
			}
			s.start = true
		}
	case c == ' ' || c == '\t':
		s.at++
	case c == '\\' && s.at+1 < len(s.src) && s.src[s.at+1] == '\n':
		s.at += 2
	case c == '#':
		for s.at < len(s.src) && s.src[s.at] != '\n' {
			s.at++
		}
	case isDigit(c) || c == '.' && s.at+1 < len(s.src) && isDigit(s.src[s.at+1]):
		from := s.at
		for s.at < len(s.src) && (isLetter(s.src[s.at]) || isDigit(s.src[s.at]) || s.src[s.at] == '.' ||
			(s.src[s.at] == '-' || s.src[s.at] == '+') && s.at > from && (s.src[s.at-1] == 'e' || s.src[s.at-1] == 'E')) {
			s.at++
		}
		s.add(number, s.src[from:s.at])
	case isLetter(c) || c == '"' || c == '\'':
		return s.wordOrString()
	default:
		return s.operator()
	}
	return nil
}

// margin reads the blanks in front of a line.
func (s *scanner) margin() error {
	from := s.at
	for s.at < len(s.src) && (s.src[s.at] == ' ' || s.src[s.at] == '\t') {
		s.at++
	}
	if s.at == len(s.src) || s.src[s.at] == '\n' || s.src[s.at] == '#' {
		return nil
	}
	width := s.at - from
	switch top := s.indents[len(s.indents)-1]; {
	case width > top:
		s.indents = append(s.indents, width)
		s.add(indent, "")
	case width < top:
		for len(s.indents) > 1 && s.indents[len(s.indents)-1] > width {
			s.indents = s.indents[:len(s.indents)-1]
			s.add(dedent, "")
		}
		if s.indents[len(s.indents)-1] != width {
			return errUnsupported
		}
	}
	return nil
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (s *scanner) wordOrString() error {
	from := s.at
	for s.at < len(s.src) && (isLetter(s.src[s.at]) || isDigit(s.src[s.at])) {
		s.at++
	}
	word := s.src[from:s.at]
	if s.at < len(s.src) && (s.src[s.at] == '"' || s.src[s.at] == '\'') && len(word) <= 2 && strings.Trim(strings.ToLower(word), "rfbu") == "" {
		return s.text(strings.ToLower(word))
	}
	s.add(name, word)
	return nil
}

// text reads a string literal. Escapes are resolved unless it is raw.
func (s *scanner) text(prefix string) error {
	quote := s.src[s.at : s.at+1]
	if strings.HasPrefix(s.src[s.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	s.at += len(quote)
	raw := strings.Contains(prefix, "r")
	var b strings.Builder
	for {
		switch {
		case s.at >= len(s.src) || len(quote) == 1 && s.src[s.at] == '\n':
			return errUnsupported
		case strings.HasPrefix(s.src[s.at:], quote):
			s.at += len(quote)
			s.out = append(s.out, token{kind: str, text: b.String(), prefix: prefix})
			return nil
		case s.src[s.at] == '\\' && s.at+1 < len(s.src) && !raw:
			b.WriteString(escape(s.src[s.at+1]))
			s.at += 2
		default:
			b.WriteByte(s.src[s.at])
			s.at++
		}
	}
}

func escape(c byte) string {
	switch c {
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case '\n':
		return ""
	case '\\', '\'', '"':
		return string(c)
	}
	return "\\" + string(c)
}

func (s *scanner) operator() error {
	for _, o := range operators {
		if !strings.HasPrefix(s.src[s.at:], o) {
			continue
		}
		switch o {
		case "(", "[", "{":
			s.open++
		case ")", "]", "}":
			s.open = max(s.open-1, 0)
		}
		s.at += len(o)
		s.add(op, o)
		return nil
	}
	return errUnsupported
}
