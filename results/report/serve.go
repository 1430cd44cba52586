package report

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/recipe"
)

// maxServe bounds the commands that are kept of one point, maxWords the words
// and settings of one command.
const (
	maxServe = 32
	maxWords = 1000
)

// ServeOf are the commands that serve a point, from what its recipe would start:
// engines, routers and services, without the client. Equal neighbours of one
// role are one command with their number. Unknown parts stand in angle brackets.
func ServeOf(e *recipe.Effective) []Command {
	if e == nil {
		return nil
	}
	var out []Command
	for i := range e.Commands {
		if e.Commands[i].Role == recipe.RoleClient {
			continue
		}
		c := commandOf(&e.Commands[i])
		if n := len(out); n > 0 && out[n-1].Role == c.Role && out[n-1].Typed() == c.Typed() && slices.Equal(out[n-1].Config, c.Config) {
			out[n-1].Count += c.Count
			continue
		}
		if len(out) == maxServe {
			break
		}
		out = append(out, c)
	}
	return out
}

func commandOf(c *recipe.Command) Command {
	out := Command{Role: diag.Printable(c.Role), Count: max(c.Count, 1), Argv: words(nil, append(slices.Clone(c.Program), c.Positional...))}
	for _, f := range c.Flags {
		out.Argv = words(append(out.Argv, diag.Printable(f.Spelling)), f.Values)
	}
	out.Argv = out.Argv[:min(len(out.Argv), maxWords)]
	for _, t := range c.Program {
		if out.File == "" {
			out.File, out.Line = diag.Printable(t.Place.File), t.Place.Line
		}
	}
	for _, v := range c.Env {
		if recipe.ClassOfVar(v.Name) != recipe.Housekeeping && len(out.Env) < maxWords {
			out.Env = append(out.Env, Setting{diag.Printable(v.Name), diag.Printable(v.Value.String())})
		}
	}
	if c.Config == nil {
		return out
	}
	for _, f := range c.Config.Values[:min(len(c.Config.Values), maxWords)] {
		out.Config = append(out.Config, Setting{diag.Printable(f.Spelling), strings.Join(words(nil, f.Values), " ")})
	}
	return out
}

// words adds texts to a list, never nil.
func words(out []string, texts []recipe.Text) []string {
	if out == nil {
		out = make([]string, 0, len(texts))
	}
	for _, t := range texts {
		out = append(out, diag.Printable(t.String()))
	}
	return out
}

// typedWidth is the width at which every flag gets a line of its own.
const typedWidth = 100

// Typed is the command as a person would type it: variables in front, then the
// program, then one flag a line where it is long.
func (c Command) Typed() string {
	var lines []string
	for _, v := range c.Env {
		lines = append(lines, v.Name+"="+quoted(v.Value))
	}
	for i, word := range c.Argv {
		if i > 0 && !isFlag(word) {
			lines[len(lines)-1] += " " + quoted(word)
			continue
		}
		lines = append(lines, quoted(word))
	}
	if short := strings.Join(lines, " "); len(short) <= typedWidth {
		return short
	}
	return strings.Join(lines, " \\\n  ")
}

// isFlag tells a flag from a value such as -1.
func isFlag(word string) bool {
	return len(word) > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9')
}

// quoted is a text as one word of a shell.
func quoted(text string) string {
	if text != "" && strings.Trim(text, shellPlain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// shellPlain are the characters that a shell takes as they are.
const shellPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_+=:,./-"
