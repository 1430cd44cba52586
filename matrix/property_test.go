package matrix

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// eras runs a property under the rules of both eras.
func eras(t *testing.T, property func(t *testing.T, d drawing, s config.Settings, files func(configs []ordjson.Value) memFiles)) {
	for _, isNewest := range []bool{false, true} {
		s, runners := august(t), toyLabels+toyHardware
		name := "august"
		if isNewest {
			s, runners, name = newest(t, withoutRecipes), toyLabels+toyClusters, "newest"
		}
		s.Sweep.UndispatchedBuckets = config.UndispatchedDispatch
		files := func(configs []ordjson.Value) memFiles {
			return memFiles{amdFile: masterText(configs), nvidiaFile: "{}", runnersFile: runners}
		}
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) { property(t, drawing{rt, isNewest}, s, files) })
		})
	}
}

func planOf(d drawing, s config.Settings, c Change) *Plan {
	p, list := NewPlan(s, c)
	if p == nil {
		d.Fatalf("refused: %v", list)
	}
	return p
}

func throughput(p *Plan) []*Row {
	var rows []*Row
	for _, b := range slices.Concat(p.SingleNode, p.MultiNode) {
		rows = append(rows, b.Rows...)
	}
	return rows
}

// The plan is a function of its inputs: twice the same, and whatever the order
// of keys inside of configs and of records in the runner file.
func TestPlanIsAFunction(t *testing.T) {
	eras(t, func(t *testing.T, d drawing, s config.Settings, files func([]ordjson.Value) memFiles) {
		configs := d.configs()
		entries := d.changelogEntries(len(configs))
		head := files(configs)
		first := compact(planOf(d, s, changeOf(head, head, entries...)).Reference())
		if again := compact(planOf(d, s, changeOf(head, head, entries...)).Reference()); again != first {
			d.Fatalf("first\n%s\nthen\n%s", first, again)
		}
		turned := make([]ordjson.Value, len(configs))
		for i, c := range configs {
			turned[i] = d.shuffled(c)
		}
		other := files(turned)
		runners := strings.SplitAfter(other[runnersFile], "\n")
		slices.Reverse(runners[1:5]) // the labels
		other[runnersFile] = strings.Join(runners, "")
		if shuffled := compact(planOf(d, s, changeOf(other, other, entries...)).Reference()); shuffled != first {
			d.Fatalf("first\n%s\nshuffled\n%s", first, shuffled)
		}
	})
}

// Every row has its own identity (config, entry, runner, concurrency) in its
// group, and the number of rows is what the configs ask for.
func TestRowsAreUnique(t *testing.T) {
	eras(t, func(t *testing.T, d drawing, s config.Settings, files func([]ordjson.Value) memFiles) {
		configs := d.configs()
		rows, list := Generate(s, files(configs), Request{Evals: EvalNone})
		if list.Refused() {
			d.Fatal(list)
		}
		seen := make(map[string]bool)
		for _, r := range rows {
			id := fmt.Sprint(r.Bucket(), r.Config.Key, r.Entry.Place, r.Runner, r.Conc)
			if seen[id] {
				d.Fatalf("twice: %s", id)
			}
			seen[id] = true
		}
		want := 0
		for _, c := range configs {
			want += rowsAsked(c)
		}
		if len(rows) != want {
			d.Fatalf("%d rows, the configs ask for %d", len(rows), want)
		}
	})
}

// rowsAsked counts rows from the drawn document alone.
func rowsAsked(c ordjson.Value) int {
	scenarios, _ := c.Get("scenarios")
	multinode, _ := c.Get("multinode")
	n := 0
	for _, scenario := range scenarios.Members {
		for _, block := range scenario.Value.Items {
			space, _ := block.Get("search-space")
			for _, entry := range space.Items {
				if multinode.Text == "true" && scenario.Name == FixedSeqLen {
					n++
					continue
				}
				n += concsAsked(entry)
			}
		}
	}
	return n
}

