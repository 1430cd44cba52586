package results

import (
	"slices"
	"strings"

	"github.com/sweepbot/sweepbot/internal/pattern"
	"github.com/sweepbot/sweepbot/results/failure"
)

// Job is one job of a sweep run.
type Job struct {
	ID      int64
	Name    string
	Attempt int
	// Conclusion is the platform's word, "" while there is none.
	Conclusion string
	// Failure says why it failed, where that was found out.
	Failure *failure.Verdict
	// URL is the page of the job.
	URL string
}

// attributed are the jobs of each planned point, newest attempt last.
type attributed struct {
	byPoint [][]Job
	// Unknown are jobs that look like a point's but fit none or several.
	unknown []Job
}

var titlePriority = pattern.Lazy(`(?:^| )(?:[\w-]+ \| )?p-?\d+(?:\.\d+)? \| (.*)$`)

// jobTitle cuts a job's name into the display prefix of its family and its
// title.
func jobTitle(name string) (prefix, title string, ok bool) {
	name = strings.Join(strings.Fields(name), " ")
	m := titlePriority().FindStringSubmatchIndex(name)
	if m == nil {
		return "", "", false
	}
	return strings.Trim(name[:m[0]], " /"), name[m[2]:m[3]], true
}

type jobKey struct{ prefix, title string }

// attribute assigns jobs to planned points by family and title.
func attribute(planned []Planned, jobs []Job) attributed {
	out := attributed{byPoint: make([][]Job, len(planned))}
	index := make(map[jobKey][]int)
	for i, p := range planned {
		key := jobKey{strings.Trim(p.Prefix, " /"), p.Title}
		index[key] = append(index[key], i)
	}
	for _, job := range jobs {
		prefix, title, ok := jobTitle(job.Name)
		if !ok {
			continue
		}
		points := index[jobKey{prefix, title}]
		if prefix == "canary" {
			points = oneFamily(planned, title)
		}
		if len(points) == 0 {
			out.unknown = append(out.unknown, job)
		}
		for _, i := range points {
			out.byPoint[i] = append(out.byPoint[i], job)
		}
	}
	for i := range out.byPoint {
		slices.SortStableFunc(out.byPoint[i], func(a, b Job) int {
			if c := compareInt(int64(a.Attempt), int64(b.Attempt)); c != 0 {
				return c
			}
			return compareInt(a.ID, b.ID)
		})
	}
	return out
}

// oneFamily finds the points of a canary's title. The canary does not say which
// family it was taken from: where several have such a title, none is meant.
func oneFamily(planned []Planned, title string) []int {
	var out []int
	for i, p := range planned {
		if p.Title != title || p.Eval {
			continue
		}
		if out != nil && planned[out[0]].Family != p.Family {
			return nil
		}
		out = append(out, i)
	}
	return out
}
