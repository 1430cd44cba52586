package report

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// say is a text of the report, by the end of its code.
func say(lang catalog.Language, key string, args ...string) string {
	return catalog.Message(lang, "results.report-"+key, args...)
}

// sayOr is say, or the word itself where the catalogue does not know it: the
// platform may invent conclusions.
func sayOr(lang catalog.Language, prefix, word string) string {
	if code := "results.report-" + prefix + word; catalog.Known(code) {
		return catalog.Message(lang, code)
	}
	return word
}

// headline is the outcome in one sentence.
func (r Report) headline(lang catalog.Language) string {
	if !r.HasPlan && r.Outcome != "nothing" {
		return say(lang, "outcome-found")
	}
	return say(lang, "outcome-"+string(r.Outcome))
}

// countLine is the coverage in one sentence.
func (r Report) countLine(lang catalog.Language) string {
	t := r.Coverage.Total
	of := func(c Counts) string { return strconv.Itoa(c.Passed) + "/" + strconv.Itoa(c.Planned) }
	return say(lang, "counts", "passed", strconv.Itoa(t.Passed), "planned", strconv.Itoa(t.Planned),
		"throughput", of(r.Coverage.Throughput), "evals", of(r.Coverage.Evals), "failed", strconv.Itoa(t.Failed),
		"cancelled", strconv.Itoa(t.Cancelled), "skipped", strconv.Itoa(t.Skipped), "missing", strconv.Itoa(t.Missing+t.Pending))
}

func (c Comparison) line(lang catalog.Language) string {
	return say(lang, "compared", "regressed", strconv.Itoa(c.Regressed), "improved", strconv.Itoa(c.Improved),
		"noise", strconv.Itoa(c.WithinNoise), "unclear", strconv.Itoa(c.Unclear))
}

// Why is the reason of a point that did not pass, in a few words.
func (p Point) Why(lang catalog.Language) string { return p.why(lang) }

// why is the reason of a point that did not pass.
func (p Point) why(lang catalog.Language) string {
	if f := p.Failure; f != nil {
		text := sayOr(lang, "class-", string(f.Class))
		if f.Node != "" {
			text += " (" + f.Node + ")"
		} else if f.Runner != "" {
			text += " (" + f.Runner + ")"
		}
		return text
	}
	return sayOr(lang, "reason-", p.Reason)
}

// LogURL is the page of the job that says most about the point, "" for none.
func (p Point) LogURL() string {
	if p.Failure != nil && p.Failure.URL != "" {
		return p.Failure.URL
	}
	if len(p.Jobs) > 0 {
		return p.Jobs[len(p.Jobs)-1].URL
	}
	return ""
}

// wallTime is a duration for people: 2h13m.
func wallTime(seconds int64) string {
	text := (time.Duration(seconds) * time.Second).Round(time.Minute).String()
	return strings.TrimSuffix(text, "0s")
}

func shortSHA(sha string) string { return sha[:min(len(sha), 9)] }

// number is a value in as many decimals as its size needs.
func number(f float64) string {
	switch size := max(f, -f); {
	case size >= 1000:
		return strconv.FormatFloat(f, 'f', 0, 64)
	case size >= 100:
		return strconv.FormatFloat(f, 'f', 1, 64)
	case size >= 10:
		return strconv.FormatFloat(f, 'f', 2, 64)
	case size >= 0.1:
		return strconv.FormatFloat(f, 'f', 3, 64)
	}
	return strconv.FormatFloat(f, 'g', 3, 64)
}

func numberOf(f *float64) string {
	if f == nil {
		return ""
	}
	return number(*f)
}

func signed(f *float64) string {
	if f == nil {
		return ""
	}
	if *f >= 0 {
		return "+" + number(*f)
	}
	return number(*f)
}

func percent(f *float64) string {
	if f == nil {
		return ""
	}
	text := strconv.FormatFloat(*f, 'f', 1, 64)
	if !strings.HasPrefix(text, "-") {
		text = "+" + text
	}
	return text + "%"
}

// scoreText is a score as percent with its standard error.
func scoreText(s Score) string {
	if s.Value == nil {
		return "N/A"
	}
	text := strconv.FormatFloat(*s.Value*100, 'f', 2, 64) + "%"
	if s.StdErr != nil {
		text += " ±" + strconv.FormatFloat(*s.StdErr*100, 'f', 2, 64) + "%"
	}
	return text
}

// oneLine joins the lines of a text and makes visible what a reader would not
// see.
func oneLine(text string) string {
	return diag.Printable(strings.Join(strings.FieldsFunc(text, unicode.IsSpace), " "))
}

// plainAddress reports whether an address may be a link: https, or http on this
// machine as the sandbox has it, and nothing that would end the link early.
func plainAddress(address string) bool {
	rest, ok := strings.CutPrefix(address, "https://")
	for _, local := range []string{"http://127.0.0.1", "http://localhost"} {
		if !ok {
			rest, ok = strings.CutPrefix(address, local)
		}
	}
	return ok && rest != "" && len(address) <= 2000 && !strings.ContainsFunc(address, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune("()<>[]\\`\"'|", r)
	})
}
