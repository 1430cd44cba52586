package results

import (
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/results/document"
)

const metaFile = "meta_env.json"

// metaState says what became of the metadata of an eval folder.
type metaState uint8

const (
	metaAbsent metaState = iota
	metaBroken
	metaNoObject
	metaSound
)

// evalFolder is one set of eval results: the metadata and the direct JSON files
// of an artifact that are recognised results.
type evalFolder struct {
	// name is that of the artifact, "" for files that lie at the top.
	name    string
	state   metaState
	meta    ordjson.Value
	results []evalResult
	// broken names the JSON files that can't be read.
	broken diag.List
	// budget is the number of values that may still be read: the folder's files
	// are held in memory together.
	budget int
}

// folderValues bounds the values of one folder; results have some thousands.
const folderValues = 200_000

// evalResult is one recognised result file.
type evalResult struct {
	name string
	// stamp is the time in the name as text, order the time by which results
	// are ordered, in nanoseconds.
	stamp string
	order int64
	// conc is the concurrency in the name, 0 for none.
	conc int64
	doc  ordjson.Value
}

// newer orders results: the later one wins, names decide between equals.
func (r evalResult) newer(other evalResult) bool {
	if r.order != other.order {
		return r.order > other.order
	}
	return r.name > other.name
}

// loadEvalFolder reads the files directly below dir ("" for the top) of an
// artifact. Files that are no JSON are passed over, as consumers do, but kept
// as findings.
func loadEvalFolder(content archive.Content, dir, name string, rules Rules) (evalFolder, error) {
	f := evalFolder{name: name, budget: folderValues}
	for _, file := range content.Files() {
		if path.Dir(file.Name) != dirOrDot(dir) || path.Ext(file.Name) != ".json" {
			continue
		}
		data, err := readFile(content, file, rules.FileBytes)
		if err != nil {
			return f, err
		}
		f.add(path.Base(file.Name), data, file.Modified.UnixNano(), rules)
	}
	return f, nil
}

func dirOrDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

func (f *evalFolder) add(name string, data []byte, modified int64, rules Rules) {
	doc, err := document.Parse(data, document.Options{NonFinite: true, LastWins: true, Values: max(f.budget, 1)})
	f.budget -= countValues(doc)
	if name == metaFile {
		f.meta = doc
		switch {
		case err != nil:
			f.state = metaBroken
			f.broken = append(f.broken, unreadable(path.Join(f.name, name), err))
		case doc.Kind != ordjson.Object:
			f.state = metaNoObject
		default:
			f.state = metaSound
		}
		return
	}
	if err != nil {
		f.broken = append(f.broken, unreadable(path.Join(f.name, name), err).WithSeverity(diag.Warning))
		return
	}
	if !recognised(doc, rules) {
		return
	}
	r := evalResult{name: name, stamp: stampOf(name), order: modified, doc: relevant(doc)}
	r.conc, _ = concOf(name)
	if t, ok := timeOf(name); ok && rules.TimeInName {
		r.order = t
	}
	f.results = append(f.results, r)
}

func countValues(v ordjson.Value) int {
	n := 1
	for _, item := range v.Items {
		n += countValues(item)
	}
	for _, m := range v.Members {
		n += countValues(m.Value)
	}
	return n
}

// relevantMembers are what is ever read of a result; the rest are reports of
// the machine and the program, many times as large.
var relevantMembers = []string{"lm_eval_version", "result_format", "model_name", "results", "configs", "n-samples", "integration_error"}

func relevant(doc ordjson.Value) ordjson.Value {
	out := ordjson.Map()
	for _, m := range doc.Members {
		if slices.Contains(relevantMembers, m.Name) {
			out.Members = append(out.Members, m)
		}
	}
	return out
}

// formatName marks results of the newest producer.
const formatName = "inferencex-eval-v1"

// recognised reports whether a document is an eval result.
func recognised(doc ordjson.Value, rules Rules) bool {
	if doc.Kind != ordjson.Object {
		return false
	}
	if _, ok := doc.Get("lm_eval_version"); ok {
		return true
	}
	format, _ := doc.Get("result_format")
	return rules.BrokenEvals && format.Kind == ordjson.String && format.Text == formatName
}

// batched reports whether the metadata lists several concurrencies.
func (f evalFolder) batched() bool {
	concs, _ := f.meta.Get("eval_concs")
	return concs.Kind == ordjson.Array
}

// newest returns the newest result for a concurrency, or of an unbatched folder
// for 0.
func (f evalFolder) newest(conc int64) (evalResult, bool) {
	var best evalResult
	found := false
	for _, r := range f.results {
		if conc != 0 && r.conc != conc {
			continue
		}
		if !found || r.newer(best) {
			best, found = r, true
		}
	}
	return best, found
}

// concs returns the concurrencies of a batched folder that count, sorted: those
// that completed, or those that were requested where that is not recorded, or
// all that left a file where neither is a list.
func (f evalFolder) concs() []int64 {
	listed, ok := f.meta.Get("completed_eval_concs")
	if !ok {
		listed, _ = f.meta.Get("eval_concs")
	}
	var out []int64
	for _, r := range f.results {
		if r.conc != 0 && (listed.Kind != ordjson.Array || containsInt(listed, r.conc)) {
			out = append(out, r.conc)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func containsInt(list ordjson.Value, n int64) bool {
	return slices.ContainsFunc(list.Items, func(v ordjson.Value) bool {
		m, ok := document.Int(v)
		return ok && m == n
	})
}

// chosen returns the results that count, with the concurrency each stands for;
// 0 means that of the metadata.
func (f evalFolder) chosen() []evalResult {
	if !f.batched() {
		if r, ok := f.newest(0); ok {
			r.conc = 0
			return []evalResult{r}
		}
		return nil
	}
	var out []evalResult
	for _, conc := range f.concs() {
		r, _ := f.newest(conc)
		out = append(out, r)
	}
	return out
}

// errTooLong is a file that is larger than may be read as a whole.
var errTooLong = errors.New("larger than the limit")

// readFile reads a whole file of at most limit bytes.
func readFile(content archive.Content, file archive.File, limit int) ([]byte, error) {
	if file.Size > int64(limit) {
		return nil, errTooLong
	}
	in, err := content.Open(file.Name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	data := make([]byte, 0, file.Size+1)
	for {
		n, err := in.Read(data[len(data):cap(data)])
		if data = data[:len(data)+n]; err != nil {
			if errors.Is(err, io.EOF) {
				return data, nil
			}
			return nil, err
		}
		if len(data) == cap(data) {
			return nil, errTooLong
		}
	}
}

// evalFolders finds the sets of a downloaded tree: the top if it has metadata,
// and every direct sub-folder with metadata, by name.
func evalFolders(content archive.Content, rules Rules) ([]evalFolder, error) {
	var dirs []string
	for _, file := range content.Files() {
		if dir := path.Dir(file.Name); path.Base(file.Name) == metaFile && !strings.Contains(dir, "/") {
			dirs = append(dirs, strings.TrimPrefix(dir, "."))
		}
	}
	slices.Sort(dirs)
	var out []evalFolder
	for _, dir := range slices.Compact(dirs) {
		f, err := loadEvalFolder(content, dir, dir, rules)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}
