package actions

import (
	"os"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

// GitHub drops a summary of more than 1 MiB whole. We stop at a million bytes,
// of which the last thousand are for saying so (spec/github-limits.md).
const (
	summaryLimit = 1_000_000
	summaryNote  = 1_000
)

// summaryState is what a step has written to its summary.
type summaryState struct {
	known bool // size has been read
	size  int
	full  bool
}

// Summary appends sections of Markdown to the summary of the step. They are
// written whole or not at all: from the first one that does not fit, nothing
// is written any more but a note. whole is false when something was left out.
func (w *Writer) Summary(sections ...string) (whole bool, err error) {
	if err := w.checkFile("GITHUB_STEP_SUMMARY"); err != nil {
		return false, err
	}
	if err := w.measureSummary(); err != nil {
		return false, err
	}
	for _, section := range sections {
		section = strings.TrimRight(w.clean(strings.ToValidUTF8(section, "\ufffd")), "\n") + "\n"
		switch {
		case w.summary.full:
			return false, nil
		case w.summary.size+len(section)+1 > summaryLimit-summaryNote:
			w.summary.full = true
			return false, w.addSummary(catalog.Message(catalog.English, "actions.summary-cut") + "<br>" + catalog.Message(catalog.Chinese, "actions.summary-cut") + "\n")
		}
		if err := w.addSummary(section); err != nil {
			return false, err
		}
	}
	return !w.summary.full, nil
}

// measureSummary learns what an earlier program of the step has written.
func (w *Writer) measureSummary() error {
	if w.summary.known {
		return nil
	}
	info, err := os.Stat(w.options.Getenv("GITHUB_STEP_SUMMARY"))
	if err != nil {
		return unreadable(err)
	}
	w.summary.known, w.summary.size = true, int(info.Size())
	w.summary.full = w.summary.size > summaryLimit-summaryNote
	return nil
}

// addSummary appends a section; the library ends it with a blank line.
func (w *Writer) addSummary(section string) error {
	w.summary.size += len(section) + 1
	return guarded(func() { w.lib.AddStepSummary(section) })
}
