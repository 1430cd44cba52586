package gitrepo

import (
	"context"
	"strings"
	"unicode"
)

// maxRev bounds the length of a revision, in bytes.
const maxRev = 1024

// checkRev refuses what is no plain name of a commit. Anything that passes is
// one line of a request to the batch process, or an id.
//
// Refused are: what looks like an option or a negation; blanks and control
// characters, which end a request; ranges; and the forms with a colon or a
// pattern, which name files or search the whole history.
func checkRev(rev string) error {
	bad := rev == "" || len(rev) > maxRev || rev[0] == '-' || rev[0] == '^' ||
		strings.Contains(rev, "..") || strings.Contains(rev, "^{/") || strings.Contains(rev, ":") ||
		strings.ContainsFunc(rev, func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) })
	if bad {
		return &RevError{Rev: rev, Problem: RevUnsafe}
	}
	return nil
}

// explain finds out why rev could not be read as a commit.
func (r *Repo) explain(ctx context.Context, rev string) error {
	problem := &RevError{Rev: rev, Problem: RevUnknown, Shallow: r.Shallow(), Dir: r.dir}
	found, err := r.askAll(ctx, rev)
	if err != nil {
		return err
	}
	switch o := found[0]; {
	case o.state == ambiguous:
		problem.Problem = RevAmbiguous
	case o.state == missing && isOID(rev):
		return r.missing(rev, rev, "")
	case o.state == missing:
	case o.kind == kindCommit:
		return &CorruptError{OID: o.oid, Rev: rev}
	case o.kind == kindTag && o.state == present:
		return r.explainTag(ctx, problem, o)
	default:
		problem.Problem, problem.Kind = RevNotCommit, o.kind
	}
	return problem
}

// explainTag tells an annotated tag whose object is not here from one that
// marks something else than a commit.
func (r *Repo) explainTag(ctx context.Context, problem *RevError, tag object) error {
	target, _, _ := strings.Cut(strings.TrimPrefix(string(tag.data), "object "), "\n")
	if !isOID(target) {
		return &CorruptError{OID: tag.oid, Rev: problem.Rev}
	}
	found, err := r.askAll(ctx, target)
	if err != nil {
		return err
	}
	if found[0].state == missing {
		return r.missing(target, problem.Rev, "")
	}
	problem.Problem, problem.Kind = RevNotCommit, found[0].kind
	return problem
}
