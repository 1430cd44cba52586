package bot

import (
	"strings"
	"testing"

	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/catalog"
	"github.com/sweepbot/sweepbot/labels"
	"github.com/sweepbot/sweepbot/matrix"
)

// TestStartLineNamesOtherLabels: a label that means nothing here is named, and
// never printed raw.
func TestStartLineNamesOtherLabels(t *testing.T) {
	s, _ := config.Preset(config.PresetNewest)
	p := Planned{Settings: s, Selection: labels.Select(s.Labels, []string{"other\x1b[31m"}), Families: []matrix.Family{{}}}
	line := startLine(p, TableStyle{Language: catalog.English})
	if !strings.Contains(line, "other") || !strings.Contains(line, "full-sweep-fail-fast") || strings.Contains(line, "\x1b") {
		t.Errorf("got %q", line)
	}
}
