package ordjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxDepth bounds the nesting of a parsed document.
const maxDepth = 64

// Parse reads one JSON document, keeping the order of members. Of repeated
// members the last value wins, at the first place. The document may nest at
// most 64 levels.
func Parse(data []byte) (Value, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	v, err := parseValue(dec, 0)
	if err != nil {
		return Value{}, fmt.Errorf("JSON at byte %d: %w", dec.InputOffset(), err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Value{}, fmt.Errorf("JSON at byte %d: more than one document", dec.InputOffset())
	}
	return v, nil
}

func parseValue(dec *json.Decoder, depth int) (Value, error) {
	token, err := dec.Token()
	if err != nil {
		return Value{}, err
	}
	switch t := token.(type) {
	case nil:
		return Null(), nil
	case bool:
		return Bool(t), nil
	case string:
		return Str(t), nil
	case json.Number:
		return Value{Text: t.String()}, nil
	case json.Delim:
		if depth >= maxDepth {
			return Value{}, fmt.Errorf("nested deeper than %d levels", maxDepth)
		}
		if t == '[' {
			return parseArray(dec, depth)
		}
		return parseObject(dec, depth)
	}
	return Value{}, fmt.Errorf("unexpected token %v", token)
}

func parseArray(dec *json.Decoder, depth int) (Value, error) {
	v := List()
	for dec.More() {
		item, err := parseValue(dec, depth+1)
		if err != nil {
			return Value{}, err
		}
		v.Items = append(v.Items, item)
	}
	_, err := dec.Token()
	return v, err
}

func parseObject(dec *json.Decoder, depth int) (Value, error) {
	v := Map()
	at := make(map[string]int)
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return Value{}, err
		}
		name, _ := token.(string)
		member, err := parseValue(dec, depth+1)
		if err != nil {
			return Value{}, err
		}
		if i, again := at[name]; again {
			v.Members[i].Value = member
			continue
		}
		at[name] = len(v.Members)
		v.Add(name, member)
	}
	_, err := dec.Token()
	return v, err
}
