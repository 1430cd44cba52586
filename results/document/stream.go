package document

import (
	"bufio"
	"errors"
	"io"
)

// ErrStop ends a Stream early without an error.
var ErrStop = errors.New("stop")

// Stream reads a document of any size element by element: yield gets the bytes
// of every element of a top-level array, or of the whole document when that is
// no array. The bytes are valid until yield returns. An element larger than
// limit bytes is an *Error; so is a list without its commas or its end. Elements
// themselves are not checked: Parse does that.
func Stream(r io.Reader, limit int, yield func(element []byte) error) (isArray bool, err error) {
	s := splitter{in: bufio.NewReaderSize(r, streamBuffer), limit: limit}
	c, err := s.afterBlanks()
	if err != nil {
		return false, s.end(err)
	}
	if c != '[' {
		if err := s.element(c); err != nil && (!errors.Is(err, io.EOF) || closed(c)) {
			return false, s.end(err)
		}
		if err := s.nothingMore(); err != nil {
			return false, err
		}
		return false, stopped(yield(s.buf))
	}
	return true, stopped(s.elements(yield))
}

func stopped(err error) error {
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

// streamBuffer is small: most files are single rows, and a run has thousands.
const streamBuffer = 8 << 10

type splitter struct {
	in    *bufio.Reader
	at    int64
	limit int
	buf   []byte
}

func (s *splitter) fault(f Fault, detail string) error {
	return &Error{Fault: f, Offset: s.at, Detail: detail}
}

func (s *splitter) end(err error) error {
	if errors.Is(err, io.EOF) {
		return s.fault(FaultSyntax, "the document ends here")
	}
	return err
}

func (s *splitter) read() (byte, error) {
	c, err := s.in.ReadByte()
	if err == nil {
		s.at++
	}
	return c, err
}

func (s *splitter) back() {
	s.at--
	_ = s.in.UnreadByte() // the byte before was read, so this can't fail
}

func (s *splitter) afterBlanks() (byte, error) {
	for {
		c, err := s.read()
		if err != nil || !isBlank(c) {
			return c, err
		}
	}
}

func (s *splitter) elements(yield func([]byte) error) error {
	c, err := s.afterBlanks()
	if err != nil {
		return s.end(err)
	}
	for first := true; ; first = false {
		if c == ']' && first {
			return s.nothingMore()
		}
		if err := s.element(c); err != nil {
			return s.end(err)
		}
		if err := yield(s.buf); err != nil {
			return err
		}
		switch c, err = s.afterBlanks(); {
		case err != nil:
			return s.end(err)
		case c == ']':
			return s.nothingMore()
		case c != ',':
			return s.fault(FaultSyntax, "a comma between two elements is missing")
		}
		if c, err = s.afterBlanks(); err != nil {
			return s.end(err)
		}
	}
}

// element collects one value that begins with c. A scalar ends before the
// first byte that can't belong to it.
func (s *splitter) element(c byte) error {
	s.buf = append(s.buf[:0], c)
	depth, inText := 0, false
	switch c {
	case '{', '[':
		depth = 1
	case '"':
		inText = true
	case ',', ']', '}', ':':
		return s.fault(FaultSyntax, "a value is missing")
	}
	for depth > 0 || inText || !closed(s.buf[0]) {
		c, err := s.read()
		if err != nil {
			return err
		}
		if !inText && depth == 0 && (isBlank(c) || c == ',' || c == ']') {
			s.back()
			return nil
		}
		if len(s.buf) >= s.limit {
			return s.fault(FaultLarge, "an element larger than the limit")
		}
		s.buf = append(s.buf, c)
		switch {
		case inText && c == '\\':
			if c, err = s.read(); err != nil {
				return err
			}
			s.buf = append(s.buf, c)
		case c == '"':
			inText = !inText
		case !inText && (c == '{' || c == '['):
			depth++
		case !inText && (c == '}' || c == ']'):
			depth--
		}
	}
	return nil
}

// closed reports whether a value that begins with c ends with its own last
// byte, so that reading stops there.
func closed(c byte) bool { return c == '{' || c == '[' || c == '"' }

func (s *splitter) nothingMore() error {
	switch _, err := s.afterBlanks(); {
	case err == nil:
		return s.fault(FaultSyntax, "more than one document")
	case errors.Is(err, io.EOF):
		return nil
	default:
		return err
	}
}
