package matrix

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// spec/changelog.md section 8, the vectors of the disaggregated config.
func TestPlannerVectors(t *testing.T) {
	const (
		key       = "toy-fp4-nv4-dyn-disagg"
		rows      = "multi_node.8k1k: [8,64,32]\nmulti_node.agentic: [2] [16]\n"
		eval      = "multinode_evals: [8,64,32]@64\n"
		agentic   = "multinode_agentic_evals: [16]@16\n"
		all       = "multinode_evals: [8,32,64] all\n"
		allAgents = "multinode_agentic_evals: [2,16]@16\n"
	)
	for _, c := range []struct {
		name     string
		modifier Modifiers
		more     []string
		want     string
	}{
		{"plain", Modifiers{}, nil, rows + eval + agentic},
		{"fixed only", Modifiers{}, []string{"scenario-type: [fixed-seq-len]"}, "multi_node.8k1k: [8,64,32]\n" + eval},
		{"agentic only", Modifiers{}, []string{"scenario-type: [agentic-coding]"}, "multi_node.agentic: [2] [16]\n" + agentic},
		{"evals-only", Modifiers{}, []string{"evals-only: true"}, eval + agentic},
		{"modifier evals-only", Modifiers{EvalsOnly: true}, nil, eval + agentic},
		{"all-evals", Modifiers{}, []string{"all-evals: true"}, all + allAgents},
		{"all-evals and evals-only", Modifiers{}, []string{"all-evals: true", "evals-only: true"}, all + allAgents},
		{"both modifiers", Modifiers{AllEvals: true, EvalsOnly: true}, nil, all + allAgents},
		{"evals-only under modifier all-evals", Modifiers{AllEvals: true}, []string{"evals-only: true"}, all + allAgents},
		{"modifier all-evals", Modifiers{AllEvals: true}, nil, rows + all + allAgents},
		{"eval-min-prefill-ep 4", Modifiers{}, []string{"eval-min-prefill-ep: 4"}, rows + eval},
		{"eval-min-prefill-ep 5", Modifiers{}, []string{"eval-min-prefill-ep: 5"}, rows},
		{"trim", Modifiers{Trim: true}, nil, "multi_node.8k1k: [8]\nmulti_node.agentic: [2] [16]\n" + eval + agentic},
	} {
		change := changeOf(augustFiles(), augustFiles(), entryText(key, c.more...))
		change.Modifiers = c.modifier
		same(t, c.name, c.want, summary(mustPlan(t, august(t), change)))
	}
	// eval-min-prefill-ep keeps single-node rows.
	change := changeOf(augustFiles(), augustFiles(), entryText("toy-fp8-gx100-vllm", "eval-min-prefill-ep: 99"))
	same(t, "single-node", "64", briefs(mustPlan(t, august(t), change).Evals))
	// A config listed plainly and with all-evals.
	for _, entries := range [][]string{
		{entryText(`"toy-*"`), entryText(key, "all-evals: true")},
		{entryText(key, "all-evals: true"), entryText(`"toy-*"`)},
	} {
		p := mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entries...))
		same(t, "multi-node", "[8,64,32] | [2] [16] | [8,32,64] all | [2,16]@16",
			briefs(p.MultiNode[0].Rows)+" | "+briefs(p.MultiNode[1].Rows)+" | "+briefs(p.MultiEvals)+" | "+briefs(p.MultiAgenticEvals))
		// The metadata keep file order.
		same(t, "entry order", strings.Contains(entries[0], "all-evals"), p.Entries[0].AllEvals)
	}
}

// spec/changelog.md section 6.5, newest: no-evals entries have no evals and do
// not cover any.
func TestNoEvals(t *testing.T) {
	const key = "toy-fp8-gx100-vllm"
	rows := "single_node.1k1k: 4 8 16 32 50\nsingle_node.8k1k: 4 16 64\n"
	s := newest(t, withoutRecipes)
	p := mustPlan(t, s, changeOf(newestFiles(), newestFiles(), entryText(key, "no-evals: true")))
	same(t, "alone", rows, summary(p))
	p = mustPlan(t, s, changeOf(newestFiles(), newestFiles(), entryText(key, "no-evals: true"), entryText(key)))
	same(t, "with a plain entry", rows+"evals: 64\n", summary(p))
	f := refusal(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(key, "no-evals: true")))
	same(t, "august", "changelog", strings.Split(f.Code, ".")[0])
}

