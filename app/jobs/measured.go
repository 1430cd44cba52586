package jobs

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// measuredFile is in every artifact of a point. It is no .json: collectors
// take every such file of a bmk_ artifact for a row.
const measuredFile = "measured.jsonl"

// Measured says what an artifact of a point was measured on: the pins of the
// sweep, repeated, and who measured. It is what the point says about itself;
// the run that an artifact belongs to is for GitHub to say.
type Measured struct {
	Sweep
	Point     string `json:"point"`
	Title     string `json:"title"`
	Artifact  string `json:"artifact"`
	AttemptOf string `json:"point-attempt"`
	Runner    string `json:"runner"`
}

// write puts the record into the folder of an artifact.
func (m Measured) write(folder string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	name := filepath.Join(folder, measuredFile)
	return outside(name, os.WriteFile(name, append(text, '\n'), 0o644))
}
