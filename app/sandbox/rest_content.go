package sandbox

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// contentRoutes are files, commits and comparisons.
var contentRoutes = []route{
	{"GET /repos/{owner}/{repo}/contents/{path...}", reads("contents"), getContents},
	{"GET /repos/{owner}/{repo}/contents", reads("contents"), getContents},
	{"PUT /repos/{owner}/{repo}/contents/{path...}", anyone, putContents},
	{"GET /repos/{owner}/{repo}/commits", reads("contents"), listCommits},
	{"GET /repos/{owner}/{repo}/commits/{ref}", reads("contents"), getCommit},
	{"GET /repos/{owner}/{repo}/commits/{ref}/pulls", reads("pull_requests", "contents"), commitPulls},
	{"GET /repos/{owner}/{repo}/compare/{basehead...}", reads("contents"), getCompare},
}

// maxInline is the size in bytes up to which a file's content is in the
// document; up to maxFile it comes as raw media only.
const (
	maxInline = 1 << 20
	maxFile   = 100 << 20
)

// commitOf resolves a revision of a request.
func (c *call) commitOf(rev string) (string, error) {
	if sha := c.repo.git.resolve(c.s.ctx, rev); sha != "" {
		return sha, nil
	}
	return "", unprocessable("No commit found for SHA: %s", rev)
}

func getContents(c *call) (any, error) {
	ref := c.query("ref")
	if ref == "" {
		ref = c.repo.defaultBranch
	}
	sha := c.repo.git.resolve(c.s.ctx, ref)
	if sha == "" {
		return nil, refuse(http.StatusNotFound, "No commit found for the ref %s", ref)
	}
	tree, err := c.repo.git.read.Tree(c.s.ctx, sha)
	if err != nil {
		return nil, err
	}
	name := strings.Trim(path.Clean("/"+c.path("path")), "/")
	at, err := tree.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrInvalid):
		return nil, notFound()
	case err != nil:
		return nil, err
	case at.Mode.IsDir():
		return c.directory(tree, name, ref)
	}
	return c.file(at, name, ref)
}

// directory lists a folder.
func (c *call) directory(tree *gitrepo.Tree, name, ref string) (any, error) {
	entries, err := tree.List(name)
	if err != nil {
		return nil, err
	}
	out := make([]doc, 0, len(entries))
	for _, e := range entries {
		size := 0
		if e.Mode.IsRegular() {
			data, err := tree.ReadFile(path.Join(name, e.Name))
			if err != nil {
				return nil, err
			}
			size = len(data)
		}
		out = append(out, c.s.entryDoc(c.repo, path.Join(name, e.Name), ref, entryType(e.Mode), e.OID, size))
	}
	return out, nil
}

func entryType(m gitrepo.Mode) string {
	switch {
	case m.IsDir():
		return "dir"
	case m.IsSymlink():
		return "symlink"
	case m.IsSubmodule():
		return "submodule"
	}
	return "file"
}

// file answers a file, a link or a submodule.
func (c *call) file(at gitrepo.Entry, name, ref string) (any, error) {
	typ := entryType(at.Mode)
	if typ == "submodule" {
		return merged(c.s.entryDoc(c.repo, name, ref, typ, at.OID, 0), doc{"submodule_git_url": nil}), nil
	}
	out, err := c.repo.git.git(c.s.ctx, "cat-file", "blob", at.OID)
	switch {
	case err != nil:
		return nil, err
	case len(out) > maxFile:
		return nil, refuse(http.StatusForbidden, "This API returns blobs up to 100 MB in size.")
	case c.wants("raw"):
		return raw{"application/vnd.github.raw; charset=utf-8", []byte(out)}, nil
	}
	d := c.s.entryDoc(c.repo, name, ref, typ, at.OID, len(out))
	if typ == "symlink" {
		return c.link(d, name, ref, out)
	}
	d["encoding"], d["content"] = "base64", inLines(base64.StdEncoding.EncodeToString([]byte(out)))
	if len(out) > maxInline {
		d["encoding"], d["content"] = "none", ""
	}
	return d, nil
}

