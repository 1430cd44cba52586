package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/sweepbot/sweepbot/results/archive"
	"github.com/sweepbot/sweepbot/reuse"
)

// The artifact that holds the plan of a run, the document in it, and the
// artifact that a run of a partial plan has besides: its name alone says so,
// to everybody who lists the artifacts.
const (
	planArtifact    = "sweepbot-plan"
	planDocument    = "plan.json"
	partialArtifact = reuse.PartialMark
	partialDocument = "partial.json"
)

// isPartial reports whether the artifacts of a run are those of a partial
// sweep. What has expired still says so.
func isPartial(artifacts []Artifact) bool {
	return slices.ContainsFunc(artifacts, func(a Artifact) bool { return a.Name == partialArtifact })
}

// Bounds of what is read of a plan.
const (
	maxPlanArchive  = 16 << 20
	maxPlanBytes    = 64 << 20
	maxPartialBytes = 64 << 10
	maxPlanPoints   = 20_000
)

// MeasuredPlan is what a partial sweep has to know of an earlier plan. All of
// it is what the run says about itself.
type MeasuredPlan struct {
	// Base and Head are the commits of the change, Commit and Tree what was
	// checked out: full ids.
	Base, Head, Commit, Tree string
	// The modifiers of the plan.
	Trim, AllEvals, EvalsOnly, Fast bool
	Partial                         bool
	// Canary is the id of the canary, "" for none; Points are the ids of all.
	Canary string
	Points map[string]bool
}

// planShape is the part of a plan document that is read.
type planShape struct {
	Version  int `json:"version"`
	Base     struct{ Commit string }
	Head     struct{ Commit string }
	Measured struct{ Commit, Tree string }
	Partial  json.RawMessage `json:"partial"`
	Policy   struct {
		Trim      bool `json:"trim"`
		AllEvals  bool `json:"all-evals"`
		EvalsOnly bool `json:"evals-only"`
		Fast      bool `json:"agentx-fast"`
	} `json:"policy"`
	Canary   *struct{ Point string } `json:"canary"`
	Families []struct {
		Points []struct{ ID string }
	} `json:"families"`
}

var errPlanShape = errors.New("the plan does not say what it measured")

// readMeasuredPlan reads the plan of a run.
func readMeasuredPlan(ctx context.Context, runs Runs, a Artifact) (MeasuredPlan, error) {
	data, err := documentOf(ctx, runs, a, planDocument, maxPlanBytes)
	if err != nil {
		return MeasuredPlan{}, err
	}
	return parseMeasuredPlan(data)
}

func parseMeasuredPlan(data []byte) (MeasuredPlan, error) {
	var doc planShape
	if err := json.Unmarshal(data, &doc); err != nil {
		return MeasuredPlan{}, err
	}
	out := MeasuredPlan{
		Base: doc.Base.Commit, Head: doc.Head.Commit, Commit: doc.Measured.Commit, Tree: doc.Measured.Tree,
		Trim: doc.Policy.Trim, AllEvals: doc.Policy.AllEvals, EvalsOnly: doc.Policy.EvalsOnly, Fast: doc.Policy.Fast,
		Partial: len(doc.Partial) > 0, Points: make(map[string]bool),
	}
	for _, id := range []string{out.Base, out.Head, out.Commit, out.Tree} {
		if !shaForm().MatchString(id) {
			return MeasuredPlan{}, errPlanShape
		}
	}
	if doc.Canary != nil {
		out.Canary = doc.Canary.Point
	}
	for _, f := range doc.Families {
		for _, p := range f.Points {
			if out.Points[p.ID] = true; len(out.Points) > maxPlanPoints {
				return MeasuredPlan{}, errPlanShape
			}
		}
	}
	if doc.Version != PlanVersion || len(out.Points) == 0 {
		return MeasuredPlan{}, errPlanShape
	}
	return out, nil
}

// documentOf reads one file of an artifact. Nothing is unpacked before the
// archive is held against the limits.
func documentOf(ctx context.Context, runs Runs, a Artifact, name string, limit int64) ([]byte, error) {
	if a.Size > maxPlanArchive {
		return nil, errReportTooLarge
	}
	stream, err := runs.OpenArtifact(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	packed, err := limited(stream, maxPlanArchive)
	if err != nil {
		return nil, err
	}
	at := bytes.NewReader(packed)
	if err := archive.VerifyDigest(at, at.Size(), a.Digest); err != nil {
		return nil, err
	}
	limits := archive.Limits{Entries: 100, Directory: 1 << 20, Total: 512 << 20, File: 256 << 20, Ratio: archive.DefaultLimits().Ratio}
	content, err := archive.OpenZip(at, at.Size(), limits)
	if err != nil {
		return nil, err
	}
	file, err := content.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return limited(file, limit)
}
