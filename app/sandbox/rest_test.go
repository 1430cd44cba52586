package sandbox

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// decoded returns the content of a file document.
func (r reply) decoded() string {
	r.t.Helper()
	b, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(r.at("content").(string), "\n", ""))
	ok(r.t, err)
	return string(b)
}

func TestContents(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	a := as(t, s, "walt-write")
	if got := a.get("contents/README.md").is(200).has("type", "file", "encoding", "base64", "name", "README.md").decoded(); got != "# Bench\n\nA sample.\n" {
		t.Errorf("README: %q", got)
	}
	if got := a.get("contents/scripts/deep/er/file.txt?ref="+s.Tip("main")).is(200).has("size", 2200).decoded(); len(got) != 2200 {
		t.Errorf("%d bytes", len(got))
	}
	if got := a.get("contents/docs/with%20space%20&%20other%20%231/%C3%85.md").is(200).decoded(); got != "å\n" {
		t.Errorf("%q", got)
	}
	if got := a.get("contents/benchmarks").is(200).texts("", "name"); !slices.Equal(got, []string{"empty", "run.sh"}) {
		t.Errorf("folder: %v", got)
	}
	if got := a.get("contents/").is(200).texts("", "name"); len(got) != 7 {
		t.Errorf("top: %v", got)
	}
	if got := a.get("contents/README.md", "Accept", "application/vnd.github.raw+json"); string(got.body) != "# Bench\n\nA sample.\n" {
		t.Errorf("raw: %q", got.body)
	}
	a.get("contents/none").is(404).has("message", "Not Found", "status", "404")
	a.get("contents/../../etc/passwd").is(404)
	a.get("contents/README.md?ref=none").is(404)

	sha := a.get("contents/README.md").at("sha")
	put := func(body doc) reply { return a.do("PUT", "contents/README.md", body) }
	content := base64.StdEncoding.EncodeToString([]byte("new"))
	put(doc{"message": "m", "content": content}).is(422)
	put(doc{"message": "m", "content": content, "sha": strings.Repeat("0", 40)}).is(409)
	put(doc{"message": "m", "content": content, "sha": sha}).is(200)
	if got := a.get("contents/README.md").decoded(); got != "new" {
		t.Errorf("after the change: %q", got)
	}
	a.do("PUT", "contents/x/y.txt", doc{"message": "m", "content": content, "branch": "main"}).is(201)
	as(t, s, "remy-read").do("PUT", "contents/z", doc{"message": "m", "content": content}).is(403)
}

func TestCommitsAndCompare(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat", false)
	p, _ := s.Pull(n)
	a := as(t, s, "walt-write")
	a.get("commits/"+p.HeadSHA).is(200).has("commit.message", "Add feat", "author.login", "walt-write", "files.0.filename", "perf-changelog.yaml", "stats.additions", 2)
	a.get("commits/feat").is(200).has("sha", p.HeadSHA)
	if got := a.get("commits/feat", "Accept", "application/vnd.github.sha"); string(got.body) != p.HeadSHA {
		t.Errorf("sha: %s", got.body)
	}
	a.get("commits/none").is(422)
	if got := a.get("commits?sha=feat").is(200).count(""); got != 2 {
		t.Errorf("%d commits", got)
	}
	if got := a.get("commits?sha=feat&path=perf-changelog.yaml&per_page=1").is(200).texts("", "sha"); !slices.Equal(got, []string{p.HeadSHA}) {
		t.Errorf("commits of a file: %v", got)
	}
	compare := a.get("compare/main...feat").is(200).has("status", "ahead", "ahead_by", 1, "behind_by", 0, "total_commits", 1, "merge_base_commit.sha", s.Tip("main"))
	if patch := compare.at("files.0.patch").(string); !strings.HasPrefix(patch, "@@") || !strings.Contains(patch, "+    - feat") {
		t.Errorf("patch: %q", patch)
	}
	a.get("compare/feat...main").is(200).has("status", "behind", "behind_by", 1)
	a.get("compare/main...main").is(200).has("status", "identical")
	a.get("compare/main...none").is(404)
	fork := openPR(t, s, "otto-outside", "theirs", true)
	a.get("compare/main...otto-outside:theirs").is(200).has("ahead_by", 1)
	a.get(fmt.Sprintf("pulls/%d/files", fork)).is(200).has("0.status", "modified")
}

