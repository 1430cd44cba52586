package jobs

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
)

// Stats is the job calc-success-rate: it counts the jobs of all attempts of
// this run by hardware. Nothing is written before all pages were read
// (known failure F44).
func Stats(ctx context.Context, h *Host, runs bot.Runs) error {
	s, _, folder, err := h.collecting()
	if err != nil {
		return err
	}
	plan, err := h.plan(s)
	if err != nil {
		return err
	}
	seen := make(map[string]bool)
	var clusters []string
	for _, f := range plan.Families {
		for _, r := range f.Rows {
			if name := strings.TrimPrefix(member(r.Row, "runner"), "cluster:"); !seen[name] {
				seen[name] = true
				clusters = append(clusters, name)
			}
		}
	}
	jobs, err := runs.Jobs(ctx, s.Run, 0)
	if err != nil {
		return err
	}
	outcomes := make([]results.JobOutcome, len(jobs))
	for i, j := range jobs {
		outcomes[i] = results.JobOutcome{Name: j.Name, Conclusion: j.Conclusion}
	}
	text := results.RunStatsDocument(results.CountSuccess(clusters, outcomes)).Append(nil, ordjson.Compact)
	return outside(statsFile, os.WriteFile(filepath.Join(folder, outFolder, statsFile), append(text, '\n'), 0o644))
}
