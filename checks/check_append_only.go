package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/changelog"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
	"github.com/sweepbot/sweepbot/recipe/launch"
)

// AppendOnly is check 12: an append-only entry adds points to curves that
// exist, and nothing of the whole change can touch a point that was measured.
func AppendOnly() Check {
	return Check{Topic: TopicAppendOnly, Needs: []Need{NeedGit}, Decide: decideAppendOnly}
}

func decideAppendOnly(ctx context.Context, e *Evidence) (Result, error) {
	affected, err := e.Affected(ctx)
	if err != nil {
		return Result{}, err
	}
	if affected.Findings.Refused() {
		r, _ := e.nothing(affected)
		return r, nil
	}
	var entries []changelog.Entry
	for _, entry := range affected.Entries {
		if entry.AppendOnly {
			entries = append(entries, entry)
		}
	}
	if len(entries) == 0 {
		return Result{Status: NotApplicable, Reason: notAppending(affected)}, nil
	}
	if r, done, err := e.appendPlan(ctx, affected, entries); done || err != nil {
		return r, err
	}
	i := isolation{e: e, affected: affected}
	if err := i.prove(ctx); err != nil {
		return Result{}, err
	}
	return i.result(entries), nil
}

func notAppending(affected *Affected) string {
	switch len(affected.Entries) {
	case 0:
		return "the PR adds no changelog entry."
	case 1:
		return "the new changelog entry has no append-only: true."
	}
	return "none of the new changelog entries has append-only: true."
}

// appendPlan asks the planner, which applies the rules on entries, scope,
// points and curves (steps 1 to 4): one rule, one place.
func (e *Evidence) appendPlan(ctx context.Context, affected *Affected, entries []changelog.Entry) (Result, bool, error) {
	base, err := e.Revision(ctx, e.Base)
	if err != nil {
		return Result{}, false, err
	}
	head, err := e.Revision(ctx, e.Head)
	if err != nil {
		return Result{}, false, err
	}
	for _, entry := range entries {
		if entry.EvalsOnly || entry.AllEvals || entry.EvalMinPrefillEP != nil {
			return e.appendFails(affected.Changelog, entry, "an append-only entry selects evals; it may carry neither evals-only nor all-evals nor eval-min-prefill-ep"), true, nil
		}
	}
	if len(entries) < len(affected.Entries) {
		return e.appendFails(affected.Changelog, entries[0], "append-only and regular changelog entries are mixed"), true, nil
	}
	if text := lostPoint(affected); text != "" {
		return e.appendFails(affected.Changelog, entries[0], text), true, nil
	}
	settings := e.Settings
	// Whether the entry stands at the end and links to this pull request is
	// not asked here.
	settings.Changelog.Gate = config.Gate{History: config.GradeOff, Position: config.GradeOff, Format: config.GradeOff}
	settings.Changelog.LinkInPlan = config.GradeOff
	_, list := matrix.NewPlan(settings, matrix.Change{
		Base: matrix.Revision{Ref: e.Base, Commit: e.Base, Files: base.Tree}, Head: matrix.Revision{Ref: e.Head, Commit: e.Head, Files: head.Tree},
		PR: changelog.PR(e.PR),
	})
	if !list.Refused() {
		return Result{}, false, nil
	}
	i := slices.IndexFunc(list, func(f diag.Finding) bool { return strings.HasPrefix(f.Code, "plan.append-") })
	if i < 0 {
		f := list[0]
		return e.undecided(fmt.Sprintf("the change can't be planned: %s: %s", f.Place, f.Message("en")), "the plan"), true, nil
	}
	f := list[i]
	r := Result{Status: Fail, Reason: f.Message("en") + "."}
	if f.File != "" {
		r.Citations = []Citation{e.citeHead(f.File, f.Line, f.Code)}
		r.Annotations = []Annotation{{Path: f.File, Line: f.Line, Status: Fail, Text: f.Message("en")}}
	}
	return r, true, nil
}

