package checks

import (
	"strings"
	"testing"
)

// appending is a changelog entry that only adds points.
func appending(keys ...string) string {
	return strings.Replace(logged(keys...), "  pr-link", "  append-only: true\n  pr-link", 1)
}

// TestAppendOnly has the examples of spec/checks.md, check 12.
func TestAppendOnly(t *testing.T) {
	const script = "benchmarks/single_node/fixed_seq_len/orion2_fp8_b200_vllm.sh"
	const serve = "#!/bin/bash\nvllm serve $MODEL --tensor-parallel-size $TP --max-num-seqs $CONC $EXTRA\n"
	guarded := strings.Replace(serve, "vllm serve", "case \"$CONC\" in 12) EXTRA=--async ;; esac\nvllm serve", 1)
	a := entry{key: "a"}
	more := entry{key: "a", conc: []int{4, 8, 12, 16}}
	for name, c := range map[string]struct {
		base, head map[string]string
		want       string
	}{
		"not append-only": {repo(old, a), repo(old+logged("a"), a), "N/A — the new changelog entry has no append-only: true."},
		"no entry":        {repo(old, a), map[string]string{"README.md": "x"}, "N/A — the PR adds no changelog entry."},
		"adds points":     {repo(old, a), repo(old+appending("a"), more), "PASS — adds c12 and c16 to a; all 2 existing points keep their recipe and image."},
		"drops one": {
			repo(old, a), repo(old+appending("a"), entry{key: "a", conc: []int{4, 12}}),
			"FAIL — existing point c8 of the TP1 row is removed.",
		},
		"another image": {
			repo(old, a), repo(old+appending("a"), entry{key: "a", conc: []int{4, 8, 12}, image: "vllm/vllm-openai:v2"}), "FAIL — ",
		},
		"mixed": {
			repo(old, a, entry{key: "b"}), repo(old+appending("a")+logged("b"), more, entry{key: "b"}),
			"FAIL — append-only and regular changelog entries are mixed.",
		},
		"drops one of several keys": {
			repo(old, a, entry{key: "b", tp: 8}), repo(old+appending("a", "b"), more, entry{key: "b", tp: 8, conc: []int{4, 12}}),
			"FAIL — existing point c8 of the TP8 row of b is removed.",
		},
		"#2647 appends to one row": {
			repo(old, entry{key: "a", conc: []int{8}}), repo(old+appending("a"), entry{key: "a", conc: []int{1, 2, 4, 6, 8}}),
			"PASS — adds c1, c2, c4 and c6 to a; its existing point keeps its recipe and image.",
		},
		"nothing new": {repo(old, a), repo(old+appending("a"), a), "FAIL — "},
		"another row altered": {
			repo(old, a), repo(old+appending("a"), entry{key: "a", tp: 2, conc: []int{4, 8, 12}}), "FAIL — ",
		},
		"selects evals": {
			repo(old, a), repo(old+strings.Replace(appending("a"), "  append-only", "  all-evals: true\n  append-only", 1), more), "",
		},
		"a guarded flag": {
			with(repo(old, a), script, serve), with(repo(old+appending("a"), more), script, guarded),
			"PASS — adds c12 and c16 to a; all 2 existing points keep their recipe and image.",
		},
		"an unguarded flag": {
			with(repo(old, a), script, serve), with(repo(old+appending("a"), more), script, strings.Replace(serve, "--tensor", "--async --tensor", 1)),
			"FAIL — `async` of existing point c4 of a is added (" + script + ":2",
		},
		"a comment": {
			with(repo(old, a), script, serve), with(repo(old+appending("a"), more), script, serve+"\n# a remark\n"),
			"PASS — adds c12 and c16 to a; all 2 existing points keep their recipe and image.",
		},
		"client code": {
			with(repo(old, a), "utils/bench_serving/client.py", "x = 1\n"), with(repo(old+appending("a"), more), "utils/bench_serving/client.py", "x = 2\n"),
			"FAIL — utils/bench_serving/client.py changes code that existing points also run; isolation to the new points is not proven.",
		},
		"documentation": {
			repo(old, a), with(repo(old+appending("a"), more), "docs/x.md", "x"), "PASS — adds c12 and c16 to a; all 2 existing points keep their recipe and image.",
		},
	} {
		r := situation{base: c.base, head: c.head}.decide(t, AppendOnly())
		got := row(r)
		switch {
		case name == "selects evals":
			// The schema of entries already refuses this pair.
			if r.Status == Pass {
				t.Errorf("%s: %s", name, got)
			}
		case !strings.HasPrefix(got, c.want):
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// with adds a file to a made-up repository.
func with(files map[string]string, name, text string) map[string]string {
	files[name] = text
	return files
}

func TestUncommented(t *testing.T) {
	a := uncommented("a.sh", "#!/bin/sh\n# x\n\nrun --a # tail\n")
	if want := "#!/bin/sh\nrun --a # tail"; a != want {
		t.Errorf("%q, want %q", a, want)
	}
	if uncommented("a.md", "# title\n") == "" {
		t.Error("a heading is taken for a comment")
	}
}
