package matrix

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Scoring is what a score depends on besides the rows.
type Scoring struct {
	Event     string // event name, such as pull_request
	Namespace string // of queue tokens: <run id>:<run attempt>
	// Criteria limits the facts that count; nil lets all count.
	Criteria []string
	// Labels and PR are consulted only by policies that score labels.
	Labels []string
	PR     int
}

// Annotate returns a copy of a document in which every object with both runner
// and framework carries its priority and queue token (spec/matrix.md section
// 14). Where a criterion or a node count is wrong, the list refuses and the
// document must not be used.
func (p *Priority) Annotate(doc ordjson.Value, s Scoring) (ordjson.Value, diag.List) {
	var list diag.List
	for _, word := range s.Criteria {
		if !p.knows(word) {
			list = append(list, diag.New("priority.criterion", diag.Place{}, "value", word).In("priority-criteria"))
		}
	}
	if list != nil {
		return ordjson.Value{}, list
	}
	out := p.walk(doc, s, nil, &list)
	if list != nil {
		return ordjson.Value{}, list
	}
	return out, nil
}

// walk annotates the objects below v, which stands at a path.
func (p *Priority) walk(v ordjson.Value, s Scoring, at []string, list *diag.List) ordjson.Value {
	switch v.Kind {
	case ordjson.Array:
		out := ordjson.List(make([]ordjson.Value, len(v.Items))...)
		for i, item := range v.Items {
			out.Items[i] = p.walk(item, s, append(at, strconv.Itoa(i)), list)
		}
		return out
	case ordjson.Object:
		out := ordjson.Map(make([]ordjson.Member, 0, len(v.Members)+3)...)
		for _, m := range v.Members {
			out.Add(m.Name, p.walk(m.Value, s, append(at, m.Name), list))
		}
		_, hasRunner := v.Get("runner")
		_, hasFramework := v.Get("framework")
		if hasRunner && hasFramework {
			p.annotate(&out, v, s, at, list)
		}
		return out
	}
	return v
}

func (p *Priority) annotate(out *ordjson.Value, row ordjson.Value, s Scoring, at []string, list *diag.List) {
	score, f := p.score(row, s)
	if f != nil {
		*list = append(*list, f.At(strings.Join(at, "/")))
		return
	}
	out.Add("priority", ordjson.Str(score))
	out.Add("queue-token", ordjson.Str(queueToken(row, s.Namespace, at)))
	if p.skipQueue != "" && s.PR > 0 && slices.Contains(s.Labels, p.skipQueue) {
		out.Add("skip-queue-pr", ordjson.Int(int64(s.PR)))
	}
}

// queueToken is unique for a row, its place and the run attempt: 32 hex
// digits.
func queueToken(row ordjson.Value, namespace string, at []string) string {
	text := []byte(namespace + ":" + strings.Join(at, "/") + ":")
	sum := sha256.Sum256(row.Append(text, ordjson.Canonical))
	return hex.EncodeToString(sum[:16])
}
