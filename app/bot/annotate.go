package bot

import (
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
)

// ReadPriority reads the priority policy of a revision; nil where it has none.
func ReadPriority(s config.Settings, files matrix.Files) (*matrix.Priority, diag.List) {
	if s.Layout.Priority == "" {
		return nil, nil
	}
	name, err := s.Layout.Resolve(files, s.Layout.Priority)
	var data []byte
	if err == nil {
		data, err = files.ReadFile(name)
	}
	var absent diag.Finding
	switch {
	case err == nil:
		return matrix.LoadPriority(matrix.Source{Name: name, Data: data}, s.Sweep)
	case errors.Is(err, fs.ErrNotExist), errors.As(err, &absent) && absent.Code == "config.no-file":
		return nil, nil
	}
	return nil, diag.List{unreadable(s.Layout.Priority, err)}
}

// Annotate adds priority and queue token to every row of a plan document. The
// policy is that of the base revision, which a pull request cannot alter
// (spec/matrix.md section 14). Labels count only where the settings say so.
func Annotate(doc ordjson.Value, s config.Settings, base matrix.Files, scoring matrix.Scoring) (ordjson.Value, diag.List) {
	policy, list := ReadPriority(s, base)
	if list.Refused() {
		return doc, list
	}
	if policy == nil {
		return doc, diag.List{diag.New("cli.no-priority", diag.Place{File: s.Layout.Priority})}
	}
	if !s.Sweep.PriorityLabels {
		scoring.Labels, scoring.PR = nil, 0
	}
	return policy.Annotate(doc, scoring)
}

// ParseCriteria reads the criteria of a score: a JSON array of strings. Empty
// text and null mean that there are none, so that every fact counts.
func ParseCriteria(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	var words []string
	if err := json.Unmarshal([]byte(text), &words); err != nil {
		return nil, diag.New("cli.criteria", diag.Place{}, "detail", err.Error()).In("usage")
	}
	return words, nil
}
