package bot

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/gitrepo"
	"github.com/sweepbot/sweepbot/matrix"
)

// Workspace is a place whose files are planned: a clone, whose revisions are
// read from its object store, or a plain folder, which is one revision.
type Workspace struct {
	dir  string
	repo *gitrepo.Repo // nil for a plain folder
	root *os.Root      // nil for a clone
}

// OpenWorkspace opens a clone or a plain folder. A folder inside of somebody
// else's clone is a plain folder.
func OpenWorkspace(ctx context.Context, dir string) (*Workspace, error) {
	repo, err := gitrepo.Open(ctx, dir)
	if err == nil {
		return &Workspace{dir: dir, repo: repo}, nil
	}
	var notRepo *gitrepo.NotRepositoryError
	if !errors.As(err, &notRepo) {
		return nil, err
	}
	root, rootErr := os.OpenRoot(dir)
	if rootErr != nil {
		return nil, diag.New("bot.no-folder", diag.Place{File: dir}, "detail", rootErr.Error()).In("unreadable")
	}
	return &Workspace{dir: dir, root: root}, nil
}

// Close ends the reading.
func (w *Workspace) Close() error {
	if w.repo != nil {
		return w.repo.Close()
	}
	return w.root.Close()
}

// IsFolder reports whether the workspace is a plain folder.
func (w *Workspace) IsFolder() bool { return w.repo == nil }

// Dir is the folder on disk.
func (w *Workspace) Dir() string { return w.dir }

// Revision returns the files of one revision. A plain folder has only the
// revision "", its files as they are.
func (w *Workspace) Revision(ctx context.Context, rev string) (matrix.Revision, error) {
	if w.repo == nil {
		if rev != "" {
			return matrix.Revision{}, diag.New("bot.folder-has-no-revisions", diag.Place{File: w.dir}, "rev", rev).In("usage")
		}
		return matrix.Revision{Ref: workingTree, Files: folder{w.root}}, nil
	}
	tree, err := w.repo.Tree(ctx, rev)
	if err != nil {
		return matrix.Revision{}, err
	}
	return revision(rev, tree), nil
}

// Change returns both sides of a change. Without a base it is, in a clone, the
// merge base of head and the base branch; in a plain folder the same folder
// without the newest changelog entry.
func (w *Workspace) Change(ctx context.Context, base, head string) (matrix.Change, error) {
	if w.repo == nil {
		return w.folderChange(ctx, base, head)
	}
	if head == "" {
		head = "HEAD"
	}
	if base == "" {
		found, err := w.defaultBase(ctx, head)
		if err != nil {
			return matrix.Change{}, err
		}
		base = found
	}
	trees, err := w.repo.Prefetch(ctx,
		gitrepo.Want{Rev: base, Paths: likelyFiles(false)}, gitrepo.Want{Rev: head, Paths: likelyFiles(true)})
	if err != nil {
		return matrix.Change{}, err
	}
	return matrix.Change{
		Base: revision(base, trees[0]),
		Head: revision(head, trees[1]),
	}, nil
}

// likelyFiles are the files that planning reads first in the layouts of the
// presets: the settings, and of a head the configs. To ask git for them in one
// go saves turns; a repository with a layout of its own is merely read one file
// at a time. The changelogs, the largest files, are left out: git unpacks them
// while we decode the configs.
func likelyFiles(head bool) []string {
	names := config.FileNames()
	for _, preset := range config.PresetNames() {
		s, _ := config.Preset(preset)
		below := []string{s.Layout.Probe}
		if head {
			below = append(append(below, s.Layout.Masters...), s.Layout.Runners)
		}
		for _, root := range s.Layout.Roots {
			for _, name := range below {
				names = append(names, path.Join(root, name))
			}
		}
	}
	return names
}

func revision(ref string, tree *gitrepo.Tree) matrix.Revision {
	commit := tree.Commit()
	return matrix.Revision{Ref: ref, Commit: commit.ID, Tree: commit.Tree, Files: tree}
}

// baseCandidates are the names under which a clone knows its base branch.
var baseCandidates = []string{"origin/HEAD", "origin/main", "main"}

func (w *Workspace) defaultBase(ctx context.Context, head string) (string, error) {
	for _, name := range baseCandidates {
		if _, err := w.repo.Commit(ctx, name); err == nil {
			return w.repo.MergeBase(ctx, name, head)
		}
	}
	return "", diag.New("bot.no-base", diag.Place{File: w.dir}).In("usage")
}

func (w *Workspace) folderChange(ctx context.Context, base, head string) (matrix.Change, error) {
	if base != "" {
		head = base
	}
	is, err := w.Revision(ctx, head)
	if err != nil {
		return matrix.Change{}, err
	}
	settings, _, err := config.Detect(is.Files)
	if err != nil {
		return matrix.Change{}, err
	}
	was, err := withoutNewest(is.Files, settings.Layout)
	if err != nil {
		return matrix.Change{}, err
	}
	return matrix.Change{Base: matrix.Revision{Ref: "before-newest-entry", Files: was}, Head: is}, nil
}

// folder reads files below a directory and never leaves it, not even through
// a symbolic link.
type folder struct{ root *os.Root }

// ReadFile reads a regular file by its slash-separated path.
func (f folder) ReadFile(name string) ([]byte, error) {
	return f.root.ReadFile(filepath.FromSlash(path.Clean(name)))
}

// overlay is a revision of which one file has other bytes.
type overlay struct {
	matrix.Files
	name string
	data []byte
}

// ReadFile returns the replaced bytes, or the file below.
func (o overlay) ReadFile(name string) ([]byte, error) {
	if path.Clean(name) == o.name {
		return o.data, nil
	}
	return o.Files.ReadFile(name)
}

// withoutNewest is a revision as it was before its newest changelog entry was
// appended.
func withoutNewest(files matrix.Files, layout config.Layout) (matrix.Files, error) {
	name, err := layout.Resolve(files, layout.Changelog)
	if err != nil {
		return nil, err
	}
	data, err := files.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return files, nil
	}
	if err != nil {
		return nil, err
	}
	const start = "- config-keys:"
	at := bytes.LastIndex(data, []byte("\n"+start))
	if at < 0 {
		return overlay{files, name, nil}, nil
	}
	return overlay{files, name, append(bytes.TrimRight(data[:at], "\n"), '\n')}, nil
}
