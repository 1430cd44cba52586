package shell

import (
	"slices"
	"strings"
)

// modelPaste joins the lines of its input (-s) with delimiters; other forms
// are not computed.
func modelPaste(c *Call) Result {
	args, ok := c.words()
	if !ok {
		return unsupported(c, "options")
	}
	delim, serial := "\t", false
	var files []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if len(a) < 2 || a[0] != '-' {
			files = append(files, a)
			continue
		}
		for j := 1; j < len(a); j++ {
			if a[j] == 's' {
				serial = true
				continue
			}
			if a[j] != 'd' {
				return unsupported(c, a)
			}
			if delim = a[j+1:]; delim == "" && i+1 < len(args) {
				i++
				delim = args[i]
			}
			break
		}
	}
	if !serial || len(files) > 1 {
		return unsupported(c, "without -s")
	}
	marks := []rune(ansiQuoted(delim))
	return done(c.Apply(c.input(files), func(s string) string {
		c.Step(1 + len(s)/8)
		var b strings.Builder
		for i, line := range lines(s) {
			if i > 0 && len(marks) > 0 {
				b.WriteRune(marks[(i-1)%len(marks)])
			}
			b.WriteString(line)
		}
		return b.String() + "\n"
	}))
}

// modelRev turns every line around.
func modelRev(c *Call) Result {
	args, _ := c.words()
	return done(c.Apply(c.input(args), func(s string) string {
		list := lines(s)
		for i, line := range list {
			r := []rune(line)
			slices.Reverse(r)
			list[i] = string(r)
		}
		return unlines(list)
	}))
}
