package given

import "github.com/sweepbot/sweepbot/checks"

// maxPages is how deep arrays of answers nest: pages of pages.
const maxPages = 3

// document reads one JSON document: the layout, a single answer of the API that
// is recognised by its members, or an array of such.
func (r *Reader) document(v value, level int) error {
	switch {
	case v.isArray() && level < maxPages:
		return r.array(v, level)
	case !v.isObject():
		return v.refuse("checks.evidence-shape")
	}
	members := v.members()
	if read := shapeOf(members); read != nil {
		return read(r, v)
	}
	return r.layout(v, members)
}

// shapes are the objects of the API, by the members that only they have; the
// first that fits is taken.
var shapes = []struct {
	members []string
	without string
	read    func(*Reader, value) error
}{
	{members: []string{"number", "head", "base"}, read: (*Reader).someonesPull},
	{members: []string{"body", "user", "submitted_at"}, read: (*Reader).skip}, // a review: no comment counts it
	{members: []string{"body", "user", "path"}, read: (*Reader).skip},         // an inline comment
	{members: []string{"body", "user", "id"}, without: "number", read: single((*Reader).comments)},
	{members: []string{"run_id", "name", "steps"}, read: single((*Reader).jobs)},
	{members: []string{"run_id", "name", "status"}, read: single((*Reader).jobs)},
	{members: []string{"run_attempt", "head_sha", "event"}, read: single((*Reader).runs)},
	{members: []string{"workflow_id", "head_sha"}, read: single((*Reader).runs)},
	{members: []string{"name", "size_in_bytes"}, read: (*Reader).looseArtifacts},
	{members: []string{"name", "head_sha", "status"}, read: single((*Reader).checkRuns)},
	{members: []string{"filename", "status"}, read: (*Reader).skip}, // files and commits come from git
	{members: []string{"sha", "commit"}, read: (*Reader).skip},
}

// shapeOf finds the reader of an object of the API, or nil.
func shapeOf(members []member) func(*Reader, value) error {
	for _, s := range shapes {
		if has(members, s.members...) && (s.without == "" || !has(members, s.without)) {
			return s.read
		}
	}
	return nil
}

// single reads one item as a list of one.
func single(read func(*Reader, value) error) func(*Reader, value) error {
	return func(r *Reader, v value) error {
		raw := append(append([]byte{'['}, v.raw...), ']')
		return read(r, value{v.file, raw, v.at - 1, v.path})
	}
}

// skip leaves an answer alone that no check needs.
func (*Reader) skip(value) error { return nil }

// someonesPull is the pull request itself, or one of another repository.
func (r *Reader) someonesPull(v value) error {
	var p checks.Pull
	if err := v.decode(&p); err != nil {
		return err
	}
	if p.Number == r.PR || r.PR == 0 || p.Base.Repo == nil {
		r.documents.Pull = &p
		return nil
	}
	setIn(&r.documents.Upstream, upstreamKey(p.Base.Repo.FullName, p.Number), p)
	return nil
}

// array reads an array of answers. An empty one says nothing: of what, is not
// to be seen.
func (r *Reader) array(v value, level int) error {
	for _, item := range v.items() {
		if err := r.document(item, level+1); err != nil {
			return err
		}
	}
	return nil
}
