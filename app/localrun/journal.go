package localrun

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Status is how a point stands.
type Status string

// The statuses. A point that was never started, or was interrupted, is Pending:
// its result is missing. Skipped points were held back by a failed canary.
const (
	Pending   Status = "missing"
	Passed    Status = "passed"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
	Skipped   Status = "skipped"
)

// record is one line of the journal.
type record struct {
	Kind string    `json:"kind"` // plan, start or end
	Time time.Time `json:"time"`
	// Plan names the plan of a sweep, with what else decides what its points
	// measure. Only the first record has it.
	Plan    string   `json:"plan,omitempty"`
	Version int      `json:"version,omitempty"`
	Point   string   `json:"point,omitempty"`
	Attempt int      `json:"attempt,omitempty"`
	Status  Status   `json:"status,omitempty"`
	Code    string   `json:"code,omitempty"`
	Args    []string `json:"args,omitempty"`
	File    string   `json:"file,omitempty"`
	Seconds float64  `json:"seconds,omitempty"`
}

// journalName is the journal inside the folder of a sweep.
const journalName = "state.jsonl"

// journalVersion is the version of its lines.
const journalVersion = 1

// maxJournal is the largest journal that is read.
const maxJournal = 64 << 20

// journal records what happened to the points of a sweep. A line is on disk
// before the sweep goes on, so that no finished point is repeated after an
// interruption, of whatever kind.
type journal struct {
	file *os.File
	past []record
}

// openJournal opens the journal of a folder for this process alone and reads
// what it says. A last line that was not finished is dropped.
func openJournal(root *os.Root) (*journal, error) {
	f, err := root.OpenFile(journalName, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	j := &journal{file: f}
	if err := j.load(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

func (j *journal) load() error {
	if err := lock(j.file); err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(j.file, maxJournal+1))
	if err != nil {
		return err
	}
	records, good, err := parseJournal(data)
	if err != nil {
		return err
	}
	if err := j.file.Truncate(good); err != nil {
		return err
	}
	_, err = j.file.Seek(good, io.SeekStart)
	j.past = records
	return err
}

// parseJournal reads the records and says where the last whole line ends.
func parseJournal(data []byte) ([]record, int64, error) {
	if len(data) > maxJournal {
		return nil, 0, damaged(0)
	}
	var records []record
	good := 0
	for line := 1; good < len(data); line++ {
		end := bytes.IndexByte(data[good:], '\n')
		if end < 0 {
			break
		}
		var r record
		if err := json.Unmarshal(data[good:good+end], &r); err != nil {
			return nil, 0, damaged(line)
		}
		if len(r.Args)%2 != 0 || (r.Kind == "plan") != (line == 1) || r.Kind == "plan" && r.Version != journalVersion {
			return nil, 0, damaged(line)
		}
		records = append(records, r)
		good += end + 1
	}
	return records, int64(good), nil
}

func damaged(line int) error {
	return diag.New("localrun.journal-damaged", diag.Place{File: journalName, Line: line}).In("unreadable")
}

// append writes a record through to the disk.
func (j *journal) append(r record) error {
	r.Time = time.Now().UTC().Truncate(time.Millisecond)
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) Close() error { return j.file.Close() }

// past is what a journal says about one point.
type past struct {
	status   Status
	attempts int // finished ones
	why      *diag.Finding
	seconds  float64
}

// history folds records into the last word on each point. An attempt that was
// started and never ended does not count.
func history(records []record) map[string]past {
	out := make(map[string]past)
	for _, r := range records {
		if r.Kind != "end" {
			continue
		}
		p := past{status: r.Status, attempts: r.Attempt, seconds: r.Seconds}
		if r.Code != "" {
			p.why = &diag.Finding{Code: r.Code, Args: r.Args, Place: diag.Place{File: r.File}}
		}
		out[r.Point] = p
	}
	return out
}
