package results

import (
	"path"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/results/document"
)

// evalRoot is the folder into which the collector downloads, as the sources of
// its rows spell it.
const evalRoot = "eval_results"

// EvalRows are the rows of agg_eval_all.json, one for each task of every result
// that counts, in the order of the folders (spec/results.md sections 6.3 and
// 6.4). Content holds one folder for each artifact. Findings tell what was
// passed over; only an unreadable tree is an error.
func EvalRows(content archive.Content, rules Rules) ([]ordjson.Value, diag.List, error) {
	folders, err := evalFolders(content, rules)
	if err != nil {
		return nil, nil, err
	}
	var rows []ordjson.Value
	var list diag.List
	for _, f := range folders {
		made, findings := f.rows(rules)
		rows, list = append(rows, made...), append(list, findings...)
	}
	return rows, list, nil
}

// rows makes the rows of one folder.
func (f evalFolder) rows(rules Rules) ([]ordjson.Value, diag.List) {
	list := f.broken
	if f.state != metaSound {
		f.meta = ordjson.Map()
	}
	if _, ok := f.meta.Get("isl"); rules.EvalLengths && f.state == metaSound && (!ok || at(f.meta, "osl").Text == "") {
		return nil, append(list, diag.New("results.eval-lengths", diag.Place{File: path.Join(f.name, metaFile)}, "artifact", f.name))
	}
	chosen := f.chosen()
	if len(chosen) == 0 {
		return nil, append(list, diag.New("results.eval-no-result", diag.Place{File: f.name}, "artifact", f.name).WithSeverity(diag.Warning))
	}
	var out []ordjson.Value
	for _, r := range chosen {
		tasks, _ := r.doc.Get("results")
		if len(tasks.Members) == 0 {
			list = append(list, diag.New("results.eval-no-task", diag.Place{File: path.Join(f.name, r.name)}, "artifact", f.name))
		}
		for _, task := range tasks.Members {
			out = append(out, f.row(r, task, rules))
		}
	}
	return out, list
}

// row makes the row of one task.
func (f evalFolder) row(r evalResult, task ordjson.Member, rules Rules) ordjson.Value {
	config := at(r.doc, "configs", task.Name)
	row := f.head(r, config)
	row.Add("task", ordjson.Str(task.Name))
	source := path.Join(evalRoot, f.name, r.name)
	count := at(r.doc, "n-samples", task.Name, "effective")
	s := extract(task.Value, config, rules)
	if rules.BrokenEvals {
		if failure, ok := evalFailure(r.doc, task.Value, count); ok {
			addScores(&row, scores{}, ordjson.Int(0), source)
			return failureTail(row, failure)
		}
	}
	score, name, se := s.primary(rules)
	if rules.BrokenEvals && !isScore(score) {
		addScores(&row, scores{}, orNullJSON(count), source)
		return failureTail(row, integrationError("InvalidPrimaryScore", "invalid primary score: "+spelled(score)))
	}
	addScores(&row, s, orNullJSON(count), source)
	if rules.BrokenEvals {
		row.Add("infrastructure_success", ordjson.Bool(true))
		row.Add("integration_error", ordjson.Null())
	}
	row.Add("score", score)
	if name == "" {
		row.Add("score_name", ordjson.Null())
	} else {
		row.Add("score_name", ordjson.Str(name))
	}
	row.Add("score_se", orNullJSON(se))
	return row
}

func addScores(row *ordjson.Value, s scores, count ordjson.Value, source string) {
	row.Add("em_strict", orNullJSON(s.strict))
	row.Add("em_strict_se", orNullJSON(s.strictSE))
	row.Add("em_flexible", orNullJSON(s.flexible))
	row.Add("em_flexible_se", orNullJSON(s.flexibleSE))
	row.Add("n_eff", count)
	row.Add("source", ordjson.Str(source))
}

func failureTail(row, failure ordjson.Value) ordjson.Value {
	row.Add("infrastructure_success", ordjson.Bool(false))
	row.Add("integration_error", failure)
	row.Add("score", ordjson.Null())
	row.Add("score_name", ordjson.Null())
	row.Add("score_se", ordjson.Null())
	return row
}

func integrationError(kind, message string) ordjson.Value {
	return ordjson.Map(ordjson.Member{Name: "type", Value: ordjson.Str(kind)}, ordjson.Member{Name: "message", Value: ordjson.Str(message)})
}

// evalFailure returns why a task has no score at all.
func evalFailure(doc, task, count ordjson.Value) (ordjson.Value, bool) {
	if given, ok := doc.Get("integration_error"); ok && !document.IsNull(given) {
		if given.Kind == ordjson.Object {
			return given, true
		}
		return integrationError("IntegrationError", given.Text), true
	}
	if count.Text != "" || count.Kind != ordjson.Literal {
		if !isCount(count) {
			return integrationError("InvalidEffectiveSampleCount", "invalid effective sample count: "+spelled(count)), true
		}
	}
	if task.Kind != ordjson.Object {
		return integrationError("InvalidTaskResults", "the results of the task are no object"), true
	}
	return ordjson.Value{}, false
}

// head makes the fields of a row that come from the metadata.
func (f evalFolder) head(r evalResult, config ordjson.Value) ordjson.Value {
	m := meta{f.meta}
	multi := looseBool(at(f.meta, "is_multinode"))
	row := ordjson.Map()
	row.Add("is_multinode", ordjson.Bool(multi))
	row.Add("model_prefix", ordjson.Str(m.text("infmax_model_prefix", "unknown")))
	row.Add("model", modelOf(r.doc, config, f.meta))
	row.Add("hw", ordjson.Str(strings.ToUpper(m.text("hw", "unknown"))))
	row.Add("framework", ordjson.Str(strings.ToLower(m.text("framework", "unknown"))))
	row.Add("precision", ordjson.Str(strings.ToLower(m.text("precision", "unknown"))))
	row.Add("spec_decoding", ordjson.Str(m.text("spec_decoding", "unknown")))
	row.Add("isl", ordjson.Int(looseInt(at(f.meta, "isl"), 0)))
	row.Add("osl", ordjson.Int(looseInt(at(f.meta, "osl"), 0)))
	row.Add("tp", ordjson.Int(m.first(m.roleSize("prefill_", "tp"), "tp")))
	row.Add("ep", ordjson.Int(m.first(m.roleSize("prefill_", "ep"), "ep")))
	for _, prefix := range []string{"prefill_", "decode_"} {
		row.Add(prefix+"tp", ordjson.Int(m.roleSize(prefix, "tp")))
		row.Add(prefix+"ep", ordjson.Int(m.roleSize(prefix, "ep")))
		row.Add(prefix+"num_workers", ordjson.Int(m.first(1, prefix+"num_workers")))
	}
	conc := r.conc
	if conc == 0 {
		conc = m.integer("conc", 0)
	}
	row.Add("conc", ordjson.Int(conc))
	m.attention(&row, multi)
	m.layout(&row, multi)
	for _, name := range []string{"eval_suite", "image", "kv_offloading", "kv_offload_backend"} {
		if v, ok := f.meta.Get(name); ok {
			row.Add(name, v)
		}
	}
	return row
}

// modelOf finds the served model of a result.
func modelOf(doc, config, meta ordjson.Value) ordjson.Value {
	for _, v := range []ordjson.Value{at(doc, "model_name"), at(config, "metadata", "model"), at(meta, "model")} {
		if v.Kind == ordjson.String && v.Text != "" {
			return v
		}
	}
	return ordjson.Str("unknown")
}
