package bot

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// progressState is what the sticky comment remembers in its hidden part.
type progressState struct {
	Version int           `json:"v"`
	Runs    []RunProgress `json:"runs"`
}

const stateVersion = 1

// writeState encodes runs for the hidden part of a comment. The encoding has
// no "<" or ">", so that no text can end the comment it stands in. Where it is
// too large the oldest runs go.
func writeState(runs []RunProgress) string {
	for {
		text, err := json.Marshal(progressState{stateVersion, runs})
		if err == nil && len(text) <= maxState {
			return string(text)
		}
		if len(runs) == 0 {
			return ""
		}
		runs = runs[:len(runs)-1]
	}
}

// readState decodes the hidden part. People can edit it, so that nothing in it
// is believed beyond its form: what does not fit is left out.
func readState(text string) []RunProgress {
	var state progressState
	if text == "" || len(text) > maxState || json.Unmarshal([]byte(text), &state) != nil || state.Version != stateVersion {
		return nil
	}
	runs := state.Runs[:min(len(state.Runs), maxRuns)]
	return slices.DeleteFunc(runs, func(r RunProgress) bool { return !r.plausible() })
}

var shaForm = pattern.Lazy(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// Bounds of what is remembered of a run.
const (
	maxFamilies  = 12
	maxFailures  = 5
	maxStalled   = 3
	maxCount     = 100_000
	maxTitle     = 120
	maxFamily    = 60
	maxLabelName = 100
	maxPool      = 200
	maxUnix      = 1 << 33
)

// plausible holds a remembered run to its form.
func (r *RunProgress) plausible() bool {
	return r.ID > 0 && within(int64(r.Attempt), 1, maxCount) && shaForm().MatchString(r.SHA) && shortText(r.Label, maxLabelName) &&
		slices.Contains(phaseOrder, r.Phase) && slices.Contains(outcomes, r.Outcome) && slices.Contains(canaryStates, r.Canary) &&
		(r.Phase == PhaseFinished) == (r.Outcome != "") &&
		within(r.Updated, 0, maxUnix) && within(r.At, 0, maxUnix) && within(r.ETA, 0, maxUnix) && within(int64(r.MoreFailures), 0, maxCount) &&
		r.Points.plausible() && r.plausibleStalled() && r.Report.plausible() && r.Partial.plausible() && len(r.Families) <= maxFamilies && len(r.Failures) <= maxFailures &&
		!slices.ContainsFunc(r.Families, func(f FamilyProgress) bool { return !shortText(f.Name, maxFamily) || !f.plausible() }) &&
		!slices.ContainsFunc(r.Failures, func(f FailedPoint) bool { return !shortText(f.Title, maxTitle) || f.JobID < 0 })
}

func (r *RunProgress) plausibleStalled() bool {
	return len(r.Stalled) <= maxStalled && !slices.ContainsFunc(r.Stalled, func(p StalledPool) bool {
		return !shortText(p.Pool, maxPool) || !within(int64(p.Points), 1, maxCount) || !within(p.Since, 0, maxUnix)
	})
}

func (t Tally) plausible() bool {
	for _, n := range []int{t.Planned, t.Passed, t.Failed, t.Cancelled, t.Running, t.Waiting, t.Unclear} {
		if !within(int64(n), 0, maxCount) {
			return false
		}
	}
	return true
}

func within(n, low, high int64) bool { return low <= n && n <= high }

func shortText(text string, limit int) bool {
	return utf8.ValidString(text) && utf8.RuneCountInString(text) <= limit
}

// progressContent is the sticky progress comment: what one writer knows, to be
// united with what the comment remembers.
type progressContent struct{ Progress }

// topicProgress is the topic of the sticky comment.
const topicProgress = "progress"

// body unites the runs, so that earlier ones survive and the newest stays the
// newest, whoever writes last.
func (c progressContent) body(s seal, old []string) string {
	if len(old) > 0 && legacyRun(old[0]) > newestID(c.Runs) {
		return old[0]
	}
	p := c.Progress
	p.Runs = mergeRuns(append(rememberedRuns(s, old), c.Runs)...)
	state := writeState(p.Runs)
	return s.write(topicProgress, p.text(maxComment-len(state)-200), state)
}

// holds reports whether a body remembers at least what we know, and says it.
func (c progressContent) holds(s seal, body string) bool {
	return same(body, c.body(s, []string{body}))
}

// keeps reports whether a body remembers at least what we know.
func (c progressContent) keeps(s seal, body string) bool {
	known := mergeRuns(rememberedRuns(s, []string{body})...)
	return writeState(mergeRuns(known, c.Runs)) == writeState(known)
}

func newestID(runs []RunProgress) int64 {
	var id int64
	for i := range runs {
		id = max(id, runs[i].ID)
	}
	return id
}

// rememberedRuns reads the runs from bodies of ours, or of the tool before us.
func rememberedRuns(s seal, bodies []string) [][]RunProgress {
	var all [][]RunProgress
	for _, body := range bodies {
		if env, ok := s.read(body); ok {
			all = append(all, readState(env.State))
		}
	}
	return all
}

// legacyProgress are the first words of comments that the reference's workflow
// wrote with the same account (spec/labels-and-sweeps.md section 11).
var legacyProgress = []string{"<!-- inferencex-unofficial-run-visualizer -->", "see unofficial run visualizer at "}

var unofficialRun = pattern.Lazy(`[?&]unofficialRun=([0-9]{1,18})\b`)

// legacyRun returns the run that a comment of the former tool links to, 0 for
// none.
func legacyRun(body string) int64 {
	m := unofficialRun().FindStringSubmatch(body)
	if m == nil || !startsWithAny(body, legacyProgress) {
		return 0
	}
	id, _ := strconv.ParseInt(m[1], 10, 64)
	return id
}

// newProgressComment is the effect that keeps the sticky comment.
func newProgressComment(p Progress) *UpsertComment {
	return &UpsertComment{Number: p.Number, Topic: topicProgress, Legacy: legacyProgress, content: progressContent{p}}
}

// siteOf is the web page of a repository, taken from that of one of its pull
// requests.
func siteOf(pr *PullRequest) string {
	return strings.TrimSuffix(pr.URL, "/pull/"+strconv.Itoa(pr.Number))
}
