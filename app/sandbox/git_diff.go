package sandbox

import (
	"context"
	"strconv"
	"strings"
)

// fileChange is one file of a comparison, as the API describes it.
type fileChange struct {
	status     string // added, removed, modified, renamed, copied, changed
	path, from string
	blob       string // the new blob, or the old one of a removed file
	additions  int
	deletions  int
	patch      string // hunks; "" where there are none or they are withheld
}

// Limits of patches in answers (spec/github-limits.md, "Diffs").
const (
	maxPatchLines = 20_000
	maxPatchBytes = 500 << 10
	maxPullFiles  = 3_000
	maxFiles      = 300 // of a comparison or commit
)

// emptyTree is the id of the tree without entries, to compare a first commit
// with.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// changes compares two trees or commits.
func (b *bare) changes(ctx context.Context, from, to string, limit int) ([]fileChange, error) {
	out, err := b.git(ctx, "diff-tree", "-r", "-M", "--raw", "--numstat", "-z", "--no-abbrev", from, to)
	if err != nil {
		return nil, err
	}
	list := parseChanges(out)
	if len(list) == 0 {
		return nil, nil
	}
	text, err := b.git(ctx, "diff-tree", "-r", "-M", "-p", from, to)
	if err != nil {
		return nil, err
	}
	for i, patch := range splitPatches(text) {
		if i < len(list) {
			list[i].patch = patch
		}
	}
	return withhold(list[:min(len(list), limit)]), nil
}

// withhold drops what GitHub leaves out: patches of large files, and
// everything after so many lines, counts included.
func withhold(list []fileChange) []fileChange {
	lines := 0
	for i := range list {
		f := &list[i]
		if lines > maxPatchLines {
			f.additions, f.deletions, f.patch = 0, 0, ""
			continue
		}
		n := strings.Count(f.patch, "\n")
		lines += n
		if n > maxPatchLines || len(f.patch) > maxPatchBytes {
			f.patch = ""
		}
	}
	return list
}

// parseChanges reads the output of diff-tree --raw --numstat -z: first one
// record a file with modes, ids and status, then one with counts.
func parseChanges(out string) []fileChange {
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	var list []fileChange
	counted := 0
	for len(fields) > 0 {
		head := fields[0]
		fields = fields[1:]
		switch {
		case strings.HasPrefix(head, ":") && len(fields) > 0:
			f, used := rawChange(head, fields)
			list, fields = append(list, f), fields[used:]
		case strings.Count(head, "\t") >= 2 && counted < len(list):
			parts := strings.SplitN(head, "\t", 3)
			list[counted].additions, _ = strconv.Atoi(parts[0])
			list[counted].deletions, _ = strconv.Atoi(parts[1])
			counted++
			if parts[2] == "" && len(fields) >= 2 { // a rename: two paths follow
				fields = fields[2:]
			}
		}
	}
	return list
}

// rawChange reads ":mode mode id id status" and the paths behind it.
func rawChange(head string, paths []string) (f fileChange, used int) {
	parts := strings.Fields(head)
	if len(parts) != 5 {
		return f, 0
	}
	f.path, f.blob = paths[0], parts[3]
	switch parts[4][0] {
	case 'A':
		f.status = "added"
	case 'D':
		f.status, f.blob = "removed", parts[2]
	case 'R', 'C':
		if len(paths) < 2 {
			return f, 1
		}
		f.status, f.from, f.path = "renamed", paths[0], paths[1]
		return f, 2
	default:
		f.status = "modified"
	}
	return f, 1
}

// splitPatches cuts the output of diff-tree -p into the hunks of each file. In
// a patch only the headers begin with "diff --git".
func splitPatches(text string) []string {
	var all []string
	for _, part := range strings.Split("\n"+text, "\ndiff --git ")[1:] {
		hunks := ""
		if at := strings.Index(part, "\n@@"); at >= 0 {
			hunks = strings.TrimSuffix(part[at+1:], "\n")
		}
		all = append(all, hunks)
	}
	return all
}

// commitsBetween lists the commits of b that a does not have, oldest first.
func (b *bare) commitsBetween(ctx context.Context, from, to string) ([]string, error) {
	out, err := b.git(ctx, "rev-list", "--reverse", "--topo-order", to, "^"+from)
	return strings.Fields(out), err
}

// history lists at most limit ancestors of a commit, itself first; with a path
// those that changed it.
func (b *bare) history(ctx context.Context, rev, path string, limit int) ([]string, error) {
	args := []string{"rev-list", "--max-count=" + strconv.Itoa(limit), rev, "--"}
	if path != "" {
		args = append(args, path)
	}
	out, err := b.pipe(ctx, nil, []string{"GIT_LITERAL_PATHSPECS=1"}, args...)
	return strings.Fields(out), err
}

// ahead counts the commits that only to has, and that only from has.
func (b *bare) ahead(ctx context.Context, from, to string) (ahead, behind int, err error) {
	out, err := b.git(ctx, "rev-list", "--left-right", "--count", from+"..."+to)
	if counts := strings.Fields(out); len(counts) == 2 {
		behind, _ = strconv.Atoi(counts[0])
		ahead, _ = strconv.Atoi(counts[1])
	}
	return ahead, behind, err
}

// contains reports whether a commit is an ancestor of another, or the same.
func (b *bare) contains(ctx context.Context, descendant, ancestor string) bool {
	_, err := b.git(ctx, "merge-base", "--is-ancestor", ancestor, descendant)
	return err == nil
}

// changedPaths lists the files that differ between two commits; renamed ones
// with both names. Without a first commit it lists every file.
func (b *bare) changedPaths(ctx context.Context, from, to string) ([]string, error) {
	if from == "" {
		out, err := b.git(ctx, "ls-tree", "-r", "--name-only", "-z", to)
		return strings.Split(strings.TrimSuffix(out, "\x00"), "\x00"), err
	}
	list, err := b.read.Changed(ctx, from, to)
	paths := make([]string, len(list))
	for i, c := range list {
		paths[i] = c.Path
	}
	return paths, err
}
