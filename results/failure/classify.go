package failure

import (
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Facts are what is known about a job that did not succeed.
type Facts struct {
	// Job and Attempt identify the job, Family its point's family, Change the
	// pull request it ran for (0 for none).
	Job     int64
	Attempt int
	Family  string
	Change  int
	// Conclusion is the platform's word: failure, cancelled, timed_out, ...
	Conclusion string
	// Runner is the name of the machine's runner, "" when the job never reached
	// one; Node the machine itself where it is known.
	Runner, Node string
	// Step is the first step that failed, "" for none.
	Step        string
	Annotations []string
	// Log is the end of the log; LogMissing means that there is none.
	Log        string
	LogMissing bool
	// FailFast says that the first failure of the family cancels its siblings,
	// SiblingFailed that there was one before.
	FailFast, SiblingFailed bool
	// RunSuperseded means that a newer run of the same change took this one's
	// place.
	RunSuperseded bool
}

// Verdict is why a job failed. Rule names the rule or fact that decided, Line is
// the line of text that showed it, at most 300 characters.
type Verdict struct {
	Job     int64
	Attempt int
	Change  int
	Class   Class
	Phase   Phase
	Rule    string
	Line    string
	Runner  string
	Node    string
}

// Finding is the verdict as a finding about a job, by its name.
func (v Verdict) Finding(job string) diag.Finding {
	unknown := func(name string) string {
		if name == "" {
			return "?"
		}
		return name
	}
	line := v.Line
	if line == "" {
		line = v.Rule
	}
	f := diag.New("results.failure-"+string(v.Class), diag.Place{File: job}, "line", line, "runner", unknown(v.Runner), "node", unknown(v.Node))
	if v.Class == BySibling || v.Class == Superseded || v.Class == Cancelled {
		return f.WithSeverity(diag.Warning)
	}
	return f
}

const (
	// maxLog is how much of the end of a log is read, maxLine of one line.
	maxLog  = 256 << 10
	maxLine = 2000
	// maxShown is the longest line that a verdict repeats.
	maxShown = 300
)

// Classify says why a job did not succeed. Facts decide before texts: what was
// cancelled from outside has not failed by itself, and a job without a runner or
// without a log is a failure of the infrastructure (spec/known-failures.md F64).
func (r Rules) Classify(f Facts) Verdict {
	v := Verdict{Job: f.Job, Attempt: f.Attempt, Change: f.Change, Runner: f.Runner, Node: f.Node}
	set := func(class Class, phase Phase, rule string) Verdict {
		v.Class, v.Phase, v.Rule = class, phase, rule
		return v
	}
	cancelled := f.Conclusion == "cancelled" || f.Conclusion == "stale"
	switch {
	case cancelled && f.RunSuperseded:
		return set(Superseded, PhaseUnknown, "newer-run")
	case cancelled && f.FailFast && f.SiblingFailed:
		return set(BySibling, PhaseUnknown, "fail-fast")
	case f.Conclusion == "startup_failure":
		return set(Configuration, PhaseQueue, "startup-failure")
	}
	if found, line, ok := r.match(f); ok {
		v.Line = line
		return set(found.class, found.phase, found.name)
	}
	switch {
	case cancelled:
		return set(Cancelled, PhaseUnknown, "cancelled")
	case f.Runner == "":
		return set(Infrastructure, PhaseQueue, "no-runner")
	case f.LogMissing:
		return set(Infrastructure, PhaseSetup, "no-log")
	case f.Conclusion == "timed_out":
		return set(Runtime, PhaseMeasure, "job-timeout")
	}
	return set(Unclassified, PhaseUnknown, "nothing-known")
}

// match finds the first rule that some line fits: annotations first, then the
// log from its end.
func (r Rules) match(f Facts) (rule, string, bool) {
	annotations := cut(strings.Join(f.Annotations, "\n"))
	log := cut(f.Log)
	for _, rule := range r.rules {
		if rule.annotation {
			if line, ok := rule.find(annotations); ok {
				return rule, line, true
			}
		}
		if rule.log {
			if line, ok := rule.find(log); ok {
				return rule, line, true
			}
		}
	}
	return rule{}, "", false
}

// lines are the lines of a text, last one first.
type lines struct {
	each []string
	// lower is all of them in lower case.
	lower string
}

// cut cuts the end of a text into its lines.
func cut(text string) lines {
	if len(text) > maxLog {
		text = text[len(text)-maxLog:]
	}
	all := strings.Split(text, "\n")
	out := make([]string, 0, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		line := strings.TrimSpace(strings.ToValidUTF8(all[i], ""))
		if line == "" {
			continue
		}
		out = append(out, line[:min(len(line), maxLine)])
	}
	return lines{each: out, lower: strings.ToLower(strings.Join(out, "\n"))}
}

// find returns the last line that any expression of the rule fits.
func (r rule) find(text lines) (string, bool) {
	var possible []pattern
	for _, p := range r.any {
		if p.mayMatch(text.lower) {
			possible = append(possible, p)
		}
	}
	if possible == nil {
		return "", false
	}
	for _, line := range text.each {
		for _, p := range possible {
			if p.expression.MatchString(line) {
				return shorten(line), true
			}
		}
	}
	return "", false
}

func shorten(line string) string {
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, line)
	if len(line) > maxShown {
		line = strings.ToValidUTF8(line[:maxShown], "") + "..."
	}
	return line
}
