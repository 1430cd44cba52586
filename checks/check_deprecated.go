package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sweepbot/sweepbot/checks/models"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/matrix"
)

// Deprecated is check 7: nothing is submitted that the model policy at the
// target branch says is over on the day of the assessment.
func Deprecated() Check {
	return Check{Topic: TopicDeprecated, Needs: []Need{NeedGit}, Decide: decideDeprecated}
}

func decideDeprecated(ctx context.Context, e *Evidence) (Result, error) {
	affected, err := e.Affected(ctx)
	if err != nil {
		return Result{}, err
	}
	if r, over := e.nothing(affected); over {
		return e.alsoReached(affected, r), nil
	}
	file, err := e.policy(ctx, e.Settings.Layout.Models)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return e.undecided("the target branch has no model policy document", "model policy"), nil
	case err != nil:
		return Result{}, err
	}
	d := deprecation{e: e, file: file, policy: models.Parse(string(file.Data)), day: e.Date.UTC().Truncate(24 * time.Hour)}
	if d.policy.Rows() == 0 {
		return e.undecided(quoted(file.Path)+" has no support matrix", "model policy"), nil
	}
	if d.head, err = e.Revision(ctx, e.Head); err != nil {
		return Result{}, err
	}
	if err := d.readAdded(); err != nil {
		return Result{}, err
	}
	for _, key := range affected.Submitted() {
		if err := d.judge(ctx, key); err != nil {
			return Result{}, err
		}
	}
	return e.alsoReached(affected, d.result()), nil
}

// nothing is the outcome where no benchmark is affected, or where that can't
// be known.
func (e *Evidence) nothing(affected *Affected) (Result, bool) {
	if affected.Findings.Refused() {
		f := affected.Findings[0]
		r := e.undecided(fmt.Sprintf("the affected configs are not known: %s: %s", f.Place, f.Message("en")), "the matrix")
		return r, true
	}
	for _, key := range affected.Submitted() {
		if key.Invalid.Refused() {
			f := key.Invalid[0]
			return e.undecided(fmt.Sprintf("%s does not generate: %s: %s", key.Key, f.Place, f.Message("en")), "the matrix"), true
		}
	}
	if len(affected.Submitted()) > 0 {
		return Result{}, false
	}
	var gone []string
	for _, key := range affected.Keys {
		gone = append(gone, key.Key)
	}
	reason := "no benchmark configuration or recipe is affected."
	if len(gone) > 0 {
		reason = "the PR only removes points of " + joined(gone, ", ", 3) + "."
		if !slices.ContainsFunc(affected.Keys, func(k AffectedKey) bool { return k.Label != KeyRemoved }) {
			reason = "the PR only removes " + joined(gone, ", ", 3) + "."
		}
	}
	return Result{Status: NotApplicable, Reason: reason}, true
}

// deprecation judges keys against a policy.
type deprecation struct {
	e      *Evidence
	file   Document
	policy models.Policy
	added  models.Policy // the policy at the head: rows that the PR adds
	head   *Revision
	day    time.Time

	failed, doubtful, future, active []string // sentences
	failedKeys, clean                []string
	citations                        []Citation
	newRows                          []string // prefixes whose row this pull request adds
}

func (d *deprecation) readAdded() error {
	doc, err := d.e.under(d.head.Tree, d.e.Settings.Layout.Models)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	d.added = models.Parse(string(doc.Data))
	return nil
}

// judge looks at the points of a key that are new or selected, by scenario.
func (d *deprecation) judge(ctx context.Context, key AffectedKey) error {
	failed, seen := false, make(map[string]bool)
	for _, row := range submitted(key) {
		j, name, err := d.point(ctx, row)
		if err != nil {
			return err
		}
		once := name + "|" + string(j.Rule)
		if seen[once] {
			continue
		}
		seen[once] = true
		failed = d.record(key.Key, row, name, j) || failed
	}
	if failed {
		d.failedKeys = append(d.failedKeys, key.Key)
	} else {
		d.clean = append(d.clean, key.Key)
	}
	return nil
}

// submitted are the rows of a key whose points are new or selected.
func submitted(key AffectedKey) []*matrix.Row {
	was := points(key.Base)
	return slices.DeleteFunc(slices.Clone(key.Rows), func(row *matrix.Row) bool {
		if key.Selected {
			word := "fixed-seq-len"
			if row.Agentic() {
				word = "agentic-coding"
			}
			return key.Scenarios != nil && !slices.Contains(key.Scenarios, word)
		}
		return subset(points([]*matrix.Row{row}), was) && len(key.Files) == 0
	})
}

// point judges a row. Whether it speculates is asked only where that decides.
func (d *deprecation) point(ctx context.Context, row *matrix.Row) (models.Judgement, string, error) {
	name := scenario(row)
	if name == "" {
		return models.Judgement{Rule: models.UnknownScenario}, row.Bucket(), nil
	}
	p := models.Point{Prefix: row.Config.ModelPrefix, Scenario: name, Precision: row.Config.Precision}
	j := d.policy.Judge(p, d.day)
	if j.Rule != models.ArmOver {
		return j, name, nil
	}
	var err error
	if p.Speculative, err = d.e.speculative(ctx, d.head, row); err != nil {
		return j, name, err
	}
	return d.policy.Judge(p, d.day), name, nil
}

