package house

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

var (
	pinned  = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	image   = regexp.MustCompile(`^docker://.+@sha256:[0-9a-f]{64}$`)
	version = regexp.MustCompile(`^# v\d`)
)

// lookup returns the value of a key in a mapping node, or nil.
func lookup(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// entries calls visit for every key and value of every mapping below n.
func entries(n *yaml.Node, visit func(parent, key, value *yaml.Node)) {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			visit(n, n.Content[i], n.Content[i+1])
		}
	}
	for _, child := range n.Content {
		entries(child, visit)
	}
}

// workflowOffences holds workflows and actions against the rules for them.
func workflowOffences(files map[string]string) []string {
	var offences []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(files[name]), &doc); err != nil {
			offences = append(offences, fmt.Sprintf("%s: %v", name, err))
			continue
		}
		say := func(n *yaml.Node, format string, args ...any) {
			offences = append(offences, fmt.Sprintf("%s:%d: ", name, n.Line)+fmt.Sprintf(format, args...))
		}
		top := doc.Content[0]
		if jobs := lookup(top, "jobs"); jobs != nil {
			checkPermissions(top, say)
			checkJobs(jobs, say)
		}
		entries(top, func(parent, key, value *yaml.Node) { checkEntry(parent, key, value, say) })
	}
	return offences
}

type sayFunc func(n *yaml.Node, format string, args ...any)

// checkPermissions wants the token of a workflow cut down at its top.
func checkPermissions(top *yaml.Node, say sayFunc) {
	p := lookup(top, "permissions")
	if p == nil {
		say(top, "no permissions at the top level")
		return
	}
	if p.Kind != yaml.MappingNode {
		say(p, "permissions must name each scope")
	}
}

// checkJobs wants a time limit on every job that runs steps.
func checkJobs(jobs *yaml.Node, say sayFunc) {
	for i := 0; i+1 < len(jobs.Content); i += 2 {
		if lookup(jobs.Content[i+1], "steps") != nil && lookup(jobs.Content[i+1], "timeout-minutes") == nil {
			say(jobs.Content[i], "job %s has no timeout-minutes", jobs.Content[i].Value)
		}
	}
}

// checkEntry holds one key and value, anywhere in a workflow, to the rules.
func checkEntry(parent, key, value *yaml.Node, say sayFunc) {
	switch {
	case key.Value == "uses" && value.Kind == yaml.ScalarNode:
		checkUses(parent, value, say)
	case key.Value == "run" && value.Kind == yaml.ScalarNode && strings.Contains(value.Value, "${{"):
		// What an expression yields becomes part of the script; a variable
		// stays data.
		say(value, "an expression inside run: pass it through env")
	case key.Value == "secrets" && value.Value == "inherit":
		say(value, "secrets: inherit hands over everything: name them")
	case key.Value == "permissions" && value.Kind == yaml.ScalarNode && value.Value == "write-all":
		say(value, "write-all: name each scope")
	}
}

func checkUses(step, value *yaml.Node, say sayFunc) {
	uses := value.Value
	switch {
	case strings.HasPrefix(uses, "./") || image.MatchString(uses):
	case !pinned.MatchString(uses):
		say(value, "%s is not pinned by a full commit SHA", uses)
	case !version.MatchString(value.LineComment):
		say(value, "%s needs its version as a comment (# v1.2.3)", uses)
	}
	if strings.HasPrefix(uses, "actions/checkout@") {
		if keep := lookup(lookup(step, "with"), "persist-credentials"); keep == nil || keep.Value != "false" {
			say(value, "checkout must set persist-credentials: false")
		}
	}
}

// workflows returns the workflows of the repository and its actions.
func workflows(t *testing.T) map[string]string {
	files := textFiles(t, ".yml", ".yaml")
	maps.DeleteFunc(files, func(name, _ string) bool {
		return !strings.HasPrefix(name, ".github/workflows/") &&
			!strings.HasSuffix("/"+name, "/action.yml") && !strings.HasSuffix("/"+name, "/action.yaml")
	})
	return files
}

func TestWorkflowsAreGuarded(t *testing.T) {
	files := workflows(t)
	if len(files) == 0 {
		t.Fatal("no workflows found")
	}
	report(t, workflowOffences(files))
}

func TestWorkflowRulesCanFail(t *testing.T) {
	sha := strings.Repeat("0123456789", 4)
	wants(t, workflowOffences(map[string]string{
		"a.yml": `on: push
jobs:
  one:
    steps:
      - uses: actions/checkout@v4
      - uses: actions/checkout@` + sha + ` # v4.2.2
        with:
          persist-credentials: false
      - uses: actions/setup-go@` + sha + `
      - run: |
          echo ${{ github.event.issue.title }}
        env:
          TITLE: ${{ github.event.issue.title }}
  two:
    uses: ./.github/workflows/b.yml
    secrets: inherit
`,
		"action.yml": "runs:\n  using: composite\n  steps:\n    - run: echo ${{ github.head_ref }}\n",
		"b.yml":      "on: push\npermissions: write-all\njobs: {}\n",
		"c.yml":      "on: [push\n",
	}),
		"a.yml:1: no permissions", "a.yml:3: job one has no timeout",
		"actions/checkout@v4 is not pinned", "a.yml:5: checkout must set persist-credentials",
		"needs its version", "a.yml:10: an expression inside run", "secrets: inherit",
		"action.yml:4: an expression inside run",
		"b.yml:2: permissions must name", "b.yml:2: write-all", "c.yml: yaml",
	)
}
