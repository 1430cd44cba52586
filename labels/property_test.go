package labels

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// hostile are label names that must be data and nothing else (S37).
var hostile = []string{
	"", " ", "🚀", "full-sweep-enabled🚀", "\"; rm -rf / #", "$(touch x)", "`id`", "a\nfull-sweep-enabled", "::error::x",
	"full-sweep-enabled\n", "full\u2010sweep-enabled", "full-ſweep-enabled", "\u202edelbane", "a,b", "${{ github.token }}", "\xff\xfe",
	"full-sweep-", "-enabled", "full-sweep-enabled/x", "x/all-evals", "full-sweep", "evals", strings.Repeat("x", 3000),
}

// policies draws the rules of one of the three eras.
func policies() *rapid.Generator[config.Labels] {
	return rapid.SampledFrom([]config.Labels{newest(), august(), september()})
}

// names draws label names: recognised in some era, hostile, or anything.
func names() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(newVocabulary(august()).names), rapid.SampledFrom(hostile), rapid.String())
}

// events draws whole events, possible ones and impossible ones, in which any
// fact may be missing.
func events() *rapid.Generator[Event] {
	return rapid.Custom(func(t *rapid.T) Event {
		e := happens(with(rapid.SliceOfN(names(), 0, 5).Draw(t, "labels")...))
		e.Name = rapid.SampledFrom([]string{PullRequest, PullRequest, PullRequest, Push, PullRequestTarget, "issue_comment"}).Draw(t, "name")
		e.Action = rapid.SampledFrom([]string{Synchronize, Labeled, Unlabeled, ReadyForReview, Closed, "opened", ""}).Draw(t, "action")
		e.Label = names().Draw(t, "label")
		e.Number = rapid.SampledFrom([]int{10, 0, -1}).Draw(t, "number")
		e.RunID = rapid.SampledFrom([]int64{7001, 0}).Draw(t, "run")
		e.BaseBranch = rapid.SampledFrom([]string{base, base, base, "release", ""}).Draw(t, "base")
		e.SameRepo, e.Draft = rapid.IntRange(0, 4).Draw(t, "same") > 0, rapid.Bool().Draw(t, "draft")
		e.TouchesChangelog = rapid.IntRange(0, 4).Draw(t, "touches") > 0
		e.Conflict = rapid.IntRange(0, 4).Draw(t, "conflict") == 0
		e.Validator = rapid.SampledFrom([]Validator{"", Accepted, Accepted, Rejected, "odd"}).Draw(t, "validator")
		e.Reuse = rapid.SampledFrom([]Reuse{"", ReuseNone, ReuseValid, ReuseInvalid, "odd"}).Draw(t, "reuse")
		switch rapid.IntRange(0, 2).Draw(t, "message") {
		case 0:
			e.HeadMessage = nil
		case 1:
			marked(&e)
		}
		return e
	})
}

// TestUnrelatedLabelDoesNothing: F01, F02, S38.
func TestUnrelatedLabelDoesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy, e := policies().Draw(t, "policy"), events().Draw(t, "event")
		e.Name, e.Action = PullRequest, rapid.SampledFrom([]string{Labeled, Unlabeled}).Draw(t, "change")
		e.Label = names().Filter(func(name string) bool { return !newVocabulary(policy).has(name) }).Draw(t, "unrelated")
		d := Decide(policy, base, e)
		if d.Cancels || strings.HasSuffix(d.Group, "active") {
			t.Fatalf("joins %q", d.Group)
		}
		for _, s := range []Step{d.Validate, d.Gate, d.Sweep} {
			if s.Outcome != Skip {
				t.Fatalf("a job starts: %+v", s)
			}
		}
	})
}

// TestLabelsAreASet: F04. Order and repeats change nothing at all.
func TestLabelsAreASet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy, e := policies().Draw(t, "policy"), events().Draw(t, "event")
		other := e
		other.Labels = rapid.Permutation(append(slices.Clone(e.Labels), e.Labels...)).Draw(t, "order")
		if diff := cmp.Diff(Decide(policy, base, e), Decide(policy, base, other)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestUnrelatedLabelsOnThePullRequestChangeNothing: what a decision says and
// does is the same without them, but for the warnings of look-alikes.
func TestUnrelatedLabelsOnThePullRequestChangeNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy, e := policies().Draw(t, "policy"), events().Draw(t, "event")
		plain, known := e, newVocabulary(policy)
		plain.Labels = slices.DeleteFunc(slices.Clone(e.Labels), func(label string) bool { return !known.has(label) })
		got, want := Decide(policy, base, e), Decide(policy, base, plain)
		got.Unrelated = nil
		got.Findings = slices.DeleteFunc(got.Findings, func(f diag.Finding) bool { return f.Code == "labels.look-alike" })
		if diff := cmp.Diff(want, got, equateEmpty); diff != "" {
			t.Fatal(diff)
		}
	})
}

var equateEmpty = cmp.Transformer("empty", func(l diag.List) []diag.Finding { return append([]diag.Finding{}, l...) })

