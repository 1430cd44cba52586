package sandbox

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// gitRoutes are objects and refs.
var gitRoutes = []route{
	{"GET /repos/{owner}/{repo}/git/commits/{sha}", reads("contents"), getGitCommit},
	{"POST /repos/{owner}/{repo}/git/commits", writes(roleWrite, "contents"), postGitCommit},
	{"GET /repos/{owner}/{repo}/git/trees/{sha}", reads("contents"), getTree},
	{"POST /repos/{owner}/{repo}/git/trees", writes(roleWrite, "contents"), postTree},
	{"GET /repos/{owner}/{repo}/git/blobs/{sha}", reads("contents"), getBlob},
	{"POST /repos/{owner}/{repo}/git/blobs", writes(roleWrite, "contents"), postBlob},
	{"GET /repos/{owner}/{repo}/git/ref/{ref...}", reads("contents"), getRef},
	{"GET /repos/{owner}/{repo}/git/matching-refs/{ref...}", reads("contents"), matchingRefs},
	{"POST /repos/{owner}/{repo}/git/refs", writes(roleWrite, "contents"), postRef},
	{"PATCH /repos/{owner}/{repo}/git/refs/{ref...}", writes(roleWrite, "contents"), patchRef},
	{"DELETE /repos/{owner}/{repo}/git/refs/{ref...}", writes(roleWrite, "contents"), deleteRef},
}

func getGitCommit(c *call) (any, error) {
	sha := c.path("sha")
	if !isOID(sha) || c.repo.git.resolve(c.s.ctx, sha) != sha {
		return nil, notFound()
	}
	g, err := c.repo.git.read.Commit(c.s.ctx, sha)
	if err != nil {
		return nil, err
	}
	return c.s.gitCommitDoc(c.repo, g), nil
}

// isOID reports whether a text has the form of a full object id.
func isOID(text string) bool {
	return len(text) == 40 && strings.Trim(text, "0123456789abcdef") == ""
}

// object returns the content of an object of a kind, or 404.
func (c *call) object(kind, oid string) (string, error) {
	out, err := c.repo.git.git(c.s.ctx, "cat-file", kind, oid)
	if err != nil {
		return "", notFound()
	}
	return out, nil
}

func getTree(c *call) (any, error) {
	rev := c.path("sha")
	oid := rev
	if sha := c.repo.git.resolve(c.s.ctx, rev); sha != "" {
		oid = sha + "^{tree}"
	} else if !isOID(rev) {
		return nil, notFound()
	}
	args := []string{"ls-tree", "-l", "-z"}
	if c.query("recursive") != "" {
		args = append(args, "-r", "-t")
	}
	out, err := c.repo.git.git(c.s.ctx, append(args, oid)...)
	if err != nil {
		return nil, notFound()
	}
	if tree, err := c.repo.git.git(c.s.ctx, "rev-parse", oid); err == nil {
		oid = strings.TrimSpace(tree)
	}
	return doc{"sha": oid, "url": c.gitObject("trees", oid), "tree": c.treeEntries(out), "truncated": false}, nil
}

// treeEntries reads the output of ls-tree -l -z.
func (c *call) treeEntries(out string) []doc {
	list := []doc{}
	for _, line := range strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") {
		meta, name, ok := strings.Cut(line, "\t")
		parts := strings.Fields(meta)
		if !ok || len(parts) != 4 {
			continue
		}
		d := doc{"mode": parts[0], "type": parts[1], "sha": parts[2], "path": name, "url": c.gitObject(parts[1]+"s", parts[2])}
		if size, err := strconv.Atoi(parts[3]); err == nil {
			d["size"] = size
		}
		list = append(list, d)
	}
	return list
}

func getBlob(c *call) (any, error) {
	oid := c.path("sha")
	if !isOID(oid) {
		return nil, notFound()
	}
	out, err := c.object("blob", oid)
	if err != nil {
		return nil, err
	}
	if c.wants("raw") {
		return raw{"application/vnd.github.raw; charset=utf-8", []byte(out)}, nil
	}
	return doc{
		"sha": oid, "node_id": base64.StdEncoding.EncodeToString([]byte("B:" + oid)), "size": len(out), "url": c.gitObject("blobs", oid),
		"encoding": "base64", "content": inLines(base64.StdEncoding.EncodeToString([]byte(out))),
	}, nil
}

