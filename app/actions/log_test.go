package actions

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// fixedToken makes the word that resumes commands known to a test.
func fixedToken(o *WriterOptions) { o.StopToken = func() string { return "0123456789abcdef" } }

// TestGroup: a fold of the log in which nothing is obeyed.
func TestGroup(t *testing.T) {
	j := newJob(t)
	w := j.writer(fixedToken)
	failure := errors.New("the body failed")
	err := w.Group("title\n::error::x", func(out io.Writer) error {
		io.WriteString(out, "::add-mask::a\n ::set-output name=x::y\r\n##[group]fake\n::endgroup::\n\x1b[31mred\x1b[0m \u202eevil\n::0123456789abcdef\nno end of line")
		return failure
	})
	if !errors.Is(err, failure) {
		t.Error(err)
	}
	want := `::group::title ::error::x
::stop-commands::0123456789abcdef
::add-mask::a
 ::set-output name=x::y
## [group]fake
::endgroup::
` + "\ufffd[31mred\ufffd[0m \ufffdevil" + `
::0123456789abcdef
no end of line
::0123456789abcdef::
::endgroup::
`
	if diff := cmp.Diff(want, j.log.String()); diff != "" {
		t.Error(diff)
	}
	names := []string{}
	for _, c := range obeyed(j.log.String()) {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"group", "endgroup"}, names); diff != "" {
		t.Error(diff)
	}
}

// TestUntrustedText: no text, in whatever pieces it comes, has a command
// obeyed, and commands work again after it.
func TestUntrustedText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		piece := rapid.OneOf(rapid.SampledFrom([]string{"::", "##[error]x", "stop-commands", "add-mask::y", "\n", "\r", "\r\n", " ", "::error::x\n", "点", "\xe7", "\x1b[0m", "\u2028"}), rapid.String())
		pieces := rapid.SliceOfN(piece, 0, 12).Draw(rt, "pieces")
		var log bytes.Buffer
		w := NewWriter(WriterOptions{Getenv: vars{}.get, Log: &log})
		err := w.Group("g", func(out io.Writer) error {
			for _, p := range pieces {
				if _, err := io.WriteString(out, p); err != nil {
					return err
				}
			}
			return nil
		})
		_, err2 := w.Annotate(Annotation{Kind: Notice, Message: "after"})
		if err := errors.Join(err, err2); err != nil {
			rt.Fatal(err)
		}
		// A reader that takes a bare carriage return for a line end finds
		// nothing more.
		for _, text := range []string{log.String(), strings.ReplaceAll(log.String(), "\r", "\n")} {
			got := []string{}
			for _, c := range obeyed(text) {
				got = append(got, c.Name)
			}
			if diff := cmp.Diff([]string{"group", "endgroup", "notice"}, got); diff != "" {
				rt.Fatal(diff)
			}
		}
	})
}

// TestStopTokens are not guessed and never the same.
func TestStopTokens(t *testing.T) {
	a, b := randomToken(), randomToken()
	if a == b || len(a) != 32 {
		t.Error(a, b)
	}
	w := newJob(t).writer(func(o *WriterOptions) { o.StopToken = func() string { return "x" } })
	if err := w.Untrusted("x"); codeOf(err) != "actions.write-failed" {
		t.Error(err)
	}
}

// TestPanicInAGroup: commands work again even then.
func TestPanicInAGroup(t *testing.T) {
	j := newJob(t)
	w := j.writer()
	func() {
		defer func() { recover() }()
		w.Group("g", func(io.Writer) error { panic("x") })
	}()
	if _, err := w.Annotate(Annotation{Kind: Failure, Message: "after"}); err != nil {
		t.Error(err)
	}
	if all := obeyed(j.log.String()); len(all) != 2 || all[1].Message != "after" {
		t.Errorf("%+v", all)
	}
}

// TestLongLine: a line without end does not grow in memory.
func TestLongLine(t *testing.T) {
	var log bytes.Buffer
	s := &shown{to: &log, clean: func(s string) string { return s }}
	if _, err := io.WriteString(s, strings.Repeat("x", 3*maxLine+1)); err != nil || len(s.line) != 1 {
		t.Error(len(s.line), err)
	}
	if err := s.end(); err != nil || strings.Count(log.String(), "\n") != 4 {
		t.Error(err, strings.Count(log.String(), "\n"))
	}
}