func TestFileStatuses(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	long := string(sample()["scripts/deep/er/file.txt"].Data)
	must(s.As("walt-write").OpenPR(t.Context(), PullSpec{Title: "x", Branch: "x", Edit: Edit{
		Files:      map[string]string{"scripts/moved.txt": long + "one more\n", "new.txt": "a\nb\n", "README.md": "changed\n", "bin": "\x00\x01"},
		Executable: map[string]string{"run": "#!/bin/sh\n"}, Delete: []string{"scripts/deep/er/file.txt", "configs/amd-master.yaml"},
	}}))(t)
	got := make(map[string]string)
	for _, f := range as(t, s, "").get("pulls/1/files").is(200).value().([]any) {
		f := f.(map[string]any)
		from, _ := f["previous_filename"].(string)
		got[f["filename"].(string)] = fmt.Sprintf("%v +%v -%v %s", f["status"], f["additions"], f["deletions"], from)
	}
	want := map[string]string{
		"scripts/moved.txt": "renamed +1 -0 scripts/deep/er/file.txt", "new.txt": "added +2 -0 ", "README.md": "modified +1 -3 ",
		"bin": "added +0 -0 ", "run": "added +1 -0 ", "configs/amd-master.yaml": "removed +0 -2 ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestGitObjects(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	a := as(t, s, "walt-write")
	tip := s.Tip("main")
	a.get("git/ref/heads/main").is(200).has("object.sha", tip, "ref", "refs/heads/main")
	a.get("git/ref/heads/none").is(404)
	a.get("git/matching-refs/heads/").is(200).has("0.ref", "refs/heads/main")
	tree := a.get("git/commits/" + tip).is(200).at("tree.sha").(string)
	a.get("git/commits/" + strings.Repeat("0", 40)).is(404)
	all := a.get("git/trees/main?recursive=1").is(200).has("sha", tree, "truncated", false)
	if got := all.texts("tree", "path"); !slices.Contains(got, "scripts/deep/er/file.txt") || !slices.Contains(got, "scripts/deep") {
		t.Errorf("tree: %v", got)
	}
	if got := a.get("git/trees/"+tree).is(200).texts("tree", "path"); slices.Contains(got, "scripts/deep/er/file.txt") {
		t.Errorf("not recursive: %v", got)
	}

	blob := a.do("POST", "git/blobs", doc{"content": base64.StdEncoding.EncodeToString([]byte("x\n")), "encoding": "base64"}).is(201).at("sha").(string)
	if got := a.get("git/blobs/"+blob).is(200).has("size", 2).decoded(); got != "x\n" {
		t.Errorf("blob: %q", got)
	}
	made := a.do("POST", "git/trees", doc{"base_tree": tree, "tree": []doc{
		{"path": "a/b.txt", "mode": "100644", "type": "blob", "sha": blob}, {"path": "c.txt", "mode": "100644", "content": "c"},
		{"path": "README.md", "mode": "100644", "sha": nil},
	}}).is(201).at("sha").(string)
	commit := a.do("POST", "git/commits", doc{"message": "By hand", "tree": made, "parents": []string{tip}}).is(201).at("sha").(string)
	a.do("POST", "git/refs", doc{"ref": "refs/heads/hand", "sha": commit}).is(201)
	a.do("POST", "git/refs", doc{"ref": "refs/heads/hand", "sha": commit}).is(422).has("message", "Reference already exists")
	a.do("POST", "git/refs", doc{"ref": "refs/pull/9/head", "sha": commit}).is(422)
	a.get("contents/a/b.txt?ref=hand").is(200)
	a.get("contents/README.md?ref=hand").is(404)
	a.do("PATCH", "git/refs/heads/hand", doc{"sha": tip}).is(422).has("message", "Update is not a fast forward")
	a.do("PATCH", "git/refs/heads/hand", doc{"sha": tip, "force": true}).is(200)
	a.do("DELETE", "git/refs/heads/hand", nil).is(204)
	a.get("branches/hand").is(404)
	a.get("branches").is(200).has("0.name", "main")
	a.get("branches/main").is(200).has("commit.sha", tip)
}

func TestPullRequests(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	ctx := t.Context()
	n := openPR(t, s, "walt-write", "feat", false)
	a, walt := as(t, s, "walt-write"), s.As("walt-write")
	a.get("pulls/1").is(200).has("number", n, "user.login", "walt-write", "base.ref", "main", "head.label", "acme-bench:feat", "mergeable", true, "mergeable_state", "clean",
		"commits", 1, "additions", 2, "deletions", 0, "changed_files", 1, "head.repo.full_name", "acme-bench/inference", "draft", false)
	a.get("pulls/2").is(404)
	a.get("pulls/x").is(404)
	post := func(body doc) reply { return a.do("POST", "pulls", body) }
	post(doc{"title": "x", "head": "feat", "base": "main"}).is(422)
	post(doc{"title": "x", "head": "none", "base": "main"}).is(422).has("errors.0.field", "head")
	post(doc{"title": "x", "head": "main", "base": "main"}).is(422).has("errors.0.message", "No commits between main and main")
	post(doc{"head": "feat", "base": "main"}).is(422).has("errors.0.field", "title")
	must(walt.PushBranch(ctx, "other", Edit{Files: map[string]string{"o": "o"}}))(t)
	post(doc{"title": "Other", "head": "other", "base": "main", "draft": true}).is(201).has("number", 2, "draft", true, "mergeable_state", "draft")
	if got := a.get("pulls?state=all&direction=asc").is(200).texts("", "title"); !slices.Equal(got, []string{"Add feat", "Other"}) {
		t.Errorf("pulls: %v", got)
	}
	if got := a.get("pulls?head=acme-bench:other").is(200).count(""); got != 1 {
		t.Errorf("by head: %d", got)
	}
	a.do("PATCH", "pulls/2", doc{"state": "closed", "title": "New"}).is(200).has("state", "closed", "title", "New")
	if got := a.get("pulls").count(""); got != 1 {
		t.Errorf("open: %d", got)
	}
	a.do("PUT", "pulls/1/merge", doc{"sha": strings.Repeat("1", 40)}).is(409)
	a.get("pulls/1/merge").is(404)
	a.do("PUT", "pulls/1/merge", doc{"merge_method": "rebase"}).is(405)
	a.do("PUT", "pulls/1/merge", doc{"merge_method": "squash", "commit_title": "T"}).is(200).has("merged", true)
	a.get("pulls/1/merge").is(204)
	a.do("PATCH", "pulls/1", doc{"state": "open"}).is(422)
	if got := a.get("pulls/1", "Accept", "application/vnd.github.v3.diff"); !strings.HasPrefix(string(got.body), "diff --git") {
		t.Errorf("diff: %s", got.body)
	}
}

func TestPullCommitsAreCut(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	c := clone(t, s, "walt-write")
	c.git("switch", "-q", "-c", "many")
	var in strings.Builder
	tip := s.Tip("main")
	for i := range 253 {
		fmt.Fprintf(&in, "commit refs/heads/many\ncommitter W <w@example.org> %d +0000\ndata 1\nx\n", 1_700_000_000+i)
		if i == 0 {
			fmt.Fprintf(&in, "from %s\n", tip)
		}
		fmt.Fprintf(&in, "M 644 inline f\ndata <<E\n%d\nE\n\n", i)
	}
	_, err := s.main.git.pipe(t.Context(), strings.NewReader(in.String()), nil, "fast-import", "--quiet")
	ok(t, err)
	ok(t, s.pushed(personal(s.user("walt-write")), s.main))
	n := must(s.As("walt-write").OpenPR(t.Context(), PullSpec{Title: "Many", Branch: "many"}))(t)
	a := as(t, s, "")
	a.get(fmt.Sprintf("pulls/%d", n)).is(200).has("commits", 253)
	if got := a.get(fmt.Sprintf("pulls/%d/commits?per_page=100&page=3", n)).is(200).count(""); got != 50 {
		t.Errorf("last page: %d, want 50 of 250", got)
	}
}

func TestIssuesLabelsAndTimeline(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Labels: map[string]string{"full-sweep-enabled": "Run everything"}})
	a := as(t, s, "tess-triage")
	a.do("POST", "issues", doc{"title": "Broken", "body": "It is", "labels": []string{"bug"}}).is(201).has("number", 1, "labels.0.name", "bug", "comments", 0)
	a.do("POST", "issues/1/labels", doc{"labels": []string{"Full-Sweep-Enabled", "bug"}}).is(200).has("1.name", "full-sweep-enabled", "1.description", "Run everything")
	a.do("PUT", "issues/1/labels", doc{"labels": []string{"new"}}).is(200).has("0.name", "new")
	a.do("DELETE", "issues/1/labels/none", nil).is(404).has("message", "Label does not exist")
	a.do("DELETE", "issues/1/labels/new", nil).is(200)
	as(t, s, "otto-outside").do("POST", "issues/1/comments", words{"hello"}).is(201)
	a.do("PATCH", "issues/1", doc{"state": "closed", "state_reason": "not_planned", "labels": []doc{{"name": "$(x) ☃ \"q\""}}}).is(200).has("state_reason", "not_planned", "closed_by.login", "tess-triage")
	if got := a.get("issues/1/events").is(200).texts("", "event"); !slices.Equal(got, strings.Fields("labeled labeled unlabeled unlabeled labeled unlabeled closed labeled")) {
		t.Errorf("events: %v", got)
	}
	if got := a.get("issues/1/timeline").is(200).texts("", "event"); !slices.Contains(got, "commented") {
		t.Errorf("timeline: %v", got)
	}
	a.get("issues/1/events").has("0.label.name", "bug", "0.actor.login", "tess-triage")
	if got := a.get("issues?state=closed&labels=" + "%24(x)%20%E2%98%83%20%22q%22").is(200).count(""); got != 1 {
		t.Errorf("S37: by label: %d", got)
	}
	openPR(t, s, "walt-write", "feat", false)
	a.get("issues/2").is(200).has("pull_request.merged_at", nil, "draft", false)
	a.get("issues/1").is(200).has("pull_request", nil)
	a.do("POST", "labels", doc{"name": "x", "color": "ff0000"}).is(201)
	a.do("POST", "labels", doc{"name": "X"}).is(422).has("errors.0.code", "already_exists")
	a.do("PATCH", "labels/x", doc{"new_name": "y", "description": "d"}).is(200).has("name", "y")
	a.get("labels/x").is(404)
	a.do("DELETE", "labels/y", nil).is(204)
	a.get("labels?per_page=1").is(200).has("0.name", "full-sweep-enabled")
}