// record files one judgement and reports whether it fails.
func (d *deprecation) record(key string, row *matrix.Row, name string, j models.Judgement) bool {
	prefix := row.Config.ModelPrefix
	if j.Line > 0 {
		d.cite(d.e.cite(d.file, j.Line, prefix))
	}
	switch j.Rule {
	case models.Active:
		if !j.First.IsZero() {
			d.future = append(d.future, fmt.Sprintf("%s %s is allowed through %s", prefix, name, j.First.AddDate(0, 0, -1).Format(time.DateOnly)))
		} else {
			d.active = append(d.active, fmt.Sprintf("%s %s is active in %s", prefix, lowerFirst(name), path.Base(d.file.Path)))
		}
	case models.ArmOver:
		return d.arm(key, prefix, name, j)
	case models.UnknownPrefix:
		if d.added.Known(prefix) {
			d.newRows = append(d.newRows, prefix)
			d.active = append(d.active, fmt.Sprintf("the row of %s is added by this PR", prefix))
			return false
		}
		d.doubtful = append(d.doubtful, fmt.Sprintf("%s has no row for prefix %s", path.Base(d.file.Path), prefix))
	case models.UnknownScenario:
		d.doubtful = append(d.doubtful, fmt.Sprintf("%s names %s %s neither active nor deprecated", path.Base(d.file.Path), prefix, name))
	case models.UnknownDate:
		d.doubtful = append(d.doubtful, fmt.Sprintf("line %d of %s holds a date about %s that could not be placed", j.Line, path.Base(d.file.Path), prefix))
	default:
		d.failed = append(d.failed, fmt.Sprintf("%s submits %s %s%s, %s %s (%s)", key, prefix, name, precisionOf(j, row), state(j), sinceWhen(j), j.Source))
		return true
	}
	return false
}

// arm files a point without a draft of a model that allows only drafting ones.
func (d *deprecation) arm(key, prefix, name string, j models.Judgement) bool {
	text := fmt.Sprintf("%s runs %s without a draft; the non-%s arm of %s is deprecated %s (%s)", key, name, armName(j.Arm), prefix, armSince(j), j.Source)
	switch d.e.Settings.Checks.NonSpeculativeArm {
	case config.ArmAllow:
		d.active = append(d.active, text+", which the settings allow")
	case config.ArmWarn:
		d.doubtful = append(d.doubtful, text)
	default:
		d.failed = append(d.failed, text)
		return true
	}
	return false
}

func (d *deprecation) cite(c Citation) {
	if len(d.citations) < 8 && !slices.Contains(d.citations, c) {
		d.citations = append(d.citations, c)
	}
}

func (d *deprecation) result() Result {
	r := Result{Citations: d.citations}
	switch {
	case len(d.failed) > 0:
		r.Status = Fail
		r.Reason = joined(slices.Compact(d.failed), "; ", 3) + "."
		if n := len(d.clean); n > 0 {
			r.Reason += fmt.Sprintf(" The other %s %s allowed.", count(n, "key", "keys"), verb(n, "is", "are"))
		}
		r.Remarks = []string{"a new sign-off cannot change this"}
	case len(d.doubtful) > 0:
		u := d.e.undecided(joined(unique(d.doubtful), "; ", 3)+".", path.Base(d.file.Path))
		u.Citations = r.Citations
		return u
	case len(d.future) > 0:
		r.Status, r.Reason = Pass, joined(unique(d.future), "; ", 4)+"."
	default:
		r.Status, r.Reason = Pass, joined(unique(d.active), "; ", 4)+"."
	}
	return r
}

func unique(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}

func state(j models.Judgement) string {
	if j.Rule == models.Retired {
		return "retired"
	}
	return "deprecated"
}

func sinceWhen(j models.Judgement) string {
	if j.First.IsZero() {
		return "already"
	}
	return "since " + j.First.Format(time.DateOnly)
}

func armSince(j models.Judgement) string {
	if j.First.IsZero() {
		return "from day 0"
	}
	return "since " + j.First.Format(time.DateOnly)
}

func armName(method string) string {
	names := map[string]string{"mtp": "MTP", "eagle": "EAGLE", "eagle3": "EAGLE3", "dspark": "DSpark", "nextn": "NEXTN"}
	if name, ok := names[method]; ok {
		return name
	}
	return strings.ToUpper(method)
}

func precisionOf(j models.Judgement, row *matrix.Row) string {
	if j.Rule != models.PrecisionOver {
		return ""
	}
	return " in " + row.Config.Precision
}

func lowerFirst(name string) string {
	if name == "Agentic coding" {
		return "agentic coding"
	}
	return name
}
