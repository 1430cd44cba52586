package matrix

import (
	"github.com/sweepbot/sweepbot/config"
	"github.com/sweepbot/sweepbot/internal/diag"
)

// Survey is every config of one revision with the rows that it generates. What
// is wrong with one config costs no other its place: a revision of long ago
// may hold configs that today's rules refuse.
type Survey struct {
	Masters   *Masters
	Inventory *Inventory
	// Rows are the throughput rows by config key, without evals.
	Rows map[string][]*Row
	// Invalid are the findings about configs by key; they have no rows.
	Invalid map[string]diag.List
}

// NewSurvey reads the masters and the runners of a revision and expands each
// config by itself. The list is refused when a file as a whole can't be read;
// the survey is nil then.
func NewSurvey(s config.Settings, files Files) (*Survey, diag.List) {
	masters, list := readMasters(s, files, true)
	if list.Refused() {
		return nil, list
	}
	generator, list := newGenerator(s, files)
	if list.Refused() {
		return nil, list
	}
	v := &Survey{Masters: masters, Inventory: generator.inventory, Rows: make(map[string][]*Row, len(masters.Configs)), Invalid: make(map[string]diag.List)}
	for _, c := range masters.Configs {
		if diag.List(c.invalid).Refused() {
			v.Invalid[c.Key] = c.invalid
			continue
		}
		rows, list := generator.Expand([]*Config{c}, Filter{})
		if list.Refused() {
			v.Invalid[c.Key] = list
			continue
		}
		v.Rows[c.Key] = SelectEvals(rows, EvalNone, s.Matrix)
	}
	return v, nil
}
