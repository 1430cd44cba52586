package results

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/results/document"
)

// JobOutcome is the name and the conclusion of one job of any attempt; the
// conclusion is "" while there is none.
type JobOutcome struct{ Name, Conclusion string }

// Success counts the jobs of one cluster.
type Success struct{ Succeeded, Total int64 }

// ClusterSuccess is the success of a cluster by its label without "cluster:".
type ClusterSuccess struct {
	Cluster string
	Success
}

// CountSuccess counts the jobs of all attempts of a run by cluster (spec/
// results.md section 8.5). Every known cluster is present, sorted; a job belongs
// to the first whose label its name contains as whole words. Skipped jobs do
// not count, jobs without a conclusion do.
func CountSuccess(clusters []string, jobs []JobOutcome) []ClusterSuccess {
	labels := make([]string, len(clusters))
	for i, c := range clusters {
		labels[i] = strings.TrimPrefix(c, "cluster:")
	}
	slices.Sort(labels)
	labels = slices.Compact(labels)
	out := make([]ClusterSuccess, len(labels))
	for i, label := range labels {
		out[i].Cluster = label
	}
	for _, job := range jobs {
		if job.Conclusion == "skipped" {
			continue
		}
		name := strings.ToLower(job.Name)
		i := slices.IndexFunc(labels, func(label string) bool { return containsWord(name, strings.ToLower(label)) })
		if i < 0 {
			continue
		}
		out[i].Total++
		if job.Conclusion == "success" {
			out[i].Succeeded++
		}
	}
	return out
}

// containsWord reports whether text contains word with no letter or digit
// directly before or after it.
func containsWord(text, word string) bool {
	if word == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(word)
		if (start == 0 || !isWordByte(text[start-1])) && (end == len(text) || !isWordByte(text[end])) {
			return true
		}
		from = start + 1
	}
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80
}

// RunStatsDocument is run_stats.json.
func RunStatsDocument(counts []ClusterSuccess) ordjson.Value {
	out := ordjson.Map()
	for _, c := range counts {
		out.Add(c.Cluster, ordjson.Map(
			ordjson.Member{Name: "n_success", Value: ordjson.Int(c.Succeeded)},
			ordjson.Member{Name: "total", Value: ordjson.Int(c.Total)}))
	}
	return out
}

// ReadRunStats reads run_stats.json.
func ReadRunStats(file string, data []byte) ([]ClusterSuccess, diag.List) {
	doc, err := document.Parse(data, document.Options{})
	if err != nil {
		return nil, diag.List{unreadable(file, err)}
	}
	if doc.Kind != ordjson.Object {
		return nil, diag.List{wrongShape(file, "an object of clusters")}
	}
	var out []ClusterSuccess
	var list diag.List
	for _, m := range doc.Members {
		succeeded, ok1 := intMember(m.Value, "n_success")
		total, ok2 := intMember(m.Value, "total")
		if !ok1 || !ok2 || succeeded < 0 || succeeded > total {
			list = append(list, diag.New("results.run-stats-count", diag.Place{File: file}, "cluster", m.Name, "value", shown(m.Value)))
			continue
		}
		out = append(out, ClusterSuccess{m.Name, Success{succeeded, total}})
	}
	return out, list
}

func wrongShape(file, want string) diag.Finding {
	return diag.New("results.wrong-shape", diag.Place{File: file}, "want", want)
}
