package sandbox

import (
	"encoding/json"
	"maps"
)

// happening is one event: what webhooks say and where workflows are looked for.
type happening struct {
	repo         *repository
	who          *identity
	name, action string
	payload      doc
	workflows    []source
	inputs       map[string]string
	only         *workflow // of a dispatch: no other is started
	depth        int       // how many workflow_run events led here
}

// source is a commit whose workflow files an event may start, and what the
// filters of their triggers are held against.
type source struct {
	event      string // as workflows name it, by default that of the happening
	commit     string // whose files are read; "" starts nothing
	ref, sha   string // GITHUB_REF and GITHUB_SHA
	headSHA    string // shown on the run
	headBranch string
	headRepo   *repository
	pull       *issue
	baseRef    string
	headRef    string
	branch     string // for the filter "branches"
	tag        string
	fork       bool // read-only token, no secrets
	paths      func() ([]string, error)
}

// onDefaultBranch runs the files of the default branch: the trusted place for
// decisions (spec/github-limits.md).
func (s *Server) onDefaultBranch(r *repository) []source {
	tip := r.tip()
	return []source{{
		commit: tip, ref: "refs/heads/" + r.defaultBranch, sha: tip, headSHA: tip, headBranch: r.defaultBranch, headRepo: r,
	}}
}

// outlivesGuard are the events that start workflows even when a workflow's own
// token made them (known failure F05).
var outlivesGuard = map[string]bool{"workflow_dispatch": true, "repository_dispatch": true}

// emit tells hooks of an event and starts workflows. It returns the runs.
func (s *Server) emit(h happening) []*run {
	payload := merged(h.payload, s.commonDoc(h))
	if h.action != "" {
		payload["action"] = h.action
	}
	s.deliver(h, payload)
	if h.who.kind == byWorkflow && !outlivesGuard[h.name] {
		return nil
	}
	if h.repo.parent != nil { // forks have workflows switched off
		return nil
	}
	var runs []*run
	for _, src := range h.workflows {
		if src.event == "" {
			src.event = h.name
		}
		runs = append(runs, s.startMatching(h, src, payload)...)
	}
	return runs
}

// commonDoc is what every payload has.
func (s *Server) commonDoc(h happening) doc {
	d := doc{"repository": s.repoDoc(h.repo), "sender": s.userDoc(h.who.user)}
	if h.repo.owner.typ == "Organization" {
		d["organization"] = s.orgDoc(h.repo.owner)
	}
	return d
}

// merged returns a document with the members of both; those of b win.
func merged(a, b doc) doc {
	out := maps.Clone(a)
	if out == nil {
		out = doc{}
	}
	maps.Copy(out, b)
	return out
}

// encode is a document as JSON. Documents are made here and always encode.
func encode(d any) []byte {
	b, err := json.Marshal(d)
	if err != nil {
		panic("sandbox: a document does not encode: " + err.Error())
	}
	return b
}
