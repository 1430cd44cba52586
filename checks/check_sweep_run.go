package checks

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/reuse"
)

// candidate says which commit of the pull request a run is about, or why it is
// no sweep of it.
func (s *sweepCheck) candidate(run Run) (sha, refusal string) {
	workflow := path.Base(s.e.Settings.Workflows.Sweep)
	if run.Path != "" && path.Base(run.Path) != workflow {
		return "", fmt.Sprintf("Run %d is one of %s, not of %s.", run.ID, quoted(path.Base(run.Path)), quoted(workflow))
	}
	switch run.Event {
	case "pull_request", "":
		sha = run.HeadSHA
	case "workflow_dispatch":
		if sha = s.dispatched(run); sha == "" {
			return "", fmt.Sprintf("Run %d was dispatched and is no sweep of this PR.", run.ID)
		}
	default:
		return "", fmt.Sprintf("Run %d was started by %s and is no sweep of this PR.", run.ID, quoted(run.Event))
	}
	if !slices.Contains(s.commits, sha) {
		return "", fmt.Sprintf("Run %d ran on %s, which is no longer in the PR.", run.ID, short(sha))
	}
	return sha, ""
}

// sweepTitle is the title of the sweeps that sweepbot dispatches.
var sweepTitle = pattern.Lazy(`^Sweep PR #([1-9][0-9]{0,8}) @ ([0-9a-f]{12})(?: \[[0-9a-f.]+\])?$`)

// dispatched is the commit that a dispatched sweep was started for. Only who
// may write can dispatch, and only the workflow file of the base branch counts;
// the title names the pull request and its commit.
func (s *sweepCheck) dispatched(run Run) string {
	m := sweepTitle().FindStringSubmatch(run.Title)
	if m == nil || m[1] != strconv.Itoa(s.e.PR) || run.HeadBranch != s.e.Settings.Layout.BaseBranch {
		return ""
	}
	if run.HeadRepo.FullName != "" && !strings.EqualFold(run.HeadRepo.FullName, s.e.Repository) {
		return ""
	}
	i := slices.IndexFunc(s.commits, func(sha string) bool { return strings.HasPrefix(sha, m[2]) })
	if i < 0 {
		return ""
	}
	return s.commits[i]
}

// planArtifact and planFile hold the plan of a sweep, maxPlan bounds it.
const (
	planArtifact = "sweepbot-plan"
	planFile     = "plan.json"
	maxPlan      = 64 << 20
)

// pinned reads the plan that a run left, where there is one: it says which tree
// was checked out, which on a pull request is the merge of head and base, and
// whether the run may be published at all.
func (s *sweepCheck) pinned(ctx context.Context, a *attempt) error {
	partial, err := s.e.partial(ctx, a.run)
	if err != nil {
		return onlyBroken(err)
	}
	if partial {
		a.refusal = fmt.Sprintf("Run %d is partial: it left out points that an earlier run stands for, and can't be reused.", a.run.ID)
		return nil
	}
	doc, err := s.e.planOf(ctx, a.run)
	if err != nil {
		return onlyBroken(err)
	}
	policy, _ := doc.Get("policy")
	if reusable, ok := policy.Get("reusable"); ok && reusable.Text == "false" {
		a.refusal = fmt.Sprintf("Run %d measured only a part of the sweep and can't be reused.", a.run.ID)
		return nil
	}
	tree, ok := doc.Get("measured")
	if !ok {
		tree, _ = doc.Get("head")
	}
	commit, _ := tree.Get("commit")
	if commit.Text == "" || commit.Text == a.sha {
		return nil
	}
	known, err := s.e.Commit(ctx, commit.Text)
	switch {
	case broken(err):
		return err
	case err != nil || known.ID != commit.Text:
		a.remarks = append(a.remarks, fmt.Sprintf("the tree that run %d measured, %s, is not in this clone; %s is compared instead", a.run.ID, short(commit.Text), short(a.sha)))
		return nil
	}
	if slices.Contains(known.Parents, a.sha) || slices.Contains(s.commits, known.ID) {
		a.measured = known.ID
		a.remarks = append(a.remarks, fmt.Sprintf("run %d measured %s, the merge of %s with the base", a.run.ID, short(known.ID), short(a.sha)))
		return s.compare(ctx, a)
	}
	a.refusal = fmt.Sprintf("Run %d measured %s, which is no merge of %s.", a.run.ID, short(commit.Text), short(a.sha))
	return nil
}

// partial reports whether a run planned only what an earlier one does not stand
// for. Its mark says it, also where the plan has expired.
func (e *Evidence) partial(ctx context.Context, run Run) (bool, error) {
	list, err := e.Artifacts(ctx, run.ID)
	return slices.ContainsFunc(list, func(a Artifact) bool { return a.Name == reuse.PartialMark }), err
}

