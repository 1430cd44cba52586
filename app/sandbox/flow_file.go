package sandbox

import (
	"cmp"
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// workflowsDir is where workflow files are.
const workflowsDir = ".github/workflows"

// maxWorkflow is the size of a workflow file in bytes that GitHub still reads.
const maxWorkflow = 500 << 10

// workflowFile is what the sandbox needs of a workflow file; jobs are the
// engine's concern.
type workflowFile struct {
	path, name, runName string
	on                  map[string]*trigger
	// permissions of the token; nil when the file declares none.
	permissions permissions
	// wrong says why the file is no workflow.
	wrong string
}

// trigger is one event of "on" with its filters.
type trigger struct {
	types, workflows, crons       []string
	branches, branchesIgnore      []string
	tags, tagsIgnore              []string
	paths, pathsIgnore            []string
	inputs                        []input
	hasBranchFilter, hasTagFilter bool
}

// input is a declared input of a dispatch.
type input struct {
	name, typ, fallback string
	required            bool
	options             []string
}

// workflowFiles reads the workflow files of a commit.
func (s *Server) workflowFiles(r *repository, commit string) []*workflowFile {
	tree, err := r.git.read.Tree(s.ctx, commit)
	if err != nil {
		return nil
	}
	entries, err := tree.List(workflowsDir)
	if err != nil {
		return nil // no folder, no workflows
	}
	var files []*workflowFile
	for _, e := range entries {
		name := workflowsDir + "/" + e.Name
		if ext := path.Ext(name); !e.Mode.IsRegular() || ext != ".yml" && ext != ".yaml" {
			continue
		}
		key := name + "@" + e.OID
		if s.parsed[key] == nil {
			data, err := tree.ReadFile(name)
			if err != nil {
				continue
			}
			s.parsed[key] = parseWorkflow(name, data)
		}
		files = append(files, s.parsed[key])
	}
	return files
}

// parseWorkflow reads the triggers, name and permissions of a workflow file.
func parseWorkflow(name string, data []byte) *workflowFile {
	f := &workflowFile{path: name, name: name, on: make(map[string]*trigger)}
	if len(data) > maxWorkflow {
		f.wrong = "the file is larger than 500 KB"
		return f
	}
	root, err := yamlpos.Parse(name, data, yamlpos.Options{})
	if err != nil {
		f.wrong = err.Error()
		return f
	}
	f.name = cmp.Or(text(root.Written("name")), name)
	f.runName = text(root.Written("run-name"))
	f.permissions = permissionsOf(root.Written("permissions"))
	f.readTriggers(root.Written("on"))
	if len(f.on) == 0 {
		f.wrong = "no event triggers defined in `on`"
	}
	return f
}

func text(v *yamlpos.Value) string {
	if v.IsNull() {
		return ""
	}
	return v.Text
}

// list reads a scalar or a sequence of scalars.
func list(v *yamlpos.Value) []string {
	switch {
	case v.IsNull():
		return nil
	case v.Kind == yamlpos.Sequence:
		return convert(v.Items, text)
	}
	return []string{v.Text}
}

func (f *workflowFile) readTriggers(on *yamlpos.Value) {
	if on == nil {
		return
	}
	if on.Kind != yamlpos.Mapping {
		for _, event := range list(on) {
			f.on[event] = &trigger{}
		}
		return
	}
	for _, field := range on.Fields {
		f.on[field.Key.Text] = readTrigger(field.Value)
	}
}

func readTrigger(v *yamlpos.Value) *trigger {
	t := &trigger{}
	if v != nil && v.Kind == yamlpos.Sequence { // schedule
		for _, item := range v.Items {
			t.crons = append(t.crons, text(item.Written("cron")))
		}
		return t
	}
	for key, to := range map[string]*[]string{
		"types": &t.types, "workflows": &t.workflows, "branches": &t.branches, "branches-ignore": &t.branchesIgnore,
		"tags": &t.tags, "tags-ignore": &t.tagsIgnore, "paths": &t.paths, "paths-ignore": &t.pathsIgnore,
	} {
		*to = list(v.Written(key))
	}
	t.hasBranchFilter = len(t.branches)+len(t.branchesIgnore) > 0
	t.hasTagFilter = len(t.tags)+len(t.tagsIgnore) > 0
	if inputs := v.Written("inputs"); inputs != nil {
		for _, f := range inputs.Fields {
			t.inputs = append(t.inputs, readInput(f.Key.Text, f.Value))
		}
	}
	return t
}

func readInput(name string, v *yamlpos.Value) input {
	return input{
		name: name, typ: cmp.Or(text(v.Written("type")), "string"), fallback: text(v.Written("default")),
		required: text(v.Written("required")) == "true", options: list(v.Written("options")),
	}
}

// workflowScopes are the permissions that a workflow token can have.
var workflowScopes = []string{
	"actions", "attestations", "checks", "contents", "deployments", "discussions", "id_token", "issues",
	"packages", "pages", "pull_requests", "repository_projects", "security_events", "statuses",
}

// permissionsOf reads the key "permissions". What is not named is none; without
// the key the result is nil.
func permissionsOf(v *yamlpos.Value) permissions {
	if v == nil {
		return nil
	}
	p := make(permissions)
	for _, f := range v.Fields {
		p[scopeName(f.Key.Text)] = parseLevel(text(f.Value))
	}
	if all, ok := strings.CutSuffix(v.Text, "-all"); ok {
		for _, scope := range workflowScopes {
			p[scope] = parseLevel(all)
		}
	}
	p["metadata"] = levelRead
	return p
}

// scopeName turns the spelling of workflow files into the API's.
func scopeName(key string) string { return strings.ReplaceAll(key, "-", "_") }

// defaultPermissions are those of a workflow that declares none.
func (s *Server) defaultPermissions() permissions {
	p := permissions{"contents": levelRead, "packages": levelRead, "metadata": levelRead}
	if s.opt.WriteByDefault {
		for _, scope := range workflowScopes {
			p[scope] = levelWrite
		}
	}
	return p
}
