package labels

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Bounds of label lists that are read from text. GitHub allows 100 labels on a
// pull request and 50 characters in a name.
const (
	MaxLabels     = 100
	MaxLabelBytes = 200
	MaxListBytes  = 128 << 10
)

// ParseList reads label names separated by commas or line breaks, each value
// on its own, as repeated command-line flags give them. Blanks around a name
// and empty parts are dropped; the order is kept, repeats are not. A name that
// contains a comma can be given to ParseJSON only. The error is a
// diag.Finding.
func ParseList(values ...string) ([]string, error) {
	size := 0
	for _, value := range values {
		if size += len(value); size > MaxListBytes {
			return nil, tooLarge(size)
		}
	}
	var names []string
	for _, value := range values {
		for _, part := range strings.FieldsFunc(value, separates) {
			if name := strings.TrimSpace(part); name != "" {
				names = append(names, name)
			}
		}
	}
	return bounded(names)
}

func separates(r rune) bool { return r == ',' || r == '\n' || r == '\r' }

// ParseJSON reads a JSON array of label names, as the expression
// toJson(github.event.pull_request.labels.*.name) writes it. Empty text and
// null mean no labels (spec/matrix.md section 14). Names are taken as they
// are, whatever characters they hold. The error is a diag.Finding.
func ParseJSON(data []byte) ([]string, error) {
	switch {
	case len(data) > MaxListBytes:
		return nil, tooLarge(len(data))
	case !utf8.Valid(data):
		return nil, diag.New("labels.not-utf8", diag.Place{})
	case len(bytes.TrimSpace(data)) == 0:
		return nil, nil
	}
	var names []*string
	if err := json.Unmarshal(data, &names); err != nil {
		return nil, diag.New("labels.json", diag.Place{}, "detail", err.Error())
	}
	return bounded(deref(names))
}

// deref turns null into the empty name, which bounded refuses.
func deref(names []*string) []string {
	plain := make([]string, len(names))
	for i, name := range names {
		if name != nil {
			plain[i] = *name
		}
	}
	return plain
}

// bounded drops repeats and refuses what cannot be the labels of a pull
// request. It returns nil for no labels.
func bounded(names []string) ([]string, error) {
	var distinct []string
	seen := make(map[string]bool, min(len(names), MaxLabels))
	for i, name := range names {
		switch {
		case name == "":
			return nil, diag.New("labels.empty-name", diag.Place{}, "index", strconv.Itoa(i+1))
		case !utf8.ValidString(name):
			return nil, diag.New("labels.not-utf8", diag.Place{})
		case len(name) > MaxLabelBytes:
			return nil, diag.New("labels.too-long", diag.Place{}, "index", strconv.Itoa(i+1),
				"size", strconv.Itoa(len(name)), "limit", strconv.Itoa(MaxLabelBytes))
		case seen[name]:
			continue
		case len(distinct) == MaxLabels:
			return nil, diag.New("labels.too-many", diag.Place{}, "limit", strconv.Itoa(MaxLabels))
		}
		seen[name] = true
		distinct = append(distinct, name)
	}
	return distinct, nil
}

func tooLarge(size int) error {
	return diag.New("labels.too-large", diag.Place{}, "size", strconv.Itoa(size), "limit", strconv.Itoa(MaxListBytes))
}
