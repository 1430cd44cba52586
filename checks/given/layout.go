package given

import (
	"bytes"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// Reader collects evidence from files, later ones on top of earlier ones. PR is
// the pull request that is verified, 0 where it is not known: a single pull
// request of another number belongs to some other repository.
type Reader struct {
	PR        int
	documents Documents
	// loose are artifacts that do not say of which run they are.
	loose []value
	// places find what was read before by its id, see put.
	places map[itemKey]int
}

// Documents returns what was read. The error is a finding about an answer that
// belongs to nothing.
func (r *Reader) Documents() (*Documents, error) {
	for _, v := range r.loose {
		if len(r.documents.Runs) != 1 {
			return nil, v.refuse("checks.evidence-no-run")
		}
		for run := range r.documents.Runs {
			if err := r.artifacts(v, run); err != nil {
				return nil, err
			}
		}
	}
	r.loose = nil
	return &r.documents, nil
}

// Read takes one file: JSON in the layout or as single answers of the API, or a
// zip archive of such files. Errors are findings with their place.
func (r *Reader) Read(name string, data []byte) error {
	if len(data) > MaxFile {
		return diag.New("checks.evidence-size", diag.Place{File: name}, "limit", strconv.Itoa(MaxFile>>20)).In("unreadable")
	}
	if isZip(data) {
		return r.readZip(name, data)
	}
	return r.readJSON(name, data)
}

func (r *Reader) readJSON(name string, data []byte) error {
	values, err := (&file{name, data}).values()
	if err != nil {
		return err
	}
	for _, v := range values {
		if err := r.document(v, 0); err != nil {
			return err
		}
	}
	if r.documents.Comments == nil && strings.Contains(path.Base(name), "comments") && string(bytes.TrimSpace(data)) == "[]" {
		r.documents.Comments = []checks.Comment{} // only its name says of what this list is
	}
	return nil
}

// readers are the members of the layout.
var readers = map[string]func(*Reader, value) error{
	kindPull: (*Reader).pull, "pull_request": (*Reader).pull,
	kindComments: (*Reader).comments, "issue_comments": (*Reader).comments,
	kindCheckRuns: (*Reader).checkRuns,
	kindRuns:      (*Reader).runs, "workflow_runs": (*Reader).runs,
	kindRunLists:  (*Reader).runLists,
	kindJobs:      (*Reader).jobs,
	kindArtifacts: (*Reader).looseArtifacts,
	kindFiles:     (*Reader).artifactFiles,
	kindTeams:     (*Reader).teams,
	kindUpstream:  (*Reader).upstream,
	kindPages:     (*Reader).pages,
	kindImages:    (*Reader).images,
	"absent":      (*Reader).absent,
	"unreadable":  (*Reader).unreadable,
}

// layout reads an object whose members are named as above. Answers of lists in
// the API have the same names. Members that are none of ours are left alone;
// an object without any of ours is refused.
func (r *Reader) layout(v value, members []member) error {
	known := len(members) == 0 // {} says nothing, truthfully
	for _, m := range members {
		read, ok := readers[m.name]
		if !ok || m.isNull() {
			continue
		}
		known = true
		if err := read(r, m.value); err != nil {
			return err
		}
	}
	if !known {
		return v.refuse("checks.evidence-shape")
	}
	return nil
}

// list returns the items of an array, or of the answer of the API that holds
// it under the name.
func (v value) list(name string) ([]value, error) {
	if v.isArray() {
		return v.items(), nil
	}
	for _, m := range v.members() {
		if m.name == name && m.isArray() {
			return m.items(), nil
		}
	}
	return nil, v.refuse("checks.evidence-list", "name", name)
}

func (r *Reader) pull(v value) error {
	var p checks.Pull
	if err := v.decode(&p); err != nil {
		return err
	}
	r.documents.Pull = &p
	return nil
}

func (r *Reader) comments(v value) error {
	items, err := v.list(kindComments)
	if err != nil {
		return err
	}
	if r.documents.Comments == nil {
		r.documents.Comments = []checks.Comment{}
	}
	return each(items, func(_ value, c checks.Comment) error {
		r.documents.Comments = put(r, r.documents.Comments, c, itemKey{kindComments, nil, c.ID})
		return nil
	})
}

// itemKey is an item of a list by kind, list and id.
type itemKey struct {
	kind string
	of   any
	id   int64
}

// put replaces the item of the same id, or appends: pages and files may
// overlap, and the later one is newer.
func put[T any](r *Reader, list []T, item T, key itemKey) []T {
	if at, ok := r.places[key]; ok && key.id != 0 && at < len(list) {
		list[at] = item
		return list
	}
	setIn(&r.places, key, len(list))
	return append(list, item)
}

// each decodes values one by one.
func each[T any](items []value, f func(value, T) error) error {
	for _, item := range items {
		var one T
		if err := item.decode(&one); err != nil {
			return err
		}
		if err := f(item, one); err != nil {
			return err
		}
	}
	return nil
}

var fullSHA = pattern.Lazy(`^[0-9a-f]{40}$|^[0-9a-f]{64}$`)

// byKey calls f for the lists of an object whose keys match, or ok is false.
func (v value) byKey(form func() *regexp.Regexp, f func(key string, v value) error) (ok bool, err error) {
	members := v.members()
	for _, m := range members {
		if !form().MatchString(m.name) {
			return false, nil
		}
	}
	for _, m := range members {
		if err := f(m.name, m.value); err != nil {
			return true, err
		}
	}
	return true, nil
}

// checkRuns reads check runs by commit, or a list whose items name their
// commits.
func (r *Reader) checkRuns(v value) error {
	if v.isObject() {
		ok, err := v.byKey(fullSHA, func(sha string, of value) error {
			if r.documents.CheckRuns[sha] == nil {
				setIn(&r.documents.CheckRuns, sha, []checks.CheckRun{})
			}
			items, err := of.list(kindCheckRuns)
			if err != nil {
				return err
			}
			return each(items, func(_ value, c checks.CheckRun) error { r.addCheckRun(sha, c); return nil })
		})
		if ok || err != nil {
			return err
		}
	}
	items, err := v.list(kindCheckRuns)
	if err != nil {
		return err
	}
	return each(items, func(at value, c checks.CheckRun) error {
		if !fullSHA().MatchString(c.HeadSHA) {
			return at.refuse("checks.evidence-no-commit")
		}
		r.addCheckRun(c.HeadSHA, c)
		return nil
	})
}

func (r *Reader) addCheckRun(sha string, c checks.CheckRun) {
	setIn(&r.documents.CheckRuns, sha, put(r, r.documents.CheckRuns[sha], c, itemKey{kindCheckRuns, sha, c.ID}))
}

// setIn sets an entry of a map that may not exist yet.
func setIn[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[key] = v
}
