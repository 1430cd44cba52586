package launch

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/recipe/python"
	"github.com/sweepbot/sweepbot/recipe/shell"
)

// pythonModel computes what an embedded Python program prints: the text of -c,
// or what is given on standard input. Anything else is left to the model below
// it.
func pythonModel(below shell.Model) shell.Model {
	return func(c *shell.Call) shell.Result {
		source, args, ok := program(c)
		if !ok {
			return below(c)
		}
		w := python.World{Args: args, Open: opener(c), Lookup: lookup(c)}
		if c.HasStdin {
			w.Stdin, _ = c.Stdin.Known()
		}
		out, status, err := python.Run(source, w)
		if err != nil {
			return below(c)
		}
		return shell.Result{Stdout: shell.Text(out, c.Origin), Status: status, StatusKnown: true}
	}
}

// program is the text of a program and its arguments.
func program(c *shell.Call) (source string, args []string, ok bool) {
	words := c.Argv[1:]
	for len(words) > 0 && (known(words[0]) == "-u" || known(words[0]) == "-s") {
		words = words[1:]
	}
	rest := words
	switch {
	case len(words) > 1 && known(words[0]) == "-c":
		source, ok = words[1].Known()
		rest = words[2:]
	case c.HasStdin && (len(words) == 0 || known(words[0]) == "-"):
		source, ok = c.Stdin.Known()
		rest = words[min(1, len(words)):]
	}
	for _, w := range rest {
		text, known := w.Known()
		if !known {
			return "", nil, false
		}
		args = append(args, text)
	}
	return source, args, ok && strings.TrimSpace(source) != ""
}

// opener reads files for a program.
func opener(c *shell.Call) func(string) (string, bool) {
	return func(path string) (string, bool) { return c.ReadFile(shell.Text(path, c.Origin)).Known() }
}

// lookup reads the environment for a program.
func lookup(c *shell.Call) func(string) (string, bool, bool) {
	return func(name string) (value string, set, known bool) {
		v, ok := c.Lookup(name)
		if !ok {
			return "", false, true
		}
		value, known = v.Known()
		return value, true, known
	}
}

// makeTemp models mktemp: the file that a script writes there is found again
// when it is read. The name stands for one that the machine chooses.
func makeTemp(c *shell.Call) shell.Result {
	name := "/tmp/made-by-line-" + strconv.Itoa(c.Origin.Line)
	return shell.Result{Stdout: shell.Text(name+"\n", c.Origin), StatusKnown: true}
}
