package bot

import (
	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/checks/bundle"
	"github.com/sweepbot/sweepbot/checks/verdict"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// verdictName is the name of the commit status and of the check run.
const verdictName = "codeowner-signoff-verify"

// sayVerdict turns a verification into effects in the way of its mode: the
// comment, the status, or the check run. In a job its summary shows the rows as
// well. The bundle is for the job to keep.
func (o *SignOffs) sayVerdict(v *bundle.Verification, out *Decided) error {
	results := verdict.Settle(v.Results, v.Profile, v.Settings.Checks)
	comment, err := verdict.Render(v.Case, results)
	if err != nil {
		return err
	}
	why := note("signoff.verified", "overall", string(comment.Overall), "head", shortSHA(v.Head), "signer", v.Signer)
	out.Reasons = append(append(out.Reasons, why), comment.Findings...)
	switch mode := v.Settings.Checks.Verdict.Mode; mode {
	case config.VerdictCheckRun:
		out.add(&PublishCheck{Run: verdictCheck(v, comment, results)}, why)
	default:
		key := out.add(&UpsertVerdict{
			Number: v.PR, Comment: comment, FormerBots: v.Settings.Checks.Verdict.FormerBots,
			Always: mode == config.VerdictAppend, ByWord: mode == config.VerdictBySHA,
		}, why)
		if mode == config.VerdictBySHA || mode == config.VerdictCarry {
			out.add(&SetStatus{SHA: v.Head, Status: verdictStatus(v, comment)}, why, key)
		}
	}
	if o.Summary {
		out.inform(&WriteSummary{Markdown: verdictSummary(v, comment.Overall, results)}, why)
	}
	out.Bundle, err = v.Archive()
	return err
}

// titleOfVerdict is the word with the signer.
func titleOfVerdict(v *bundle.Verification, comment verdict.Comment) string {
	return catalog.Message(catalog.English, "signoff.status", "overall", string(comment.Overall), "signer", v.Signer)
}

// verdictStatus is the commit status of a verdict: only a pass is a success.
func verdictStatus(v *bundle.Verification, comment verdict.Comment) Status {
	s := Status{Context: verdictName, State: "failure", Description: titleOfVerdict(v, comment), TargetURL: v.SignOff.URL}
	if comment.Overall == verdict.Passed {
		s.State = "success"
	}
	return s
}

// verdictCheck is the check run of a verdict, with its remarks on the lines of
// the head.
func verdictCheck(v *bundle.Verification, comment verdict.Comment, results []checks.Result) CheckRun {
	run := CheckRun{
		Name: verdictName, HeadSHA: v.Head, ExternalID: v.SignOff.Key, DetailsURL: v.SignOff.URL, Status: "completed",
		Title: titleOfVerdict(v, comment), Summary: comment.Body,
		Conclusion: map[verdict.Overall]string{verdict.Passed: "success", verdict.Warned: "action_required", verdict.Rejected: "failure"}[comment.Overall],
	}
	for _, r := range results {
		for _, a := range r.Annotations {
			level := "warning"
			if a.Status == checks.Fail {
				level = "failure"
			}
			run.Annotations = append(run.Annotations, CheckAnnotation{
				Path: a.Path, StartLine: a.Line, EndLine: a.Line, Level: level, Title: r.Name, Message: diag.Printable(a.Text),
			})
		}
	}
	return run
}