// spec/changelog.md section 6.3: order and duplicates of resolved keys.
func TestKeyResolution(t *testing.T) {
	named := func(key string) string { return strings.Replace(toySingle, "toy-fp8-gx100-vllm", key, 1) }
	files := augustFiles().with(amdFile, named("config-b")+named("config-a")+named("other"), nvidiaFile, named(`"config?"`)+named("configx"))
	order := func(keys string) string {
		p, list := NewPlan(august(t), changeOf(files, files, strings.Replace(entryText("K"), "    - K\n", keys, 1)))
		if f := list.First(); f != nil {
			codes(t, list)
			return f.Code
		}
		var out []string
		seen := make(map[string]bool)
		for _, r := range allRows(p) {
			if !r.EvalOnly && !seen[r.Config.Key] {
				seen[r.Config.Key] = true
				out = append(out, r.Config.Key)
			}
		}
		return strings.Join(out, " ")
	}
	same(t, "master order of a pattern", "config-b config-a", order("    - \"config-*\"\n    - config-a\n"))
	same(t, "first occurrence", "config-a config-b", order("    - config-a\n    - \"config-*\"\n"))
	same(t, "only the star is special", "config?", order("    - \"config?\"\n"))
	same(t, "brackets are literal", "changelog.pattern-no-match", order("    - \"config-[ab]*\"\n"))
	same(t, "no match", "changelog.pattern-no-match", order("    - \"z*\"\n"))
	same(t, "unknown", "changelog.key-unknown-near", order("    - config-c\n"))
}

// S47: a pattern that matches nothing is an error with its place, one that
// matches everything a remark.
func TestPatternsS47(t *testing.T) {
	f := refusal(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(`"zzz*"`)))
	same(t, "place", changelogFile+":8:7", f.Place.String())
	_, list := NewPlan(august(t), changeOf(augustFiles(), augustFiles(), entryText(`"*"`)))
	var said bool
	for _, w := range list {
		said = said || w.Code == "changelog.pattern-all" && w.Severity == diag.Warning
		checkTexts(t, w)
	}
	if !said || list.Refused() {
		t.Errorf("findings: %v", list)
	}
}

// S50: an entry that names a key of head, of base, of neither.
func TestEntryKeysS50(t *testing.T) {
	fresh := strings.Replace(toySingle, "toy-fp8", "new-fp8", 1)
	head := augustFiles().with(nvidiaFile, toySingle+fresh)
	p := mustPlan(t, august(t), changeOf(augustFiles(), head, entryText("new-fp8-gx100-vllm")))
	same(t, "only at head", 8, len(p.SingleNode[0].Rows)+len(p.SingleNode[1].Rows))
	for key, code := range map[string]string{"toy-fp4-nv4-dyn-disagg": "changelog.key-removed", "nowhere": "changelog.key-unknown"} {
		f := refusal(t, august(t), changeOf(augustFiles(), head, entryText(key)))
		same(t, key, code+" unknown-key", f.Code+" "+f.Category)
		same(t, key, changelogFile+":8:7", f.Place.String())
	}
}

