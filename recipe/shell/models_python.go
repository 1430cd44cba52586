package shell

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// printed is a program that prints one arithmetic expression.
var printed = pattern.Lazy(`^print\(([0-9+\-*/%(). ]+)\)$`)

// wholes are numbers joined by operators that keep whole numbers whole.
var wholes = pattern.Lazy(`^[0-9+\-*%() ]+$`)

// modelPython computes python3 -c "print(ARITHMETIC)"; everything else a
// program prints is unknown.
func modelPython(c *Call) Result {
	unknown := Result{Stdout: c.Unknown(ReasonOutput, programName(c.Argv[0]))}
	if len(c.Argv) != 3 {
		return unknown
	}
	if flag, ok := c.Argv[1].Known(); !ok || flag != "-c" {
		return unknown
	}
	return Result{Stdout: c.Apply(c.Argv[2], func(s string) string {
		return pythonArithmetic(strings.TrimSpace(s), c.Step)
	}), StatusKnown: true}.orUnknown(unknown)
}

// orUnknown takes the other result when the text could not be computed.
func (r Result) orUnknown(other Result) Result {
	for _, s := range r.Stdout.segs {
		if s.Unknown == nil && s.Text != "" {
			return r
		}
		if s.Unknown != nil && len(s.Unknown.Alternatives) > 0 {
			for _, a := range s.Unknown.Alternatives {
				if len(a.segs) == 0 {
					return other
				}
			}
			return r
		}
	}
	return other
}

// pythonArithmetic returns what print(expression) prints, "" when it is not
// plain arithmetic.
func pythonArithmetic(s string, step func(int)) string {
	m := printed().FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	floor := strings.Contains(m[1], "//")
	if floor && strings.Count(m[1], "/") != 2 {
		return ""
	}
	n, ok := calculate(strings.ReplaceAll(m[1], "//", "/"), step)
	if !ok {
		return ""
	}
	if floor {
		if i := strings.Index(m[1], "//"); strings.ContainsAny(m[1][i+2:], "+-*%") || strings.ContainsAny(m[1][:i], "+-%") && !strings.Contains(m[1][:i], ")") {
			return ""
		}
		if n < 0 && n != float64(int64(n)) {
			n--
		}
		return strconv.FormatInt(int64(n), 10) + "\n"
	}
	if wholes().MatchString(m[1]) && n == float64(int64(n)) {
		return strconv.FormatInt(int64(n), 10) + "\n"
	}
	text := strconv.FormatFloat(n, 'g', -1, 64)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text + "\n"
}
