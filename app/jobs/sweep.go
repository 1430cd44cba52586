package jobs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"

	"github.com/sweepbot/sweepbot/app/localrun"
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// sweepVersion is the version of the value that pins a sweep.
const sweepVersion = 1

// Sweep pins one sweep. It travels as one JSON value through the inputs of the
// workflows, and every artifact of a point repeats it (DESIGN.md, section 4,
// "What was measured").
type Sweep struct {
	Version    int    `json:"version"`
	Repository string `json:"repository"`
	Run        int64  `json:"run"`
	Attempt    int    `json:"attempt"`      // that planned
	Pull       int    `json:"pull-request"` // 0 on a push
	// PlanID is what a server that dispatched the run calls the plan.
	PlanID string `json:"plan-id,omitempty"`
	// Base and Head are the commits of the change, Commit and Tree what is
	// checked out: on a pull request the merge of both.
	Base   string `json:"base"`
	Head   string `json:"head"`
	Commit string `json:"commit"`
	Tree   string `json:"tree"`
	// Program, Plan, Settings and Points are SHA-256 digests: of the list of
	// digests of the programs, and of the files of the plan artifact.
	Program  string `json:"program"`
	Plan     string `json:"plan"`
	Settings string `json:"settings"`
	Points   string `json:"points"`
	// Thresholds and Serve are those of files that a plan may do without.
	Thresholds string `json:"thresholds,omitempty"`
	Serve      string `json:"serve,omitempty"`
}

// The files of the artifact sweepbot-plan.
const (
	planFile     = "plan.json"
	settingsFile = "settings.yml"
	pointsFile   = "points.json"
	partialFile  = "partial.json" // of the artifact sweepbot-partial
)

// Bounds of what the jobs hand on.
const (
	maxPlan  = 256 << 20
	maxValue = 64 << 10
)

// sweep reads the pins of the sweep that this job belongs to.
func (h *Host) sweep() (Sweep, error) {
	var s Sweep
	text, err := h.value("SWEEPBOT_SWEEP")
	if err != nil {
		return s, err
	}
	if err := decode(text, &s); err != nil {
		return s, diag.New("jobs.sweep-value", diag.Place{}, "detail", err.Error()).In("usage")
	}
	for _, id := range []string{s.Base, s.Head, s.Commit, s.Tree} {
		if !isObjectID(id) {
			return s, diag.New("jobs.sweep-value", diag.Place{}, "detail", "a commit is not pinned").In("usage")
		}
	}
	if s.Version != sweepVersion {
		return s, diag.New("jobs.sweep-value", diag.Place{}, "detail", "it is of another version").In("usage")
	}
	return s, nil
}

// decode reads one small JSON value strictly: a member that nobody knows is
// as wrong as one that is missing.
func decode(text string, into any) error {
	if len(text) > maxValue {
		return diag.New("jobs.too-large", diag.Place{}, "limit", "64 KiB")
	}
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

func encode(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("jobs: " + err.Error()) // only of strings and numbers
	}
	return string(text)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// pinned reads a file of the plan artifact and refuses any other bytes than
// those that were planned: artifacts are only as good as their digest.
func (h *Host) pinned(name, want string) ([]byte, error) {
	folder, err := h.folder()
	if err != nil {
		return nil, err
	}
	data, err := read(filepath.Join(folder, name), maxPlan)
	if err != nil {
		return nil, err
	}
	if got := digest(data); got != want {
		return nil, diag.New("jobs.digest", diag.Place{File: name}, "got", got, "want", want).In("unsafe")
	}
	return data, nil
}

// plan reads the plan of a sweep.
func (h *Host) plan(s Sweep) (*localrun.Plan, error) {
	data, err := h.pinned(planFile, s.Plan)
	if err != nil {
		return nil, err
	}
	doc, err := ordjson.Parse(data)
	if err != nil {
		return nil, diag.New("jobs.plan", diag.Place{File: planFile}, "detail", err.Error()).In("unreadable")
	}
	return localrun.ReadPlan(doc)
}

// settings reads the settings that were in force when the sweep was planned:
// those of the base.
func (h *Host) settings(s Sweep) (config.Settings, error) {
	data, err := h.pinned(settingsFile, s.Settings)
	if err != nil {
		return config.Settings{}, err
	}
	settings, list := config.Load(settingsFile, data)
	if list.Refused() {
		return settings, list
	}
	return settings, nil
}