// lostPoint names the first concurrency that a row of a selected key had and
// has no more, "" for none. A row that is gone or altered as a whole is the
// planner's to word.
func lostPoint(affected *Affected) string {
	var selected []AffectedKey
	for _, key := range affected.Keys {
		if key.Selected {
			selected = append(selected, key)
		}
	}
	for _, key := range selected {
		of := ""
		if len(selected) > 1 {
			of = " of " + key.Key
		}
		for _, row := range key.Base {
			text := pointText(row)
			i := slices.IndexFunc(key.Rows, func(o *matrix.Row) bool { return pointText(o) == text })
			if i < 0 {
				continue
			}
			var now []int64
			for _, o := range key.Rows[i:] {
				if pointText(o) == text {
					now = append(now, o.Conc...)
				}
			}
			for _, conc := range row.Conc {
				if !slices.Contains(now, conc) {
					return fmt.Sprintf("existing point %s of the %s%s is removed", concText(conc), rowName(row), of)
				}
			}
		}
	}
	return ""
}

// rowName is a row of a search space as people call it.
func rowName(row *matrix.Row) string {
	if tp := row.Entry.TP; tp != nil && !row.Config.Multinode {
		return "TP" + tp.Text + " row"
	}
	return row.Bucket() + " row"
}

func (e *Evidence) appendFails(file string, entry changelog.Entry, text string) Result {
	r := Result{Status: Fail, Reason: text + "."}
	r.Citations = []Citation{e.citeHead(file, entry.Line, "the entry")}
	r.Annotations = []Annotation{{Path: file, Line: entry.Line, Status: Fail, Text: text}}
	return r
}

// isolation is the proof that existing points stay as they are (step 5).
type isolation struct {
	e          *Evidence
	affected   *Affected
	base, head *Revision
	changed    []gitrepo.Change // files that could matter, comments apart

	broken string // why it does not hold, "" when it does
	file   string
	line   int
}

func (i *isolation) prove(ctx context.Context) error {
	var err error
	if i.base, err = i.e.Revision(ctx, i.e.Base); err != nil {
		return err
	}
	if i.head, err = i.e.Revision(ctx, i.e.Head); err != nil {
		return err
	}
	if err := i.relevant(ctx); err != nil || len(i.changed) == 0 {
		return err
	}
	if c, ok := i.opaque(); ok {
		i.broken = fmt.Sprintf("%s changes code that existing points also run; isolation to the new points is not proven", c.Path)
		i.file = c.Path
		return nil
	}
	return i.compare(ctx)
}

// roles whose files can change what a point serves or how it is measured.
var consequential = []Role{RoleRecipe, RoleSetup, RoleShared, RoleLaunch, RoleClient, RoleEval, RoleResult, RoleRunners}

// relevant keeps the changed files that could matter: of those roles, and not
// changed in comments and blank lines only.
func (i *isolation) relevant(ctx context.Context) error {
	changes, err := i.e.Changed(ctx)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !slices.Contains(consequential, i.e.Role(c.Path)) || c.Status == gitrepo.Added && !i.probed(c.Path) {
			continue
		}
		same, err := i.onlyComments(c)
		if err != nil {
			return err
		}
		if !same {
			i.changed = append(i.changed, c)
		}
	}
	return nil
}

// probed reports whether an added file may be one that a launch looked for: a
// script or a recipe. Other new files are in no base point's closure.
func (i *isolation) probed(name string) bool { return i.e.Role(name) == RoleRecipe }

// opaque finds a changed file that is code which the resolver does not read.
func (i *isolation) opaque() (gitrepo.Change, bool) {
	for _, c := range i.changed {
		switch role := i.e.Role(c.Path); {
		case role == RoleEval, role == RoleResult:
			return c, true
		case role == RoleClient && !strings.HasSuffix(c.Path, ".sh"), role == RoleLaunch && !readableCode(c.Path):
			return c, true
		}
	}
	return gitrepo.Change{}, false
}

