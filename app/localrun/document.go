package localrun

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/sweepbot/sweepbot/internal/diag"
	"github.com/sweepbot/sweepbot/internal/ordjson"
)

// notFinite begins the text that stands for a NaN or Infinity of a document.
// No JSON text of a launcher can hold it: U+0000 is refused.
const notFinite = "\x00"

// parseDocument reads one JSON document that a launcher wrote. The literals
// NaN, Infinity and -Infinity, which JSON does not know and load clients
// write, are kept as texts that begin with notFinite, so that the reader can
// say which member holds them. Repeated members are refused: nobody can tell
// which value was meant (spec/security.md S55).
func parseDocument(data []byte) (ordjson.Value, error) {
	if bytes.Contains(data, []byte(`\u0000`)) || bytes.IndexByte(data, 0) >= 0 {
		return ordjson.Value{}, errors.New("holds a NUL character")
	}
	data = quoteNotFinite(data)
	if err := uniqueMembers(data); err != nil {
		return ordjson.Value{}, err
	}
	return ordjson.Parse(bytes.ReplaceAll(data, []byte(quotedMark), []byte(`"\u0000`)))
}

// quotedMark is the start of a quoted literal while it is still plain text.
const quotedMark = "\"\x00"

var literals = [][]byte{[]byte("-Infinity"), []byte("Infinity"), []byte("NaN")}

// quoteNotFinite puts the three literals into quotes, outside of strings.
func quoteNotFinite(data []byte) []byte {
	if !bytes.Contains(data, literals[1]) && !bytes.Contains(data, literals[2]) {
		return data
	}
	out := make([]byte, 0, len(data)+64)
	for i := 0; i < len(data); {
		n := tokenEnd(data[i:])
		if literal := literalAt(data[i:]); literal != nil {
			n = len(literal)
			out = append(append(append(out, quotedMark...), literal...), '"')
		} else {
			out = append(out, data[i:i+n]...)
		}
		i += n
	}
	return out
}

func literalAt(data []byte) []byte {
	for _, l := range literals {
		if bytes.HasPrefix(data, l) {
			return l
		}
	}
	return nil
}

// tokenEnd is the length of the string at the start of data, else 1.
func tokenEnd(data []byte) int {
	if data[0] != '"' {
		return 1
	}
	for i := 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// maxNesting bounds the depth of a document.
const maxNesting = 64

// uniqueMembers refuses a document in which an object repeats a member.
func uniqueMembers(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(bytes.ReplaceAll(data, []byte(quotedMark), []byte(`"`))))
	dec.UseNumber()
	type level struct {
		seen map[string]bool // nil in an array
		key  bool            // the next string is a name
	}
	var open []level
	for {
		token, err := dec.Token()
		switch {
		case errors.Is(err, io.EOF) && len(open) == 0:
			return nil
		case err != nil:
			return fmt.Errorf("is no JSON at byte %d: %w", dec.InputOffset(), err)
		}
		if delim, ok := token.(json.Delim); ok && (delim == '}' || delim == ']') {
			open = open[:len(open)-1]
			continue
		}
		if n := len(open); n > 0 && open[n-1].seen != nil {
			top := &open[n-1]
			if name, isName := token.(string); top.key && isName {
				if top.seen[name] {
					return fmt.Errorf("repeats the member %.80q", name)
				}
				top.seen[name], top.key = true, false
				continue
			}
			top.key = true
		}
		if delim, ok := token.(json.Delim); ok {
			if len(open) == maxNesting {
				return fmt.Errorf("nests deeper than %d levels", maxNesting)
			}
			next := level{}
			if delim == '{' {
				next = level{seen: make(map[string]bool), key: true}
			}
			open = append(open, next)
		}
	}
}

// number is a JSON number as a float. ok is false for what is no number; the
// value is not finite for NaN, Infinity and numbers beyond a float's range.
func number(v ordjson.Value) (value float64, ok bool) {
	if v.Kind == ordjson.String && strings.HasPrefix(v.Text, notFinite) {
		value, _ := strconv.ParseFloat(strings.TrimPrefix(v.Text, notFinite), 64)
		return value, true
	}
	if v.Kind != ordjson.Literal || v.Text == "true" || v.Text == "false" || v.Text == "null" {
		return 0, false
	}
	value, err := strconv.ParseFloat(v.Text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return value, true
}

// finite reports whether a float is a usable number.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// floating is a float as a JSON number.
func floating(f float64) ordjson.Value {
	return ordjson.Value{Text: strconv.FormatFloat(f, 'g', -1, 64)}
}

// shown is a value of a document for a message: short, and printable.
func shown(v ordjson.Value) string {
	if v.Kind == ordjson.String && strings.HasPrefix(v.Text, notFinite) {
		return strings.TrimPrefix(v.Text, notFinite)
	}
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