func postBlob(c *call) (any, error) {
	var in struct{ Content, Encoding string }
	if err := c.body(&in); err != nil {
		return nil, err
	}
	data := []byte(in.Content)
	if in.Encoding == "base64" {
		var err error
		if data, err = base64.StdEncoding.DecodeString(strings.ReplaceAll(in.Content, "\n", "")); err != nil {
			return nil, unprocessable("content is not valid Base64")
		}
	}
	oid, err := c.repo.git.pipe(c.s.ctx, strings.NewReader(string(data)), nil, "hash-object", "-w", "--stdin")
	if err != nil {
		return nil, err
	}
	oid = strings.TrimSpace(oid)
	return c.created(doc{"sha": oid, "url": c.gitObject("blobs", oid)})
}

// treeLine is an entry of a tree to be made. Without content and id the path is
// removed.
type treeLine struct {
	Path    string  `json:"path"`
	Mode    string  `json:"mode"`
	SHA     *string `json:"sha"`
	Content *string `json:"content"`
}

func postTree(c *call) (any, error) {
	var in struct {
		Base string     `json:"base_tree"`
		Tree []treeLine `json:"tree"`
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	index := "GIT_INDEX_FILE=" + filepath.Join(c.repo.git.dir, "tree.index")
	defer os.Remove(filepath.Join(c.repo.git.dir, "tree.index"))
	if in.Base != "" {
		if _, err := c.repo.git.pipe(c.s.ctx, nil, []string{index}, "read-tree", "--end-of-options", in.Base); err != nil {
			return nil, unprocessable("base_tree is not a valid tree")
		}
	}
	lines, err := c.indexLines(in.Tree)
	if err != nil {
		return nil, err
	}
	if _, err := c.repo.git.pipe(c.s.ctx, strings.NewReader(lines), []string{index}, "update-index", "-z", "--index-info"); err != nil {
		return nil, unprocessable("tree.path contains a malformed path component")
	}
	out, err := c.repo.git.pipe(c.s.ctx, nil, []string{index}, "write-tree")
	if err != nil {
		return nil, unprocessable("tree.sha is not a valid object")
	}
	oid := strings.TrimSpace(out)
	list, err := c.repo.git.git(c.s.ctx, "ls-tree", "-l", "-z", oid)
	if err != nil {
		return nil, err
	}
	return c.created(doc{"sha": oid, "url": c.gitObject("trees", oid), "tree": c.treeEntries(list), "truncated": false})
}

// indexLines turns entries into the input of update-index.
func (c *call) indexLines(tree []treeLine) (string, error) {
	var b strings.Builder
	for _, t := range tree {
		switch {
		case t.Content != nil:
			oid, err := c.repo.git.pipe(c.s.ctx, strings.NewReader(*t.Content), nil, "hash-object", "-w", "--stdin")
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&b, "%s %s\t%s\x00", t.Mode, strings.TrimSpace(oid), t.Path)
		case t.SHA == nil:
			fmt.Fprintf(&b, "0 %s\t%s\x00", noCommit, t.Path)
		case !isOID(*t.SHA):
			return "", unprocessable("tree.sha %s is not a valid object", *t.SHA)
		default:
			fmt.Fprintf(&b, "%s %s\t%s\x00", t.Mode, *t.SHA, t.Path)
		}
	}
	return b.String(), nil
}

