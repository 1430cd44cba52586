package checks

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/internal/gitrepo"
)

// TestDescription has the examples of spec/checks.md, check 15, and cause W2 of
// spec/verdict-causes.md.
func TestDescription(t *testing.T) {
	const script = "benchmarks/single_node/fixed_seq_len/orion2_fp8_b200_vllm.sh"
	const serve = "#!/bin/bash\nexport HICACHE_RATIO=1.2\nvllm serve $MODEL --tensor-parallel-size $TP --max-num-seqs $CONC --kv-cache-dtype fp8\n"
	const other = "aaaa000000000000000000000000000000000000"
	runs := map[int64]Run{
		48100200300: {ID: 48100200300, HeadSHA: headSHA, Conclusion: "success", URL: "https://x/r"},
		48100300111: {ID: 48100300111, HeadSHA: headSHA, Conclusion: "failure", URL: "https://x/r"},
		48100300222: {ID: 48100300222, HeadSHA: other, Conclusion: "success", URL: "https://x/r"},
	}
	for name, c := range map[string]struct {
		body    string
		noRuns  bool
		drafts  string // the acceptance length that the launch simulates
		moved   string
		want    string
		message string // of a commit of the pull request
	}{
		"no claim":      {body: "Please merge.", want: "N/A — the body makes no technical claim."},
		"claims agree":  {body: "Adds `new` with `vllm/vllm-openai:v1`. Sets `--kv-cache-dtype fp8`, `HICACHE_RATIO=1.2`. `conc-list: [4, 8]`. 2 points. Run 48100200300 is green.", want: "PASS — 7 stated values agree with the assessed commit."},
		"said twice":    {body: "`--kv-cache-dtype fp8`\n`--kv-cache-dtype fp8`", want: "PASS — 1 stated value agrees with the assessed commit."},
		"W2 a value":    {body: "It uses `HICACHE_RATIO=1.5` now", want: "WARN — body states \"It uses `HICACHE_RATIO=1.5` now\"; " + script + ":2:22 sets 1.2. Please correct the body."},
		"W2 an image":   {body: "Runs on `vllm/vllm-openai:v0`", want: "WARN — body states \"Runs on `vllm/vllm-openai:v0`\"; new runs `vllm/vllm-openai:v1`. Please correct the body."},
		"a bump":        {body: "Moves from `vllm/vllm-openai:v0` to `vllm/vllm-openai:v1`", want: "PASS — 1 stated value agrees with the assessed commit."},
		"foreign image": {body: "unlike `other/thing:v0`", want: "N/A — the body makes no technical claim."},
		"W2 a field of an entry": {
			body: "Set `precision: fp4` here", want: "WARN — body states \"Set `precision: fp4` here\"; configs/nvidia-master.yaml:5 sets fp8. Please correct the body.",
		},
		"history":       {body: "Earlier it used `HICACHE_RATIO=1.5`", want: "N/A — the body makes no technical claim."},
		"code":          {body: "```\n`HICACHE_RATIO=1.5`\n```", want: "N/A — the body makes no technical claim."},
		"check list":    {body: "- [x] `HICACHE_RATIO=1.5`", want: "N/A — the body makes no technical claim."},
		"Chinese half":  {body: "fine\n\n## 中文\n`HICACHE_RATIO=1.5`", want: "N/A — the body makes no technical claim."},
		"red run":       {body: "Sweep 48100300111 ran every point green", want: "WARN — body states \"Sweep 48100300111 ran every point green\"; run [48100300111](https://x/r) ended with failure. Please correct the body."},
		"foreign run":   {body: "Run 48100300222 passed", want: "WARN — body states \"Run 48100300222 passed\"; run [48100300222](https://x/r) measured `aaaa0000`, which is no commit of this PR. Please correct the body."},
		"run not given": {body: "Run 48100200300 passed", noRuns: true, want: "UNAVAILABLE — 0 stated values agree; run 48100200300 was not given."},
		"head":          {body: "Measured on head `dead00beef`", want: "WARN — body states \"Measured on head `dead00beef`\"; the head is `4ead0000`. Please correct the body."},
		"unknown commit": {
			body: "Measured at `dead00beef`", want: "WARN — needs human review: commit `dead00be` is not in this history.",
		},
		"carried": {body: "The branch carries #4964 already", message: "pick #4964", want: "PASS — 1 stated value agrees with the assessed commit."},
		"no longer carried": {
			body: "The branch carries #496 already", message: "pick #4964",
			want: "WARN — body states \"The branch carries #496 already\"; no commit at `4ead0000` names #496. Please correct the body.",
		},
		"a key that is not there": {body: "Adds `gone`", want: "N/A — the body makes no technical claim."},
		"a key that stays":        {body: "Removes `new`", want: "WARN — body states \"Removes `new`\"; `new` is still a key at `4ead0000`. Please correct the body."},
		"points":                  {body: "C4, C16 are new", want: "WARN — body states \"C4, C16 are new\"; no affected point at `4ead0000` has C16. Please correct the body."},
		"number of points":        {body: "There are 9 points", want: "WARN — body states \"There are 9 points\"; the affected keys have 2 points at `4ead0000`. Please correct the body."},
		"points in a sentence":    {body: "Adds concurrency 4, and 8 points to `new`", want: "PASS — 2 stated values agree with the assessed commit."},
		"points with marks":       {body: "Search space c4/c8", want: "PASS — 1 stated value agrees with the assessed commit."},
		"points in a sweep":       {body: "Concurrency sweep: [4, 8, 16]", want: "WARN — body states \"Concurrency sweep: [4, 8, 16]\"; no affected point at `4ead0000` has C16. Please correct the body."},
		"range of points":         {body: "concurrency 4-8", want: "PASS — 1 stated value agrees with the assessed commit."},
		"another range of points": {
			body: "concurrency 4 to 64", want: "WARN — body states \"concurrency 4 to 64\"; the affected points at `4ead0000` have C4 to C8 and none has C64. Please correct the body.",
		},
		"points that are gone":         {body: "Removes C16 and C32, which hung. The accuracy is 3 points higher", want: "N/A — the body makes no technical claim."},
		"one point is an observation":  {body: "At concurrency 64 it is fast, c64 too", want: "N/A — the body makes no technical claim."},
		"number of points in words":    {body: "A two-point configuration", want: "PASS — 1 stated value agrees with the assessed commit."},
		"numbers that are no points":   {body: "2.5 points, at least 7 base points, up to 9 points, about 12 points", want: "N/A — the body makes no technical claim."},
		"number of points at the head": {body: "1 base point → 2 head points", want: "PASS — 1 stated value agrees with the assessed commit."},
		"precision of the cache":       {body: "with an fp8 KV cache", want: "PASS — 1 stated value agrees with the assessed commit."},
		"another precision": {
			body: "with a BF16 KV cache", want: "WARN — body states \"with a BF16 KV cache\"; " + script + ":3:67 sets fp8. Please correct the body.",
		},
		"acceptance length": {body: "synthetic AL of 2.50", drafts: "2.50", want: "PASS — 1 stated value agrees with the assessed commit."},
		"another acceptance length": {
			body: "synthetic AL 2.51", drafts: "2.50",
			want: "WARN — body states \"synthetic AL 2.51\"; new simulates 2.5 (" + script + ":4:23). Please correct the body.",
		},
		"measured acceptance length": {body: "its real AL 1.16", drafts: "2.50", want: "N/A — the body makes no technical claim."},
		"moved head":                 {body: "`HICACHE_RATIO=1.5`", moved: other, want: "WARN — the head moved to `aaaa0000`; the description needs a new assessment."},
	} {
		text := serve
		if c.drafts != "" {
			text = strings.Replace(text, "vllm serve $MODEL", "vllm serve $MODEL \\\n --speculative-config '{\"method\": \"mtp\", \"num_speculative_tokens\": 2, \"rejection_sample_method\": \"synthetic\", \"synthetic_acceptance_length\": "+c.drafts+"}'", 1)
		}
		base := with(repo(old), script, text)
		source := givenSource{pull: &Pull{Body: &c.body}, runs: runs}
		if c.noRuns {
			source.runs = nil
		}
		s := situation{
			base: base, head: repo(old+logged("new"), entry{key: "new"}), source: source,
			commits: []gitrepo.Commit{{ID: headSHA, Message: c.message}},
		}
		e := s.evidence(t)
		e.MovedTo = c.moved
		r, err := Description().Decide(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if got := row(r); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func TestDescriptionNotGiven(t *testing.T) {
	r := situation{base: repo(old), head: repo(old)}.decide(t, Description())
	if r.Status != Unavailable {
		t.Error(row(r))
	}
}

func FuzzClaims(f *testing.F) {
	f.Add("Adds `a` on `b/c:d` from `x/y:z`; run 48100200300 is green at 0123abcd. `A=1` `--b 2` `c: 3` C1, C2 12 points")
	f.Fuzz(func(t *testing.T, body string) {
		for _, c := range readClaims(body) {
			if c.sentence == "" || strings.ContainsAny(c.value, "\n") {
				t.Fatalf("%+v", c)
			}
		}
	})
}
