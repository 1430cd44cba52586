package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "rewrite the golden files and docs/reference/cli.md")

// reference is the page that is made of the command tree.
var reference = filepath.Join("..", "..", "docs", "reference", "cli.md")

func TestReferenceIsTheCommandTree(t *testing.T) {
	got := referencePage(newRootCommand(&streams{}))
	if *update {
		if err := os.WriteFile(reference, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("docs/reference/cli.md is not up to date, run the test with -update (-page +commands):\n%s", diff)
	}
}

// referencePage writes the whole page.
func referencePage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# Commands\n\n" +
		"This page is made from the program itself: `go test ./cmd/sweepbot -run Reference -update`.\n\n" +
		root.Long + "\n\n")
	b.WriteString("## Exit codes\n\n| code | meaning |\n| --- | --- |\n")
	for _, row := range exitCodes {
		fmt.Fprintf(&b, "| %d | %s |\n", row.code, row.meaning)
	}
	b.WriteString("\n## Findings\n\n" + findingsText + "\n## Flags of every command\n\n")
	b.WriteString(indented(strings.TrimRight(root.PersistentFlags().FlagUsages(), "\n")) + "\n")
	for _, c := range allCommands(root) {
		b.WriteString(commandSection(c))
	}
	return b.String()
}

var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "done; the input is accepted"},
	{exitRefused, "the input is refused; the findings say why"},
	{exitUsage, "the command line is wrong"},
	{exitOutside, "something outside failed: git, a file, the network"},
	{exitUnsafe, "refused for safety"},
}

const findingsText = "Findings go to standard error, one line each, then the line they are about and how to mend it:\n\n" +
	"    file:line:column: message [code]\n\n" +
	"The code is stable. Warnings and remarks have their word before the message and do not change the exit code. What comes\n" +
	"from a repository is made printable first: control characters are shown as escapes. In JSON a finding has the members\n" +
	"code, category, severity, file, line, column, path, message, mend and related, all of them always.\n"

// allCommands returns the commands of a tree, each before those below it.
func allCommands(c *cobra.Command) []*cobra.Command {
	var out []*cobra.Command
	for _, below := range c.Commands() {
		if below.Hidden || below.Name() == "help" || below.Name() == "completion" {
			continue
		}
		out = append(append(out, below), allCommands(below)...)
	}
	return out
}

func commandSection(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s.\n", c.CommandPath(), c.Short)
	if c.Long != "" && c.Long != c.Short {
		long := strings.TrimPrefix(c.Long, c.Short+".\n\n")
		if strings.Contains(long, "\n  ") {
			long = indented(long)
		}
		b.WriteString("\n" + long + "\n")
	}
	if c.Runnable() && !c.HasSubCommands() {
		fmt.Fprintf(&b, "\n```\n%s\n```\n", c.UseLine())
	}
	if c.Example != "" {
		b.WriteString("\nExamples:\n\n```sh\n" + unindent(c.Example) + "\n```\n")
	}
	if usages := flagUsages(c); usages != "" && !c.DisableFlagParsing {
		b.WriteString("\nFlags:\n\n" + indented(usages) + "\n")
	}
	return b.String()
}

// flagUsages lists the flags of a command, without that of its help.
func flagUsages(c *cobra.Command) string {
	var kept []string
	for line := range strings.Lines(c.LocalNonPersistentFlags().FlagUsages()) {
		if line = strings.TrimRight(line, "\n"); !strings.Contains(line, "--help ") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// indented turns a help text that holds indented lines into a block that keeps
// them.
func indented(text string) string { return "```\n" + text + "\n```" }

func unindent(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimPrefix(lines[i], "  ")
	}
	return strings.Join(lines, "\n")
}

// Every command says in its help what it is for and how it is called.
func TestEveryCommandHasHelp(t *testing.T) {
	for _, c := range allCommands(newRootCommand(&streams{})) {
		if c.Short == "" || c.Example == "" {
			t.Errorf("%s has no short text or no example", c.CommandPath())
		}
		if strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: the short text ends with a stop", c.CommandPath())
		}
		for line := range strings.Lines(c.Long + "\n" + c.Example) {
			if len(strings.TrimRight(line, "\n")) > 110 && !c.DisableFlagParsing {
				t.Errorf("%s: a line of the help is longer than 110: %q", c.CommandPath(), line)
			}
		}
	}
}
