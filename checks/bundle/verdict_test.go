package bundle

import (
	"strings"
	"testing"
	"time"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/given"
	"github.com/sweepbot/sweepbot/checks/verdict"
)

// The comment of a verdict by all checks has the same bytes over 1,000 runs whose
// evidence comes in another order each time: pages of comments, runs, jobs,
// artifacts, check runs, and the maps that hold them.
func TestSameEvidenceSameVerdict(t *testing.T) {
	history, base, head := clone(t)
	d := documents()
	c := checks.Case{
		Repository: "acme/bench", PR: 12, Base: base, Target: base, Head: head, Signer: "nia", Association: "MEMBER", Date: time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC),
		SignOff: &checks.SignOff{Key: "issuecomment-1", Body: "As a PR reviewer and CODEOWNER, I have reviewed this and have:\n- [x] Verified that the sweep passed\n"},
	}
	comment := func(history checks.History) (*Verification, string) {
		v, err := Verify(t.Context(), checks.Standard(), c, "2026-11", given.Source{Documents: d}, history)
		if err != nil {
			t.Fatal(err)
		}
		out, err := verdict.Render(v.Case, verdict.Settle(v.Results, v.Profile, v.Settings.Checks))
		if err != nil || out.Findings.Refused() {
			t.Fatal(err, out.Findings)
		}
		return v, out.Body
	}
	v, want := comment(history)
	recorded, err := Replay(t.Context(), checks.Standard(), "b.zip", archive(t, v))
	if err != nil {
		t.Fatal(err)
	}
	for n := range shuffles() {
		shuffle(d.Comments)
		shuffle(d.Jobs[7])
		shuffle(d.Artifacts[7])
		shuffle(d.CheckRuns[strings.Repeat("a", 40)])
		if _, got := comment(archived{recorded.history}); got != want {
			t.Fatalf("run %d has other bytes:\n%s", n, got)
		}
	}
}
