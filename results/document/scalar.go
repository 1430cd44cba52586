package document

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// text reads a string. Half surrogates and bytes that are no UTF-8 are refused:
// readers disagree about them.
func (p *parser) text() (string, error) {
	p.at++
	start := p.at
	for p.at < len(p.data) {
		switch c := p.data[p.at]; {
		case c == '"':
			plain := p.data[start:p.at]
			if !utf8.Valid(plain) {
				return "", p.fault(FaultEncoding, "the text before is not UTF-8")
			}
			p.at++
			return string(plain), nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.fault(FaultSyntax, "a control character inside a text")
		}
		p.at++
	}
	return "", p.fault(FaultSyntax, "the document ends inside a text")
}

// escaped reads the rest of a text that has escapes.
func (p *parser) escaped(start int) (string, error) {
	var out strings.Builder
	out.Write(p.data[start:p.at])
	for p.at < len(p.data) {
		c := p.data[p.at]
		switch {
		case c == '"':
			p.at++
			if text := out.String(); utf8.ValidString(text) {
				return text, nil
			}
			return "", p.fault(FaultEncoding, "the text before is not UTF-8")
		case c < ' ':
			return "", p.fault(FaultSyntax, "a control character inside a text")
		case c != '\\':
			out.WriteByte(c)
			p.at++
		default:
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out.WriteRune(r)
		}
	}
	return "", p.fault(FaultSyntax, "the document ends inside a text")
}

const simpleEscapes = "\"\\/bfnrt"

func (p *parser) escape() (rune, error) {
	p.at++
	c := p.peek()
	if i := strings.IndexByte(simpleEscapes, c); i >= 0 && c != 0 {
		p.at++
		return rune("\"\\/\b\f\n\r\t"[i]), nil
	}
	if c != 'u' {
		return 0, p.fault(FaultSyntax, "an unknown escape")
	}
	high, err := p.unit()
	if err != nil || !utf16.IsSurrogate(high) {
		return high, err
	}
	if p.peek() == '\\' && p.at+1 < len(p.data) && p.data[p.at+1] == 'u' {
		p.at++
		low, err := p.unit()
		if err != nil {
			return 0, err
		}
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r, nil
		}
	}
	return 0, p.fault(FaultEncoding, "half a character")
}

// unit reads the four digits behind the u of an escape.
func (p *parser) unit() (rune, error) {
	if p.at+5 > len(p.data) {
		return 0, p.fault(FaultSyntax, "the document ends inside an escape")
	}
	digits := p.data[p.at+1 : p.at+5]
	var r rune
	for _, c := range digits {
		i := strings.IndexByte("0123456789abcdef", c|0x20)
		if i < 0 || c < '0' {
			return 0, p.fault(FaultSyntax, "an escape without four hexadecimal digits")
		}
		r = r<<4 | rune(i)
	}
	p.at += 5
	return r, nil
}

func (p *parser) number() (ordjson.Value, error) {
	start := p.at
	if p.peek() == '-' {
		p.at++
		if rest := p.data[p.at:]; len(rest) > 0 && rest[0] == 'I' {
			p.at = start
			if len(rest) >= 8 && string(rest[:8]) == "Infinity" {
				return p.nonFinite("-Infinity")
			}
		}
	}
	whole := p.digits()
	if whole == 0 || whole > 1 && p.data[p.at-whole] == '0' {
		return ordjson.Value{}, p.fault(FaultSyntax, "not a number")
	}
	fraction := false
	if p.peek() == '.' {
		fraction = true
		p.at++
		if p.digits() == 0 {
			return ordjson.Value{}, p.fault(FaultSyntax, "no digit after the point")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		fraction = true
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if p.digits() == 0 {
			return ordjson.Value{}, p.fault(FaultSyntax, "no digit in the exponent")
		}
	}
	return p.literal(string(p.data[start:p.at]), fraction)
}

func (p *parser) digits() int {
	start := p.at
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}

func (p *parser) literal(text string, fraction bool) (ordjson.Value, error) {
	if len(text) > maxDigits {
		return ordjson.Value{}, p.fault(FaultRange, "a number of %d characters", len(text))
	}
	if fraction && !p.opt.NonFinite {
		if f, _ := strconv.ParseFloat(text, 64); math.IsInf(f, 0) {
			return ordjson.Value{}, p.fault(FaultRange, "the number %s is too large", shorten(text))
		}
	}
	return ordjson.Value{Text: text}, nil
}