// readableCode reports whether the resolver interprets a launch file.
func readableCode(name string) bool {
	return strings.HasSuffix(name, ".sh") || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// onlyComments reports whether a file says the same at both sides once comments
// and blank lines are removed.
func (i *isolation) onlyComments(c gitrepo.Change) (bool, error) {
	if c.Status != gitrepo.Modified || !c.OldMode.IsRegular() && c.OldMode != 0 {
		return false, nil
	}
	var texts [2]string
	for n, rev := range []*Revision{i.base, i.head} {
		data, err := rev.Tree.ReadFile(c.Path)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		texts[n] = uncommented(c.Path, string(data))
	}
	return texts[0] == texts[1], nil
}

// uncommented is a text without the lines that are blank or nothing but a
// comment, in the syntax of the file. A comment behind code stays: telling it
// from a string takes a parser.
func uncommented(name, text string) string {
	marker := "#"
	switch {
	case strings.HasSuffix(name, ".md"), strings.HasSuffix(name, ".txt"), strings.HasSuffix(name, ".json"):
		marker = ""
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if bare == "" || marker != "" && strings.HasPrefix(bare, marker) && !strings.HasPrefix(bare, "#!") {
			continue
		}
		b.WriteString(line)
	}
	return strings.TrimRight(b.String(), "\n")
}

// compare interprets every base point at both sides.
func (i *isolation) compare(ctx context.Context) error {
	for _, row := range i.base.rows() {
		if !i.concerned(row) {
			continue
		}
		other := i.counterpart(row)
		if other == nil {
			continue // a lost point is the planner's finding
		}
		for _, mode := range []launch.Mode{launch.Throughput, launch.Eval} {
			before, err := i.e.Launch(ctx, i.base, row, mode)
			if err != nil {
				return err
			}
			after, err := i.e.Launch(ctx, i.head, other, mode)
			if err != nil {
				return err
			}
			if i.differs(row, before, after) {
				return nil
			}
		}
	}
	return nil
}

// concerned reports whether a row can run a changed file at all: recipes and
// scripts belong to configs by name, all other files to everyone.
func (i *isolation) concerned(row *matrix.Row) bool {
	touched := make(map[string]gitrepo.Change)
	for _, c := range i.changed {
		if i.e.Role(c.Path) != RoleRecipe {
			return true
		}
		touched[c.Path] = c
	}
	named, scripted := mayOwn(row, touched)
	return named || scripted
}

// counterpart is the row of the head that holds the points of a base row.
func (i *isolation) counterpart(row *matrix.Row) *matrix.Row {
	text := pointText(row)
	for _, other := range i.head.RowsOf(row.Config.Key) {
		if pointText(other) == text && !slices.ContainsFunc(row.Conc, func(c int64) bool { return !slices.Contains(other.Conc, c) }) {
			return other
		}
	}
	return nil
}

// differs notes the first difference of a point. More concurrencies of a
// multi-node row are no difference of the points it had.
func (i *isolation) differs(row *matrix.Row, before, after *recipe.Effective) bool {
	for _, change := range recipe.Diff(before, after) {
		if change.Class == recipe.Housekeeping || change.Role == recipe.RoleClient && len(row.Conc) > 1 {
			continue
		}
		place := change.ToPlace
		if place.File == "" {
			place = change.FromPlace
		}
		i.file, i.line = place.File, place.Line
		what := fmt.Sprintf("%s of existing point %s of %s is %s", quoted(change.Name), concTexts(row.Conc), row.Config.Key, change.Kind)
		if change.Kind == recipe.Undecided {
			what = fmt.Sprintf("whether %s of existing point %s of %s stays the same is not proven", quoted(change.Name), concTexts(row.Conc), row.Config.Key)
		}
		if place.File != "" {
			what += fmt.Sprintf(" (%s)", place)
		}
		i.broken = what
		return true
	}
	return false
}

func (i *isolation) result(entries []changelog.Entry) Result {
	r := Result{Citations: []Citation{i.e.citeHead(i.affected.Changelog, entries[0].Line, "the append-only entry")}}
	if i.broken != "" {
		r.Status, r.Reason = Fail, i.broken+"."
		if i.file != "" {
			r.Citations = append(r.Citations, i.e.citeHead(i.file, i.line, "the difference"))
			r.Annotations = []Annotation{{Path: i.file, Line: max(i.line, 1), Status: Fail, Text: i.broken}}
		}
		return r
	}
	var parts []string
	kept := 0
	for _, key := range i.affected.Keys {
		if !key.Selected {
			continue
		}
		kept += pointCount(key.Base)
		parts = append(parts, fmt.Sprintf("%s to %s", series(newConcs(key), 6), key.Key))
	}
	r.Status = Pass
	stay := fmt.Sprintf("all %d existing points keep their recipe and image", kept)
	if kept == 1 {
		stay = "its existing point keeps its recipe and image"
	}
	r.Reason = fmt.Sprintf("adds %s; %s.", joined(parts, "; ", 4), stay)
	return r
}

// newConcs are the concurrencies of the points that a key gains.
func newConcs(key AffectedKey) []string {
	was := points(key.Base)
	var out []string
	for _, row := range key.Rows {
		text := pointText(row)
		for _, conc := range row.Conc {
			if _, ok := slices.BinarySearch(was, concText(conc)+" "+text); !ok && !slices.Contains(out, concText(conc)) {
				out = append(out, concText(conc))
			}
		}
	}
	return out
}
