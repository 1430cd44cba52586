package bot

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// RunPartial is what the comment remembers of a partial sweep: how many points
// stand, and from which measurement.
type RunPartial struct {
	Run     int64  `json:"run"`
	Since   string `json:"since"`
	Current int    `json:"current"`
}

// known reports whether the mark of the run could be read.
func (p *RunPartial) known() bool { return p.Run > 0 }

func (p *RunPartial) plausible() bool {
	return p == nil || *p == (RunPartial{}) || p.Run > 0 && shaForm().MatchString(p.Since) && within(int64(p.Current), 0, maxCount)
}

// partialShape is the document of the artifact that marks a partial sweep.
type partialShape struct {
	Version int `json:"version"`
	RunPartial
	Points   int `json:"points"`
	Families []struct {
		Name   string `json:"name"`
		Points int    `json:"points"`
	} `json:"families"`
}

const partialVersion = 1

// PartialDocument is the small document that marks the run of a partial plan:
// what stands, from where, and how many points run in which family.
func PartialDocument(p Planned) []byte {
	out := ordjson.Map(member("version", ordjson.Int(partialVersion)))
	out.Add("run", ordjson.Int(p.Partial.Run))
	out.Add("since", ordjson.Str(p.Partial.Since))
	out.Add("current", ordjson.Int(int64(p.Partial.Current)))
	out.Add("points", ordjson.Int(int64(countRows(p.Families))))
	list := ordjson.List()
	families, _, _ := planFamilies(p)
	for _, f := range families {
		list.Items = append(list.Items, ordjson.Map(member("name", ordjson.Str(f.Name)), member("points", ordjson.Int(int64(f.Planned)))))
	}
	out.Add("families", list)
	return append(out.Append(nil, ordjson.Compact), '\n')
}

// partialSweep reads the mark of a partial sweep and the families that it
// planned; nil for a full one. That there is a mark is enough: a run whose mark
// cannot be read is none for a full sweep either.
func (b *Bot) partialSweep(ctx context.Context, artifacts []Artifact) (*RunPartial, []FamilyProgress) {
	if !isPartial(artifacts) {
		return nil, nil
	}
	unknown := &RunPartial{}
	a, ok := newestNamed(artifacts, partialArtifact)
	if !ok {
		return unknown, nil
	}
	data, err := documentOf(ctx, b.GitHub, a, partialDocument, maxPartialBytes)
	if err != nil {
		return unknown, nil
	}
	var doc partialShape
	if json.Unmarshal(data, &doc) != nil || doc.Version != partialVersion || !doc.RunPartial.plausible() {
		return unknown, nil
	}
	var families []FamilyProgress
	for _, f := range doc.Families[:min(len(doc.Families), maxFamilies)] {
		families = append(families, FamilyProgress{Name: shorten(oneLine(f.Name), maxFamily), Tally: Tally{Planned: clamp(f.Points)}})
	}
	return &doc.RunPartial, slices.DeleteFunc(families, func(f FamilyProgress) bool { return f.Planned == 0 })
}
