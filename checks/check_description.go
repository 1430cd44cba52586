package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe"
)

// Description is check 15: what the pull request's text states agrees with the
// assessed commit. It is advisory: it never fails, and no text changes a rule.
func Description() Check {
	return Check{Topic: TopicDescription, Needs: []Need{NeedPull, NeedGit, NeedRuns}, Decide: decideDescription}
}

func decideDescription(ctx context.Context, e *Evidence) (Result, error) {
	pull, err := e.Pull(ctx)
	switch {
	case errors.Is(err, ErrNotGiven):
		return unavailable("the description of the pull request was not given", NeedPull), nil
	case errors.Is(err, ErrUnreadable):
		return Result{Status: Warn, Reason: review("the description of the pull request could not be read."), Missing: []string{string(NeedPull)}}, nil
	case err != nil:
		return Result{}, err
	}
	if e.MovedTo != "" && e.MovedTo != e.Head {
		return Result{Status: Warn, Reason: fmt.Sprintf("the head moved to %s; the description needs a new assessment.", quoted(short(e.MovedTo)))}, nil
	}
	body := ""
	if pull.Body != nil {
		body = *pull.Body
	}
	affected, err := e.Affected(ctx)
	if err != nil {
		return Result{}, err
	}
	d := description{e: e, affected: affected, seen: make(map[string]bool)}
	if d.head, err = e.Revision(ctx, e.Head); err != nil {
		return Result{}, err
	}
	if d.base, err = e.Revision(ctx, e.Base); err != nil {
		return Result{}, err
	}
	for _, c := range readClaims(body) {
		if err := d.check(ctx, c); err != nil {
			return Result{}, err
		}
	}
	return d.result(), nil
}

// description compares claims with the assessed commit.
type description struct {
	e          *Evidence
	affected   *Affected
	base, head *Revision
	launches   []served // of the affected rows, loaded when a setting is claimed
	loaded     bool

	seen                             map[string]bool
	agreed                           int
	contradicted, unverifiable, open []string
	citations                        []Citation
}

// served is what an affected row would serve.
type served struct {
	row       *matrix.Row
	effective *recipe.Effective
}

// agree counts a claim once.
func (d *description) agree(c claim) {
	id := string(c.kind) + "|" + c.name + "|" + c.value
	if !d.seen[id] {
		d.seen[id] = true
		d.agreed++
	}
}

// contradict quotes a claim and says what is so.
func (d *description) contradict(c claim, actual string) {
	if len(d.contradicted) < 20 {
		d.contradicted = append(d.contradicted, fmt.Sprintf("body states \"%s\"; %s", firstWords(strings.ReplaceAll(c.sentence, `"`, "'"), 20), actual))
	}
}

func (d *description) check(ctx context.Context, c claim) error {
	switch c.kind {
	case claimRun:
		return d.run(ctx, c)
	case claimCommit:
		return d.commit(ctx, c)
	case claimCarried:
		return d.carried(ctx, c)
	case claimKey:
		d.key(c)
	case claimImage:
		d.image(c)
	case claimSetting:
		return d.setting(ctx, c)
	case claimConcs:
		d.concurrencies(c)
	case claimRange:
		d.concurrencyRange(c)
	case claimCount:
		d.count(c)
	case claimLength:
		return d.length(ctx, c)
	case claimCache:
		return d.cache(ctx, c)
	}
	return nil
}

// run compares a run that is called green with its conclusion and commit.
func (d *description) run(ctx context.Context, c claim) error {
	if !c.green {
		return nil
	}
	id, _ := strconv.ParseInt(c.value, 10, 64)
	run, err := d.e.Run(ctx, id)
	switch {
	case errors.Is(err, ErrNotGiven):
		d.open = append(d.open, fmt.Sprintf("run %d", id))
		return nil
	case errors.Is(err, fs.ErrNotExist):
		d.contradict(c, fmt.Sprintf("run %d does not exist", id))
		return nil
	case errors.Is(err, ErrUnreadable):
		d.unverifiable = append(d.unverifiable, fmt.Sprintf("run %d could not be read", id))
		return nil
	case err != nil:
		return err
	}
	d.citations = append(d.citations, run.cite("claimed to be green"))
	in, err := d.e.inPull(ctx, run.HeadSHA)
	switch {
	case err != nil:
		return err
	case run.Conclusion != "success":
		d.contradict(c, fmt.Sprintf("run %s ended with %s", run.link(), cond(run.Conclusion, run.Status)))
	case !in:
		d.contradict(c, fmt.Sprintf("run %s measured %s, which is no commit of this PR", run.link(), quoted(short(run.HeadSHA))))
	default:
		d.agree(c)
	}
	return nil
}

