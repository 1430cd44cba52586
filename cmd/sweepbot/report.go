package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/sweepbot/sweepbot/app/collect"
	"github.com/sweepbot/sweepbot/app/store"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/plot"
	"github.com/sweepbot/sweepbot/results/report"
)

// reportFlags say what a report is made from.
type reportFlags struct {
	baselines  []string
	store      string
	thresholds string
	repo, at   string
	format     string
	out        string
	save       string
}

// formats are those of the report command.
const formats = "html, markdown, summary, text, json, csv, svg, png"

func newReportCommand(s *streams) *cobra.Command {
	f := &reportFlags{}
	c := &cobra.Command{
		Use:   "report DIR | report FILE",
		Short: "Make the report of a sweep",
		Long: "Report accounts for a sweep: what was planned and what became of it, the measurements, the evals and\n" +
			"their judgement, what failed and why, the comparison with earlier results, and the Pareto curves.\n\n" +
			"DIR is what collect --run downloaded, the folder of a local sweep, or any folder with one folder for\n" +
			"each artifact; FILE is a report.json or an agg_bmk.json.\n" +
			"The page (html) needs no network and no other file. Markdown is for comments, summary for step\n" +
			"summaries. For svg and png --out names a folder; every curve becomes a file.\n\n" +
			"A change is called a regression only when it is larger than the distance between repeats of the\n" +
			"point. Give several baselines, the oldest first, or a results store, to have repeats.\n\n" +
			"Exit codes: 0 everything that was planned has passed (without a plan: everything that is there),\n" +
			"1 something was refused, failed or is missing; 2 wrong command line; 3 something cannot be read.",
		Example: "  sweepbot report run-123456 --format html --out report.html\n" +
			"  sweepbot report run-123456 --baseline main/agg_bmk.json\n" +
			"  sweepbot report run-123456 --format png --out plots\n" +
			"  sweepbot report run-123456 --repo bench --format html --out report.html",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := f.load(c.Context(), s, args[0])
			if err != nil {
				return err
			}
			if err := f.keep(c.Context(), r); err != nil {
				return err
			}
			return f.write(s, r)
		},
	}
	f.sources(c)
	c.Flags().StringVar(&f.repo, "repo", "", "show the commands that serve each point, from the recipes in this clone or folder `DIR`")
	c.Flags().StringVar(&f.at, "at", "", "`REV` of the clone that the recipes are read at (default: the head of the run, else HEAD)")
	c.Flags().StringVar(&f.save, "save", "", "also add what passed to this results store, the `PATH` of a SQLite file")
	c.Flags().StringVar(&f.format, "format", "text", "`FORMAT` of the report: "+formats)
	c.Flags().StringVarP(&f.out, "out", "o", "", "`FILE` to write, for pictures a folder (default: standard output)")
	return c
}

// sources registers the flags that say what a report is made from.
func (f *reportFlags) sources(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.baselines, "baseline", nil, "results to compare with: a `PATH` as DIR and FILE above; may be repeated")
	c.Flags().StringVar(&f.store, "store", "", "results store to compare with: the `PATH` of a SQLite file, or postgres:// (default: DATABASE_URL)")
	c.Flags().StringVar(&f.thresholds, "thresholds", "", "`FILE` with the minimum scores of evals (default: those beside the plan; without, scores are recorded, not judged)")
}

// keep adds the report to a results store, if one was named.
func (f *reportFlags) keep(ctx context.Context, r report.Report) error {
	if f.save == "" {
		return nil
	}
	st, err := store.Open(ctx, f.save, true)
	if err != nil {
		return err
	}
	if err := st.Add(ctx, r, time.Now()); err != nil {
		st.Close()
		return err
	}
	return st.Close()
}

// recordOnly judges no score where there is no file of thresholds beside the
// plan: nobody knows the bars then, and the eval jobs have judged already.
func recordOnly(in *report.Input) {
	if in.Bars.Loaded {
		return
	}
	record := 0.0
	in.Bars = results.Thresholds{Fallback: &record}
}

