package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Delivery is one accepted webhook.
type Delivery struct {
	ID    string // X-GitHub-Delivery, the same for a redelivery
	Event string // X-GitHub-Event
	Body  []byte // JSON, at most MaxBody bytes and MaxDepth levels
}

// Bounds of a delivery. GitHub caps bodies at 25 MB.
const (
	MaxBody  = 25 << 20
	MaxDepth = 100
)

// maxHeader bounds the identifying headers.
const maxHeader = 128

var (
	errTooDeep   = fmt.Errorf("JSON nested deeper than %d levels", MaxDepth)
	errNotObject = errors.New("the body is not one JSON object")
)

// checkJSON walks a body token by token, so that depth costs no stack, and
// refuses anything but one object.
func checkJSON(body []byte) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	depth := 0
	for first := true; ; first = false {
		token, err := dec.Token()
		switch {
		case errors.Is(err, io.EOF) && depth == 0 && !first:
			return nil
		case err != nil:
			return err
		}
		delim, isDelim := token.(json.Delim)
		if depth == 0 && (!first || delim != '{') {
			return errNotObject
		}
		if !isDelim {
			continue
		}
		if delim == '{' || delim == '[' {
			depth++
		} else {
			depth--
		}
		if depth > MaxDepth {
			return errTooDeep
		}
	}
}
