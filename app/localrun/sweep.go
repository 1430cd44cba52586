package localrun

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
)

// Options say what to run and how.
type Options struct {
	Plan     *Plan
	Site     Site
	Launcher Launcher
	// Out is the folder of the sweep, an absolute path.
	Out string
	// Resume goes on with the sweep that Out holds. Without it Out must not
	// hold one.
	Resume bool
	// Only keeps the families and points that are named: by job id, display
	// prefix or bucket, by point id or config key. Empty keeps all.
	Only []string
	// Jobs is how many points run side by side, Retries how often a failed one
	// is tried again.
	Jobs, Retries int
	// Timeout bounds a point; 0 means the limits of the workflows. Grace is
	// how long a launcher may clean up. ResultWait is how long a result may
	// take to appear after the launcher ended.
	Timeout, Grace, ResultWait time.Duration
	// Environment is what launchers inherit, as NAME=value.
	Environment []string
	// Thresholds is the content of the threshold file, nil without one.
	Thresholds []byte
	Progress   Progress
	// Started and Ended, if set, are told of every step of a point, one after
	// the other. A point that is held back or cancelled before its turn ends
	// without having started; why is nil for one that passed.
	Started func(p *Point, attempt int)
	Ended   func(p *Point, status Status, why *diag.Finding)
}

// Sweep is a sweep that is ready to run.
type Sweep struct {
	options Options
	tasks   []*task
	root    *os.Root
	journal *journal
}

