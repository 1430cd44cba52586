package localrun

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// metaFile describes the eval set beside it.
const metaFile = "meta_env.json"

// eval reads one eval artifact: its metadata and its results
// (spec/results.md sections 6.1 to 6.3).
func (c *collector) eval(folder, artifact string) error {
	meta, err := c.object(path.Join(folder, metaFile))
	if errors.Is(err, fs.ErrNotExist) {
		return diag.New("localrun.eval-metadata", diag.Place{File: folder})
	}
	if err != nil {
		return err
	}
	// Lengths are part of the identity and never defaulted; agentic evals say 0
	// (known failure F43).
	for _, name := range []string{"hw", "infmax_model_prefix", "framework", "precision", "isl", "osl", "conc"} {
		if text(meta, name) == "" || text(meta, name) == "unknown" {
			return diag.New("localrun.row-text", diag.Place{File: path.Join(folder, metaFile)}, "field", name).At(name)
		}
	}
	entries, err := readFolder(c.root, folder)
	if err != nil {
		return err
	}
	found := 0
	for _, e := range entries {
		if ok, _ := path.Match("results*.json", e.Name()); !ok {
			continue
		}
		result, err := c.object(path.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		if err := c.evalResult(meta, result, path.Join(folder, e.Name()), artifact); err != nil {
			return err
		}
		found++
	}
	if found == 0 {
		return diag.New("localrun.no-eval-results", diag.Place{File: folder})
	}
	return nil
}

// object reads a JSON object.
func (c *collector) object(name string) (ordjson.Value, error) {
	data, err := readRegular(c.root, name, maxResultBytes)
	if err != nil {
		return ordjson.Value{}, err
	}
	v, err := parseDocument(data)
	if err == nil && v.Kind != ordjson.Object {
		err = errors.New("is no object")
	}
	if err != nil {
		return v, diag.New("localrun.result-json", diag.Place{File: name}, "detail", cut(diag.Printable(err.Error()), 200))
	}
	return v, nil
}

// evalResult takes the score of one result file.
func (c *collector) evalResult(meta, result ordjson.Value, name, artifact string) error {
	id := resultIdentity(meta)
	id.eval = true
	if id.scenario == "agentic" {
		id.offload = evalOffload(meta, id.offload, artifact)
	}
	if conc := concOf(name); conc != "" {
		id.conc = conc
	}
	line := &Line{id: id, Label: id.label() + " eval", Artifact: artifact}
	if line.Task, line.Score = score(result); line.Score == nil {
		return diag.New("localrun.eval-nothing", diag.Place{File: name})
	}
	if s := *line.Score; !finite(s) || s < 0 || s > 1 {
		f := diag.New("localrun.eval-range", diag.Place{File: name}, "task", line.Task, "value", decimal(s))
		c.invalid[id.key()] = &f
		return f
	}
	switch other := c.results[id.key()]; {
	case other == nil:
		c.add(line, name)
	case other.Artifact != artifact:
		*other = *line // a later attempt counts
	}
	return nil
}

// evalOffload completes what the metadata says about offloading from the name
// of the artifact: that of older launchers says nothing, that of others only
// the mode.
func evalOffload(meta ordjson.Value, said, artifact string) string {
	named := offloadOf(artifact)
	_, mode := meta.Get("kv_offloading")
	_, backend := meta.Get("kv_offload_backend")
	if !mode || !backend && strings.HasPrefix(named, said+"-") {
		return named
	}
	return said
}

// offloadName is the offload mode with its backend in an artifact name.
var offloadName = pattern.Lazy(`_kv([a-z+]+)(?:-([^_]*))?_`)

// offloadOf is what an artifact name says about offloading. Evals may differ in
// nothing else.
func offloadOf(artifact string) string {
	m := offloadName().FindStringSubmatch(artifact)
	switch {
	case m == nil:
		return "none"
	case m[2] == "":
		return m[1]
	}
	return m[1] + "-" + m[2]
}

// concOf is the concurrency that the name of a batched result ends in, or "".
func concOf(name string) string {
	_, rest, ok := strings.Cut(strings.TrimSuffix(path.Base(name), ".json"), "_conc")
	if !ok {
		return ""
	}
	conc, _, _ := strings.Cut(rest, "_")
	if atoi(conc) <= 0 {
		return ""
	}
	return conc
}

// score is the first task of a result with its primary score: strict match,
// else accuracy, else flexible match.
func score(result ordjson.Value) (string, *float64) {
	for _, task := range block(result, "results").Members {
		for _, want := range []string{"strict", "resolved", "acc", "flex"} {
			for _, m := range task.Value.Members {
				if f, ok := number(m.Value); ok && strings.Contains(m.Name, want) && !strings.Contains(m.Name, "stderr") {
					return task.Name, &f
				}
			}
		}
	}
	return "", nil
}
