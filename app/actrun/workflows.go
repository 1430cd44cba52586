package actrun

import (
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/internal/yamlpos"
)

// workflows is what is known of a workflow and those beside it before it runs.
type workflows struct {
	// permissions are what the jobs of the workflow may have together: act gives
	// all of them one token.
	permissions map[string]string
	// actions are the third-party actions of all files, as owner/name@ref.
	actions []string
	// names are those of all workflows, top that of the one that runs.
	names []string
	top   string
	// direct are the workflows that it calls, by name; caller is the name of the
	// job that calls them, "" if there are several.
	direct map[string]bool
	caller string
}

// usesForm is a third-party action. A ref of another form than a commit is one
// too: it is for rules over workflow files to refuse it.
var usesForm = pattern.Lazy(`uses:\s*(?:&\w+\s+)?([\w.-]+/[\w.-]+@[\w./-]+)`)

// maxWorkflow bounds the files that are read, in bytes.
const maxWorkflow = 1 << 20

// readWorkflows reads the workflow files of a checkout. The one that runs must
// be readable; the others are looked at as far as they are.
func readWorkflows(repo, running string) (*workflows, error) {
	w := &workflows{permissions: make(map[string]string), direct: make(map[string]bool)}
	files := make(map[string]*yamlpos.Value)
	used := make(map[string]bool)
	names, err := filepath.Glob(filepath.Join(repo, path.Dir(running), "*.y*ml"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || info.Size() > maxWorkflow {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, folderError(err)
		}
		for _, m := range usesForm().FindAllSubmatch(data, -1) {
			used[string(m[1])] = true
		}
		if root, err := yamlpos.Parse(filepath.Base(name), data, yamlpos.Options{}); err == nil {
			files[filepath.Base(name)] = root
			w.names = append(w.names, nameOf(root, filepath.Base(name)))
		}
	}
	w.actions = slices.Sorted(maps.Keys(used))
	// A longer name first: one may begin with another.
	slices.SortFunc(w.names, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	root := files[path.Base(running)]
	if root == nil {
		return nil, diag.New("actrun.no-workflow", diag.Place{File: path.Base(running)}).In("unreadable")
	}
	w.top = nameOf(root, path.Base(running))
	w.readJobs(root, files)
	return w, nil
}

func nameOf(root *yamlpos.Value, file string) string { return cmp.Or(text(root, "name"), file) }

// readJobs reads who calls whom, and with which rights.
func (w *workflows) readJobs(root *yamlpos.Value, files map[string]*yamlpos.Value) {
	w.grant(root.Written("permissions"))
	jobs := root.Written("jobs")
	if jobs == nil {
		return
	}
	callers := 0
	for _, f := range jobs.Fields {
		w.grant(f.Value.Written("permissions"))
		called := text(f.Value, "uses")
		if called == "" {
			continue
		}
		callers++
		w.caller = cmp.Or(text(f.Value, "name"), f.Key.Text)
		if file := path.Base(called); files[file] != nil {
			w.direct[nameOf(files[file], file)] = true
		}
	}
	if callers != 1 {
		w.caller = ""
	}
}

// grant adds permissions. What a word grants to all scopes at once is left out:
// none of our files has one.
func (w *workflows) grant(v *yamlpos.Value) {
	if v == nil {
		return
	}
	for _, f := range v.Fields {
		if w.permissions[f.Key.Text] != "write" {
			w.permissions[f.Key.Text] = f.Value.Text
		}
	}
}

func text(v *yamlpos.Value, key string) string {
	if v = v.Written(key); v.IsNull() {
		return ""
	}
	return v.Text
}

// jobName turns the name that act gives a job into GitHub's. act tells the
// calling job, the called workflow and the job, joined by slashes; GitHub joins
// the names of all calling jobs and of the job by " / ".
func (w *workflows) jobName(key string, matrix map[string]any) string {
	key = withoutNumber(key, matrix)
	at, found := -1, ""
	for _, name := range w.names {
		i := strings.Index(key, "/"+name+"/")
		if i >= 0 && (at < 0 || i < at) {
			at, found = i, name
		}
	}
	if at < 0 {
		return strings.TrimPrefix(key, w.top+"/")
	}
	name := key[:at] + " / " + key[at+len(found)+2:]
	if !w.direct[found] && w.caller != "" {
		name = w.caller + " / " + name
	}
	return name
}

// numbered is the number that act puts behind the name of a job of a matrix
// with several combinations.
var numbered = pattern.Lazy(`-\d+$`)

// withoutNumber takes that number away, unless the name ends in a value of the
// matrix as it is.
func withoutNumber(key string, matrix map[string]any) string {
	if len(matrix) == 0 {
		return key
	}
	for _, text := range texts(matrix, nil) {
		if text != "" && strings.HasSuffix(key, text) {
			return key
		}
	}
	return numbered().ReplaceAllString(key, "")
}

// texts are the strings and numbers in a JSON value.
func texts(v any, found []string) []string {
	switch v := v.(type) {
	case map[string]any:
		for _, one := range v {
			found = texts(one, found)
		}
	case []any:
		for _, one := range v {
			found = texts(one, found)
		}
	case string:
		found = append(found, v)
	case json.Number:
		found = append(found, v.String())
	}
	return found
}
