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

var (
	pointID = pattern.Lazy(`^[0-9a-f]{16}(?:-[0-9]+)?$`)
	shardNo = pattern.Lazy(`^[0-9]{1,4}$`)
)

// prefixesOf are the display prefixes that the front of a job's name may mean,
// the longest first. Reusable workflows put the names of calling jobs before
// it, and the number of the shard and the id of the point behind it.
func prefixesOf(front string) []string {
	var words []string
	for _, word := range strings.Split(front, "/") {
		if word = strings.TrimSpace(word); word != "" && !pointID().MatchString(word) && !(len(words) > 0 && shardNo().MatchString(word)) {
			words = append(words, word)
		}
	}
	out := make([]string, len(words))
	for i := range words {
		out[i] = strings.Join(words[i:], " / ")
	}
	return out
}

// Families returns a function that tells the family (the id of its job) that a
// job's name belongs to, "" where the plan has none of that name.
func Families(planned []Planned) func(jobName string) string {
	byPrefix := make(map[string]string)
	for _, p := range planned {
		byPrefix[strings.Trim(p.Prefix, " /")] = p.Family
	}
	return func(name string) string {
		front, _, _ := jobTitle(name)
		for _, prefix := range prefixesOf(front) {
			if family := byPrefix[prefix]; family != "" {
				return family
			}
		}
		return ""
	}
}

type jobKey struct{ prefix, title string }

// pointsOf are the planned points of a job's name; ok is false where the name
// is not that of a point's job.
func pointsOf(planned []Planned, index map[jobKey][]int, name string) (points []int, ok bool) {
	front, title, ok := jobTitle(name)
	if !ok {
		return nil, false
	}
	for _, prefix := range prefixesOf(front) {
		points = index[jobKey{prefix, title}]
		if prefix == "canary" || prefix == "multi-node canary" {
			points = oneFamily(planned, title)
		}
		if len(points) > 0 {
			break
		}
	}
	return points, true
}

// attribute assigns jobs to planned points by family and title.
func attribute(planned []Planned, jobs []Job) attributed {
	out := attributed{byPoint: make([][]Job, len(planned))}
	index := make(map[jobKey][]int)
	for i, p := range planned {
		key := jobKey{strings.Trim(p.Prefix, " /"), p.Title}
		index[key] = append(index[key], i)
	}
	for _, job := range jobs {
		points, ok := pointsOf(planned, index, job.Name)
		if !ok {
			continue
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
