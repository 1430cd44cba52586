package failure

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

func builtInRules(t testing.TB) Rules {
	t.Helper()
	rules, err := BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// TestClassifyTexts has one line for each rule, in the words that launchers,
// engines and the platform use.
func TestClassifyTexts(t *testing.T) {
	rules := builtInRules(t)
	seen := make(map[string]bool)
	for _, c := range []struct {
		annotation bool
		line, rule string
		class      Class
	}{
		{true, "The self-hosted runner lost communication with the server.", "runner-lost", Infrastructure},
		{true, "The job running on runner b200-dgxc_07 has exceeded the maximum execution time of 500 minutes.", "job-timeout", Runtime},
		{false, "ERROR: salloc failed to allocate a job", "node-drained", Infrastructure},
		{false, "Error: GPUs still draining prior job's memory after 15min", "node-drained", Infrastructure},
		{false, "OSError: [Errno 28] No space left on device", "disk-full", Infrastructure},
		{false, "fatal: Unable to create '/runner/x/.git/index.lock': File exists.", "git-lock", Infrastructure},
		{false, "manifest for vllm/vllm-openai:v9 not found: manifest unknown", "image-missing", Configuration},
		{false, "Error: enroot import did not produce a valid squash file: /squash/x", "image-pull", Infrastructure},
		{false, "hf download of amd/GLM-5.2-MXFP4 failed after 5 attempts", "download", Infrastructure},
		{false, "RuntimeError: could not reserve 768 huge pages on this host: failed to allocate hugepages", "huge-pages", Infrastructure},
		{false, "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.", "gpu-fault", Infrastructure},
		{false, "slurmstepd: error: Detected 1 oom-kill event(s)", "host-memory", OutOfMemory},
		{false, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", "gpu-memory", OutOfMemory},
		{false, "HIP out of memory. Tried to allocate 20.00 MiB", "gpu-memory", OutOfMemory},
		{false, "Missing required environment variables: TP, EP_SIZE", "environment", Configuration},
		{false, "launch_server.py: error: unrecognized arguments: --moe-a2a-backends", "engine-arguments", Configuration},
		{false, "Timed out waiting for server to become healthy", "server-not-ready", NotReady},
		{false, "Server died before becoming healthy. Exiting.", "server-died", Runtime},
		{false, "[rank3]: NCCL watchdog timeout", "collective", Runtime},
		{false, "RuntimeError: CUDA error: an illegal memory access was encountered", "kernel-fault", Runtime},
		{false, "Run failed: Benchmark result x.json not found.", "no-result", Runtime},
		{false, "Eval-only run failed: no results*.json files found.", "no-result", Runtime},
		{false, "too many failed requests: 0.12 > 0.10", "request-failures", Runtime},
		{false, "FAIL: gsm8k exact_match,strict-match = 0.8 below threshold", "score-below-bar", Runtime},
		{false, "Traceback (most recent call last):", "traceback", Runtime},
	} {
		f := Facts{Conclusion: "failure", Runner: "r", Log: "fine\n" + c.line + "\nexit code 1\n"}
		if c.annotation {
			f.Log, f.Annotations = "fine", []string{"x", c.line}
		}
		v := rules.Classify(f)
		if v.Rule != c.rule || v.Class != c.class || v.Line != c.line {
			t.Errorf("%s: got %s %s %q", c.line, v.Class, v.Rule, v.Line)
		}
		seen[c.rule] = true
	}
	for _, r := range rules.rules {
		if !seen[r.name] {
			t.Errorf("the rule %s is not tried", r.name)
		}
	}
}

func TestClassifyFacts(t *testing.T) {
	rules := builtInRules(t)
	for name, c := range map[string]struct {
		facts Facts
		class Class
		rule  string
	}{
		"F64 no runner":          {Facts{Conclusion: "failure", LogMissing: true}, Infrastructure, "no-runner"},
		"F64 no log":             {Facts{Conclusion: "failure", Runner: "r", LogMissing: true}, Infrastructure, "no-log"},
		"known cause, no runner": {Facts{Conclusion: "failure", Annotations: []string{"No runner matching the specified labels was found"}}, Infrastructure, "runner-lost"},
		"sibling failed":         {Facts{Conclusion: "cancelled", FailFast: true, SiblingFailed: true, Runner: "r"}, BySibling, "fail-fast"},
		"no fail-fast":           {Facts{Conclusion: "cancelled", SiblingFailed: true, Runner: "r"}, Cancelled, "cancelled"},
		"superseded":             {Facts{Conclusion: "cancelled", RunSuperseded: true, FailFast: true, SiblingFailed: true}, Superseded, "newer-run"},
		"failed although newer":  {Facts{Conclusion: "failure", RunSuperseded: true, Runner: "r", Log: "CUDA out of memory"}, OutOfMemory, "gpu-memory"},
		"stale":                  {Facts{Conclusion: "stale", Runner: "r"}, Cancelled, "cancelled"},
		"S58 startup failure":    {Facts{Conclusion: "startup_failure"}, Configuration, "startup-failure"},
		"S58 timed out":          {Facts{Conclusion: "timed_out", Runner: "r", Log: "working"}, Runtime, "job-timeout"},
		"nothing known":          {Facts{Conclusion: "failure", Runner: "r", Log: "hello"}, Unclassified, "nothing-known"},
		"machine before engine":  {Facts{Conclusion: "failure", Runner: "r", Log: "No space left on device\nServer died before becoming healthy"}, Infrastructure, "disk-full"},
		"annotation before log":  {Facts{Conclusion: "failure", Runner: "r", Annotations: []string{"runner x did not respond"}, Log: "CUDA out of memory"}, Infrastructure, "runner-lost"},
	} {
		v := rules.Classify(c.facts)
		if v.Class != c.class || v.Rule != c.rule {
			t.Errorf("%s: got %s %s", name, v.Class, v.Rule)
		}
		if text := v.Finding("job").Message(catalog.Chinese); strings.Contains(text, "results.failure") || strings.Contains(text, "{") {
			t.Errorf("%s: no text: %s", name, text)
		}
	}
}

// TestHostileLog holds that a log costs bounded work and is repeated in bounds.
func TestHostileLog(t *testing.T) {
	rules := builtInRules(t)
	log := "CUDA out of memory\n" + strings.Repeat("a", 10<<20) + "\n\xff\x1b[31m CUDA out of memory \x00" + strings.Repeat("b", 1000)
	v := rules.Classify(Facts{Conclusion: "failure", Runner: "r", Log: log})
	if v.Class != OutOfMemory || len(v.Line) > maxShown+3 || strings.ContainsFunc(v.Line, func(r rune) bool { return r < ' ' }) {
		t.Errorf("%s %d %q", v.Class, len(v.Line), v.Line)
	}
	if v := rules.Classify(Facts{Conclusion: "failure", Runner: "r", Log: "CUDA out of memory\n" + strings.Repeat("x\n", maxLog)}); v.Class != Unclassified {
		t.Errorf("beyond the end of the log: %s", v.Class)
	}
}

func TestParseRulesRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no YAML": "- [", "empty": "[]", "class": "- {name: a, class: fate, phase: load, any: [x]}",
		"phase": "- {name: a, class: runtime, phase: lunch, any: [x]}", "where": "- {name: a, class: runtime, phase: load, where: sky, any: [x]}",
		"no name": "- {class: runtime, phase: load, any: [x]}", "no pattern": "- {name: a, class: runtime, phase: load}",
		"pattern": "- {name: a, class: runtime, phase: load, any: ['(']}", "nothing may claim a sibling": "- {name: a, class: cancelled-by-sibling, phase: load, any: [x]}",
	} {
		if _, err := ParseRules("r.yaml", []byte(text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestF63 has the three pull requests that failed on one node.
func TestF63(t *testing.T) {
	verdict := func(job int64, change int, node string, phase Phase, class Class) Verdict {
		return Verdict{Job: job, Change: change, Node: node, Phase: phase, Class: class, Rule: "image-missing"}
	}
	verdicts := []Verdict{
		verdict(1, 101, "n121", PhaseContainer, Configuration),
		verdict(2, 102, "n121", PhaseContainer, Configuration),
		verdict(3, 103, "n121", PhaseContainer, Runtime),
		verdict(4, 104, "n120", PhaseContainer, Configuration),
		verdict(5, 105, "n121", PhaseMeasure, Runtime),
		verdict(6, 101, "n119", PhaseLoad, Runtime),
		verdict(7, 101, "n119", PhaseLoad, Runtime),
		verdict(8, 106, "n121", PhaseSetup, BySibling),
	}
	bad := BadNodes(verdicts, 2)
	if diff := cmp.Diff([]BadNode{{Node: "n121", Changes: []int{101, 102, 103}, Jobs: []int64{1, 2, 3}}}, bad); diff != "" {
		t.Error(diff)
	}
	var infrastructure []int64
	for _, v := range OnBadNodes(verdicts, bad) {
		if v.Class == Infrastructure {
			infrastructure = append(infrastructure, v.Job)
		}
	}
	if fmt.Sprint(infrastructure) != "[1 2 3]" {
		t.Error(infrastructure)
	}
	if verdicts[0].Class != Configuration {
		t.Error("the input was changed")
	}
}

func candidates(classes ...Class) []Candidate {
	out := make([]Candidate, len(classes))
	for i, class := range classes {
		out[i] = Candidate{Key: fmt.Sprint("p", i), Verdict: Verdict{Job: int64(100 + i), Class: class}}
	}
	return out
}

func TestDecideRerun(t *testing.T) {
	on := Policy{Enabled: true, PerJob: 1, PerRun: 3}
	ended := RunState{Run: 7, Attempt: 1, Finished: true, Current: true}
	again := ended
	again.Attempt, again.Reruns = 2, []Record{{Run: 7, Attempt: 2, Jobs: []RecordedJob{{100, "p0"}}}, {Run: 8, Attempt: 2, Jobs: []RecordedJob{{1, "p1"}}}}
	unfinished, old := ended, ended
	unfinished.Finished, old.Current = false, false
	for name, c := range map[string]struct {
		policy Policy
		state  RunState
		failed []Candidate
		why    Why
		jobs   string
		all    bool
	}{
		"off by default":         {Policy{}, ended, candidates(Infrastructure), RerunOff, "[]", false},
		"running":                {on, unfinished, candidates(Infrastructure), RerunUnfinished, "[]", false},
		"superseded":             {on, old, candidates(Infrastructure), RerunSuperseded, "[]", false},
		"nothing failed":         {on, ended, nil, RerunNone, "[]", false},
		"own faults only":        {on, ended, candidates(Runtime, OutOfMemory, NotReady, Configuration, Unclassified, Cancelled), RerunNone, "[]", false},
		"machine":                {on, ended, candidates(Infrastructure), RerunDecided, "[100]", true},
		"machine and own fault":  {on, ended, candidates(Infrastructure, Runtime), RerunDecided, "[100]", false},
		"with cancelled sibling": {on, ended, candidates(Infrastructure, BySibling), RerunDecided, "[100 101]", true},
		"sibling of own fault":   {on, ended, candidates(Runtime, BySibling), RerunNone, "[]", false},
		"sibling of both":        {on, ended, candidates(Infrastructure, Runtime, BySibling), RerunDecided, "[100]", false},
		"bound of the run":       {on, ended, candidates(Infrastructure, Infrastructure, Infrastructure, Infrastructure), RerunDecided, "[100 101 102]", false},
		"bound of the job":       {on, again, candidates(Infrastructure), RerunLimit, "[]", false},
		"other job":              {on, again, candidates(Runtime, Infrastructure), RerunDecided, "[101]", false},
	} {
		d := DecideRerun(c.policy, c.state, c.failed)
		if d.Why != c.why || fmt.Sprint(d.Jobs) != c.jobs || d.All != c.all || d.Rerun != (len(d.Jobs) > 0) || len(d.Record.Jobs) != len(d.Jobs) {
			t.Errorf("%s: %+v", name, d)
		}
		if d.Record.Attempt != c.state.Attempt+1 {
			t.Errorf("%s: recorded as attempt %d", name, d.Record.Attempt)
		}
	}
}

// TestRerunChoices says why of every job, switched on or off.
func TestRerunChoices(t *testing.T) {
	state := RunState{Run: 7, Attempt: 2, Finished: true, Current: true, Reruns: []Record{{Run: 7, Attempt: 2, Jobs: []RecordedJob{{90, "p0"}}}}}
	for name, c := range map[string]struct {
		classes []Class
		perRun  int
		want    string
	}{
		"machines":         {[]Class{Infrastructure, Infrastructure, BySibling, Infrastructure}, 3, "limit-per-job machine cancelled-by limit-per-run"},
		"own fault beside": {[]Class{Runtime, Infrastructure, BySibling, Cancelled}, 9, "own-failure machine others-failed own-failure"},
	} {
		for _, enabled := range []bool{true, false} {
			d := DecideRerun(Policy{Enabled: enabled, PerJob: 1, PerRun: c.perRun}, state, candidates(c.classes...))
			var got []string
			for i, choice := range d.Choices {
				got = append(got, string(choice.Why))
				if choice.Job != int64(100+i) || choice.Again != (choice.Why == ChoiceMachine || choice.Why == ChoiceCancelled) {
					t.Errorf("%s: %+v", name, choice)
				}
			}
			if strings.Join(got, " ") != c.want || d.Rerun != enabled {
				t.Errorf("%s: %v, %+v", name, got, d)
			}
		}
	}
}

// TestRerunIsBounded holds that a run whose machines fail for ever ends.
func TestRerunIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := Policy{Enabled: true, PerJob: rapid.IntRange(0, 3).Draw(t, "per job"), PerRun: rapid.IntRange(0, 5).Draw(t, "per run")}
		classes := rapid.SliceOfN(rapid.SampledFrom([]Class{Infrastructure, Runtime, BySibling, Unclassified}), 1, 6).Draw(t, "classes")
		state := RunState{Run: 1, Attempt: 1, Finished: true, Current: true}
		total := 0
		for range 20 {
			d := DecideRerun(policy, state, candidates(classes...))
			if !d.Rerun {
				return
			}
			total += len(d.Jobs)
			if !slices.IsSorted(d.Jobs) || total > policy.PerRun {
				t.Fatalf("%d jobs in all, %v now", total, d.Jobs)
			}
			state.Attempt, state.Reruns = d.Record.Attempt, append(state.Reruns, d.Record)
		}
		t.Fatal("never ends")
	})
}

func FuzzClassify(f *testing.F) {
	rules := builtInRules(f)
	f.Add("failure", "Server died before becoming healthy\n", "annotation")
	f.Add("cancelled", "", "")
	f.Fuzz(func(t *testing.T, conclusion, log, annotation string) {
		v := rules.Classify(Facts{Conclusion: conclusion, Runner: "r", Log: log, Annotations: []string{annotation}})
		if v.Class == "" || v.Rule == "" || len(v.Line) > maxShown+3 {
			t.Fatalf("%+v", v)
		}
	})
}

func BenchmarkClassifyLog(b *testing.B) {
	rules := builtInRules(b)
	var log strings.Builder
	for i := 0; log.Len() < maxLog; i++ {
		fmt.Fprintf(&log, "2026-09-14T10:05:00Z INFO 10.0.0.%d:43210 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK, tokens %d\n", i%255, i)
	}
	facts := Facts{Conclusion: "failure", Runner: "r", Log: log.String()}
	b.SetBytes(maxLog)
	for b.Loop() {
		if v := rules.Classify(facts); v.Class != Unclassified {
			b.Fatal(v)
		}
	}
}
