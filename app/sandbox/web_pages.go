package sandbox

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// pageRoutes are the pages. Their patterns look like the API's, so that the
// same code finds repositories, pull requests and runs.
var pageRoutes = []route{
	{"GET /", anyone, homePage},
	{"GET /{owner}", anyone, homePage},
	{"GET /{owner}/{repo}", anyone, repoPage},
	{"GET /{owner}/{repo}/pulls", anyone, repoPage},
	{"GET /{owner}/{repo}/pull/{number}", anyone, pullPage},
	{"GET /{owner}/{repo}/pull/{number}/checks", anyone, checksPage},
	{"GET /{owner}/{repo}/pull/{number}/files", anyone, filesPage},
	{"GET /{owner}/{repo}/issues/{number}", anyone, issuePage},
	{"GET /{owner}/{repo}/commit/{ref}", anyone, commitPage},
	{"GET /{owner}/{repo}/tree/{ref}", anyone, filePage},
	{"GET /{owner}/{repo}/tree/{ref}/{path...}", anyone, filePage},
	{"GET /{owner}/{repo}/blob/{ref}/{path...}", anyone, filePage},
	{"GET /{owner}/{repo}/raw/{ref}/{path...}", anyone, rawFile},
	{"GET /{owner}/{repo}/runs/{id}", anyone, checkPage},
	{"GET /{owner}/{repo}/actions", anyone, actionsPage},
	{"GET /{owner}/{repo}/actions/runs/{run}", anyone, runPage},
	{"GET /{owner}/{repo}/actions/runs/{run}/live", anyone, liveRun},
	{"GET /{owner}/{repo}/actions/runs/{run}/job/{job}", anyone, jobPage},
	{"GET /{owner}/{repo}/actions/runs/{run}/artifacts/{artifact}", anyone, artifactFile},
}

func homePage(c *call) (any, error) {
	people := convert(c.s.opt.People, func(p Account) doc {
		return doc{"login": p.Login, "name": p.Name, "role": cmp.Or(p.Role, "none"), "member": p.Member}
	})
	repos := c.s.repositories()
	if owner := c.path("owner"); owner != "" {
		repos = filter(repos, func(r *repository) bool { return strings.EqualFold(r.owner.login, owner) })
		if len(repos) == 0 && c.s.user(owner) == nil {
			return nil, notFound()
		}
	}
	return view{"home", "Sandbox", doc{"repos": convert(repos, c.s.repoDoc), "people": people}}, nil
}

func repoPage(c *call) (any, error) {
	list := newestFirst(c.repo.pulls())
	rows := convert(list, func(x *issue) doc {
		d := c.s.pullDoc(x, false, true)
		d["checks"] = c.outcomes(x.pull.headSHA)
		d["comments"] = len(x.comments)
		return d
	})
	readme := ""
	if data, err := c.repo.git.read.ReadFile(c.s.ctx, c.repo.tip(), "README.md"); err == nil {
		readme = string(data)
	}
	return view{"repo", c.repo.fullName(), doc{"pulls": rows, "readme": readme, "branches": len(c.repo.heads)}}, nil
}

// outcomes counts the newest check runs and statuses of a commit by state.
func (c *call) outcomes(sha string) []doc {
	counts := make(map[string]int)
	for _, k := range c.chosen(filter(c.repo.checks, func(k *check) bool { return k.suite.sha == sha })) {
		counts[stateWord(k.status, k.conclusion)]++
	}
	newest := make(map[string]string)
	for _, st := range c.repo.statuses {
		if st.sha == sha {
			newest[st.context] = st.state
		}
	}
	for _, state := range newest {
		counts[state]++
	}
	return convert(sortedKeys(counts), func(word string) doc { return doc{"state": word, "count": counts[word]} })
}

// conversation is everything on the page of an issue, in the order of time.
func (c *call) conversation(x *issue) []doc {
	var lines []doc
	for _, m := range x.comments {
		lines = append(lines, merged(c.s.commentDoc(m, false), doc{"kind": "comment", "words": reactionList(m.reactions)}))
	}
	for _, e := range x.timeline {
		if e.kind != "reviewed" {
			lines = append(lines, merged(c.s.eventDoc(x, e), doc{"kind": "event"}))
		}
	}
	if x.pull != nil {
		for _, rv := range x.pull.reviews {
			lines = append(lines, merged(c.s.reviewDoc(rv, true), doc{"kind": "review", "created_at": stamp(rv.submitted)}))
		}
		for _, n := range x.pull.notes {
			lines = append(lines, merged(c.s.noteDoc(n, false), doc{"kind": "note"}))
		}
	}
	slices.SortStableFunc(lines, func(a, b doc) int { return strings.Compare(a["created_at"].(string), b["created_at"].(string)) })
	return lines
}

