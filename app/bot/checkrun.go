package bot

import (
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/labels"
)

// checkName is the name of our check of configs and changelog. It stays the
// same, so that branch rules can ask for it.
const checkName = "sweepbot / plan"

// planCheck is the check run about a decision: what would run, or what is
// wrong and on which line.
func planCheck(number int, r SweepRequest, d labels.Decision) *PublishCheck {
	run := CheckRun{
		Name: checkName, HeadSHA: r.SHA, ExternalID: "sweepbot:plan:" + strconv.Itoa(number),
		Status: "completed", Conclusion: "success", Title: r.Reason.Message(catalog.English),
		Annotations: annotationsOf(r.Problems),
	}
	if d.Validate.Outcome == labels.Fail || r.Problems.Refused() {
		run.Conclusion = "failure"
		run.Title = catalog.Message(catalog.English, "bot.check-refused")
	}
	run.Title = shorten(oneLine(run.Title), maxQuoted)
	const room = 500 // for the id
	run.Summary = Progress{Number: number, Head: r.SHA, Request: &r}.text(maxCheckText - room)
	if r.PlanID != "" {
		run.Summary += "\n\n" + catalog.Message(catalog.English, "bot.check-plan-id", "id", code(r.PlanID))
	}
	return &PublishCheck{Run: run}
}

// annotationsOf shows findings on the lines of the head that they are about.
// What concerns the base, or no file, is in the summary only.
func annotationsOf(list diag.List) []CheckAnnotation {
	var out []CheckAnnotation
	for _, f := range list {
		if f.File == "" || strings.HasSuffix(f.File, baseMark) {
			continue
		}
		message := diag.Printable(f.Message(catalog.English))
		if mend := f.Mend(catalog.English); mend != "" {
			message += "\n" + diag.Printable(mend)
		}
		line := max(1, f.Line)
		out = append(out, CheckAnnotation{Path: f.File, StartLine: line, EndLine: line, Level: levelOf(f.Severity), Title: f.Code, Message: message})
	}
	return out
}

func levelOf(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "failure"
	case diag.Warning:
		return "warning"
	}
	return "notice"
}