func cond(conclusion, status string) string {
	if conclusion != "" {
		return conclusion
	}
	return "status " + status
}

// commit compares a commit id: one that is called the head is the head, any
// other belongs to the pull request or to what it is based on.
func (d *description) commit(ctx context.Context, c claim) error {
	if c.head && !strings.HasPrefix(d.e.Head, c.value) {
		d.contradict(c, fmt.Sprintf("the head is %s", quoted(short(d.e.Head))))
		return nil
	}
	if strings.HasPrefix(d.e.Head, c.value) {
		d.agree(c)
		return nil
	}
	list, err := d.e.Commits(ctx)
	if err != nil {
		return err
	}
	for _, commit := range list {
		if strings.HasPrefix(commit.ID, c.value) {
			d.agree(c)
			return nil
		}
	}
	_, err = d.e.Commit(ctx, c.value)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.unverifiable = append(d.unverifiable, fmt.Sprintf("commit %s is not in this history", quoted(short(c.value))))
	case err != nil:
		return err
	}
	return nil
}

// carried looks for a commit of the pull request that names another one.
func (d *description) carried(ctx context.Context, c claim) error {
	list, err := d.e.Commits(ctx)
	if err != nil {
		return err
	}
	for _, commit := range list {
		if namesPull(commit.Message, c.value) {
			d.agree(c)
			d.citations = append(d.citations, Citation{Kind: CiteCommit, Commit: commit.ID, Text: "names #" + c.value})
			return nil
		}
	}
	d.contradict(c, fmt.Sprintf("no commit at %s names #%s", quoted(short(d.e.Head)), c.value))
	return nil
}

// namesPull reports whether a message holds "#N" and no longer number.
func namesPull(message, number string) bool {
	for rest := message; ; {
		at := strings.Index(rest, "#"+number)
		if at < 0 {
			return false
		}
		rest = rest[at+1+len(number):]
		if rest == "" || rest[0] < '0' || rest[0] > '9' {
			return true
		}
	}
}

// key compares what is said to be added or removed with the masters; a word
// that never was a key says nothing.
func (d *description) key(c claim) {
	before, after := d.base.Config(c.value), d.head.Config(c.value)
	switch {
	case before == nil && after == nil:
	case c.adds && after == nil:
		d.contradict(c, fmt.Sprintf("%s is no key at %s", quoted(c.value), quoted(short(d.e.Head))))
	case c.removes && after != nil:
		d.contradict(c, fmt.Sprintf("%s is still a key at %s", quoted(c.value), quoted(short(d.e.Head))))
	default:
		d.agree(c)
	}
}

// image compares an image with those of the affected keys. Only one whose
// repository they use is about them.
func (d *description) image(c claim) {
	said := ParseImage(c.value)
	var others []string
	for _, k := range d.affected.Submitted() {
		is := ParseImage(k.Config.Image)
		if is.Registry != said.Registry || is.Repository != said.Repository {
			continue
		}
		if is.Same(said) {
			d.agree(c)
			return
		}
		others = append(others, fmt.Sprintf("%s runs %s", k.Key, quoted(is.String())))
		d.citations = append(d.citations, d.e.citeHead(k.Config.Place.File, k.Config.Place.Line, k.Key))
	}
	if len(others) > 0 {
		d.contradict(c, joined(unique(others), ", ", 3))
	}
}

func (d *description) result() Result {
	r := Result{Citations: d.citations[:min(len(d.citations), 8)]}
	switch {
	case len(d.contradicted) > 0:
		r.Status, r.Reason = Warn, joined(d.contradicted, "; ", 2)+". Please correct the body."
	case len(d.unverifiable) > 0:
		r.Status, r.Reason = Warn, review(joined(unique(d.unverifiable), "; ", 3)+".")
	case len(d.open) > 0:
		r.Status = Unavailable
		r.Reason = fmt.Sprintf("%s; %s was not given.", agreement(d.agreed), joined(unique(d.open), ", ", 3))
		r.Missing = []string{string(NeedRuns)}
	case d.agreed == 0:
		r.Status, r.Reason = NotApplicable, "the body makes no technical claim."
	default:
		r.Status, r.Reason = Pass, agreement(d.agreed)+" with the assessed commit."
	}
	return r
}

func agreement(n int) string {
	return fmt.Sprintf("%s %s", count(n, "stated value", "stated values"), verb(n, "agrees", "agree"))
}
