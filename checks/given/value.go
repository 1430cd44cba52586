package given

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/sweepbot/sweepbot/internal/diag"
)

// Limits of evidence files. A run of 300 points with its check runs, jobs and
// artifacts has about 3 MB of JSON.
const (
	MaxFile  = 64 << 20
	maxDepth = 20
)

// file is a file that is being read: its name for messages, and its bytes.
type file struct {
	name string
	data []byte
}

// value is a JSON value with its place.
type value struct {
	file *file
	raw  []byte
	at   int    // offset of the first byte in the file
	path string // inside of the document, for messages
}

// place turns an offset into line and column.
func (f *file) place(offset int) diag.Place {
	before := f.data[:min(max(offset, 0), len(f.data))]
	return diag.Place{File: f.name, Line: 1 + bytes.Count(before, []byte{'\n'}), Column: len(before) - bytes.LastIndexByte(before, '\n')}
}

// refuse is a finding about the value.
func (v value) refuse(code string, args ...string) diag.Finding {
	return diag.New(code, v.file.place(v.at), args...).At(v.path).In("unreadable")
}

// values splits a file into its JSON documents: gh api --paginate writes one a
// page.
func (f *file) values() ([]value, error) {
	if deep(f.data) {
		return nil, diag.New("checks.evidence-depth", diag.Place{File: f.name}, "limit", strconv.Itoa(maxDepth)).In("unreadable")
	}
	dec := json.NewDecoder(bytes.NewReader(f.data))
	var out []value
	for {
		var raw json.RawMessage
		err := dec.Decode(&raw)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, f.syntax(err, int(dec.InputOffset()))
		}
		end := int(dec.InputOffset())
		out = append(out, value{f, f.data[end-len(raw) : end], end - len(raw), ""})
	}
	if len(out) == 0 {
		return nil, diag.New("checks.evidence-empty", diag.Place{File: f.name}).In("unreadable")
	}
	return out, nil
}

// syntax is the finding about text that is no JSON.
func (f *file) syntax(err error, offset int) diag.Finding {
	var bad *json.SyntaxError
	switch {
	case errors.As(err, &bad):
		offset = int(bad.Offset) - 1
	case errors.Is(err, io.ErrUnexpectedEOF):
		offset = len(f.data)
	}
	return diag.New("checks.evidence-json", f.place(offset), "detail", err.Error()).In("unreadable")
}

// deep reports whether brackets nest deeper than anything of the API does.
func deep(data []byte) bool {
	depth, text := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

func (v value) isObject() bool { return len(v.raw) > 0 && v.raw[0] == '{' }
func (v value) isArray() bool  { return len(v.raw) > 0 && v.raw[0] == '[' }
func (v value) isNull() bool   { return string(v.raw) == "null" }

// member is a member of an object.
type member struct {
	name string
	value
}

// members takes an object apart, in its order.
func (v value) members() []member {
	var out []member
	v.each(func(name string, item value) { out = append(out, member{name, item}) })
	return out
}

// items takes an array apart.
func (v value) items() []value {
	var out []value
	v.each(func(_ string, item value) { out = append(out, item) })
	return out
}

// each calls f for what an object or array holds; the syntax was checked when
// the file was split.
func (v value) each(f func(name string, item value)) {
	dec := json.NewDecoder(bytes.NewReader(v.raw))
	if _, err := dec.Token(); err != nil {
		return
	}
	for n := 0; dec.More(); n++ {
		path, name := v.path+"["+strconv.Itoa(n)+"]", ""
		if v.isObject() {
			token, err := dec.Token()
			if err != nil {
				return
			}
			name, _ = token.(string)
			path = name
			if v.path != "" {
				path = v.path + "." + name
			}
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return
		}
		end := int(dec.InputOffset())
		start := end - len(raw)
		f(name, value{v.file, v.raw[start:end], v.at + start, path})
	}
}

// decode fills a document of the API; further members are ignored.
func (v value) decode(target any) error {
	err := json.Unmarshal(v.raw, target)
	if err == nil {
		return nil
	}
	at, field := v.at, v.path
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		at += max(int(wrong.Offset)-1, 0)
		field = v.path + "." + wrong.Field
	}
	return diag.New("checks.evidence-type", v.file.place(at), "detail", err.Error()).At(field).In("unreadable")
}

// has reports whether an object has all of the members.
func has(members []member, names ...string) bool {
	for _, name := range names {
		found := false
		for _, m := range members {
			found = found || m.name == name
		}
		if !found {
			return false
		}
	}
	return true
}