// TestNamesMatchWhole: F37. A recognised name with anything added or removed
// is not recognised; in another case it is, as on GitHub.
func TestNamesMatchWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := newVocabulary(policies().Draw(t, "policy"))
		name := rapid.SampledFrom(known.names).Draw(t, "name")
		if !known.has(strings.ToUpper(name)) {
			t.Fatalf("%q is not known in upper case", name)
		}
		cut := rapid.IntRange(0, len(name)).Draw(t, "cut")
		text := rapid.SampledFrom([]string{"-", "/", " ", "\n", "x", "🚀", "\x00", "\u200b"}).Draw(t, "text")
		for _, other := range []string{name[:cut] + text + name[cut:], text + name, name + text} {
			if known.has(other) {
				t.Fatalf("%q passes for %q", other, name)
			}
		}
	})
}

// TestSweepNeedsExactlyOnePrimary, a same-repository head and, in August, a
// pull request that is no draft.
func TestSweepNeedsExactlyOnePrimary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy, e := policies().Draw(t, "policy"), events().Draw(t, "event")
		d := Decide(policy, base, e)
		if d.Sweep.Outcome == Skip || e.Name == Push {
			return
		}
		if d.Validate.Outcome == Fail || d.Validate.Outcome == Skip {
			t.Fatal("sweeps without a passed check")
		}
		if len(d.Primaries) != 1 || d.Primary == nil || d.Primary.Name != d.Primaries[0] {
			t.Fatalf("sweeps with %v", d.Primaries)
		}
		if !e.SameRepo || e.Draft && !policy.DraftsRun {
			t.Fatal("a fork or a draft sweeps")
		}
	})
}

// TestDrafts: a draft is like any other pull request now, and ran nothing in
// August.
func TestDrafts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := events().Draw(t, "event")
		ready := e
		e.Draft, ready.Draft = true, false
		if diff := cmp.Diff(Decide(newest(), base, ready), Decide(newest(), base, e)); diff != "" {
			t.Fatal(diff)
		}
		if d := Decide(august(), base, e); e.Name == PullRequest {
			for _, s := range []Step{d.Validate, d.Gate, d.Sweep} {
				if s.Outcome != Skip {
					t.Fatalf("a draft runs: %+v", s)
				}
			}
		}
	})
}

// TestFactsAreMonotonic: learning a fact turns Unknown into another outcome and
// changes nothing that was decided; with all facts nothing is Unknown.
func TestFactsAreMonotonic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy, full := policies().Draw(t, "policy"), events().Draw(t, "event")
		text := rapid.SampledFrom([]string{"", "[skip-sweep]"}).Draw(t, "text")
		full.HeadMessage = &text
		full.Validator = rapid.SampledFrom([]Validator{Accepted, Rejected}).Draw(t, "known validator")
		full.Reuse = rapid.SampledFrom([]Reuse{ReuseNone, ReuseValid, ReuseInvalid}).Draw(t, "known reuse")
		before := full
		for i, forget := range []func(){
			func() { before.HeadMessage = nil }, func() { before.Validator = "" }, func() { before.Reuse = "" },
		} {
			if rapid.Bool().Draw(t, "forget "+string(rune('a'+i))) {
				forget()
			}
		}
		early, late := Decide(policy, base, before), Decide(policy, base, full)
		if early.Starts != late.Starts || early.Cancels != late.Cancels || early.Group != late.Group {
			t.Fatalf("the run changes: %+v, %+v", early, late)
		}
		for i, s := range [][2]Step{{early.Validate, late.Validate}, {early.Gate, late.Gate}, {early.Sweep, late.Sweep}} {
			if s[1].Outcome == Unknown {
				t.Fatalf("step %d stays open: %v", i, s[1].Reason)
			}
			if s[0].Outcome != Unknown && s[0].Outcome != s[1].Outcome {
				t.Fatalf("step %d turns from %s to %s", i, s[0].Outcome, s[1].Outcome)
			}
		}
	})
}

// TestEveryAnswerHasItsReason: each step and the run carry a text in both
// languages that fills one line whatever the labels are, and what a person can
// mend says how.
func TestEveryAnswerHasItsReason(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Decide(policies().Draw(t, "policy"), base, events().Draw(t, "event"))
		reasons := append(diag.List{d.Why, d.Validate.Reason, d.Gate.Reason, d.Sweep.Reason}, d.Findings...)
		for _, f := range reasons {
			for _, lang := range []catalog.Language{catalog.English, catalog.Chinese} {
				text := f.Message(lang) + f.Mend(lang)
				if !catalog.Known(f.Code) || strings.ContainsAny(text, "\n\r\x00\u202e") {
					t.Fatalf("%s: %q", f.Code, text)
				}
				if f.Severity != diag.Note && f.Mend(lang) == "" {
					t.Fatalf("%s has no mend", f.Code)
				}
			}
		}
		for _, s := range []Step{d.Validate, d.Gate, d.Sweep} {
			if (s.Outcome == Fail) != (s.Reason.Severity == diag.Error) {
				t.Fatalf("%s with a reason of severity %s", s.Outcome, s.Reason.Severity)
			}
		}
	})
}
