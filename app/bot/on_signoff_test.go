package bot

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// signingRepo is a clone with a pull request whose head is the branch topic.
func signingRepo(t testing.TB, settings string) (w *Workspace, git func(args ...string) string) {
	t.Helper()
	dir := t.TempDir()
	git = func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com",
			"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write(".github/CODEOWNERS", "* @boss\nconfigs/ @signer @acme/amd\n")
	write(".github/sweepbot.yml", settings)
	write("docs/PR_REVIEW_CHECKLIST.md", "# Template\n```\nAs a PR reviewer and CODEOWNER, I have reviewed this and have:\n- [ ] Verified that the sweep passed\n```\n")
	write("configs/amd-master.yaml", "{}\n")
	git("add", "-A")
	git("commit", "-q", "-m", "base")
	git("checkout", "-q", "-b", "topic")
	write("configs/amd-master.yaml", "{}\n# more\n")
	git("commit", "-q", "-a", "-m", "change")
	w, err := OpenWorkspace(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w, git
}

var signer = User{ID: 400, Login: "signer"}

const checklistText = "As a PR reviewer and CODEOWNER, I have reviewed this and have:\n- [x] Verified that the sweep passed\n"

// signing is a stage whose bot verifies sign-offs.
func signing(t testing.TB, settings string) *stage {
	t.Helper()
	s := newStage(t, InActions)
	w, git := signingRepo(t, settings)
	s.git = git
	s.pr().HeadSHA = git("rev-parse", "topic")
	s.permissions = map[string]string{"signer": "write", "boss": "admin", "maintainer": "maintain"}
	registry, err := checks.NewRegistry(checks.CodeOwner(), checks.ReuseCommand(), checks.Template())
	if err != nil {
		t.Fatal(err)
	}
	o := &SignOffs{
		GitHub: s.fakeGitHub, Clone: w, Registry: registry, Repository: repoName, Reviews: fakeReviews{s},
		Now: func() time.Time { return time.Date(2026, 11, 18, 15, 0, 0, 0, time.UTC) },
	}
	s.bot.Comments, s.bot.SignOffs = []CommentHandler{o.Handler()}, o
	return s
}

// fakeReviews holds reviews in the conversation of another number.
type fakeReviews struct{ s *stage }

func (r fakeReviews) Review(ctx context.Context, number int, id int64) (Comment, error) {
	for _, c := range r.s.comments[-number] {
		if c.ID == id {
			return c, nil
		}
	}
	return Comment{}, ErrNotFound
}

func (r fakeReviews) ReviewComment(ctx context.Context, number int, id int64) (Comment, error) {
	return r.Review(ctx, number, id)
}

func (r fakeReviews) ReviewSummaries(_ context.Context, number int) ([]Comment, error) {
	return slices.Clone(r.s.comments[-number]), r.s.call("ReviewSummaries", len(r.s.comments[-number]))
}

func (r fakeReviews) ReviewComments(_ context.Context, number int) ([]Comment, error) {
	all := slices.Clone(r.s.comments[-number])
	slices.SortStableFunc(all, func(x, y Comment) int { return y.UpdatedAt.Compare(x.UpdatedAt) })
	return all[:min(100, len(all))], r.s.call("ReviewComments", 1)
}

// verdicts are the verdict comments of the pull request.
func (s *stage) verdicts() []Comment {
	var out []Comment
	for _, c := range s.comments[12] {
		if _, ok := verdict.ReadMarker(c.Body); ok {
			out = append(out, c)
		}
	}
	return out
}

// A sign-off gets one comment, which is found again by its marker and author,
// stays as it is while nothing changes, and is written again when it was
// deleted. The same holds for its bundle.
func TestSignOffGetsOneVerdict(t *testing.T) {
	s := signing(t, "preset: inferencex\nchecks:\n  profile: 2026-08\n")
	said := s.say(12, signer, checklistText)
	spoof := s.say(12, maintainer, "<!-- codeowner-signoff-verify signoff=issuecomment-"+itoa(said.ID)+" -->\n## ✅✅✅ **Verdict: PASS** ✅✅✅\n")
	decided, results := s.handle(s.commentEvent("created", said, signer))
	if results.Err() != nil || codes(decided) != "signoff.verified" || kinds(results) != "verdict" {
		t.Fatal(codes(decided), kinds(results), results.Err())
	}
	list := s.verdicts()
	if len(list) != 2 || list[1].Author.ID != botID || list[0].Body != spoof.Body {
		t.Fatalf("%+v", list)
	}
	first := list[1]
	for _, want := range []string{
		"<!-- codeowner-signoff-verify signoff=issuecomment-" + itoa(said.ID) + " -->\n## ❌❌❌ **REJECTED** ❌❌❌\n", "@signer Reuse command: ",
		"✅ Check 0 (CODEOWNER): PASS — @signer is a named owner of `configs/amd-master.yaml`", "❌ Check 4", "✅ Check 5", "needs human review",
	} {
		if !strings.Contains(first.Body, want) {
			t.Errorf("%q is missing in\n%s", want, first.Body)
		}
	}
	again, err := bundle.Replay(t.Context(), s.bot.SignOffs.Registry, "b.zip", decided.Bundle)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := again.Archive(); err != nil || !bytes.Equal(data, decided.Bundle) {
		t.Errorf("the bundle replays with other bytes: %v", err)
	}
	s.calls = map[string]int{}
	s.handle(s.commentEvent("edited", said, signer))
	if s.calls["UpdateComment"]+s.calls["CreateComment"] != 0 {
		t.Errorf("the same verdict was written again: %v", s.calls)
	}
	s.say(12, maintainer, "/reuse-sweep-run 77")
	s.comments[12][len(s.comments[12])-1].AuthorAssociation = "MEMBER"
	s.handle(s.commentEvent("edited", said, signer))
	if now := s.verdicts(); len(now) != 2 || now[1].ID != first.ID || now[1].Body == first.Body {
		t.Errorf("another verdict did not update the comment")
	}
	s.remove(first.ID)
	s.handle(s.commentEvent("edited", said, signer))
	if now := s.verdicts(); len(now) != 2 || now[1].ID == first.ID {
		t.Errorf("the deleted verdict was not created again: %+v", now)
	}
}

func itoa(id int64) string { return strconv.FormatInt(id, 10) }

// Each reason for silence, and what it costs.
func TestSignOffStaysSilent(t *testing.T) {
	for name, c := range map[string]struct {
		settings string
		adapt    func(*stage)
		body     string
		want     string
		requests int
	}{
		"no phrase":        {"", nil, "fine", "bot.comment-nothing", 0},
		"a verdict":        {"", nil, verdict.Marker{}.String() + "\n" + checklistText, "bot.comment-nothing", 0},
		"quoted":           {"", nil, "> " + checklistText, "signoff.not-own-words", 2},
		"draft":            {"", func(s *stage) { s.pr().Draft = true }, checklistText, "signoff.is-draft", 2},
		"closed":           {"", func(s *stage) { s.pr().State = "closed" }, checklistText, "signoff.not-open", 2},
		"may not write":    {"", func(s *stage) { s.permissions["signer"] = "read" }, checklistText, "signoff.not-allowed", 5},
		"only changelog":   {"checks:\n  verdict:\n    scope: changelog\n", nil, checklistText, "signoff.out-of-scope", 2},
		"owners all admin": {"checks:\n  verdict:\n    core-team: \"@acme/amd\"\n", func(s *stage) { s.permissions["signer"] = "admin" }, checklistText, "signoff.out-of-scope", 3},
	} {
		s := signing(t, "preset: inferencex\n"+c.settings)
		if c.adapt != nil {
			c.adapt(s)
		}
		decided, results := s.handle(s.commentEvent("created", s.say(12, signer, c.body), signer))
		if codes(decided) != c.want || len(results) != 0 || s.total() > c.requests {
			t.Errorf("%s: %s, %v, %d requests %v", name, codes(decided), results, s.total(), s.log)
		}
	}
}

// The head is pinned: one that moves before the assessment ends it, one that
// moves during it is noted.
func TestSignOffPinsTheHead(t *testing.T) {
	s := signing(t, "preset: inferencex\n")
	said := s.say(12, signer, checklistText)
	head := s.pr().HeadSHA
	s.after = func(method string, n int) {
		if method == "PullRequest" && n == 1 {
			s.pr().HeadSHA = shaB
		}
	}
	_, err := s.bot.Decide(t.Context(), s.commentEvent("created", said, signer))
	var f diag.Finding
	if !errors.As(err, &f) || f.Code != "signoff.head-moved" {
		t.Errorf("got %v", err)
	}
	s.pr().HeadSHA, s.calls = head, map[string]int{}
	s.after = func(method string, n int) {
		if method == "PullRequest" && n == 2 {
			s.pr().HeadSHA = shaB
		}
	}
	s.handle(s.commentEvent("created", said, signer))
	if list := s.verdicts(); len(list) != 1 || !strings.Contains(list[0].Body, "The PR head moved to `"+shaB[:8]+"`") || !strings.Contains(list[0].Body, head) {
		t.Errorf("%+v", list)
	}
}

// Reviews and inline comments get their verdicts in the conversation, a
// dispatch names a sign-off by its address.
func TestSignOffsElsewhere(t *testing.T) {
	for name, want := range map[string]string{"pull_request_review": "pullrequestreview-500", "pull_request_review_comment": "discussion_r500"} {
		s := signing(t, "preset: inferencex\n")
		c := Comment{ID: 500, Author: signer, AuthorAssociation: "MEMBER", Body: checklistText, URL: site + "/x"}
		s.comments[-12] = []Comment{c}
		action := map[string]string{"pull_request_review": "submitted", "pull_request_review_comment": "created"}[name]
		pr := *s.pr()
		d := Delivery{Name: name, Action: action, Repository: repoName, Sender: signer, PR: &pr, Comment: &c}
		s.handle(d)
		if list := s.verdicts(); len(list) != 1 || !strings.Contains(list[0].Body, "signoff="+want+" -->") {
			t.Errorf("%s: %+v", name, list)
		}
		d.Sender, d.Action = maintainer, "edited"
		if decided, _ := s.handle(d); codes(decided) != "signoff.edited-by-another" {
			t.Errorf("%s edited by another: %s", name, codes(decided))
		}
	}
	s := signing(t, "preset: inferencex\n")
	said := s.say(12, signer, checklistText)
	s.pr().Draft = true
	dispatch := func(number, url string) Delivery {
		return Delivery{Name: "workflow_dispatch", Repository: repoName, Sender: maintainer, Inputs: map[string]string{inputNumber: number, inputAddress: url}}
	}
	const page = "https://github.com/" + repoName + "/pull/12#issuecomment-"
	s.handle(dispatch("12", page+itoa(said.ID)))
	if len(s.verdicts()) != 1 {
		t.Error("a dispatch on a draft gave no verdict")
	}
	if decided, _ := s.handle(dispatch("12", page+"999999")); codes(decided) != "bot.comment-gone" {
		t.Errorf("a comment of another pull request: %s", codes(decided))
	}
	if _, err := s.bot.Decide(t.Context(), dispatch("13", page+"5")); err == nil {
		t.Error("number and address disagree, and nobody said so")
	}
}

// August 2026: anybody's sign-off, a comment and a status for the commit.
func TestSignOffBySHA(t *testing.T) {
	s := signing(t, "preset: inferencex-2026-08\n")
	s.permissions["bystander"] = "read"
	said := s.say(12, bystander, checklistText)
	_, results := s.handle(s.commentEvent("created", said, bystander))
	if kinds(results) != "verdict status" || results.Err() != nil {
		t.Fatal(kinds(results), results.Err())
	}
	head := s.pr().HeadSHA
	if list := s.verdicts(); len(list) != 1 || !strings.HasPrefix(list[0].Body, "<!-- codeowner-signoff-verify sha="+head+" -->\n## ❌❌❌ **REJECTED** ❌❌❌\n@bystander ") {
		t.Errorf("%+v", list)
	}
	if got := s.statuses[head]; len(got) != 1 || got[0].State != "failure" || got[0].Context != "codeowner-signoff-verify" {
		t.Errorf("%+v", got)
	}
	s.calls = map[string]int{}
	s.handle(s.commentEvent("created", s.say(12, bystander, checklistText), bystander))
	if s.calls["UpdateComment"]+s.calls["CreateComment"] != 0 {
		t.Errorf("the same word on the same commit was written again: %v", s.calls)
	}
}

// Mode check-run: the verdict is a check run of the head, and no comment.
func TestSignOffByCheckRun(t *testing.T) {
	s := signing(t, "preset: inferencex\nchecks:\n  verdict:\n    mode: check-run\n")
	_, results := s.handle(s.commentEvent("created", s.say(12, signer, checklistText), signer))
	if kinds(results) != "check" || results.Err() != nil || len(s.verdicts()) != 0 {
		t.Fatal(kinds(results), results.Err())
	}
	if got := s.checks; len(got) != 1 || got[0].Name != "codeowner-signoff-verify" || got[0].Conclusion != "action_required" || !strings.Contains(got[0].Summary, "Check 0 (CODEOWNER)") {
		t.Errorf("%+v", got)
	}
}

// countedBeyond counts what teams cost.
type countedBeyond struct {
	nothingBeyond
	s *stage
}

func (b countedBeyond) Team(context.Context, string, string) (checks.Membership, error) {
	return checks.NotMember, b.s.call("Team", 200)
}

// UpstreamPull costs the pull request and a page of its files.
func (b countedBeyond) UpstreamPull(context.Context, string, int) (checks.Pull, error) {
	return checks.Pull{}, b.s.call("UpstreamPull", 200)
}

// What a verdict of a large pull request costs: 100 files, 20 commits, 10
// owners and a conversation of two pages; two pull requests of other repositories
// are cited, which cost nothing while no check reads them.
func TestSignOffRequests(t *testing.T) {
	s := signing(t, "preset: inferencex\nchecks:\n  verdict:\n    core-team: \"@acme/amd\"\n")
	w, git := signingRepo(t, "preset: inferencex\nchecks:\n  verdict:\n    core-team: \"@acme/amd\"\n")
	git("checkout", "-q", "main")
	if err := os.WriteFile(filepath.Join(w.Dir(), ".github/CODEOWNERS"), []byte("* @boss\n/many/ @a @b @c @d @e @f @g @h @other @acme/amd\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git("commit", "-q", "-a", "-m", "owners")
	git("checkout", "-q", "-b", "large")
	for i := range 20 {
		for j := range 5 {
			file := filepath.Join(w.Dir(), "many", itoa(int64(i)), itoa(int64(j)))
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("x"), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		git("add", "-A")
		git("commit", "-q", "-m", "one of twenty")
	}
	s.pr().HeadSHA = git("rev-parse", "large")
	for _, login := range strings.Split("a b c d e f g h", " ") {
		s.permissions[login] = "admin" // each has to be asked for
	}
	for range 150 {
		s.say(12, maintainer, "chat")
	}
	s.bot.SignOffs.Clone, s.bot.SignOffs.Registry = w, checks.Standard()
	// A team that the signer is not in costs two requests.
	s.bot.SignOffs.Beyond = func(string) Beyond { return countedBeyond{nothingBeyond{}, s} }
	said := s.say(12, signer, checklistText+"\n### Additional detail section\nhttps://github.com/vllm-project/recipes/pull/1 https://github.com/sgl-project/sglang/pull/2\n")
	decided, results := s.handle(s.commentEvent("created", said, signer))
	if results.Err() != nil || len(s.verdicts()) != 1 {
		t.Fatal(codes(decided), results.Err())
	}
	// Two cited pull requests would cost four more.
	if own := s.total() - s.calls["UpstreamPull"]; own > 25-2*2 || s.total() > 25 || s.calls["Team"] != 2 {
		t.Errorf("%d requests: %v", s.total(), s.calls)
	}
	t.Logf("%d requests: %v", s.total(), s.calls)
}
