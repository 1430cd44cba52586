package actrun

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// record is one line of what act prints with --json.
type record struct {
	Job     string         `json:"job"` // with blanks at its end
	Matrix  map[string]any `json:"matrix"`
	Level   string         `json:"level"`
	Message string         `json:"msg"`
	// Step is the name of a step, Stage Pre, Main or Post, and "" for what act
	// does itself. IDs has more than one element inside of a composite action.
	Step  string   `json:"step"`
	Stage string   `json:"stage"`
	IDs   []string `json:"stepID"` // of some records stepid, which is read too
	// StepResult ends a step, JobResult a job.
	StepResult string `json:"stepResult"`
	JobResult  string `json:"jobResult"`
	// Raw marks output of the step. Command is a workflow command in it, or a
	// summary with Content.
	Raw      bool              `json:"raw_output"`
	Command  string            `json:"command"`
	Argument string            `json:"arg"`
	Fields   map[string]string `json:"kvPairs"`
	Content  string            `json:"content"`
}

// maxLine bounds one line of what act prints, in bytes. What is longer is
// skipped: a summary has a mebibyte at most.
const maxLine = 8 << 20

// readRecords hands every line that is a record to take, and every other one to
// stray. It reads to the end whatever comes, so that act never waits for us.
func readRecords(from io.Reader, take func(record), stray func(string)) {
	in := bufio.NewReaderSize(from, 64<<10)
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line) <= maxLine {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if text := bytes.TrimSpace(line); len(text) > 0 && len(line) <= maxLine {
			var r record
			if json.Unmarshal(text, &r) == nil {
				take(r)
			} else {
				stray(string(text))
			}
		}
		line = line[:0]
		if err != nil {
			return
		}
	}
}
