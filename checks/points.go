package checks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/ordjson"
	"github.com/sweepbot/sweepbot/matrix"
)

// notOfAPoint are fields of a row that follow from others or from the plan, and
// the concurrency, which makes the points of a row.
var notOfAPoint = []string{"conc", "exp-name", "recipe-fingerprint", "priority-score", "queue-token"}

// pointText is a row without its concurrencies, as one text.
func pointText(row *matrix.Row) string {
	doc := row.Document()
	kept := ordjson.Value{Kind: doc.Kind}
	for _, m := range doc.Members {
		if !slices.Contains(notOfAPoint, m.Name) {
			kept.Members = append(kept.Members, m)
		}
	}
	return kept.String()
}

func concText(conc int64) string { return "c" + strconv.FormatInt(conc, 10) }

func concTexts(list []int64) string {
	names := make([]string, len(list))
	for i, conc := range list {
		names[i] = concText(conc)
	}
	return strings.Join(names, ",")
}

// pointCount is the number of points of rows.
func pointCount(rows []*matrix.Row) int {
	n := 0
	for _, row := range rows {
		n += len(row.Conc)
	}
	return n
}
