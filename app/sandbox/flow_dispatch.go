package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// Limits of dispatches.
const (
	maxInputs        = 25
	maxPayloadFields = 10
	maxPayloadBytes  = 65_535
)

// dispatch starts a workflow by hand and returns the run.
func (s *Server) dispatch(who *identity, r *repository, w *workflow, ref string, given map[string]string) (*run, error) {
	if err := who.check(r, writes(roleWrite, "actions")); err != nil {
		return nil, err
	}
	branch := strings.TrimPrefix(ref, "refs/heads/")
	commit := r.heads[branch]
	if ref == "" || commit == "" {
		return nil, unprocessable("No ref found for: %s", ref)
	}
	if w.state == "disabled_manually" {
		return nil, unprocessable("Workflow is disabled")
	}
	f := find(s.workflowFiles(r, commit), func(f *workflowFile) bool { return f.path == w.path })
	if f == nil || f.on["workflow_dispatch"] == nil {
		return nil, unprocessable("Workflow does not have 'workflow_dispatch' trigger")
	}
	inputs, err := f.on["workflow_dispatch"].accept(given)
	if err != nil {
		return nil, err
	}
	full := "refs/heads/" + branch
	runs := s.emit(happening{
		repo: r, who: who, name: "workflow_dispatch", inputs: inputs, only: w,
		payload:   doc{"inputs": inputs, "ref": full, "workflow": w.path},
		workflows: []source{{commit: commit, ref: full, sha: commit, headSHA: commit, headBranch: branch, headRepo: r}},
	})
	if len(runs) == 0 {
		return nil, refuse(http.StatusInternalServerError, "Failed to run workflow dispatch")
	}
	return runs[0], nil
}

// accept holds given inputs against the declared ones and adds defaults.
func (t *trigger) accept(given map[string]string) (map[string]string, error) {
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.ContainsFunc(t.inputs, func(in input) bool { return in.name == name }) {
			unknown = append(unknown, fmt.Sprintf("%q", name))
		}
	}
	switch {
	case len(unknown) > 0:
		return nil, unprocessable("Unexpected inputs provided: [%s]", strings.Join(unknown, ", "))
	case len(given) > maxInputs:
		return nil, unprocessable("you may only define up to %d `inputs` for a `workflow_dispatch` event", maxInputs)
	}
	out := make(map[string]string)
	for _, in := range t.inputs {
		value, ok := given[in.name]
		if !ok || value == "" && in.typ != "string" {
			value = in.fallback
		}
		switch {
		case value == "" && in.required:
			return nil, unprocessable("Required input '%s' not provided", in.name)
		case in.typ == "boolean" && value != "" && value != "true" && value != "false",
			in.typ == "choice" && value != "" && !slices.Contains(in.options, value):
			return nil, unprocessable("Provided value '%s' for input '%s' not in the list of allowed values", value, in.name)
		}
		if in.typ == "boolean" {
			value = cmp.Or(value, "false")
		}
		out[in.name] = value
	}
	return out, nil
}

// repositoryDispatch tells workflows of the default branch something.
func (s *Server) repositoryDispatch(who *identity, r *repository, eventType string, payload json.RawMessage) error {
	if err := who.check(r, writes(roleWrite, "contents")); err != nil {
		return err
	}
	fields := map[string]any{}
	if len(payload) > 0 && json.Unmarshal(payload, &fields) != nil {
		return unprocessable("Invalid request.\n\nclient_payload is not an object.")
	}
	switch {
	case eventType == "" || len(eventType) > 100:
		return unprocessable("Invalid request.\n\nevent_type must have 1 to 100 characters.")
	case len(fields) > maxPayloadFields:
		return unprocessable("No more than %d properties are allowed; %d were supplied.", maxPayloadFields, len(fields))
	case len(payload) > maxPayloadBytes:
		return unprocessable("client_payload is too large.")
	}
	s.emit(happening{
		repo: r, who: who, name: "repository_dispatch", action: eventType,
		payload: doc{"branch": r.defaultBranch, "client_payload": fields}, workflows: s.onDefaultBranch(r),
	})
	return nil
}

// Schedule lets the time of a cron line come: workflows of the default branch
// that name it start.
func (s *Server) Schedule(cron string) []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	runs := s.emit(happening{
		repo: s.main, who: personal(s.main.owner), name: "schedule", payload: doc{"schedule": cron, "workflow": ""},
		workflows: s.onDefaultBranch(s.main),
	})
	return convert(runs, func(u *run) int64 { return u.id })
}
