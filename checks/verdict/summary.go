package verdict

import (
	"fmt"
	"strings"

	"github.com/sweepbot/sweepbot/checks"
	"github.com/sweepbot/sweepbot/internal/pattern"
)

// maxSentences is how many sentences the summary has, maxRoot how long each may
// be in bytes.
const (
	maxSentences = 3
	maxRoot      = 240
)

// summary tells the author of a rejected sign-off what failed: it names every
// failing topic and the root issue of as many as fit three sentences, since
// that is the line that people act on (spec/verdict-causes.md).
func (w *writer) summary() string {
	if w.overall != Rejected {
		return ""
	}
	var failed []row
	for _, r := range w.rows {
		if r.Status == checks.Fail {
			failed = append(failed, r)
		}
	}
	told := failed
	if len(failed) > maxSentences {
		told = failed[:maxSentences-1]
	}
	var sentences []string
	if w.c.Signer != "" {
		sentences = append(sentences, "@"+w.c.Signer)
	}
	for _, r := range told {
		sentences = append(sentences, r.Name+": "+root(r.text)+".")
	}
	if rest := failed[len(told):]; len(rest) > 0 {
		names := make([]string, len(rest))
		for i, r := range rest {
			names[i] = fmt.Sprintf("%d (%s)", r.Number, r.Name)
		}
		sentences = append(sentences, "Checks "+strings.Join(names[:len(names)-1], ", ")+" and "+names[len(names)-1]+" fail as well.")
	}
	return strings.Join(sentences, " ")
}

var sentenceEnd = pattern.Lazy(`[.;](?: |$)`)

// root is the root issue of a reason: its first clause, since a failure begins
// with it.
func root(reason string) string {
	end := 0
	for _, p := range pieces(reason) {
		if at := sentenceEnd().FindStringIndex(p.text); at != nil && !p.code {
			end += at[0]
			reason = reason[:end]
			break
		}
		end += len(p.text)
	}
	return strings.TrimRight(OneLine(reason, maxRoot), ".; ")
}
