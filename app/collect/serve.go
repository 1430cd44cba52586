package collect

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/matrix"
	"github.com/sweepbot/sweepbot/recipe/launch"
	"github.com/sweepbot/sweepbot/results/report"
)

// The files beside a plan: the bars of evals as the measured commit has them,
// and the commands that serve the points.
const (
	ThresholdsFile = "thresholds.yaml"
	ServeFile      = "serve.json"
)

// MaxServe bounds the commands of a plan as a file, maxThresholds a file of bars.
const (
	MaxServe      = 16 << 20
	maxThresholds = 1 << 20
)

// serveVersion is the version of the file of commands.
const serveVersion = 1

// Serve are the commands that serve the points of a plan. Points share commands.
type Serve struct {
	Version int `json:"version"`
	// Points has the place in Commands by the id of a plan's row.
	Points   map[string]int     `json:"points"`
	Commands [][]report.Command `json:"commands"`
}

// ResolveServe finds the commands of rows. ids are the ids of the plan's rows, in
// the order of the rows; nil rows have none.
func ResolveServe(ctx context.Context, r *launch.Resolver, ids []string, rows []*matrix.Row) (Serve, error) {
	out := Serve{Version: serveVersion, Points: make(map[string]int), Commands: [][]report.Command{}}
	found, err := r.Rows(ctx, rows)
	if err != nil {
		return out, err
	}
	known := make(map[string]int)
	for i, e := range found {
		commands := report.ServeOf(e)
		if len(commands) == 0 {
			continue
		}
		text, err := json.Marshal(commands)
		if err != nil {
			return out, err
		}
		at, ok := known[string(text)]
		if !ok {
			at = len(out.Commands)
			known[string(text)], out.Commands = at, append(out.Commands, commands)
		}
		out.Points[ids[i]] = at
	}
	return out, nil
}

// Document is the file of the commands, nil where it would be larger than
// MaxServe: a report does without them.
func (s Serve) Document() ([]byte, error) {
	text, err := json.Marshal(s)
	if err != nil || len(text) >= MaxServe {
		return nil, err
	}
	return append(text, '\n'), nil
}

// ReadServe reads a file of commands. It is as untrusted as any artifact.
func ReadServe(data []byte) (Serve, error) {
	var s Serve
	refuse := func(detail string) (Serve, error) {
		return Serve{}, diag.New("collect.serve", diag.Place{File: ServeFile}, "detail", diag.Printable(detail)).In("plan-document")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return refuse(err.Error())
	}
	if s.Version != serveVersion {
		return refuse("it is of another version")
	}
	for _, at := range s.Points {
		if at < 0 || at >= len(s.Commands) {
			return refuse("a point has no commands")
		}
	}
	for _, list := range s.Commands {
		if slices.ContainsFunc(list, func(c report.Command) bool { return c.Argv == nil }) {
			return refuse("a command has no words")
		}
	}
	return s, nil
}

// Fill gives points their commands.
func (s Serve) Fill(plan []report.PlannedPoint) {
	for i := range plan {
		if at, ok := s.Points[plan[i].PlanID]; ok {
			plan[i].Serve = s.Commands[at]
		}
	}
}