// link answers a symbolic link: the file that it leads to, if that is a normal
// one, else itself.
func (c *call) link(d doc, name, ref, target string) (any, error) {
	to := path.Join(path.Dir(name), target)
	tree, err := c.repo.git.read.Tree(c.s.ctx, c.repo.git.resolve(c.s.ctx, ref))
	if err == nil && fs.ValidPath(to) {
		if at, err := tree.Stat(to); err == nil && at.Mode.IsRegular() {
			return c.file(at, to, ref)
		}
	}
	d["target"] = target
	return d, nil
}

// inLines breaks encoded content as GitHub does.
func inLines(text string) string {
	var b strings.Builder
	for len(text) > 60 {
		b.WriteString(text[:60] + "\n")
		text = text[60:]
	}
	b.WriteString(text + "\n")
	return b.String()
}

// putContents commits one file.
func putContents(c *call) (any, error) {
	var in struct {
		Message, Content, Branch, SHA string
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(in.Content, "\n", ""))
	if err != nil {
		return nil, unprocessable("content is not valid Base64")
	}
	branch := in.Branch
	if branch == "" {
		branch = c.repo.defaultBranch
	}
	name := strings.Trim(path.Clean("/"+c.path("path")), "/")
	was := ""
	if tree, err := c.repo.git.read.Tree(c.s.ctx, "refs/heads/"+branch); err == nil {
		was, _ = tree.OID(name) // "" for a new file
	}
	switch {
	case was != "" && in.SHA == "":
		return nil, unprocessable("Invalid request.\n\n\"sha\" wasn't supplied.")
	case was != in.SHA:
		return nil, refuse(http.StatusConflict, "%s does not match %s", name, in.SHA)
	}
	sha, err := c.s.commitFiles(c.who, c.repo, branch, "", in.Message, map[string]blob{name: {modeFile, data}})
	if err != nil {
		return nil, err
	}
	return c.committed(name, branch, sha, was == "", len(data))
}

func (c *call) committed(name, branch, sha string, added bool, size int) (any, error) {
	tree, err := c.repo.git.read.Tree(c.s.ctx, sha)
	if err != nil {
		return nil, err
	}
	oid, err := tree.OID(name)
	if err != nil {
		return nil, err
	}
	if added {
		c.status = http.StatusCreated
	}
	return doc{
		"content": c.s.entryDoc(c.repo, name, branch, "file", oid, size), "commit": c.s.gitCommitDoc(c.repo, tree.Commit()),
	}, nil
}

// maxHistory bounds how far back a list of commits goes.
const maxHistory = 10_000

func listCommits(c *call) (any, error) {
	rev := c.query("sha")
	if rev == "" {
		rev = c.repo.defaultBranch
	}
	sha := c.repo.git.resolve(c.s.ctx, rev)
	if sha == "" {
		return nil, notFound()
	}
	list, err := c.repo.git.history(c.s.ctx, sha, c.query("path"), maxHistory)
	if err != nil {
		return nil, err
	}
	return c.commits(page(c, list))
}

// commits are the documents of some commits.
func (c *call) commits(list []string) (any, error) {
	if len(list) == 0 {
		return []doc{}, nil
	}
	all, err := c.repo.git.read.Commits(c.s.ctx, list...)
	if err != nil {
		return nil, err
	}
	return convert(all, func(g gitCommit) doc { return c.s.commitDoc(c.repo, g) }), nil
}

func getCommit(c *call) (any, error) {
	sha, err := c.commitOf(c.path("ref"))
	if err != nil {
		return nil, err
	}
	if c.wants("sha") {
		return raw{"application/vnd.github.sha", []byte(sha)}, nil
	}
	g, err := c.repo.git.read.Commit(c.s.ctx, sha)
	if err != nil {
		return nil, err
	}
	from := emptyTree
	if len(g.Parents) > 0 {
		from = g.Parents[0]
	}
	files, err := c.repo.git.changes(c.s.ctx, from, sha, maxFiles)
	if err != nil {
		return nil, err
	}
	return merged(c.s.commitDoc(c.repo, g), c.differences(files, sha)), nil
}