// Open prepares a sweep: it selects the points, checks that their launchers are
// there, and opens the folder. Nothing runs yet. Close it.
func Open(o Options) (*Sweep, error) {
	s := &Sweep{options: o}
	selected := selected(o.Plan, Points(o.Plan, o.Site), o.Only)
	if len(selected) == 0 {
		return nil, diag.New("localrun.nothing-selected", diag.Place{}, "only", strings.Join(o.Only, ", ")).In("usage")
	}
	if list := o.Launcher.check(o.Site.Repo, selected); list.Refused() {
		return nil, list
	}
	for _, p := range selected {
		s.tasks = append(s.tasks, &task{Point: p, status: Pending})
	}
	if err := s.openFolder(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// selected keeps the points that are named.
func selected(plan *Plan, points []*Point, only []string) []*Point {
	if len(only) == 0 {
		return points
	}
	names := make(map[string][]string)
	for _, f := range plan.Families {
		names[f.Job] = []string{f.Job, strings.TrimSuffix(f.Prefix, " /"), f.Bucket}
	}
	return slices.DeleteFunc(points, func(p *Point) bool {
		return !slices.ContainsFunc(only, func(word string) bool {
			return word == p.ID || word == p.Key || slices.Contains(names[p.Family], word)
		})
	})
}

// identity names everything that decides what the points measure: the plan and
// the program that measures. Two sweeps mix in one folder only if it is equal.
func (s *Sweep) identity() string {
	text, _ := json.Marshal([]any{s.options.Plan.Digest, s.options.Launcher, s.options.Site.Fast})
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (s *Sweep) openFolder() error {
	if err := os.MkdirAll(s.options.Out, 0o755); err != nil {
		return outside(err)
	}
	root, err := os.OpenRoot(s.options.Out)
	if err != nil {
		return outside(err)
	}
	s.root = root
	if s.journal, err = openJournal(root); err != nil {
		return outside(err)
	}
	if len(s.journal.past) == 0 {
		return s.begin()
	}
	return s.goOn()
}

// outside gives an error of the operating system the class of failures that
// are nobody's fault here.
func outside(err error) error {
	var f diag.Finding
	if errors.As(err, &f) {
		return err
	}
	return diag.New("localrun.folder", diag.Place{}, "detail", err.Error()).In("unreadable")
}

// begin starts a new sweep: the plan and the metadata of the change are written
// first.
func (s *Sweep) begin() error {
	if s.options.Resume {
		return diag.New("localrun.nothing-to-resume", diag.Place{File: s.options.Out}).In("usage")
	}
	plan := append(s.options.Plan.Document.Append(nil, ordjson.Compact), '\n')
	metadata := append(s.options.Plan.Metadata.Append(nil, ordjson.Compact), '\n')
	const folder = "artifacts/changelog-metadata"
	err := firstError(
		s.root.WriteFile("plan.json", plan, 0o644),
		s.root.MkdirAll(folder, 0o755),
		s.root.WriteFile(folder+"/changelog_metadata.json", metadata, 0o644),
		s.journal.append(record{Kind: "plan", Version: journalVersion, Plan: s.identity()}))
	if err != nil {
		return outside(err)
	}
	return nil
}

// goOn takes over what the journal of an earlier run says.
func (s *Sweep) goOn() error {
	switch {
	case !s.options.Resume:
		return diag.New("localrun.folder-in-use", diag.Place{File: s.options.Out}).In("usage")
	case s.journal.past[0].Plan != s.identity():
		return diag.New("localrun.other-plan", diag.Place{File: s.options.Out}).In("other-plan")
	}
	known := history(s.journal.past)
	for _, t := range s.tasks {
		if p, ok := known[t.ID]; ok {
			t.status, t.attempts, t.why = p.status, p.attempts, p.why
			t.took = time.Duration(p.seconds * float64(time.Second))
		}
	}
	return nil
}

// Close gives the folder back.
func (s *Sweep) Close() error {
	var err error
	if s.journal != nil {
		err = s.journal.Close()
	}
	if s.root != nil {
		err = errors.Join(err, s.root.Close())
	}
	return err
}

// Run runs what is pending. The error is a failure of ours, or the end of ctx:
// the folder can then be resumed. Failed points are counted, not returned.
func (s *Sweep) Run(ctx context.Context) (Counts, error) {
	o := s.options
	e := &executor{
		site: o.Site, launcher: o.Launcher, out: o.Out, root: s.root, base: o.Environment,
		timeout: o.Timeout, grace: o.Grace, wait: o.ResultWait,
	}
	if o.Thresholds != nil {
		e.bars, _ = results.ReadThresholds("thresholds", o.Thresholds)
	}
	failFast := make(map[string]bool)
	for _, f := range o.Plan.Families {
		failFast[f.Job] = f.FailFast
	}
	plan := &schedule{tasks: s.tasks, failFast: failFast, jobs: max(1, o.Jobs), retries: max(0, o.Retries), run: e.run}
	plan.started, plan.ended = s.started, s.ended
	o.Progress.begin(o.Plan, s.tasks, max(1, o.Jobs))
	err := plan.all(ctx)
	o.Progress.end()
	_ = s.root.Remove("work") // stays if it holds something
	counts := s.counts()
	if err != nil && ctx.Err() != nil {
		err = diag.New("localrun.interrupted", diag.Place{File: o.Out}, "left", itoa(counts.Pending)).In("unreadable")
	}
	return counts, err
}

func (s *Sweep) started(t *task, attempt int) error {
	s.options.Progress.started(t, attempt)
	if s.options.Started != nil {
		s.options.Started(t.Point, attempt)
	}
	return s.journal.append(record{Kind: "start", Point: t.ID, Attempt: attempt})
}

func (s *Sweep) ended(t *task) error {
	s.options.Progress.ended(t)
	if s.options.Ended != nil {
		s.options.Ended(t.Point, t.status, t.why)
	}
	r := record{Kind: "end", Point: t.ID, Attempt: t.attempts, Status: t.status, Seconds: t.took.Seconds()}
	if t.why != nil {
		r.Code, r.Args, r.File = t.why.Code, t.why.Args, t.why.File
	}
	return s.journal.append(r)
}

// Counts are the points of a sweep by how they stand.
type Counts struct {
	Planned   int `json:"planned"`
	Passed    int `json:"passed"`
	Failed    int `json:"failed"`
	Cancelled int `json:"cancelled"`
	Skipped   int `json:"skipped"`
	Pending   int `json:"missing"`
}

// Green reports whether every planned point passed, and there was one: nothing
// is never a success (known failure F45).
func (c Counts) Green() bool { return c.Planned > 0 && c.Passed == c.Planned }

func (c *Counts) add(s Status) {
	c.Planned++
	switch s {
	case Passed:
		c.Passed++
	case Failed:
		c.Failed++
	case Cancelled:
		c.Cancelled++
	case Skipped:
		c.Skipped++
	default:
		c.Pending++
	}
}

func (s *Sweep) counts() Counts {
	var c Counts
	for _, t := range s.tasks {
		c.add(t.status)
	}
	return c
}

// Selected are the ids of the points of the sweep.
func (s *Sweep) Selected() map[string]bool {
	ids := make(map[string]bool, len(s.tasks))
	for _, t := range s.tasks {
		ids[t.ID] = true
	}
	return ids
}
