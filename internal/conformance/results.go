package conformance

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing/fstest"
	"time"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results"
	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/results/pareto"
)

// ResultCase is one case of the corpus of results.
type ResultCase struct {
	ID, Kind, Title, What string
	Tree                  []TreeEntry
	Input                 ResultInput
	Expect                map[string]any
}

// TreeEntry is one file or folder of a tree.
type TreeEntry struct {
	Path  string
	JSON  json.RawMessage
	Text  *string
	Dir   bool
	Mtime int64
}

// ResultInput holds the inputs of all kinds; each kind has its own few.
type ResultInput struct {
	Tree       []TreeEntry
	Curves     json.RawMessage
	Text       string
	RowKind    string `json:"row_kind"`
	Row        json.RawMessage
	Baseline   json.RawMessage
	Thresholds string
	MetaEnv    json.RawMessage `json:"meta_env"`
	Results    map[string]json.RawMessage
	Args       map[string]any
	Env        map[string]string
	Benchmark  json.RawMessage
	Files      map[string]json.RawMessage
	Records    []json.RawMessage
	Aggregate  json.RawMessage
	Clusters   []string
	Jobs       []struct{ Name, Conclusion string }
}

// resultKinds are the kinds that the results room answers.
var resultKinds = map[string]func(ResultCase, results.Rules) (map[string]any, error){
	"artifact-tree":  checkTree,
	"eval-threshold": judgeEval,
	"pareto":         countFrontiers,
	"aggregation":    aggregate,
	"identity":       identify,
}

// ResultCases reads the cases of the kinds that are answered here.
func ResultCases(dir string) ([]ResultCase, error) {
	f, err := os.Open(filepath.Join(dir, "cases.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []ResultCase
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var entry struct{ Kind, File string }
		if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
			return nil, fmt.Errorf("cases.jsonl: %w", err)
		}
		if resultKinds[entry.Kind] == nil {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(entry.File)))
		if err != nil {
			return nil, err
		}
		var c ResultCase
		if err := json.Unmarshal(data, &c); err != nil {
			return nil, fmt.Errorf("%s: %w", entry.File, err)
		}
		out = append(out, c)
	}
	return out, lines.Err()
}

// ResultRules are the rules with the reference's behaviour of a profile: where
// the product refuses more on purpose, it does not here.
func ResultRules(profile string) (results.Rules, error) {
	switch profile {
	case "2026-08":
		return results.Reference(), nil
	case "2026-11":
		rules := results.Newest()
		rules.Bounds, rules.EvalLengths, rules.EmptyCollection = results.Bounds{}, false, true
		return rules, nil
	}
	return results.Rules{}, errors.New("no profile " + profile)
}

// RunResult returns the product's result for a case under a profile, in the
// form of the expectation.
func RunResult(c ResultCase, profile string) (map[string]any, error) {
	rules, err := ResultRules(profile)
	if err != nil {
		return nil, err
	}
	return resultKinds[c.Kind](c, rules)
}

// unpacked is the time of files without a given one: when the tree was made,
// later than any given time.
const unpacked = 2_000_000_000

// folder builds a tree in memory.
func folder(entries []TreeEntry) fstest.MapFS {
	out := fstest.MapFS{}
	for i, e := range entries {
		f := &fstest.MapFile{Mode: 0o644, ModTime: time.Unix(unpacked, int64(i))}
		if e.Mtime != 0 {
			f.ModTime = time.Unix(e.Mtime, 0)
		}
		switch {
		case e.Dir:
			f.Mode = 0o755 | os.ModeDir
		case e.Text != nil:
			f.Data = []byte(*e.Text)
		default:
			f.Data = e.JSON
		}
		out[e.Path] = f
	}
	return out
}

func content(entries []TreeEntry) (archive.Content, error) {
	return archive.OpenFolder(folder(entries), ".", archive.DefaultLimits())
}

func checkTree(c ResultCase, rules results.Rules) (map[string]any, error) {
	tree, list, err := results.OpenTree(folder(c.Tree), rules.Archive)
	if err != nil || list != nil {
		return nil, errors.Join(err, list.Err())
	}
	report, err := results.CheckTree(tree, rules)
	if err != nil {
		return nil, err
	}
	out := map[string]any{"outcome": "accept", "errors": treeErrors(report.Errors)}
	if len(report.Errors) > 0 {
		out["outcome"] = "reject"
	}
	out["counts"] = map[string]any{"fixed": float64(report.Fixed), "agentic": float64(report.Agentic), "eval": float64(report.Evals)}
	if dedupe := collapsed(report.Collapse); len(dedupe) > 0 {
		out["dedupe"] = dedupe
	}
	if report.Collapse.Removed != nil {
		out["removed"] = texts(report.Collapse.Removed)
	}
	if report.Collapse.Changed != nil {
		changed := make(map[string]any)
		for name, v := range report.Collapse.Changed {
			changed[name] = value(v)
		}
		out["changed"] = changed
	}
	return out, nil
}

