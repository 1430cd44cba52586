package given

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
)

// artifactFiles reads the files of artifacts by id and name: a text, a JSON
// document, or {"base64": "..."}.
func (r *Reader) artifactFiles(v value) error {
	ok, err := v.byKey(number, func(id string, files value) error {
		for _, m := range files.members() {
			data, err := m.content()
			if err != nil {
				return err
			}
			r.addFile(parseID(id), m.name, data)
		}
		return nil
	})
	if !ok && err == nil {
		return v.refuse("checks.evidence-no-id")
	}
	return err
}

func (r *Reader) addFile(artifact int64, name string, data []byte) {
	if r.documents.Files[artifact] == nil {
		setIn(&r.documents.Files, artifact, make(map[string][]byte))
	}
	r.documents.Files[artifact][name] = data
}

// content is the bytes of a file that stands in a document.
func (v value) content() ([]byte, error) {
	var text string
	if json.Unmarshal(v.raw, &text) == nil {
		return []byte(text), nil
	}
	var coded struct {
		Base64 *string `json:"base64"`
	}
	if json.Unmarshal(v.raw, &coded) != nil || coded.Base64 == nil {
		return v.raw, nil
	}
	data, err := base64.StdEncoding.DecodeString(*coded.Base64)
	if err != nil {
		return nil, v.refuse("checks.evidence-type", "detail", err.Error())
	}
	return data, nil
}

// teams reads memberships: member, not-member, unreadable, a boolean, or the
// API's answer with its state.
func (r *Reader) teams(v value) error {
	for _, m := range v.members() {
		state := checks.NotMember
		var answer struct {
			State string `json:"state"`
		}
		switch text := strings.Trim(string(m.raw), `"`); {
		case text == "true" || text == string(checks.Member):
			state = checks.Member
		case text == "false" || text == string(checks.NotMember):
		case text == string(checks.Unreadable):
			state = checks.Unreadable
		case json.Unmarshal(m.raw, &answer) == nil && answer.State != "":
			if answer.State == "active" {
				state = checks.Member
			}
		default:
			return m.refuse("checks.evidence-membership")
		}
		setIn(&r.documents.Teams, strings.ToLower(strings.TrimPrefix(m.name, "@")), state)
	}
	return nil
}

// upstream reads pull requests of other repositories by owner/name#number, or
// a list whose items name their repositories.
func (r *Reader) upstream(v value) error {
	if v.isArray() {
		return each(v.items(), func(at value, p checks.Pull) error {
			if p.Base.Repo == nil || p.Base.Repo.FullName == "" {
				return at.refuse("checks.evidence-no-repository")
			}
			setIn(&r.documents.Upstream, upstreamKey(p.Base.Repo.FullName, p.Number), p)
			return nil
		})
	}
	for _, m := range v.members() {
		var p checks.Pull
		if err := m.decode(&p); err != nil {
			return err
		}
		setIn(&r.documents.Upstream, strings.ToLower(m.name), p)
	}
	return nil
}

func (r *Reader) pages(v value) error {
	for _, m := range v.members() {
		text, err := m.content()
		if err != nil {
			return err
		}
		setIn(&r.documents.Pages, m.name, string(text))
	}
	return nil
}

func (r *Reader) images(v value) error {
	for _, m := range v.members() {
		image := checks.Image{Reference: m.name}
		switch string(m.raw) {
		case "true":
			image.Exists = true
		case "false":
		default:
			if err := m.decode(&image); err != nil {
				return err
			}
		}
		setIn(&r.documents.Images, m.name, image)
	}
	return nil
}

func (r *Reader) absent(v value) error { return v.decode(&r.documents.Absent) }

func (r *Reader) unreadable(v value) error { return v.decode(&r.documents.Unreadable) }