func postGitCommit(c *call) (any, error) {
	var in struct {
		Message, Tree string
		Parents       []string
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	if !isOID(in.Tree) || slices.ContainsFunc(in.Parents, func(p string) bool { return !isOID(p) }) {
		return nil, unprocessable("Tree SHA does not exist")
	}
	by := c.s.signature(c.who.user)
	sha, err := c.repo.git.commitTree(c.s.ctx, in.Tree, in.Parents, in.Message, by, by)
	if err != nil {
		return nil, unprocessable("Tree SHA or parent does not exist")
	}
	g, err := c.repo.git.read.Commit(c.s.ctx, sha)
	if err != nil {
		return nil, err
	}
	return c.created(c.s.gitCommitDoc(c.repo, g))
}

// refDoc is a ref.
func (c *call) refDoc(ref, oid string) doc {
	return doc{
		"ref": ref, "node_id": base64.StdEncoding.EncodeToString([]byte("REF:" + ref)), "url": c.s.repoURL(c.repo) + "/git/" + ref,
		"object": doc{"type": "commit", "sha": oid, "url": c.gitObject("commits", oid)},
	}
}

func getRef(c *call) (any, error) {
	refs, err := c.repo.git.refs(c.s.ctx)
	if err != nil {
		return nil, err
	}
	ref := "refs/" + c.path("ref")
	if refs[ref] == "" {
		return nil, notFound()
	}
	return c.refDoc(ref, refs[ref]), nil
}

func matchingRefs(c *call) (any, error) {
	refs, err := c.repo.git.refs(c.s.ctx)
	if err != nil {
		return nil, err
	}
	names := filter(slices.Sorted(maps.Keys(refs)), func(ref string) bool { return strings.HasPrefix(ref, "refs/"+c.path("ref")) })
	return convert(names, func(ref string) doc { return c.refDoc(ref, refs[ref]) }), nil
}

// movable refuses refs that clients may not write.
func movable(ref string) error {
	if strings.HasPrefix(ref, "refs/heads/") || strings.HasPrefix(ref, "refs/tags/") {
		return nil
	}
	return unprocessable("Reference name must start with 'refs/heads/' or 'refs/tags/'.")
}

// moveRef sets a ref and lets everything follow.
func (c *call) moveRef(ref, before, after string) error {
	if err := movable(ref); err != nil {
		return err
	}
	if err := c.repo.git.setRef(c.s.ctx, ref, after); err != nil {
		return unprocessable("Reference update failed")
	}
	return c.s.moved(c.who, c.repo, push{ref: ref, before: before, after: after})
}

func postRef(c *call) (any, error) {
	var in struct{ Ref, SHA string }
	if err := c.body(&in); err != nil {
		return nil, err
	}
	refs, err := c.repo.git.refs(c.s.ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case refs[in.Ref] != "":
		return nil, unprocessable("Reference already exists")
	case c.repo.git.resolve(c.s.ctx, in.SHA) != in.SHA || in.SHA == "":
		return nil, unprocessable("Object does not exist")
	}
	if err := c.moveRef(in.Ref, "", in.SHA); err != nil {
		return nil, err
	}
	return c.created(c.refDoc(in.Ref, in.SHA))
}

func patchRef(c *call) (any, error) {
	var in struct {
		SHA   string
		Force bool
	}
	if err := c.body(&in); err != nil {
		return nil, err
	}
	ref := "refs/" + c.path("ref")
	before := c.repo.git.resolve(c.s.ctx, ref)
	switch {
	case before == "":
		return nil, unprocessable("Reference does not exist")
	case c.repo.git.resolve(c.s.ctx, in.SHA) != in.SHA || in.SHA == "":
		return nil, unprocessable("Object does not exist")
	case !in.Force && !c.repo.git.contains(c.s.ctx, in.SHA, before):
		return nil, unprocessable("Update is not a fast forward")
	}
	if err := c.moveRef(ref, before, in.SHA); err != nil {
		return nil, err
	}
	return c.refDoc(ref, in.SHA), nil
}

func deleteRef(c *call) (any, error) {
	ref := "refs/" + c.path("ref")
	before := c.repo.git.resolve(c.s.ctx, ref)
	if before == "" {
		return nil, unprocessable("Reference does not exist")
	}
	if ref == "refs/heads/"+c.repo.defaultBranch {
		return nil, refuse(http.StatusUnprocessableEntity, "Cannot delete the default branch")
	}
	return nil, c.moveRef(ref, before, "")
}