func TestCommentsAndReactions(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	openPR(t, s, "walt-write", "feat", false)
	otto, walt, tess := as(t, s, "otto-outside"), as(t, s, "walt-write"), as(t, s, "tess-triage")
	id := int64(otto.do("POST", "issues/1/comments", words{"mine"}).is(201).has("author_association", "NONE").at("id").(float64))
	path := "issues/comments/" + itoa(id)
	tess.do("PATCH", path, words{"changed"}).is(403)
	walt.do("PATCH", path, words{"changed by a writer"}).is(200).has("user.login", "otto-outside")
	otto.do("PATCH", path, words{"changed"}).is(200).has("body", "changed")
	otto.do("POST", "issues/1/comments", words{strings.Repeat("é", maxBody)}).is(201)
	otto.do("POST", "issues/1/comments", words{strings.Repeat("é", maxBody+1)}).is(422).has("errors.0.message", "body is too long (maximum is 65536 characters)")
	otto.do("POST", "issues/1/comments", words{" \n"}).is(422)
	otto.do("POST", "issues/9/comments", words{"x"}).is(404)

	walt.do("POST", path+"/reactions", doc{"content": "eyes"}).is(201)
	walt.do("POST", path+"/reactions", doc{"content": "eyes"}).is(200)
	walt.do("POST", path+"/reactions", doc{"content": "party"}).is(422)
	reaction := int64(tess.do("POST", path+"/reactions", doc{"content": "-1"}).is(201).at("id").(float64))
	otto.get(path).is(200).has("reactions.total_count", 2, "reactions.eyes", 1, "reactions.-1", 1)
	otto.get(path+"/reactions?content=eyes").is(200).has("0.user.login", "walt-write")
	walt.do("DELETE", path+"/reactions/"+itoa(reaction), nil).is(404)
	tess.do("DELETE", path+"/reactions/"+itoa(reaction), nil).is(204)
	walt.do("POST", "issues/1/reactions", doc{"content": "rocket"}).is(201)

	tess.do("DELETE", path, nil).is(403)
	otto.do("DELETE", path, nil).is(204)
	otto.get(path).is(404)
	otto.do("PATCH", path, words{"x"}).is(404)
	ok(t, s.DeleteUser("otto-outside"))
	walt.get("issues/1/comments").is(200).has("0.user", nil)
	since := s.latest.Add(time.Hour).Format(time.RFC3339)
	if got := walt.get("issues/1/comments?since=" + since).is(200).count(""); got != 0 {
		t.Errorf("since: %d", got)
	}
}

