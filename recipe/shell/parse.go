package shell

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sort"

	"mvdan.cc/sh/v3/syntax"

	"github.com/sweepbot/sweepbot/internal/pattern"
)

// source is one parsed script. It holds no path: the same content may stand
// at several. It is not changed after parsing.
type source struct {
	text []byte
	file *syntax.File
	// err says why there is no file.
	err error
	// holes are the unknown parts of a text that came from a value, by the
	// name of the parameter that stands for them in text.
	holes map[string]Segment
	// spans say where the pieces of such a text were written.
	spans []span
}

// span is a piece of a text from a value, up to an offset.
type span struct {
	end int
	at  Origin
}

// originAt returns where the byte at an offset was written; ok is false for
// the text of a file.
func (s *source) originAt(offset int) (Origin, bool) {
	if s == nil || len(s.spans) == 0 {
		return Origin{}, false
	}
	i := sort.Search(len(s.spans)-1, func(i int) bool { return offset < s.spans[i].end })
	return s.spans[i].at, true
}

var (
	errTooLarge = errors.New("the file is too large")
	errNotText  = errors.New("the file is not text")
	errTooDeep  = errors.New("the nesting is too deep")
)

// parse reads one script as bash. Sources of other sizes than allowed are
// refused before anything is built.
func parse(text []byte, limit int) *source {
	switch {
	case len(text) > limit:
		return &source{err: errTooLarge}
	case bytes.IndexByte(text, 0) >= 0:
		return &source{err: errNotText}
	}
	file, err := parseFile(text)
	if err != nil && bytes.Contains(text, []byte("declare -A")) {
		if mended := quoteKeys(text); mended != nil {
			if again, errAgain := parseFile(mended); errAgain == nil {
				text, file, err = mended, again, nil
			}
		}
	}
	if err != nil {
		return &source{text: text, err: err}
	}
	splitBraces(file)
	return &source{text: text, file: file}
}

func parseFile(text []byte) (file *syntax.File, err error) {
	defer func() {
		// The parser is not ours: what it cannot cope with is unreadable.
		if r := recover(); r != nil {
			file, err = nil, fmt.Errorf("the parser gave up: %v", r)
		}
	}()
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	return parser.Parse(&depthReader{text: text}, "")
}

// parseArithmetic reads an arithmetic expression that came from a value.
func parseArithmetic(text string) (syntax.ArithmExpr, error) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	return parser.Arithmetic(&depthReader{text: []byte(text)})
}

// depthReader hands text to the parser in small pieces and refuses to go on
// when the parser's own recursion is too deep: a stack that overflows cannot
// be caught.
type depthReader struct {
	text []byte
	read int
}

const (
	// maxFrames bounds the call stack of the parser; the deepest script of a
	// reasonable author needs a few hundred. One piece adds a bounded number.
	maxFrames = 6_000
	pieceSize = 512
)

// Read is the only place where the parser lets us look at it.
func (r *depthReader) Read(p []byte) (int, error) {
	var pc [1]uintptr
	if runtime.Callers(maxFrames, pc[:]) > 0 {
		return 0, errTooDeep
	}
	if r.read == len(r.text) {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), pieceSize)], r.text[r.read:])
	r.read += n
	return n, nil
}

// keyText is a key with a colon: parts without blanks or quotes.
const keyText = `((?:\$\{\w+\}|\$\w+|[A-Za-z0-9_.,/@%+-])*:(?:\$\{\w+\}|\$\w+|[A-Za-z0-9_.,:/@%+-])*)`

var (
	// bareKey is an element of an array literal whose key has a colon: a plain
	// text in bash when the array is associative, but the parser takes every
	// key for arithmetic.
	bareKey = pattern.Lazy(`(?m)(^|[\s(])\[` + keyText + `\](\+?=)`)
	// readKey is such a key where an element is read.
	readKey = pattern.Lazy(`(\$\{[#!]?\w+\[)` + keyText + `\]`)
	// setKey is one where an element is set.
	setKey = pattern.Lazy(`(?m)(^\s*\w+\[)` + keyText + `\](\+?=)`)
)

// quoteKeys puts quotes around such keys. Lines stay the same.
func quoteKeys(text []byte) []byte {
	if !bareKey().Match(text) && !readKey().Match(text) && !setKey().Match(text) {
		return nil
	}
	text = bareKey().ReplaceAll(text, []byte(`$1["$2"]$3`))
	text = setKey().ReplaceAll(text, []byte(`$1"$2"]$3`))
	return readKey().ReplaceAll(text, []byte(`$1"$2"]`))
}

// splitBraces turns {a,b} and {1..3} of the words where bash expands them into
// nodes. It is done once, since the tree is shared afterwards.
func splitBraces(node syntax.Node) {
	var words []*syntax.Word
	syntax.Walk(node, func(n syntax.Node) bool {
		switch x := n.(type) {
		case *syntax.CallExpr:
			words = append(words, x.Args...)
		case *syntax.WordIter:
			words = append(words, x.Items...)
		case *syntax.ArrayElem:
			if x.Value != nil && x.Index == nil {
				words = append(words, x.Value)
			}
		}
		return true
	})
	for _, w := range words {
		syntax.SplitBraces(w)
	}
}
