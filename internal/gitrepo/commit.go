package gitrepo

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// Commit is a commit object. Its texts are bytes as stored: they may be no
// UTF-8, and whoever wrote the commit chose them, names and times included.
type Commit struct {
	ID        string   // full object id
	Tree      string   // id of its tree
	Parents   []string // ids, in order; they may be absent from a shallow clone
	Author    Signature
	Committer Signature
	Message   string
}

// Signature says who and when.
type Signature struct {
	Name  string
	Email string
	When  time.Time // zero where the commit has no usable time
}

// Subject returns the first line of the message.
func (c Commit) Subject() string {
	subject, _, _ := strings.Cut(c.Message, "\n")
	return strings.TrimRight(subject, "\r")
}

// Commit returns the commit that rev names: a full or abbreviated id, a branch,
// a tag, HEAD, or one of these followed by ~n or ^n. Errors: *[RevError],
// *[MissingObjectError], *[CorruptError].
func (r *Repo) Commit(ctx context.Context, rev string) (Commit, error) {
	commits, err := r.Commits(ctx, rev)
	if err != nil {
		return Commit{}, err
	}
	return commits[0], nil
}

// Commits is [Repo.Commit] for several revisions with one request.
func (r *Repo) Commits(ctx context.Context, revs ...string) ([]Commit, error) {
	names := make([]string, 0, 2*len(revs))
	for _, rev := range revs {
		if err := checkRev(rev); err != nil {
			return nil, err
		}
		names = append(names, rev+"^{commit}")
	}
	// The root trees come along: whoever asks for a commit reads it next.
	for _, rev := range revs {
		names = append(names, rev+"^{tree}")
	}
	answers, err := r.resolve(ctx, revs, names)
	if err != nil {
		return nil, err
	}
	commits := make([]Commit, len(revs))
	for i, rev := range revs {
		if commits[i], err = r.commit(ctx, rev, answers[i]); err != nil {
			return nil, err
		}
	}
	return commits, nil
}

// resolve asks for names, unless revs are full ids of commits that are known
// already.
func (r *Repo) resolve(ctx context.Context, revs, names []string) ([]object, error) {
	known := make([]object, 0, len(revs))
	for _, rev := range revs {
		if o, ok := r.cache.get(rev); ok && o.kind == kindCommit {
			known = append(known, o)
		}
	}
	if len(known) == len(revs) {
		return known, ctxErr(ctx)
	}
	answers := make([]object, len(names))
	err := r.ask(ctx, names, func(i int, o object) { answers[i] = r.keep(o) })
	return answers, err
}

func (r *Repo) commit(ctx context.Context, rev string, o object) (Commit, error) {
	switch {
	case o.state == oversize:
		return Commit{}, &TooLargeError{OID: o.oid, Size: o.size, Limit: o.limit, Rev: rev}
	case o.state != present:
		return Commit{}, r.explain(ctx, rev)
	}
	commit, ok := parseCommit(o.oid, string(o.data))
	if !ok {
		return Commit{}, &CorruptError{OID: o.oid, Rev: rev}
	}
	return commit, nil
}

// parseCommit reads a commit object. It insists on the tree and on well-formed
// ids; a malformed signature is kept as far as it goes, old histories have
// them.
func parseCommit(id, text string) (Commit, bool) {
	c := Commit{ID: id}
	head, message, ok := strings.Cut(text, "\n\n")
	if !ok {
		head = strings.TrimSuffix(text, "\n")
	}
	c.Message = message
	for line := range strings.SplitSeq(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch key {
		case "tree":
			if c.Tree != "" || len(value) != len(id) || !isOID(value) {
				return Commit{}, false
			}
			c.Tree = value
		case "parent":
			if len(value) != len(id) || !isOID(value) {
				return Commit{}, false
			}
			c.Parents = append(c.Parents, value)
		case "author":
			c.Author = parseSignature(value)
		case "committer":
			c.Committer = parseSignature(value)
		}
	}
	return c, c.Tree != ""
}

// lastSecond is the end of year 9999: later times can't be written as JSON.
const lastSecond = 253402300799

// parseSignature reads "Name <mail> seconds zone".
func parseSignature(s string) Signature {
	name, rest, _ := strings.Cut(s, "<")
	email, when, _ := strings.Cut(rest, ">")
	sig := Signature{Name: strings.TrimSpace(name), Email: email}
	fields := strings.Fields(when)
	if len(fields) != 2 {
		return sig
	}
	seconds, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil || seconds < 0 || seconds > lastSecond {
		return sig
	}
	sig.When = time.Unix(seconds, 0).In(parseZone(fields[1]))
	return sig
}

// parseZone reads +hhmm; what is not in that form counts as UTC.
func parseZone(s string) *time.Location {
	n, err := strconv.Atoi(s)
	if err != nil || len(s) != 5 || n < -1400 || n > 1400 || n == 0 {
		return time.UTC
	}
	return time.FixedZone("", (n/100*60+n%100)*60)
}
