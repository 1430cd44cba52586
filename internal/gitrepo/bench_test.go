package gitrepo

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// benchRepo has 1,000 files of 2 KB in 40 folders.
func benchRepo(b *testing.B) (dir string, names []string) {
	var files []string
	for i := range 1000 {
		name := fmt.Sprintf("recipes/d%02d/f%03d.sh", i%40, i)
		names = append(names, name)
		files = append(files, name, strings.Repeat(name+"\n", 2048/len(name)))
	}
	dir, _ = oneCommit(b, files...)
	git(b, dir, "gc", "-q")
	return dir, names
}

// One repository, 1,000 reads, each through git.
func BenchmarkRead1000(b *testing.B) {
	dir, names := benchRepo(b)
	r := open(b, dir)
	r.cache.limit = 200_000 // holds the folders, hardly the files
	tree, err := r.Tree(b.Context(), "HEAD")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, name := range names {
			if _, err := tree.ReadFile(name); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// The same with all requests written together.
func BenchmarkPrefetch1000(b *testing.B) {
	dir, names := benchRepo(b)
	r := open(b, dir)
	for b.Loop() {
		r.cache.objects = nil
		tree, err := r.Tree(b.Context(), "HEAD")
		if err != nil {
			b.Fatal(err)
		}
		if err := tree.Prefetch(names...); err != nil {
			b.Fatal(err)
		}
	}
}

// plan opens a repository and reads what a plan reads.
func plan(ctx context.Context, dir, base, head string, paths []string) error {
	r, err := Open(ctx, dir)
	if err != nil {
		return err
	}
	defer r.Close()
	trees, err := r.Prefetch(ctx, Want{base, paths[:1]}, Want{head, paths})
	if err != nil {
		return err
	}
	for _, path := range paths {
		if _, err := trees[1].ReadFile(path); err != nil {
			return err
		}
	}
	_, err = trees[0].ReadFile(paths[0])
	return err
}

// Open, two commits, five files, with the start of git. GITREPO_BENCH may name
// a real clone: "dir base head path path ...".
func BenchmarkPlan(b *testing.B) {
	var dir, base, head string
	var paths []string
	if fields := strings.Fields(os.Getenv("GITREPO_BENCH")); len(fields) > 3 {
		dir, base, head, paths = fields[0], fields[1], fields[2], fields[3:]
	} else {
		dir, paths = benchRepo(b)
		base, head, paths = "HEAD", "main", paths[:4]
	}
	for b.Loop() {
		if err := plan(b.Context(), dir, base, head, paths); err != nil {
			b.Fatal(err)
		}
	}
}
