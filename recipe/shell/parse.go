package shell

import (
	"bytes"
	"errors"

	"mvdan.cc/sh/v3/syntax"
)

// source is one parsed script. It holds no path: the same content may stand
// at several.
type source struct {
	text []byte
	file *syntax.File
	// err says why there is no file.
	err error
}

// parse reads one script as bash.
func parse(text []byte, limit int) *source {
	if len(text) > limit {
		return &source{err: errors.New("the file is too large")}
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return &source{err: errors.New("the file is not text")}
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	file, err := parser.Parse(bytes.NewReader(text), "")
	if err != nil {
		return &source{text: text, err: err}
	}
	return &source{text: text, file: file}
}
