package chaos

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/app/sandbox"
)

// view is what people see of a pull request, with everything in it that counts
// requests or tries taken out.
type view struct {
	Comments, Labels, Runs, Statuses, Checks []string
}

// hidden is what a comment remembers, which nobody sees.
var hidden = regexp.MustCompile(`(?s)<!-- sweepbot-state .*? -->`)

// jobPage is the address of a job; the numbers of jobs and checks are counted
// together.
var jobPage = regexp.MustCompile(`/job/[0-9]+`)

// look returns what is seen now.
func (w *world) look() view {
	w.t.Helper()
	runs, doubles := w.sweeps()
	var v view
	for i, r := range runs {
		v.Runs = append(v.Runs, fmt.Sprintf("run %d: %s %s %s", i+1, r.Title, r.Status, r.Conclusion))
	}
	plain := func(text string) string {
		text = strings.ReplaceAll(hidden.ReplaceAllString(text, ""), w.github.URL(), "SITE")
		text = jobPage.ReplaceAllString(text, "/job/N")
		for i, r := range runs {
			text = strings.ReplaceAll(text, strconv.FormatInt(r.ID, 10), fmt.Sprint("RUN", i+1))
		}
		for _, r := range doubles {
			text = strings.ReplaceAll(text, strconv.FormatInt(r.ID, 10), "DOUBLE")
		}
		return text
	}
	for _, c := range w.github.Comments(w.pull) {
		v.Comments = append(v.Comments, c.Author+": "+plain(c.Body)+" "+strings.Join(c.Reactions, ", "))
	}
	slices.Sort(v.Comments) // a crash may have let another one come first
	pull, _ := w.github.Pull(w.pull)
	v.Labels = pull.Labels
	for _, sha := range pull.Commits {
		v.Statuses = append(v.Statuses, w.statuses(sha, runs)...)
		v.Checks = append(v.Checks, w.checks(sha, plain)...)
	}
	return v
}

// isSweep reports whether a run may measure.
func isSweep(r *sandbox.RunState) bool {
	return strings.HasSuffix(r.Path, "/run-sweep.yml") || strings.HasSuffix(r.Path, "/e2e-tests.yml")
}

// sweeps are the runs of the sweep workflow, and doubles of them: runs of a
// title that an older one has, cancelled before they measured anything.
func (w *world) sweeps() (runs, doubles []sandbox.RunState) {
	titles := make(map[string]bool)
	for _, r := range w.github.Runs() {
		switch {
		case !isSweep(&r):
		case titles[r.Title] && r.Conclusion == "cancelled" && len(r.Jobs) == 0:
			doubles = append(doubles, r)
		default:
			titles[r.Title] = true
			runs = append(runs, r)
		}
	}
	return runs, doubles
}

// statuses are those in force, by context.
func (w *world) statuses(sha string, runs []sandbox.RunState) []string {
	var out []string
	seen := make(map[string]bool)
	for _, s := range must(w.api().Statuses(w.ctx, sha))(w.t) {
		if seen[s.Context] {
			continue
		}
		seen[s.Context] = true
		target := s.TargetURL[strings.LastIndexByte(s.TargetURL, '/')+1:]
		for i, r := range runs {
			target = strings.ReplaceAll(target, strconv.FormatInt(r.ID, 10), fmt.Sprint("RUN", i+1))
		}
		out = append(out, fmt.Sprintf("%.7s %s: %s, %s, %s", sha, s.Context, s.State, s.Description, target))
	}
	slices.Sort(out)
	return out
}

// checks are the newest check runs by name; of several of one name GitHub
// shows and counts the newest.
func (w *world) checks(sha string, plain func(string) string) []string {
	newest := make(map[string]bot.CheckRun)
	for _, name := range []string{"sweepbot / plan", "sweepbot / sweep"} {
		for _, c := range must(w.api().CheckRuns(w.ctx, sha, name))(w.t) {
			if c.ID > newest[name].ID {
				newest[name] = c
			}
		}
	}
	var out []string
	for name, c := range newest {
		if !strings.Contains(c.DetailsURL, "/actions/runs/") {
			c.DetailsURL = "" // its own page, which has its number
		}
		out = append(out, plain(fmt.Sprintf("%.7s %s: %s %s, %s %s\n%s\n%s", sha, name, c.Status, c.Conclusion, c.Title, c.DetailsURL, c.Summary, c.Text)))
	}
	slices.Sort(out)
	return out
}
