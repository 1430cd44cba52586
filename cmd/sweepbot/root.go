// Command sweepbot plans, checks and explains benchmark sweeps from the
// command line. Each command has a file of its own and no logic: it reads
// flags, calls a room below, and prints.
package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// streams are the three files of a process, and how to speak to its user.
// Commands read and write nothing else, so that a test can run them in its own
// process.
type streams struct {
	in       io.Reader
	out, err io.Writer

	// lang is the language of findings and summaries; plain forbids colours.
	// Both are set before a command runs.
	lang  catalog.Language
	plain bool
}

// say prints findings on standard error. source gives the bytes of a file for
// excerpts; it may be nil.
func (s *streams) say(list diag.List, source func(file string) []byte) {
	_ = diag.WriteText(s.err, list, s.text(source))
}

// text returns the style of findings on standard error.
func (s *streams) text(source func(file string) []byte) diag.TextStyle {
	return diag.TextStyle{Language: s.lang, Color: s.colors(s.err), Source: source}
}

// refuse prints findings and returns the error that ends a command with the
// code they stand for.
func (s *streams) refuse(list diag.List, source func(file string) []byte) error {
	s.say(list, source)
	return &exitError{code: codeOf(list)}
}

// newRootCommand returns the command tree.
func newRootCommand(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "sweepbot",
		Short: "Plan, check and explain benchmark sweeps",
		Long: "sweepbot turns the configs and the changelog of a benchmark repository into the sweep that a\n" +
			"change asks for, says what is wrong with them and on which line, and explains every point.\n\n" +
			"It reads a clone or a plain folder and needs no account and no network. Only sweep --local\n" +
			"and try execute what they read: the launchers, since you ask for it. Findings go to standard\n" +
			"error, results to standard output.",
		Example: "  sweepbot plan                          # what would this branch run?\n" +
			"  sweepbot validate                      # every problem of configs and changelog\n" +
			"  sweepbot explain dsr1-fp4-b200-sglang  # why does this config run, or not?",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	group(root)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	addGlobalFlags(root, s)
	addCommands(root, s)
	return root
}

// addCommands registers every command, in the order of the help.
func addCommands(root *cobra.Command, s *streams) {
	for _, group := range commandGroups(s) {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.id
			root.AddCommand(c)
		}
	}
	root.AddCommand(newActionsCommand(s)) // hidden: the workflows call it
}

// commandGroup is one section of the help.
type commandGroup struct {
	id, title string
	commands  []*cobra.Command
}

func commandGroups(s *streams) []commandGroup {
	return []commandGroup{
		{"sweep", "Sweeps:", []*cobra.Command{newPlanCommand(s), newValidateCommand(s), newExplainCommand(s), newMatrixCommand(s),
			newSweepCommand(s), newRecipeCommand(s), newStaleCommand(s)}},
		{"results", "Results:", []*cobra.Command{newCollectCommand(s), newReportCommand(s), newCompareCommand(s), newParetoCommand(s)}},
		{"files", "Files:", []*cobra.Command{newChangelogCommand(s), newConfigCommand(s)}},
		{"signoff", "Sign-off:", []*cobra.Command{newSignoffCommand(s)}},
		{"live", "Live:", []*cobra.Command{newTryCommand(s), newServeCommand(s), newEventCommand(s)}},
		{"other", "This program:", []*cobra.Command{newVersionCommand(s)}},
	}
}

// langFlag is the value of --lang.
type langFlag struct{ lang *catalog.Language }

// String returns the language, as help shows it.
func (f langFlag) String() string {
	if f.lang == nil {
		return ""
	}
	return string(*f.lang)
}

// Type returns the word that help shows for the value.
func (f langFlag) Type() string { return "LANG" }

// Set reads a language.
func (f langFlag) Set(text string) error {
	switch lang := catalog.Language(text); lang {
	case catalog.English, catalog.Chinese:
		*f.lang = lang
		return nil
	}
	return usage("usage.bad-choice", "value", text, "option", "--lang", "choices", "en, zh")
}

func addGlobalFlags(root *cobra.Command, s *streams) {
	if s.lang == "" {
		s.lang = catalog.English
	}
	root.PersistentFlags().Var(langFlag{&s.lang}, "lang", "language of findings and summaries: en, zh")
	root.PersistentFlags().BoolVar(&s.plain, "no-color", s.plain, "never use colors (they are used on a terminal only)")
}
