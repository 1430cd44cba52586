package jobs

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// repairGit removes what a cancelled checkout left in a workspace that lasts:
// locks, and git directories of submodules that name no commit (known failure
// F41). One job at a time uses a workspace, so no lock is in use. Nothing is
// followed out of the workspace.
func repairGit(ctx context.Context, h *Host, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return outside(dir, err)
	}
	defer root.Close()
	if info, err := root.Lstat(".git"); err != nil || !info.IsDir() {
		return nil // nothing is checked out yet
	}
	if err := removeLocks(h, root); err != nil {
		return err
	}
	for _, name := range moduleDirs(root) {
		gitDir := filepath.Join(dir, ".git", "modules", filepath.FromSlash(name))
		if exec.CommandContext(ctx, "git", "--git-dir="+gitDir, "rev-parse", "--quiet", "--verify", "HEAD^{commit}").Run() == nil {
			continue
		}
		h.say("remove the unusable submodule %s", name)
		if err := root.RemoveAll(filepath.Join(".git", "modules", filepath.FromSlash(name))); err != nil {
			return outside(name, err)
		}
		if err := root.RemoveAll(filepath.FromSlash(name)); err != nil {
			return outside(name, err)
		}
	}
	return nil
}

// removeLocks deletes every index.lock below .git.
func removeLocks(h *Host, root *os.Root) error {
	return fs.WalkDir(root.FS(), ".git", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return outside(name, err)
		case d.IsDir() && d.Name() == "objects":
			return fs.SkipDir
		case d.Name() != "index.lock":
			return nil
		}
		h.say("remove the stale lock %s", name)
		return outside(name, root.Remove(name))
	})
}

// moduleDirs are the git directories of submodules, one or two levels below
// .git/modules, by the name of their submodule. What has a HEAD or a config is
// meant to be one, whole or not.
func moduleDirs(root *os.Root) []string {
	var names []string
	for _, pattern := range []string{"*", "*/*"} {
		for _, file := range []string{"HEAD", "config"} {
			found, _ := fs.Glob(root.FS(), ".git/modules/"+pattern+"/"+file)
			for _, name := range found {
				name = path.Dir(strings.TrimPrefix(name, ".git/modules/"))
				if path.Base(name) != "logs" && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}