// spec/changelog.md section 6.4: no point twice, disjoint filters do not
// suppress each other, groups keep first-seen order.
func TestCoverage(t *testing.T) {
	const a, b = "toy-fp4-gx100-sglang", "toy-fp4-nv4-dyn-disagg"
	p := mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(a), entryText(`"toy-fp4-*"`), entryText(a)))
	same(t, "once each", "single_node.agentic: 1 4 8 16 20\nmulti_node.8k1k: [8,64,32]\nmulti_node.agentic: [2] [16]\n"+
		"agentic_evals: 20\nmultinode_evals: [8,64,32]@64\nmultinode_agentic_evals: [16]@16\n", summary(p))

	p = mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(b, "scenario-type: [agentic-coding]"), entryText(b)))
	same(t, "disjoint scenarios", "multi_node.agentic: [2] [16]\nmulti_node.8k1k: [8,64,32]\nmultinode_evals: [8,64,32]@64\nmultinode_agentic_evals: [16]@16\n", summary(p))

	p = mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(a, "scenario-type: [fixed-seq-len]")))
	same(t, "scenario that the config lacks", "", summary(p))

	// Throughput and eval coverage are separate.
	p = mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(b, "evals-only: true"), entryText(b)))
	same(t, "evals first", "[8,64,32]@64", briefs(p.MultiEvals))
	same(t, "rows after", "[8,64,32]", briefs(p.MultiNode[0].Rows))

	// Two groups of one entry: what is unseen differs by config.
	p = mustPlan(t, august(t), changeOf(augustFiles(), augustFiles(), entryText(a, "scenario-type: [agentic-coding]"), entryText(`"toy-*"`)))
	var order []string
	for _, bucket := range p.SingleNode {
		order = append(order, bucket.Name)
	}
	same(t, "bucket order", "agentic 1k1k 8k1k", strings.Join(order, " "))
}

// spec/changelog.md section 6.2 step 4: the runner file is read by row
// generation only.
func TestRunnerFileIsReadLate(t *testing.T) {
	files := augustFiles().with(runnersFile, "labels: []")
	f := refusal(t, august(t), changeOf(files, files, entryText("nowhere")))
	same(t, "earlier errors first", "unknown-key", f.Category)
	f = refusal(t, august(t), changeOf(files, files, entryText("toy-fp8-gx100-vllm")))
	same(t, "then the runners", "runner-config", f.Category)
	// Two entries of which the second has nothing left to generate.
	gone := augustFiles().with(runnersFile, "")
	f = refusal(t, august(t), changeOf(gone, gone, entryText("toy-fp8-gx100-vllm")))
	same(t, "missing", "runner-file-missing", f.Category)
	f = refusal(t, august(t), changeOf(augustFiles(), augustFiles().with(nvidiaFile, ""), entryText("toy-fp8-gx100-vllm")))
	same(t, "master missing", "config-file-missing", f.Category)
}

// A corrected link runs nothing and asks for no config.
func TestCorrectionRunsNothing(t *testing.T) {
	link := strings.Replace(oldEntry, "pull/1", "pull/2", 1)
	s := august(t)
	change := Change{
		Base: Revision{Ref: "b", Files: memFiles{changelogFile: oldEntry}},
		Head: Revision{Ref: "h", Files: memFiles{changelogFile: link}},
	}
	p := mustPlan(t, s, change)
	same(t, "plan", "", summary(p))
	same(t, "corrections", 1, len(p.Corrections))
}

// The newest layout looks for its project directory in each revision.
func TestProjectDirectory(t *testing.T) {
	moved := make(memFiles)
	for name, text := range recipeFiles() {
		moved["inferencex-e2e/"+name] = text
	}
	s := newest(t)
	flat := mustPlan(t, s, changeOf(recipeFiles(), recipeFiles(), entryText(`"toy-*"`)))
	change := changeOf(recipeFiles(), moved, entryText(`"toy-*"`))
	head := moved.with("inferencex-e2e/"+changelogFile, change.Head.Files.(memFiles)[changelogFile])
	change.Head.Files = head
	nested := mustPlan(t, s, change)
	same(t, "plan", summary(flat), summary(nested))
	same(t, "place", "inferencex-e2e/"+amdFile, nested.MultiNode[0].Rows[0].Config.Place.File)
	same(t, "fingerprint", flat.MultiNode[0].Rows[0].Fingerprint, nested.MultiNode[0].Rows[0].Fingerprint)
}

// The settings of a plan decide its document, whoever prints it.
func TestPlanKeepsModifiers(t *testing.T) {
	change := changeOf(augustFiles(), augustFiles(), entryText("toy-fp8-gx100-vllm"))
	change.Modifiers = Modifiers{Trim: true, AllEvals: true}
	p := mustPlan(t, august(t, func(s *config.Settings) { s.Matrix.MinEvalConc = 1 }), change)
	same(t, "modifiers", Modifiers{Trim: true, AllEvals: true}, p.Modifiers)
	same(t, "refs", "base head", p.Base.Ref+" "+p.Head.Ref)
}
