package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// group makes a command of one that only holds others: by itself it shows its
// help, and a name that it does not know is answered with those that resemble
// it.
func group(c *cobra.Command, below ...*cobra.Command) *cobra.Command {
	c.SuggestionsMinimumDistance = 2
	c.Args = func(c *cobra.Command, names []string) error {
		if len(names) == 0 {
			return nil
		}
		return unknownCommand(c, names[0])
	}
	c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
	c.AddCommand(below...)
	return c
}

// arguments takes exactly n words besides flags.
func arguments(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, words []string) error {
		if len(words) == n {
			return nil
		}
		return usage("cli.arguments", "want", strconv.Itoa(n), "got", strconv.Itoa(len(words)), "use", c.UseLine())
	}
}

func unknownCommand(c *cobra.Command, name string) error {
	near := c.SuggestionsFor(name)
	if len(near) == 0 {
		return usage("cli.unknown-command", "name", name, "command", c.CommandPath())
	}
	return usage("cli.unknown-command-near", "name", name, "command", c.CommandPath(), "near", strings.Join(near, ", "))
}

// strayName returns the word of a command line that was meant as the name of a
// command below c, "" when there is none: flags behind it are complained about
// first, and that would mislead.
func strayName(c *cobra.Command, words []string) string {
	if !c.HasSubCommands() {
		return ""
	}
	path := strings.Fields(c.CommandPath())[1:]
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "--lang":
			i++
		case strings.HasPrefix(word, "-"):
		case len(path) > 0 && slices.Contains(append(c.Aliases, path[0]), word):
			path = path[1:]
		default:
			return word
		}
	}
	return ""
}