// load makes the report of a path.
func (f *reportFlags) load(ctx context.Context, s *streams, path string) (report.Report, error) {
	base, list, err := f.baseline(ctx)
	if err != nil {
		return report.Report{}, err
	}
	s.say(list, nil)
	var bars results.Thresholds
	if f.thresholds != "" {
		data, err := os.ReadFile(f.thresholds)
		if err != nil {
			return report.Report{}, err
		}
		if bars, list = results.ReadThresholds(f.thresholds, data); list != nil {
			s.say(list, nil)
		}
	}
	var unserved error
	r, err := collect.Load(ctx, path, results.Newest(), func(in *report.Input) {
		in.Baseline = base
		if f.thresholds != "" {
			in.Bars = bars
		} else {
			recordOnly(in)
		}
		unserved = f.serve(ctx, in)
	})
	return r, errors.Join(err, unserved)
}

// baseline joins all baselines, the oldest first; nil when none was given.
func (f *reportFlags) baseline(ctx context.Context) (*report.Baseline, diag.List, error) {
	var out *report.Baseline
	var all diag.List
	join := func(b report.Baseline, list diag.List) {
		all = append(all, list...)
		if out == nil {
			out = &b
			return
		}
		out.Source += ", " + b.Source
		out.Rows, out.Evals = append(out.Rows, b.Rows...), append(out.Evals, b.Evals...)
	}
	if where := orElse(f.store, os.Getenv("DATABASE_URL")); where != "" {
		b, list, err := store.Baseline(ctx, where)
		if err != nil {
			return nil, nil, err
		}
		join(b, list)
	}
	for _, path := range f.baselines {
		b, list, err := collect.Baseline(ctx, path, results.Newest())
		if err != nil {
			return nil, nil, err
		}
		join(b, list)
	}
	return out, all, nil
}

func (f *reportFlags) write(s *streams, r report.Report) error {
	writers := map[string]func(io.Writer) error{
		"html": r.WriteHTML, "json": r.WriteJSON, "csv": r.WriteCSV,
		"text":     func(w io.Writer) error { return r.WriteTable(w, s.lang) },
		"markdown": func(w io.Writer) error { return r.WriteMarkdown(w, report.ForComment()) },
		"summary":  func(w io.Writer) error { return r.WriteMarkdown(w, report.ForSummary()) },
	}
	var err error
	switch write := writers[f.format]; {
	case write != nil:
		err = toFile(s.out, f.out, write)
	case f.format == "svg" || f.format == "png":
		err = f.pictures(s, r)
	default:
		return usage("usage.bad-choice", "option", "--format", "value", f.format, "choices", formats)
	}
	if err != nil {
		return err
	}
	if f.format == "text" {
		s.remarks(r)
	}
	if !r.Good() {
		return &exitError{code: exitRefused}
	}
	return nil
}

// pictures writes a file for every curve.
func (f *reportFlags) pictures(s *streams, r report.Report) error {
	if f.out == "" {
		return usage("usage.missing-option", "option", "--out")
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	for _, c := range r.Curves {
		write := plot.Chart.WriteSVG
		if f.format == "png" {
			write = func(c plot.Chart, w io.Writer) error { return c.WritePNG(w, false) }
		}
		name := filepath.Join(f.out, c.FileName("."+f.format))
		if err := toFile(nil, name, func(w io.Writer) error { return write(c.Chart(r, 0, 0, false), w) }); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(s.out, name); err != nil {
			return err
		}
	}
	return nil
}

// toFile writes to a file, or to out for "".
func toFile(out io.Writer, name string, write func(io.Writer) error) error {
	if name == "" {
		return write(out)
	}
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// remarks prints the findings of a report.
func (s *streams) remarks(r report.Report) {
	for _, f := range r.Findings {
		message, mend := f.Message, f.Mend
		if s.lang == catalog.Chinese {
			message, mend = f.Chinese, ""
		}
		if f.Place != "" {
			message = f.Place + ": " + message
		}
		if mend != "" {
			message += " (" + mend + ")"
		}
		fmt.Fprintf(s.err, "%s: %s [%s]\n", f.Severity, diag.Printable(message), f.Code)
	}
}
