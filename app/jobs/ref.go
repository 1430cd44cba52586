package jobs

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/app/bot"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/matrix"
)

// Ref is all that the job of a point has to know before it has the plan. It is
// one element of a job matrix.
type Ref struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// RunsOn is the JSON array of runner labels, as a text for the function
	// format: {0} is the attempt, and braces of labels are doubled.
	RunsOn  string `json:"runs-on"`
	Timeout int    `json:"timeout"` // minutes
}

// Scheduling says which runner labels a job asks for
// (spec/labels-and-sweeps.md section 9.1).
type Scheduling struct {
	Priorities, NodeSlots bool
}

// newRef describes the job of a row. annotated is the row with its priority
// and queue token, where the repository scores rows.
func newRef(id string, r *matrix.Row, annotated ordjson.Value, s Scheduling, klaud bool) (Ref, error) {
	labels, err := runnerLabels(r, annotated, s)
	if err != nil {
		return Ref{}, err
	}
	title := bot.JobTitle(r)
	if p := member(annotated, "priority"); p != "" {
		title = "p" + p + " | " + title
	}
	if klaud {
		title = "klaud | " + title
	}
	return Ref{ID: id, Title: title, RunsOn: labels, Timeout: minutes(r)}, nil
}

// The forms of priority and queue token. A label that lacks either would no
// longer be that of one job (known failure F36).
var (
	priorityForm = pattern.Lazy(`^-?[0-9]+\.[0-9]{3}$`)
	tokenForm    = pattern.Lazy(`^[0-9a-f]{32}$`)
)

func runnerLabels(r *matrix.Row, annotated ordjson.Value, s Scheduling) (string, error) {
	if r.Runner == "" || strings.ContainsFunc(r.Runner, func(c rune) bool { return c <= ' ' || c == '"' || c == '\\' }) {
		return "", diag.New("jobs.runner-label", r.Entry.Place, "runner", r.Runner).In("runner").At(r.Config.Key)
	}
	runner := strings.NewReplacer("{", "{{", "}", "}}").Replace(r.Runner)
	if !s.Priorities {
		return list(runner), nil
	}
	priority, token := member(annotated, "priority"), member(annotated, "queue-token")
	if !priorityForm().MatchString(priority) || !tokenForm().MatchString(token) {
		return "", diag.New("jobs.queue-token", r.Entry.Place, "priority", priority, "token", token).In("scheduling").At(r.Config.Key)
	}
	labels := []string{"self-hosted", runner}
	if s.NodeSlots {
		labels = append(labels, "nodes:"+nodes(annotated))
	}
	labels = append(labels, "ci-job-"+priority+"-"+token, "ci-attempt-{0}")
	if pr := member(annotated, "skip-queue-pr"); pr != "" {
		labels = append(labels, "ci-skip-queue-pr-"+pr)
	}
	return list(labels...), nil
}

// nodes is how many nodes a job takes: one, but for rows that say more.
func nodes(row ordjson.Value) string {
	if n := member(row, "node-count"); n != "" {
		return n
	}
	return "1"
}

func list(words ...string) string {
	text, _ := json.Marshal(words)
	return string(text)
}

// member is a member of a row as text, "" for absent and null.
func member(row ordjson.Value, name string) string {
	v, ok := row.Get(name)
	if !ok || v.Kind == ordjson.Literal && v.Text == "null" {
		return ""
	}
	if v.Kind == ordjson.String || v.Kind == ordjson.Literal {
		return v.Text
	}
	return v.String()
}

// The limits of a job in minutes (spec/labels-and-sweeps.md section 9.2).
const (
	singleMinutes       = 500
	multiMinutes        = 480
	multiAgenticMinutes = 780
	longMinutes         = 1470
)

func minutes(r *matrix.Row) int {
	row := r.Document()
	_, multi := row.Get("prefill")
	agentic := member(row, "scenario-type") == matrix.AgenticCoding
	switch {
	case multi && agentic:
		return multiAgenticMinutes
	case multi:
		return multiMinutes
	case agentic && !r.EvalOnly && r.Runner == "cluster:h200-dgxc" && member(row, "model-prefix") == "dsv41flash" &&
		member(row, "framework") == "sglang" && len(r.Conc) > 0 && r.Conc[0] >= 64:
		return longMinutes
	}
	return singleMinutes
}

// Shard is a part of a family that fits one job matrix.
type Shard struct {
	// Suffix goes behind the display prefix of the family: nothing for the
	// first shard, so that small plans keep the names that branch rules know.
	// In sweep-other it is the prefix as well.
	Suffix string `json:"suffix"`
	Points []Ref  `json:"points"`
}

// ownJobs are the families that have a job of their own in the workflow
// (spec/labels-and-sweeps.md section 8). Sequence lengths that have none share
// otherFamilies, whose shards bring the whole display prefix.
var ownJobs = []string{
	"sweep-single-node-1k1k", "sweep-single-node-8k1k", "sweep-agentic",
	"sweep-multi-node-1k1k", "sweep-multi-node-8k1k", "sweep-multi-node-agentic",
	"sweep-evals", "sweep-agentic-evals", "sweep-multi-node-evals", "sweep-multi-node-agentic-evals",
}

const otherFamilies = "sweep-other"

// jobOf is the job of the workflow that runs a family.
func jobOf(family string) string {
	if slices.Contains(ownJobs, family) {
		return family
	}
	return otherFamilies
}

// suffix is the suffix of a shard by its place in the family.
func suffix(index int) string {
	if index == 0 {
		return ""
	}
	return " " + strconv.Itoa(index+1)
}

// Families are the shards of the families that have points, by job id.
type Families map[string][]Shard

// without returns the families without one point, that point, and the job id
// of its family. Shards and families that are empty then are gone: a matrix
// must not be empty.
func (f Families) without(id string) (Families, *Ref, string) {
	out := make(Families, len(f))
	var found *Ref
	var family string
	for job, shards := range f {
		for _, s := range shards {
			kept := make([]Ref, 0, len(s.Points))
			for _, r := range s.Points {
				if r.ID == id {
					found, family = &r, job
					continue
				}
				kept = append(kept, r)
			}
			if len(kept) > 0 {
				out[job] = append(out[job], Shard{Suffix: s.Suffix, Points: kept})
			}
		}
	}
	return out, found, family
}