func TestReviews(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	openPR(t, s, "walt-write", "feat", false)
	mina, walt := as(t, s, "mina-maintain"), as(t, s, "walt-write")
	p, _ := s.Pull(1)
	walt.do("POST", "pulls/1/reviews", doc{"event": "APPROVE"}).is(422)
	mina.do("POST", "pulls/1/reviews", doc{"event": "COMMENT"}).is(422)
	id := int64(mina.do("POST", "pulls/1/reviews", doc{
		"event": "APPROVE", "body": "As a PR reviewer and CODEOWNER", "comments": []doc{{"path": "README.md", "line": 1, "body": "here"}},
	}).is(200).has("state", "APPROVED", "commit_id", p.HeadSHA).at("id").(float64))
	mina.get("pulls/1/reviews").is(200).has("0.id", id, "0.user.login", "mina-maintain")
	mina.do("PUT", "pulls/1/reviews/"+itoa(id), words{"edited"}).is(200).has("body", "edited")
	mina.do("PUT", "pulls/1/reviews/"+itoa(id)+"/dismissals", doc{"message": "x"}).is(200).has("state", "DISMISSED")
	walt.get("pulls/1/reviews/99").is(404)
	pending := int64(mina.do("POST", "pulls/1/reviews", doc{"body": "later"}).is(200).has("state", "PENDING").at("id").(float64))
	if got := walt.get("pulls/1/reviews").count(""); got != 1 {
		t.Errorf("others see %d reviews, one of them pending", got)
	}
	mina.do("POST", "pulls/1/reviews/"+itoa(pending)+"/events", doc{"event": "COMMENT"}).is(200).has("state", "COMMENTED")

	walt.get("pulls/1/comments").is(200).has("0.body", "here", "0.pull_request_review_id", id)
	note := int64(walt.do("POST", "pulls/1/comments", doc{"path": "README.md", "line": 2, "body": "new", "commit_id": p.HeadSHA}).is(201).at("id").(float64))
	walt.do("POST", "pulls/1/comments/"+itoa(note)+"/replies", words{"answer"}).is(201).has("in_reply_to_id", note)
	walt.do("PATCH", "pulls/comments/"+itoa(note), words{"edited"}).is(200).has("body", "edited")
	walt.do("POST", "pulls/comments/"+itoa(note)+"/reactions", doc{"content": "heart"}).is(201)
	walt.do("DELETE", "pulls/comments/"+itoa(note), nil).is(204)
	walt.get("pulls/comments/" + itoa(note)).is(404)
	walt.do("POST", "pulls/1/comments", doc{"body": "x"}).is(422)
}

