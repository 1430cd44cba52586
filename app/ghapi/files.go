package ghapi

import (
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/sweepbot/sweepbot/app/bot"
)

// acceptObject asks for a document even where the path is a folder.
const acceptObject = "application/vnd.github.object+json"

// content is GitHub's answer about a path.
type content struct {
	Type     string `json:"type"`
	Encoding string `json:"encoding"`
	Content  string `json:"content"`
	SHA      string `json:"sha"`
	Size     int64  `json:"size"`
}

// ReadFile returns a file at a commit. Folders, submodules and links that lead
// nowhere are no files: the error is fs.ErrNotExist as for a missing one.
func (r *repository) ReadFile(ctx context.Context, sha, path string) ([]byte, error) {
	const form = "contents/{path}"
	if err := r.needSHA(sha); err != nil {
		return nil, err
	}
	if !fs.ValidPath(path) || path == "." {
		return nil, r.noFile(path)
	}
	req, err := r.gh.NewRequest(http.MethodGet, "repos/"+r.owner+"/"+r.name+"/contents/"+escapePath(path)+"?ref="+sha, nil)
	if err != nil {
		return nil, r.fail("GET", form, err)
	}
	req.Header.Set("Accept", acceptObject)
	var c content
	if _, err := r.gh.Do(ctx, req, &c); err != nil {
		err = r.fail("GET", form, err)
		if errors.Is(err, bot.ErrNotFound) {
			return nil, r.noFile(path)
		}
		return nil, err
	}
	if c.Type != "file" {
		return nil, r.noFile(path)
	}
	return r.content(ctx, c)
}

// content returns the bytes of a file. GitHub leaves them out above 1 MB.
func (r *repository) content(ctx context.Context, c content) ([]byte, error) {
	var data []byte
	var err error
	if c.Encoding == "base64" && (c.Content != "" || c.Size == 0) {
		data, err = base64.StdEncoding.DecodeString(strings.ReplaceAll(c.Content, "\n", ""))
	} else {
		if err := r.needSHA(c.SHA); err != nil {
			return nil, err
		}
		blob, _, err := r.gh.Git.GetBlobRaw(ctx, r.owner, r.name, c.SHA)
		if err != nil {
			return nil, r.fail("GET", "git/blobs/{sha}", err)
		}
		data = blob
	}
	if err != nil || int64(len(data)) != c.Size {
		return nil, newError(0, "ghapi.bad-answer", nil, "request", "GET repos/{owner}/{repo}/contents/{path}", "detail", "not the announced bytes")
	}
	return data, nil
}

func (r *repository) noFile(path string) error {
	return newError(0, "ghapi.no-file", []error{fs.ErrNotExist, bot.ErrNotFound}, "path", r.pipe.scrub.detail(path))
}

func escapePath(path string) string {
	parts := strings.Split(path, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

const (
	// compareFiles is the number of files at which GitHub's comparison ends.
	compareFiles = 300
	// maxChanged is the number of files that ChangedFiles returns.
	maxChanged = 3000
)

// ChangedFiles lists the paths that head changes since it left base, sorted; a
// rename is two paths. GitHub's comparison ends at 300 files: then the trees of
// the merge base and of head are compared, and complete is false when GitHub
// cut one of them.
func (r *repository) ChangedFiles(ctx context.Context, base, head string) (files []string, complete bool, err error) {
	for _, sha := range []string{base, head} {
		if err := r.needSHA(sha); err != nil {
			return nil, false, err
		}
	}
	c, _, err := r.gh.Repositories.CompareCommits(ctx, r.owner, r.name, base, head, &github.ListOptions{PerPage: 1})
	if err != nil {
		return nil, false, r.fail("GET", "compare/{basehead}", err)
	}
	if len(c.Files) >= compareFiles {
		return r.changedTrees(ctx, c.GetMergeBaseCommit().GetSHA(), head)
	}
	changed := make(map[string]bool)
	for _, f := range c.Files {
		changed[f.GetFilename()] = true
		if f.GetStatus() == "renamed" {
			changed[f.GetPreviousFilename()] = true
		}
	}
	return sortedPaths(changed), true, nil
}

// changedTrees compares two whole trees.
func (r *repository) changedTrees(ctx context.Context, base, head string) ([]string, bool, error) {
	if err := r.needSHA(base); err != nil {
		return nil, false, err
	}
	before, whole1, err := r.tree(ctx, base)
	if err != nil {
		return nil, false, err
	}
	after, whole2, err := r.tree(ctx, head)
	if err != nil {
		return nil, false, err
	}
	changed := make(map[string]bool)
	for path, entry := range before {
		if after[path] != entry {
			changed[path] = true
		}
	}
	for path := range after {
		if _, ok := before[path]; !ok {
			changed[path] = true
		}
	}
	files := sortedPaths(changed)
	if len(files) > maxChanged {
		return files[:maxChanged], false, nil
	}
	return files, whole1 && whole2, nil
}

// treeEntry is what makes two files the same.
type treeEntry struct{ mode, sha string }

// tree returns the files of a commit by path.
func (r *repository) tree(ctx context.Context, commit string) (entries map[string]treeEntry, whole bool, err error) {
	t, _, err := r.gh.Git.GetTree(ctx, r.owner, r.name, commit, true)
	if err != nil {
		return nil, false, r.fail("GET", "git/trees/{sha}", err)
	}
	entries = make(map[string]treeEntry, len(t.Entries))
	for _, e := range t.Entries {
		if e.GetType() != "tree" {
			entries[e.GetPath()] = treeEntry{e.GetMode(), e.GetSHA()}
		}
	}
	return entries, !t.GetTruncated(), nil
}

func sortedPaths(set map[string]bool) []string {
	delete(set, "")
	return slices.Sorted(maps.Keys(set))
}
