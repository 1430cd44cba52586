package results

import (
	"maps"
	"slices"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// Artifact is what one upload held.
type Artifact struct {
	Upload Upload
	Kind   Kind
	// Rows are the measured points, Evals the eval rows.
	Rows  []Row
	Evals []EvalRow
	// Success are the counts of run statistics, Metadata the changelog metadata,
	// Event a job event; each only for its kind.
	Success  []ClusterSuccess
	Metadata *Metadata
	Event    ordjson.Value
	// Refused means that the artifact could not be read as a whole.
	Refused  bool
	Findings diag.List
}

// Harvest is what the artifacts of one run hold, over all attempts read so far:
// for each name the newest upload. Merging is associative and the order never
// matters, so attempts and pages can be read in any order.
type Harvest struct {
	artifacts map[string]Artifact
	// seen are all uploads, the superseded ones too.
	seen map[Upload]bool
}

// Merge returns what both hold. Of two uploads of one name the newer unexpired
// one counts.
func (h Harvest) Merge(other Harvest) Harvest {
	out := Harvest{artifacts: make(map[string]Artifact, len(h.artifacts)), seen: make(map[Upload]bool, len(h.seen))}
	for _, side := range []Harvest{h, other} {
		maps.Copy(out.seen, side.seen)
		for name, a := range side.artifacts {
			if mine, ok := out.artifacts[name]; !ok || a.Upload.compare(mine.Upload) > 0 {
				out.artifacts[name] = a
			}
		}
	}
	return out
}

// Artifacts returns the artifacts by name.
func (h Harvest) Artifacts() []Artifact {
	out := make([]Artifact, 0, len(h.artifacts))
	for _, name := range slices.Sorted(maps.Keys(h.artifacts)) {
		out = append(out, h.artifacts[name])
	}
	return out
}

// Artifact returns the artifact of a name.
func (h Harvest) Artifact(name string) (Artifact, bool) {
	a, ok := h.artifacts[name]
	return a, ok
}

// Rows returns the rows of the point artifacts, by source. When a run has an
// aggregate only, its rows are returned.
func (h Harvest) Rows() []Row {
	var points, aggregate []Row
	for _, a := range h.Artifacts() {
		switch a.Kind {
		case FixedPoint, AgenticPoint:
			points = append(points, a.Rows...)
		case BenchmarkAggregate:
			aggregate = append(aggregate, a.Rows...)
		}
	}
	if len(points) == 0 {
		return aggregate
	}
	return points
}

// Evals returns the rows of the raw eval artifacts, by artifact; those of the
// aggregate when there are no raw ones.
func (h Harvest) Evals() []EvalRow {
	var raw, aggregate []EvalRow
	for _, a := range h.Artifacts() {
		switch a.Kind {
		case RawEval:
			raw = append(raw, a.Evals...)
		case EvalAggregate:
			aggregate = append(aggregate, a.Evals...)
		}
	}
	if len(raw) == 0 {
		return aggregate
	}
	return raw
}

// Findings returns everything that was found, in a fixed order: about the
// uploads, about each artifact, and what the rows say against each other.
func (h Harvest) Findings() diag.List {
	_, list := Choose(slices.Collect(maps.Keys(h.seen)))
	for _, a := range h.Artifacts() {
		list = append(list, a.Findings...)
	}
	list = append(list, h.repeated()...)
	return append(list, h.stale()...)
}