func concsAsked(entry ordjson.Value) int {
	if list, written := entry.Get("conc-list"); written {
		return len(list.Items)
	}
	number := func(name string) (n int) {
		v, _ := entry.Get(name)
		fmt.Sscan(v.Text, &n)
		return n
	}
	n := 1
	for at := number("conc-start"); at < number("conc-end"); at *= 2 {
		n++
	}
	return n
}

// F12, F31: no row is lost between buckets, families and shards, and eval rows
// reach only the bucket of their shape. F13, F14: shards respect the limits,
// and their names are unique and stable.
func TestFamiliesAndShards(t *testing.T) {
	eras(t, func(t *testing.T, d drawing, s config.Settings, files func([]ordjson.Value) memFiles) {
		configs := d.configs()
		head := files(configs)
		p := planOf(d, s, changeOf(head, head, d.changelogEntries(len(configs))...))
		limits := config.Limits{MatrixRows: rapid.IntRange(1, 5).Draw(d.T, "rows"), OutputChars: rapid.IntRange(2000, 6000).Draw(d.T, "chars")}
		families, list := Families(p, s.Sweep)
		if list.Refused() {
			d.Fatal(list)
		}
		count, names := 0, make(map[string]bool)
		for _, f := range families {
			checkShards(d, f, limits, names)
			count += len(f.Rows)
			for _, r := range f.Rows {
				if r.Multinode() != f.Multinode || r.Agentic() != f.Agentic || r.EvalOnly != f.EvalOnly {
					d.Fatalf("%s has a row of another shape: %s", f.Job, compact(r.Document()))
				}
			}
		}
		if all := len(allRows(p)); count != all {
			d.Fatalf("%d rows in families, %d in buckets", count, all)
		}
	})
}

func checkShards(d drawing, f Family, limits config.Limits, names map[string]bool) {
	shards, list := f.Shards(limits)
	if list.Refused() {
		d.Fatal(list)
	}
	var joined []*Row
	for i, shard := range shards {
		size := 0
		for _, r := range shard.Rows {
			size += r.chars()
		}
		if len(shard.Rows) == 0 || len(shard.Rows) > limits.MatrixRows || size > limits.OutputChars {
			d.Fatalf("shard %s: %d rows, %d characters", shard.Name, len(shard.Rows), size)
		}
		if names[shard.Name] || i == 0 && shard.Name != f.Job {
			d.Fatalf("shard %d is called %s", i, shard.Name)
		}
		names[shard.Name] = true
		joined = append(joined, shard.Rows...)
	}
	if !slices.Equal(joined, f.Rows) {
		d.Fatalf("the shards of %s hold other rows, or in another order", f.Job)
	}
	// Rows behind do not move the cuts before.
	shorter := f
	shorter.Rows = f.Rows[:len(f.Rows)/2]
	before, _ := shorter.Shards(limits)
	for i := 0; i+1 < len(before); i++ {
		if before[i].Name != shards[i].Name || len(before[i].Rows) != len(shards[i].Rows) {
			d.Fatalf("shard %d depends on rows behind it", i)
		}
	}
}

// F06: trimming keeps the lowest point of every curve and no other.
func TestTrimKeepsTheMinimum(t *testing.T) {
	eras(t, func(t *testing.T, d drawing, s config.Settings, files func([]ordjson.Value) memFiles) {
		rows, list := Generate(s, files(d.configs()), Request{Evals: EvalNone})
		if list.Refused() {
			d.Fatal(list)
		}
		curve := func(r *Row) string { return compact(without(r.Generator(), "conc", "exp-name")) }
		lowest := make(map[string]int64)
		for _, r := range rows {
			key := curve(r)
			low := slices.Min(r.Conc)
			if was, known := lowest[key]; !known || low < was {
				lowest[key] = low
			}
		}
		kept := make(map[string]int)
		for _, r := range Trim(rows, s.Matrix) {
			key := curve(r)
			kept[key]++
			merges := s.Matrix.TrimMerges || !r.Multinode()
			if len(r.Conc) != 1 || merges && (r.Conc[0] != lowest[key] || kept[key] > 1) {
				d.Fatalf("%v is kept, the lowest is %d", r.Conc, lowest[key])
			}
		}
		if len(kept) != len(lowest) {
			d.Fatalf("%d curves of %d are kept", len(kept), len(lowest))
		}
	})
}