func TestChecksAndStatuses(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	n := openPR(t, s, "walt-write", "feat", false)
	p, _ := s.Pull(n)
	a, walt := asInstallation(t, s, nil), as(t, s, "walt-write")
	post := func(body doc) reply {
		return a.do("POST", "check-runs", merged(doc{"name": "verdict", "head_sha": p.HeadSHA}, body))
	}
	notes := func(n int) []doc {
		return slices.Repeat([]doc{{"path": "a", "start_line": 1, "end_line": 1, "annotation_level": "failure", "message": "m"}}, n)
	}
	post(doc{"output": doc{"title": "t", "summary": "s", "annotations": notes(51)}}).is(422)
	post(doc{"output": doc{"title": "t", "summary": strings.Repeat("x", maxCheckText+1)}}).is(422)
	post(doc{"status": "completed"}).is(422)
	post(doc{"conclusion": "fine"}).is(422)
	a.do("POST", "check-runs", doc{"name": "x", "head_sha": strings.Repeat("0", 40)}).is(422)
	id := int64(post(doc{"status": "in_progress", "external_id": "key", "output": doc{"title": "t", "summary": "s", "annotations": notes(50)}}).is(201).has("status", "in_progress", "conclusion", nil).at("id").(float64))
	path := "check-runs/" + itoa(id)
	a.do("PATCH", path, doc{"conclusion": "success", "output": doc{"title": "done", "summary": "s", "annotations": notes(3)}}).is(200).has("status", "completed", "output.annotations_count", 53, "output.title", "done", "app.slug", "sweepbot")
	if got := a.get(path + "/annotations?per_page=100").is(200).count(""); got != 53 {
		t.Errorf("%d annotations", got)
	}
	walt.do("PATCH", path, doc{"conclusion": "failure"}).is(403).has("message", "You must authenticate via a GitHub App.")
	post(doc{"status": "queued"}).is(201)
	walt.get("commits/"+p.HeadSHA+"/check-runs?check_name=verdict").is(200).has("total_count", 1, "check_runs.0.status", "queued")
	walt.get("commits/feat/check-runs?filter=all").is(200).has("total_count", 2)
	suite := walt.get("commits/feat/check-suites").is(200).has("total_count", 1, "check_suites.0.status", "in_progress").at("check_suites.0.id").(float64)
	walt.get("check-suites/"+itoa(int64(suite))+"/check-runs").is(200).has("total_count", 1)

	status := func(body doc) reply { return walt.do("POST", "statuses/"+p.HeadSHA, body) }
	walt.get("commits/feat/status").is(200).has("state", "pending", "total_count", 0)
	status(doc{"state": "fine"}).is(422)
	status(doc{"state": "success", "description": strings.Repeat("x", 141)}).is(422)
	status(doc{"state": "pending", "context": "a"}).is(201)
	status(doc{"state": "success", "context": "b", "description": "d", "target_url": "https://example.org/"}).is(201)
	walt.get("commits/feat/status").is(200).has("state", "pending", "total_count", 2)
	status(doc{"state": "success", "context": "A"}).is(201)
	walt.get("commits/feat/status").is(200).has("state", "success", "total_count", 2)
	status(doc{"state": "error", "context": "b"}).is(201)
	walt.get("commits/feat/status").is(200).has("state", "failure")
	walt.get("commits/feat/statuses").is(200).has("0.state", "error", "0.creator.login", "walt-write")
}

