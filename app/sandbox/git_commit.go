package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"
)

// Modes of files in a commit.
const (
	modeFile       = "100644"
	modeExecutable = "100755"
	modeSymlink    = "120000"
)

// blob is a file to be committed. Without a mode it is deleted.
type blob struct {
	mode string
	data []byte
}

// signature is who made a commit, and when.
type signature struct {
	name, email string
	when        time.Time
}

// newCommit is a commit to be made on a branch.
type newCommit struct {
	branch  string
	parents []string
	files   map[string]blob
	message string
	author  signature
}

// commit writes a commit, moves its branch there and returns its id. The tree
// is that of the first parent with the files changed.
func (b *bare) commit(ctx context.Context, c newCommit) (string, error) {
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit refs/heads/%s\nmark :1\n", c.branch)
	for _, role := range []string{"author", "committer"} {
		fmt.Fprintf(&in, "%s %s <%s> %d +0000\n", role, c.author.name, c.author.email, c.author.when.Unix())
	}
	writeData(&in, []byte(c.message))
	for i, parent := range c.parents {
		fmt.Fprintf(&in, "%s %s\n", map[bool]string{true: "from", false: "merge"}[i == 0], parent)
	}
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		f := c.files[name]
		if f.mode == "" {
			fmt.Fprintf(&in, "D %s\n", importPath(name))
			continue
		}
		fmt.Fprintf(&in, "M %s inline %s\n", f.mode, importPath(name))
		writeData(&in, f.data)
	}
	in.WriteString("get-mark :1\ndone\n")
	// --force: the caller says which commit the branch stands on, and holds
	// the lock.
	out, err := b.pipe(ctx, &in, nil, "fast-import", "--quiet", "--done", "--force")
	return strings.TrimSpace(out), err
}

func writeData(in *bytes.Buffer, data []byte) {
	fmt.Fprintf(in, "data %d\n", len(data))
	in.Write(data)
	in.WriteByte('\n')
}

// importPath quotes a path for the import stream.
func importPath(name string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(name) + `"`
}

// commitTree writes a commit of a tree and returns its id; no ref moves.
func (b *bare) commitTree(ctx context.Context, tree string, parents []string, message string, author, committer signature) (string, error) {
	args := []string{"commit-tree", tree}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	out, err := b.pipe(ctx, strings.NewReader(message), append(author.environment("AUTHOR"), committer.environment("COMMITTER")...), args...)
	return strings.TrimSpace(out), err
}

func (s signature) environment(role string) []string {
	return []string{
		"GIT_" + role + "_NAME=" + s.name, "GIT_" + role + "_EMAIL=" + s.email,
		fmt.Sprintf("GIT_%s_DATE=@%d +0000", role, s.when.Unix()),
	}
}

// merge computes the tree of a merge. clean is false when the two conflict or
// have no history in common.
func (b *bare) merge(ctx context.Context, ours, theirs string) (tree string, clean bool, err error) {
	out, err := b.git(ctx, "merge-tree", "--write-tree", ours, theirs)
	tree, _, _ = strings.Cut(out, "\n")
	switch {
	case err == nil:
		return tree, true, nil
	case exitCode(err) > 0:
		return "", false, nil
	}
	return "", false, err
}

// maxSeed bounds the files of the first commit, in bytes.
const maxSeed = 64 << 20

// readSeed reads the files of a folder, links as links.
func readSeed(fsys fs.FS) (map[string]blob, error) {
	files := make(map[string]blob)
	left := int64(maxSeed)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if left -= info.Size(); left < 0 {
			return fmt.Errorf("%s: more than %d bytes in all", name, maxSeed)
		}
		f, err := seedFile(fsys, name, info.Mode())
		if err == nil {
			files[name] = f
		}
		return err
	})
	return files, err
}

func seedFile(fsys fs.FS, name string, mode fs.FileMode) (blob, error) {
	if mode&fs.ModeSymlink != 0 {
		target, err := fs.ReadLink(fsys, name)
		return blob{modeSymlink, []byte(target)}, err
	}
	data, err := fs.ReadFile(fsys, name)
	if mode&0o111 != 0 {
		return blob{modeExecutable, data}, err
	}
	return blob{modeFile, data}, err
}