// The delta of an append-only change is part of head and disjoint from base,
// and with base it makes up head.
func TestDeltaIsTheDifference(t *testing.T) {
	eras(t, func(t *testing.T, d drawing, s config.Settings, files func([]ordjson.Value) memFiles) {
		configs := d.configs()
		grown := make([]ordjson.Value, len(configs))
		for i, c := range configs {
			grown[i] = moreConcs(c)
		}
		base, head := files(configs), files(grown)
		p, list := NewPlan(s, changeOf(base, head, entryText(`"c*"`, "append-only: true")))
		if f := list.First(); f != nil {
			if f.Category == "append-only-no-delta" && masterText(configs) == masterText(grown) || f.Category == "append-only-image" {
				return // two images in one series
			}
			d.Fatal(list)
		}
		was, is := pointsOf(d, s, base), pointsOf(d, s, head)
		for _, r := range throughput(p) {
			for _, point := range pointsOfRow(r) {
				if was[point] || !is[point] {
					d.Fatalf("%s: in base %v, in head %v", point, was[point], is[point])
				}
				was[point] = true
			}
		}
		if len(was) != len(is) {
			d.Fatalf("base and delta have %d points, head %d", len(was), len(is))
		}
		if len(p.Evals)+len(p.AgenticEvals)+len(p.MultiEvals)+len(p.MultiAgenticEvals) > 0 {
			d.Fatal("an append-only change has evals")
		}
	})
}

// moreConcs adds concurrencies to every list of a config.
func moreConcs(v ordjson.Value) ordjson.Value {
	out := v
	out.Items = nil
	for _, item := range v.Items {
		out.Items = append(out.Items, moreConcs(item))
	}
	out.Members = nil
	for _, m := range v.Members {
		m.Value = moreConcs(m.Value)
		if m.Name == "conc-list" {
			m.Value.Items = append([]ordjson.Value{ordjson.Int(999)}, append(m.Value.Items, ordjson.Int(7))...)
		}
		out.Members = append(out.Members, m)
	}
	return out
}

func pointsOf(d drawing, s config.Settings, files Files) map[string]bool {
	rows, list := Generate(s, files, Request{Evals: EvalNone})
	if list.Refused() {
		d.Fatal(list)
	}
	out := make(map[string]bool)
	for _, r := range rows {
		for _, point := range pointsOfRow(r) {
			out[point] = true
		}
	}
	return out
}

func pointsOfRow(r *Row) []string {
	key := compact(without(r.Generator(), "conc", "exp-name", "recipe-fingerprint"))
	var out []string
	for _, conc := range r.Conc {
		out = append(out, fmt.Sprint(key, conc))
	}
	return out
}

// Removing an entry never adds a throughput point.
func TestFewerEntriesFewerPoints(t *testing.T) {
	eras(t, func(t *testing.T, d drawing, s config.Settings, files func([]ordjson.Value) memFiles) {
		configs := d.configs()
		entries := d.changelogEntries(len(configs))
		if len(entries) < 2 {
			return
		}
		head := files(configs)
		show := func(entries []string) map[string]int {
			out := make(map[string]int)
			for _, r := range throughput(planOf(d, s, changeOf(head, head, entries...))) {
				out[compact(r.Document())]++
			}
			return out
		}
		all := show(entries)
		gone := rapid.IntRange(0, len(entries)-1).Draw(d.T, "gone")
		for row, n := range show(slices.Delete(slices.Clone(entries), gone, gone+1)) {
			if all[row] < n {
				d.Fatalf("%d times instead of %d: %s", n, all[row], row)
			}
		}
	})
}