func TestErrorShapes(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	a := as(t, s, "walt-write")
	r := a.get("/nope").is(404).has("message", "Not Found", "documentation_url", docURL, "status", "404")
	for _, name := range []string{"X-GitHub-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if r.header.Get(name) == "" {
			t.Errorf("no header %s", name)
		}
	}
	req := must(http.NewRequest("POST", s.URL()+"/repos/"+s.Repository()+"/labels", strings.NewReader("{")))(t)
	req.Header.Set("Authorization", "token "+a.token)
	a.send(req).is(400).has("message", "Problems parsing JSON")
	a.do("POST", "labels", doc{"name": 1}).is(422)
	a.do("DELETE", "pulls/1", nil).is(404)
	(api{t, s, "ghp_wrong"}).get("").is(401).has("message", "Bad credentials")
	(api{t, s, ""}).get("/user").is(401)
	a.get("/user").is(200).has("login", "walt-write")
	a.get("/users/remy-read").is(200).has("type", "User")
	a.get("/repos/none/none").is(404)
}

// Any page size and any number of pages show every comment once, in order.
func TestPagingShowsEverythingOnce(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Limits: Limits{UserHour: -1, WritesMinute: -1, WritesHour: -1, PointsMinute: -1}})
	openPR(t, s, "walt-write", "feat", false)
	a := as(t, s, "walt-write")
	total := 0
	rapid.Check(t, func(rt *rapid.T) {
		for range rapid.IntRange(0, 7).Draw(rt, "more") {
			must(s.As("walt-write").Comment(t.Context(), 1, fmt.Sprint(total)))(t)
			total++
		}
		size := rapid.IntRange(1, 120).Draw(rt, "size")
		var got []string
		pages := 0
		next := fmt.Sprintf("%s/api/v3/repos/%s/issues/1/comments?per_page=%d", s.URL(), s.Repository(), size)
		for next != "" {
			req := must(http.NewRequest("GET", next, nil))(t)
			req.Header.Set("Authorization", "Bearer "+a.token)
			r := a.send(req).is(200)
			list := r.texts("", "body")
			if len(list) > min(size, maxPage) {
				rt.Fatalf("a page of %d", len(list))
			}
			got = append(got, list...)
			pages++
			next = linkTo(r.header.Get("Link"), "next")
			if last := linkTo(r.header.Get("Link"), "last"); (next == "") != (last == "") {
				rt.Fatalf("Link: %s", r.header.Get("Link"))
			}
		}
		if want := max(1, (total+min(size, maxPage)-1)/min(size, maxPage)); pages != want || len(got) != total {
			rt.Fatalf("%d pages with %d comments, want %d with %d", pages, len(got), want, total)
		}
		for i, body := range got {
			if body != fmt.Sprint(i) {
				rt.Fatalf("place %d holds %s", i, body)
			}
		}
	})
	a.get("issues/1/comments?per_page=x&page=-1").is(200)
	if got := a.get("issues/1/comments?page=9999").is(200).count(""); got != 0 {
		t.Errorf("beyond the end: %d", got)
	}
}

