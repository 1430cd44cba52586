package main

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/argv"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
)

func newMatrixCommand(s *streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "matrix",
		Short: "Print the rows that configs expand to",
		Long: "Matrix expands configs into rows without a changelog: all of them with filters (full), or the\n" +
			"configs of some keys (config). Options that take a list take several words.",
		Example: "  sweepbot matrix full --precision fp4 fp8 --single-node\n" +
			"  sweepbot matrix config --config-keys 'dsr1-*' --conc 4 8",
	}
	return group(c, newGeneratorCommand(s, generator{
		name: "full", command: matrix.CommandFullSweep, short: "Expand all configs, with filters",
		example: "  sweepbot matrix full --format reference > rows.json\n" +
			"  sweepbot matrix full --model-prefix dsr1 --seq-lens 8k1k --max-conc 64 --no-evals",
	}), newGeneratorCommand(s, generator{
		name: "config", command: matrix.CommandTestConfig, short: "Expand the configs of some keys",
		example: "  sweepbot matrix config --config-keys dsr1-fp4-b200-sglang\n" +
			"  sweepbot matrix config --config-keys 'glm5*-mi355x-*' --scenario-type agentic-coding --evals-only",
	}))
}

// generator describes one of the two commands that expand configs. Their flags
// take lists of words, which the flag library cannot read, so they read their
// own command line.
type generator struct {
	name, command, short, example string
}

// ownOptions are the options that say where configs are read and how rows are
// printed.
func ownOptions() []argv.Option {
	return []argv.Option{
		{Name: "repo", Kind: argv.Text, Doc: "DIR of a clone, or of a plain folder (.)"},
		{Name: "rev", Kind: argv.Text, Doc: "revision of a clone (HEAD)"},
		{Name: "preset", Kind: argv.Text, Choices: config.PresetNames(), Doc: "settings instead of those of the revision"},
		{Name: "config-files", Kind: argv.List, Doc: "master configs instead of those of the layout"},
		{Name: "runner-config", Kind: argv.Text, Doc: "runner file instead of that of the layout"},
		{Name: "format", Kind: argv.Text, Choices: []string{"reference", "table"}, Doc: "format of the rows: reference is a JSON array (table)"},
		{Name: "lang", Kind: argv.Text, Choices: []string{string(catalog.English), string(catalog.Chinese)}, Doc: "language of findings and summaries (en)"},
		{Name: "no-color", Doc: "never use colors (they are used on a terminal only)"},
		{Name: "help", Doc: "show this help"},
	}
}

// allSwitches lets a command line be read before the settings are known.
var allSwitches = config.Matrix{Smoke: true}

func newGeneratorCommand(s *streams, g generator) *cobra.Command {
	c := &cobra.Command{
		Use:                   g.name + " [options]",
		Short:                 g.short,
		Long:                  g.short + ".\n\nOptions (a * marks one that must be given):\n" + g.options(),
		Example:               g.example,
		DisableFlagParsing:    true,
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, words []string) error {
			return g.run(c.Context(), c, s, words)
		},
	}
	c.SetUsageTemplate("Usage:\n  {{.UseLine}}\n\nExamples:\n{{.Example}}\n")
	return c
}

// options lists the options of a generator command for its help.
func (g generator) options() string {
	var b strings.Builder
	for _, o := range append(matrix.RequestOptions(g.command, allSwitches), ownOptions()...) {
		b.WriteString(optionLine(o))
	}
	return strings.TrimRight(b.String(), "\n")
}

func optionLine(o argv.Option) string {
	name := "--" + o.Name
	switch o.Kind {
	case argv.Text:
		name += " WORD"
	case argv.Int:
		name += " N"
	case argv.List:
		name += " WORD..."
	case argv.IntList:
		name += " N..."
	}
	doc := o.Doc
	if len(o.Choices) > 0 {
		doc += " [" + strings.Join(o.Choices, ", ") + "]"
	}
	mark := " "
	if o.Required {
		mark = "*"
	}
	const width = 30
	return " " + mark + name + strings.Repeat(" ", max(1, width-len(name))) + doc + "\n"
}

func (g generator) run(ctx context.Context, c *cobra.Command, s *streams, words []string) error {
	if slices.Contains(words, "--help") || slices.Contains(words, "-h") {
		return c.Help()
	}
	own := ownOptions()
	a, list := argv.Parse(append(matrix.RequestOptions(g.command, allSwitches), own...), words)
	if a.Has("lang") {
		s.lang = catalog.Language(a.Text("lang", ""))
	}
	s.plain = s.plain || a.Has("no-color")
	if list.Refused() {
		return list
	}
	w, err := bot.OpenWorkspace(ctx, a.Text("repo", "."))
	if err != nil {
		return err
	}
	defer w.Close()
	files, settings, err := generatorInput(ctx, w, a)
	if err != nil {
		return err
	}
	if a, list = argv.Parse(append(matrix.RequestOptions(g.command, settings.Matrix), own...), words); list.Refused() {
		return list
	}
	request, list := matrix.NewRequest(g.command, a)
	if list.Refused() {
		return list
	}
	return s.rows(settings, files, request, a.Text("format", "table"))
}

// generatorInput returns the files of the revision, and the settings with the
// overrides of the command line.
func generatorInput(ctx context.Context, w *bot.Workspace, a argv.Args) (matrix.Files, config.Settings, error) {
	rev := a.Text("rev", "")
	if rev == "" && !w.IsFolder() {
		rev = "HEAD"
	}
	revision, err := w.Revision(ctx, rev)
	if err != nil {
		return nil, config.Settings{}, err
	}
	settings, _, err := bot.Settings(revision.Files, a.Text("preset", ""))
	if a.Has("config-files") {
		settings.Layout.Masters = a.List("config-files")
	}
	if a.Has("runner-config") {
		settings.Layout.Runners = a.Text("runner-config", "")
		settings.Layout.Probe = settings.Layout.Runners
	}
	return revision.Files, settings, err
}

// rows expands and prints.
func (s *streams) rows(settings config.Settings, files matrix.Files, request matrix.Request, format string) error {
	rows, list := matrix.Generate(settings, files, request)
	sources := bot.Sources{Base: files, Head: files, Layout: settings.Layout}
	if list = sources.Locate(list); list.Refused() {
		return s.refuse(list, sources.File)
	}
	s.say(list, sources.File)
	if format == "table" {
		return bot.RenderRows(s.out, rows, s.table())
	}
	if watched(s.out) {
		return matrix.WriteRows(printableWriter{s.out}, rows)
	}
	return matrix.WriteRows(s.out, rows)
}

// printableWriter makes JSON printable on its way to a terminal or a log. Every write
// holds whole characters.
type printableWriter struct{ w io.Writer }

// Write writes one part of a document.
func (p printableWriter) Write(part []byte) (int, error) {
	if _, err := p.w.Write(diag.PrintableJSON(part)); err != nil {
		return 0, err
	}
	return len(part), nil
}