// differences are the files and counts of a comparison.
func (c *call) differences(files []fileChange, sha string) doc {
	additions, deletions := 0, 0
	for _, f := range files {
		additions, deletions = additions+f.additions, deletions+f.deletions
	}
	return doc{
		"stats": doc{"additions": additions, "deletions": deletions, "total": additions + deletions},
		"files": convert(files, func(f fileChange) doc { return c.s.fileDoc(c.repo, f, sha) }),
	}
}

func commitPulls(c *call) (any, error) {
	sha, err := c.commitOf(c.path("ref"))
	if err != nil {
		return nil, err
	}
	return convert(page(c, c.repo.pullsOfCommit(sha)), func(x *issue) doc { return c.s.pullDoc(x, false, false) }), nil
}

// resolveEnd finds one end of a comparison: a revision, or owner:branch of a
// fork.
func (c *call) resolveEnd(rev string) string {
	owner, branch, ok := strings.Cut(rev, ":")
	if !ok {
		return c.repo.git.resolve(c.s.ctx, rev)
	}
	r := c.s.repo(owner + "/" + c.repo.name)
	if r == nil || r.heads[branch] == "" {
		return ""
	}
	if r != c.repo && c.repo.git.fetch(c.s.ctx, r.git, branch, "refs/sandbox/compared") != nil {
		return ""
	}
	return r.heads[branch]
}

func getCompare(c *call) (any, error) {
	base, head, ok := strings.Cut(c.path("basehead"), "...")
	from, to := c.resolveEnd(base), c.resolveEnd(head)
	if !ok || from == "" || to == "" {
		return nil, notFound()
	}
	g, ctx := c.repo.git, c.s.ctx
	common, err := g.read.MergeBase(ctx, from, to)
	if err != nil {
		return nil, refuse(http.StatusNotFound, "No common ancestor between %s and %s.", base, head)
	}
	files, err := g.changes(ctx, common, to, maxFiles)
	if err != nil {
		return nil, err
	}
	if c.wants("diff") {
		text, err := g.git(ctx, "diff", common, to)
		return raw{"application/vnd.github.diff; charset=utf-8", []byte(text)}, err
	}
	return c.comparison(from, to, common, files)
}

// comparison is the document of a comparison.
func (c *call) comparison(from, to, common string, files []fileChange) (any, error) {
	g, ctx := c.repo.git, c.s.ctx
	ahead, behind, err := g.ahead(ctx, from, to)
	if err != nil {
		return nil, err
	}
	ends, err := g.read.Commits(ctx, from, common)
	if err != nil {
		return nil, err
	}
	list, err := g.commitsBetween(ctx, from, to)
	if err != nil {
		return nil, err
	}
	commits, err := c.commits(page(c, list))
	if err != nil {
		return nil, err
	}
	status := map[[2]bool]string{{false, false}: "identical", {true, false}: "ahead", {false, true}: "behind", {true, true}: "diverged"}
	page := c.s.webURL("%s/compare/%s...%s", c.repo.fullName(), from, to)
	return doc{
		"url": c.s.repoURL(c.repo) + "/compare/" + from + "..." + to, "html_url": page, "permalink_url": page, "diff_url": page + ".diff",
		"patch_url": page + ".patch", "base_commit": c.s.commitDoc(c.repo, ends[0]), "merge_base_commit": c.s.commitDoc(c.repo, ends[1]),
		"status": status[[2]bool{ahead > 0, behind > 0}], "ahead_by": ahead, "behind_by": behind, "total_commits": len(list), "commits": commits,
		"files": c.differences(files, to)["files"],
	}, nil
}

// escapePath escapes the parts of a path for an address.
func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

// gitObject is the address of an object.
func (c *call) gitObject(kind, oid string) string {
	return fmt.Sprintf("%s/git/%s/%s", c.s.repoURL(c.repo), kind, oid)
}
