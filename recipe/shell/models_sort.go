package shell

import (
	"sort"
	"strconv"
	"strings"
)

func modelWc(c *Call) Result {
	args, ok := c.words()
	if !ok || len(args) == 0 || len(args[0]) != 2 || args[0][0] != '-' {
		return unsupported(c, "options")
	}
	in := c.input(args[1:])
	tail := ""
	if len(args) == 2 {
		tail = " " + args[1]
	}
	if !in.IsKnown() {
		return done(c.m.number(ReasonDerived, "wc"))
	}
	return done(c.Apply(in, func(s string) string {
		n := len(s)
		switch args[0] {
		case "-l":
			n = strings.Count(s, "\n")
		case "-w":
			n = len(strings.Fields(s))
		case "-m":
			n = len([]rune(s))
		}
		return strconv.Itoa(n) + tail + "\n"
	}))
}

func modelSort(c *Call) Result {
	args, ok := c.words()
	if !ok {
		return unsupported(c, "options")
	}
	var numeric, reverse, unique bool
	var files []string
	for _, a := range args {
		if len(a) < 2 || a[0] != '-' {
			files = append(files, a)
			continue
		}
		if strings.Trim(a[1:], "nru") != "" {
			return unsupported(c, a)
		}
		numeric = numeric || strings.Contains(a, "n")
		reverse = reverse || strings.Contains(a, "r")
		unique = unique || strings.Contains(a, "u")
	}
	return done(c.Apply(c.input(files), func(s string) string {
		c.Step(1 + len(s)/2)
		list := lines(s)
		less := func(a, b string) bool {
			if numeric {
				x, y := leadingNumber(a), leadingNumber(b)
				if x != y {
					return x < y
				}
			}
			return a < b
		}
		sort.SliceStable(list, func(i, j int) bool {
			if reverse {
				return less(list[j], list[i])
			}
			return less(list[i], list[j])
		})
		if unique {
			list = withoutRepeats(list)
		}
		return unlines(list)
	}))
}

func leadingNumber(s string) float64 {
	s = strings.TrimLeft(s, " \t")
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.' || n == 0 && s[n] == '-') {
		n++
	}
	f, _ := strconv.ParseFloat(s[:n], 64)
	return f
}

func withoutRepeats(list []string) []string {
	out := list[:0]
	for i, s := range list {
		if i == 0 || s != list[i-1] {
			out = append(out, s)
		}
	}
	return out
}

func modelUniq(c *Call) Result {
	args, ok := c.words()
	if !ok || len(args) > 0 {
		return unsupported(c, "options")
	}
	return done(c.Apply(c.input(nil), func(s string) string {
		list := lines(s)
		out := make([]string, 0, len(list))
		for i, l := range list {
			if i == 0 || l != list[i-1] {
				out = append(out, l)
			}
		}
		return unlines(out)
	}))
}
