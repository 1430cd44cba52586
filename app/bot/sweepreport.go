package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/results/report"
)

// reportArtifact and reportFile are where the report of a sweep is (docs/report.md).
const (
	reportArtifact = "sweep-report"
	reportFile     = "report.json"
)

// Bounds of a report that is read: the archive, which is kept in memory, the
// document in it, its points, and its values, each of which may take far more
// memory than its text.
const (
	maxReportArchive = 16 << 20
	maxReportBytes   = 8 << 20
	maxReportPoints  = 5000
	maxReportValues  = 300_000
)

// RunReport is what the comment remembers of the report of a run.
type RunReport struct {
	// Artifact is the upload that holds the report, its page and its plots.
	Artifact int64 `json:"artifact,omitempty"`
	// Problem says why there are no results: one of reportProblems, "" if there
	// are.
	Problem string       `json:"problem,omitempty"`
	Rows    []ReportRow  `json:"rows,omitempty"`
	Scores  []ReportEval `json:"scores,omitempty"`
	// MoreRows and MoreScores count those that are not listed.
	MoreRows   int `json:"more-rows,omitempty"`
	MoreScores int `json:"more-scores,omitempty"`
	// Curves is the number of Pareto curves, Frontier how many of the Measured
	// points lie on one.
	Curves   int `json:"curves,omitempty"`
	Frontier int `json:"frontier,omitempty"`
	Measured int `json:"measured,omitempty"`
	// Compared is the comparison with the default branch, nil for none.
	Compared *ReportChange `json:"compared,omitempty"`
}

// ReportRow is a measured point: throughput in tokens/s/GPU, median time to
// first token and median end-to-end latency in seconds; 0 where there is none.
type ReportRow struct {
	Label string  `json:"label"`
	Tput  float64 `json:"tput,omitempty"`
	TTFT  float64 `json:"ttft,omitempty"`
	E2EL  float64 `json:"e2el,omitempty"`
}

// ReportEval is the score of one task of one point.
type ReportEval struct {
	Label   string  `json:"label"`
	Task    string  `json:"task"`
	Score   float64 `json:"score"`
	Verdict string  `json:"verdict"`
}

// ReportChange counts points by how they compare with the default branch.
type ReportChange struct {
	Improved  int `json:"improved,omitempty"`
	Regressed int `json:"regressed,omitempty"`
	Noise     int `json:"noise,omitempty"`
	Unclear   int `json:"unclear,omitempty"`
}

// Why there is no report to show.
const (
	reportAbsent       = "absent"
	reportTooLarge     = "too-large"
	reportUnreadable   = "unreadable"
	reportInconsistent = "inconsistent"
)

var (
	reportProblems = []string{"", reportAbsent, reportTooLarge, reportUnreadable, reportInconsistent}
	scoreVerdicts  = []string{report.ScorePassed, report.ScoreBelow, report.ScoreBroken, report.ScoreRecorded}
)

// Bounds of what is remembered of a report.
const (
	maxReportRows   = 24
	maxReportScores = 12
)

// weight orders what two readers of one run saw of its report: that it could
// not be read is replaced once it can be.
func (r *RunReport) weight() int {
	switch {
	case r == nil:
		return 0
	case r.Problem != "":
		return 1
	}
	return 2
}

// plausible holds a remembered report to its form.
func (r *RunReport) plausible() bool {
	if r == nil {
		return true
	}
	for _, n := range []int{r.MoreRows, r.MoreScores, r.Curves, r.Frontier, r.Measured} {
		if !within(int64(n), 0, maxCount) {
			return false
		}
	}
	return r.Artifact >= 0 && slices.Contains(reportProblems, r.Problem) && len(r.Rows) <= maxReportRows && len(r.Scores) <= maxReportScores &&
		!slices.ContainsFunc(r.Rows, func(x ReportRow) bool { return !shortText(x.Label, maxTitle) }) &&
		!slices.ContainsFunc(r.Scores, func(x ReportEval) bool {
			return !shortText(x.Label, maxTitle) || !shortText(x.Task, maxFamily) || !slices.Contains(scoreVerdicts, x.Verdict)
		}) && r.Compared.plausible()
}

func (c *ReportChange) plausible() bool {
	return c == nil || !slices.ContainsFunc([]int{c.Improved, c.Regressed, c.Noise, c.Unclear}, func(n int) bool { return !within(int64(n), 0, maxCount) })
}

// readReport reads the report that a finished run uploaded. It comes from a run
// of the pull request: whatever is wrong with it is said in the comment, and
// costs the event nothing. The report itself is nil unless it is to be believed
// as far as a report can be.
func (b *Bot) readReport(ctx context.Context, r *RunProgress, artifacts []Artifact) (*RunReport, *report.Report) {
	newest, ok := newestNamed(artifacts, reportArtifact)
	switch {
	case !ok:
		return &RunReport{Problem: reportAbsent}, nil
	case newest.Size > maxReportArchive:
		return &RunReport{Artifact: newest.ID, Problem: reportTooLarge}, nil
	}
	data, err := b.reportBytes(ctx, newest)
	if err != nil {
		return &RunReport{Artifact: newest.ID, Problem: problemOf(err)}, nil
	}
	made, list := report.Read(reportFile, data)
	switch {
	case list.Refused():
		return &RunReport{Artifact: newest.ID, Problem: reportUnreadable}, nil
	case !b.fits(&made, r):
		return &RunReport{Artifact: newest.ID, Problem: reportInconsistent}, nil
	}
	return remember(&made, newest.ID), &made
}

