package checks

import (
	"testing"
	"time"
)

// comment is an issue comment n minutes into a story.
func comment(n int, association, login, body string) Comment {
	return Comment{
		ID: int64(n), Association: association, User: Account{Login: login, Type: "User"}, Body: body,
		Created: time.Date(2026, 11, 1, 12, n, 0, 0, time.UTC),
	}
}

// TestReuseCommand has the examples of spec/checks.md, check 4, and the causes
// U1 to U3 of spec/verdict-causes.md.
func TestReuseCommand(t *testing.T) {
	const missing = "WARN — No authorized reuse command has been posted on this PR; an authorized maintainer should comment `/use <run_id>` before merging by reuse."
	for name, c := range map[string]struct {
		era      string
		comments []Comment
		want     string
	}{
		"posted":            {"", []Comment{comment(1, "COLLABORATOR", "rae", "/use 48100200300")}, "PASS — COLLABORATOR @rae posted `/use 48100200300`."},
		"U1 by an outsider": {"", []Comment{comment(1, "CONTRIBUTOR", "bo", "/reuse-sweep-run")}, missing},
		"inline":            {"", []Comment{comment(1, "MEMBER", "kim", "please /use 48100200300 when ready")}, missing},
		"U2 bare": {
			"", []Comment{comment(2, "MEMBER", "kim", "/use"), comment(1, "MEMBER", "kim", "/reuse-sweep-run")},
			"PASS — MEMBER @kim posted `/reuse-sweep-run` (no run named).",
		},
		"newest wins":       {"", []Comment{comment(2, "OWNER", "kim", "/use 2"), comment(1, "MEMBER", "rae", "/use 1")}, "PASS — OWNER @kim posted `/use 2`."},
		"last line wins":    {"", []Comment{comment(1, "OWNER", "kim", "/use 1\nand\n  /reuse-sweep-run 2\t\n")}, "PASS — OWNER @kim posted `/reuse-sweep-run 2`."},
		"quoted":            {"", []Comment{comment(1, "OWNER", "kim", "> /use 1")}, missing},
		"fenced":            {"", []Comment{comment(1, "OWNER", "kim", "```\n/use 1\n```")}, missing},
		"leading zero":      {"", []Comment{comment(1, "OWNER", "kim", "/use 01")}, missing},
		"number on its own": {"", []Comment{comment(1, "OWNER", "kim", "/use\n12")}, missing},
		"no-break space":    {"", []Comment{comment(1, "OWNER", "kim", "/use\u00a012")}, missing},
		"a bot":             {"", []Comment{{ID: 1, Association: "MEMBER", User: Account{Login: "x[bot]", Type: "Bot"}, Body: "/use 1"}}, missing},
		"no comment":        {"", []Comment{}, missing},
		"not given":         {"", nil, "UNAVAILABLE — the comments of the pull request were not given"},
		"August knows no /use": {
			"2026-08", []Comment{comment(1, "OWNER", "kim", "/use 1")},
			"FAIL — No authorized reuse command has been posted on this PR; an OWNER, MEMBER or COLLABORATOR must comment `/reuse-sweep-run`.",
		},
		"August, next line": {"2026-08", []Comment{comment(1, "OWNER", "kim", "/reuse-sweep-run\n12")}, "PASS — OWNER @kim posted `/reuse-sweep-run 12`."},
	} {
		r := situation{era: c.era, source: givenSource{comments: c.comments}}.decide(t, ReuseCommand())
		if got := row(r); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// TestReuseCommandOfASupersededRun has cause U3: the row passes, and says so.
func TestReuseCommandOfASupersededRun(t *testing.T) {
	const plain = "PASS — MEMBER @kim posted `/use 48100100100`."
	run := func(id int64, sha, conclusion string) map[int64]Run {
		return map[int64]Run{id: {ID: id, HeadSHA: sha, HeadBranch: "topic", Event: "pull_request", Conclusion: conclusion}}
	}
	for name, c := range map[string]struct {
		runs map[int64]Run
		want string
	}{
		"U3 a newer green one":     {run(48100200300, headSHA, "success"), plain + " It names the superseded run, which Check 1 covers."},
		"a newer one that failed":  {run(48100200300, headSHA, "failure"), plain},
		"a newer one of elsewhere": {run(48100200300, baseSHA, "success"), plain},
		"the newest":               {run(48100100100, headSHA, "success"), plain},
		"an older one":             {run(48100000000, headSHA, "success"), plain},
		"runs not given":           {nil, plain},
	} {
		s := situation{source: givenSource{comments: []Comment{comment(1, "MEMBER", "kim", "/use 48100100100")}, runs: c.runs, pull: &Pull{Head: Ref{Ref: "topic"}}}}
		if got := row(s.decide(t, ReuseCommand())); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

func TestReuseCommandFillsInTheRun(t *testing.T) {
	s := situation{
		source: givenSource{comments: []Comment{}},
		body:   "As a PR reviewer and CODEOWNER\n- [x] see https://github.com/acme/bench/actions/runs/48100200300\n",
	}
	if r := s.decide(t, ReuseCommand()); r.Status != Warn || r.Reason != "No authorized reuse command has been posted on this PR; an authorized maintainer should comment `/use 48100200300` before merging by reuse." {
		t.Errorf("%s", row(r))
	}
}
