package localrun

import (
	"errors"
	"io/fs"
	"os"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Outcome is the last word of a local sweep on one point.
type Outcome struct {
	Status Status
	// Attempt counts from 1.
	Attempt int
	// Why is nil for points that passed.
	Why *diag.Finding
}

// Outcomes reads what the journal in the folder of a local sweep says about each
// point, by its id; nil where there is no journal.
func Outcomes(root *os.Root) (map[string]Outcome, error) {
	data, err := readRegular(root, journalName, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, outside(err)
	}
	records, _, err := parseJournal(data)
	if err != nil {
		return nil, err
	}
	out := make(map[string]Outcome)
	for id, p := range history(records) {
		out[id] = Outcome{Status: p.status, Attempt: p.attempts, Why: p.why}
	}
	return out, nil
}
