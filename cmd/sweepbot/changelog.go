package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
)

func newChangelogCommand(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "changelog",
		Short: "Check, mend and write the performance changelog",
		Long: "Changelog works on perf-changelog.yaml, to which every change of a benchmark appends an entry.\n" +
			"What is already there never changes: new entries stand at the end, after one empty line.",
		Example: "  sweepbot changelog check\n" +
			"  sweepbot changelog add --config-key dsr1-fp4-b200-sglang --description 'Raise the image to v0.5.13'\n" +
			"  sweepbot changelog fix --write",
	}
	return group(c, newChangelogCheckCommand(s), newChangelogFixCommand(s), newChangelogAddCommand(s),
		newChangelogResolveCommand(s), newChangelogCanonicalizeCommand(s))
}

// editFlags say which changelog a command changes.
type editFlags struct {
	changeFlags
	repository string
	write      bool
}

// add registers the flags of a command that compares with a base and prints a
// diff.
func (f *editFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.repo, "repo", ".", "`DIR` of a clone with a working tree, or of a plain folder")
	c.Flags().StringVar(&f.base, "base", "", "`REV` before the change (default: where the branch left its base branch)")
	c.Flags().StringVar(&f.repository, "repository", "", "`OWNER/NAME` of the links, instead of that of the settings")
	c.Flags().BoolVar(&f.write, "write", false, "write the file instead of only showing the difference")
	f.presetFlag(c)
	f.number(c)
}

func (f *editFlags) request() bot.EditRequest {
	return bot.EditRequest{Dir: f.repo, Base: f.base, Preset: f.preset, Repository: f.repository, PR: f.pr}
}

// editor is a function that makes an edit.
type editor func(context.Context, bot.EditRequest) (bot.ChangelogEdit, error)

// run makes an edit, shows it, and writes it if that is asked for.
func (f *editFlags) run(ctx context.Context, s *streams, edit editor) error {
	if err := f.check(); err != nil {
		return err
	}
	e, err := edit(ctx, f.request())
	if e.Tree != nil {
		defer e.Tree.Close()
	}
	if err != nil {
		return s.refuse(findingsOf(err), e.Sources.File)
	}
	s.say(asRemarks(e.Mended), e.Sources.File)
	return s.finishEdit(e, f.write)
}

// asRemarks are findings that refuse nothing, because they are mended.
func asRemarks(list diag.List) diag.List {
	out := make(diag.List, len(list))
	for i, f := range list {
		out[i] = f.WithSeverity(diag.Note)
	}
	return out
}

// finishEdit shows the difference and writes the file.
func (s *streams) finishEdit(e bot.ChangelogEdit, write bool) error {
	style := s.table()
	if !e.Changed() {
		_, err := io.WriteString(s.out, bot.SayEdit("cli.edit-nothing", e, style)+"\n")
		return err
	}
	if err := s.diff(e.Diff()); err != nil {
		return err
	}
	if !write {
		_, err := io.WriteString(s.err, bot.SayEdit("cli.edit-shown", e, style)+"\n")
		return err
	}
	if err := e.Write(); err != nil {
		return err
	}
	_, err := io.WriteString(s.err, bot.SayEdit("cli.edit-written", e, style)+"\n")
	return err
}

// diff writes a unified diff: exact where it is redirected, printable and in
// colours where somebody looks.
func (s *streams) diff(text string) error {
	if !watched(s.out) {
		_, err := io.WriteString(s.out, text)
		return err
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(s.diffLine(diag.Printable(strings.TrimSuffix(line, "\n"))) + "\n")
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}

func (s *streams) diffLine(line string) string {
	color := map[byte]string{'+': "32", '-': "31", '@': "36"}[(line + " ")[0]]
	if color == "" || !s.colors(s.out) {
		return line
	}
	return "\x1b[" + color + "m" + line + "\x1b[0m"
}
