package localrun

import (
	"math"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
	jsonfile "github.com/sweepbot/sweepbot/results/document"
)

// parseDocument reads one JSON document that a launcher wrote, within the limits
// of the results room. The literals NaN and Infinity, which JSON does not know
// and load clients write, are numbers that are not finite, so that the reader
// can say which member holds them. Repeated members are refused: nobody can tell
// which value was meant (spec/security.md S55).
func parseDocument(data []byte) (ordjson.Value, error) {
	return jsonfile.Parse(data, jsonfile.Options{NonFinite: true})
}

// number is a JSON number as a float. ok is false for what is no number; the
// value is not finite for NaN, Infinity and numbers beyond a float's range.
func number(v ordjson.Value) (value float64, ok bool) { return jsonfile.Number(v) }

// finite reports whether a float is a usable number.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// shown is a value of a document for a message: short, and printable.
func shown(v ordjson.Value) string {
	return cut(diag.Printable(v.String()), 60)
}

// cut shortens a text to a number of bytes, at a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := 0
	for i := range text {
		if i > limit-3 {
			break
		}
		end = i
	}
	return text[:end] + "..."
}