// newestNamed is the newest upload of a name that can still be had.
func newestNamed(artifacts []Artifact, name string) (newest Artifact, ok bool) {
	for _, a := range artifacts {
		if a.Name == name && !a.Expired && a.ID > newest.ID {
			newest, ok = a, true
		}
	}
	return newest, ok
}

var errReportTooLarge = errors.New("the report is larger than a comment needs")

func problemOf(err error) string {
	var refused *archive.Error
	if errors.Is(err, errReportTooLarge) || errors.As(err, &refused) && refused.Reason == archive.TooLarge {
		return reportTooLarge
	}
	return reportUnreadable
}

// reportBytes downloads the document. Nothing is unpacked before the archive is
// held against the limits.
func (b *Bot) reportBytes(ctx context.Context, a Artifact) ([]byte, error) {
	stream, err := b.GitHub.OpenArtifact(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	packed, err := limited(stream, maxReportArchive)
	if err != nil {
		return nil, err
	}
	at := bytes.NewReader(packed)
	if err := archive.VerifyDigest(at, at.Size(), a.Digest); err != nil {
		return nil, err
	}
	limits := archive.Limits{Entries: 2000, Directory: 1 << 20, Total: 256 << 20, File: 64 << 20, Ratio: archive.DefaultLimits().Ratio}
	content, err := archive.OpenZip(at, at.Size(), limits)
	if err != nil {
		return nil, err
	}
	file, err := content.Open(reportFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := limited(file, maxReportBytes)
	if err != nil {
		return nil, err
	}
	return data, modest(data)
}

// limited reads all of a stream, if it is not longer than it may be.
func limited(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = errReportTooLarge
	}
	return data, err
}

// modest refuses a document that would take far more memory than its text.
func modest(data []byte) error {
	if bytes.Count(data, []byte(","))+bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("[")) > maxReportValues {
		return errReportTooLarge
	}
	var shape struct {
		Points []json.RawMessage `json:"points"`
	}
	if err := json.Unmarshal(data, &shape); err != nil {
		return err
	}
	if len(shape.Points) > maxReportPoints {
		return errReportTooLarge
	}
	return nil
}

// fits reports whether a report is about this run, and does not claim that all
// is well where the jobs say otherwise.
func (b *Bot) fits(made *report.Report, r *RunProgress) bool {
	run := made.Run
	return run != nil && run.ID == r.ID && strings.EqualFold(run.Repository, b.Repository) && run.Attempt >= 1 && run.Attempt <= r.Attempt &&
		run.Head == r.SHA && (!made.Good() || r.Outcome == OutcomePassed || r.Outcome == OutcomeNoResults)
}

// remember takes what a comment has room for.
func remember(made *report.Report, artifact int64) *RunReport {
	out := &RunReport{Artifact: artifact}
	for i := range made.Points {
		p := &made.Points[i]
		label := shorten(oneLine(p.Label), maxTitle)
		if p.Kind == report.Throughput && len(p.Metrics) > 0 {
			out.Rows = append(out.Rows, ReportRow{label, metric(p, "tput_per_gpu"), metric(p, "median_ttft"), metric(p, "median_e2el")})
		}
		for _, s := range p.Scores {
			if s.Value != nil && slices.Contains(scoreVerdicts, s.Verdict) {
				out.Scores = append(out.Scores, ReportEval{label, shorten(oneLine(s.Task), maxFamily), rounded(*s.Value), s.Verdict})
			}
		}
	}
	out.Rows, out.MoreRows = cutTo(out.Rows, maxReportRows)
	out.Scores, out.MoreScores = cutTo(out.Scores, maxReportScores)
	for _, c := range made.Curves {
		if c.View == latencyView {
			out.Curves++
			out.Frontier += clamp(c.Frontier)
			out.Measured += clamp(c.Measured)
		}
	}
	out.Frontier, out.Measured = clamp(out.Frontier), clamp(out.Measured)
	if c := made.Comparison; c != nil {
		out.Compared = &ReportChange{clamp(c.Improved), clamp(c.Regressed), clamp(c.WithinNoise), clamp(c.Unclear)}
	}
	return out
}

// latencyView is the view of the curves that count.
const latencyView = "latency"

func cutTo[T any](list []T, limit int) ([]T, int) {
	if len(list) <= limit {
		return list, 0
	}
	return list[:limit], min(maxCount, len(list)-limit)
}

func clamp(n int) int { return min(max(0, n), maxCount/10) }

func metric(p *report.Point, name string) float64 { return rounded(p.Metrics[name]) }

// rounded is a number with four digits that count, 0 for what is no number.
func rounded(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 4, 64), 64)
	return short
}