// A fingerprint depends on everything but concurrency and name.
func TestFingerprintProperty(t *testing.T) {
	eras(t, func(t *testing.T, d drawing, s config.Settings, files func([]ordjson.Value) memFiles) {
		rows, list := Generate(s, files(d.configs()), Request{Evals: EvalNone})
		if list.Refused() {
			d.Fatal(list)
		}
		curves := make(map[string]string)
		for _, r := range rows {
			print := fingerprint(r.Generator())
			other := *r
			other.Conc, other.ExpName, other.Fingerprint = []int64{77}, "other", strings.Repeat("0", 64)
			if fingerprint(other.Generator()) != print {
				d.Fatal("concurrency, name or fingerprint count")
			}
			key := compact(without(r.Generator(), "conc", "exp-name"))
			if was, known := curves[print]; known && was != key && string(parsed(t, was).Append(nil, ordjson.Canonical)) != string(parsed(t, key).Append(nil, ordjson.Canonical)) {
				d.Fatalf("one fingerprint for\n%s\n%s", was, key)
			}
			curves[print] = key
			config := *r.Config
			config.Image += "x"
			other = *r
			other.Config = &config
			if fingerprint(other.Generator()) == print {
				d.Fatal("the image does not count")
			}
		}
	})
}

// F11 and F36: every row of every plan has the values that templates read, and
// a token of its own.
func TestRowsAreComplete(t *testing.T) {
	eras(t, func(t *testing.T, d drawing, s config.Settings, files func([]ordjson.Value) memFiles) {
		configs := d.configs()
		head := files(configs)
		change := changeOf(head, head, d.changelogEntries(len(configs))...)
		change.Trim = d.maybe("trim")
		p := planOf(d, s, change)
		for _, r := range allRows(p) {
			checkOrder(t, strings.ReplaceAll(documentShapes[shape(r)], "srt-recipe+", "srt-recipe+?"), d.newest, r.Document())
			checkValues(t, r)
			if r.EvalOnly != (r.Fingerprint == "") || r.EvalOnly && r.RunEval != Yes {
				d.Fatalf("eval-only %v, run-eval %v, fingerprint %q", r.EvalOnly, r.RunEval, r.Fingerprint)
			}
		}
		doc, list := policy(t, augustPolicy, s).Annotate(p.Reference(), Scoring{Namespace: "1:1"})
		if list != nil {
			d.Fatal(list)
		}
		tokens := make(map[string]bool)
		collectTokens(d, doc, tokens)
		if len(tokens) != len(allRows(p)) {
			d.Fatalf("%d tokens for %d rows", len(tokens), len(allRows(p)))
		}
		if t.Failed() {
			d.Fatal("see above")
		}
	})
}

func collectTokens(d drawing, v ordjson.Value, into map[string]bool) {
	if token, written := v.Get("queue-token"); written {
		if into[token.Text] || len(token.Text) != 32 {
			d.Fatalf("token %q", token.Text)
		}
		into[token.Text] = true
	}
	for _, item := range v.Items {
		collectTokens(d, item, into)
	}
	for _, m := range v.Members {
		collectTokens(d, m.Value, into)
	}
}

// Printed rows are one JSON array, whatever their number.
func TestWriteRowsProperty(t *testing.T) {
	eras(t, func(t *testing.T, d drawing, s config.Settings, files func([]ordjson.Value) memFiles) {
		rows, list := Generate(s, files(d.configs()), Request{Evals: pick(d, "mode", EvalNone, EvalDefault, EvalSubset, EvalAll)})
		if list.Refused() {
			d.Fatal(list)
		}
		var out bytes.Buffer
		if err := WriteRows(&out, rows); err != nil {
			d.Fatal(err)
		}
		v, err := ordjson.Parse(out.Bytes())
		if err != nil || len(v.Items) != len(rows) {
			d.Fatalf("%d rows, %d printed, %v", len(rows), len(v.Items), err)
		}
		for i, r := range rows {
			if compact(v.Items[i]) != compact(r.Generator()) {
				d.Fatalf("row %d is printed as %s", i, compact(v.Items[i]))
			}
		}
	})
}
