package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/collect"
	"github.com/sweepbot/sweepbot/app/ghapi"
	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
)

// collectFlags are the flags of the collect command.
type collectFlags struct {
	run           int64
	repo, api     string
	out           string
	parallel      int
	asJSON, asCSV bool
}

func newCollectCommand(s *streams) *cobra.Command {
	f := &collectFlags{}
	c := &cobra.Command{
		Use:   "collect DIR | collect --run ID",
		Short: "Print the results of a sweep as a table",
		Long: "Collect reads the artifacts below a folder, as a download of an Actions run or a local sweep leaves\n" +
			"them, and prints throughput per GPU, time to first token and end-to-end latency by point. With the\n" +
			"plan beside them (plan.json) it also counts what failed and what is missing.\n\n" +
			"With --run it first downloads the results of a run: of every name the newest upload, whatever\n" +
			"attempt it is of. An interrupted download goes on where it was. The token is GITHUB_TOKEN.\n\n" +
			"Artifacts are untrusted: links are not followed, sizes are bounded, and every value that cannot be\n" +
			"(NaN, infinite, negative, missing identity) is refused by name.\n\n" +
			"Exit codes: 0 everything is there and usable, 1 something is refused, failed or missing, or there is\n" +
			"nothing at all; 2 wrong command line; 3 the folder cannot be read, or GitHub cannot be reached.",
		Example: "  sweepbot collect .sweepbot/sweep-1\n" +
			"  sweepbot collect --run 123456 -R acme/bench --out run-123456\n" +
			"  gh run download 123456 --dir artifacts && sweepbot collect artifacts --csv > rows.csv",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.collect(c.Context(), s, args) },
	}
	flags := c.Flags()
	flags.Int64Var(&f.run, "run", 0, "download the results of this run first, by `ID`")
	flags.StringVarP(&f.repo, "repo", "R", "", "repository of the run as `OWNER/NAME` (default: GITHUB_REPOSITORY)")
	flags.StringVar(&f.api, "api-url", "", "`URL` of the API (default: GITHUB_API_URL, or that of github.com)")
	flags.StringVarP(&f.out, "out", "o", "", "`DIR` to download to (default: .sweepbot/run-ID)")
	flags.IntVar(&f.parallel, "parallel", 8, "`N` downloads side by side")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON document")
	flags.BoolVar(&f.asCSV, "csv", false, "print comma-separated values")
	c.MarkFlagsMutuallyExclusive("json", "csv")
	return c
}

func (f *collectFlags) collect(ctx context.Context, s *streams, args []string) error {
	switch {
	case f.run == 0 && len(args) == 0:
		return usage("usage.missing-option", "option", "--run")
	case f.run != 0 && len(args) > 0:
		return usage("usage.bad-choice", "option", "--run", "value", args[0], "choices", "DIR, --run ID")
	case f.run < 0:
		return usage("usage.bad-choice", "option", "--run", "value", strconv.FormatInt(f.run, 10), "choices", "1, 2, 3 ...")
	case f.parallel < 1 || f.parallel > maxParallel:
		return usage("usage.bad-choice", "option", "--parallel", "value", strconv.Itoa(f.parallel), "choices", "1 ... "+strconv.Itoa(maxParallel))
	}
	if f.run > 0 {
		dir, err := f.download(ctx, s)
		if err != nil {
			return err
		}
		return f.print(ctx, s, dir)
	}
	if _, err := os.Stat(filepath.Join(args[0], "collection.json")); err == nil {
		return f.print(ctx, s, args[0])
	}
	table, err := localrun.Collect(args[0], nil)
	if err != nil {
		return err
	}
	return s.collected(table, f.asJSON, f.asCSV)
}

// maxParallel bounds --parallel.
const maxParallel = 64

// download brings the run onto this machine and says so.
func (f *collectFlags) download(ctx context.Context, s *streams) (dir string, err error) {
	client, err := ghapi.New(ctx, ghapi.Options{Token: os.Getenv("GITHUB_TOKEN"), BaseURL: orElse(f.api, os.Getenv("GITHUB_API_URL"))})
	if err != nil {
		return "", err
	}
	repo := orElse(f.repo, os.Getenv("GITHUB_REPOSITORY"))
	owner, name, ok := strings.Cut(repo, "/")
	if !ok || owner == "" || name == "" || strings.Contains(name, "/") {
		return "", usage("usage.bad-choice", "option", "--repo", "value", repo, "choices", "OWNER/NAME")
	}
	if f.out == "" {
		f.out = filepath.Join(".sweepbot", "run-"+strconv.FormatInt(f.run, 10))
	}
	progress, list, err := collect.Download(ctx, client.Repository(owner, name), collect.Options{
		Repository: repo, Run: f.run, Dir: f.out, Parallel: f.parallel, Progress: s.downloading(),
	})
	if err != nil {
		return "", err
	}
	s.say(list, nil)
	text := catalog.Message(s.lang, "collect.downloaded", "done", strconv.Itoa(progress.Done-len(list)),
		"new", strconv.Itoa(progress.Done-progress.Kept-len(list)), "size", megabytes(progress.Bytes), "kept", strconv.Itoa(progress.Kept))
	_, err = fmt.Fprintf(s.err, "%s: %s\n", diag.Printable(f.out), text)
	return f.out, err
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func megabytes(n int64) string { return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB" }

// downloading shows how a download goes: on a terminal one line that is
// redrawn, elsewhere a line for every tenth of it.
func (s *streams) downloading() func(collect.Progress) {
	onTerminal, shown := terminal(s.err) != nil, 0
	return func(p collect.Progress) {
		text := catalog.Message(s.lang, "collect.progress", "done", strconv.Itoa(p.Done), "total", strconv.Itoa(p.Total), "size", megabytes(p.Bytes))
		switch tenth := 10 * p.Done / p.Total; {
		case onTerminal:
			fmt.Fprintf(s.err, "\r\x1b[K%s", text)
			if p.Done == p.Total {
				fmt.Fprintln(s.err)
			}
		case tenth > shown && p.Total >= 100:
			shown = tenth
			fmt.Fprintln(s.err, text)
		}
	}
}

// print prints what a download holds.
func (f *collectFlags) print(ctx context.Context, s *streams, dir string) error {
	r, err := collect.Load(ctx, dir, results.Newest(), recordOnly)
	if err != nil {
		return err
	}
	switch {
	case f.asJSON:
		err = r.WriteJSON(s.out)
	case f.asCSV:
		err = r.WriteCSV(s.out)
	default:
		if err = r.WriteTable(s.out, s.lang); err == nil {
			s.remarks(r)
		}
	}
	if err != nil || r.Good() {
		return err
	}
	return &exitError{code: exitRefused}
}

// collected prints a collection. Findings go to standard error in every
// format.
func (s *streams) collected(table *localrun.Collection, asJSON, asCSV bool) error {
	var err error
	switch {
	case asJSON:
		err = table.WriteJSON(s.out)
	case asCSV:
		err = table.WriteCSV(s.out)
	default:
		err = table.WriteTable(s.out, s.lang)
	}
	if err != nil {
		return err
	}
	s.say(table.Findings, nil)
	if !table.Usable() {
		return &exitError{code: exitRefused}
	}
	return nil
}
