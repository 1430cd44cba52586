package gitrepo

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// maxHistory bounds the output of a walk through history, in bytes.
const maxHistory = 16 << 20

// MergeBase returns the id of the best common ancestor of two commits; where
// there are several, the one git names first.
//
// In a shallow clone an answer is given only when it is the answer of the whole
// history: when no cut-off commit lies between the ancestor and the two ends.
// Otherwise, and when nothing common is left, the error is a *[ShallowError].
// Further errors: those of [Repo.Commit], *[NoMergeBaseError],
// *[ProcessError].
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	commits, err := r.Commits(ctx, a, b)
	if err != nil {
		return "", err
	}
	left, right := commits[0].ID, commits[1].ID
	if left == right {
		return left, nil
	}
	out, _, err := r.run(ctx, maxRequest, "merge-base", left, right)
	if err != nil {
		return "", err
	}
	base := strings.TrimSpace(out)
	cut, err := r.cutOff(ctx, left, right, base)
	switch {
	case err != nil:
		return "", err
	case cut:
		return "", &ShallowError{A: a, B: b, Dir: r.dir}
	case !isOID(base):
		return "", &NoMergeBaseError{A: a, B: b}
	}
	return base, nil
}

// cutOff reports whether history was cut off at a commit that is an ancestor of
// left or right and not of base. Only through such a commit could there be a
// better common ancestor than base, or one at all.
func (r *Repo) cutOff(ctx context.Context, left, right, base string) (bool, error) {
	cuts, err := r.boundary()
	if err != nil || len(cuts) == 0 {
		return false, err
	}
	args := []string{"rev-list", left, right}
	if base != "" {
		args = append(args, "^"+base)
	}
	out, _, err := r.run(ctx, maxHistory, args...)
	if err != nil {
		return false, err
	}
	for id := range strings.SplitSeq(out, "\n") {
		if cuts[id] {
			return true, nil
		}
	}
	return false, nil
}

// boundary returns the commits whose parents this clone left out.
func (r *Repo) boundary() (map[string]bool, error) {
	f, err := os.Open(r.shallowFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, r.processError("merge-base", "", err)
	}
	defer f.Close()
	cuts := make(map[string]bool)
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		cuts[strings.TrimSpace(lines.Text())] = true
	}
	if err := lines.Err(); err != nil {
		return nil, r.processError("merge-base", "", err)
	}
	delete(cuts, "")
	return cuts, nil
}