// reactionList counts reactions with their signs.
func reactionList(list []*reaction) []string {
	signs := map[string]string{
		"+1": "👍", "-1": "👎", "laugh": "😄", "confused": "😕", "heart": "❤️", "hooray": "🎉", "rocket": "🚀", "eyes": "👀",
	}
	var out []string
	for _, word := range reactionWords {
		if n := len(filter(list, func(r *reaction) bool { return r.content == word })); n > 0 {
			out = append(out, fmt.Sprintf("%s %d", signs[word], n))
		}
	}
	return out
}

func pullPage(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	data := c.pullHeader(x)
	data["lines"] = c.conversation(x)
	data["reactions"] = reactionList(x.reactions)
	return view{"pull", fmt.Sprintf("%s · #%d", x.title, x.number), data}, nil
}

// pullHeader is the head of the pages of a pull request.
func (c *call) pullHeader(x *issue) doc {
	return doc{"pull": c.s.pullDoc(x, true, true), "checks": c.outcomes(x.pull.headSHA)}
}

func issuePage(c *call) (any, error) {
	x, err := c.issue()
	if err != nil {
		return nil, err
	}
	if x.pull != nil {
		return redirect(c.s.issuePage(x)), nil
	}
	return view{"issue", x.title, doc{"issue": c.s.issueDoc(x, false), "lines": c.conversation(x)}}, nil
}

func checksPage(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	data := c.pullHeader(x)
	data["suites"] = c.suitesOf(x.pull.headSHA)
	list := newestFirst(filter(c.repo.statuses, func(st *status) bool { return st.sha == x.pull.headSHA }))
	data["statuses"] = convert(list, func(st *status) doc { return c.s.statusDoc(c.repo, st) })
	return view{"checks", fmt.Sprintf("Checks · #%d", x.number), data}, nil
}

// suitesOf lists the check runs of a commit by suite.
func (c *call) suitesOf(sha string) []doc {
	var list []doc
	for _, u := range newestFirst(c.repo.suites) {
		checks := u.checks()
		if u.sha != sha || len(checks) == 0 && u.run == nil {
			continue
		}
		d := merged(c.s.suiteDoc(u), doc{"title": u.app.name, "checks": convert(newestFirst(c.chosen(checks)), c.checkCard)})
		if u.run != nil {
			d["title"], d["link"] = u.run.workflow.name, c.s.runPage(u.run)
			d["event"] = u.run.event
		}
		list = append(list, d)
	}
	return list
}

// checkCard is a check run with its annotations.
func (c *call) checkCard(k *check) doc {
	return merged(c.s.checkDoc(k), doc{"annotations": k.annotations})
}

func checkPage(c *call) (any, error) {
	k, err := c.check()
	if err != nil {
		return nil, err
	}
	if k.job != nil {
		return redirect(c.s.jobURL(k.job)), nil
	}
	return view{"check", k.name, doc{"check": c.checkCard(k)}}, nil
}

func filesPage(c *call) (any, error) {
	x, err := c.pull()
	if err != nil {
		return nil, err
	}
	files, err := c.s.pullDiff(x)
	if err != nil {
		return nil, err
	}
	data := c.pullHeader(x)
	data["files"] = convert(files[:min(len(files), maxFiles)], func(f fileChange) doc { return c.s.fileDoc(c.repo, f, x.pull.headSHA) })
	return view{"files", fmt.Sprintf("Files · #%d", x.number), data}, nil
}

func commitPage(c *call) (any, error) {
	d, err := getCommit(c)
	if err != nil {
		return nil, err
	}
	commit := d.(doc)
	sha := commit["sha"].(string)
	return view{"commit", sha[:8], doc{"commit": commit, "files": commit["files"], "suites": c.suitesOf(sha)}}, nil
}

// filePage shows a file or a folder.
func filePage(c *call) (any, error) {
	ref, name := c.path("ref"), strings.Trim(c.path("path"), "/")
	sha, err := c.commitOf(ref)
	if err != nil {
		return nil, notFound()
	}
	tree, err := c.repo.git.read.Tree(c.s.ctx, sha)
	if err != nil {
		return nil, err
	}
	data := doc{"path": name, "ref": ref}
	if entries, err := tree.List(name); err == nil {
		data["entries"] = convert(entries, func(e gitEntry) doc {
			return c.s.entryDoc(c.repo, strings.TrimPrefix(name+"/"+e.Name, "/"), ref, entryType(e.Mode), e.OID, 0)
		})
		return view{"file", name, data}, nil
	}
	text, err := tree.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil, notFound()
	}
	if err != nil {
		return nil, err
	}
	if utf8.Valid(text) && len(text) <= maxInline {
		data["lines"] = strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	}
	data["raw"] = c.s.webURL("%s/raw/%s/%s", c.repo.fullName(), ref, escapePath(name))
	return view{"file", name, data}, nil
}

