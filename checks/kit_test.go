package checks

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// The commits of a made-up pull request: the base stands for the merge base and
// for the tip of the target branch.
const (
	baseSHA = "b000000000000000000000000000000000000000"
	headSHA = "4ead000000000000000000000000000000000000"
)

// memoryTree is the tree of a commit, by path.
type memoryTree struct {
	id    string
	files map[string]string
}

func (t memoryTree) Commit() gitrepo.Commit { return gitrepo.Commit{ID: t.id} }

func (t memoryTree) ReadFile(name string) ([]byte, error) {
	text, ok := t.files[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	return []byte(text), nil
}

func (t memoryTree) Stat(name string) (gitrepo.Entry, error) {
	if text, ok := t.files[name]; ok {
		return gitrepo.Entry{Name: name[strings.LastIndexByte(name, '/')+1:], Mode: 0o100644, OID: blobID(text)}, nil
	}
	if list, err := t.List(name); err == nil && len(list) > 0 {
		return gitrepo.Entry{Name: name, Mode: 0o040000}, nil
	}
	return gitrepo.Entry{}, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

func (t memoryTree) ReadLink(name string) (string, error) {
	return "", fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

func (t memoryTree) List(name string) ([]gitrepo.Entry, error) {
	if name != "" {
		name += "/"
	}
	seen := make(map[string]gitrepo.Entry)
	for path, text := range t.files {
		rest, ok := strings.CutPrefix(path, name)
		if !ok {
			continue
		}
		first, _, deeper := strings.Cut(rest, "/")
		entry := gitrepo.Entry{Name: first, Mode: 0o100644, OID: blobID(text)}
		if deeper {
			entry = gitrepo.Entry{Name: first, Mode: 0o040000}
		}
		seen[first] = entry
	}
	if len(seen) == 0 {
		return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
	}
	var out []gitrepo.Entry
	for _, key := range slices.Sorted(maps.Keys(seen)) {
		out = append(out, seen[key])
	}
	return out, nil
}

func blobID(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// memoryHistory is a base and a head.
type memoryHistory struct {
	trees    map[string]memoryTree
	commits  []gitrepo.Commit
	versions []Version
}

func (h memoryHistory) Tree(_ context.Context, commit string) (Tree, error) {
	t, ok := h.trees[commit]
	if !ok {
		return nil, fmt.Errorf("%s: %w", commit, fs.ErrNotExist)
	}
	return t, nil
}

func (h memoryHistory) Changed(_ context.Context, a, b string) ([]gitrepo.Change, error) {
	before, after := h.trees[a].files, h.trees[b].files
	names := make(map[string]string)
	maps.Copy(names, before)
	maps.Copy(names, after)
	var out []gitrepo.Change
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, had := before[name]
		is, has := after[name]
		switch {
		case had && !has:
			out = append(out, gitrepo.Change{Path: name, Status: gitrepo.Deleted, OldOID: blobID(was)})
		case !had:
			out = append(out, gitrepo.Change{Path: name, Status: gitrepo.Added, NewOID: blobID(is)})
		case was != is:
			out = append(out, gitrepo.Change{Path: name, Status: gitrepo.Modified, OldOID: blobID(was), NewOID: blobID(is)})
		}
	}
	return out, nil
}

func (h memoryHistory) Commits(context.Context, string, string, int) ([]gitrepo.Commit, error) {
	return h.commits, nil
}

func (h memoryHistory) Versions(_ context.Context, _, _ string, _ int) ([]Version, bool, error) {
	return h.versions, true, nil
}

func (h memoryHistory) Commit(_ context.Context, rev string) (gitrepo.Commit, error) {
	for _, c := range h.commits {
		if strings.HasPrefix(c.ID, rev) {
			return c, nil
		}
	}
	return gitrepo.Commit{}, fmt.Errorf("%s: %w", rev, fs.ErrNotExist)
}

// givenSource answers what a test gives and ErrNotGiven otherwise.
type givenSource struct {
	pull     *Pull
	comments []Comment
	checks   map[string][]CheckRun
	runs     map[int64]Run
	jobs     map[int64][]Job
	teams    map[string]Membership // org/slug
	images   map[string]Image
	// aggregates is the text of agg_bmk.json by run.
	aggregates map[int64]string
}

func (s givenSource) Pull(context.Context) (Pull, error) {
	if s.pull == nil {
		return Pull{}, ErrNotGiven
	}
	return *s.pull, nil
}

func (s givenSource) Comments(context.Context) ([]Comment, error) {
	if s.comments == nil {
		return nil, ErrNotGiven
	}
	return s.comments, nil
}

func (s givenSource) CheckRuns(_ context.Context, sha string) ([]CheckRun, error) {
	return given(s.checks, sha)
}

func (s givenSource) Run(_ context.Context, id int64) (Run, error) {
	run, err := given(s.runs, id)
	if err == nil && run.ID == 0 {
		return run, fs.ErrNotExist
	}
	return run, err
}

func (s givenSource) WorkflowRuns(_ context.Context, _, branch string) ([]Run, error) {
	if s.runs == nil {
		return nil, ErrNotGiven
	}
	var out []Run
	for _, run := range s.runs {
		if run.ID != 0 && (branch == "" || run.HeadBranch == branch) {
			out = append(out, run)
		}
	}
	slices.SortFunc(out, func(a, b Run) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(b.ID, a.ID)) })
	return out, nil
}

func (s givenSource) Jobs(_ context.Context, run int64) ([]Job, error) { return given(s.jobs, run) }

func (s givenSource) Artifacts(_ context.Context, run int64) ([]Artifact, error) {
	if s.aggregates == nil {
		return nil, ErrNotGiven
	}
	if _, ok := s.aggregates[run]; !ok {
		return nil, nil
	}
	return []Artifact{{ID: run + 1, Name: "results_bmk"}}, nil
}

func (s givenSource) ArtifactFile(_ context.Context, artifact int64, name string, _ int64) ([]byte, error) {
	return []byte(s.aggregates[artifact-1]), nil
}

func (s givenSource) Team(_ context.Context, org, slug string) (Membership, error) {
	state, err := given(s.teams, org+"/"+slug)
	if err == nil && state == "" {
		state = NotMember
	}
	return state, err
}

func (givenSource) UpstreamPull(context.Context, string, int) (Pull, error) {
	return Pull{}, ErrNotGiven
}

func (givenSource) Page(context.Context, string) ([]byte, error) { return nil, ErrNotGiven }

func (s givenSource) Image(_ context.Context, reference string) (Image, error) {
	return given(s.images, reference)
}

func given[K comparable, V any](m map[K]V, key K) (V, error) {
	if m == nil {
		var none V
		return none, ErrNotGiven
	}
	return m[key], nil
}

// situation is a made-up pull request for one check.
type situation struct {
	base, head  map[string]string
	source      givenSource
	signer      string
	association string
	body        string // of the sign-off; "" is none given
	date        string
	era         string
	commits     []gitrepo.Commit
	// older are earlier states of the repository by commit, versions those of
	// a file that is asked for.
	older    map[string]map[string]string
	versions []Version
	settings func(*config.Settings)
}

// evidence builds the evidence of a situation. Files of the base that the head
// does not name stay as they are; a head text of "-" removes the file.
func (s situation) evidence(t testing.TB) *Evidence {
	t.Helper()
	head := maps.Clone(s.base)
	if head == nil {
		head = make(map[string]string)
	}
	for name, text := range s.head {
		if text == "-" {
			delete(head, name)
			continue
		}
		head[name] = text
	}
	era := s.era
	if era == "" {
		era = "2026-11"
	}
	profile, ok := NewProfile(era)
	if !ok {
		t.Fatalf("no profile %s", era)
	}
	// Launch scripts instead of recipes keep the made-up configs short.
	settings, _ := config.Preset(config.PresetAugust)
	newest, _ := config.Preset(config.PresetNewest)
	settings.Checks = newest.Checks
	settings.Layout.Models = "docs/MODELS.md"
	if s.settings != nil {
		s.settings(&settings)
	}
	date := s.date
	if date == "" {
		date = "2026-11-18"
	}
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		t.Fatal(err)
	}
	c := Case{
		Repository: "acme/bench", PR: 12, Base: baseSHA, Head: headSHA, Target: baseSHA, Signer: s.signer, Association: s.association,
		Date: day, Profile: profile, Settings: settings,
	}
	if s.body != "" {
		c.SignOff = &SignOff{Kind: ConversationComment, Key: "issuecomment-1", Body: s.body}
	}
	history := memoryHistory{
		trees:   map[string]memoryTree{baseSHA: {baseSHA, s.base}, headSHA: {headSHA, head}},
		commits: s.commits, versions: s.versions,
	}
	for id, files := range s.older {
		history.trees[id] = memoryTree{id, files}
	}
	return NewEvidence(c, s.source, history)
}

// decide runs one check on a situation.
func (s situation) decide(t testing.TB, check Check) Result {
	t.Helper()
	r, err := check.Decide(t.Context(), s.evidence(t))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// row is a result as a row of a verdict begins, without its emoji.
func row(r Result) string { return r.Status.String() + " — " + r.Reason }