// linkTo returns the address of a relation in a Link header.
func linkTo(header, rel string) string {
	for part := range strings.SplitSeq(header, ", ") {
		if address, ok := strings.CutSuffix(part, `>; rel="`+rel+`"`); ok {
			return strings.TrimPrefix(address, "<")
		}
	}
	return ""
}

func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	s := start(t, Options{})
	openPR(t, s, "walt-write", "feat", false)
	a, other := as(t, s, "walt-write"), as(t, s, "tess-triage")
	first := a.get("pulls/1").is(200)
	tag := first.header.Get("ETag")
	again := a.get("pulls/1", "If-None-Match", tag).is(304)
	if len(again.body) != 0 || again.header.Get("X-RateLimit-Remaining") != first.header.Get("X-RateLimit-Remaining") {
		t.Errorf("304 costs quota: %s then %s", first.header.Get("X-RateLimit-Remaining"), again.header.Get("X-RateLimit-Remaining"))
	}
	other.get("pulls/1", "If-None-Match", tag).is(200) // S73
	ok(t, s.As("tess-triage").AddLabel(t.Context(), 1, "x"))
	a.get("pulls/1", "If-None-Match", tag).is(200)
}

func TestRateLimits(t *testing.T) {
	t.Parallel()
	clock := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := start(t, Options{AuthClock: func() time.Time { return clock }, Limits: Limits{AnonymousHour: 3, UserHour: 200, WritesMinute: 2, WritesHour: 3}})
	openPR(t, s, "walt-write", "feat", false)
	nobody, walt := as(t, s, ""), as(t, s, "walt-write")
	for range 3 {
		nobody.get("pulls/1").is(200)
	}
	out := nobody.get("pulls/1").is(403)
	if out.header.Get("X-RateLimit-Remaining") != "0" || out.header.Get("X-RateLimit-Reset") != fmt.Sprint(clock.Add(time.Hour).Unix()) {
		t.Errorf("headers: %v", out.header)
	}
	nobody.get("/rate_limit").is(200).has("rate.remaining", 0, "resources.core.limit", 3)
	say := func() reply { return walt.do("POST", "issues/1/comments", words{"x"}) }
	say().is(201)
	say().is(201)
	if r := say().is(403); r.header.Get("Retry-After") != "60" || !strings.Contains(string(r.body), "secondary rate limit") {
		t.Errorf("third write in a minute: %s", r.body)
	}
	clock = clock.Add(time.Minute)
	say().is(201)
	say().is(403) // the hour's three
	clock = clock.Add(time.Hour)
	say().is(201)
	nobody.get("pulls/1").is(200)
}

func TestPointsPerMinute(t *testing.T) {
	t.Parallel()
	clock := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := start(t, Options{AuthClock: func() time.Time { return clock }, Limits: Limits{PointsMinute: 12}})
	a := as(t, s, "walt-write")
	a.do("POST", "labels", doc{"name": "x"}).is(201)
	a.do("POST", "labels", doc{"name": "y"}).is(201)
	a.get("").is(200)
	a.get("").is(200)
	a.get("").is(403)
	clock = clock.Add(time.Minute)
	a.get("").is(200)
}

func TestWorkflowTokensShareTheRepositorysQuota(t *testing.T) {
	t.Parallel()
	left := make(chan string, 2)
	s := start(t, Options{Limits: Limits{RunHour: 10}, Engine: &recorder{run: nil}})
	s.opt.Engine.(*recorder).run = func(ctx ctx, req RunRequest) {
		left <- api{t, s, req.Token}.get("").header.Get("X-RateLimit-Remaining")
		green(ctx, req)
	}
	for range 2 {
		must(s.As("walt-write").Dispatch(t.Context(), "e2e-tests.yml", "main", map[string]string{"test-name": "x"}))(t)
		settle(t, s)
	}
	if one, two := <-left, <-left; one != "9" || two != "8" {
		t.Errorf("remaining %s, then %s", one, two)
	}
}