func treeErrors(list []results.TreeError) []any {
	out := []any{}
	for _, e := range list {
		item := []any{e.Code}
		for _, a := range e.Args {
			if a.IsNumber {
				item = append(item, float64(a.Number))
			} else {
				item = append(item, a.Text)
			}
		}
		out = append(out, item)
	}
	return out
}

func collapsed(c results.Collapse) []any {
	var out []any
	for _, a := range c.Aggregates {
		out = append(out, []any{"aggregate-rows", a.File, float64(a.Kept), float64(a.Before)})
	}
	for _, name := range c.Folders {
		out = append(out, []any{"removed", name})
	}
	for _, b := range c.Batches {
		out = append(out, []any{"pruned", b.Folder, numbers(b.Concs)})
	}
	return out
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, text := range list {
		out[i] = text
	}
	return out
}

func numbers(list []int64) []any {
	out := make([]any, len(list))
	for i, n := range list {
		out[i] = float64(n)
	}
	return out
}

// value is a document as encoding/json has it.
func value(v ordjson.Value) any {
	out, err := decode(v.Append(nil, ordjson.Compact))
	if err != nil {
		return err.Error()
	}
	return out
}

func countFrontiers(c ResultCase, _ results.Rules) (map[string]any, error) {
	data := []byte(c.Input.Curves)
	if c.Input.Text != "" {
		data = []byte(c.Input.Text)
	}
	found, err := pareto.Read(data)
	for _, known := range []error{pareto.ErrEmpty, pareto.ErrNoObject, pareto.ErrShape, pareto.ErrDuplicate} {
		if errors.Is(err, known) {
			return map[string]any{"error": known.Error()}, nil
		}
	}
	curves := []any{}
	for _, r := range found {
		curves = append(curves, value(r.Document()))
	}
	return map[string]any{"curves": curves}, err
}

func judgeEval(c ResultCase, rules results.Rules) (map[string]any, error) {
	bars, _ := results.ReadThresholds("thresholds.yaml", []byte(c.Input.Thresholds))
	if text := c.Input.arg("--min-score"); text != nil {
		minimum, err := strconv.ParseFloat(*text, 64)
		if err != nil {
			return nil, err
		}
		bars.Fallback = &minimum
	}
	in := results.EvalInput{EnvPrefix: c.Input.Env["MODEL_PREFIX"], ExpectedConcs: c.Input.arg("--expected-concs")}
	if text := c.Input.arg("--model-prefix"); text != nil {
		in.Prefix = *text
	}
	if text := c.Input.arg("--metric-prefix"); text != nil {
		in.MetricPrefixes = []string{*text}
	}
	if c.Input.MetaEnv != nil {
		var broken string
		if in.Meta = c.Input.MetaEnv; json.Unmarshal(c.Input.MetaEnv, &broken) == nil {
			in.Meta = []byte(broken)
		}
	}
	for name, data := range c.Input.Results {
		in.Results = append(in.Results, results.RawFile{Name: name, Data: data})
	}
	return judgement(results.JudgeEval(in, bars, rules), bars), nil
}

// arg returns an argument as text, nil when it is not given.
func (in ResultInput) arg(name string) *string {
	v, ok := in.Args[name]
	if !ok {
		return nil
	}
	text := fmt.Sprint(v)
	return &text
}

func judgement(j results.EvalJudgement, bars results.Thresholds) map[string]any {
	out := map[string]any{"exit": float64(1), "prefix": nil, "checks": []any{}, "failures": []any{}}
	if j.Passed() {
		out["exit"] = float64(0)
	}
	if j.Prefix != "" {
		out["prefix"] = j.Prefix
	}
	if !bars.Loaded {
		out["thresholds_loaded"] = false
	}
	checks := []any{}
	for _, check := range j.Checks {
		item := map[string]any{"conc": nil, "task": check.Task, "metric": check.Metric, "value": check.Value,
			"threshold": check.Bar.Minimum, "source": check.Bar.Source, "pass": check.Pass}
		if check.Conc != 0 {
			item["conc"] = float64(check.Conc)
		}
		checks = append(checks, item)
	}
	failures := []any{}
	for _, f := range j.Failures {
		item := []any{f.Code}
		if f.Concs != nil {
			item = append(item, numbers(f.Concs))
		}
		failures = append(failures, item)
	}
	out["checks"], out["failures"] = checks, failures
	return out
}

func identify(c ResultCase, rules results.Rules) (map[string]any, error) {
	row, err := ordjson.Parse(c.Input.Row)
	if err != nil {
		return nil, err
	}
	var id results.Identity
	switch c.Input.RowKind {
	case "agentic":
		id = results.AgenticIdentity(row)
	case "eval":
		id = results.EvalIdentity(row, rules)
	default:
		id = results.FixedIdentity(row)
	}
	return map[string]any{"identity": value(ordjson.List(id.Parts()...))}, nil
}

// shortName is the category word of a case in messages.
func (c ResultCase) shortName() string { return strings.TrimSpace(c.ID + " " + c.Title) }