// rawFile is a file as plain text, whatever it holds.
func rawFile(c *call) (any, error) {
	sha, err := c.commitOf(c.path("ref"))
	if err != nil {
		return nil, notFound()
	}
	data, err := c.repo.git.read.ReadFile(c.s.ctx, sha, c.path("path"))
	if err != nil {
		return nil, notFound()
	}
	return raw{"text/plain; charset=utf-8", data}, nil
}

func actionsPage(c *call) (any, error) {
	runs := newestFirst(c.repo.runs)
	if file := c.query("workflow"); file != "" {
		runs = filter(runs, func(u *run) bool { return u.workflow.path == file })
	}
	workflows := filter(c.repo.workflows, func(w *workflow) bool { return w.state != "deleted" })
	return view{"actions", "Actions", doc{
		"runs":      convert(runs[:min(len(runs), 200)], func(u *run) doc { return c.s.runDoc(u, u.last()) }),
		"workflows": convert(workflows, c.s.workflowDoc), "workflow": c.query("workflow"),
	}}, nil
}

func runPage(c *call) (any, error) {
	u, err := c.run()
	if err != nil {
		return nil, err
	}
	return view{"run", u.title, c.runData(u)}, nil
}

// runData is what the page of a run and its live part show.
func (c *call) runData(u *run) doc {
	a := u.last()
	if n := slices.IndexFunc(u.attempts, func(a *attempt) bool { return fmt.Sprint(a.number) == c.query("attempt") }); n >= 0 {
		a = u.attempts[n]
	}
	var summaries []doc
	for _, j := range a.jobs {
		if j.summary != "" {
			summaries = append(summaries, doc{"job": j.check.name, "text": j.summary})
		}
	}
	return doc{
		"run": c.s.runDoc(u, a), "families": c.families(a), "artifacts": convert(u.artifacts(), c.artifactRow),
		"summaries": summaries, "attempts": convert(u.attempts, func(a *attempt) int { return a.number }),
	}
}

func (c *call) artifactRow(a *artifact) doc {
	return merged(c.s.artifactDoc(a), doc{"link": fmt.Sprintf("%s/artifacts/%d", c.s.runPage(a.run), a.id)})
}

// families groups the jobs of an attempt by what is before " / " in their
// names, and counts each group's states.
func (c *call) families(a *attempt) []doc {
	var names []string
	members := make(map[string][]doc)
	for _, j := range a.jobs {
		family, point, ok := strings.Cut(j.check.name, " / ")
		if !ok {
			family, point = "", j.check.name
		}
		if _, met := members[family]; !met {
			names = append(names, family)
		}
		members[family] = append(members[family], merged(c.s.jobDoc(j), doc{"point": point}))
	}
	return convert(names, func(name string) doc {
		counts := make(map[string]int)
		for _, d := range members[name] {
			counts[stateWord(d["status"], d["conclusion"])]++
		}
		words := convert(sortedKeys(counts), func(word string) doc { return doc{"state": word, "count": counts[word]} })
		return doc{"name": name, "jobs": members[name], "counts": words}
	})
}

// liveRun is the part of a run's page that changes while it runs.
func liveRun(c *call) (any, error) {
	u, err := c.run()
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	if err := pages().ExecuteTemplate(&b, "live", c.runData(u)); err != nil {
		return nil, err
	}
	body, err := json.Marshal(doc{"done": u.status == "completed", "html": b.String()})
	return raw{"application/json; charset=utf-8", body}, err
}

func jobPage(c *call) (any, error) {
	j, err := c.job()
	if err != nil {
		return nil, err
	}
	steps := convert(j.steps, func(st *step) doc {
		return doc{
			"name": st.name, "status": st.status, "conclusion": st.conclusion, "log": j.text(st.number),
			"started_at": stampOrNil(st.started), "completed_at": stampOrNil(st.completed),
		}
	})
	rest := filter(j.log, func(l logLine) bool { return l.step == 0 })
	return view{"job", j.check.name, doc{
		"job": c.s.jobDoc(j), "run": c.s.runDoc(j.run, j.attempt), "steps": steps, "annotations": j.check.annotations, "summary": j.summary,
		"log": (&job{log: rest}).text(0),
	}}, nil
}

func artifactFile(c *call) (any, error) {
	a, err := c.artifact()
	if err != nil {
		return nil, err
	}
	if c.s.isExpired(a) {
		return nil, refuse(http.StatusGone, "Artifact has expired")
	}
	return redirect(c.s.downloadURL("artifact", a.id)), nil
}