// planOf reads the plan document of a run.
func (e *Evidence) planOf(ctx context.Context, run Run) (ordjson.Value, error) {
	list, err := e.Artifacts(ctx, run.ID)
	if err != nil {
		return ordjson.Value{}, err
	}
	var newest Artifact
	for _, a := range list {
		if a.Name == planArtifact && !a.Expired && (newest.ID == 0 || a.Created.After(newest.Created)) {
			newest = a
		}
	}
	if newest.ID == 0 {
		return ordjson.Value{}, fmt.Errorf("run %d left no plan: %w", run.ID, fs.ErrNotExist)
	}
	data, err := e.ArtifactFile(ctx, newest.ID, planFile, maxPlan)
	if err != nil {
		return ordjson.Value{}, err
	}
	doc, err := ordjson.Parse(data)
	if err != nil {
		return doc, fmt.Errorf("the plan of run %d is no JSON: %w", run.ID, ErrUnreadable)
	}
	return doc, nil
}

// localUse finds the workflows and actions of the same repository that a
// workflow file uses.
var localUse = pattern.Lazy(`(?m)^[ \t]*(?:-[ \t]+)?uses:[ \t]*['"]?\./(\.github/[^\s'"#]+)`)

// maxWorkflows bounds the files that one run is made of.
const maxWorkflows = 30

// trusted compares the workflow files of a run with those of the base branch:
// what a pull request changes there may turn any job green. A dispatched run
// is one of the base branch's own files.
func (s *sweepCheck) trusted(ctx context.Context, a *attempt) error {
	if a.run.Event == "workflow_dispatch" {
		return nil
	}
	at, err := s.e.Tree(ctx, a.sha)
	if err != nil {
		return err
	}
	var bases []Tree
	for _, id := range append(s.forks(a.sha), s.e.Base, s.e.Target) {
		tree, err := s.e.Tree(ctx, id)
		if broken(err) {
			return err
		}
		if err == nil {
			bases = append(bases, tree)
		}
	}
	for _, name := range workflowFiles(at, s.caller(a.run), a.run.local(s.e.Repository)) {
		own := blobAt(at, name)
		if !slices.ContainsFunc(bases, func(b Tree) bool { return blobAt(b, name) == own }) {
			a.review = fmt.Sprintf("run %s is green, but its %s is not the base branch's", a.run.link(), quoted(name))
			return nil
		}
	}
	return nil
}

// caller is the workflow file of a run.
func (s *sweepCheck) caller(run Run) string {
	if run.Path != "" {
		name, _, _ := strings.Cut(run.Path, "@")
		return name
	}
	return ".github/workflows/" + path.Base(s.e.Settings.Workflows.Sweep)
}

// local are the called workflow files of a run that are the repository's own.
func (r Run) local(repository string) []string {
	var out []string
	for _, c := range r.Called {
		name, _, _ := strings.Cut(c.Path, "@")
		if rest, ok := strings.CutPrefix(strings.ToLower(name), strings.ToLower(repository)+"/"); ok {
			out = append(out, name[len(name)-len(rest):])
		}
	}
	return out
}

// workflowFiles are a workflow and what it uses of the same repository, at any
// depth.
func workflowFiles(tree Tree, caller string, called []string) []string {
	files := append([]string{caller}, called...)
	for i := 0; i < len(files) && len(files) < maxWorkflows; i++ {
		data, err := tree.ReadFile(files[i])
		if err != nil {
			continue
		}
		for _, m := range localUse().FindAllStringSubmatch(string(data), maxWorkflows) {
			name := strings.TrimSuffix(m[1], "/")
			if ext := path.Ext(name); ext != ".yml" && ext != ".yaml" {
				name = path.Join(name, "action.yml")
			}
			if !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
	}
	return files
}

// blobAt is the id of a file, "" where there is none.
func blobAt(tree Tree, name string) string {
	entry, err := tree.Stat(name)
	if err != nil {
		return ""
	}
	return entry.OID
}

// forks are the commits of the base branch that a commit of the pull request
// stands on: where it left the branch, and what was merged of it.
func (s *sweepCheck) forks(sha string) []string {
	var out []string
	seen := map[string]bool{sha: true}
	for queue := []string{sha}; len(queue) > 0; queue = queue[1:] {
		for _, parent := range s.parents[queue[0]] {
			if seen[parent] {
				continue
			}
			seen[parent] = true
			if _, own := s.parents[parent]; own {
				queue = append(queue, parent)
			} else {
				out = append(out, parent)
			}
		}
	}
	return out
}

// leftAt is the newest commit of the base branch that a commit stands on.
func (s *sweepCheck) leftAt(ctx context.Context, sha string) (string, error) {
	if sha == s.e.Head {
		return s.e.Base, nil
	}
	best, found := s.e.Base, false
	var newest int64
	for _, id := range s.forks(sha) {
		c, err := s.e.Commit(ctx, id)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return "", err
		}
		if when := c.Committer.When.Unix(); !found || when > newest {
			best, newest, found = id, when, true
		}
	}
	return best, nil
}
