package matrix

import (
	"io"
	"slices"
	"strconv"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/argv"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Request is one call of the generator (spec/matrix.md section 10).
type Request struct {
	// Keys are config keys and globs; only test-config has them, and without
	// them every config is expanded.
	Keys     []string
	Filter   Filter
	Evals    EvalMode
	ExpNames []string
	Trim     bool
}

// The two generator commands.
const (
	CommandFullSweep  = "full-sweep"
	CommandTestConfig = "test-config"
)

// RequestOptions are the options of a generator command.
func RequestOptions(command string, rules config.Matrix) []argv.Option {
	options := []argv.Option{
		{Name: "no-evals", Doc: "mark no row for evaluation"},
		{Name: "evals-only", Doc: "print only the rows of the default eval selection"},
		{Name: "all-evals", Doc: "print only eval rows, of everything that can be evaluated"},
		{Name: "runner-node-filter", Kind: argv.Text, Doc: "expand to the runners whose name contains this text"},
		{Name: "scenario-type", Kind: argv.List, Choices: []string{FixedSeqLen, AgenticCoding}, Doc: "only these scenarios"},
		{Name: "seq-lens", Kind: argv.List, Choices: []string{"1k1k", "8k1k"}, Doc: "only fixed sequences of these lengths"},
	}
	if rules.Smoke {
		options = append(options,
			argv.Option{Name: "smoke", Doc: "each recipe once, and each selected eval once"},
			argv.Option{Name: "trim-conc", Doc: "only the lowest concurrency of each recipe"})
	}
	if command == CommandTestConfig {
		options = append(options,
			argv.Option{Name: "config-keys", Kind: argv.List, Required: true, Doc: "config keys; '*' and '?' make a pattern"},
			argv.Option{Name: "conc", Kind: argv.IntList, Doc: "only these concurrencies"})
		if rules.Smoke {
			options = append(options, argv.Option{Name: "exp-names", Kind: argv.List, Doc: "only the rows of exactly these names"})
		}
		return options
	}
	return append(options,
		argv.Option{Name: "model-prefix", Kind: argv.List, Doc: "config keys that begin with one of these"},
		argv.Option{Name: "precision", Kind: argv.List, Doc: "only these precisions"},
		argv.Option{Name: "framework", Kind: argv.List, Doc: "only these frameworks"},
		argv.Option{Name: "runner-type", Kind: argv.List, Doc: "only these runner labels"},
		argv.Option{Name: "single-node", Doc: "only single-node configs"},
		argv.Option{Name: "multi-node", Doc: "only multi-node configs"},
		argv.Option{Name: "step-size", Kind: argv.Int, Doc: "factor between the concurrencies of a range (2)"},
		argv.Option{Name: "min-conc", Kind: argv.Int, Doc: "lowest concurrency"},
		argv.Option{Name: "max-conc", Kind: argv.Int, Doc: "highest concurrency"},
		argv.Option{Name: "max-tp", Kind: argv.Int, Doc: "highest tp of single-node fixed-sequence entries"},
		argv.Option{Name: "max-ep", Kind: argv.Int, Doc: "cap on ep of single-node fixed-sequence entries"})
}

// NewRequest builds a request from a parsed command line. Findings are of
// category "usage".
func NewRequest(command string, a argv.Args) (Request, diag.List) {
	r := Request{
		Keys: a.List("config-keys"), ExpNames: a.List("exp-names"), Trim: a.Has("trim-conc"),
		Filter: Filter{
			Scenarios: ScenarioSet(a.List("scenario-type")...), SeqLens: a.List("seq-lens"), Node: a.Text("runner-node-filter", ""),
			Conc: a.Ints("conc"), FullSweep: command == CommandFullSweep, ModelPrefixes: a.List("model-prefix"),
			Precisions: a.List("precision"), Frameworks: a.List("framework"), RunnerTypes: a.List("runner-type"),
			SingleNode: a.Has("single-node"), MultiNode: a.Has("multi-node"), StepSize: 2,
			MinConc: a.Int("min-conc"), MaxConc: a.Int("max-conc"), MaxTP: a.Int("max-tp"), MaxEP: a.Int("max-ep"),
		},
		Evals: EvalDefault,
	}
	var list diag.List
	refuse := func(code string, args ...string) {
		list = append(list, diag.New(code, diag.Place{}, args...).In("usage"))
	}
	if step := a.Int("step-size"); step != nil {
		if r.Filter.StepSize = *step; *step <= 1 {
			refuse("usage.step-size", "value", strconv.FormatInt(*step, 10))
		}
	}
	if low, high := r.Filter.MinConc, r.Filter.MaxConc; low != nil && high != nil && *low > *high {
		refuse("usage.min-above-max", "min", strconv.FormatInt(*low, 10), "max", strconv.FormatInt(*high, 10))
	}
	for i, name := range r.ExpNames {
		if slices.Contains(r.ExpNames[:i], name) {
			refuse("usage.exp-name-repeated", "name", name)
		}
	}
	r.Evals, list = evalMode(a, list)
	return r, list
}

// evalMode reads the eval flags, of which only --all-evals and --evals-only go
// together.
func evalMode(a argv.Args, list diag.List) (EvalMode, diag.List) {
	exclude := func(code, option string, others ...string) {
		for _, other := range others {
			if a.Has(option) && a.Has(other) {
				list = append(list, diag.New(code, diag.Place{}, "option", "--"+other).In("usage"))
			}
		}
	}
	exclude("usage.no-evals-excludes", "no-evals", "evals-only", "all-evals")
	exclude("usage.smoke-excludes", "smoke", "no-evals", "evals-only", "all-evals", "trim-conc")
	switch {
	case a.Has("smoke"):
		return EvalSmoke, list
	case a.Has("no-evals"):
		return EvalNone, list
	case a.Has("all-evals"):
		return EvalAll, list
	case a.Has("evals-only"):
		return EvalSubset, list
	}
	return EvalDefault, list
}

// Generate runs a request over the configs of one revision. Findings of
// category "usage" mean that the request itself is wrong.
func Generate(s config.Settings, files Files, r Request) ([]*Row, diag.List) {
	masters, list := ReadMasters(s, files, false)
	if list.Refused() {
		return nil, list
	}
	generator, list := newGenerator(s, files)
	if list.Refused() {
		return nil, list
	}
	configs := masters.Configs
	if len(r.Keys) > 0 {
		if configs, list = masters.Expand(r.Keys); list.Refused() {
			return nil, list
		}
	}
	for _, label := range r.Filter.RunnerTypes {
		if _, known := generator.inventory.Nodes(label); !known {
			return nil, diag.List{diag.New("matrix.unknown-runner-type", diag.Place{}, "label", label).In("invalid-runner-type")}
		}
	}
	rows, list := generator.Expand(configs, r.Filter)
	if list.Refused() {
		return nil, list
	}
	if rows, list = selectNames(rows, r.ExpNames); list.Refused() {
		return nil, list
	}
	rows = SelectEvals(rows, r.Evals, s.Matrix)
	if r.Trim {
		rows = Trim(rows, s.Matrix)
	}
	return rows, nil
}

// selectNames keeps the rows of exactly these names, one row a name.
func selectNames(rows []*Row, names []string) ([]*Row, diag.List) {
	if len(names) == 0 {
		return rows, nil
	}
	count := make(map[string]int)
	kept := slices.DeleteFunc(slices.Clone(rows), func(r *Row) bool {
		count[r.ExpName]++
		return !slices.Contains(names, r.ExpName)
	})
	var list diag.List
	for _, name := range names {
		if count[name] != 1 {
			list = append(list, diag.New("usage.exp-name-rows", diag.Place{}, "name", name, "count", strconv.Itoa(count[name])).In("usage"))
		}
	}
	return kept, list
}

// WriteRows writes the JSON array that the generator prints. Rows are encoded
// one by one, so that memory does not grow with their number.
func WriteRows(w io.Writer, rows []*Row) error {
	buffer := []byte{'['}
	row := ordjson.Map()
	for i, r := range rows {
		if i > 0 {
			buffer = append(buffer, ", "...)
		}
		row.Members = row.Members[:0]
		r.generate(&row)
		buffer = row.Append(buffer, ordjson.Spaced)
		if _, err := w.Write(buffer); err != nil {
			return err
		}
		buffer = buffer[:0]
	}
	_, err := w.Write(append(buffer, "]\n"...))
	return err
}
